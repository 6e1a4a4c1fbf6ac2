"""How many comments a hosted system has of many posts, asked at once: cheaper than drawing each of them. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from blogforever.urls import join

from .hosted import Count, System, announced

# Answers come from strangers: more lists and tables than any answer about a blog's posts has.
MOST_PARTS = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """Where a system counts its comments, as the source of one of the blog's pages tells it."""

    system: str
    url: str
    count: Count

    def name(self, url: str) -> str:
        """What the system calls the thread of a post."""
        return (urlsplit(url).path or "/") if self.count.names == "path" else url

    def requests(self, names: Sequence[str]) -> Iterator[tuple[str, bytes, Sequence[str]]]:
        """Address and body of each request that is needed, with the names it is about."""
        if self.count.post:
            yield self.url, json.dumps(list(names)).encode(), names
            return
        for start in range(0, len(names), self.count.at_once):
            some = names[start : start + self.count.at_once]
            quoted = (quote(name, safe="/%") for name in some)
            yield self.url + self.count.between.join(quoted), b"", some


def question(html: str, url: str) -> Question | None:
    """What can be asked, by the first system of a page that counts."""
    asked = (_question(system, html, url) for system in announced(html))
    return next((one for one in asked if one), None)


def _question(system: System, html: str, url: str) -> Question | None:
    count = system.count
    if count is None:
        return None
    place = count.url
    for name, pattern in count.find.items():
        found = re.search(pattern, html)
        if found is None or not found.lastindex:
            return None
        place = place.replace(f"{{{name}}}", found[found.lastindex].rstrip("/"), 1)
    absolute = join(url, place)
    return Question(system.name, absolute, count) if absolute else None


def read_counts(text: str, names: Sequence[str]) -> dict[str, int]:
    """The numbers in an answer, however it wraps them: a list in the order asked, or each beside
    its name.
    """
    counts: dict[str, int] = {}
    threads = frozenset(names)
    waiting: list[Any] = [_told(text)]
    for _ in range(MOST_PARTS):
        if not waiting:
            break
        part = waiting.pop()
        if isinstance(part, list) and _is_row_of_counts(part, len(names)):
            counts |= dict(zip(names, part, strict=True))
        elif isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            counts |= _named(part, threads)
            waiting += [value for value in part.values() if isinstance(value, list | dict)]
    return counts


def _told(text: str) -> Any:
    """The JSON of an answer; some wrap it in a call of a function of theirs."""
    starts = [place for place in map(text.find, "[{") if place >= 0]
    end = max(map(text.rfind, "]}")) + 1
    try:
        return json.loads(text[min(starts, default=0) : end])
    except (ValueError, RecursionError):
        return None


def _is_row_of_counts(part: list[Any], length: int) -> bool:
    return len(part) == length and all(map(_is_count, part))


def _named(part: Mapping[str, Any], threads: frozenset[str]) -> dict[str, int]:
    """Numbers under the names of threads themselves, or one beside a name."""
    counts = {name: number for name, number in part.items() if name in threads and _is_count(number)}
    beside = [part[key] for key in ("comments", "count") if _is_count(part.get(key))]
    names = [value for value in part.values() if isinstance(value, str) and value in threads]
    if names and beside:
        counts[names[0]] = beside[0]
    return counts


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
