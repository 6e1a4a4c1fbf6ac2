"""The heading of a page's article: the one that says what the page's own title says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations, islice
from unicodedata import category
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.visible import is_hidden
from blogforever.page.view import PageView
from blogforever.urls import host_of, join, page_key, path_of

_SEPARATOR = re.compile(r"(?<!\s)\s*(?:[|»«·•›‹—–⋆]|::|\s[:/~\-]\s|:\s|\s-|-\s|\s:)\s*")
_SLUG = re.compile(r"[\W_]+")
# An address in a folder of a folder.
_DEEP = re.compile(r"(?:https?://[\w.-]+)?(?:/[\w-][\w.-]*){3,}/?")
_TITLE_NAMES = ("title", "headline", "p-name")

# Bounds of work on hostile pages: headings, links and site names looked at, parts of a title, and
# headings compared with each other.
_MAX_FOUND = 300
_MOST_LINKS = 2000
_MOST_SITES = 10
_MOST_CUTS = 8
_MOST_COMPARED = 40
# Words of a heading, and of a site's name.
_LONGEST = 60
_LONGEST_SITE = 15
# Letters of a site's name that its host has, too: fewer may be those of a country or a part of the site.
_SHORTEST_SITE = 4
# Words that no menu or by-line has: after them comes no heading, but the title once more.
_TEXT_BETWEEN = 40

# --- how well a text fits the page's title, from 0 to 1

# A part cut at a separator: the longer it is, the less may it be the site's name.
_PART, _PART_LENGTH = 0.6, 0.35
# A part with a date or a number beside it, which must not be most of the heading.
_CORE, _CORE_SHARE, _LEAST_CORE = 0.4, 0.4, 0.5
# The beginning or end of the title, cut anywhere.
_EDGE, _EDGE_LENGTH = 0.4, 0.3
# Words in common, of so many that it is no chance.
_COMMON_WORDS, _FEWEST_WORDS = 0.7, 3
# A better fit than this is looked into as the article's heading.
_GOOD_FIT = 0.4

# --- what the element says: a real heading first, then a class that says title, then any text

_OUTER_HEADING = 0.7
_NAMED_TITLE = 0.85
_ANY_TEXT, _ANY_LINK = 0.65, 0.55
_IN_FURNITURE = 0.9
# A heading that is not shown is the article's only where no other says the same.
_NOT_SHOWN = 0.8
# Elements around a heading that may hide it: pop-ups wrap it twice or three times.
_HIDING_LEVELS = 6
_OUTER_KINDS = frozenset(("outer", "comment", "furniture"))

# --- the site's heading against the post's

_SITE_HEADING = 0.3
# The post's title is said once; the site's name again and again, which counts up to here.
_REPEATED, _MOST_REPEATED = 0.4, 3
_SLUG_WEIGHT = 2
# The first of two is the site's, which stands above, unless the post's evidence is clearly less.
_CLEARLY = 0.1
_OWN_ANCHORS = "h1 > a[href^='#']:last-child, h2 > a[href^='#']:last-child"
# Kinds of signs that are pictures or of mathematics: no sentence ends in them.
_PICTURES = frozenset(("So", "Sm"))
_ANCHOR = re.compile(r"(?<![\s¶§🔗])\s*+[¶§🔗]++\s*+$|(?<!\s)\s++#++\s*+$|^\s*+[#¶§🔗]++\s+")


@dataclass(frozen=True, slots=True)
class Heading:
    """What may be the article's heading, and how well it fits the page's title, from 0 to 1."""

    element: int
    text: str
    fit: float


def title_key(text: str) -> str:
    """What is compared: letters and digits only."""
    return _SLUG.sub("", text.casefold())


def title_parts(title: str) -> list[str]:
    """Every run of neighbouring parts of "Title | Section | Site", the whole first, then by length."""
    cuts = [match.span() for match in _SEPARATOR.finditer(title)][:_MOST_CUTS]
    begins = [0, *[end for _, end in cuts]]
    ends = [*[start for start, _ in cuts], len(title)]
    runs: set[str] = set()
    for n, begin in enumerate(begins):
        runs |= {title[begin:end].strip() for end in ends[n:]}
    return sorted(filter(None, runs), key=len, reverse=True)


def _part_keys(title: str) -> set[str]:
    return set(map(title_key, title_parts(title))) - {""}


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


def without_anchor(title: str, sign: str = "") -> str:
    """A title without the sign by which a heading links to itself.

    What ends in # right after a letter is called so, unless the page's headings have that sign.
    """
    return _ANCHOR.sub("", title.removesuffix(sign)).strip()


def heading_sign(tree: LexborHTMLParser, last: str = "") -> str:
    """The sign at the end of the page's headings that links to them; empty where there is none.

    Where a title ends in a picture of a sign, as ★ or ∞, it is one if a link says nothing else.
    """
    link = tree.css_first(_OWN_ANCHORS)
    text = (link.text(strip=True) if link is not None else "") or ""
    if len(text) == 1 and not text.isalnum():
        return text
    is_picture = category(last) in _PICTURES if len(last) == 1 else False
    return last if is_picture and any(a.text(strip=True) == last for a in tree.css("a")) else ""


def site_names(page: PageView, url: str) -> list[str]:
    """What the page calls its site: the text of links to its root or to a folder above the page."""
    names: dict[str, None] = {}
    here = page_key(url)
    links = (i for i, tag in enumerate(page.tags) if tag == "a")
    named = (i for i in links if 0 < page.count(i) < _LONGEST_SITE)
    for i in islice(named, _MOST_LINKS):
        if _is_above(url, here, page.attribute(i, "href")):
            names[page.line(i)] = None
            if len(names) >= _MOST_SITES:
                break
    return list(names)


def names_in_host(titles: Iterable[str], url: str) -> list[str]:
    """The parts of a page's titles that say no more than its host: "Example" of "About us | Example" at example.org."""
    labels = {title_key(label) for label in host_of(url).split(".")[:-1]}
    return [
        part
        for title in titles
        for part in title_parts(title)
        if title_key(part) in labels and title_key(part) != title_key(title) and len(part) >= _SHORTEST_SITE
    ]


