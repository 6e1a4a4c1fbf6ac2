from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blogforever.learn.linkyield import HORIZON, MOST_GROUPS, LinkYield, distance, group_of, is_numbered

ROOT = "https://blog.example/"
GROUPS = st.lists(st.sampled_from(["Wtag", "Wforum", "W", "D", "N", "?page"]), max_size=5).map(tuple)


def test_addresses_of_one_shape_are_one_group() -> None:
    assert group_of(f"{ROOT}forum/some-topic") == group_of(f"{ROOT}forum/other-topic/")
    assert group_of(f"{ROOT}forum/some-topic") != group_of(f"{ROOT}wiki/some-topic")
    assert group_of(f"{ROOT}shop/?a=1") == group_of(f"{ROOT}shop/?a=2") != group_of(f"{ROOT}shop/?b=1")


def test_only_what_counts_can_go_on_for_ever() -> None:
    assert is_numbered(group_of(f"{ROOT}gallery/page/7/"))
    assert is_numbered(group_of(f"{ROOT}events/2024-05/"))
    assert is_numbered(group_of(f"{ROOT}shop/?colour=red"))
    assert not is_numbered(group_of(f"{ROOT}wiki/some-word"))


@given(GROUPS, GROUPS)
def test_distance_is_one(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    assert distance(a, a) == 0
    assert distance(a, b) == distance(b, a)
    assert 0 <= distance(a, b) <= 1


def test_what_a_kind_of_page_gave_is_expected_of_the_next() -> None:
    learned = LinkYield()
    for n in range(10):
        learned.observe(f"{ROOT}notes/older-{n}", 10)
        learned.observe(f"{ROOT}forum/topic-{n}", 0)
    assert learned.estimate(learned.group(f"{ROOT}notes/older-99")) == 10
    assert learned.estimate(learned.group(f"{ROOT}forum/topic-99")) == 0


def test_a_new_kind_is_judged_by_its_nearest_and_a_strange_one_by_what_is_usual() -> None:
    learned = LinkYield()
    for n in range(10):
        learned.observe(f"{ROOT}category/tea/page/{n}/", 8)
        learned.observe(f"{ROOT}forum/list/{n}/", 0)
    assert learned.estimate(learned.group(f"{ROOT}category/cake/page/2/")) > 4
    strange = learned.estimate(learned.group(f"{ROOT}a/b/c/d-e?x=1"))
    assert strange < 1


URLS = st.sampled_from([f"{ROOT}a/{n}/b{n % 3}" for n in range(9)])


@given(st.lists(st.tuples(URLS, st.integers(0, 50)), min_size=1))
def test_an_estimate_lies_between_what_was_seen(seen: list[tuple[str, int]]) -> None:
    learned = LinkYield()
    for url, links in seen:
        learned.observe(url, links)
    values = [links for _, links in seen]
    assert min(values) <= learned.estimate(learned.group(seen[0][0])) <= max(values)
    assert HORIZON < 1


def test_the_number_of_groups_is_bounded() -> None:
    learned = LinkYield()
    groups = {learned.group(f"{ROOT}user{n}/{n}x/{n}y/page") for n in range(5 * MOST_GROUPS)}
    assert len(groups) <= 2 * MOST_GROUPS + 1
