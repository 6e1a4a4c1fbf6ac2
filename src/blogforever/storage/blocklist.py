"""What is blocked, ready to be asked of many addresses: hosts and addresses by look-up, patterns in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from blogforever.errors import UsageError
from blogforever.urls import host_of, url_key

from .following import BlockedPlace, BlockKind

WILDCARD = "*"
# Characters of a pattern beside its wildcards: fewer would block what nobody meant.
FEWEST_LETTERS = 4
LONGEST_PATTERN = 500
LOCAL = "localhost"
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
REMEMBERED = 1024


class BlockList:
    """Says of an address whether it is blocked, and by which entry: the narrowest first."""

    def __init__(self, places: Iterable[BlockedPlace]) -> None:
        self._addresses: dict[str, BlockedPlace] = {}
        self._hosts: dict[str, BlockedPlace] = {}
        self._patterns: list[BlockedPlace] = []
        for place in places:
            if place.kind == "address":
                self._addresses[url_key(place.what)] = place
            elif place.kind == "host":
                self._hosts[place.what] = place
            else:
                self._patterns.append(place)

    def blocking(self, url: str) -> BlockedPlace | None:
        """The entry that blocks an address."""
        key = url_key(url)
        for part in _parts_above(key):
            if part in self._addresses:
                return self._addresses[part]
        for host in _hosts_above(host_of(url).removeprefix("www.")):
            if host in self._hosts:
                return self._hosts[host]
        return next((place for place in self._patterns if matches(place.what, key)), None)


def blockable(what: str, kind: BlockKind | None = None) -> tuple[BlockKind, str]:
    """What a person wants blocked, and of which kind it is where he does not say; UsageError for
    what cannot be.

    A host is blocked with and without `www.`; one that begins with `*.` stands for all hosts below
    it, too.
    """
    text = what.strip()
    bare = SCHEME.sub("", text)
    kind = kind or _kind_of(bare)
    if kind == "pattern":
        return kind, _pattern(bare)
    beneath = bare.startswith(f"{WILDCARD}.")
    host = host_of(f"http://{bare.removeprefix(WILDCARD).lstrip('.')}").removeprefix("www.")
    if not host or WILDCARD in host or not (beneath or _is_real(host)):
        raise UsageError(
            f"{what!r} names no host, address or pattern that could be blocked, such as spam.example or *casino*."
        )
    if kind == "host":
        return kind, f".{host}" if beneath else host
    return kind, text if SCHEME.match(text) else f"https://{bare}"


def _is_real(host: str) -> bool:
    """Whether blogs can be there: a word without a dot is a slip of whoever typed it."""
    return "." in host or ":" in host or host == LOCAL


def matches(pattern: str, key: str) -> bool:
    """Whether a pattern with wildcards fits an address without scheme and `www.`; case does not
    count.
    """
    first, *rest = _pieces(pattern)
    text = key.lower()
    if not rest:
        return text == first
    *between, last = rest
    if not text.startswith(first):
        return False
    place = len(first)
    for piece in between:
        place = text.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return len(text) - len(last) >= place and text.endswith(last)


@lru_cache(maxsize=REMEMBERED)
def _pieces(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.lower().split(WILDCARD))


def _kind_of(bare: str) -> BlockKind:
    is_wide_host = bare.startswith(f"{WILDCARD}.") and bare.count(WILDCARD) == 1 and "/" not in bare
    if WILDCARD in bare and not is_wide_host:
        return "pattern"
    return "address" if bare.partition("/")[2] else "host"


def _pattern(bare: str) -> str:
    letters = sum(character.isalnum() for character in bare)
    if letters < FEWEST_LETTERS:
        raise UsageError(f"The pattern {bare!r} would block nearly everything; it needs {FEWEST_LETTERS} letters.")
    if len(bare) > LONGEST_PATTERN:
        raise UsageError(f"A pattern has at most {LONGEST_PATTERN} characters.")
    return re.sub(r"\*{2,}", WILDCARD, bare.removeprefix("www."))


def _parts_above(key: str) -> Iterator[str]:
    """An address, and every address that it lies below."""
    yield key
    path = re.split(r"[?#]", key, maxsplit=1)[0]
    while path:
        yield path
        path = path.rpartition("/")[0]


def _hosts_above(host: str) -> Iterator[str]:
    """A host, and what stands for all hosts below one, up to the whole name."""
    yield host
    yield f".{host}"
    rest = host.partition(".")[2]
    while rest:
        yield f".{rest}"
        rest = rest.partition(".")[2]
