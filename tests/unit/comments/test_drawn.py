"""Comments of pages that a browser has drawn: systems that flatten their threads, and frames set into the page."""

from __future__ import annotations

from datetime import UTC, datetime

from blogforever.comments import extract_comments
from blogforever.model import Page

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def card(number: int, name: str, text: str, to: int | None = None, below: str = "") -> str:
    answered = f'<p class="wl-reply-to"><a href="#{to}">@somebody</a><span>: </span></p>' if to else ""
    head = f'<div class="wl-head"><span class="wl-nick">{name}</span><span class="wl-time">3 minutes ago</span></div>'
    said = f'<div class="wl-content">{answered}<div><p>{text}</p></div></div><div class="wl-quote">{below}</div>'
    return f'<div id="{number}" class="wl-card-item"><div class="wl-card">{head}{said}</div></div>'


def read(html: str) -> list[tuple[str | None, str | None, str]]:
    comments = extract_comments(Page("http://blog.test/p", f"<body>{html}".encode(), captured=NOW))
    numbers = {comment.id: comment.native_id for comment in comments}
    return [(comment.native_id, numbers.get(comment.parent or ""), comment.text) for comment in comments]


def test_a_link_names_the_comment_that_is_answered() -> None:
    answers = card(5, "Ann", "To the thread.", 3) + card(6, "Bo", "To the answer.", 5)
    page = card(4, "Cy", "Newest.") + card(3, "Di", "Opens a thread.", below=answers)
    assert read(f'<div class="wl-cards comments">{page}</div>') == [
        ("4", None, "Newest."),
        ("3", None, "Opens a thread."),
        ("5", "3", "To the thread."),
        ("6", "5", "To the answer."),
    ]


def test_a_link_to_what_follows_ties_and_none_to_itself_or_in_a_circle() -> None:
    page = card(7, "Ann", "Names itself.", 7) + card(8, "Bo", "Names the next.", 9) + card(9, "Cy", "Names it back.", 8)
    assert [(number, parent) for number, parent, _text in read(f'<div class="comments">{page}</div>')] == [
        ("7", None),
        ("8", "9"),
        ("9", None),
    ]


def test_a_date_where_the_system_shows_it_is_read_though_nothing_else_names_it() -> None:
    html = f'<div class="comments">{card(1, "Ann", "Just now, more or less.")}</div>'
    (comment,) = extract_comments(Page("http://blog.test/p", html.encode(), captured=NOW))
    assert comment.published
    assert (comment.published.iso, comment.published.raw) == ("2026-03-04T11:57+00:00", "3 minutes ago")


def test_comments_of_a_frame_say_so() -> None:
    one = '<li class="comment" id="comment-{}"><b class="fn">Ann</b><p class="comment-text">Words of one {}.</p></li>'
    own, frame = one.format(1, "here"), one.format(2, "there")
    html = f'<ol class="commentlist">{own}</ol><div data-frame="http://talk.test/">{frame}</div>'
    comments = extract_comments(Page("http://blog.test/p", html.encode()))
    assert [(comment.native_id, comment.sources) for comment in comments] == [("1", ("page",)), ("2", ("frame",))]


def test_a_single_answer_below_a_discussion_is_an_answer() -> None:
    head = '<a class="gsc-comment-author-avatar"><span class="link-primary">{}</span></a><time datetime="{}">x</time>'
    reply = f"""<div class="gsc-reply"><div class="gsc-reply-author">{head.format("bo", "2024-02-03T04:05:06Z")}</div>
      <div class="gsc-reply-content"><p>Answered.</p></div></div>"""
    html = f"""<div class="gsc-comments"><div class="gsc-comment"><div><div class="gsc-comment-header">
      {head.format("ann", "2024-02-01T04:05:06Z")}</div><div class="gsc-comment-content"><p>Said first.</p></div>
      <div class="gsc-replies">{reply}</div></div></div></div>"""
    first, second = extract_comments(Page("http://blog.test/p", html.encode()))
    assert (first.text, second.text, second.parent) == ("Said first.", "Answered.", first.id)
    assert [c.author.name for c in (first, second) if c.author] == ["ann", "bo"]
