from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.care.decisions import (
    Decision,
    in_force,
    read_decision,
    target_digest,
    without_name,
    write_decision,
)
from blogforever.care.veil import Veil
from blogforever.errors import BadInput
from blogforever.records import FailureRecord, PostRecord
from hostile.growth import assert_linear
from server.somerecords import some_blog, some_post

DAY = "2026-05-01"
URL = "https://blog.example/2013/04/a-post/"


def suppress(kind: str, target: str, at: str = "2026-01-01", **more: Any) -> Decision:
    return Decision(at, "suppress", more.pop("blog", "b"), kind, target, **more)


def veil(*decisions: Decision, day: str = DAY) -> Veil:
    return Veil(in_force(decisions).hidden, day)


def post(**more: Any) -> PostRecord:
    base = {"id": "1", "blog": "b", "url": URL, "aliases": ["https://blog.example/?p=4"]}
    comments = [
        {"id": "c1", "author": {"name": "Bo"}, "text": "one", "parent": None},
        {"id": "c2", "author": {"name": "Cy"}, "text": "two", "parent": "c1"},
        {"id": "c3", "author": {"name": "Bo"}, "text": "three", "parent": "c2"},
    ]
    return some_post(**base | {"authors": [{"name": "Ann Ferrier"}], "comments": comments} | more)


@given(st.text(), st.text(), st.booleans(), st.none() | st.dates().map(str))
def test_a_decision_is_the_same_after_it_was_written(target: str, reason: str, erase: bool, until: str | None) -> None:
    target = target.encode(errors="replace").decode()
    reason = reason.encode(errors="replace").decode()
    decision = suppress("author", target, reason=reason, erase=erase, until=until)
    line = write_decision(decision)
    assert "\n" not in line
    assert read_decision(line) == decision
    locked = Decision("2026", "lock", "b", field="title", rules=({"css": "h1", "xpath": "//h1"},))
    assert read_decision(write_decision(locked)) == locked


@pytest.mark.parametrize(
    "line", ["", "[]", "{}", '{"journal": 1}', '{"journal": 2, "at": "x", "what": "note"}', "x" * 99]
)
def test_a_line_that_means_nothing_is_no_decision(line: str) -> None:
    with pytest.raises(BadInput, match="journal"):
        read_decision(line)


def test_the_last_word_counts_whatever_its_clock_said() -> None:
    first, second = suppress("url", URL), Decision("2026-02-01", "unsuppress", "b", "url", URL.replace("https", "http"))
    assert in_force([first, second]).hidden == ()
    third = suppress("url", URL, at="2019-03-01", reason="asked again")
    assert [one.reason for one in in_force([first, second, third]).hidden] == ["asked again"]
    assert in_force([first, third, second]).hidden == ()


def test_what_is_decided_for_one_blog_and_for_all_are_two_decisions() -> None:
    here, everywhere = suppress("author", "Bo"), suppress("author", "Bo", blog=None)
    assert {one.blog for one in in_force([here, everywhere]).hidden} == {"b", None}
    shown = Decision("2026-02-01", "unsuppress", None, "author", "Bo")
    assert [one.blog for one in in_force([everywhere, shown, here]).hidden] == ["b"]


@pytest.mark.parametrize("name", ["..", "../b", "/tmp/b", "a/b", ".", ".b", "", "_archive", "b\0", "b\n", "ü", 7, []])
def test_what_is_no_name_of_a_blog_is_no_decision(name: object) -> None:
    good = json.loads(write_decision(suppress("blog", "some.blog-1", blog="b")))
    assert read_decision(json.dumps(good)).target == "some.blog-1"
    for place in ("blog", "target"):
        with pytest.raises(BadInput, match="names what cannot be"):
            read_decision(json.dumps(good | {place: name}))


@pytest.mark.parametrize("place", ["at", "kind", "target", "reason", "field", "text", "other", "until"])
def test_what_is_no_text_is_no_decision(place: str) -> None:
    line = json.loads(write_decision(suppress("url", URL))) | {place: 7}
    with pytest.raises(BadInput, match="names what cannot be"):
        read_decision(json.dumps(line))


def test_locks_notes_and_forgetting() -> None:
    rule = {"css": "h1", "xpath": "//h1"}
    lock = Decision("2026-01-01", "lock", "b", field="title", rules=(rule,))
    note = Decision("2026-01-02", "note", "b", target=URL, text="check the date")
    state = in_force([lock, note])
    assert state.locks == {"b": {"title": (rule,)}}
    assert [one.text for one in state.notes] == ["check the date"]
    assert in_force([lock, Decision("2026-02-01", "unlock", "b", field="title")]).locks == {"b": {}}
    gone = in_force([lock, note, suppress("url", URL), Decision("2026-03-01", "forget", "b")])
    assert (gone.locks, gone.notes, gone.hidden, gone.forgotten) == ({}, (), (), {"b": "2026-03-01"})


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("url", "http://www.blog.example/2013/04/a-post"),
        ("author", "ann ferrier"),
        ("url", "https://blog.example/?p=4"),
        ("blog", "b"),
    ],
)
def test_a_post_is_hidden_by_any_of_its_names(kind: str, target: str) -> None:
    assert veil().post(post()) == post()
    assert veil(suppress(kind, target)).post(post()) is None
    assert veil(suppress(kind, target, blog="other")).post(post()) == post()
    assert veil(suppress(kind, target, blog=None)).post(post()) is None


