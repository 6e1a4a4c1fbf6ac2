"""What a single page says without learned rules: mark-up, platform knowledge and generic finders, as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.extract.byline import Place, find_authors, find_tags
from blogforever.extract.container import find_container, junk_spans
from blogforever.extract.headline import Heading, headings, site_names, title_key, without_site
from blogforever.extract.layout import Layout, lay_out
from blogforever.extract.metadata import Candidate, Fields, semantic_fields
from blogforever.extract.prune import drop_ids, outer_html
from blogforever.model import Author, Moment

_GOOD_FIT = 0.4
_FOREIGN = frozenset(("comment", "furniture"))


def fallback_fields(
    tree: LexborHTMLParser, html: str, url: str, platform: Any = None, captured: datetime | None = None
) -> Mapping[str, list[Candidate]]:
    """Candidates for every field of the page's article, the likeliest first."""
    semantic = semantic_fields(tree, html, url, deep=True)
    generic = Fields(url, "generic")
    body = tree.body
    if body is not None:
        _read_page(lay_out(body), tree, semantic, generic)
    fields = {name: [*semantic.get(name, ()), *generic.get(name, ())] for name in {*semantic, *generic}}
    return {name: _ranked(found) for name, found in fields.items()}


def choose(candidates: Sequence[Candidate]) -> Candidate | None:
    """The value most ways agree on, with the confidence of all that agree; None where none is likely enough."""
    ranked = _ranked(candidates)
    return ranked[0] if ranked and ranked[0].confidence >= 0.3 else None


def _ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each value once, surest first; ways that agree on it raise its confidence."""
    groups: dict[Any, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(_key(candidate.value), []).append(candidate)
    merged = [_merged(sorted(group, key=lambda c: -c.confidence)) for group in groups.values()]
    return sorted(merged, key=lambda c: -c.confidence)


def _merged(group: list[Candidate]) -> Candidate:
    best, doubt = group[0], 1.0
    for one in group:
        doubt *= 1 - min(one.confidence, 0.95) * (1.0 if one is best else 0.5)
    return Candidate(best.value, best.by, best.rule, round(1 - doubt, 3))


def _key(value: Any) -> Any:
    if isinstance(value, Moment):
        return value.iso[:10]
    if isinstance(value, str):
        return title_key(value) or value
    if isinstance(value, tuple):
        return tuple(title_key(v.name if isinstance(v, Author) else str(v)) for v in value)
    return value


def _read_page(page: Layout, tree: LexborHTMLParser, semantic: Mapping[str, list[Candidate]], generic: Fields) -> None:
    titles, sites = _titles(tree, semantic), _sites(page, semantic, generic.url)
    found = headings(page, titles, sites, generic.url, junk_spans(page, None))
    heading = found[0].element if found and found[0].fit > _GOOD_FIT else None
    junk = junk_spans(page, heading)
    container = find_container(page, junk, heading)
    if heading is None and container is not None:
        heading = _nearest(page, found, junk, container, sites)
    place = Place(heading, container)
    _offer_title(page, place, found, titles, sites, generic)
    _offer_body(page, place, junk, generic)
    _offer_byline(page, place, generic)


def _titles(tree: LexborHTMLParser, semantic: Mapping[str, list[Candidate]]) -> list[str]:
    node = tree.css_first("head title") or tree.css_first("title")
    titles = [" ".join(node.text().split())] if node is not None else []
    return titles + [c.value for c in semantic.get("title", ())]


def _sites(page: Layout, semantic: Mapping[str, list[Candidate]], url: str) -> list[str]:
    return [c.value for c in semantic.get("site_name", ())] + site_names(page, url)


def _nearest(
    page: Layout, found: Sequence[Heading], junk: Sequence[bool], container: int, sites: Sequence[str]
) -> int | None:
    """The heading that stands right above the article or opens it, where none fits the page's title."""
    names = {title_key(name) for name in sites}
    best, best_gap = None, 60
    for one in found:
        i = one.element
        if junk[i] or page.tags[i] not in ("h1", "h2", "h3") or title_key(one.text) in names:
            continue
        gap = page.starts[container] - page.stops[i] if i < container else page.starts[i] - page.starts[container]
        if -1 <= gap < best_gap:
            best, best_gap = i, gap
    return best


def _offer_title(
    page: Layout, place: Place, found: Sequence[Heading], titles: Sequence[str], sites: Sequence[str], generic: Fields
) -> None:
    if place.heading is not None:
        fit = next((h.fit for h in found if h.element == place.heading), 0.0)
        generic.offer("title", page.text(place.heading), f"heading {page.tags[place.heading]}", 0.55 + 0.4 * fit)
    for title in titles[:1]:
        rest = without_site(title, sites)
        if title_key(rest) not in {title_key(name) for name in sites}:
            generic.offer("title", rest, "title element", 0.5 if rest != title else 0.4)


def _offer_body(page: Layout, place: Place, junk: Sequence[bool], generic: Fields) -> None:
    if place.container is None:
        return
    node = page.nodes[place.container]
    html = outer_html(node, drop_ids(page, place.container, junk, place.heading))
    named = page.kinds[place.container] == "body"
    generic.put("html", html, _selector(node), 0.9 if named else 0.75 if place.heading is not None else 0.6)


def _selector(node: LexborNode) -> str:
    attributes = node.attributes
    if attributes.get("id"):
        return f"{node.tag}#{attributes['id']}"
    return ".".join([node.tag or "", *(attributes.get("class") or "").split()[:2]])


def _offer_byline(page: Layout, place: Place, generic: Fields) -> None:
    foreign = junk_spans(page, place.heading, _FOREIGN)
    for author in find_authors(page, place, foreign, generic.url)[:5]:
        generic.put("authors", (author.author,), author.rule, author.confidence)
    tags, categories = find_tags(page, place, foreign)
    if tags:
        generic.put("tags", tags, "rel=tag", 0.8)
    if categories:
        generic.put("categories", categories, "rel=category", 0.8)
