"""What a limit of ours leaves unread is said: in the record of a post, and in the statement."""

from __future__ import annotations

import json

import pytest

from blogforever import dom, thinning
from blogforever.comments import loose, marking, proving
from blogforever.comments.paging import MOST_PAGES
from blogforever.crawl.completeness import READ_IN_PART, Completeness, with_cut
from blogforever.discover import feedbytes, sitemap
from blogforever.discover.feed import parse_feed
from blogforever.discover.feedjson import parse_json_feed
from blogforever.discover.sitemap import parse_sitemap
from blogforever.dom import is_read_in_part
from blogforever.extract.post import extract_post
from blogforever.model import Feed, Page
from blogforever.pipeline import announcements, lists, parts
from blogforever.pipeline import threads as threads_of_posts
from blogforever.pipeline.gathering import Extra, Gathered, gathered
from blogforever.pipeline.lists import Lists
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.page import Knowledge, Visit, go_through
from blogforever.pipeline.parts import Parts
from blogforever.pipeline.reading import Reading, read_page
from blogforever.pipeline.record import cut_since
from blogforever.pipeline.threads import Threads
from blogforever.protocols import Ask, Ref
from blogforever.records import ExtraRecord, json_line, read_post

URL = "https://b.example/2020/a-post/"
FRAME = "<html><head><title>A post</title></head><body><article><h1>A post</h1>{}</article></body></html>"
READING = Reading(None, extract_post, gathered)
SAID = "Nobody in the harbour saw how the lantern hung from the old ferry all night long."


def page(body: str, url: str = URL) -> Page:
    return Page(url, FRAME.format(body).encode(), {"content-type": "text/html; charset=utf-8"})


