"""The address a picture, film or frame really has, behind lazy loading and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from blogforever.extract.visible import Attributes
from blogforever.urls import join

# These name the picture that a script puts in place of `src`.
LAZY = (
    *("data-src", "data-lazy-src", "data-original", "data-lazy", "data-lazyload", "data-echo", "data-actualsrc"),
    *("data-original-src", "data-image", "data-img-src", "data-cfsrc", "data-ezsrc"),
)
# These name a larger copy: of use only where `src` shows nothing.
LARGER = ("data-orig-file", "data-large-file", "data-large_image", "data-full-url", "data-hi-res-src", "data-url")
FRAME_ADDRESSES = (
    "data-src",
    "data-lazy-src",
    "src",
    "data",
    "data-litespeed-src",
    "data-original",
)
SETS = ("srcset", "data-srcset", "data-lazy-srcset")
PLACEHOLDER = re.compile(
    r"data:image/(?:gif|svg)|about:|(?:.*/)?(?:blank|spacer|placeholder|transparent|lazy[\w-]*+|loading|loader|grey|"
    r"gray|pixel|1x1|clear|dot|trans|empty|default-image|s)(?:[-_.]?\d+)?\.(?:gif|png|svg|jpe?g)(?:[?#]|$)",
    re.IGNORECASE,
)
INLINE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s%]{200,}", re.IGNORECASE)
# Characters of a picture written into the page itself that are kept.
LONGEST_INLINE = 2_000_000
SIZE = re.compile(r"[\d.]+[wxh]")
TINY_STYLE = re.compile(r"(?<![\w-])(?:width|height)\s*:\s*[01](?:px)?\s*(?=;|$|!)", re.IGNORECASE)
TINY = frozenset(["0", "1", "0px", "1px"])


def picture_url(attributes: Attributes, base: str) -> str | None:
    """The absolute address of the picture an img element stands for; None for a placeholder."""
    url = _first_usable(attributes, LAZY, base)
    if url:
        return url
    src = attributes.get("src") or ""
    url = _usable(src, base) if src and not PLACEHOLDER.match(src) else None
    url = url or _first_usable(attributes, LARGER, base)
    if url:
        return url
    candidates = picture_set(attributes, base)
    return max(candidates, key=_size)[0] if candidates else None


def _first_usable(attributes: Attributes, names: tuple[str, ...], base: str) -> str | None:
    for name in names:
        value = attributes.get(name)
        url = _usable(value, base) if value else None
        if url:
            return url
    return None


def fallback_url(attributes: Attributes, base: str) -> str | None:
    """The address a placeholder itself has, for pictures that only look like one."""
    src = attributes.get("src") or ""
    return _usable(src, base)


def _usable(value: str, base: str) -> str | None:
    value = value.strip()
    if value[:5].lower() == "data:":
        return value if len(value) <= LONGEST_INLINE and INLINE.fullmatch(value) else None
    return join(base, value) if value else None


def picture_set(attributes: Attributes, base: str) -> list[tuple[str, str]]:
    """The candidates of a srcset, absolute, with their descriptors."""
    for name in reversed(SETS):
        value = attributes.get(name)
        candidates = _candidates(value, base) if value else []
        if candidates:
            return candidates
    return []


def _candidates(value: str, base: str) -> list[tuple[str, str]]:
    candidates = []
    for url, sizes in _read_set(value):
        if url.startswith("data:") or not all(map(SIZE.fullmatch, sizes)):
            continue
        absolute = join(base, url)
        if absolute:
            candidates.append((absolute, " ".join(sizes)))
    return candidates


def _read_set(value: str) -> Iterator[tuple[str, list[str]]]:
    """Each address of a set with its sizes: an address ends at a space, its sizes at a comma."""
    url, sizes = "", list[str]()
    for word in value.split():
        rest = word
        if url:
            size, comma, rest = word.partition(",")
            sizes += [size] if size else []
            if not comma:
                continue
            yield url, sizes
        address = rest.strip(",")
        if address and rest.endswith(","):
            yield address, []
            address = ""
        url, sizes = address, []
    if url:
        yield url, sizes


def written_set(candidates: list[tuple[str, str]]) -> str:
    """A srcset attribute of these candidates."""
    return ", ".join(f"{url} {size}".strip().replace(",", "%2C") for url, size in candidates)


def _size(candidate: tuple[str, str]) -> float:
    number = re.match(r"[\d.]+", candidate[1])
    try:
        return float(number.group()) if number else 1.0
    except ValueError:
        return 0.0


def is_tracker(attributes: Attributes) -> bool:
    """Whether a picture is too small to be seen."""
    if attributes.get("width") in TINY and attributes.get("height") in TINY:
        return True
    style = attributes.get("style") or ""
    return bool(style) and len(TINY_STYLE.findall(style)) > 1


def frame_url(attributes: Attributes, base: str) -> str | None:
    """The absolute address of an iframe, film or sound, also where it waits for a script."""
    for name in FRAME_ADDRESSES:
        value = attributes.get(name)
        url = join(base, value) if value else None
        if url:
            return url
    return None
