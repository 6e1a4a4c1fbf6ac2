"""What a single page says without learned rules: mark-up and generic finders, as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from selectolax.lexbor import LexborNode

from blogforever.dates import address_date
from blogforever.dom import tokenise
from blogforever.extract.byline import BylinePlace, find_authors
from blogforever.extract.coauthors import authors_of
from blogforever.extract.container import find_container, junk_spans
from blogforever.extract.dateline import page_dates
from blogforever.extract.filedunder import find_tags
from blogforever.extract.headline import (
    Heading,
    heading_sign,
    headings,
    names_in_host,
    shown_title,
    site_names,
    title_key,
    title_parts,
    without_anchor,
    without_site,
)
from blogforever.extract.metadata import SLOWLY_SOUGHT, TRAFILATURA, Candidate, Fields, semantic_fields
from blogforever.extract.opinions import FoundBody, SecondOpinion
from blogforever.extract.prune import cut_article, is_text_before, outer_html
from blogforever.extract.signing import dates_only
from blogforever.extract.unshown import unshown_html
from blogforever.model import Author, Moment
from blogforever.page.view import PageView

# A heading that fits the page's title better than this is the article's.
_GOOD_FIT = 0.4
# A value less sure than this is no answer.
_LIKELY = 0.3
# A body so sure needs no slower way to be asked.
_SURE_BODY = 0.7
_LONGEST_TITLE = 1000
# Words between an article and the heading above it: a by-line, a picture's caption.
_CLOSE = 60
# Elements around an article of which one may say what kind of post it is.
_KIND_LEVELS = 8
# Authors and dates that are offered, the likeliest first.
_MOST_AUTHORS = 5
_MOST_DATES = 8

# --- how sure the finders are

# A body: its element calls itself the article; it follows a heading; it has most text of all; two
# readers take different ones; the cut left next to nothing of it, so that any other way is asked
# before it is taken.
_NAMED_BODY, _BODY_UNDER_HEADING, _MERE_BODY, _DISPUTED, _FAILED = 0.9, 0.75, 0.6, 0.57, 0.2
# What trafilatura takes for it: less than what the page says of itself, for it may guess.
_OTHER_BODY = 0.55
# In a template that a script was to show: surer than a line that asks for patience.
_ONLY_IN_TEMPLATE, _IN_TEMPLATE = 0.5, 0.8
# A text with fewer words may stand in for one that a script was to show.
_FEWEST_WORDS = 20
# A title: a heading by its fit, and at least so fitting where it is a large one right above the
# text;
# the title element with and without the site's name in it.
_HEADING, _HEADING_FIT = 0.55, 0.4
_LARGE_AND_FITTING, _LARGE = 0.95, 0.4
_TITLE_WITHOUT_SITE, _TITLE_ELEMENT = 0.5, 0.4
_POST_KIND = 0.9
_LINKED_TAGS = 0.8
# A date: in the address, by day or by month; what the page shows, more or less as the address says
# so.
_ADDRESS_DAY, _ADDRESS_MONTH = 0.7, 0.3
_SAME_MONTH, _SAME_YEAR, _OTHER_YEAR = 1.1, 0.8, 0.6
_SUREST_DATE = 0.95
# Ways that agree: each removes so much of the doubt, and some doubt remains always.
_AGREEMENT = 0.5
_SUREST = 0.98
_KINDS = {
    "format-image": "photo",
    "format-gallery": "photo",
    "format-link": "link",
    "format-video": "video",
    "format-audio": "audio",
    "format-quote": "quote",
    "format-status": "note",
    "format-aside": "note",
    "type-page": "page",
}
_FOREIGN = frozenset(("comment", "furniture"))
# For a name alone trafilatura is not asked: it guesses.
_OTHER_KNOWS = SLOWLY_SOUGHT - {"authors"}


def fallback_fields(
    page: PageView,
    url: str,
    captured: datetime | None = None,
    *,
    sought: Set[str] = SLOWLY_SOUGHT,
) -> Mapping[str, list[Candidate]]:
    """Candidates for every field of the page's article, the likeliest first.

    Slow ways are gone for what is sought, where the others do not surely give it; with nothing sought none of them is.
    """
    tree = page.tree
    semantic = semantic_fields(page, url, deep=False)
    if tree.body is None:
        return {name: ranked(candidates) for name, candidates in semantic.items()}
    reading = _read(page, semantic, url)
    if sought:
        reading.other = _OtherReader(page.html, url, reading.sites)
    opinions: list[Mapping[str, list[Candidate]]] = [semantic, reading.fields(captured)]
    if reading.other is not None:
        _ask_slow_ways(opinions, reading, reading.other, sought)
    together = _together(opinions)
    together["title"] = _plain_titles(together.get("title", ()), reading)
    together["published"] = _without_edits(together.get("published", ()), together.get("modified", ()))
    for name in ("tags", "categories"):
        together[name] = _without_people(together.get(name, ()), choose(together.get("authors", ())))
    return {name: ranked(candidates) for name, candidates in together.items() if candidates}


@dataclass
class _OtherReader:
    """Trafilatura on a page, asked once, and only where somebody wants to know."""

    html: str
    url: str
    sites: Sequence[str]

    def opinions(self, sought: Set[str]) -> Iterator[Mapping[str, list[Candidate]]]:
        """What it says of the article, and of the rest, for which it may take seconds: it reads the days of all
        languages.
        """
        if self.body:
            yield {"html": [Candidate(self.body, "generic", TRAFILATURA, _OTHER_BODY)]}
        if sought - {"html"}:
            # Imported here: trafilatura costs most of a second to import, and 20 ms a page.
            from blogforever.extract.generic import trafilatura_fields  # noqa: PLC0415

            yield trafilatura_fields(self.html, self.url, self.sites)

    @cached_property
    def body(self) -> str:
        """What it takes for the article."""
        from blogforever.extract.generic import trafilatura_body  # noqa: PLC0415  as above

        return trafilatura_body(self.html, self.url)


def _ask_slow_ways(
    opinions: list[Mapping[str, list[Candidate]]], reading: _Reading, other: _OtherReader, sought: Set[str]
) -> None:
    """Microdata and microformats, then trafilatura, while something that is sought is not known well enough."""
    page = reading.page
    if not _enough(opinions, sought):
        opinions[0] = semantic_fields(page, reading.url, deep=True)
    if not _enough(opinions, sought & _OTHER_KNOWS):
        opinions += other.opinions(sought)
    if reading.body_words < _FEWEST_WORDS:
        opinions.append(_in_templates(reading))


def _in_templates(reading: _Reading) -> Fields:
    """The article in a template that a script was to show."""
    fields = Fields(reading.url, "generic")
    page = PageView(unshown_html(reading.page.tree))
    container = find_container(page, junk_spans(page, None), None) if page.html else None
    if container is not None:
        cut = cut_article(page, container, None, reading.url)
        is_all_there_is = reading.body_words == 0
        confidence = _ONLY_IN_TEMPLATE if is_all_there_is else _IN_TEMPLATE
        fields.put("html", outer_html(page.nodes[container], cut.dropped), "template", confidence)
    return fields


def _together(opinions: Iterable[Mapping[str, list[Candidate]]]) -> dict[str, list[Candidate]]:
    """The candidates of all opinions for each field."""
    together: dict[str, list[Candidate]] = {}
    for opinion in opinions:
        for name, candidates in opinion.items():
            together.setdefault(name, []).extend(candidates)
    return together


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """The value most ways agree on, as sure as they are together; None where none is likely."""
    best = next(iter(ranked(candidates)), None)
    return best if best is not None and best.confidence >= _LIKELY else None


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each value once, surest first; ways that agree on it raise its confidence."""
    groups: dict[Any, list[Candidate]] = {}
    candidates = list(candidates)
    if len(candidates) == 1:  # nothing to compare it with, which takes time where it is a whole article
        return [_merged(candidates)]
    for candidate in candidates:
        groups.setdefault(_key(candidate.value), []).append(candidate)
    merged = [_merged(sorted(group, key=lambda c: -c.confidence)) for group in groups.values()]
    return sorted(merged, key=lambda c: -c.confidence)


