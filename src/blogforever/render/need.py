"""Does a page need a browser? Told from what it says without its scripts, and from what drawing it added. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever.comments import extract_comments
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.dom import decode, node_text, parse, tokenise
from blogforever.model import Entry, Page
from blogforever.page.view import view_of
from blogforever.urls import same_site

from .hosted import announced

FEW_WORDS = 60
"""A page with fewer words, and scripts to draw more, shows nothing without them."""
TOLD_WORDS = 40
"""So many words of a feed entry tell whether a page has its text."""
# The part of a feed entry's words on its page: with less, its text is missing; with more, it is
# there. What lies between may be an entry that was edited since.
MISSING, THERE = 0.4, 0.7
# What scripts must add to a page that showed hardly anything: by half as much again and so many
# words more, or so many links. Less is a menu, a date or a banner.
HALF_AS_MUCH_AGAIN = 1.5
MORE_WORDS, MORE_LINKS = 40, 5


@dataclass(frozen=True, slots=True)
class PageLook:
    """What a page shows as it came: its words, its links to the blog, the part of the feed's text."""

    words: int
    links: int
    recall: float | None


@dataclass(frozen=True, slots=True)
class Gain:
    """What drawing a page added."""

    article: bool
    comments: int


def look(page: Page, entry: Entry | None = None) -> PageLook:
    """Read a page as a visitor without scripts."""
    tree = view_of(page).tree
    links = sum(same_site(link, page.url) for link in read_facts(page).links)
    words = tokenise(node_text(tree.body)) if tree.body else []
    return PageLook(len(words), links, _recall(words, entry))


def suspicion(page: Page, entry: Entry | None = None) -> str | None:
    """Why a browser may see more of this page; None where nothing says so."""
    if not looks_like_html(page) or b"<script" not in page.content.lower():
        return None
    seen = look(page, entry)
    if seen.words < FEW_WORDS:
        return f"{seen.words} words without scripts"
    if seen.recall is not None and seen.recall < MISSING:
        return f"{seen.recall:.0%} of the feed's text without scripts"
    return None


def gain(plain: Page, drawn: Page, entry: Entry | None = None) -> Gain:
    """What the drawn page has that the plain one had not."""
    before, after = look(plain, entry), look(drawn, entry)
    article = _text_came(before, after) or _much_came(before, after)
    return Gain(article, len(extract_comments(drawn)) - len(extract_comments(plain)))


def _text_came(before: PageLook, after: PageLook) -> bool:
    """Whether the feed's text is there now, and was not."""
    if before.recall is None or after.recall is None:
        return False
    return before.recall < MISSING and after.recall >= THERE


def _much_came(before: PageLook, after: PageLook) -> bool:
    """Whether a page that showed hardly anything shows words or links now."""
    if before.words >= FEW_WORDS:
        return False
    more_words = after.words >= before.words * HALF_AS_MUCH_AGAIN + MORE_WORDS
    return more_words or after.links >= before.links + MORE_LINKS


def lost(plain: Page, drawn: Page) -> bool:
    """Whether drawing took most of the text away, as a script does that fails."""
    before = look(plain).words
    return before >= FEW_WORDS and look(drawn).words * 2 < before


def comment_systems(page: Page) -> tuple[str, ...]:
    """The comment systems that would draw something into this page."""
    return tuple(system.name for system in announced(decode(page.content, page.headers)))


def _recall(words: list[str], entry: Entry | None) -> float | None:
    """The part of the entry's words that stand on the page.

    None where the entry says too little.
    """
    html = entry.html or entry.summary_html if entry else ""
    body = parse(html).body if html else None
    told = tokenise(node_text(body)) if body else []
    if len(told) < TOLD_WORDS:
        return None
    here = set(words)
    return sum(word in here for word in told) / len(told)
