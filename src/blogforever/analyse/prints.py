"""Prints of texts and of templates: numbers that are the same where texts are, however many blogs are compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from heapq import nsmallest

from blogforever.dom import bounded, decode, parse, tokenise, walk
from blogforever.model import Page
from blogforever.similarity import is_unspaced, shingles

# Prints of a text: the smallest of all its numbers, so that two texts with most of their runs of
# words in common have most of them in common, too.
PRINTS = 4
# Prints that two texts must share to be taken for one: one alone may come from a saying or a
# signature.
SAME = 2
# Words in a run, and in a text below which it is no evidence: short ones are alike by chance. Where
# each character is a word, more are needed.
RUN, LEAST_WORDS = 6, 40
UNSPACED_RUN, LEAST_CHARACTERS = 20, 120
# Words of a text that are looked at: who copies copies its beginning.
MOST_WORDS = 2000
# Elements of a page that its template is told from: beyond these the same begins again.
MOST_ELEMENTS = 20_000
# Elements with a class of their own that make a template of one's own: barer pages are all alike.
LEAST_CLASSES = 6
NUMBER = 2**63 - 1
DAY = len("2026-01-31")


@dataclass(frozen=True, slots=True)
class PrintedPost:
    """A post with the prints of its text."""

    post: str
    published: str
    prints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Twin:
    """A post whose text stands in another blog, too, and when each was published, where that is
    known.
    """

    post: str
    published: str
    other: str
    other_published: str

    @property
    def is_later(self) -> bool:
        """Whether the other blog had it first; where an hour is not known, by a day."""
        length = min(len(self.published), len(self.other_published))
        return bool(length) and self.other_published[:length] < self.published[:length]


def comparable(published: str) -> str:
    """When a post was published, as it can be compared with others: its minute in UTC, or only its
    day.
    """
    if len(published) <= DAY:
        return published
    try:
        moment = datetime.fromisoformat(published)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M") if moment.tzinfo else published[:DAY]
    except (ValueError, OverflowError):
        return published[:DAY]


def text_prints(text: str) -> tuple[int, ...]:
    """The prints of a text; none where it is too short to say anything."""
    words = tokenise(text)[:MOST_WORDS]
    run, least = (UNSPACED_RUN, LEAST_CHARACTERS) if is_unspaced(words) else (RUN, LEAST_WORDS)
    if len(words) < least:
        return ()
    return tuple(nsmallest(PRINTS, {_number(one) for one in shingles(words, run)}))


def template_print(page: Page) -> int | None:
    """The print of the template that a page was made by; None where there is too little of one.

    Elements with their classes, each once: how many items a list has says nothing of its template.
    """
    root = parse(bounded(decode(page.content, page.headers))).root
    if root is None:
        return None
    found = set()
    for number, (node, _) in enumerate(walk(root)):
        if number > MOST_ELEMENTS:
            break
        names = (node.attributes.get("class") or "").split()
        # Names with digits are of one page: its number, its month.
        found |= {f"{node.tag}.{name}" for name in names if not any(sign.isdigit() for sign in name)}
    return _number(sorted(found)) if len(found) >= LEAST_CLASSES else None


def _number(words: Iterable[str]) -> int:
    """A number that is the same on every machine and in every process."""
    return int.from_bytes(blake2b("\0".join(words).encode(), digest_size=8).digest()) & NUMBER
