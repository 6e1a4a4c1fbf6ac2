"""Whatever a page holds, reading its comments ends, raises nothing and costs in proportion."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from blogforever.comments import comment_pages, extract_comments, merge_comments
from blogforever.model import Page
from hostile.growth import assert_linear
from hostile.shapes import LOOKED_AT

URL = "https://blog.example/p/"
PIECES = st.sampled_from(
    [
        *('<li class="comment" id="comment-1">', '<li id="comment-2">', "</li>", '<ol class="commentlist">', "</ol>"),
        *(
            '<div class="comment">',
            "</div>",
            '<dl class="comments"><dt id="c1">',
            "<dd>",
            "</dl>",
            "<h3>2 Comments</h3>",
        ),
        *(
            '<cite class="fn">Ann</cite>',
            "says:",
            "4 March 2013",
            "<time datetime=2013>",
            '<a name="c3"></a>',
            "<p>Hm</p>",
        ),
        *('<ul class="children">', "</ul>", "<form>", "Pingback:", "\x00", "é", "<blockquote>", "Reply", "<!--", "-->"),
    ]
)


@given(st.lists(PIECES, max_size=60))
@example(['<a name="c3"></a>', '<div class="comment">'])
@settings(max_examples=150, deadline=None)
def test_any_mark_up_gives_a_sound_list(pieces: list[str]) -> None:
    found = extract_comments(Page(URL, "".join(pieces).encode()))
    ids = [comment.id for comment in found]
    assert len(set(ids)) == len(ids)
    assert all(comment.text and (comment.parent is None or comment.parent in ids) for comment in found)
    assert [comment.position for comment in found] == list(range(len(found)))
    assert [c.id for c in merge_comments([found], [found])] == ids


@given(st.binary(max_size=400))
def test_any_bytes_end(content: bytes) -> None:
    extract_comments(Page(URL, b'<ol class="commentlist"><li>' + content))


@given(st.text(max_size=80))
def test_any_link_is_read(link: str) -> None:
    comment_pages([link, URL + link], URL)


@pytest.mark.parametrize(
    "opening",
    [
        '<li class="comment">x ',
        '<div class="comment">4 March 2013 ',
        "<ul class=children>",
        '<dl><dt id="comment-1">x<dd class="comment">x ',
        '<div class="comments"><b>Ann says:</b> x ',
        '<div><a name="comment-1"></a>x ',
    ],
)
def test_deep_nesting_costs_no_more_than_its_size(opening: str) -> None:
    assert_linear(extract_comments, lambda count: Page(URL, LOOKED_AT + opening.encode() * count), 8_000)


@pytest.mark.parametrize(
    "piece",
    [
        '<dd><div class="comment">x</div></dd>',
        '<div><div><div class="comment"><b class="fn">Ann</b> x</div></div></div><div class="comment">Bo says: x</div>',
        '<div id="answers" class="comments"><p>Ann, 4 March 2013</p><p>x</p></div>',
    ],
)
def test_long_lists_cost_no_more_than_their_size(piece: str) -> None:
    assert_linear(
        extract_comments, lambda count: Page(URL, LOOKED_AT + b"<dl><dt>x</dt>" + piece.encode() * count), 4_000
    )
