"""Pictures of posts: taken by a real browser, kept in the WARC, named in the record, shown in the static copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blogforever.archive.crawling import check, crawl_blog, write_run
from blogforever.archive.exporting import export_site
from blogforever.config import Config
from blogforever.errors import UsageError
from server.browserfaults import GOOD, serve_faults


@pytest.mark.browser
@pytest.mark.long
def test_every_post_has_its_picture_and_reads_as_without(tmp_path: Path) -> None:
    config = Config(tmp_path / "a", allow_private=True, delay=0.0, requisites="none", screenshots=True)
    with serve_faults(()) as (site, _private):
        report = crawl_blog(site.base, config)
    posts = [r for r in map(json.loads, write_run(config, report.run)) if r["type"] == "post"]
    assert len(posts) == GOOD
    assert {post["screenshot"] for post in posts} == {f"urn:fullPage:{post['url']}" for post in posts}
    assert {source["role"] for post in posts for source in post["sources"]} == {"page"}

    export_site(config.archive, tmp_path / "copy")
    pictures = {path.name for path in (tmp_path / "copy/media").iterdir()}
    assert {Path(name).suffix for name in pictures} == {".webp"}
    page = next(p for p in (tmp_path / "copy/2021").glob("*.html") if "How the page looked" in p.read_text("utf-8"))
    assert any(name in page.read_text("utf-8") for name in pictures)


@pytest.mark.parametrize("values", [{"render": "never"}, {"replay": ("kept.warc.gz",)}])
def test_pictures_without_a_browser_are_a_wrong_wish(values: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="--screenshots needs a browser"):
        check(["https://blog.example/"], Config(screenshots=True, **values))  # type: ignore[arg-type]  # mixed values
