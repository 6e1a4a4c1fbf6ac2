"""extract_post: a page in, its post out, every field by the surest way that gives one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import address_date, same_day
from blogforever.dom import decode, parse, tokenise
from blogforever.extract.apply import find_node, read_moment, value_of, values_of
from blogforever.extract.bodies import (
    DOUBTFUL,
    ENOUGH_WORDS,
    doubted,
    is_empty,
    is_small_part,
    is_thin,
    may_be_thin,
    own_words,
)
from blogforever.extract.clean import CleanArticle, clean_article, clean_node
from blogforever.extract.geo import geo_of
from blogforever.extract.metadata import Candidate, semantic_fields
from blogforever.extract.names import clean_name
from blogforever.extract.nativeid import native_id
from blogforever.extract.trimming import cut_range, drop_dateline, drop_foreign, drop_page_links, drop_title
from blogforever.extract.visibility import visibility_of, walls
from blogforever.model import Author, By, Entry, Moment, Page, Post, Provenance, Rule, Rules, Template

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PLAIN = ("subtitle", "modified", "summary", "lead_picture", "previous_url", "next_url")
_BESIDE = ("language", "kind", "site_name", "tags")
_UNKEPT = frozenset({"html", "text", "site_name", "canonical", "kind"})
_SHORT = 100  # characters a caption may have
_CAPTION = 5  # words below which pictures are the post
_MANY = 5
_SURE = 0.7  # of generic extraction: it found the heading, or an element that names itself the article
_NAMED = 0.85  # of generic extraction: it found an element that names itself the article
_TOLD = Provenance("feed", "entry content", 0.8)
_TRUSTED = 0.8  # a rule right on so many pages is believed against a single feed entry


@dataclass
class Draft:
    """A post in the making: the first way that gives a field keeps it."""

    values: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Provenance] = field(default_factory=dict)

    def offer(self, name: str, value: object, by: By, rule: str, confidence: float) -> None:
        """Take the value unless the field is set or the value is empty."""
        if value and name not in self.values:
            self.values[name] = value
            self.provenance[name] = Provenance(by, rule, round(confidence, 3))

    def offer_best(self, name: str, candidates: Iterable[Candidate]) -> None:
        """Take the surest of several candidates."""
        for candidate in sorted(candidates, key=lambda c: -c.confidence)[:1]:
            self.offer(name, candidate.value, candidate.by, candidate.rule, candidate.confidence)


@dataclass(frozen=True)
class Fit:
    """A template that fits a page, with the article node it finds there."""

    template: Template
    article: LexborNode


def extract_post(page: Page, rules: Rules | None = None, entry: Entry | None = None) -> Post:
    """The post on a page: by the blog's rules where they fit, by the feed's entry, by what the page says of itself."""
    html = decode(page.content, page.headers)
    parser = parse(html)
    draft = Draft()
    fit = choose_template(parser, rules)
    if fit and rules:
        _by_rules(draft, parser, fit.template, rules, page, entry)
    if entry:
        _by_entry(draft, entry)
    if fit and rules and rules.author and "authors" in fit.template.fields:
        draft.offer("authors", (Author(rules.author),), "feed", "the feed's only author", 0.5)
    missing = [name for name in ("title", "published") if name not in draft.values]
    semantic = semantic_fields(parser, html, page.url, deep=False, wanted=(*_PLAIN, *_BESIDE, *missing))
    for name in missing:
        if fit and name not in draft.values and not _expected(fit.template, name):
            draft.offer_best(name, semantic.get(name, ()))
    address = address_date(page.url) if fit and "published" not in draft.values else None
    if address and address.precision == "day":
        draft.offer("published", address, "generic", "address", 0.7)
    if fit is None or any(
        name not in draft.values and _expected(fit.template, name) for name in ("title", "published")
    ):
        _by_fallback(draft, parser, html, page, semantic, whole=fit is None)
    for name in _PLAIN:
        draft.offer_best(name, semantic.get(name, ()))
    _fuller_tags(draft, entry, semantic.get("tags", ()))
    _language(draft, semantic, rules)
    draft.offer_best("kind", semantic.get("kind", ()))
    number = (entry.extra.get("native_id") if entry else None) or native_id(parser)
    visibility = visibility_of(parser, fit.article if fit else None)
    if visibility == "password":
        return _without_body(_finish(draft, page, entry, CleanArticle("", ""), number), visibility)
    for wall in walls(fit.article if fit else None):
        wall.remove()
    shown = _read_body(draft, parser, fit, _Source(html, page, rules, entry), closed=visibility is not None)
    return replace(_finish(draft, page, entry, shown, number), visibility=visibility)


@dataclass(frozen=True)
class _Source:
    """All that a post can be read from, for a second reading: the first has changed the page's tree."""

    html: str
    page: Page
    rules: Rules | None
    entry: Entry | None

    @property
    def templates(self) -> Sequence[Template]:
        return self.rules.templates if self.rules else ()


