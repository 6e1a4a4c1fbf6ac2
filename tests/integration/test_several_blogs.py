"""Several blogs in one crawl: at once, each with its own records, sharing what they may ask of one address."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from blogforever.archive.crawling import crawl_blogs, write_run
from blogforever.archive.jobs import CrawlProgress
from blogforever.config import Config
from server.blogserver import POSTS, serve


def test_two_blogs_at_once_keep_their_records_apart(tmp_path: Path) -> None:
    order: list[str] = []

    def watch(standing: CrawlProgress) -> None:
        order.append(standing.blog)
        assert standing.waiting >= 0

    with serve() as one, serve() as two:
        config = Config(archive=tmp_path / "a", allow_private=True, delay=0.0, timeout=20.0)
        reports = crawl_blogs([one.base, two.base], config, watch)
        assert [report.url for report in reports] == [f"{one.base}/", f"{two.base}/"]
        for site, report in zip((one, two), reports, strict=True):
            lines = [json.loads(line) for line in write_run(config, report.run)]
            posts = [line for line in lines if line["type"] == "post"]
            assert len(posts) == POSTS
            assert all(post["url"].startswith(site.base) for post in posts)
    changes = sum(a != b for a, b in itertools.pairwise(order))
    assert changes > 5, "they took turns"