def test_a_page_with_more_mark_up_than_is_read_says_so_in_its_record() -> None:
    many = "".join(f"<p>{SAID} {number}</p>" for number in range(thinning.MAX_TAGS // 2 + 100))
    record = read_page(page(many), READING).record
    assert record.extra.cut == ("page",)
    assert read_post(json_line(record)).extra.cut == ("page",)
    assert str(thinning.MAX_TAGS // 2 + 99) not in record.text


def test_a_page_that_is_longer_than_is_read_says_so_in_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dom, "MAX_CHARS", 20_000)
    assert read_page(page(f"<p>{SAID}</p>" * 400), READING).record.extra.cut == ("page",)


def test_an_ordinary_page_says_nothing() -> None:
    record = read_page(page(f"<p>{SAID}</p>" * 40), READING).record
    assert record.extra.cut == ()
    assert '"cut"' not in json_line(record)


@pytest.mark.parametrize("tags", [10, thinning.FEWEST_CUT, thinning.MAX_TAGS // 4])
def test_many_tags_that_are_all_read_are_no_cut(tags: int) -> None:
    assert not is_read_in_part(b"<p>word</p>" * tags)


def test_formatting_that_is_never_closed_is_cut_and_said() -> None:
    hostile = ("<b><i><u><em><code>" * 10 + "<div>word</div>" * 9_000).encode()
    html = hostile.decode()
    thinner = thinning._Thinner(html)
    assert len(thinner.run()) < len(html)
    assert is_read_in_part(hostile) == thinner.is_cut


def test_the_statement_says_how_many_posts_were_read_in_part() -> None:
    told = with_cut(Completeness(bounds=("the API repeats itself",)), [("page",), (), ("page", "comments")])
    pages, comments = READ_IN_PART["page"], READ_IN_PART["comments"]
    assert told.bounds == ("the API repeats itself", f"2 posts{pages}", f"1 post{comments}")
    assert with_cut(told, [("page",)]).bounds[1:] == (f"1 post{pages}",)
    assert with_cut(told, []).bounds == ("the API repeats itself",)


def feed_of(entries: int) -> bytes:
    items = "".join(f"<item><title>T {n}</title><link>https://b.example/{n}/</link></item>" for n in range(entries))
    return f"<rss version='2.0'><channel><title>B</title>{items}</channel></rss>".encode()


def test_a_feed_of_which_the_rest_is_left_is_told_in_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedbytes, "MOST_ENTRIES", 300)
    offers = Offers()
    offers.read(Page("https://b.example/feed", feed_of(500), {}), Ask("https://b.example/feed", "feed"))
    assert [bound for bound in offers.bounds if "https://b.example/feed" in bound and "the rest is left" in bound]
    assert not [problem for problem in parse_feed(feed_of(3), "").problems if "left" in problem]


def test_a_json_feed_of_which_the_rest_is_left_says_so() -> None:
    items = [{"id": str(n), "url": f"https://b.example/{n}/"} for n in range(5)]
    text = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "B", "items": items})
    assert parse_json_feed(text, "https://b.example/f", 3).problems == ("more entries than are read: the rest is left",)
    assert parse_json_feed(text, "https://b.example/f", 5).problems == ()


def sitemap_of(urls: int) -> bytes:
    named = "".join(f"<url><loc>https://b.example/{n}/</loc></url>" for n in range(urls))
    return f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{named}</urlset>".encode()


def lines_of(urls: int) -> bytes:
    return "\n".join(f"https://b.example/{n}/" for n in range(urls)).encode()


@pytest.mark.parametrize("form", ["xml", "lines"])
def test_a_sitemap_that_names_more_than_is_read_says_so(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MOST_URLS", 10)
    made = sitemap_of if form == "xml" else lines_of
    cut, whole = (parse_sitemap(made(number), "https://b.example/s") for number in (11, 10))
    assert (cut.cut, len(cut.urls)) == (True, 10)
    assert (whole.cut, len(whole.urls)) == (False, 10)


def test_a_sitemap_that_is_longer_than_is_read_is_told_in_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MOST_URLS", 10)
    offers = Offers()
    offers.read(Page("https://b.example/s", sitemap_of(11), {}), Ask("https://b.example/s", "sitemap"))
    assert "the sitemap https://b.example/s names more, or is longer, than is read" in offers.bounds


def test_a_sitemap_that_breaks_off_is_told_in_the_statement() -> None:
    offers = Offers()
    offers.read(Page("https://b.example/s", sitemap_of(11)[:-40], {}), Ask("https://b.example/s", "sitemap"))
    assert "the sitemap https://b.example/s breaks off before its end" in offers.bounds


def test_more_addresses_than_are_remembered_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "MOST_ENTRIES", 5)
    offers = Offers()
    offers.read(Page("https://b.example/s", sitemap_of(9), {}), Ask("https://b.example/s", "sitemap"))
    assert offers.bounds.count("the sitemaps name more than 5 addresses") == 1


def test_a_list_with_more_links_than_are_remembered_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LINKS", 3)
    known = Lists()
    known.note("https://b.example/", [f"https://b.example/{n}/" for n in range(3)], [])
    assert not known.full
    known.note("https://b.example/archive/", ["https://b.example/9/"], [])
    assert known.full


def test_a_post_with_more_further_pages_than_are_asked_for_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_PARTS", 2)
    known = Parts()
    known.note(URL, [f"{URL}{n}/" for n in (2, 3)])
    assert not known.full
    known.note(URL, [f"{URL}{n}/" for n in (2, 3, 4)])
    assert known.full == {URL}


def thread(
    comments: int, made: str = '<li class="comment" id="comment-{n}"><b>Ann</b> 4 May 2013 <p>{said} {n}</p></li>'
) -> str:
    items = "".join(made.format(n=n, said=SAID) for n in range(1, comments + 1))
    return f"<p>{SAID}</p></article><h3>{comments} comments</h3><ol class='commentlist'>{items}</ol><article>"


def test_a_page_with_more_comments_than_are_read_says_so_in_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "MOST_ITEMS", 6)
    record = read_page(page(thread(9)), READING).record
    assert record.extra.cut == ("comments",)
    assert 0 < len(record.comments) < 9
    assert read_page(page(thread(6)), READING).record.extra.cut == ()


