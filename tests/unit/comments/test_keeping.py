"""A thread over time: what a later page leaves out stays, in its place, under the id it was given first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.comments import keep_comments
from blogforever.comments.order import Spot, thread_order
from blogforever.records import CommentRecord
from server.somerecords import some_comment


def comment(name: str, day: int, parent: str | None = None, **more: Any) -> CommentRecord:
    record: dict[str, Any] = {"id": name, "native_id": name[1:], "author": {"name": name}, "text": f"Words of {name}"}
    record |= {"published": f"2013-04-{day:02}", "parent": parent, "sources": ["page"]}
    return some_comment(**record | more)


def names(comments: Sequence[CommentRecord]) -> list[str]:
    assert [c.position for c in comments] == list(range(len(comments)))
    return [c.id for c in comments]


def test_a_shorter_list_is_no_deletion() -> None:
    older = [comment("n1", 1), comment("n2", 2, "n1"), comment("n3", 3)]
    assert names(keep_comments(older, [comment("n3", 3)])) == ["n1", "n2", "n3"]
    assert names(keep_comments(older, [])) == ["n1", "n2", "n3"]


@pytest.mark.parametrize(
    "line",
    [
        "Comment deleted",
        "[deleted]",
        "This comment has been removed by the author.",
        "Dieser Kommentar wurde vom Autor entfernt.",
        "Ce commentaire a été supprimé par un administrateur du blog.",
        "此评论已被作者删除。",
    ],
)
def test_a_line_that_says_a_comment_was_deleted_does_not_take_its_words_away(line: str) -> None:
    older: Sequence[CommentRecord] = [comment("n1", 1), comment("n2", 2, "n1")]
    for _ in range(2):
        (first, second) = older = keep_comments(older, [comment("n1", 1, text=line, author={}), comment("n2", 2, "n1")])
        assert (first.text, first.author.name, first.status) == ("Words of n1", "n1", "deleted")
        assert second.status == "active"
    told = "Deleted scenes were better, said my aunt"
    assert keep_comments(older, [comment("n1", 1, text=told)])[0].text == told


def test_new_ones_come_where_the_page_shows_them() -> None:
    older = [comment("n1", 1), comment("n3", 3)]
    newer = [comment("n1", 1), comment("n2", 2), comment("n4", 4)]
    assert names(keep_comments(older, newer)) == ["n1", "n2", "n3", "n4"]


def test_a_comment_read_in_another_way_keeps_its_first_id_and_its_answers() -> None:
    older = [
        comment("built", 1, native_id=None, text="Two kites", author={"name": "Ann"}, published="2013-04-01T10:00")
    ]
    newer = [
        comment("n7", 1, text="Two kites", author={"name": "Ann"}, published=None, sources=["api"]),
        comment("n8", 2, "n7"),
    ]
    first, second = keep_comments(older, newer)
    assert (first.id, first.native_id, first.published) == ("built", "7", "2013-04-01T10:00")
    assert first.sources == ("api", "page")
    assert second.parent == "built"


def test_what_the_page_said_stays_where_only_a_feed_tells_of_it_again() -> None:
    (kept,) = keep_comments([comment("n1", 1, text="Words")], [comment("n1", 1, text="<p>Words", sources=["feed"])])
    assert (kept.text, kept.sources) == ("Words", ("feed", "page"))


def test_two_numbers_are_two_comments_even_with_the_same_words() -> None:
    older, newer = (
        [comment("n1", 1, text="+1", author={"name": "Ann"})],
        [comment("n2", 2, text="+1", author={"name": "Ann"})],
    )
    assert names(keep_comments(older, newer)) == ["n1", "n2"]


def test_comments_read_in_another_way_are_not_there_twice() -> None:
    older = [
        comment(f"o{n}", n, native_id=None, text=f"Ann {n} says: x", author={"name": f"Ann {n} says"})
        for n in (1, 2, 3)
    ]
    newer = [comment(f"b{n}", n, native_id=None, text="x", author={"name": f"Ann {n}"}) for n in (1, 2, 3)]
    assert names(keep_comments(older, newer)) == ["b1", "b2", "b3"]
    assert names(keep_comments(older, newer[:2])) == ["b1", "o1", "b2", "o2", "o3"]


def test_the_words_tell_where_only_the_name_is_read_in_another_way() -> None:
    text = "These are enough words to know it again by"
    older = [comment("o1", 1, native_id=None, text=text, author={"name": "Ann wrote"})]
    (kept,) = keep_comments(older, [comment("b1", 1, native_id=None, text=text, author={"name": "Ann"})])
    assert (kept.id, kept.author.name) == ("o1", "Ann")


def test_each_part_of_a_date_that_only_the_earlier_reading_knew_stays() -> None:
    older = [comment("n1", 1, published_raw="1 April", published_precision="day")]
    (kept,) = keep_comments(older, [comment("n1", 1)])
    assert (kept.published, kept.published_precision, kept.published_raw) == ("2013-04-01", "day", "1 April")


def test_what_another_version_wrote_of_a_comment_stays() -> None:
    (kept,) = keep_comments([comment("n1", 1, likes=3)], [comment("n1", 1)])
    assert kept.further == {"likes": 3}


def test_an_answer_to_nobody_known_stands_alone() -> None:
    (kept,) = keep_comments([], [comment("n2", 2, "n1")])
    assert kept.parent is None


def states(older: Sequence[CommentRecord], newer: Sequence[CommentRecord], **how: Any) -> dict[str, str]:
    return {kept.id: kept.status for kept in keep_comments(older, newer, **how) if kept.status != "active"}


FOUR = [comment(f"n{n}", n) for n in (1, 2, 3, 4)]


def test_what_is_taken_out_between_others_is_missing_and_comes_back() -> None:
    kept = keep_comments(FOUR, [FOUR[0], FOUR[2], FOUR[3]])
    assert {one.id: one.status for one in kept if one.status != "active"} == {"n2": "missing"}
    assert names(kept) == ["n1", "n2", "n3", "n4"]
    assert states(kept, FOUR) == {}


def test_what_falls_off_an_end_is_missing_only_if_the_list_became_shorter() -> None:
    assert states(FOUR, FOUR[:3]) == {"n4": "missing"}
    assert states(FOUR, [*FOUR[1:], comment("n5", 5)]) == {}
    assert states(FOUR, FOUR[:2], shown="some") == {}
    assert states(FOUR, [FOUR[0], FOUR[3]], shown="some") == {"n2": "missing", "n3": "missing"}


def test_an_empty_list_says_nothing_unless_the_page_states_that_there_are_none() -> None:
    assert states(FOUR, []) == {}
    assert states(FOUR[:1], [], shown="all") == {"n1": "missing"}


def test_what_no_page_showed_is_not_missing_on_one() -> None:
    told = comment("n2", 2, sources=["feed"])
    assert states([FOUR[0], told, FOUR[2]], [FOUR[0], FOUR[2]], shown="all") == {}
    assert states(FOUR, [comment("n4", 4, sources=["feed"])]) == {}


def test_what_was_deleted_stays_so_when_its_line_goes_too() -> None:
    older = [FOUR[0], comment("n2", 2, status="deleted"), FOUR[2]]
    assert states(older, [FOUR[0], FOUR[2]], shown="all") == {"n2": "deleted"}


SPOTS = st.lists(
    st.tuples(st.integers(0, 30), st.none() | st.integers(0, 30), st.sampled_from(["", "2013", "2014", "2015"])),
    max_size=30,
    unique_by=lambda spot: spot[0],
)


@given(shown=SPOTS, others=SPOTS)
def test_every_comment_has_one_place_and_the_shown_ones_keep_their_order(
    shown: list[tuple[int, int | None, str]], others: list[tuple[int, int | None, str]]
) -> None:
    def spots(rows: list[tuple[int, int | None, str]]) -> list[Spot]:
        return [Spot(str(name), None if above is None else str(above), date) for name, above, date in rows]

    order = thread_order(spots(shown), spots(others))
    known = [str(name) for name, _, _ in shown]
    assert [name for name in order if name in set(known)] == known
    assert sorted(order) == sorted({str(name) for name, _, _ in (*shown, *others)})


def test_what_only_others_know_stands_in_its_thread_by_its_date() -> None:
    shown = [Spot("a", None, "01"), Spot("b", "a", "05"), Spot("c", None, "03")]
    others = [Spot("x", None, "02"), Spot("y", "a", "06"), Spot("z", "x", "04"), Spot("w", None, "")]
    assert thread_order(shown, others) == ["a", "b", "y", "x", "z", "c", "w"]
    newest_first = [Spot("c", None, "05"), Spot("a", None, "01")]
    assert thread_order(newest_first, [Spot("b", None, "03"), Spot("d", None, "06")]) == ["d", "c", "b", "a"]
