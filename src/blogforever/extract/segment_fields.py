"""Title, authors and text of each record of a list page, put together as posts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from blogforever.dates import address_date
from blogforever.elements import HEADINGS, word_set
from blogforever.extract.headline import without_anchor
from blogforever.extract.segment_dates import shown_dates
from blogforever.extract.segment_outline import TEXT, Outline
from blogforever.extract.segment_reader import DateReader, WrittenDate
from blogforever.extract.segment_records import Record, are_most
from blogforever.model import Author, Moment, Page, Post, Provenance
from blogforever.page.speech import words_of
from blogforever.wordlists import LivePattern

_INLINE = word_set(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small "
    "span strike strong sub sup time tt u var wbr"
)
_ASIDE_WORDS = word_set(
    "meta metadata byline postmeta date tags tag taglist categories category cats labels comments "
    "comment share sharing social more readmore author vcard breadcrumb related jp pagination "
    "postmetadata info postinfo"
)
_TITLE_WORDS = word_set("title headline name")
_AUTHOR_WORDS = word_set("author auteur autor autore writer")
_NAME_MARKS = word_set("fn p-author u-author author-name authorname")
_AUTHOR_PAGE = re.compile(r"/authors?/[^/]+/?(?:index\.\w+)?$|[?&]author=", re.I)
_BY = LivePattern(
    lambda: (
        r"^\W*(?:(?:posted|written|published|article|story)\s+by"
        rf"|{words_of('by')}|{words_of('writer')}|文)\s*[:：]?\s+"
    )
)
_AFTER_NAME = re.compile(
    r"\s+(?:on|at|in|am|um|le|el|il|op|w|в|@)\s+(?=.*\d)"
    r"|\s*[|·•,()\[\]–—]\s*",
    re.I,
)
_ABOUT_AUTHOR = word_set("bio description about box avatar image picture photo info social")
_NOT_A_NAME = re.compile(
    r"\d|(?:\bby|:|\bauthor|\bposts?)$"
    r"|^(?:posted|written|by|about|view|all|more)\b",
    re.I,
)
_CLOCK = re.compile(r"\W*\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?\W*$", re.I)
_AROUND_DATE = " \t-–—:|·•»«,()[]"
_ASIDE_TAGS = frozenset(("time", "nav", "footer", "button", "form"))
_STRESSED = frozenset(("strong", "b"))
_WHOLE_TAGS = frozenset((TEXT, "article", "li"))
_CUT_MARKS = ("…", "...", "[…]")

_LONGEST_TITLE = 500
_LONGEST_NAME = 60
_MOST_NAME_WORDS = 6
# Characters of an element that names an author; a longer one tells of them.
_LONGEST_BYLINE = 120
# Characters of what stands beside the text; a longer one is the text, whatever it is called.
_LONGEST_ASIDE = 200
# A year that has every day of the calendar, to ask whether a text is a day at all.
_LEAP_YEAR = 2000
# Characters before or after a date at the edge of a title: a sign and spaces.
_EDGE = 3
# Titles that must agree; of fewer, two may begin with a date by chance.
_FEWEST_TO_AGREE = 3
# Characters of a beginning that is told from others by it.
_LEAST_BEGINNING = 3
# How sure a record of a list page is: it was cut out of a list by the list's looks alone.
_RECORD_SURENESS = 0.8

_NO_TITLE = -1


def read_posts(
    page: Outline,
    records: list[Record],
    source: Page,
    languages: tuple[str, ...],
) -> list[Post]:
    """One post for each record."""
    reader = DateReader(languages, source.captured)
    places = _title_places(page, records, reader)
    shown = shown_dates(page, records, places, source.url, reader)
    titles = [_title(page, place, reader) for place in places]
    _take_dates_out(titles, shown, reader)
    pairs = zip(records, shown, strict=True)
    dates = [moment or address_date(record.link.url) for record, moment in pairs]
    kept = _without_undated_lists(page, records, shown, dates)
    return [_post(page, records[n], places[n], titles[n], dates[n]) for n in kept]


def _without_undated_lists(
    page: Outline,
    records: list[Record],
    shown: list[Moment | None],
    dates: list[Moment | None],
) -> list[int]:
    """The records to keep.

    Where posts show dates, a second list without any shows something else: projects, pages, the
    blog's name.
    """
    lists: dict[int, list[int]] = defaultdict(list)
    for n, record in enumerate(records):
        holder = max(0, page.parents[record.start])
        lists[page.full_paths[holder]].append(n)
    showing_dates = 0
    for members in lists.values():
        if are_most(sum(shown[n] is not None for n in members), len(members)):
            showing_dates += len(members)
    if showing_dates * 2 < len(records):
        return list(range(len(records)))
    kept: list[int] = []
    for members in lists.values():
        if any(dates[n] for n in members):
            kept += members
    return sorted(kept)


def _post(
    page: Outline,
    record: Record,
    place: int,
    title: str | None,
    moment: Moment | None,
) -> Post:
    authors = _authors(page, record)
    fields = {"title": title, "published": moment, "authors": authors}
    way = Provenance("generic", "record of a list page", _RECORD_SURENESS)
    return Post(
        url=record.link.url,
        title=title,
        authors=authors,
        published=moment,
        text=_text(page, record, place),
        provenance={name: way for name, value in fields.items() if value},
    )


# --- titles


def _title_places(page: Outline, records: list[Record], reader: DateReader) -> list[int]:
    """The entry that holds each record's title, -1 without one."""
    titled = any(record.link.is_title for record in records)
    linked = not titled and _links_are_titles(records, reader)
    alone = len(records) == 1
    places = []
    for record in records:
        if linked or record.link.is_title:
            places.append(_linked_title(page, record, reader))
        else:
            places.append(_heading_title(page, record, reader, alone=alone))
    return places


