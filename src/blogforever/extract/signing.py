"""Lines that only say when a text was written, by whom, and how long it takes to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from blogforever.dates import DateReading, find_dates, same_day
from blogforever.dom import tokenise
from blogforever.model import Moment
from blogforever.page.speech import FILING
from blogforever.wordlists import LiveWords, WordLists

_LISTS = WordLists("blogforever.page", "speech.toml")


def _words_of(*names: str) -> LiveWords:
    # Of several words the space is written as in an expression.
    return LiveWords(
        lambda: tokenise(" ".join(word.replace(r"\s", " ") for name in names for word in _LISTS.now(name)))
    )


SIGNING = _words_of("signing")
"""Words beside the date and the name in such a line."""
_YEARLY = _words_of("yearly")
LABELLING = _words_of("signing", "writer", "filed")
"""Words that stand alone before a date, a name, or what a post is filed under: "Author", "Tags"."""
SIGNING_AND_FILING = LiveWords(lambda: [*LABELLING, *tokenise(FILING)])
"""Words beside the date, the name, and what a post is filed under, in a line that says nothing else."""
# Characters of a line that dates and signs a post.
_SHORT = 100


def are_signing(words: Iterable[str], signing: Set[str] = SIGNING) -> bool:
    """Whether words are none but those that sign, and numbers: of a long text "1.2k" words."""
    return all(word in signing or word.removesuffix("k").isdigit() for word in words)


def signs_only(text: str, signing: Set[str]) -> bool:
    """Whether a line is a name and words that sign, and nothing else."""
    return 0 < len(text) <= _SHORT and all(word in signing for word in tokenise(text))


def dates_only(text: str, signing: Set[str] = SIGNING, languages: Sequence[str] = ()) -> bool:
    """Whether a line is a date or several ("updated on"), words that sign, and nothing else."""
    if not 0 < len(text) <= _SHORT:
        return False
    found = find_dates(text, languages)
    beside = (word for word in tokenise(outside_dates(text, found)) if word not in _YEARLY)
    return bool(found) and are_signing(beside, signing)


def outside_dates(text: str, found: Iterable[DateReading]) -> str:
    """What a text says beside its dates, one line for each stretch of it."""
    pieces, at = [], 0
    for date in found:
        pieces.append(text[at : date.start])
        at = max(at, date.end)
    return "\n".join((*pieces, text[at:]))


def beside_day(text: str, day: Moment | None, languages: Sequence[str] = ()) -> list[str] | None:
    """The words of a line that says a certain day, or any where that is not known, beside it; None
    where it says none, or but its month.
    """
    found = find_dates(text, languages, limit=1) if len(text) <= _SHORT else []
    if not found or found[0].moment.precision in ("year", "month"):
        return None
    if day and not same_day(found[0].moment, day):
        return None
    return tokenise(text[: found[0].start] + " " + text[found[0].end :])
