"""Who wrote the article and under which tags, as the page shows it near the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from blogforever.dates import find_dates, is_age
from blogforever.dom import tokenise
from blogforever.extract.hiddennames import hidden_author
from blogforever.extract.lines import parted_line
from blogforever.extract.names import (
    clean_name,
    cut_tail,
    has_byline_word,
    is_author_mark,
    is_named_after_site,
    is_placeholder,
    leads_to_name,
    leads_to_person,
    says_by,
    speaks_of_author,
)
from blogforever.extract.personicons import person_icons
from blogforever.extract.prune import first_below_comments
from blogforever.extract.signedname import before_day, is_whole_name, says_when
from blogforever.model import Author
from blogforever.page.speech import DONE_BY, OF_ANY_GENDER, POSTED_BY, words_of
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of
from blogforever.urls import join
from blogforever.wordlists import LivePattern

_BY_TEXT = LivePattern(
    lambda: (
        # What leads to a name in several words comes before the first of them: "נכתב על ידי", "Scris de".
        rf"(?:{POSTED_BY}|(?:^\W*|[|•·∙]\s*|\d\s*,?\s)(?:{words_of('opening')}){OF_ANY_GENDER}"
        rf"|(?:{words_of('anywhere')})|\bauthor\s*:)"
        r"(?:\s*[:：]\s*|\s+)(?P<name>[^|•·,;:：，、。（(\[\]\n]{2,60})"
    )
)
_SIGNED = LivePattern(lambda: rf"\W*+(?:{DONE_BY})\s")
_IN = re.compile(r"(?<!\s)\s++(?:in|under|unter|dans|en)\s++", re.IGNORECASE)
_BY_ANYWHERE = re.compile(r"\bby\s+(?P<name>[^|•·,;:(\[\]\n]{2,60})", re.IGNORECASE)
_BEHIND = LivePattern(lambda: rf"\b(?:{words_of('behind')})(?!\w)")
_NOT_IN_NAME = re.compile(r"[|•·,;:(\[\]\n\d]")
_SPOKEN = re.compile(r"[^\W\d_]\s+[^\W\d_]{2,}[.!?…][\s\"'”»)]*$")
"""The end of a sentence: what was posted by the person named behind it is a comment."""
_MADE_BY = re.compile(
    r"\b(?:powered|hosted|designed|sponsored|made|built|theme|template|licen[cs]ed)\b",
    re.IGNORECASE,
)
# Digits that no Latin letter or underscore touches, or that count something.
_NUMBER = re.compile(r"(?<![A-Za-z_0-9])\d++(?![A-Za-z_])|\b\d++(?:st|nd|rd|th|min|mins|h|k)\b", re.IGNORECASE)
_LINKED = "link to author's page"
_SURE_MARKS = ("rel=author", "itemprop=author")
# Kinds of people in RDFa: whoever has an account wrote what Drupal names him at.
_PEOPLE = ("person", "sioc:useraccount")
_BOX_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6", "strong", "b"))
_ABOUT = re.compile(r"\b(?:hreview|hproduct|item|vevent|hrecipe|adr)\b")
_PARTED = re.compile(r"(?<!\s)\s*+[·•|∙—]\s*+")
# Words of a line that may name an author, of a by-line with blocks in it, and of one name or tag.
_LINE = 40
_BOX = 25
NAME_WORDS = 8
_WRITTEN_NAME_WORDS = 4
# Words between an element and the article: up to here it is surely the article's, up to there perhaps.
NEAR = 60
FAR = 300
# Elements around a name that may say whom it is of: a product or an event, an author's box.
_ABOUT_LEVELS = 4
_BOX_LEVELS = 3
# Elements around a name in which the portrait of who is called so stands.
_PORTRAIT_LEVELS = 3
# Lines behind one that only says "Author" among which the name is: another label may stand between.
_BEHIND_LABEL = 2
# How sure a mark is. Mark-up made for machines comes first, names of classes next, then where a link leads and what
# stands in a box; words alone come last.
_MARKED = 0.9
_CLASS_NAME = 0.8
_PERSON = 0.75
_AUTHOR_LINK = 0.75
_BOX_HEADING = 0.7
_BY_WORDS = 0.65
_PORTRAIT = 0.6
_ICON = 0.6
_BESIDE_DATE = 0.5
# What is shown is surer: themes write the blog's owner into microdata.
_HIDDEN = 0.5
# How much less sure a mark is further from the article, and below it, where comments begin.
_IN_REACH, _OUT_OF_REACH = 0.6, 0.25
_BELOW = 0.9


@dataclass(frozen=True, slots=True)
class BylinePlace:
    """Where the article is: its heading, and the words its text begins and ends at; either may be unknown."""

    heading: int | None = None
    words: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FoundByline:
    """An author as shown, with the rule that found it."""

    author: Author
    rule: str
    confidence: float
    is_below: bool = False
    element: int = -1  # that says the name and nothing else, where one does


def distance(page: PageView, place: BylinePlace, i: int) -> int:
    """Words between an element and the nearest edge of the article or its heading."""
    gaps = []
    if place.heading is not None:
        gaps.append(_between(page, i, page.start[place.heading], page.end[place.heading]))
    if place.words is not None:
        start, stop = place.words
        gaps += [_between(page, i, start, start), _between(page, i, stop, stop)]
    return min(gaps, default=0)


def within(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether an element is a part of the article's own text."""
    if place.words is None:
        return False
    start, stop = place.words
    return start <= page.start[i] and page.end[i] <= stop