def _is_elsewhere(href: str, here: str) -> bool:
    """Whether a link surely leads to another site, seen without taking it apart."""
    return href.startswith("http") and href.isascii() and here.partition("/")[0] not in href.lower()


def _is_above(url: str, here: str, href: str) -> bool:
    """Whether a link leads to the site's root or to a folder above the page."""
    if not href or _DEEP.fullmatch(href) or _is_elsewhere(href, here):
        return False
    target = join(url, href)
    if not target:
        return False
    key = page_key(target)
    is_shallow = key.count("/") <= 1
    return is_shallow and key != here and here.startswith(key.rstrip("/") + "/")


def headings(
    page: PageView,
    titles: Iterable[str],
    sites: Iterable[str],
    url: str,
    junk: Sequence[bool],
) -> list[Heading]:
    """What may be the article's heading, the best fit first."""
    wanted = [title for title in dict.fromkeys((*titles, _slug_title(url))) if title]
    names = set(map(title_key, sites)) - {""}
    found: list[Heading] = []
    for i, text in _heading_texts(page, wanted):
        fit = 0.0
        if title_key(text) not in names:
            fit = max((_fit(text, title) for title in wanted), default=0.0)
        share = (_IN_FURNITURE if junk[i] else 1.0) * (_NOT_SHOWN if _is_in_hidden(page, i) else 1.0)
        found.append(Heading(i, text, fit * _rank(page, i) * share))
        if len(found) >= _MAX_FOUND:
            break
    found = _above_the_text(page, _without_site_headings(page, found, wanted, url))
    return sorted(found, key=lambda heading: (-heading.fit, heading.element))


def _is_in_hidden(page: PageView, i: int) -> bool:
    """Whether an element stands in one that is not shown at first, as a form for a password is."""
    return any(is_hidden(page.attributes(around)) for around in (i, *page.around(i, _HIDING_LEVELS)))