def _merged(group: list[Candidate]) -> Candidate:
    """The surest candidate of those that agree, surer by all the others."""
    best = group[0]
    doubt = 1 - min(best.confidence, _SUREST)
    for other in group[1:]:
        doubt *= 1 - _AGREEMENT * other.confidence
    return replace(best, confidence=round(1 - doubt, 3))


def _key(value: Any) -> Any:
    """What values are compared by: days without the hour, words without their looks."""
    if isinstance(value, Moment):
        return value.iso[:10]
    if isinstance(value, str):
        return title_key(value) or value
    if isinstance(value, tuple):
        return tuple(title_key(v.name if isinstance(v, Author) else str(v)) for v in value)
    return value


def _enough(opinions: Sequence[Mapping[str, list[Candidate]]], names: Iterable[str]) -> bool:
    """Whether these fields are known well enough to do without the slower ways."""
    together = _together(opinions)
    chosen = {name: choose(together.get(name, ())) for name in names}
    body = chosen.get("html")
    return all(chosen.values()) and (body is None or body.confidence >= _SURE_BODY)


def _plain_titles(candidates: Sequence[Candidate], reading: _Reading) -> list[Candidate]:
    """Titles as the page shows them, without the site's name.

    One that is nothing else is left out.
    """
    site_keys = set(map(title_key, reading.sites))
    shown = reading.shown_title()
    titles = []
    for candidate in candidates:
        text = without_site(candidate.value, reading.sites)
        if shown and title_key(shown) in map(title_key, title_parts(text)):
            text = shown
        if title_key(text) not in site_keys:
            titles.append(replace(candidate, value=text))
    return titles


