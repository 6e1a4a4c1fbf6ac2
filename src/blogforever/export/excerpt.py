"""The few words of a text that show why it was found, or its beginning."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

# Characters before and behind a word that was found: about a line of text on either side.
AROUND = 70
# Where words stand is looked for in so much of a text: a whole book must not hold up a search.
LONGEST = 200_000
# Places of words that are weighed against each other: each is compared with all others.
MOST = 200
# Characters of a text that stand for the whole on a card of the static copy.
BEGINNING = 240


def beginning(text: str, length: int = BEGINNING) -> str:
    """The first words, cut at a space where there is one."""
    flat = " ".join(text[: length * 4].split())
    if len(flat) <= length:
        return flat
    cut = flat[:length]
    word_end = cut.rfind(" ")
    return (cut[:word_end] if word_end > length // 2 else cut).rstrip(" ,;:") + "\u00a0…"


def folded(text: str) -> tuple[str, Sequence[int]]:
    """The text without case and accents, and for each of its characters the place it came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    parts = [_plain(char) for char in text]
    places = [place for place, part in enumerate(parts) for _char in part]
    return "".join(parts), places


@cache
def _plain(char: str) -> str:
    """A character without case and accents."""
    parts = unicodedata.normalize("NFKD", char).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part))


def found_at(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where the words stand in the text, in order, none over another."""
    plain, places = folded(text)
    spots = sorted(spot for word in words for spot in _spots(plain, folded(word)[0]))
    kept: list[tuple[int, int]] = []
    for start, end in spots:
        first, last = places[start], places[end - 1] + 1
        if not kept or first >= kept[-1][1]:
            kept.append((first, last))
    return kept


def _spots(plain: str, word: str) -> Iterable[tuple[int, int]]:
    start = plain.find(word) if word else -1
    while start >= 0:
        # In a script with spaces a word is found at its beginning only, as the index finds it.
        if start == 0 or not (plain[start - 1].isalnum() and word[0].isascii()):
            yield start, start + len(word)
        start = plain.find(word, start + len(word))


def snippet(text: str, words: Sequence[str], mark: tuple[str, str] = ("", ""), around: int = AROUND) -> str:
    """The part of the text with the most of the words, each between the two marks."""
    text = " ".join(text[:LONGEST].split())
    spots = found_at(text, words)[:MOST]
    if not spots:
        return beginning(text, 2 * around)
    first = max(
        range(len(spots)),
        key=lambda n: sum(spots[n][0] <= s < spots[n][0] + 2 * around for s, _ in spots),
    )
    start = max(0, spots[first][0] - around)
    end = min(len(text), spots[first][0] + 2 * around)
    start = 0 if start == 0 else _next_space(text, start, spots[first][0])
    parts = ["… " if start else ""]
    place = start
    for left, right in spots[first:]:
        if right > end:
            break
        parts += [text[place:left], mark[0], text[left:right], mark[1]]
        place = right
    tail = text[place:end]
    return "".join(parts) + (tail if end == len(text) else tail.rsplit(" ", 1)[0] + " …")


def _next_space(text: str, start: int, limit: int) -> int:
    space = text.find(" ", start, limit)
    return start if space < 0 else space + 1
