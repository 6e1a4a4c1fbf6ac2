"""Comment pages, comment feeds and the page itself as one list."""

from __future__ import annotations

from blogforever.comments import comment_pages, feed_comments, merge_comments
from blogforever.model import Author, Comment, Entry, Feed, Moment, Post

URL = "https://blog.example/kites/"


def _comment(n: int, text: str = "", *, native: bool = True, **more: object) -> Comment:
    made = Comment(
        id=f"c{n}",
        text=text or f"Words of comment {n}",
        native_id=str(n) if native else None,
        author=Author(f"Reader {n}"),
        published=Moment(f"2013-04-{n:02}", "day", raw=f"April {n}"),
    )
    return Comment(**({name: getattr(made, name) for name in Comment.__slots__} | more))


def test_pages_come_in_the_order_of_the_thread() -> None:
    last, first = [_comment(3), _comment(4)], [_comment(1), _comment(2), _comment(3)]
    merged = merge_comments([last, first])
    assert [c.native_id for c in merged] == ["1", "2", "3", "4"]
    assert [c.position for c in merged] == [0, 1, 2, 3]


def test_a_feed_adds_what_the_page_lacks_and_names_itself() -> None:
    told = _comment(1, published=Moment("2013-04-01T08:30:00+02:00", "second"), sources=("feed",))
    only = _comment(9, sources=("feed",))
    merged = merge_comments([[_comment(1), _comment(2)]], [[told, only]])
    assert [(c.native_id, c.sources) for c in merged] == [
        ("1", ("page", "feed")),
        ("2", ("page",)),
        ("9", ("feed",)),
    ]
    assert merged[0].published == Moment("2013-04-01T08:30:00+02:00", "second", raw="April 1")


def test_the_same_words_of_one_author_twice_stay_two() -> None:
    twice = [_comment(1, "Me too", native=False), _comment(1, "Me too", native=False, id="c1b")]
    assert len(merge_comments([twice], [twice])) == 2


def test_without_numbers_author_and_words_tell() -> None:
    page, feed = _comment(1, native=False), _comment(1, id="other", sources=("feed",))
    (merged,) = merge_comments([[page]], [[feed]])
    assert (merged.id, merged.native_id, merged.sources) == ("c1", "1", ("page", "feed"))


def test_parents_follow_the_comment_that_was_kept() -> None:
    answer = _comment(2, native=False, parent="other")
    merged = merge_comments([[_comment(1, native=False)], [_comment(1, native=False, id="other"), answer]])
    assert [(c.id, c.parent) for c in merged] == [("c1", None), ("c2", "c1")]


def test_comment_pages_of_this_post_only() -> None:
    links = [
        "https://blog.example/kites/comment-page-2/",
        "https://blog.example/kites/comment-page-2/?replytocom=7",
        "https://blog.example/kites/?cpage=3",
        "https://blog.example/other/comment-page-2/",
        "https://blog.example/kites/",
    ]
    assert comment_pages(links, URL) == [
        "https://blog.example/kites/comment-page-2/",
        "https://blog.example/kites/?cpage=3",
    ]


def test_comments_of_a_feed_are_those_of_the_post() -> None:
    def entry(url: str, n: int, title: str) -> Entry:
        day = Moment(f"2013-04-{n:02}T10:00:00+00:00", "second")
        return Entry(url, guid=f"{url}?p=1#comment-{n}", title=title, published=day, html=f"<p>Text {n}</p>")

    feed = Feed(
        "https://blog.example/comments/feed/",
        "rss",
        entries=(entry(URL, 3, "By: Ann Poe"), entry("https://blog.example/x/", 2, "By: Cy"), entry(URL, 1, "By: Bo")),
    )
    found = feed_comments(feed, Post(URL), whole_blog=True)
    assert [(c.native_id, c.author, c.text) for c in found] == [
        ("1", Author("Bo"), "Text 1"),
        ("3", Author("Ann Poe"), "Text 3"),
    ]
    assert {c.sources for c in found} == {("feed",)}