def _between(page: PageView, i: int, start: int, stop: int) -> int:
    return max(0, start - page.end[i], page.start[i] - stop)


def find_authors(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    url: str,
) -> list[FoundByline]:
    """Authors shown near the article, the likeliest first; foreign marks comments and side bars."""
    # Cards of other posts repeat an author: the surest of each name and rule is kept.
    marked = sorted(_marked(page, place, foreign, url), key=lambda found: found.confidence)
    once = {(found.author.name, found.rule): found for found in marked}
    labelled = [*_labelled(page, place, foreign), *_labelled_beside(page, place)]
    written = [*_written(page, place, foreign), *labelled]
    drawn = [*_portrayed(page, place, foreign), *_beside_icons(page, place, foreign)]
    hidden = hidden_author(page, foreign)
    unseen = [FoundByline(Author(hidden), "hidden itemprop=author", _HIDDEN)] if hidden else []
    authors = [*_without_commenters(list(once.values())), *written, *drawn, *unseen]
    return sorted(authors, key=lambda found: -found.confidence)


def _without_commenters(found: Sequence[FoundByline]) -> list[FoundByline]:
    """The authors without several people that only links below the article lead to: those of who commented, too."""
    linked = [one for one in found if one.is_below and one.rule == _LINKED]
    return [one for one in found if one not in linked] if len(linked) > 1 else list(found)


def _marked(
    page: PageView,
    place: BylinePlace,
    foreign: Sequence[bool],
    url: str,
) -> Iterator[FoundByline]:
    """The authors that mark-up, class names and links name."""
    for i, (rule, confidence) in _marks(page, foreign):
        text = page.line(_name_in(page, i))
        name = _person(cut_tail(text))
        if name and _is_plausible(page, place, i, rule, text):
            is_link = page.tags[i] == "a"
            uri = join(url, page.attribute(i, "href")) if is_link else None
            if uri and is_named_after_site(name, uri, url):
                continue
            sureness = confidence * _nearness(page, place, i)
            yield FoundByline(Author(name, uri), rule, sureness, _is_below(page, place, i), i)


_AuthorMark = tuple[str, float]
"""The rule that a name was found by, and how sure that is."""


def _marks(page: PageView, foreign: Sequence[bool]) -> Iterator[tuple[int, _AuthorMark]]:
    """The elements marked as authors; of one in another the inner, which is the name alone."""
    outer: tuple[int, _AuthorMark] | None = None
    for i in range(len(page.nodes)):
        if foreign[i] or not 0 < page.count(i) <= NAME_WORDS:
            continue
        mark = _mark(page, i)
        if mark is None:
            continue
        if outer is not None and not page.inside(i, outer[0]):
            yield outer
        outer = (i, mark)
    if outer is not None:
        yield outer