def _without_edits(published: Sequence[Candidate], modified: Sequence[Candidate]) -> list[Candidate]:
    """Dates of publication without the days that a line of the page calls those of an edit.

    Only trafilatura takes such a day for more: it reads no labels.
    """
    edited = {_key(candidate.value) for candidate in modified if candidate.by == "generic"}
    return [one for one in published if one.rule != TRAFILATURA or _key(one.value) not in edited]


def _without_people(filed: Sequence[Candidate], authors: Candidate | None) -> list[Candidate]:
    """What a page is filed under without who wrote it: the link to who did stands beside the date as others do.

    Lists made for machines are left as they are.
    """
    people = {title_key(author.name) for author in authors.value} if authors else set()
    others = (
        replace(one, value=tuple(name for name in one.value if title_key(name) not in people))
        if one.by == "generic"
        else one
        for one in filed
    )
    return [one for one in others if one.value]


def _read(
    page: PageView,
    semantic: Mapping[str, list[Candidate]],
    url: str,
) -> _Reading:
    """What the page calls itself and its site, and its headings."""
    node = page.tree.css_first("head title") or page.tree.css_first("title")
    own = [" ".join(node.text().split())] if node is not None else []
    said = [candidate.value for candidate in semantic.get("title", ())]
    titles = [title[:_LONGEST_TITLE] for title in (*own, *said)]
    sites = [candidate.value for candidate in semantic.get("site_name", ())]
    sites += [*site_names(page, url), *names_in_host(titles, url)]
    found = headings(page, titles, sites, url, junk_spans(page, None))
    languages = [candidate.value for candidate in semantic.get("language", ())]
    described = [word for summary in semantic.get("summary", ())[:1] for word in tokenise(summary.value)]
    return _Reading(page, url, titles, sites, found, languages, described)


