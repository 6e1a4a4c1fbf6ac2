"""What a single page says without learned rules: mark-up and generic finders, as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import address_date
from blogforever.extract.byline import BylinePlace, find_authors, find_tags
from blogforever.extract.container import find_container, junk_spans
from blogforever.extract.dateline import page_dates
from blogforever.extract.headline import (
    Heading,
    headings,
    shown_title,
    site_names,
    title_key,
    title_parts,
    without_site,
)
from blogforever.extract.layout import Layout, lay_out
from blogforever.extract.metadata import Candidate, Fields, semantic_fields
from blogforever.extract.prune import Cut, cut_article, outer_html
from blogforever.model import Author, Moment

_GOOD_FIT = 0.4
_LIKELY = 0.3
_SURE_BODY = 0.7
_FAILED = 0.2  # an article of which the cut left next to nothing: any other way is asked before it is taken
_LONGEST_TITLE = 1000
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


def fallback_fields(
    tree: LexborHTMLParser,
    html: str,
    url: str,
    captured: datetime | None = None,
    *,
    quick: bool = False,
) -> Mapping[str, list[Candidate]]:
    """Candidates for every field of the page's article, the likeliest first; `quick` leaves out the slow ways."""
    semantic = semantic_fields(tree, html, url, deep=False)
    if tree.body is None:
        return {name: ranked(found) for name, found in semantic.items()}
    reading = _read(tree, lay_out(tree.body), semantic, url)
    found: list[Mapping[str, list[Candidate]]] = [semantic, reading.fields(captured)]
    if not quick and not _enough(found, ("title", "published", "html", "authors")):
        found[0] = semantic_fields(tree, html, url, deep=True)
    if not quick and not _enough(found, ("title", "published", "html")):
        # Imported here: trafilatura costs most of a second to import, and 20 ms a page.
        from blogforever.extract.generic import trafilatura_fields  # noqa: PLC0415

        found.append(trafilatura_fields(html, url, reading.sites))
    names = {name for one in found for name in one}
    together = {name: [c for one in found for c in one.get(name, ())] for name in names}
    together["title"] = _plain_titles(together.get("title", ()), reading)
    return {name: ranked(candidates) for name, candidates in together.items() if candidates}


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """The value most ways agree on, with the confidence of all that agree; None where none is likely enough."""
    found = ranked(candidates)
    return found[0] if found and found[0].confidence >= _LIKELY else None


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
    best, doubt = group[0], 1 - min(group[0].confidence, 0.98)
    for one in group[1:]:
        doubt *= 1 - 0.5 * one.confidence
    return replace(best, confidence=round(1 - doubt, 3))


def _key(value: Any) -> Any:
    if isinstance(value, Moment):
        return value.iso[:10]
    if isinstance(value, str):
        return title_key(value) or value
    if isinstance(value, tuple):
        return tuple(title_key(v.name if isinstance(v, Author) else str(v)) for v in value)
    return value


def _enough(found: Sequence[Mapping[str, list[Candidate]]], names: Sequence[str]) -> bool:
    """Whether these fields are known well enough to do without the slower ways."""
    chosen = {name: choose([c for one in found for c in one.get(name, ())]) for name in names}
    body = chosen["html"]
    return body is not None and body.confidence >= _SURE_BODY and all(chosen.values())


def _plain_titles(candidates: Sequence[Candidate], reading: _Reading) -> list[Candidate]:
    """Titles as the page shows them: without the site's name, and not where they are nothing else."""
    names = {title_key(name) for name in reading.sites}
    shown = reading.shown_title()
    found = []
    for candidate in candidates:
        text = without_site(candidate.value, reading.sites)
        if shown and title_key(shown) in {title_key(part) for part in title_parts(text)}:
            text = shown
        if title_key(text) not in names:
            found.append(replace(candidate, value=text))
    return found


def _read(tree: LexborHTMLParser, page: Layout, semantic: Mapping[str, list[Candidate]], url: str) -> _Reading:
    node = tree.css_first("head title") or tree.css_first("title")
    titles = [" ".join(node.text().split())] if node is not None else []
    titles = [title[:_LONGEST_TITLE] for title in (*titles, *(c.value for c in semantic.get("title", ())))]
    sites = [c.value for c in semantic.get("site_name", ())] + site_names(page, url)
    found = headings(page, titles, sites, url, junk_spans(page, None))
    languages = [c.value for c in semantic.get("language", ())]
    return _Reading(page, url, titles, sites, found, languages)


