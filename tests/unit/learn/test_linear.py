"""The one-pass sums against a naive reference that reads every element anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dom import tokenise
from blogforever.elements import NEVER_READ
from blogforever.learn.article import best_likeness, find_articles, likeness
from blogforever.learn.contents import content_elements
from blogforever.learn.samples import Sample, aim, weigh
from blogforever.model import Page
from blogforever.page.view import PageView
from blogforever.similarity import shingle_size, shingles
from hostile.growth import assert_few_lines

words = st.sampled_from(["a", "bee", "sea", "dee", "東", "京", "script"])
texts = st.lists(words, max_size=6).map(" ".join)
tags = st.sampled_from(["div", "p", "span", "b", "ul", "li", "script", "h1", "article", "pre", "blockquote", "table"])
trees = st.recursive(
    texts,
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", tags, st.lists(inner, max_size=4)),
    max_leaves=25,
)


def naive_words(node: LexborNode) -> list[str]:
    """All words below a node, read by walking its children."""
    found: list[str] = []
    child = node.first_child
    while child is not None:
        if child.tag == "-text":
            found += tokenise(child.text_content or "")
        elif child.tag not in NEVER_READ:
            found += naive_words(child)
        child = child.next
    return found


def naive_hits(page: list[str], first: int, stop: int, target: list[str]) -> int:
    """Words in an interval of the page that a shingle of the target covers."""
    size = shingle_size(target)
    known = set(shingles(target, size))
    covered = {n + k for n, s in enumerate(shingles(page, size)) if s in known for k in range(size)}
    return sum(first <= n < stop for n in covered)


def sample_of(html: str, target: list[str]) -> Sample:
    sample = Sample(Page("https://made.example/", html.encode()), PageView(html))
    weigh(sample, lambda text: False)
    aim(sample, target)
    return sample


@given(trees)
def test_every_element_owns_just_its_words(html: str) -> None:
    tree = PageView(html)
    for i, node in enumerate(tree.nodes):
        assert tree.words[tree.start[i] : tree.end[i]] == naive_words(node)


@given(trees)
def test_descendants_are_an_interval(html: str) -> None:
    tree = PageView(html)
    for i in range(len(tree.nodes)):
        below = {j for j in range(len(tree.nodes)) if i in tree.ancestors(j)}
        assert below == set(range(i + 1, tree.last[i]))


@given(trees, st.lists(words, max_size=12))
def test_hits_and_likeness_equal_the_naive_ones(html: str, target: list[str]) -> None:
    sample = sample_of(html, target)
    tree = sample.tree
    scores = []
    for i in range(len(tree.nodes)):
        hits = naive_hits(tree.words, tree.start[i], tree.end[i], target)
        assert sample.hits_of(i) == hits
        size = len(target) + len(naive_words(tree.nodes[i]))
        scores.append(2 * min(hits, len(target)) / size if size else 0.0)
        assert likeness(sample, i) == scores[i]
    best = best_likeness(sample)
    assert scores[best] == max(scores)
    assert best == max(i for i, score in enumerate(scores) if score == scores[best])


@given(trees, st.lists(words, max_size=12))
def test_found_articles_hold_the_target(html: str, target: list[str]) -> None:
    sample = sample_of(html, target)
    for found in find_articles(sample):
        assert 0.0 <= found.recall <= 1.0
        assert 0.0 <= found.precision <= 1.0
        assert sample.hits_of(found.place) > 0


CONTENT = {"pre", "blockquote", "table", "td", "tr", "tbody"}


def naive_content(tree: PageView, place: int) -> set[int]:
    """Code, tables and quotes, what stands in them and what holds little else, every holder climbed to anew."""
    found: set[int] = set()
    for i in range(place + 1, tree.last[place]):
        if tree.tags[i] in CONTENT or tree.parents[i] in found:
            found.add(i)
            holder = tree.parents[i]
            while holder != place and tree.count(holder) <= 1.5 * tree.count(i):
                found.add(holder)
                holder = tree.parents[holder]
    return found


@given(trees)
def test_content_is_what_climbing_to_every_holder_finds(html: str) -> None:
    tree = PageView(html)
    for place in range(len(tree.nodes)):
        assert content_elements(tree, place) == naive_content(tree, place)


def test_no_holder_is_climbed_to_again_and_again() -> None:
    def deep(depth: int) -> PageView:
        return PageView(tree=LexborHTMLParser("<table><tr><td>x " * depth))

    assert_few_lines(lambda tree: content_elements(tree, 0), deep, 1_000)
