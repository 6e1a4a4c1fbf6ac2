"""The whole history of a blog, and a true word about it: each source alone, all of them together, none of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.surveying import survey_blog
from blogforever.config import Config
from server.blogserver import Site, day, serve_answers, story
from server.wpblog import TRAPS, Blog, answers


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return Config(**(values | more))


def crawl(blog: Blog, folder: Path, address: str = "", **more: Any) -> tuple[CrawlReport, list[dict[str, Any]], Site]:
    config = settings(folder / "a", **more)
    with serve_answers(answers(blog)) as site:
        report = crawl_blog(f"{site.base}{blog.folder}{address or '/'}", config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    return report, records, site


def posts(blog: Blog, records: list[dict[str, Any]], site: Site) -> set[int]:
    paths = {site.base + blog.path(n): n for n in range(blog.posts)}
    return {paths[record["url"]] for record in records if record["type"] == "post"}


def assert_all_announced_is_there(report: CrawlReport) -> None:
    """Where the feed names only the last posts, nobody can say that this is all."""
    assert not report.completeness.complete
    assert report.completeness.sentences()[-1].startswith("Every announced post was captured, but nothing lists all")


ALONE = [Blog(linked=False, paged=True), Blog(linked=False, feed=False, api=True), Blog(linked=False, sitemap=True)]


@pytest.mark.parametrize("blog", ALONE, ids=["feed pages", "API", "sitemap"])
def test_each_source_alone_tells_of_posts_that_nothing_links_to(blog: Blog, tmp_path: Path) -> None:
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(blog.posts))
    assert report.completeness.complete
    assert report.completeness.announced == blog.posts


def test_the_statement_names_every_source_and_is_kept_in_the_blog_record(tmp_path: Path) -> None:
    blog = Blog(api=True, sitemap=True, paged=True)
    report, records, site = crawl(blog, tmp_path)
    kept = next(record for record in records if record["type"] == "blog")["completeness"]
    told = {source["source"]: (source["announced"], source["captured"]) for source in kept["sources"]}
    assert told == {"feed": (5, 5), "API": (35, 35), "sitemap": (35, 35), "archive pages": (35, 35)}
    assert kept["complete"]
    assert "Complete: every post that is announced was captured." in report.completeness.sentences()
    assert not any("paged=" in path for path in site.asked), "the API has told all, the feed need not be paged"


def test_the_api_teaches_authors_and_tags_the_feed_leaves_out(tmp_path: Path) -> None:
    _, records, _ = crawl(Blog(api=True), tmp_path)
    post = next(record for record in records if record["type"] == "post")
    assert [author["name"] for author in post["authors"]] == ["Bo Reed"]
    assert post["tags"] == ["ferry"]


def test_missing_posts_are_named_with_their_reasons(tmp_path: Path) -> None:
    robots = "User-agent: *\nDisallow: /2015/\n"
    blog = Blog(sitemap=True, gone=frozenset({3}), robots=robots)
    report, _, site = crawl(blog, tmp_path)
    missing = report.completeness.missing
    assert missing[site.base + blog.path(3)] == "status 404"
    assert missing[site.base + blog.path(7)] == "blocked by robots.txt"
    assert not report.completeness.complete
    assert len(missing) == 1 + sum(n % 7 == 0 for n in range(blog.posts))


def test_what_the_page_limit_cut_off_is_missing_for_that_reason(tmp_path: Path) -> None:
    report, _, _ = crawl(Blog(sitemap=True), tmp_path, max_pages=30)
    assert report.stopped == "the limit of 30 pages"
    assert set(report.completeness.missing.values()) == {"the limit of 30 pages"}


def test_a_feed_that_breaks_off_is_no_complete_history(tmp_path: Path) -> None:
    report, _, _ = crawl(Blog(paged=True, broken_feed_page=3), tmp_path)
    assert not report.completeness.complete
    assert "older pages could not be read to the end (status 503)" in " ".join(report.completeness.sentences())


def test_no_feed_is_no_dead_end(tmp_path: Path) -> None:
    blog = Blog(feed=False)
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(blog.posts))
    assert report.feed is None
    assert not report.completeness.complete, "nobody announces anything, so nobody can say that it is complete"
    assert "nobody can say whether these are all" in report.completeness.sentences()[-1]


def told_by(report: CrawlReport, source: str) -> tuple[int, int]:
    return next((s.announced, s.captured) for s in report.completeness.sources if s.name == source)


def test_archive_pages_nobody_links_to_are_found_above_the_posts_of_the_feed(tmp_path: Path) -> None:
    blog = Blog(linked=False, years=True)
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(blog.posts))
    assert told_by(report, "archive pages") == (blog.posts, blog.posts)
    assert_all_announced_is_there(report)


def test_a_blog_without_archive_pages_is_asked_for_a_few_only(tmp_path: Path) -> None:
    _, _, site = crawl(Blog(), tmp_path)
    guessed = [path for path in site.asked if path in ("/archive/", "/archives/") or path[1:-1].isdigit()]
    assert 0 < len(guessed) < 12
    _, _, told = crawl(Blog(sitemap=True), tmp_path / "told")
    assert "/archives/" not in told.asked, "the sitemap has told the history"


def test_a_post_the_archive_pages_list_and_nobody_can_have_is_missing(tmp_path: Path) -> None:
    blog = Blog(gone=frozenset({3}))
    report, _, site = crawl(blog, tmp_path)
    assert report.completeness.missing == {site.base + blog.path(3): "status 404"}
    assert told_by(report, "archive pages") == (35, 34)


def test_a_list_that_cannot_be_read_is_told_unless_the_history_is_known_otherwise(tmp_path: Path) -> None:
    report, _, site = crawl(Blog(broken_list=3), tmp_path)
    assert not report.completeness.complete
    assert report.completeness.bounds == (f"the list {site.base}/page/3/ could not be read (status 500)",)
    report, _, _ = crawl(Blog(broken_list=3, sitemap=True), tmp_path / "told")
    assert report.completeness.complete


def test_a_post_of_the_feed_that_leads_to_the_home_page_is_missing_and_the_home_page_no_post(tmp_path: Path) -> None:
    blog = Blog(moved_home=frozenset({33}))
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(35)) - {33}
    assert report.completeness.missing == {site.base + blog.path(33): "leads to the home page"}


def test_archive_pages_come_before_pages_beside_the_blog(tmp_path: Path) -> None:
    _, _, site = crawl(Blog(beside=150), tmp_path)
    wiki = [n for n, path in enumerate(site.asked) if path.startswith("/wiki/")]
    assert len(wiki) == 150
    assert sum(n < site.asked.index("/page/7/") for n in wiki) < 40


ADDRESSES = ["/2016/02/tale-1/", "/feed/", "/comments/feed/", "/page/2/", "/about/", "/2016/02/tale-1/#comment-7"]


@pytest.mark.parametrize("folder", ["", "/blog"])
@pytest.mark.parametrize("address", [*ADDRESSES, "/2016/02/tale-1/?replytocom=7#respond"])
def test_any_address_of_the_blog_leads_to_its_home(folder: str, address: str, tmp_path: Path) -> None:
    blog = Blog(folder=folder, posts=12)
    report, records, site = crawl(blog, tmp_path, address)
    if address == "/about/":
        assert posts(blog, records, site) == set(range(12))
        return
    assert report.url == f"{site.base}{folder}/"
    assert posts(blog, records, site) == set(range(12))
    home = next(record for record in records if record["type"] == "blog")
    assert home["feeds"][0] == f"{site.base}{folder}/feed/"
    assert home["comment_feeds"] == [f"{site.base}{folder}/comments/feed/"]
    assert (home["platform"], home["platform_version"], home["language"]) == ("WordPress", "6.5", "en")
    assert home["charset"] == "utf-8"
    assert home["rights"] == f"{site.base}/licence/"


@pytest.mark.parametrize("by_query", [False, True])
def test_a_long_post_is_one_record_with_all_its_pages_in_order(by_query: bool, tmp_path: Path) -> None:
    blog = Blog(posts=28, long=frozenset({2, 26}), by_query=by_query)
    _, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(28))
    for number in blog.long:
        record = next(r for r in records if r["type"] == "post" and r["url"] == site.base + blog.path(number))
        assert record["text"].split() == " ".join(story(number)).split()
        assert [source["role"] for source in record["sources"]][:3] == ["page"] * 3
        assert not any("tale" in link["url"] for link in record["links"])


def test_a_post_behind_a_password_is_kept_without_a_text(tmp_path: Path) -> None:
    blog = Blog(posts=28, locked=frozenset({2, 26}))
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(28))
    assert_all_announced_is_there(report)
    for number in blog.locked:
        record = next(r for r in records if r["type"] == "post" and r["url"] == site.base + blog.path(number))
        assert (record["title"], record["published"][:10]) == (f"Tale {number}", day(number))
        assert (record["text"], record["html"], record["summary"]) == ("", "", None)
        assert record["extra"]["visibility"] == "password"
    assert not any("password" in (r["text"] or "") for r in records if r["type"] == "post")


@pytest.mark.parametrize(
    ("authors", "found"), [(("Bo Reed",), ["Bo Reed"]), (("Bo Reed", "Cy Moss"), []), (("Bo Reed", "Di Moss"), [])]
)
def test_posts_without_a_by_line_are_by_the_only_one_who_writes_here(
    authors: tuple[str, ...], found: list[str], tmp_path: Path
) -> None:
    blog = Blog(posts=16, in_feed=2, nameless=frozenset({3, 4}), authors=authors)
    _, records, site = crawl(blog, tmp_path)
    for number in blog.nameless:
        record = next(r for r in records if r["type"] == "post" and r["url"] == site.base + blog.path(number))
        assert [author["name"] for author in record["authors"]] == found


def test_a_dry_run_tells_what_it_would_take_and_fetches_no_post(tmp_path: Path) -> None:
    with serve_answers(answers(Blog(api=True, posts=60))) as site:
        estimate = survey_blog(site.base, settings(tmp_path / "a", delay=0.0))
        assert not any("tale" in path for path in site.asked)
    assert estimate.posts == 60
    assert not estimate.at_least
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("trap", sorted(TRAPS))
def test_traps_are_bounded_and_cost_no_post(trap: str, tmp_path: Path) -> None:
    blog = Blog(traps=(trap,), posts=20)
    report, records, site = crawl(blog, tmp_path)
    assert posts(blog, records, site) == set(range(20))
    assert len(site.asked) < 250
    assert_all_announced_is_there(report)
    if trap == "session":
        assert sum("visit=" in path for path in site.asked) < 20, "the parameter proves inert after a few pages"
    else:
        assert report.completeness.traps


def test_breadth_first_finds_the_same_posts(tmp_path: Path) -> None:
    blog = Blog()
    _, records, site = crawl(blog, tmp_path, frontier="bfs")
    assert posts(blog, records, site) == set(range(blog.posts))