def _read_body(
    draft: Draft, parser: LexborHTMLParser, fit: Fit | None, source: _Source, *, closed: bool
) -> CleanArticle:
    """The article by the template or the fallback, or the next best way where that gives none."""
    url = source.page.url
    if fit:
        cut_range(fit.article, fit.template.article)  # before the line that dates the post goes: it may be the mark
        _drop_dateline(draft, parser, fit, source.rules)
    shown = _body(draft, parser, fit, url)
    if fit and not closed and not fit.template.article.locked and may_be_thin(shown):
        shown = _or_better(draft, shown, source, fit)
    else:
        shown = _or_told(draft, shown, fit, source.entry, url)
    if is_empty(shown) and "html" in draft.provenance:
        draft.provenance["html"] = doubted(draft.provenance["html"])
    return shown


def _drop_dateline(draft: Draft, parser: LexborHTMLParser, fit: Fit, rules: Rules | None) -> None:
    languages = [language for language in (draft.values.get("language"), rules and rules.language) if language]
    dates = [find_node(parser, rule.css) for rule in fit.template.fields.get("published", ())]
    names = [author.name for author in draft.values.get("authors", ())]
    drop_dateline(fit.article, [node for node in dates if node is not None], names, languages)


def _or_told(draft: Draft, shown: CleanArticle, fit: Fit | None, entry: Entry | None, url: str) -> CleanArticle:
    """The article as the page shows it, or as the feed tells it where the page shows none, or another text."""
    if not entry or not entry.html or (shown.text and fit):
        return shown
    told = clean_article(entry.html, url)
    if _holds(shown.text, told.text):
        return shown
    draft.provenance["html"] = _TOLD
    return told


def _or_better(draft: Draft, shown: CleanArticle, source: _Source, fit: Fit) -> CleanArticle:
    """What the rule gives, or the next best way where that is nothing, or next to nothing of what the rule found."""
    article = find_node(parse(source.html), fit.template.article.css)
    whole = own_words(article) if article is not None else 0
    if not is_thin(shown, whole):
        return shown
    entry, url = source.entry, source.page.url
    told = clean_article(entry.html, url) if entry and entry.html else CleanArticle("", "")
    for found, came in _other_ways(source, fit, draft.values.get("title"), _sureness_wanted(shown, whole)):
        if len(tokenise(found.text)) >= ENOUGH_WORDS and (is_empty(told) or _holds(found.text, told.text)):
            draft.provenance["html"] = came
            return found
    if len(told.text) > len(shown.text):
        draft.provenance["html"] = _TOLD
        return told
    draft.provenance["html"] = doubted(draft.provenance["html"])
    return shown


def _sureness_wanted(shown: CleanArticle, whole: int) -> float:
    """How sure generic extraction must be to be believed rather than the rule.

    Where the rule found a text and nothing is left of it, any finder is; where it found none, a sure one, for a post
    may be no more than its title; where a line is left, one that names the article: the rest may be an endless thread.
    """
    if shown.text:
        return _NAMED
    return DOUBTFUL if is_small_part(0, whole) else _SURE


def _other_ways(source: _Source, fit: Fit, title: str | None, sure: float) -> Iterator[tuple[CleanArticle, Provenance]]:
    """The article by the blog's other templates, then by generic extraction."""
    from blogforever.extract.fallback import fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    url = source.page.url
    for template in source.templates:
        parser = parse(source.html)
        article = find_node(parser, template.article.css) if template != fit.template else None
        if article is not None:
            draft = Draft({"title": title})
            cut_range(article, template.article)
            yield _body(draft, parser, Fit(template, article), url), draft.provenance["html"]
    found = fallback_fields(parse(source.html), source.html, url, captured=source.page.captured)
    for one in found.get("html", ()):
        if one.confidence >= sure:
            yield clean_article(one.value, url), Provenance(one.by, one.rule, one.confidence)


