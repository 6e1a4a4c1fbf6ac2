"""Every limit of a crawl holds in an update, too, and is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from server.blogserver import POSTS, serve

LIMITS: dict[str, tuple[dict[str, Any], str]] = {
    "pages": ({"max_pages": 3}, "the limit of 3 pages"),
    "time": ({"max_time": 0.000001}, "the time limit of 1e-06 s"),
    "bytes": ({"max_total": 6000}, "the size limit of 6,000 bytes"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_an_update_stops_at_its_limit_and_says_so(name: str, tmp_path: Path) -> None:
    limit, told = LIMITS[name]
    usual: dict[str, Any] = {"archive": tmp_path / "a", "allow_private": True, "delay": 0.0, "requisites": "none"}
    with serve() as site:
        assert crawl_blog(site.base, Config(**usual)).posts == POSTS
        before = len(site.asked)
        report = crawl_blog(site.base, Config(**usual, recheck=1.0, **limit))
        asked = len(site.asked) - before
    assert report.update is not None
    assert report.stopped == told
    assert report.completeness.stopped == told
    assert asked < POSTS
    assert report.posts == POSTS