@dataclass
class _Reading:
    """The page laid out, what it calls itself and its site, and its headings; `place` follows from them."""

    page: Layout
    url: str
    titles: list[str]
    sites: list[str]
    headings: list[Heading]
    languages: list[str]
    place: BylinePlace = field(default_factory=BylinePlace)

    def fields(self, captured: datetime | None) -> Fields:
        """What the finders see."""
        fields = Fields(self.url, "generic")
        heading = self.headings[0].element if self.headings and self.headings[0].fit > _GOOD_FIT else None
        junk = junk_spans(self.page, heading)
        container = find_container(self.page, junk, heading)
        if heading is None and container is not None:
            heading = self._heading_above(junk, container)
        cut = cut_article(self.page, container, heading) if container is not None else None
        self.place = BylinePlace(heading, (cut.start, cut.stop) if cut else None)
        self._title(fields)
        if container is not None and cut is not None:
            self._body(container, cut, fields)
        foreign = junk_spans(self.page, heading if heading is not None else container, _FOREIGN)
        self._byline(foreign, fields)
        self._dates(foreign, captured, fields)
        if container is not None:
            self._kind(container, fields)
        return fields

    def shown_title(self) -> str | None:
        """The heading's text, where there is a heading."""
        return shown_title(self.page.text(self.place.heading), self.titles) if self.place.heading is not None else None

    def _heading_above(self, junk: Sequence[bool], container: int) -> int | None:
        """The heading right above the article or opening it, where none fits the page's title."""
        page, names = self.page, {title_key(name) for name in self.sites}
        best, best_gap = None, 60
        for one in self.headings:
            i = one.element
            if junk[i] or page.tags[i] not in ("h1", "h2", "h3") or title_key(one.text) in names:
                continue
            inside = page.inside(i, container)
            gap = page.starts[i] - page.starts[container] if inside else page.starts[container] - page.stops[i]
            if 0 <= gap < best_gap:
                best, best_gap = i, gap
        return best

    def _title(self, fields: Fields) -> None:
        heading = self.place.heading
        if heading is not None:
            fit = next((h.fit for h in self.headings if h.element == heading), 0.0)
            if self.page.tags[heading] in ("h1", "h2") and self._is_close(heading):
                fit = max(fit, 0.95 if fit > _GOOD_FIT else 0.4)
            fields.offer("title", self.shown_title() or "", f"heading {self.page.tags[heading]}", 0.55 + 0.4 * fit)
        for title in self.titles[:1]:
            rest = without_site(title, self.sites)
            fields.offer("title", rest, "title element", 0.5 if rest != title else 0.4)

    def _is_close(self, heading: int) -> bool:
        return self.place.words is not None and 0 <= self.place.words[0] - self.page.stops[heading] < 60

    def _body(self, container: int, cut: Cut, fields: Fields) -> None:
        node = self.page.nodes[container]
        html = outer_html(node, cut.dropped)
        fields.put("html", html, _selector(node), self._sureness(container, cut))

    def _sureness(self, container: int, cut: Cut) -> float:
        if cut.failed:
            return _FAILED
        if self.page.kinds[container] == "body":
            return 0.9
        return 0.75 if self.place.heading is not None else 0.6

    def _kind(self, container: int, fields: Fields) -> None:
        """What kind of post WordPress and its themes say it is."""
        for i in (container, *self.page.ancestors(container)[:8]):
            for token in self.page.attribute(i, "class").split():
                if token in _KINDS:
                    fields.put("kind", _KINDS[token], f".{token}", 0.9)
                    return

    def _byline(self, foreign: Sequence[bool], fields: Fields) -> None:
        for found in find_authors(self.page, self.place, foreign, self.url)[:5]:
            fields.put("authors", (found.author,), found.rule, found.confidence)
        tags, categories = find_tags(self.page, self.place, foreign)
        if tags:
            fields.put("tags", tags, "rel=tag", 0.8)
        if categories:
            fields.put("categories", categories, "rel=category", 0.8)

    def _dates(self, foreign: Sequence[bool], captured: datetime | None, fields: Fields) -> None:
        address = address_date(self.url)
        for dated in page_dates(self.page, self.place, foreign, self.languages, captured)[:8]:
            trust = _trust(dated.moment, address) if dated.field == "published" else 1.0
            fields.put(dated.field, dated.moment, dated.rule, min(0.95, dated.confidence * trust))
        if address is not None:
            fields.put("published", address, "address", 0.7 if address.precision == "day" else 0.3)


def _trust(moment: Moment, address: Moment | None) -> float:
    """Dates that contradict the address are doubtful, dates in its month are surer."""
    if address is None:
        return 1.0
    return 1.1 if moment.iso[:7] == address.iso[:7] else 0.8 if moment.iso[:4] == address.iso[:4] else 0.6


def _selector(node: LexborNode) -> str:
    attributes = node.attributes
    if attributes.get("id"):
        return f"{node.tag}#{attributes['id']}"
    return ".".join([node.tag or "", *(attributes.get("class") or "").split()[:2]])