def _links_are_titles(records: list[Record], reader: DateReader) -> bool:
    """Whether the links carry the titles; not where all say "read more", or are dates."""
    texts = [record.link.text for record in records]
    if records and records[0].link.kind in ("more", "comments", "picture"):
        return False
    if len(texts) > 1 and len(set(texts)) * 2 <= len(texts):
        return False
    dates = sum(_CLOCK.match(text) is not None or reader.is_date(text) for text in texts)
    return dates * 2 <= len(texts)


def _linked_title(page: Outline, record: Record, reader: DateReader) -> int:
    """The entry that holds the title in or around a record's link."""
    link = record.link
    if link.heading > link.entry:
        return link.heading
    if link.heading >= 0:
        return link.entry
    return _title_inside(page, link.entry, reader)


def _title_inside(page: Outline, link: int, reader: DateReader) -> int:
    """The entry in a link that holds the title.

    By its name, beside a date, as the first of blocks.
    """
    inside = range(link + 1, page.ends[link])
    elements = [i for i in inside if page.tags[i] != TEXT and page.length(i, page.ends[i])]
    for element in elements:
        if page.words(element) & _TITLE_WORDS:
            return element
    only_text = _only_undated(page, [i for i in inside if page.texts[i]], reader)
    if only_text is not None:
        return only_text
    return _first_of_blocks(page, link, elements)


def _first_of_blocks(page: Outline, link: int, elements: list[int]) -> int:
    """The first of several blocks in a link, or what stands out before the only one; else the whole link."""
    blocks = _innermost(page, [i for i in elements if page.tags[i] not in _INLINE])
    if len(blocks) == 1 and _stands_out(page, elements[0], blocks[0]):
        return elements[0]
    return blocks[0] if len(blocks) > 1 else link


def _stands_out(page: Outline, first: int, block: int) -> bool:
    """Whether the first element of a link is stressed, right before the only block, which says more: a summary."""
    is_before = page.tags[first] in _STRESSED and page.ends[first] <= block
    return is_before and page.length(first, page.ends[first]) < page.length(block, page.ends[block])


def _only_undated(page: Outline, texts: list[int], reader: DateReader) -> int | None:
    """The one of several texts that is no date."""
    undated = [i for i in texts if not _is_any_date(page.texts[i], reader)]
    return undated[0] if len(undated) == 1 and len(texts) > 1 else None


def _is_any_date(text: str, reader: DateReader) -> bool:
    """Whether a text is a date, with or without a year."""
    return reader.is_date(text) or reader.in_year(text, _LEAP_YEAR) is not None


def _innermost(page: Outline, elements: list[int]) -> list[int]:
    """The elements that hold none of the others; all are in document order."""
    following = [*elements[1:], len(page.tags)]
    pairs = zip(elements, following, strict=False)
    return [element for element, after in pairs if after >= page.ends[element]]


def _heading_title(page: Outline, record: Record, reader: DateReader, *, alone: bool) -> int:
    """The first heading of the record.

    The only record of a page may reach too far up: there it is the one nearest its link.
    """
    entries: Iterable[int] = range(record.start, record.end)
    if alone:
        entries = chain(reversed(range(record.start, record.link.entry)), entries)
    for entry in entries:
        if not _is_heading(page, entry):
            continue
        text = page.inner(entry)
        if 0 < len(text) < _LONGEST_TITLE and not reader.is_date(text):
            return entry
    return _NO_TITLE


def _is_heading(page: Outline, entry: int) -> bool:
    if page.tags[entry] == TEXT:
        return False
    return page.tags[entry] in HEADINGS or bool(page.words(entry) & _TITLE_WORDS)


def _title(page: Outline, place: int, reader: DateReader) -> str | None:
    if place == _NO_TITLE:
        return None
    pieces = [text for text in page.texts[place : page.ends[place]] if text]
    if len(pieces) > 1:
        pieces = [text for text in pieces if not reader.is_date(text)] or pieces
    return _tidy(_full(page, place, " ".join(pieces)))


def _take_dates_out(
    titles: list[str | None],
    shown: list[Moment | None],
    reader: DateReader,
) -> None:
    """Where nearly every title begins or ends with a date, make that the post's date.

    Then it is no part of the title.
    """
    dated = _dated_titles(titles, reader)
    is_dated_elsewhere = sum(map(bool, shown)) * 2 > len(titles)
    if is_dated_elsewhere or len(titles) < _FEWEST_TO_AGREE:
        return
    if not are_most(len(dated), len(titles)):
        return
    for n, (title, found) in dated.items():
        rest = title[found.end :] if found.start <= _EDGE else title[: found.start]
        titles[n] = _tidy(rest.strip(_AROUND_DATE)) or title
        shown[n] = shown[n] or found.moment


