"""Comments whose mark-up no list of names knows: told by what stands around them, not by what they are called."""

from __future__ import annotations

import pytest

from .test_layouts import comments_of, told

NAME_ABOVE_DATE_BELOW = """<h3>2 comments</h3><ul class="comments">
<li><div class="mini-head"><a href="https://ann.example/">Ann Poe</a></div><div class="mini-said"><p>What a fine kite of
yours.</p></div><div class="mini-when">March 4, 2013 10:00</div></li>
<li><div class="mini-head">Bo</div><div class="mini-said"><p>Mine broke, see below here.</p></div>
<div class="mini-when">March 5, 2013 11:00</div></li></ul>"""
FLAT_WITH_LINKS = """<h3>Comments (3)</h3>
<div class="voice" id="v1"><div class="voice-top"><span>Ann Poe</span> <span>2013-03-04 10:00</span>
<a href="#v1">#</a></div><div class="voice-text">What a fine kite.</div></div>
<div class="voice" id="v2"><div class="voice-top"><span>Bo</span> <span>2013-03-05 11:00</span> <a href="#v2">#</a>
<a href="#v1">to the one before</a></div><div class="voice-text">Mine broke, see below.</div></div>
<div class="voice" id="v3"><div class="voice-top"><span>Cy</span> <span>2013-03-06 12:00</span> <a href="#v3">#</a>
</div><div class="voice-text">Read what <a href="#v1">she wrote</a> there.</div></div>
<div class="voice-form"><h3>Say something</h3><form><textarea></textarea></form></div>"""
SYSTEM_NAMES_TOO_MUCH = """<h2>1 Antwort</h2><ol class="comment-list"><li class="comment" id="comment-1">
<article class="comment-body"><footer class="comment-meta"><b class="fn">Ann Poe</b>
<time datetime="2013-03-04T10:00:00+00:00">March 4, 2013</time></footer>
<div class="comment-content"><p>What a fine kite.</p></div></article></li></ol>"""


def test_a_few_words_before_the_text_are_the_name() -> None:
    assert told(NAME_ABOVE_DATE_BELOW) == [
        ("Ann Poe", "2013-03-04", "What a fine kite of yours."),
        ("Bo", "2013-03-05", "Mine broke, see below here."),
    ]


def test_what_is_called_otherwise_than_the_dated_ones_is_no_comment() -> None:
    assert told(FLAT_WITH_LINKS)[:2] == [
        ("Ann Poe", "2013-03-04", "What a fine kite."),
        ("Bo", "2013-03-05", "Mine broke, see below."),
    ]


def test_a_link_at_the_head_says_what_is_answered_in_a_flat_list() -> None:
    found = comments_of(FLAT_WITH_LINKS)
    assert [comment.parent for comment in found][:2] == [None, found[0].id]
    assert len(found) == 3


def test_a_text_that_holds_name_and_date_is_not_only_text() -> None:
    assert told(SYSTEM_NAMES_TOO_MUCH) == [("Ann Poe", "2013-03-04", "What a fine kite.")]


def test_opinions_are_comments_in_spanish() -> None:
    markup = (
        "<h4>1 opinión</h4><blockquote><p><b>Ann Poe</b>, 4/3/2013 10:00</p><p>Qué cometa más bonita.</p></blockquote>"
    )
    assert told(markup) == [("Ann Poe", "2013-03-04", "Qué cometa más bonita.")]


def test_the_sign_of_a_permalink_is_no_part_of_the_name() -> None:
    markup = """<h2>Comments</h2><ol class="comments"><li id="c7"><h3><a href="#c7">#</a> Ann Poe · 4 March 2013</h3>
    <p>What a fine kite.</p></li></ol>"""
    assert told(markup) == [("Ann Poe", "2013-03-04", "What a fine kite.")]


def answered(name: str, day: int, below: str = "") -> str:
    said = f"<div class='T_top'><b>{name}</b><span>March {day}, 2013</span></div><p>What {name} has to say of it.</p>"
    answers = f"<ul class='T_list'>{below}</ul>" if below else ""
    return f"<li class='T_item'><img src='/u.png'><div class='T_main'>{said}{answers}</div></li>"


@pytest.mark.parametrize("further", ["", answered("Cy", 6)])
def test_a_list_is_no_comment_where_its_answers_stand_in_a_list_of_the_same_name(further: str) -> None:
    markup = f"<h2>Responses</h2><ul class='T_list'>{answered('Ann', 4, answered('Bo', 5))}{further}</ul>"
    found = comments_of(markup)
    assert [one.author.name for one in found if one.author] == ["Ann", "Bo", *(["Cy"] if further else [])]
    assert [one.parent for one in found][:2] == [None, found[0].id]


def in_list(name: str, day: int, below: str = "") -> str:
    answers = f"<ol>{below}</ol>" if below else ""
    return (
        f"<li><a id='c{day}'></a><p>On {day} March 2013, <b>{name}</b> said:</p><q>Words of {name}.</q>{answers}</li>"
    )


def test_items_of_lists_that_begin_with_an_anchor_are_comments_with_their_answers() -> None:
    found = comments_of(f"<h3>2 comments</h3><ol>{in_list('Ann', 4, in_list('Bo', 5))}</ol>")
    assert [(one.native_id, one.text) for one in found] == [("4", "Words of Ann."), ("5", "Words of Bo.")]
    assert [one.parent for one in found] == [None, found[0].id]


def test_as_many_blocks_of_a_name_as_stated_are_comments_however_deep_they_stand() -> None:
    def block(name: str) -> str:
        return f"<div class='x1'><div><b>{name}</b> <i>4 March 2013</i></div><div>Well said by {name}.</div></div>"

    deep = f"<div class='x2'>{block('Bo')}<div class='x2'>{block('Cy')}</div></div>"
    found = comments_of(f"<p>3 comments</p><div>{block('Ann')}{deep}</div>")
    assert [one.author.name for one in found if one.author] == ["Ann", "Bo", "Cy"]
