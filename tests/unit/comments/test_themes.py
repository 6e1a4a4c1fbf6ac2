"""Every made-up theme in every language: all comments with name, day and text, and none where there is none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from blogforever.comments import extract_comments
from blogforever.model import Comment, Moment, Page, Post
from server.commentthemes import MARGINS, THEMES, TONGUES, Said, comments, page

URL = "https://ferry.example/lantern/"
POST = Post(URL, published=Moment("2013-03-01", "day"))
UNDATED = {"undated fallback list", "names that say"}


def found(html: bytes) -> tuple[Comment, ...]:
    return extract_comments(Page(URL, html, {}, datetime(2014, 1, 1, tzinfo=UTC)), POST)


@pytest.mark.parametrize("margins", ["", "".join(MARGINS)], ids=["alone", "among widgets"])
@pytest.mark.parametrize("name", THEMES)
def test_every_theme_is_read_in_every_language(name: str, margins: str) -> None:
    for language, tongue in TONGUES.items():
        for number in (1, 2, 5):
            said = comments(number)
            got = found(page(THEMES[name], tongue, said, margins))
            assert [seen(comment, name) for comment in got] == [told(each, name) for each in said], (language, number)


def seen(comment: Comment, theme: str) -> tuple[str, str | None, object]:
    day = comment.published.day if comment.published and theme not in UNDATED else None
    return comment.text, comment.author.name if comment.author else None, day


def told(said: Said, theme: str) -> tuple[str, str, object]:
    return said.text, said.name, None if theme in UNDATED else said.when


@pytest.mark.parametrize("margin", MARGINS)
def test_what_stands_beside_a_post_is_no_comment(margin: str) -> None:
    assert found(page(None, TONGUES["en"], (), margin)) == ()


def test_the_line_about_a_comment_leaves_its_mark_up_too() -> None:
    html = "<body><p>Of kites.</p><h3>2 comments</h3><ul>" + "".join(
        f"<li><b>{name}</b> (2 May 2013): I <em>like</em> it &amp; more, {name}.</li>" for name in ("Ann", "Bo")
    )
    first, _second = found(f"{html}</ul></body>".encode())
    assert first.text == "I like it & more, Ann."
    assert first.html == "I <em>like</em> it &amp; more, Ann."


def test_whom_a_comment_answers_is_no_part_of_the_name_beside_it() -> None:
    def said(number: int, name: str, answered: str) -> str:
        whom = f"<div class='answers'><i></i> {answered}</div>" if answered else ""
        return (
            f"<li id='comment-{number}'><div class='comment-name'><div class='comment-author'>{name}</div>{whom}</div>"
            f"<div class='day'>{number} May 2013</div><div class='said'><p>The heron of {name} moves.</p></div></li>"
        )

    items = said(2, "Ann Poe", "") + said(3, "Bo Reed", "Ann Poe") + said(4, "Cy Dale", "Bo Reed")
    html = f"<body><p>Of kites.</p><div id='comments'><h3>3 comments</h3><ol>{items}</ol></div></body>"
    got = found(html.encode())
    assert [comment.author.name for comment in got if comment.author] == ["Ann Poe", "Bo Reed", "Cy Dale"]
