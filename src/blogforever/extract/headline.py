"""The heading of a page's article: the one that says what the page's own title says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import unquote

from blogforever.extract.layout import HEADINGS, Layout, count_words
from blogforever.urls import join, path_of, url_key

_SEPARATOR = re.compile(r"(?<!\s)\s*(?:[|»«·•›‹—–⋆]|::|\s[:/~\-]\s|:\s|\s-|-\s|\s:)\s*")
_SLUG = re.compile(r"[\W_]+")
_DEEP = re.compile(r"(?:https?://[\w.-]+)?(?:/[\w-][\w.-]*){3,}/?")  # an address in a folder of a folder
_MAX_FOUND = 300
_MOST_LINKS = 2000
_LONGEST = 60
_TEXT_BETWEEN = 40  # words that no menu or by-line has: after them comes no heading, but the title once more


@dataclass(frozen=True, slots=True)
class Heading:
    """An element that may be the article's heading, its text, and how well it fits the page's title (0 to 1)."""

    element: int
    text: str
    fit: float


def title_key(text: str) -> str:
    """What is compared: letters and digits only."""
    return _SLUG.sub("", text.casefold())


def title_parts(title: str) -> list[str]:
    """Every run of neighbouring parts of "Title | Section | Site", the whole included, longest first."""
    cuts = [(m.start(), m.end()) for m in _SEPARATOR.finditer(title)][:8]
    begins, ends = [0, *[end for _, end in cuts]], [*[start for start, _ in cuts], len(title)]
    found = {title[a:b].strip() for i, a in enumerate(begins) for b in ends[i:]}
    return sorted(filter(None, found), key=len, reverse=True)


def without_site(title: str, site_names: Iterable[str]) -> str:
    """The page's title without the site's name at its beginning or end."""
    keys = {title_key(name) for name in site_names} - {""}
    for cut in _SEPARATOR.finditer(title):
        before, after = title[: cut.start()].strip(), title[cut.end() :].strip()
        if title_key(before) in keys and after:
            return after
        if title_key(after) in keys and before:
            return before
    return title


def site_names(page: Layout, url: str) -> list[str]:
    """What the page calls its site: the text of links to the site's root or to a folder above the page."""
    found: dict[str, None] = {}
    here = url_key(url)
    links = (i for i, tag in enumerate(page.tags) if tag == "a" and 0 < page.words(i) < 15)
    for i in islice(links, _MOST_LINKS):
        if _is_above(url, here, page.nodes[i].attributes.get("href")):
            found[page.text(i)] = None
            if len(found) >= 10:
                break
    return list(found)


def _is_elsewhere(href: str, here: str) -> bool:
    """Whether a link surely leads to another site, seen without taking it apart."""
    return href.startswith("http") and href.isascii() and here.partition("/")[0] not in href.lower()


def _is_above(url: str, here: str, href: str | None) -> bool:
    if not href or _DEEP.fullmatch(href) or _is_elsewhere(href, here):
        return False
    target = join(url, href)
    if not target:
        return False
    key = url_key(target)
    return key != here and here.startswith(key.rstrip("/") + "/") and key.count("/") <= 1


def headings(
    page: Layout, titles: Iterable[str], sites: Iterable[str], url: str, junk: Sequence[bool]
) -> list[Heading]:
    """What may be the article's heading, the best fit first."""
    wanted = [t for t in dict.fromkeys(titles) if t]
    parts = {title_key(part) for title in wanted for part in title_parts(title)} - {""}
    lengths = {count_words(part) for title in wanted for part in title_parts(title)}
    names = {title_key(name) for name in sites} - {""}
    found: list[Heading] = []
    for i, tag in enumerate(page.tags):
        words = page.stops[i] - page.starts[i]
        if (
            not 0 < words < _LONGEST
            or len(found) >= _MAX_FOUND
            or (tag not in HEADINGS and (page.blocks[i] or words not in lengths))
        ):
            continue
        text = page.text(i)
        key = title_key(text)
        if tag in HEADINGS or key in parts:
            fit = 0.0 if key in names else max((_fit(text, title) for title in wanted), default=0.0)
            found.append(Heading(i, text, fit * _rank(page, i) * (0.9 if junk[i] else 1.0)))
    found = _above_the_text(page, _without_site_headings(page, found, wanted, url))
    return sorted(found, key=lambda h: (-h.fit, h.element))


