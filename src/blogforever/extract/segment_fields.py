"""Title, authors and text of each record of a list page, put together as posts."""

from __future__ import annotations

import re
from collections import defaultdict

from blogforever.dates import address_date
from blogforever.extract.segment_dates import DateReader, shown_dates
from blogforever.extract.segment_outline import HEADINGS, TEXT, Outline, word_set
from blogforever.extract.segment_records import Record
from blogforever.model import Author, Moment, Page, Post, Provenance

_INLINE = word_set(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub "
    "sup time tt u var wbr"
)
_ASIDE_WORDS = word_set(
    "meta metadata byline postmeta date tags tag taglist categories category cats labels comments comment share "
    "sharing social more readmore author vcard breadcrumb related jp pagination postmetadata info postinfo"
)
_TITLE_WORDS = word_set("title headline name")
_AUTHOR_WORDS = word_set("author auteur autor autore writer")
_NAME_MARKS = word_set("fn p-author u-author author-name authorname")
_AUTHOR_PAGE = re.compile(r"/authors?/[^/]+/?(?:index\.\w+)?$|[?&]author=", re.I)
_BY = re.compile(
    r"^\W*(?:(?:posted|written|published|article|story)\s+by|by|author|von|par|por|di|door|av|af|przez|autor|auteur|автор|"
    r"作者|文)\s*[:：]?\s+",
    re.I,
)
_AFTER_NAME = re.compile(r"\s+(?:on|at|in|am|um|le|el|il|op|w|в|@)\s+(?=.*\d)|\s*[|·•,()\[\]–—]\s*", re.I)
_ABOUT_AUTHOR = word_set("bio description about box avatar image picture photo info social")
_NOT_A_NAME = re.compile(r"\d|(?:\bby|:|\bauthor|\bposts?)$|^(?:posted|written|by|about|view|all|more)\b", re.I)
_ANCHOR_MARK = re.compile(r"(?:(?<!\s)\s++|(?<![\s¶#§🔗]))[¶#§🔗]++\s*+$|^\s*+[#¶§🔗]++\s+")
_CLOCK = re.compile(r"\W*\d{1,2}[:.]\d\d(?:\s*[ap]\.?m\.?)?\W*$", re.I)
_AROUND_DATE = " \t-–—:|·•»«,()[]"
_LONGEST_NAME = 60
_LONGEST_BYLINE = 120
_LEAP_YEAR = 2000
_LONGEST_TITLE = 500


def read_posts(page: Outline, records: list[Record], source: Page, languages: tuple[str, ...]) -> list[Post]:
    """One post for each record."""
    reader = DateReader(languages, source.captured)
    places = _title_places(page, records, reader)
    shown = shown_dates(page, records, places, source.url, reader)
    titles = [_title(page, place, reader) for place in places]
    _take_dates_out(titles, shown, reader)
    dates = [moment or address_date(record.link.url) for record, moment in zip(records, shown, strict=True)]
    kept = _without_undated_lists(page, records, shown, dates)
    return [_post(page, records[n], places[n], titles[n], dates[n]) for n in kept]


def _without_undated_lists(
    page: Outline, records: list[Record], shown: list[Moment | None], dates: list[Moment | None]
) -> list[int]:
    """Where posts show dates, a second list without any shows something else: projects, pages, the blog's name."""
    lists: dict[int, list[int]] = defaultdict(list)
    for n, record in enumerate(records):
        lists[page.full_paths[max(0, page.parents[record.start])]].append(n)
    posts = [
        members for members in lists.values() if sum(shown[n] is not None for n in members) * 5 >= len(members) * 4
    ]
    if sum(map(len, posts)) * 2 < len(records):
        return list(range(len(records)))
    return sorted(n for members in lists.values() if any(dates[n] for n in members) for n in members)


def _post(page: Outline, record: Record, place: int, title: str | None, moment: Moment | None) -> Post:
    authors = _authors(page, record)
    found = {"title": title, "published": moment, "authors": authors}
    sources = {name: Provenance("generic", "record of a list page", 0.8) for name, value in found.items() if value}
    return Post(
        url=record.link.url,
        title=title,
        authors=authors,
        published=moment,
        text=_text(page, record, place),
        provenance=sources,
    )


def _title_places(page: Outline, records: list[Record], reader: DateReader) -> list[int]:
    """The entry that holds each record's title, -1 without one."""
    titled = any(record.link.heading >= 0 or record.link.kind == "title" for record in records)
    linked = not titled and _links_are_titles(records, reader)
    return [
        _linked_title(page, record, reader)
        if linked or record.link.heading >= 0 or record.link.kind == "title"
        else _heading_title(page, record, reader, alone=len(records) == 1)
        for record in records
    ]


def _links_are_titles(records: list[Record], reader: DateReader) -> bool:
    """Whether the links carry the titles; not where all say "read more", or are dates."""
    texts = [record.link.text for record in records]
    if records and records[0].link.kind in ("more", "comments", "picture"):
        return False
    if len(texts) > 1 and len(set(texts)) * 2 <= len(texts):
        return False
    return sum(_CLOCK.match(text) is not None or reader.alone(text) for text in texts) * 2 <= len(texts)