def _person(text: str) -> str | None:
    """A name that is no placeholder of a theme."""
    name = clean_name(text)
    return name if name and not is_placeholder(name) else None


def _name_in(page: PageView, i: int) -> int:
    """The element marked as the name in one marked as the person, who may have a title, too."""
    inside = [inner for inner in range(i + 1, page.last[i]) if page.count(inner)]
    marked = (inner for inner in inside if "name" in page.attribute(inner, "itemprop").split())
    called = (inner for inner in inside if any(map(_is_called_name, page.classes(inner))))
    return next(chain(marked, called), i)


def _is_called_name(token: str) -> bool:
    """Whether a class name ends with the word for a name: "name", "p-name", "author__name"."""
    return parts_of(token)[-1:] == ("name",)


def _is_plausible(page: PageView, place: BylinePlace, i: int, rule: str, text: str) -> bool:
    """Not a date in the by-line's place, and not somebody the article speaks of."""
    if rule in _SURE_MARKS or says_by(rule):
        return True
    is_title = place.heading is not None and page.line(place.heading) == text
    if is_title or within(page, place, i):
        return False
    return has_byline_word(text) or _has_no_number(text)


def _has_no_number(text: str) -> bool:
    """Whether all digits are parts of words, as in the names of accounts, and none is of a date."""
    if not any(c.isdigit() for c in text):
        return True
    return not _NUMBER.search(text) and not find_dates(text, limit=1)


def _mark(page: PageView, i: int) -> _AuthorMark | None:
    """By what an element says that it names an author; None where it does not."""
    for attribute in ("rel", "itemprop"):
        if "author" in page.attribute(i, attribute).split():
            return f"{attribute}=author", _MARKED
    if any(kind in page.attribute(i, "typeof").lower() for kind in _PEOPLE):
        return "typeof=Person", _PERSON
    for token in page.attribute(i, "class").split():
        if _is_author_name(page, i, token):
            return f".{token}", _CLASS_NAME
    if page.tags[i] == "a" and leads_to_person(page.attribute(i, "href")):
        return _LINKED, _AUTHOR_LINK
    if page.tags[i] in _BOX_HEADINGS and _in_author_box(page, i):
        return "heading of the author's box", _BOX_HEADING
    return None


def _is_author_name(page: PageView, i: int, token: str) -> bool:
    """Whether a class name calls an element an author's name."""
    is_bare = parts_of(token) == ("fn",)
    return is_author_mark(token) and not (is_bare and _is_about_thing(page, i))


def _is_about_thing(page: PageView, i: int) -> bool:
    """Whether a name is of what a review or an event is about: they are marked alike."""
    around = page.around(i, _ABOUT_LEVELS)
    return any(_ABOUT.search(page.attribute(a, "class")) for a in around)


def _in_author_box(page: PageView, i: int) -> bool:
    for around in (i, *page.around(i, _BOX_LEVELS)):
        names = page.attribute(around, "class") or page.attribute(around, "id")
        if any(speaks_of_author(token) for token in names.split()):
            return True
    return False


def _is_below(page: PageView, place: BylinePlace, i: int) -> bool:
    return place.words is not None and page.start[i] >= place.words[1]


def _nearness(page: PageView, place: BylinePlace, i: int) -> float:
    """How much an element's place leaves of its sureness."""
    gap = distance(page, place, i)
    share = _BELOW if _is_below(page, place, i) else 1.0
    if gap <= NEAR:
        return share
    return share * (_IN_REACH if gap <= FAR else _OUT_OF_REACH)


