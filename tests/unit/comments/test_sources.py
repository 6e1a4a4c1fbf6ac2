"""Comments out of feeds and of the API: who answers whom, where they lie, what a password hides."""

from __future__ import annotations

import json

from blogforever.comments import feed_comments
from blogforever.discover.feed import parse_feed
from blogforever.discover.feedlinks import post_comment_feed, usual_comment_feed
from blogforever.discover.wpcomments import comments_url, parse_api_comments
from blogforever.model import Author, Feed, Page, Post

URL = "https://blog.example/kites/"
API = "https://blog.example/wp-json/wp/v2/comments?per_page=100&page=1"


def rss(*items: tuple[int, str]) -> Feed:
    entries = "".join(
        f"<item><title>By: Reader {n}</title><link>{URL}comment-page-2/#comment-{n}</link>"
        f"<pubDate>Mon, {n:02} Apr 2013 10:00:00 +0000</pubDate><guid>{URL}#comment-{n}</guid>"
        f"<description><![CDATA[{html}]]></description></item>"
        for n, html in items
    )
    return parse_feed(
        f"<rss version='2.0'><channel><title>Comments</title>{entries}</channel></rss>".encode(), f"{URL}feed/"
    )


def test_the_line_that_names_the_answered_comment_is_a_parent_and_no_text() -> None:
    line = f'<p>Als Antwort auf <a href="{URL}comment-page-1/#comment-3">Ann</a>.</p>'
    first, second = feed_comments(rss((3, "<p>One</p>"), (4, f"{line}\n<p>Two</p>")), Post(URL))
    assert (second.parent, second.text) == (first.id, "Two")


def test_a_paragraph_that_goes_on_after_its_link_is_text() -> None:
    line = f'<p>I read <a href="{URL}#comment-3">this</a> twice.</p>'
    (comment,) = feed_comments(rss((4, line)), Post(URL))
    assert (comment.parent, comment.text) == (None, "I read this twice.")


def test_a_blog_wide_feed_knows_the_post_by_its_comment_page() -> None:
    assert len(feed_comments(rss((3, "<p>One</p>")), Post(URL), whole_blog=True)) == 1


def test_behind_a_password_only_who_and_when_is_known() -> None:
    form = '<p>Protected.</p><form><input name="post_password" id="pw" type="password" size="20"></form>'
    (comment,) = feed_comments(rss((3, form)), Post(URL))
    assert (comment.text, comment.html, comment.author, comment.native_id) == ("", "", Author("Reader 3"), "3")
    assert comment.published is not None


def test_blogger_names_the_answered_comment_by_a_related_link() -> None:
    def entry(number: int, related: str = "") -> str:
        return (
            f"<entry><id>tag:blogger.com,1999:blog-1.post-{number}</id><published>2020-01-0{number}T03:04:05Z</published>"
            f"<title>t</title><content type='html'>Text {number}</content>{related}<author><name>Ann</name></author>"
            f"<link rel='alternate' href='https://x.example/2020/01/a.html?showComment=1{number}#c{number}'/>"
            "<thr:in-reply-to href='https://x.example/2020/01/a.html' ref='tag:blogger.com,1999:blog-1.post-5'/>"
            "</entry>"
        )

    related = "<link rel='related' href='https://x.example/feeds/5/comments/default/3'/>"
    head = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:thr='http://purl.org/syndication/thread/1.0'>"
    feed = parse_feed(
        f"{head}{entry(3)}{entry(4, related)}</feed>".encode(), "https://x.example/feeds/comments/default"
    )
    first, second = feed_comments(feed, Post("https://x.example/2020/01/a.html"), whole_blog=True)
    assert (first.native_id, second.native_id, second.parent) == ("3", "4", first.id)


def listed(items: object, pages: int | None = None, url: str = API) -> Feed | None:
    headers = {"x-wp-totalpages": str(pages)} if pages else {}
    return parse_api_comments(Page(url, json.dumps(items).encode(), headers))


def api_item(number: int, **more: object) -> dict[str, object]:
    link = f"{URL}comment-page-1/#comment-{number}"
    values = {"id": number, "parent": 0, "author_name": "Ann", "link": link, "date": "2013-04-02T10:00:00"}
    return values | {"content": {"rendered": f"<p>Text {number}</p>"}, "type": "comment"} | more


def test_comments_of_the_api_have_parents_kinds_and_pictures() -> None:
    pictures = {"24": "https://a.example/24", "96": "https://a.example/96"}
    feed = listed([api_item(3, author_avatar_urls=pictures), api_item(4, parent=3, type="trackback")], 1)
    assert feed is not None
    first, second = feed_comments(feed, Post(URL), whole_blog=True, source="api")
    assert (first.native_id, first.avatar, first.kind, first.sources) == (
        "3",
        "https://a.example/96",
        "comment",
        ("api",),
    )
    assert (second.parent, second.kind, second.text) == (first.id, "trackback", "Text 4")
    assert first.url == f"{URL}comment-page-1/#comment-3"


def test_pages_of_the_api_follow_each_other_while_there_are_some() -> None:
    first, last = listed([api_item(3)], 2), listed([api_item(3)], 2, API.replace("&page=1", "&page=2"))
    assert [feed.next_url for feed in (first, last) if feed] == [API.replace("&page=1", "&page=2"), None]


def test_other_answers_are_no_list_of_comments() -> None:
    assert listed({"code": "rest_forbidden"}) is None
    assert listed(["x"]) is None


def test_where_the_lists_lie() -> None:
    pretty = comments_url("https://blog.example/wp-json/wp/v2/posts?per_page=100&page=1&_embed=author")
    plain = comments_url("https://blog.example/?rest_route=/wp/v2/posts&per_page=100")
    assert str(pretty).startswith("https://blog.example/wp-json/wp/v2/comments?per_page=100&page=1")
    assert str(plain).startswith("https://blog.example/?rest_route=/wp/v2/comments&per_page=100")
    assert comments_url("https://blog.example/feed.json") is None
    blogger = Feed("https://x.example/feeds/posts/default", "atom", generator="Blogger")
    wordpress = Feed("https://x.example/blog/feed/", "rss", link="https://x.example/blog/", generator="WordPress 6")
    assert usual_comment_feed("", blogger) == "https://x.example/feeds/comments/default"
    assert usual_comment_feed("", wordpress) == "https://x.example/blog/comments/feed/"
    assert usual_comment_feed("", Feed("https://x.example/index.xml", "rss", generator="Hugo")) is None


def test_the_comment_feed_of_a_post_is_the_one_it_names_or_where_wordpress_keeps_it() -> None:
    def page(html: str) -> Page:
        return Page(URL, f"<html><head>{html}</head></html>".encode())

    link = '<link rel="alternate" type="application/rss+xml" title="Tales » {} Comments Feed" href="{}">'
    blog_wide = link.format("", "/comments/feed/")
    assert post_comment_feed(page(blog_wide + link.format("Kites", f"{URL}feed/"))) == f"{URL}feed/"
    blogger = post_comment_feed(page(link.format("Kites", "/feeds/77/comments/default")))
    assert blogger == "https://blog.example/feeds/77/comments/default"
    assert post_comment_feed(page(blog_wide + '<script src="/wp-content/x.js"></script>')) == f"{URL}feed/"
    assert post_comment_feed(page(blog_wide)) is None