def _linked_title(page: Outline, record: Record, reader: DateReader) -> int:
    link = record.link
    if link.heading > link.entry:
        return link.heading
    if link.heading >= 0:
        return link.entry
    inside = range(link.entry + 1, page.ends[link.entry])
    holders = [i for i in inside if page.tags[i] != TEXT and page.length(i, page.ends[i])]
    named = [i for i in holders if page.words(i) & _TITLE_WORDS]
    if named:
        return named[0]
    texts = [i for i in inside if page.texts[i]]
    plain = [i for i in texts if not reader.alone(page.texts[i]) and reader.in_year(page.texts[i], _LEAP_YEAR) is None]
    if len(plain) == 1 and len(texts) > 1:
        return plain[0]
    blocks = [i for i in holders if page.tags[i] not in _INLINE]
    leaves = [i for n, i in enumerate(blocks) if n + 1 == len(blocks) or blocks[n + 1] >= page.ends[i]]
    return leaves[0] if len(leaves) > 1 else link.entry


def _heading_title(page: Outline, record: Record, reader: DateReader, *, alone: bool) -> int:
    """The first heading of the record; of the only record, which may reach too far up, the one nearest its link."""
    entries = range(record.start, record.end)
    for entry in (*reversed(range(record.start, record.link.entry)), *entries) if alone else entries:
        if page.tags[entry] == TEXT or not (page.tags[entry] in HEADINGS or page.words(entry) & _TITLE_WORDS):
            continue
        text = page.inner(entry)
        if 0 < len(text) < _LONGEST_TITLE and not reader.alone(text):
            return entry
    return -1


def _title(page: Outline, place: int, reader: DateReader) -> str | None:
    if place < 0:
        return None
    pieces = [text for text in page.texts[place : page.ends[place]] if text]
    if len(pieces) > 1:
        pieces = [text for text in pieces if not reader.alone(text)] or pieces
    return _tidy(_full(page, place, " ".join(pieces)))


def _take_dates_out(titles: list[str | None], shown: list[Moment | None], reader: DateReader) -> None:
    """Where nearly every title begins or ends with a date, that is the post's date and no part of the title."""
    found = [reader.first(title) if title else None for title in titles]
    outer = [
        read is not None and (read[1] <= 3 or read[2] >= len(title or "") - 3)
        for read, title in zip(found, titles, strict=True)
    ]
    if len(titles) < 3 or sum(outer) * 5 < len(titles) * 4 or sum(map(bool, shown)) * 2 > len(titles):
        return
    for n, (read, title) in enumerate(zip(found, titles, strict=True)):
        if outer[n] and read is not None and title is not None:
            start, end = read[1:]
            titles[n] = _tidy((title[end:] if start <= 3 else title[:start]).strip(_AROUND_DATE)) or title
            shown[n] = shown[n] or read[0][0][1]


def _full(page: Outline, entry: int, text: str) -> str:
    """The text, or the link's title attribute where the text is that cut short."""
    whole = " ".join((page.attributes[entry].get("title") or "").split())
    for mark in ("…", "...", "[…]"):
        start = text.removesuffix(mark).strip()
        if text.endswith(mark) and len(whole) > len(start) > 3 and whole.startswith(start):
            return whole
    return text


def _tidy(text: str) -> str | None:
    return _ANCHOR_MARK.sub("", text).strip()[:_LONGEST_TITLE] or None


def _authors(page: Outline, record: Record) -> tuple[Author, ...]:
    """Who is named as author, by the surest mark there is."""
    best: tuple[int, str] | None = None
    for entry in range(record.start, record.end):
        rank = _author_mark(page, entry)
        name = _name(page.inner(entry)) if rank and (best is None or rank < best[0]) else ""
        if name:
            best = (rank, name)
    return (Author(best[1]),) if best else ()


def _author_mark(page: Outline, entry: int) -> int:
    """1 for the mark of a name, 2 for a class or address that speaks of an author, 3 for a by-line, 0 for nothing."""
    attributes = page.attributes[entry]
    if not attributes or page.length(entry, page.ends[entry]) > _LONGEST_BYLINE:
        return 0
    names = frozenset((attributes.get("class") or "").lower().split())
    rel = (attributes.get("rel") or "").lower().split()
    if "author" in rel or attributes.get("itemprop") == "author" or names & _NAME_MARKS:
        return 1
    words = page.words(entry)
    if words & _ABOUT_AUTHOR:
        return 0
    if words & _AUTHOR_WORDS or (page.tags[entry] == "a" and _AUTHOR_PAGE.search(attributes.get("href") or "")):
        return 2
    return 3 if "byline" in words else 0


def _name(text: str) -> str:
    name = _AFTER_NAME.split(_BY.sub("", text), maxsplit=1)[0].strip(" ,|·•-–—:")
    sound = 1 < len(name) <= _LONGEST_NAME and len(name.split()) <= 6 and not _NOT_A_NAME.search(name)
    return name if sound else ""


def _text(page: Outline, record: Record, title: int) -> str:
    """The text the record shows, a paragraph for each block, without title and by-line."""
    blocks: list[tuple[int, list[str]]] = []
    skip = -1
    for entry in range(record.start, record.end):
        if entry < skip:
            continue
        if entry in (title, record.link.heading) or _is_aside(page, entry):
            skip = page.ends[entry]
        elif page.texts[entry]:
            block = _block(page, entry)
            if not blocks or blocks[-1][0] != block:
                blocks.append((block, []))
            blocks[-1][1].append(page.texts[entry])
    return "\n\n".join(" ".join(parts) for _, parts in blocks)


def _is_aside(page: Outline, entry: int) -> bool:
    return page.tags[entry] in ("time", "nav", "footer", "button", "form") or (
        page.tags[entry] not in (TEXT, "article", "li")
        and bool(page.words(entry) & _ASIDE_WORDS)
        and page.length(entry, page.ends[entry]) < 200
    )


def _block(page: Outline, entry: int) -> int:
    above = page.parents[entry]
    while above >= 0 and page.tags[above] in _INLINE:
        above = page.parents[above]
    return above
