"""Boxes of an article's text that stand beside its element: the feed has their words, or leads right into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from blogforever.dom import parse, tokenise
from blogforever.elements import HEADINGS
from blogforever.learn.candidates import is_bare, own_steps
from blogforever.learn.rating import Placed
from blogforever.learn.samples import ENOUGH_WORDS, Sample, html_texts
from blogforever.page.view import PageView
from blogforever.similarity import shingle_marks
from blogforever.urls import join, url_key

# Pages on which the feed must speak for a box: on one alone it may quote what stands beside.
_FEWEST_PAGES = 2
# Share of a box's words that a text must have to say the same.
_SAME = 0.8
# Share of them that the article repeats where the box was but made of its beginning.
_REPEATED = 0.5
# What is named so is no text of the author's, whatever the feed says: many repeat the list of related posts.
_OTHERS = frozenset({"comment", "furniture", "byline", "bio"})
_OTHER_TAGS = frozenset({"aside", "nav", "footer", "form"})
# Boxes beside an article that are looked at; it bounds the work.
_MOST_BOXES = 40


def learn_besides(placed: Sequence[Placed]) -> str:
    """The selector of the boxes beside the article that hold the rest of its text: what stands above
    it in lists, or below the fold; empty where the article is whole.

    Where a feed tells but one part of a text, the article's element is that part, or the other one.
    """
    spoken_for: Counter[str] = Counter()
    for one in placed:
        spoken_for.update({css for i in _boxes(one) if _is_spoken_for(one, i) for css in _names(one, i)})
    proved = [css for css, pages in spoken_for.most_common() if pages >= _FEWEST_PAGES]
    return next((css for css in proved if _tells_apart(placed, css)), "")


def _boxes(one: Placed) -> Iterator[int]:
    """The boxes of text beside an article."""
    tree, around = one.sample.tree, one.sample.tree.parents[one.article]
    for i in tree.children(around)[:_MOST_BOXES] if around >= 0 else ():
        is_text = tree.blocks[i] and tree.own_words(i) >= max(ENOUGH_WORDS, tree.links(i))
        if i != one.article and is_text and not _is_other(tree, i) and not _shows_title(one.sample, i):
            yield i


def _is_other(tree: PageView, i: int) -> bool:
    """Whether a box is something else than text by its name, or by that of what fills it; or has a heading that leads
    elsewhere, as another post's does.
    """
    if tree.tags[i] in _OTHER_TAGS:
        return True
    inside = range(i, tree.last[i])
    is_filled = any(tree.kinds[n] in _OTHERS and 2 * tree.count(n) > tree.count(i) for n in inside)
    return is_filled or any(tree.tags[n] in HEADINGS and tree.links(n) for n in inside)


def _shows_title(sample: Sample, i: int) -> bool:
    """Whether a box is the head of the post, or of another one: it begins with what that is called."""
    title = tokenise(sample.entry.title or "") if sample.entry else []
    return bool(title) and sample.tree.words_of(i)[: len(title)] == title


def _names(one: Placed, i: int) -> list[str]:
    """The selectors of a box by itself."""
    return [step.css() for step in own_steps(one.sample.tree, i) if not is_bare(step)]


def _is_spoken_for(one: Placed, i: int) -> bool:
    """Whether the feed has the words of a box that the article has not, or leads right into it."""
    words, said = one.sample.tree.words_of(i), one.sample.said
    if not said or _share(words, one.sample.tree.words_of(one.article)) >= _REPEATED:
        return False
    return _share(words, tokenise(" ".join(html_texts(said)))) >= _SAME or _is_led_into(one.sample, i)


def _share(words: Sequence[str], target: Sequence[str]) -> float:
    return sum(shingle_marks(words, target)) / len(words)


def _is_led_into(sample: Sample, i: int) -> bool:
    """Whether the entry ends with a link to a place in a box of its page: there the text goes on."""
    hrefs = [link.attributes.get("href") or "" for link in parse(sample.said).css("a[href]")[-1:]]
    for address, _sign, name in (href.partition("#") for href in hrefs):
        if name and url_key(join(sample.page.url, address) or "") == url_key(sample.page.url):
            return name in _marks(sample.tree, i)
    return False


def _marks(tree: PageView, i: int) -> set[str]:
    """The names of the places in a box."""
    inside = range(i, tree.last[i])
    return {tree.attribute(n, key) for n in inside for key in ("id", "name")}


def _tells_apart(placed: Sequence[Placed], css: str) -> bool:
    """Whether a name finds no more than one box beside each article, and on each page another text."""
    texts = [tuple(one.sample.tree.words_of(i)) for one in placed for i in _called(one, css)]
    return len(set(texts)) == len(texts) and all(len(_called(one, css)) <= 1 for one in placed)


def _called(one: Placed, css: str) -> list[int]:
    """What a name finds beside an article."""
    tree = one.sample.tree
    found = (tree.place(node) for node in tree.tree.css(css))
    return [i for i in found if i is not None and i != one.article and tree.parents[i] == tree.parents[one.article]]