def _written(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    """The authors that lines near the article name in words."""
    stop = first_below_comments(page, place.words[1]) if place.words else len(page.nodes)
    for i in near_lines(page, place, foreign):
        if i >= stop:
            continue  # a reader's
        text = parted_line(page, i)
        is_byline = page.kinds[i] == "byline"
        is_about_post = is_byline or _opens_dated(page, place, i) or _closes_signed(page, place, i)
        is_own_text = within(page, place, i) and not is_about_post
        if is_own_text or _MADE_BY.search(text):
            continue
        name = _name_said(page, i, text, anywhere=is_byline)
        if name:
            yield FoundByline(Author(name), "text by ...", _BY_WORDS)
            continue
        name = _name_among(page, i) if is_byline else None
        if name:
            yield FoundByline(Author(name), "name beside the date", _BESIDE_DATE)


def _is_phrase(name: str, text: str) -> bool:
    """Whether words after "by" are written as no name is, in scripts that have capitals, and no day stands with them:
    "by the sea".
    """
    return " " in name and name.islower() and not find_dates(text, limit=1)


def _opens_dated(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether what was taken for the article begins with this line, and a day stands in it: it is the by-line."""
    is_first = place.words is not None and page.start[i] == place.words[0]
    return is_first and bool(find_dates(page.line(i), limit=1))


def _closes_signed(page: PageView, place: BylinePlace, i: int) -> bool:
    """Whether the article ends with a line "posted by" somebody, then: without a time, a book may be by somebody."""
    is_last = place.words is not None and page.end[i] == place.words[1]
    line = page.line(i) if is_last else ""
    return _SIGNED.match(line) is not None and says_when(line)


def _name_after_by(text: str, *, anywhere: bool) -> str | None:
    """The name after "written by" in a line; anywhere, after a mere "by", too."""
    match = _BY_TEXT.search(text)
    if match is None and anywhere:
        match = _BY_ANYWHERE.search(text)
    if match is None or _SPOKEN.search(text[: match.start()]):
        return None
    name = _person(cut_tail(_IN.split(before_day(text, *match.span("name")))[0]))
    if name and not anywhere and _is_phrase(name, text):
        return None
    return name if name and len(name.split()) <= _WRITTEN_NAME_WORDS else None


def _name_said(page: PageView, i: int, text: str, *, anywhere: bool) -> str | None:
    """The name that a line gives in words."""
    by = _name_set_apart(page, i, text) or _linked_name(page, i, _name_after_by(text, anywhere=anywhere))
    return by or _name_before_by(page, i, text)


def _name_set_apart(page: PageView, i: int, text: str) -> str | None:
    """The name behind "written by" in an element of its own, whatever the line says of who has it."""
    match = _BY_TEXT.search(text)
    said = text[match.start("name") :] if match else ""
    marked = (page.line(n) for n in range(i + 1, page.last[i]) if page.count(n))
    return next((name for name in marked if said.startswith(f"{name} ") and _may_be_whole(name)), None)


def _may_be_whole(text: str) -> bool:
    """Whether what is set apart behind "written by" is a name: of one word, too, and in scripts without capitals."""
    has_case = text[:1].lower() != text[:1].upper()
    return is_whole_name(text) or (_is_short_name(text) and (text[:1].isupper() or not has_case))


def _linked_name(page: PageView, i: int, name: str | None) -> str | None:
    """The name without what follows its link: "by Jane in Boats" has two links, and the first is the name."""
    if name is None:
        return None
    links = (page.line(n) for n in range(i + 1, page.last[i]) if page.tags[n] == "a" and page.count(n))
    return next((link for link in links if name.startswith(f"{link} ")), name)


def _name_before_by(page: PageView, i: int, text: str) -> str | None:
    """The name before a word for "by", in languages that have it there: in a line with a day, or about the author."""
    match = _BEHIND.search(text)
    is_about_post = match is not None and (bool(find_dates(text, limit=1)) or _in_author_box(page, i))
    name = _person(_NOT_IN_NAME.split(text[: match.start()])[-1]) if match and is_about_post else None
    return name if name and len(name.split()) <= _WRITTEN_NAME_WORDS else None


def _labelled(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    """The name in a line right behind one that says no more than "Author"."""
    lines = sorted(near_lines(page, place, foreign))
    for n, i in enumerate(lines):
        if not leads_to_name(page.line(i)) or within(page, place, i):
            continue
        for following in lines[n + 1 : n + 1 + _BEHIND_LABEL]:
            name = _short_name(page, following)
            if name:
                yield FoundByline(Author(name), "line behind a label", _BY_WORDS)
                break


def _labelled_beside(page: PageView, place: BylinePlace) -> Iterator[FoundByline]:
    """The name beside the word "Author" in a line near the article that says nothing else, as those
    about its licence do.
    """
    stop = first_below_comments(page, place.words[1]) if place.words else len(page.nodes)
    for i in range(stop):
        label = i + 1  # the first element in it
        is_parted = label < page.last[i] and 0 < page.count(label) < page.count(i) <= NAME_WORDS
        # Label and name may be two blocks, one below the other.
        if not is_parted or (page.blocks[i] and page.children(i)[2:]) or page.start[label] != page.start[i]:
            continue
        if not leads_to_name(page.line(label)):
            continue
        name = " ".join(" ".join(page.texts_between(page.end[label], page.end[i])).split())
        is_near = distance(page, place, i) <= NEAR and not within(page, place, i)
        if is_near and _is_short_name(name):
            yield FoundByline(Author(name), "label beside the name", _BY_WORDS)


def _portrayed(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    """The name that a picture between heading and text is of."""
    if place.heading is None or place.words is None:
        return
    for i in range(page.last[place.heading], len(page.nodes)):
        if page.start[i] >= place.words[0]:
            return
        alt = " ".join(page.attribute(i, "alt").split()) if page.tags[i] == "img" and not foreign[i] else ""
        if alt and _is_name_beside(page, i, alt) and alt != page.line(place.heading):
            yield FoundByline(Author(alt), "portrait", _PORTRAIT)


def _beside_icons(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> Iterator[FoundByline]:
    """The name in or right behind an icon that shows a person, near the article."""
    for i, text in person_icons(page):
        is_near = not foreign[i] and not within(page, place, i) and distance(page, place, i) <= NEAR
        if is_near and _is_short_name(text):
            yield FoundByline(Author(text), "icon", _ICON)


def _is_name_beside(page: PageView, i: int, alt: str) -> bool:
    """Whether an element beside a picture shows but the name that the picture has."""
    if _person(alt) != alt or len(alt.split()) > _WRITTEN_NAME_WORDS:
        return False
    words = tokenise(alt)
    for around in page.around(i, _PORTRAIT_LEVELS):
        if page.count(around) > _BOX:
            return False
        if any(page.words_of(n) == words for n in range(around + 1, page.last[around])):
            return True
    return False


def _short_name(page: PageView, i: int) -> str | None:
    """A line that is a name and nothing else."""
    text = page.line(i)
    return text if _is_short_name(text) else None


def _is_short_name(text: str) -> bool:
    """Whether a text is a name of a few words and nothing else."""
    is_short = bool(text) and len(text.split()) <= _WRITTEN_NAME_WORDS
    return is_short and _person(text) == text and _has_no_number(text)


def _name_among(page: PageView, i: int) -> str | None:
    """The one name in a line of parts, where a date is among them, too.

    So it is in "3 May 2020 · 4 min · Ada Quill". A link there leads to a tag and is no name.
    """
    parts = [part.strip() for part in _PARTED.split(text_outside_links(page, i))]
    names = [part for part in parts if is_whole_name(part)]
    if len(names) != 1:
        return None
    others = [part for part in parts if part not in names]
    is_dated = any(find_dates(part, limit=1) or is_age(part) for part in others)
    return names[0] if is_dated else None


def text_outside_links(page: PageView, i: int) -> str:
    """What a line says that is no link."""
    text = page.line(i)
    for inner in range(i + 1, page.last[i]):
        if page.tags[inner] == "a" and page.count(inner):
            text = text.replace(page.line(inner), "", 1)
    return text


def near_lines(page: PageView, place: BylinePlace, foreign: Sequence[bool]) -> list[int]:
    """Short innermost blocks, and whole by-lines, around heading and article, nearest first."""
    lines = []
    i = 0
    while i < len(page.nodes):
        if foreign[i]:
            i = page.last[i]
            continue
        is_innermost = not page.blocks[i]
        if i != place.heading and _is_line(page, i):
            lines.append((distance(page, place, i), i))
        i = page.last[i] if is_innermost else i + 1
    return [i for gap, i in sorted(lines) if gap <= NEAR]


def _is_line(page: PageView, i: int) -> bool:
    words = page.count(i)
    if not 0 < words <= _LINE:
        return False
    return not page.blocks[i] or (page.kinds[i] == "byline" and words <= _BOX)
