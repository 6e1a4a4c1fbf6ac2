"""No input costs more than its size: each kind of harm within a generous time; `make soak` takes it to megabytes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from blogforever.dom import MAX_TAGS, bounded, parse, walk
from blogforever.extract.apply import find_node
from blogforever.learn.samples import affordable
from blogforever.model import Page

from .attacks import SHAPES, TARGETS

SIZE, LEARNED = 100_000, 25_000
SECONDS = 5.0  # many times what the slowest takes, less than the square of the size did where a cost was one
ONE_PAGE = ("extract_post with rules", "segment_page", "stages", "parse_feed")


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES.keys())
def test_hostile_bytes_cost_no_more_than_their_size(make: Callable[[int], bytes]) -> None:
    content, slow = make(SIZE), {}
    for name in ONE_PAGE:
        start = time.process_time()
        TARGETS[name](content)
        slow[name] = time.process_time() - start
    content = make(LEARNED)
    start = time.process_time()
    TARGETS["learn_rules"](content)
    slow["learn_rules"] = time.process_time() - start
    assert {name: cost for name, cost in slow.items() if cost > SECONDS} == {}


@pytest.mark.parametrize("piece", ["<div>", "<select><option>", "<b><p>"])
def test_fifty_megabytes_of_tags_are_cut_to_what_can_be_read(piece: str) -> None:
    start = time.process_time()
    tree = parse(piece * (50_000_000 // len(piece)))
    assert tree.root is not None
    assert sum(1 for _ in walk(tree.root)) <= 3 * MAX_TAGS
    assert time.process_time() - start < 3 * SECONDS


def test_a_numbered_path_costs_no_square_on_a_page_of_siblings() -> None:
    tree = parse("<body><div class=a>" + "<p>x</p>" * 80_000)
    start = time.process_time()
    assert find_node(tree, "div.a > p:nth-of-type(79999)") is not None
    assert find_node(tree, "div.a > p:nth-of-type(80001)") is None
    assert find_node(tree, "div.b > p:nth-of-type(2)") is None
    assert time.process_time() - start < 1


def test_a_numbered_path_finds_what_the_selector_engine_finds() -> None:
    tree = parse(
        "<div class=a><p>1</p></div><div class=a><p>2</p><ul><li>3</li></ul><ul><li>4</li><li><b>5</b></li></ul></div>"
    )
    for css in (
        "div.a > p:nth-of-type(1)",
        "div.a > ul:nth-of-type(2) > li:nth-of-type(2)",
        "body > div:nth-of-type(2)",
    ):
        mine, theirs = find_node(tree, css), tree.css_first(css)
        assert mine is not None
        assert theirs is not None
        assert mine.mem_id == theirs.mem_id
    assert find_node(tree, "div.a > ul:nth-of-type(3)") is None


def test_learning_leaves_the_largest_pages_out_and_keeps_at_least_one() -> None:
    pages = [Page(f"https://example.org/{n}", b"<p>" * 10 ** (n + 2)) for n in range(5)]
    kept = affordable([(n, page) for n, page in enumerate(pages)])
    assert [n for n, _page in kept] == [0, 1, 2, 3]
    assert len(affordable([(0, Page("https://example.org/", b"<p>" * 5_000_000))])) == 1


def test_ordinary_mark_up_is_not_touched() -> None:
    html = "<ul>" + "<li><a href=/x>word</a> " * 2_000 + "</ul><select>" + "<option>May" * 300
    assert bounded(html) == html