def _holds(shown: str, told: str) -> bool:
    """Whether a text read without rules is the one the feed tells: a page drawn by a script shows another."""
    words = tokenise(told)
    known = set(tokenise(shown))
    return bool(known) and 2 * sum(word in known for word in words) >= len(words)


def _expected(template: Template, name: str) -> bool:
    """Whether the template's pages show a field: one that many pages were asked for in vain is not searched again."""
    return name in template.fields or template.pages < _MANY


def fits(page: Page, rules: Rules) -> bool:
    """Whether a template of the rules finds an article with words on the page."""
    return choose_template(parse(decode(page.content, page.headers)), rules) is not None


def choose_template(parser: LexborHTMLParser, rules: Rules | None) -> Fit | None:
    """The template whose rules find most on the page; None where none finds an article."""
    best: Fit | None = None
    best_score = 0.0
    for template in rules.templates if rules else ():
        article = find_node(parser, template.article.css)
        if article is None:
            continue
        if rules and (len(rules.templates) == 1 or template.article.locked):
            return Fit(template, article)
        named = [name for name, found in template.fields.items() if found]
        hits = sum(any(value_of(parser, rule) for rule in template.fields[name]) for name in named)
        score = 1 + (hits / len(named) if named else 0.0)
        if score > best_score:
            best, best_score = Fit(template, article), score
        if named and hits == len(named):
            break
    return best


# --- the ways


def _by_rules(
    draft: Draft, parser: LexborHTMLParser, template: Template, rules: Rules, page: Page, entry: Entry | None
) -> None:
    for name, read in (
        ("title", _title_by),
        ("authors", _author_by),
        ("published", _date_by),
        ("tags", _many_by),
        ("categories", _many_by),
    ):
        for rule in template.fields.get(name, ()):
            if value := read(parser, rule, _Context(rules, page, entry)):
                draft.offer(name, value, "rule", rule.xpath, rule.confidence)
                break
    told, shown = entry.published if entry else None, draft.values.get("published")
    if told and shown and same_day(told, shown):  # the feed knows the hour and the zone too
        draft.values["published"] = replace(told, raw=shown.raw)


@dataclass(frozen=True)
class _Context:
    rules: Rules
    page: Page
    entry: Entry | None


def _title_by(parser: LexborHTMLParser, rule: Rule, context: _Context) -> str | None:
    value, told = value_of(parser, rule), context.entry.title if context.entry else None
    return value if value and (not told or rule.locked or _same_title(value, told)) else None


def _author_by(parser: LexborHTMLParser, rule: Rule, context: _Context) -> tuple[Author, ...]:
    text = value_of(parser, replace(rule, prefix="")) if rule.prefix else None
    if text is not None and rule.prefix.casefold().strip() not in text.casefold():
        return ()  # another element where the by-line should be
    name = clean_name(value_of(parser, rule) or "")
    return (Author(name),) if name else ()


def _date_by(parser: LexborHTMLParser, rule: Rule, context: _Context) -> Moment | None:
    text = value_of(parser, rule)
    languages = [context.rules.language] if context.rules.language else []
    moment = read_moment(rule, text, languages, context.page.captured) if text else None
    told = context.entry.published if context.entry else None
    if moment and told and not same_day(told, moment) and rule.confidence < _TRUSTED:
        return None
    return moment


def _many_by(parser: LexborHTMLParser, rule: Rule, context: _Context) -> tuple[str, ...]:
    return tuple(tag for value in values_of(parser, rule) if (tag := value.lstrip("#＃ ").strip(" ,;、，")))


def _same_title(shown: str, told: str) -> bool:
    """Whether page and feed mean the same title; feeds like to add the author's or the blog's name."""
    mine, theirs = tokenise(shown), tokenise(told)
    return mine == theirs or (2 * len(mine) >= len(theirs) and mine in (theirs[: len(mine)], theirs[-len(mine) :]))