def test_hidden_comments_leave_their_answers_in_the_thread() -> None:
    shown = veil(suppress("comment", "c2")).post(post())
    assert shown is not None
    assert [(c.id, c.parent) for c in shown.comments] == [("c1", None), ("c3", "c1")]
    shown = veil(suppress("author", "BO")).post(post())
    assert shown is not None
    assert [(c.id, c.parent) for c in shown.comments] == [("c2", None)]
    looped = post(comments=[{"id": "x", "parent": "x", "author": {"name": "Bo"}}, {"id": "y", "parent": "x"}])
    shown = veil(suppress("author", "Bo")).post(looped)
    assert shown is not None
    assert [(c.id, c.parent) for c in shown.comments] == [("y", None)]


def test_an_embargo_ends_on_its_day() -> None:
    embargo = suppress("url", URL, until="2026-06-01")
    assert veil(embargo, day="2026-05-31").post(post()) is None
    assert veil(embargo, day="2026-06-01").post(post()) == post()


def test_the_mark_changes_with_what_is_hidden() -> None:
    one, two = suppress("url", URL), suppress("comment", "c2", blog=None)
    marks = [veil().mark("b"), veil(one).mark("b"), veil(two).mark("b"), veil(one, two).mark("b")]
    assert marks[0] == ""
    assert len(set(marks)) == 4
    assert veil(one).mark("other") == ""


def test_what_is_erased_is_known_without_being_named() -> None:
    named = suppress("author", "Ann Ferrier", erase=True)
    nameless = without_name(named)
    assert "Ferrier" not in write_decision(nameless)
    assert nameless.target == target_digest("author", " ann  FERRIER")
    assert veil(nameless).post(post()) is None
    assert in_force([named, Decision("2027", "unsuppress", "b", "author", nameless.target)]).hidden == ()


def test_what_erasing_left_of_a_comment_is_not_shown() -> None:
    texts = ["xxx x. Xx", "xx - x, (xxx)", "x", "--", "", "text", "x y"]
    comments = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    shown = veil(suppress("author", "Nobody", erase=True)).post(post(comments=comments))
    assert shown is not None
    assert [comment.text for comment in shown.comments] == ["xxx x. Xx", "--", "", "text", "x y"]


def test_hiding_costs_no_more_than_the_length_of_a_comment_or_of_a_thread() -> None:
    hidden = veil(suppress("author", "Bo", erase=True))

    def long_comment(size: int) -> PostRecord:
        return post(comments=[{"id": "c", "text": "x" * size + "y"}])

    def long_thread(size: int) -> PostRecord:
        told = [{"id": str(n), "parent": str(n - 1), "author": {"name": "Bo"}} for n in range(size)]
        return post(comments=told + [{"id": str(-n), "parent": str(n)} for n in range(1, size)])

    assert_linear(hidden.post, long_comment, 8_000)
    assert_linear(hidden.post, long_thread, 4_000)


def test_failures_and_blogs_are_hidden_too() -> None:
    hidden = veil(suppress("url", URL), suppress("blog", "c", blog="c"))
    other = FailureRecord(blog="b", url="https://other.example/", reason="x")
    assert hidden.line(FailureRecord(blog="b", url=URL, reason="x")) is None
    assert hidden.line(FailureRecord(blog="c", url=other.url, reason="x")) is None
    assert hidden.line(other) == other
    assert hidden.line(some_blog(id="c").record) is None
    assert hidden.line(some_blog(id="b").record) == some_blog(id="b").record


def test_two_that_are_apart_are_known_however_they_are_spelled() -> None:
    moved = "https://blog.example/notes/a-post/"
    line = write_decision(Decision("2026-01-01", "apart", "b", "url", moved, other=URL))
    (one,) = in_force([read_decision(line)]).apart
    assert one.parts("http://www.blog.example/2013/04/a-post", moved)
    assert not one.parts(URL, "https://blog.example/another/")
    (nameless,) = in_force([without_name(read_decision(line))]).apart
    assert nameless.parts(URL, moved)
    assert "a-post" not in nameless.old + nameless.new
    assert in_force([read_decision(line), Decision("2026-02-01", "forget", "b")]).apart == ()
    (spelled,) = in_force([Decision("2026-01-01", "apart", "b", "url", URL, other=URL.replace("https", "http"))]).apart
    assert spelled.parts(URL.replace("https", "http"), URL)
    assert not spelled.parts(URL, URL)
