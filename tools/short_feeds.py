"""How much of the corpus is read when its feeds are short: every feed cut to 5, 2, 1 and 0 entries, then scored.

    .venv/bin/python tools/short_feeds.py                   all four lengths over the whole corpus
    .venv/bin/python tools/short_feeds.py 1 0 --blogs a,b   some lengths, some blogs

Feeds are the training data; a blog whose feed shows little must still be read well. The corpus itself is not touched:
its WARC files are copied into a temporary folder with the feeds shortened. Needs ../shared/corpus.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
LENGTHS = (5, 2, 1, 0)
GOALS = {5: (0.99, 0.95), 2: (0.985, 0.94), 1: (0.985, 0.92), 0: (0.98, 0.90)}
"""For each length of the feed: body F1 and author of the posts found that are wanted."""
FEED = re.compile(rb"<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)
ENTRY = re.compile(rb"<(item|entry)[\s>].*?</\1\s*>", re.IGNORECASE | re.DOTALL)
OPENING = 2_000
"""Bytes in which a feed says that it is one."""
UNPACKED = frozenset({"content-encoding", "transfer-encoding", "content-length"})
"""Headers that speak of a body as it was packed."""


def shortened(body: bytes, length: int) -> bytes:
    """The body with so many entries, where it is a feed."""
    if body[:1] == b"{":
        return _shortened_json(body, length)
    if not FEED.search(body[:OPENING]):
        return body
    for entry in reversed(list(ENTRY.finditer(body))[length:]):
        body = body[: entry.start()] + body[entry.end() :]
    return body


def _shortened_json(body: bytes, length: int) -> bytes:
    try:
        told = json.loads(body)
    except ValueError:
        return body
    if not str(told.get("version", "")).startswith("https://jsonfeed.org/"):
        return body
    return json.dumps(told | {"items": told.get("items", [])[:length]}).encode()


def shorten_bundle(bundle: Path, folder: Path, length: int) -> None:
    """One blog of the corpus with shorter feeds."""
    folder.mkdir()
    for name in ("meta.json", "truth.jsonl.gz"):
        (folder / name).symlink_to(bundle / name)
    source = next(path for path in bundle.iterdir() if path.name in ("blog.warc.gz", "blog.warc"))
    with source.open("rb") as stream, (folder / "blog.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for record in ArchiveIterator(stream):
            writer.write_record(_shortened_record(writer, record, length))


def _shortened_record(writer: WARCWriter, record: ArcWarcRecord, length: int) -> ArcWarcRecord:
    if record.rec_type != "response" or record.http_headers is None:
        return record
    body = record.content_stream().read()
    headers = [(k, v) for k, v in record.http_headers.headers if k.lower() not in UNPACKED]
    answer = StatusAndHeaders(record.http_headers.statusline, headers, record.http_headers.protocol)
    url = record.rec_headers.get_header("WARC-Target-URI")
    date = record.rec_headers.get_header("WARC-Date")
    return writer.create_warc_record(
        url,
        "response",
        payload=BytesIO(shortened(body, length)),
        http_headers=answer,
        warc_headers_dict={"WARC-Date": date},
    )


def score(length: int, blogs: set[str], jobs: int) -> tuple[float, float]:
    """Body F1 and author of the posts found, means over the blogs, with feeds of this length."""
    with tempfile.TemporaryDirectory() as name:
        corpus, report = Path(name) / "corpus", Path(name) / "report.json"
        corpus.mkdir()
        for bundle in sorted(path.parent for path in (SHARED / "corpus").glob("*/meta.json")):
            if not blogs or bundle.name in blogs:
                shorten_bundle(bundle, corpus / bundle.name, length)
        command = str(Path(sys.executable).with_name("blogforever"))
        call = [sys.executable, str(SHARED / "eval/run_corpus.py"), "--command", command, "--corpus", str(corpus)]
        call += ["--extra", "--render never", "--jobs", str(jobs), "--out", str(report)]
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # our own scorer
        mean = json.loads(report.read_text(encoding="utf-8"))["mean"]
    return float(mean["body_f1_of_found"] or 0.0), float(mean["author_of_found"] or 0.0)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lengths", type=int, nargs="*", default=LENGTHS, help="entries a feed is cut to")
    parser.add_argument("--blogs", default="", help="comma-separated ids; default: all")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if not (SHARED / "corpus").is_dir():
        print("There is no ../shared/corpus here, so there is nothing to measure.", file=sys.stderr)
        return 2
    print(f"{'entries':>8}{'body F1':>10}{'wanted':>8}{'author':>10}{'wanted':>8}")
    short = False
    for length in args.lengths:
        body, author = score(length, set(filter(None, args.blogs.split(","))), args.jobs)
        wanted_body, wanted_author = GOALS.get(length, (0.0, 0.0))
        short |= body < wanted_body or author < wanted_author
        print(f"{length:>8}{body:>10.4f}{wanted_body:>8.3f}{author:>10.4f}{wanted_author:>8.2f}", flush=True)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
