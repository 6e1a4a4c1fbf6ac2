"""A small archive that was made without a crawl, and how a folder stands, to the byte."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from blogforever.protocols import Exchange
from blogforever.records import BlogRecord, PostRecord, SourceRecord
from blogforever.store.folder import ArchiveFolder

BLOG = "b.example"
HTML = (("Content-Type", "text/html"),)
RULES = json.dumps({"version": 1, "blog": BLOG, "templates": []})


def words(number: int) -> str:
    """What the post of this number says."""
    return f"Nobody in the harbour saw lantern {number}, which hung from the ferry all night long."


def address(number: int) -> str:
    """Where that post was."""
    return f"https://{BLOG}/2020/lantern-{number}/"


def make_archive(folder: Path, posts: int = 3) -> Path:
    """One finished crawl of a blog; its search index is as far behind as a crash may leave it."""
    with ArchiveFolder(folder, writing=True) as archive:
        run, _ = archive.store.runs.open(BLOG)
        record = archive.recorder(BLOG, run, {"software": "test"})
        for number in range(posts):
            body = f"<title>Lantern {number}</title><p>{words(number)}</p>".encode()
            ref = record(Exchange(address(number), "GET", (), 200, "OK", HTML, body, datetime.now(UTC)))
            source = SourceRecord(record_id=ref.record_id, url=address(number), digest=ref.digest)
            archive.store.posts.keep(run, replace(post(number), sources=(source,)))
        archive.store.blogs.keep(BlogRecord(id=BLOG, url=f"https://{BLOG}/", title="Lanterns"))
        archive.write_rules(BLOG, RULES)
        archive.store.runs.close(run, "finished")
    return folder


def post(number: int) -> PostRecord:
    """The record of a post."""
    return PostRecord(
        id=f"p{number}",
        blog=BLOG,
        url=address(number),
        title=f"Lantern {number}",
        published=f"2020-01-0{number + 1}",
        text=words(number),
        html=f"<p>{words(number)}</p>",
    )


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a folder: what is in it, and when it was last written."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


READING = [
    ["list"],
    ["list", BLOG],
    ["list", "--new", "--since", "1w", "--json"],
    ["news"],
    ["missing", BLOG],
    ["update", "--dry-run"],
    ["show", address(1)],
    ["search", "lantern"],
    ["export"],
    ["export", "--format", "csv"],
    ["export", "--format", "site", "{out}/copy"],
    ["export", "--format", "wacz", "{out}/all.wacz"],
    ["diff", address(1)],
    ["moves", BLOG],
    ["rules", BLOG],
    ["suppress", "--list"],
    ["note"],
    ["verify"],
    ["doctor"],
]
"""Every command that only reads, as it is typed; `{out}` is a folder for what it writes."""
OF_SERVICE = [
    ["stats"],
    ["jobs"],
    ["sources"],
    ["users"],
    ["schedule"],
    ["filters"],
    ["ping"],
    ["outbox"],
    ["spam"],
    ["token", "list"],
    ["lists"],
    ["webhooks"],
    ["block"],
]
"""The commands of the service that only read."""
