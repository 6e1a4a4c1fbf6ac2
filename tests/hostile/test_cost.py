"""No input costs more than its size: each kind of harm, doubled; `make bench` measures more, `make soak` megabytes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import bounded, parse, walk
from blogforever.extract.apply import Tops, find_node
from blogforever.learn.samples import affordable
from blogforever.model import Page
from blogforever.thinning import MAX_TAGS

from .attacks import TARGETS
from .growth import assert_linear, least_growth
from .shapes import LOOKED_AT, SHAPES

SIZE, LEARNED = 32_000, 16_000
PAST_STEPS = 8  # times the size: the smallest page is then past what is too small to be looked at closely
STEPPED = 2.8  # for a doubling: a larger page may be read in another way, once; a square costs 4
ONE_PAGE = ("extract_post", "stages with rules", "segment_page")
NO_PAGE = ("parse_feed", "parse_sitemap", "find_dates")


def grown_past_steps(work: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> float:
    """The growth up to this size; where a step lies in between, that of sizes past it."""
    least = least_growth(work, make, size, STEPPED)
    return least if least <= STEPPED else least_growth(work, make, PAST_STEPS * size, STEPPED)


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES.keys())
def test_twice_the_bytes_cost_about_twice_the_work(make: Callable[[int], bytes]) -> None:
    def page_of(size: int) -> bytes:
        return LOOKED_AT + make(size)

    grown = {name: grown_past_steps(TARGETS[name], page_of, SIZE) for name in ONE_PAGE}
    grown |= {name: grown_past_steps(TARGETS[name], make, SIZE) for name in NO_PAGE}
    grown["learn_rules"] = grown_past_steps(TARGETS["learn_rules"], page_of, LEARNED)
    assert {name: growth for name, growth in grown.items() if growth > STEPPED} == {}


@pytest.mark.parametrize("piece", ["<div>", "<select><option>", "<b><p>"])
def test_fifty_megabytes_of_tags_are_cut_to_what_can_be_read(piece: str) -> None:
    tree = parse(piece * (50_000_000 // len(piece)))
    assert tree.root is not None
    assert sum(1 for _ in walk(tree.root)) <= 3 * MAX_TAGS


def test_a_numbered_path_costs_no_square_on_a_page_of_siblings() -> None:
    def siblings(count: int) -> tuple[LexborHTMLParser, int]:
        return parse("<body><div class=a>" + "<p>x</p>" * count), count

    def look_up(page: tuple[LexborHTMLParser, int]) -> None:
        tree, count = page
        # Begun anew each time: what was found on the last page is remembered, and only that would be measured.
        tops: Tops = {}
        assert find_node(tree, f"div.a > p:nth-of-type({count - 1})", tops) is not None
        assert find_node(tree, f"div.a > p:nth-of-type({count + 1})", tops) is None
        assert find_node(tree, "div.b > p:nth-of-type(2)", tops) is None

    assert_linear(look_up, siblings, 80_000)


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