def _rank(page: Layout, i: int) -> float:
    """A real heading before an element with a telling class, and that before any other text."""
    if page.tags[i] in HEADINGS:
        return 1.0 if page.kinds[i] not in ("outer", "comment", "furniture") else 0.7
    return 0.85 if _is_title(page, i) else 0.65 - 0.1 * (page.tags[i] == "a")


def _above_the_text(page: Layout, found: Sequence[Heading]) -> list[Heading]:
    """A heading whose class speaks of the page's head is the article's all the same, where its text follows.

    What says the same below the text only repeats it, so that it must not be preferred for its better name.
    """
    first: dict[str, Heading] = {}
    for one in found:
        if page.tags[one.element] in HEADINGS and page.kinds[one.element] == "outer":
            first.setdefault(title_key(one.text), one)
    return [_after(page, one, first.get(title_key(one.text), one)) for one in found]


def _after(page: Layout, one: Heading, first: Heading) -> Heading:
    words = page.starts[one.element] - page.stops[first.element]
    links = page.link_starts[one.element] - page.link_stops[first.element]
    return replace(one, fit=min(one.fit, first.fit)) if words - links >= _TEXT_BETWEEN else one


def _without_site_headings(page: Layout, found: Sequence[Heading], titles: Sequence[str], url: str) -> list[Heading]:
    """Where two texts together make up the title, one is the site's name: it loses."""
    keys = {title_key(title) for title in titles}
    good = [(h, title_key(shown_title(h.text, titles))) for h in found if h.fit > 0.4][:40]
    counts = Counter(key for h, key in good if page.tags[h.element] in HEADINGS)
    slug = _slug_words(url)
    said = {h.element: _evidence(h, slug, 0 if key in keys else counts[key]) for h, key in good}
    losers: set[int] = set()
    for n, (first, a) in enumerate(good):
        for second, b in good[n + 1 :]:
            if a != b and (a + b in keys or b + a in keys):
                losers.add(first.element if said[first.element] <= said[second.element] + 0.1 else second.element)
    return [Heading(h.element, h.text, 0.3 * h.fit) if h.element in losers else h for h in found]


def _evidence(heading: Heading, slug: set[str], count: int) -> float:
    """How much speaks for the post's heading against the site's: the address, the rank, and being said once."""
    words = {w for w in _SLUG.split(heading.text.casefold()) if w}
    return 2 * len(words & slug) / max(1, len(words | slug)) + heading.fit - 0.4 * min(max(count - 1, 0), 3)


def _slug_words(url: str) -> set[str]:
    path = unquote(path_of(url)).casefold().rstrip("/")
    last = path.rsplit("/", 1)[-1] if not path.endswith("/index.html") else path.split("/")[-2]
    return {w for w in _SLUG.split(last.rsplit(".", 1)[0]) if w}


def _is_title(page: Layout, i: int) -> bool:
    names = page.attribute(i, "class").lower()
    return "title" in names or "headline" in names or "p-name" in names


def _fit(text: str, title: str) -> float:
    """1 for the whole title, a little less for a part cut at a separator, little for a mere share of it."""
    key, whole = title_key(text), title_key(title)
    if not key or not whole:
        return 0.0
    if key == whole:
        return 1.0
    parts = {title_key(part) for part in title_parts(title)} - {""}
    if key in parts:
        return 0.6 + 0.35 * len(key) / len(whole)
    if (core := _core(key, parts)) > 0.5:
        return 0.4 + 0.4 * core
    if whole.startswith(key) or whole.endswith(key):
        return 0.4 + 0.3 * len(key) / len(whole)
    words, wanted = set(_SLUG.split(text.casefold())) - {""}, set(_SLUG.split(title.casefold())) - {""}
    return 0.7 * len(words & wanted) / len(words | wanted) if len(words) > 2 else 0.0


def _core(key: str, parts: Iterable[str]) -> float:
    """The share of a heading that is a part of the title, beside a date or a number before or after it."""
    return max((len(part) / len(key) for part in parts if key.startswith(part) or key.endswith(part)), default=0.0)


def shown_title(text: str, titles: Iterable[str]) -> str:
    """The heading's text, without a date or number beside it where the page's title has none."""
    key = title_key(text)
    best = text
    for part in (part for title in titles for part in title_parts(title)):
        other = title_key(part)
        beside = (
            other and other != key and len(other) > 0.5 * len(key) and (key.startswith(other) or key.endswith(other))
        )
        if other == key:
            return text
        if beside and any(c.isdigit() for c in key.replace(other, "", 1)) and (best is text or len(part) > len(best)):
            best = part
    return best
