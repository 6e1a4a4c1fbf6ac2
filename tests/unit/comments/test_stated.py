"""The number of comments a page states, in many languages, and what it is good for."""

from __future__ import annotations

import pytest

from blogforever.comments import read_comments
from blogforever.comments.stated import read_count
from blogforever.model import Page

STATED = [
    *(
        ("6 comments", 6),
        ("1,234 Comments", 1234),
        ("Kommentare (6)", 6),
        ("One response to “Kites”", 1),
        ("No comments", 0),
    ),
    *(
        ("Of kites — 5 Comments", 5),
        ("Комментариев: 3", 3),
        ("12 комментариев", 12),
        ("コメント（3）", 3),
        ("댓글 4개", 4),
    ),
    *(("3件のコメント", 3), ("评论 (8)", 8), ("8 条评论", 8), ("Un commentaire", 1), ("Aucun commentaire", 0)),
    *(("2 thoughts on “The 3 kites”", 2), ("Reacties (14)", 14), ("Ei kommentteja", 0), ("Henüz yorum yok", 0)),
]
SILENT = ["Comments", "Leave a comment", "Comments RSS", "Recent comments", "My 3 comments on kites", "Comments closed"]
BLOCK = '<div class="comment"><b class="fn">Ann</b> <p>I had one as a child, a red one with a very long tail.</p></div>'
DATED = BLOCK.replace("</b>", "</b> <time datetime='2013-04-02'>2 April 2013</time>")


@pytest.mark.parametrize(("text", "number"), STATED)
def test_a_number_is_read_in_any_language(text: str, number: int) -> None:
    assert read_count(text) == number


@pytest.mark.parametrize("text", SILENT)
def test_other_lines_state_nothing(text: str) -> None:
    assert read_count(text) is None


def shown(html: str) -> tuple[int, int | None]:
    found = read_comments(Page("https://blog.example/kites/", f"<body><p>Of kites.</p>{html}</body>".encode()))
    return len(found.comments), found.stated


def test_the_heading_counts_before_a_counter_and_the_margin_never() -> None:
    margin = "<aside><h3>9 comments</h3></aside>"
    counter = '<span class="comments-link">2 comments</span>'
    assert shown(f"{margin}{counter}<h3>1 comment</h3>{BLOCK}") == (1, 1)
    assert shown(f"{margin}{counter}") == (0, 2)
    assert shown(f"{margin}<p>Nothing here.</p>") == (0, None)


def test_two_numbers_that_disagree_state_nothing() -> None:
    assert shown(f"<h3>1 comment</h3><h4>3 comments</h4>{BLOCK}") == (1, None)


def test_a_page_that_says_none_is_believed_unless_a_comment_is_whole() -> None:
    assert shown(f"<h3>No comments</h3>{BLOCK}") == (0, 0)
    assert shown(f"<h3>No comments</h3>{DATED}") == (1, 0)


def test_a_link_to_the_list_on_the_same_page_is_believed_where_it_says_none() -> None:
    link = "<p>(<a href='#comments'>0 comments</a>)</p>"
    others = "<ul><li><a href='/other/#comments'>7 comments</a></li></ul>"
    assert shown(f"{link}{others}<div id='comments'><h3>Comments</h3></div>") == (0, 0)
    assert shown(f"{link}<h3>1 comment</h3>{BLOCK}") == (1, 1)
    assert shown(f"{link.replace('0', '2')}{BLOCK}") == (1, None)
