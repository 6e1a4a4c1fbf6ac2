"""Several blogs in one crawl: at once, each with its own records, sharing what they may ask of one address."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from blogforever.archive.crawling import crawl_blogs, write_run
from blogforever.archive.jobs import CrawlProgress
from blogforever.cli import run
from blogforever.config import Config
from blogforever.crawl.crawl import BlogCrawl
from blogforever.protocols import Answer, Ask
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


def test_a_fault_in_the_crawl_of_one_blog_costs_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = BlogCrawl.handle
    with serve() as one, serve() as two:

        def breaks(crawl: BlogCrawl, answer: Answer) -> list[Ask]:
            if crawl.scope.root.startswith(one.base) and len(crawl.seen) > 1:
                raise ZeroDivisionError("a fault in this crawl")
            return list(handle(crawl, answer))

        monkeypatch.setattr(BlogCrawl, "handle", breaks)
        lines, archive = tmp_path / "new.jsonl", tmp_path / "a"
        flags = ["--archive", str(archive), "--allow-private", "--delay", "0", "--jsonl", str(lines)]
        assert run(["crawl", one.base, two.base, *flags]) == 1
        told = capsys.readouterr()
        assert f"{one.base}/: a fault of blogforever ended its crawl (ZeroDivisionError: a fault in this" in told.out
        assert f"{POSTS} posts kept" in told.out
        assert "Traceback" in told.err
        records = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
        assert sum(record["type"] == "post" for record in records) == POSTS
        with pytest.raises(ZeroDivisionError):
            run(["crawl", one.base, *flags])
        monkeypatch.undo()
        (report,) = crawl_blogs([one.base], Config(archive=archive, allow_private=True, delay=0.0))
        assert (report.resumed, report.posts) == (True, POSTS)