@dataclass
class _Reading:
    """The page laid out, what it calls itself and its site, its headings, and where they place it."""

    page: PageView
    url: str
    titles: list[str]
    sites: list[str]
    headings: list[Heading]
    languages: list[str]
    described: list[str]
    """The words in which the page describes itself."""
    place: BylinePlace = field(default_factory=BylinePlace)
    other: _OtherReader | None = None
    """Who is asked for a second opinion."""
    body_words: int = 0
    """Words of the article that are no links, once it was found."""

    def fields(self, captured: datetime | None) -> Fields:
        """What the finders see."""
        fields = Fields(self.url, "generic")
        heading = self._fitting_heading()
        junk = junk_spans(self.page, heading)
        body = self._found(find_container(self.page, junk, heading), heading, junk)
        body, is_disputed = self._discussed(body, heading, junk)
        if body is None:
            self.place = BylinePlace(heading)
            self._title(fields)
            container = None
        else:
            heading, container = body.heading, body.container
            self.body_words = body.cut.left
            self.place = BylinePlace(heading, (body.cut.start, body.cut.stop))
            self._title(fields)
            self._body(body, fields, is_disputed=is_disputed)
        foreign = junk_spans(self.page, heading if heading is not None else container, _FOREIGN)
        self._byline(foreign, fields)
        self._dates(foreign, captured, fields)
        if container is not None:
            self._kind(container, fields)
        return fields

    def _found(self, container: int | None, heading: int | None, junk: Sequence[bool]) -> FoundBody | None:
        """The article that an element holds."""
        if container is None:
            return None
        fits_heading = heading is not None
        if heading is None:
            heading = self._heading_above(junk, container)
        cut = cut_article(self.page, container, heading, self.url)
        return FoundBody(container, heading, cut, self.page.kinds[container] == "body", fits_heading)

    def _discussed(
        self, own: FoundBody | None, heading: int | None, junk: Sequence[bool]
    ) -> tuple[FoundBody | None, bool]:
        """The article after a second opinion, and whether the two differ."""
        if self.other is None or (own is not None and own.needs_none):
            return own, False
        second = SecondOpinion(self.page, self.other.body)
        other = self._found(second.element(), heading, junk)
        if other is not None and second.is_followed(own, other, self.described):
            return other, True
        return own, own is not None and not own.is_named and not second.agrees(own)

    def _fitting_heading(self) -> int | None:
        best = next(iter(self.headings), None)
        return best.element if best is not None and best.fit > _GOOD_FIT else None

    def shown_title(self) -> str | None:
        """The heading's text, where there is a heading."""
        if self.place.heading is None:
            return None
        text = self.page.line(self.place.heading)
        plain = without_anchor(text, heading_sign(self.page.tree, text[-1:]))
        return shown_title(plain or text, self.titles)

    def _heading_above(self, junk: Sequence[bool], container: int) -> int | None:
        """The heading right above the article or opening it, where none fits the page's title."""
        site_keys = set(map(title_key, self.sites))
        best, best_gap = None, _CLOSE
        for heading in self.headings:
            i = heading.element
            is_large = self.page.tags[i] in ("h1", "h2", "h3")
            if not is_large or junk[i] or title_key(heading.text) in site_keys or self._is_day_above(heading):
                continue
            gap = self._words_between(i, container)
            if 0 <= gap < best_gap:
                best, best_gap = i, gap
        if best is not None and self.page.inside(best, container) and is_text_before(self.page, container, best):
            return None
        return best

    def _is_day_above(self, heading: Heading) -> bool:
        """Whether a heading says but a day, and another stands right below it: that of one of the day's posts."""
        end = self.page.end[heading.element]
        is_above = any(self.page.start[other.element] == end for other in self.headings)
        return is_above and dates_only(heading.text, languages=self.languages)

    def _words_between(self, heading: int, container: int) -> int:
        """Words from a heading to the article, or from the article's begin to a heading in it."""
        page = self.page
        if page.inside(heading, container):
            return page.start[heading] - page.start[container]
        return page.start[container] - page.end[heading]

    def _title(self, fields: Fields) -> None:
        heading = self.place.heading
        if heading is not None:
            tag = self.page.tags[heading]
            confidence = _HEADING + _HEADING_FIT * self._fit(heading)
            fields.offer("title", self.shown_title() or "", f"heading {tag}", confidence)
        for title in self.titles[:1]:
            rest = without_site(title, self.sites)
            confidence = _TITLE_WITHOUT_SITE if rest != title else _TITLE_ELEMENT
            fields.offer("title", rest, "title element", confidence)

    def _fit(self, heading: int) -> float:
        """How well a heading fits as the article's: by its words, or by its size and place."""
        fits = [one.fit for one in self.headings if one.element == heading]
        fit = fits[0] if fits else 0.0
        if self.page.tags[heading] not in ("h1", "h2") or not self._is_close(heading):
            return fit
        return max(fit, _LARGE_AND_FITTING if fit > _GOOD_FIT else _LARGE)

    def _is_close(self, heading: int) -> bool:
        if self.place.words is None:
            return False
        return 0 <= self.place.words[0] - self.page.end[heading] < _CLOSE

    def _body(self, body: FoundBody, fields: Fields, *, is_disputed: bool) -> None:
        node = self.page.nodes[body.container]
        html = outer_html(node, body.cut.dropped)
        fields.put("html", html, _selector(node), _sureness(body, is_disputed=is_disputed))

    def _kind(self, container: int, fields: Fields) -> None:
        """What kind of post WordPress and its themes say it is."""
        for i in (container, *self.page.around(container, _KIND_LEVELS)):
            for token in self.page.attribute(i, "class").split():
                if token in _KINDS:
                    fields.put("kind", _KINDS[token], f".{token}", _POST_KIND)
                    return

    def _byline(self, foreign: Sequence[bool], fields: Fields) -> None:
        authors = find_authors(self.page, self.place, foreign, self.url)
        for found in authors[:_MOST_AUTHORS]:
            fields.put("authors", authors_of(self.page, found, authors), found.rule, found.confidence)
        tags, categories = find_tags(self.page, self.place, foreign, self.url)
        if tags:
            fields.put("tags", tags, "rel=tag", _LINKED_TAGS)
        if categories:
            fields.put("categories", categories, "rel=category", _LINKED_TAGS)

    def _dates(self, foreign: Sequence[bool], captured: datetime | None, fields: Fields) -> None:
        address = address_date(self.url)
        dates = page_dates(self.page, self.place, foreign, self.languages, captured)
        for dated in dates[:_MOST_DATES]:
            trust = _trust(dated.moment, address) if dated.field == "published" else 1.0
            confidence = min(_SUREST_DATE, dated.confidence * trust)
            fields.put(dated.field, dated.moment, dated.rule, confidence)
        if address is not None:
            confidence = _ADDRESS_DAY if address.precision == "day" else _ADDRESS_MONTH
            fields.put("published", address, "address", confidence)


def _sureness(body: FoundBody, *, is_disputed: bool) -> float:
    if body.is_nothing:
        return _FAILED
    if is_disputed:
        return _DISPUTED
    if body.is_named:
        return _NAMED_BODY
    return _BODY_UNDER_HEADING if body.heading is not None else _MERE_BODY


def _trust(moment: Moment, address: Moment | None) -> float:
    """Dates that contradict the address are doubtful, dates in its month are surer."""
    if address is None:
        return 1.0
    if moment.iso[:7] == address.iso[:7]:
        return _SAME_MONTH
    return _SAME_YEAR if moment.iso[:4] == address.iso[:4] else _OTHER_YEAR


def _selector(node: LexborNode) -> str:
    """A short name for an element, for people."""
    attributes = node.attributes
    if attributes.get("id"):
        return f"{node.tag}#{attributes['id']}"
    return ".".join([node.tag or "", *(attributes.get("class") or "").split()[:2]])