def _heading_texts(page: PageView, titles: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Headings, and other elements that say nothing but a part of a title, with their texts."""
    parts = [part for title in titles for part in title_parts(title)]
    keys = set(map(title_key, parts)) - {""}
    lengths = {len(tokenise(part)) for part in parts}
    for i, tag in enumerate(page.tags):
        words = page.end[i] - page.start[i]
        if not 0 < words < _LONGEST:
            continue
        if tag in HEADINGS:
            yield i, page.line(i)
        elif words in lengths and not page.blocks[i]:
            text = page.line(i)
            if title_key(text) in keys:
                yield i, text


def _rank(page: PageView, i: int) -> float:
    """A real heading before an element with a telling class, and that before any other text."""
    if page.tags[i] in HEADINGS:
        return _OUTER_HEADING if page.kinds[i] in _OUTER_KINDS else 1.0
    if is_named_title(page, i):
        return _NAMED_TITLE
    return _ANY_LINK if page.tags[i] == "a" else _ANY_TEXT


def _above_the_text(page: PageView, found: Sequence[Heading]) -> list[Heading]:
    """Headings, those below the text no better than the first that says the same.

    A heading whose class speaks of the page's head is the article's all the same, where its text
    follows. What says the same below the text only repeats it, and must not be preferred for its
    better name.
    """
    first: dict[str, Heading] = {}
    for heading in found:
        if page.tags[heading.element] in HEADINGS and page.kinds[heading.element] == "outer":
            first.setdefault(title_key(heading.text), heading)
    return [_after(page, heading, first.get(title_key(heading.text), heading)) for heading in found]


def _after(page: PageView, heading: Heading, first: Heading) -> Heading:
    """The heading, no better than the first that says the same where a text stands between them."""
    between = page.own_words_between(page.end[first.element], page.start[heading.element])
    if between < _TEXT_BETWEEN:
        return heading
    return replace(heading, fit=min(heading.fit, first.fit))


def _without_site_headings(
    page: PageView,
    found: Sequence[Heading],
    titles: Sequence[str],
    url: str,
) -> list[Heading]:
    """Where two texts together make up the title, one is the site's name: it loses."""
    good = [heading for heading in found if heading.fit > _GOOD_FIT][:_MOST_COMPARED]
    said = [(heading, title_key(shown_title(heading.text, titles))) for heading in good]
    keys = set(map(title_key, titles))
    evidence = _evidences(page, said, keys, url)
    losers: set[int] = set()
    for (first, one), (second, other) in combinations(said, 2):
        if one != other and (one + other in keys or other + one in keys):
            is_first = evidence[first.element] <= evidence[second.element] + _CLEARLY
            losers.add(first.element if is_first else second.element)
    return [_as_site(heading) if heading.element in losers else heading for heading in found]


def _evidences(
    page: PageView,
    said: Sequence[tuple[Heading, str]],
    titles: Set[str],
    url: str,
) -> dict[int, float]:
    """How much speaks for each heading; what is the whole title may be said again and again."""
    counts = Counter(key for heading, key in said if page.tags[heading.element] in HEADINGS)
    slug = _slug_words(url)
    evidence = {}
    for heading, key in said:
        times = 0 if key in titles else counts[key]
        evidence[heading.element] = _evidence(heading, slug, times)
    return evidence


def _as_site(heading: Heading) -> Heading:
    return replace(heading, fit=_SITE_HEADING * heading.fit)


def _evidence(heading: Heading, slug: set[str], count: int) -> float:
    """How much speaks for the post's heading against the site's.

    The address, the rank, being said once.
    """
    words = _words(heading.text)
    in_address = _SLUG_WEIGHT * len(words & slug) / max(1, len(words | slug))
    again = min(max(count - 1, 0), _MOST_REPEATED)
    return in_address + heading.fit - _REPEATED * again


def _slug_words(url: str) -> set[str]:
    """The words of the last part of an address."""
    return _words(_slug(url))


def _slug(url: str) -> str:
    """The last part of an address, without its suffix."""
    path = unquote(path_of(url)).casefold().rstrip("/")
    is_index = path.endswith("/index.html")
    last = path.split("/")[-2] if is_index else path.rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0]


def _slug_title(url: str) -> str:
    """What a page is called by its address, where that has words enough; empty elsewhere."""
    words = [word for word in _SLUG.split(_slug(url)) if word]
    return " ".join(words) if len(words) >= _FEWEST_WORDS else ""


def _words(text: str) -> set[str]:
    return set(_SLUG.split(text.casefold())) - {""}


def is_named_title(page: PageView, i: int) -> bool:
    """Whether an element is called a title."""
    names = page.attribute(i, "class").lower()
    return any(name in names for name in _TITLE_NAMES)


def _fit(text: str, title: str) -> float:
    """How well a text fits a title.

    1 is the whole title, a little less a part cut at a separator, little a mere share of it.
    """
    key, whole = title_key(text), title_key(title)
    if not key or not whole:
        return 0.0
    if key == whole:
        return 1.0
    return _partial_fit(key, title) or _common_words(text, title)


def _partial_fit(key: str, title: str) -> float:
    """How well a text fits a part of a title; 0 where it is none."""
    whole = title_key(title)
    parts = _part_keys(title)
    if key in parts:
        return _PART + _PART_LENGTH * len(key) / len(whole)
    core = _core(key, parts)
    if core > _LEAST_CORE:
        return _CORE + _CORE_SHARE * core
    if _is_edge(key, whole):
        return _EDGE + _EDGE_LENGTH * len(key) / len(whole)
    return 0.0


def _common_words(text: str, title: str) -> float:
    words, wanted = _words(text), _words(title)
    if len(words) < _FEWEST_WORDS:
        return 0.0
    return _COMMON_WORDS * len(words & wanted) / len(words | wanted)


def _core(key: str, parts: Iterable[str]) -> float:
    """The share of a heading that is a part of the title, beside a date or a number."""
    shares = [len(part) / len(key) for part in parts if _is_edge(part, key)]
    return max(shares, default=0.0)


def _is_edge(part: str, whole: str) -> bool:
    return whole.startswith(part) or whole.endswith(part)


def shown_title(text: str, titles: Iterable[str]) -> str:
    """The heading's text, without a date or number beside it where the page's title has none."""
    key = title_key(text)
    said = list(titles)
    parts = [part for title in said for part in title_parts(title)]
    if key in map(title_key, parts) or any(_is_edge(key, title_key(title)) for title in said):
        return text
    without_number = [part for part in parts if _is_but_for_number(title_key(part), key)]
    return max(without_number, key=len, default=text)


def _is_but_for_number(part: str, key: str) -> bool:
    """Whether a part is most of a heading, and what else it says has a digit in it."""
    if not part or len(part) <= _LEAST_CORE * len(key) or not _is_edge(part, key):
        return False
    return any(c.isdigit() for c in key.replace(part, "", 1))
