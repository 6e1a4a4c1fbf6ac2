"""Which boxes of a page are named as that of its comments, and which stand beside the page's own matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import local

from blogforever.comments.dated import has_date
from blogforever.comments.words import MARGIN, NOUN, has_token, is_item
from blogforever.elements import HEADINGS, word_set
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
COMMENTS = re.compile(
    r"(?:user|post|blog|article|reader)?(?:com+ent|kom+ent|iruzkin|discussion|conversation|disqus|webmention|response|feedback)"
)
"""A word that speaks of comments, by how it begins in most languages of Europe."""
# Of the comments of the whole blog, or no comments at all: the form, the count, a switch of the
# theme on its body.
_OTHER_BOXES = word_set("""
    recent latest last newest top popular best widget sidebar form respond reply count counter link links feed rss nav
    navigation pagination policy rules has no with without open closed off enabled disabled allowed
""")
# Elements of a form that are looked at for a comment: the first one stands at its head.
_MOST_IN_FORM = 60
# Elements at the head and at the foot of a margin among which its form stands; it bounds the work.
_NEAR_EDGE = 60
# Elements that stand beside the text without being named so.
_BESIDE = word_set("aside nav form")
# What such a column is called last; what has one, or has none, is not called so by `parts_of`.
_SIDE = "sidebar"
# Class names and ids: a theme uses a few hundred, the same ones on all pages of a blog.
_CACHED = 4096


def names_comments(tokens: Iterable[str]) -> bool:
    """Whether one of the class names or ids calls a box that of the comments, and none calls it
    something else.
    """
    return any(map(_is_comments, tokens))


@lru_cache(maxsize=_CACHED)
def _is_comments(token: str) -> bool:
    words = [word.casefold() for word in _WORDS.findall(token)]
    return any(map(COMMENTS.match, words)) and _OTHER_BOXES.isdisjoint(words)


class _LastAsked(local):
    """The page that was asked about last, and what is known of its elements: each way to find
    comments asks of nearly all of them.

    Of each thread its own, for each reads another page.
    """

    tree: PageView | None = None
    margins: list[bool | None]


_last = _LastAsked()


def is_margin(tree: PageView, i: int) -> bool:
    """Whether an element stands beside a page's own matter: no comment of the post is in it."""
    if _last.tree is not tree:
        _last.tree, _last.margins = tree, [None] * len(tree.tags)
    known = _last.margins[i]
    if known is None:
        known = _last.margins[i] = _stands_beside(tree, i)
    return known


def _stands_beside(tree: PageView, i: int) -> bool:
    tag = tree.tags[i]
    if not tree.attributes(i) and tag not in _BESIDE:
        return False  # nothing names it
    tokens = [tree.attribute(i, "id"), *tree.classes(i)]
    if tag == "aside":
        return has_token(tokens, MARGIN) or not (names_comments(tokens) or _is_headed_comments(tree, i))
    if tag == "nav":
        return True
    if tag == "form":
        return not _holds_page(tree, i) and not _holds_comments(tree, i)
    return (has_token(tokens, MARGIN) or any(map(_is_side, tokens))) and not _holds_page(tree, i)


@lru_cache(maxsize=_CACHED)
def _is_side(token: str) -> bool:
    """Whether a name is that of a column beside the page, with whatever words before: "RightSideBar"."""
    return "".join(parts_of(token)).endswith(_SIDE)


def _is_headed_comments(tree: PageView, i: int) -> bool:
    """Whether an element begins with a heading that says "Comments", and holds a form to send one."""
    first = next((n for n in range(i + 1, tree.last[i]) if tree.count(n)), i)
    is_headed = tree.tags[first] in HEADINGS and NOUN.match(" ".join(tree.text(first).split())) is not None
    stop = tree.last[i]
    # It follows the heading, or the last comment.
    near = (tree.tags[i : min(i + _NEAR_EDGE, stop)], tree.tags[max(i, stop - _NEAR_EDGE) : stop])
    return is_headed and any("form" in tags for tags in near)


def outside_margins(tree: PageView) -> Iterator[int]:
    """The elements of a page without those in margins."""
    i = 0
    while i < len(tree.tags):
        if is_margin(tree, i):
            i = tree.last[i]
        else:
            yield i
            i += 1


def _holds_comments(tree: PageView, i: int) -> bool:
    """Whether a form is around dated elements that are named as comments: some systems put the list
    in it, too.
    """
    inside = range(i + 1, min(tree.last[i], i + _MOST_IN_FORM))
    return any(is_item(tree.classes(n)) and has_date(tree, n) for n in inside if tree.count(n))


def _holds_page(tree: PageView, i: int) -> bool:
    """Whether an element holds most of the page, whatever it is called; some systems put all of it
    in a form.
    """
    return tree.count(i) * 2 > tree.count(0)
