"""Crawls the tests' hostile server as a person would, with the default delay and concurrency: about half an hour.

Lists without end, links that lead nowhere, routes that hang or misbehave: the crawl must end by itself with every good
post, and say what it left. Fails where it does not.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.endless import GOOD, serve_endless, slug

MOST_REQUESTS = 2000
"""Where a crawl that does not end by itself is stopped."""


def main() -> int:
    """One crawl; 1 where it was stopped, or where a good post is missing."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="blogforever-soak-") as folder, serve_endless() as site:
        config = Config(archive=Path(folder) / "a", allow_private=True, max_pages=MOST_REQUESTS)
        report = crawl_blog(site.base, config)
        with ArchiveFolder(config.archive, writing=False) as archive:
            kept = {post.url.removeprefix(site.base) for post in archive.library.posts(report.blog)}
    missing = {slug(number) for number in range(GOOD)} - kept
    minutes = (time.monotonic() - started) / 60
    print(f"{len(site.asked):,} requests in {minutes:.0f} minutes, {GOOD - len(missing)} of {GOOD} good posts kept.")
    for sentence in report.completeness.sentences():
        print(f"  {sentence}")
    return int(bool(missing or report.stopped or report.ending != "finished"))


if __name__ == "__main__":
    sys.exit(main())
