"""Which posts without comments in the corpus's truth were given some, and what was given to them.

    python tools/false_comments.py REPORT.json      REPORT is what run_corpus.py --out has written

Crawls those blogs again and tells each given comment by its kind: a pingback of which the page shows only a title; a
comment in an element that is marked as one, with name and date; anything else, which is to be doubted. The first two
are on the page for every reader: where the truth of some blogs has such lines and that of others has not, the share
of "false comments" cannot reach nought.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from blogforever.urls import url_key
from quality import SHARED

Json = dict[str, Any]


def given(rows: list[Json]) -> set[str]:
    """The posts without comments that were given some."""
    return {url_key(row["url"]) for row in rows if row["found"] and not row["comments"][2] and row["comments"][1]}


def crawl(bundle: Path) -> list[Json]:
    """The posts of a blog of the corpus."""
    address = json.loads((bundle / "meta.json").read_text(encoding="utf-8"))["base_url"]
    warc = next(path for path in (bundle / "blog.warc.gz", bundle / "blog.warc") if path.exists())
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "records.jsonl"
        options = ["--replay", str(warc), "--jsonl", str(out), "--archive", f"{folder}/archive", "--render", "never"]
        call = [sys.executable, "-m", "blogforever", "crawl", address, *options]
        subprocess.run(call, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  our own
        records = map(json.loads, out.read_text(encoding="utf-8").splitlines())
        return [record for record in records if record["type"] == "post"]


def kind(comment: Json) -> str:
    """What a given comment is."""
    if "page" not in comment["sources"]:
        return "not of the page"
    if comment["kind"] != "comment":
        return str(comment["kind"])
    return "comment with name and date" if comment["author"]["name"] and comment["published"] else "doubtful"


def main() -> int:
    """Print one line for each blog, and their sum."""
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["blogs"]
    total: Counter[str] = Counter()
    for name, result in report.items():
        posts = given(result["rows"])
        if not posts:
            continue
        bare = sum(row["found"] and not row["comments"][2] for row in result["rows"])
        found = [r for r in crawl(SHARED / "corpus" / name) if posts & {url_key(u) for u in (r["url"], *r["aliases"])}]
        kinds = Counter(kind(comment) for record in found for comment in record["comments"])
        total.update(kinds)
        print(f"{name}: {len(posts)} of {bare} posts, {dict(kinds)}", flush=True)
    print(f"all: {dict(total)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