def _dated_titles(titles: list[str | None], reader: DateReader) -> dict[int, tuple[str, WrittenDate]]:
    """The titles that begin or end with a date, by their record."""
    dated = {}
    for n, title in enumerate(titles):
        found = reader.first(title) if title else None
        if title and found and _is_at_edge(found, title):
            dated[n] = (title, found)
    return dated


def _is_at_edge(found: WrittenDate, title: str) -> bool:
    """Whether a title begins or ends with a date."""
    return found.start <= _EDGE or found.end >= len(title) - _EDGE


def _full(page: Outline, entry: int, text: str) -> str:
    """The text, or the link's title attribute where the text is that cut short."""
    whole = " ".join((page.attributes[entry].get("title") or "").split())
    for mark in _CUT_MARKS:
        start = text.removesuffix(mark).strip()
        is_cut = text.endswith(mark) and whole.startswith(start)
        if is_cut and len(whole) > len(start) > _LEAST_BEGINNING:
            return whole
    return text


def _tidy(text: str) -> str | None:
    return without_anchor(text)[:_LONGEST_TITLE] or None


# --- authors


def _authors(page: Outline, record: Record) -> tuple[Author, ...]:
    """Who is named as author, by the surest mark there is."""
    best_rank, best_name = _NO_AUTHOR, ""
    for entry in range(record.start, record.end):
        rank = _author_mark(page, entry)
        if rank >= best_rank:
            continue
        name = _name(page.inner(entry))
        if name:
            best_rank, best_name = rank, name
    return (Author(best_name),) if best_name else ()


_MARKED_NAME, _NAMED_AUTHOR, _BYLINE, _NO_AUTHOR = 1, 2, 3, 4
"""The mark of a name, a class or address that speaks of an author, a by-line, nothing."""


def _author_mark(page: Outline, entry: int) -> int:
    """By which of these marks an entry names an author."""
    attributes = page.attributes[entry]
    if not attributes or page.length(entry, page.ends[entry]) > _LONGEST_BYLINE:
        return _NO_AUTHOR
    if _is_marked_name(attributes):
        return _MARKED_NAME
    words = page.words(entry)
    if words & _ABOUT_AUTHOR:
        return _NO_AUTHOR
    if words & _AUTHOR_WORDS:
        return _NAMED_AUTHOR
    if page.tags[entry] == "a" and _AUTHOR_PAGE.search(attributes.get("href") or ""):
        return _NAMED_AUTHOR
    return _BYLINE if "byline" in words else _NO_AUTHOR


def _is_marked_name(attributes: dict[str, str | None]) -> bool:
    """Whether mark-up says that an element is an author's name."""
    if "author" in (attributes.get("rel") or "").lower().split():
        return True
    names = (attributes.get("class") or "").lower().split()
    return attributes.get("itemprop") == "author" or not _NAME_MARKS.isdisjoint(names)


def _name(text: str) -> str:
    """The name in a by-line; empty where there is none."""
    name = _AFTER_NAME.split(_BY.sub("", text), maxsplit=1)[0].strip(" ,|·•-–—:")
    if not 1 < len(name) <= _LONGEST_NAME or len(name.split()) > _MOST_NAME_WORDS:
        return ""
    return "" if _NOT_A_NAME.search(name) else name


# --- the text


def _text(page: Outline, record: Record, title: int) -> str:
    """The text the record shows, a paragraph for each block, without title and by-line."""
    last_block = _NO_TITLE
    paragraphs: list[list[str]] = []
    for entry in _text_entries(page, record, title):
        block = _block(page, entry)
        if not paragraphs or last_block != block:
            paragraphs.append([])
        paragraphs[-1].append(page.texts[entry])
        last_block = block
    return "\n\n".join(" ".join(pieces) for pieces in paragraphs)


def _text_entries(page: Outline, record: Record, title: int) -> Iterator[int]:
    """The texts of a record outside its title and what stands beside the text."""
    entry = record.start
    while entry < record.end:
        if entry in (title, record.link.heading) or _is_aside(page, entry):
            entry = max(entry + 1, page.ends[entry])
            continue
        if page.texts[entry]:
            yield entry
        entry += 1


def _is_aside(page: Outline, entry: int) -> bool:
    """Whether an element is a by-line, a menu or the like."""
    tag = page.tags[entry]
    if tag in _ASIDE_TAGS:
        return True
    if tag in _WHOLE_TAGS or not page.words(entry) & _ASIDE_WORDS:
        return False
    return page.length(entry, page.ends[entry]) < _LONGEST_ASIDE


def _block(page: Outline, entry: int) -> int:
    """The nearest element around an entry that begins a line of its own."""
    above = page.parents[entry]
    while above >= 0 and page.tags[above] in _INLINE:
        above = page.parents[above]
    return above
