"""What pages load and offer is kept once, in the WARC and in the records."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.store.warcreader import WarcReader
from server.blogserver import Reply, Site, post_page, routes, serve_answers, slug

PICTURE, SONG = b"\x89PNG\r\n\x1a\n" + bytes(range(200)), b"ID3" + bytes(300)
CSS = b"@import 'more.css'; body { background: url(/files/back.png) }"
FILES = {
    "/files/style.css": Reply(CSS, headers={"Content-Type": "text/css"}),
    "/files/more.css": Reply(
        b"@font-face { src: url(font.woff2) } p { background: url(missing.png) }", headers={"Content-Type": "text/css"}
    ),
    "/files/font.woff2": Reply(b"wOF2" + bytes(50), headers={"Content-Type": "font/woff2"}),
    "/files/back.png": Reply(PICTURE + b"back", headers={"Content-Type": "image/png"}),
    "/files/one.png": Reply(PICTURE, headers={"Content-Type": "image/png"}),
    "/files/two.png": Reply(b"", 302, {"Location": "/files/one.png"}),
    "/files/song.mp3": Reply(SONG, headers={"Content-Type": "audio/mpeg"}),
    "/files/paper.pdf": Reply(b"%PDF-1.4 paper", headers={"Content-Type": "application/pdf"}),
}


def crawled(tmp_path: Path, **options: Any) -> tuple[Site, CrawlReport, list[dict[str, Any]]]:
    def make(base: str) -> Any:
        extra = (
            '<link rel="stylesheet" href="/files/style.css"><p><img src="/files/one.png" alt="One" '
            'srcset="/files/one.png 1x, /files/two.png 2x"><audio src="/files/song.mp3"></audio>'
            '<a href="/files/paper.pdf">the paper</a></p></div></article>'
        )
        pages = {slug(n): Reply(post_page(n).replace(b"</div></article>", extra.encode())) for n in (2, 9)}
        robots = Reply(b"User-agent: *\nDisallow: /files/\n", headers={"Content-Type": "text/plain"})
        return {**routes(base), **FILES, **pages, "/robots.txt": robots}.get

    values: dict[str, Any] = {"archive": tmp_path / "a", "allow_private": True, "delay": 0.0, "timeout": 20.0}
    with serve_answers(make) as site:
        report = crawl_blog(site.base, Config(**(values | options)))
    lines = [json.loads(line) for line in write_run(Config(archive=tmp_path / "a"), report.run)]
    return site, report, [line for line in lines if line["type"] == "post"]


def test_what_a_page_loads_is_kept_once_and_named_in_its_record(tmp_path: Path) -> None:
    site, report, posts = crawled(tmp_path)
    loaded = ["style.css", "more.css", "font.woff2", "back.png", "one.png", "two.png"]
    for name in loaded:
        assert site.asked.count(f"/files/{name}") >= 1
        assert WarcReader([tmp_path / "a" / "warc"]).find(f"{site.base}/files/{name}")
    assert site.asked.count("/files/style.css") == 1
    assert "/files/song.mp3" not in site.asked
    assert report.files == len(loaded) - 1
    assert site.asked.count("/files/one.png") == 1
    pictures = [entry for post in posts for entry in post["media"] if entry["url"].endswith("one.png")]
    assert pictures
    assert {entry["sha256"] for entry in pictures} == {hashlib.sha256(PICTURE).hexdigest()}
    assert {entry["type"] for entry in pictures} == {"image/png"}


def test_media_are_kept_when_asked_for(tmp_path: Path) -> None:
    site, _, _ = crawled(tmp_path, media=True)
    assert {"/files/song.mp3", "/files/paper.pdf"} <= set(site.asked)
    assert WarcReader([tmp_path / "a" / "warc"]).find(f"{site.base}/files/paper.pdf")


@pytest.mark.parametrize("media", [False, True])
def test_nothing_is_loaded_when_nothing_is_wanted(tmp_path: Path, media: bool) -> None:
    site, _, posts = crawled(tmp_path, requisites="none", media=media)
    assert "/files/one.png" not in site.asked
    assert ("/files/song.mp3" in site.asked) == media
    assert len(posts) == 14
