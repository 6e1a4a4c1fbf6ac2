"""Posts that lie on one page and are told apart by what stands after #: what is known of them before their pages."""

from __future__ import annotations

from pathlib import Path

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from blogforever.model import Entry, Feed
from blogforever.pipeline.entries import shared_pages, with_marks
from blogforever.records import PostRecord, read_record
from server.blogserver import Reply, story
from server.savedblog import BASE, saved

MONTHS = ("03", "04", "05")


def month(number: str) -> str:
    """A page with two posts."""
    n = int(number)
    posts = "".join(
        f'<h3><a class="p{n}{part}">Tale {n}{part}</a></h3>{"".join(f"<p>{line}</p>" for line in story(10 * n + i))}'
        for i, part in enumerate("ab")
    )
    return f"<html><head><title>Month {number}</title></head><body><h1>Log</h1><div>{posts}</div></body></html>"


def feed() -> str:
    items = "".join(
        f"<item><title>Tale {int(n)}{part}</title><link>{BASE}/2020/{n}.html#p{int(n)}{part}</link>"
        f"<description>{story(10 * int(n) + i)[0]}</description></item>"
        for n in MONTHS
        for i, part in enumerate("ab")
    )
    return f"<?xml version='1.0'?><rss version='2.0'><channel><link>{BASE}/</link>{items}</channel></rss>"


def test_pages_are_shared_where_several_entries_name_them_by_different_marks() -> None:
    def entry(url: str, mark: str) -> Entry:
        return Entry(f"http://b.example/{url}", extra={"fragment": mark} if mark else {})

    entries = [entry("a", "p1"), entry("a", "p2"), entry("b", "top"), entry("c", ""), entry("c", "x"), entry("d", "x")]
    assert shared_pages(entries) == {"b.example/a": 2}


def test_entries_keep_their_marks_where_some_share_a_page() -> None:
    def urls(*given: str, shares: bool = False) -> list[str]:
        entries = []
        for url in given:
            address, _, mark = url.partition("#")
            entries.append(Entry(f"http://b.example/{address}", extra={"fragment": mark} if mark else {}))
        feed = with_marks(Feed("http://b.example/rss", "rss", entries=tuple(entries)), shares)
        return [entry.url.removeprefix("http://b.example/") for entry in feed.entries]

    assert urls("a#1", "a#2", "b#3") == ["a#1", "a#2", "b#3"]
    assert urls("a#1", "a#2", "b", "c", "d#top", "e") == ["a#1", "a#2", "b", "c", "d", "e"]
    assert urls("a#more", "b#more", "c") == ["a", "b", "c"]
    assert urls("a#1", "b#2", "c", shares=True) == ["a#1", "b#2", "c"]


def test_where_pages_do_not_show_marks_no_post_gets_the_text_of_another(
    tmp_path: Path,
) -> None:
    links = "".join(f'<a href="/2020/{n}.html">{n}</a>' for n in MONTHS)
    home = (
        f'<html><head><link rel=alternate type="application/rss+xml" href=/rss.xml></head><body>{links}</body></html>'
    )
    replies = {"/": Reply(home.encode()), "/rss.xml": Reply(feed().encode(), headers={"Content-Type": "text/xml"})}
    replies |= {f"/2020/{n}.html": Reply(month(n).encode()) for n in MONTHS}
    config = Config(archive=tmp_path / "a", replay=(str(saved(tmp_path / "blog.warc.gz", replies)),))
    report = crawl_blog(BASE, config)
    records = [record for line in write_run(config, report.run) if isinstance(record := read_record(line), PostRecord)]
    for n, record in zip(MONTHS, sorted(records, key=lambda record: record.url), strict=True):
        assert f"Tale {int(n)}" not in (record.title or "")
        assert all(story(10 * int(n) + i)[0] in record.text for i in range(2))
    assert not report.completeness.complete
    assert any("6 posts lie on 3 pages that they share" in line for line in report.completeness.sentences())


def day(number: int) -> str:
    """A page with two posts of a day, each signed, and with a place of its own."""
    posts = "".join(
        f'<div class="item"><a name="a{part}"></a><h3>Tale {number}{part}</h3>'
        + "".join(f"<p>{line}</p>" for line in story(10 * number + part))
        + f'<p class="foot">posted by {("Ada Quill", "Ben Oak")[part % 2]} <a href="#a{part}">#</a></p></div>'
        for part in (1, 2)
    )
    heading = f'<h2 class="date">May {number}, 2004</h2>'
    return f"<html><head><title>Log of the day</title></head><body><h1>Log</h1>{heading}{posts}</body></html>"


def test_pages_of_two_posts_each_show_together_that_posts_share_them_and_teach_who_wrote_them(tmp_path: Path) -> None:
    links = "".join(f'<li><a href="/2004/05/{n:02}.html">May {n}</a></li>' for n in range(1, 9))
    replies = {"/": Reply(f"<html><head><title>Log</title></head><body><ul>{links}</ul></body></html>".encode())}
    replies |= {f"/2004/05/{n:02}.html": Reply(day(n).encode()) for n in range(1, 9)}
    config = Config(archive=tmp_path / "a", replay=(str(saved(tmp_path / "blog.warc.gz", replies)),))
    report = crawl_blog(BASE, config)
    records = [record for line in write_run(config, report.run) if isinstance(record := read_record(line), PostRecord)]
    found = {
        record.title: (record.text, [author.name for author in record.authors], record.published) for record in records
    }
    assert found == {
        f"Tale {n}{part}": (
            "\n\n".join(story(10 * n + part)),
            [("Ada Quill", "Ben Oak")[part % 2]],
            f"2004-05-{n:02}",
        )
        for n in range(1, 9)
        for part in (1, 2)
    }