def _by_entry(draft: Draft, entry: Entry) -> None:
    draft.offer("title", entry.title, "feed", "entry title", 0.95)
    if entry.extra.get("authors_from") != "feed":  # the blog's own name is no post's author
        draft.offer("authors", entry.authors, "feed", "entry author", 0.9)
    draft.offer("published", entry.published, "feed", "entry published", 0.95)
    draft.offer("tags", entry.tags, "feed", "entry categories", 0.9)
    draft.offer("rights", entry.extra.get("rights"), "feed", "entry rights", 0.9)
    draft.offer("license", entry.extra.get("license"), "feed", "entry license", 0.9)
    draft.offer("geo", geo_of(entry), "feed", "entry place", 0.9)


def _by_fallback(
    draft: Draft,
    parser: LexborHTMLParser,
    html: str,
    page: Page,
    semantic: Mapping[str, Sequence[Candidate]],
    *,
    whole: bool,
) -> None:
    """Semantic mark-up and generic extraction for what is still missing."""
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    found = fallback_fields(parser, html, page.url, captured=page.captured)
    names = (
        ("title", "authors", "published", "tags", "categories", "subtitle", "html") if whole else ("title", "published")
    )
    for name in names:
        best = choose(found.get(name, ()))
        if best:
            draft.offer(name, best.value, best.by, best.rule, best.confidence)
    if whole:  # better a text that says of itself that it is doubtful than none
        draft.offer_best("html", found.get("html", ()))


def _language(draft: Draft, semantic: Mapping[str, Sequence[Candidate]], rules: Rules | None) -> None:
    draft.offer_best("language", semantic.get("language", ()))
    if rules:
        draft.offer("language", rules.language, "feed", "feed language", 0.6)


# --- the body


def _body(draft: Draft, parser: LexborHTMLParser, fit: Fit | None, url: str) -> CleanArticle:
    if fit is None:
        return clean_article(draft.values.get("html") or "", url)
    draft.provenance["html"] = Provenance("rule", fit.template.article.xpath, fit.template.article.confidence)
    drop_foreign(fit.article, fit.template.exclude)
    drop_title(fit.article, draft.values.get("title"))
    drop_page_links(fit.article, url)
    return clean_node(fit.article, url)


def _fuller_tags(draft: Draft, entry: Entry | None, said: Iterable[Candidate]) -> None:
    """Many themes show one tag only: a list of the feed, or of the page's head, that has more and all of these."""
    shown = {name.casefold() for key in ("tags", "categories") for name in draft.values.get(key, ())}
    lists = [Candidate(entry.tags, "feed", "entry categories", 0.9)] if entry else []
    for found in (*lists, *(candidate for candidate in said if candidate.confidence >= _TRUSTED)):
        if shown < {name.casefold() for name in found.value}:
            draft.values["tags"] = found.value
            draft.provenance["tags"] = Provenance(found.by, found.rule, found.confidence)
            return


def _part_tags(draft: Draft) -> None:
    """Feeds, and links near an article, often give both in one list: what is known to be a category is no tag."""
    categories = {name.casefold() for name in draft.values.get("categories", ())}
    tags = tuple(name for name in draft.values.get("tags", ()) if name.casefold() not in categories)
    if tags:
        draft.values["tags"] = tags
    else:
        draft.values.pop("tags", None)
        draft.provenance.pop("tags", None)


def _without_body(post: Post, visibility: str) -> Post:
    """A post that is not shown: what stands in its place, on the page or in the feed, is no text of it."""
    provenance = {name: said for name, said in post.provenance.items() if name not in ("html", "summary")}
    return replace(post, summary=None, visibility=visibility, provenance=provenance)


def _finish(draft: Draft, page: Page, entry: Entry | None, cleaned: CleanArticle, number: str | None) -> Post:
    _part_tags(draft)
    values = {name: value for name, value in draft.values.items() if name not in _UNKEPT}
    return Post(
        url=page.url,
        text=cleaned.text,
        html=cleaned.html,
        media=cleaned.media,
        links=cleaned.links,
        kind=_kind(draft.values.get("kind"), entry, cleaned),
        guid=entry.guid if entry else None,
        native_id=number,
        provenance=draft.provenance,
        **values,
    )


def _kind(said: str | None, entry: Entry | None, cleaned: CleanArticle) -> str:
    """What sort of post it is: as the page says, a link where the feed points elsewhere, pictures without a text."""
    if said and said != "post":
        return said
    if entry and entry.extra.get("link"):
        return "link"
    short = len(cleaned.text) < _SHORT and len(tokenise(cleaned.text)) < _CAPTION
    return "photo" if cleaned.media and short else "post"