def test_comments_that_only_link_to_themselves_are_read_far_down_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    made = '<{box}><div id="note-{n}"><p>4 May 2013 <a href="#note-{n}">#</a></p><p>{said} {n}</p></div></{box}>'
    items = "".join(made.format(n=n, said=SAID, box=("div", "section")[n % 2]) for n in range(1, 5))
    below = f"</article><h3>Comments</h3>{items}<p>{SAID}</p><article>"
    record = read_page(page(f"<p title='x'>{SAID}</p>" * 20_000 + below), READING).record
    assert (len(record.comments), record.extra.cut) == (4, ())
    monkeypatch.setattr(proving, "MOST_NUMBERED", 2)
    record = read_page(page(f"<p>{SAID}</p>{below}"), READING).record
    assert (len(record.comments), record.extra.cut) == (2, ("comments",))


def test_loose_comments_that_go_on_longer_than_is_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "".join(f"{SAID} {n}<br><b>Ann</b> on 4 May 2013<hr>" for n in range(1, 20))
    monkeypatch.setattr(loose, "MOST_NODES", 40)
    old = f"<p>{SAID}</p></article><h3>Comments</h3>{said}<article>"
    record = read_page(page(old), READING).record
    assert record.extra.cut == ("comments",)
    assert 0 < len(record.comments) < 19


def test_a_comment_feed_or_page_that_is_read_in_part_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedbytes, "MOST_ENTRIES", 300)
    feed = Page(f"{URL}feed/", feed_of(500), {})
    others = [(Extra("feed", feed.url, Ref("", 0)), feed)]
    assert read_page(page(f"<p>{SAID}</p>"), READING, others=others).record.extra.cut == ("comments",)
    monkeypatch.setattr(dom, "MAX_CHARS", 3_000)
    second = page(thread(60), f"{URL}comment-page-2/")
    others = [(Extra("page", second.url, Ref("", 0)), second)]
    assert read_page(page(f"<p>{SAID}</p>"), READING, others=others).record.extra.cut == ("comments",)


def test_what_was_cut_is_said_again_by_each_reading_and_what_only_the_crawl_knows_stays() -> None:
    old, new = ExtraRecord(cut=("page", "comments", "comment pages")), ExtraRecord()
    assert cut_since(old, new) == ("comment pages",)
    assert cut_since(old, new, reads_comments=False) == ("comments", "comment pages")
    assert cut_since(new, old) == old.cut


def test_the_record_says_that_pages_of_comments_were_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_of_posts, "MOST_PAGES", 2)
    links = "".join(f'<a href="{URL}comment-page-{n}/">{n}</a>' for n in range(1, 5))
    visit = Visit(page(f"<p>{SAID}</p>" * 9 + links), None)
    go_through(visit, Knowledge("b", extract_post, lambda _ref: page("")))
    assert visit.record is not None
    assert visit.record.extra.cut == ("comment pages",)


def test_lists_of_all_comments_that_go_on_are_told_in_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_of_posts, "MOST_LIST_PAGES", 1)
    threads = Threads()
    feed = Feed("https://b.example/c", "json", next_url="https://b.example/c?page=2")
    threads._listed(feed, Extra("api", feed.url, Ref("", 0)))
    assert threads.bounds() == ["the lists of the blog's comments have more than 1 pages: the rest was not read"]
    assert Threads().bounds() == []


def test_a_post_with_more_pages_of_comments_than_are_asked_for_is_known() -> None:
    threads = Threads()
    links = [f"{URL}comment-page-{n}/" for n in range(1, MOST_PAGES + 2)]
    threads.note(page("<p>x</p>"), links[:-1], None, Gathered((), None))
    assert not threads.full
    threads.note(page("<p>x</p>"), links, None, Gathered((), None))
    assert threads.full == {URL}
