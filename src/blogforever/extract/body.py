"""The article of a post: by the template that fits, else by the next best way that gives a text.

The next best are the blog's other templates, then generic extraction, then what the feed tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from selectolax.lexbor import LexborNode

from blogforever.dates import find_dates, same_day
from blogforever.dom import tokenise
from blogforever.extract.apply import find_node, find_nodes
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
from blogforever.extract.draft import Draft
from blogforever.extract.footnotes import notes_outside
from blogforever.extract.lines import opening_line, text_of
from blogforever.extract.signing import SIGNING, are_signing, beside_day, dates_only
from blogforever.extract.templates import Fit, find_article
from blogforever.extract.trimming import (
    Told,
    Trimmed,
    cut_range,
    drop_byline,
    drop_dateline,
    drop_filing,
    drop_foreign,
    drop_forms,
    drop_labelled,
    drop_leading,
    drop_page_links,
    drop_title,
)
from blogforever.extract.visibility import walls
from blogforever.model import Entry, Moment, Page, Provenance, Rule, Rules, Template
from blogforever.page.view import PageView

NO_ARTICLE = CleanArticle("", "")

_TOLD = Provenance("feed", "entry content", 0.8)
# Generic extraction is so sure where it found the heading, or an element that names itself the
# article.
_SURE = 0.7
# And so sure only where it found an element that names itself the article.
_NAMED = 0.85
# A line above the text that says but a day is about the text, where nothing else on the blog's pages tells it.
_OPENING_DATE = 0.7


@dataclass(frozen=True)
class PostSource:
    """All that a post can be read from."""

    view: PageView
    page: Page
    rules: Rules | None
    entry: Entry | None

    @property
    def templates(self) -> Sequence[Template]:
        """The page layouts the blog is known to use."""
        return self.rules.templates if self.rules else ()

    def told_article(self) -> CleanArticle:
        """The article as the feed tells it; an empty one where it tells none."""
        if not self.entry or not self.entry.html:
            return NO_ARTICLE
        return clean_article(self.entry.html, self.page.url)


def read_body(draft: Draft, fit: Fit | None, source: PostSource, *, closed: bool) -> CleanArticle:
    """The article by the template or the fallback, or the next best way where that gives none."""
    if fit is None:
        found = clean_article(draft.values.get("html") or "", source.page.url)
        article = _or_told(draft, found, source)
    else:
        article = _read_fitting(draft, fit, source, closed=closed)
    if is_empty(article) and "html" in draft.provenance:
        draft.provenance["html"] = doubted(draft.provenance["html"])
    return article


def _read_fitting(draft: Draft, fit: Fit, source: PostSource, *, closed: bool) -> CleanArticle:
    trimmed = Trimmed(fit.article)
    if closed:
        trimmed.leave_out(*walls(fit.article))
    cut_range(trimmed, fit.template.article)
    _drop_signature(draft, trimmed, fit, source)
    article = _with_besides(_by_template(draft, trimmed, fit.template, source), fit, source)
    article = _with_notes(article, fit, source)
    may_be_replaced = not closed and not fit.template.article.locked
    if may_be_replaced and may_be_thin(article):
        return _or_better(draft, article, fit, source)
    return article if article.text or _shows_more(article, source) else _or_told(draft, article, source)


def _shows_more(article: CleanArticle, source: PostSource) -> bool:
    """Whether the page shows a picture where a feed of excerpts has but a link to it."""
    has_excerpts = source.rules is not None and source.rules.full_feed is False
    return has_excerpts and not is_empty(article)


def _with_notes(article: CleanArticle, fit: Fit, source: PostSource) -> CleanArticle:
    """The article with those of its notes that stand outside its element."""
    outside = notes_outside(source.view.tree, fit.article)
    return _joined([article, *(clean_node(note, source.page.url) for note in outside)]) if outside else article


def _with_besides(article: CleanArticle, fit: Fit, source: PostSource) -> CleanArticle:
    """The article with the parts of its text in boxes of their own right beside it, in the page's order."""
    around = fit.article.parent
    if not fit.template.article.beside or around is None:
        return article
    boxes = {node.mem_id for node in find_nodes(around, fit.template.article.beside)}
    parts: list[CleanArticle] = []
    for node in around.iter():
        if node.mem_id == fit.article.mem_id:
            parts.append(article)
        elif node.mem_id in boxes:
            parts.append(_cleaned(node, fit.template, source.page.url))
    return _joined(parts) if len(parts) > 1 else article


def _cleaned(node: LexborNode, template: Template, url: str) -> CleanArticle:
    """A further part of an article without what is never of it."""
    trimmed = Trimmed(node)
    drop_foreign(trimmed, template.exclude)
    drop_forms(trimmed)
    return clean_node(trimmed.article, url, trimmed.left_out)


def _joined(parts: Sequence[CleanArticle]) -> CleanArticle:
    """Parts of one text as one."""
    parts = [part for part in parts if not is_empty(part)]
    return CleanArticle(
        html="\n".join(part.html for part in parts),
        text="\n\n".join(part.text for part in parts),
        media=tuple(file for part in parts for file in part.media),
        links=tuple(link for part in parts for link in part.links),
    )


def _drop_signature(draft: Draft, trimmed: Trimmed, fit: Fit, source: PostSource) -> None:
    """Leave out the lines in the article that say when it was written, by whom, and what it is filed
    under: other fields say so.
    """
    names = [author.name for author in draft.values.get("authors", ())]
    filed = [*draft.values.get("tags", ()), *draft.values.get("categories", ())]
    dates = _nodes_of(fit.template.fields.get("published", ()), source, trimmed)
    if dates:
        languages = [draft.values.get("language"), source.rules.language if source.rules else None]
        beside = Told([*names, draft.values.get("title") or ""], filed)
        drop_dateline(trimmed, dates, beside, [language for language in languages if language])
    bylines = _nodes_of(fit.template.fields.get("authors", ()), source, trimmed) if names else []
    if bylines:
        drop_byline(trimmed, bylines, Told(names, filed))
    if filed:
        rules = [*fit.template.fields.get("tags", ()), *fit.template.fields.get("categories", ())]
        drop_filing(trimmed, _nodes_of(rules, source, trimmed), Told((), filed))


def _nodes_of(rules: Sequence[Rule], source: PostSource, trimmed: Trimmed) -> list[LexborNode]:
    """The nodes that the rules of a field find in what is left of the article."""
    nodes = [find_node(source.view.tree, rule.css) for rule in rules]
    return [node for node in nodes if node is not None and trimmed.holds(node)]


def _by_template(draft: Draft, trimmed: Trimmed, template: Template, source: PostSource) -> CleanArticle:
    rule, url = template.article, source.page.url
    draft.provenance["html"] = Provenance("rule", rule.xpath, rule.confidence)
    drop_foreign(trimmed, template.exclude)
    drop_forms(trimmed)
    drop_title(trimmed, draft.values.get("title"), url)
    _take_opening_date(draft, trimmed, source)
    drop_labelled(trimmed, partial(_is_told, draft))
    drop_page_links(trimmed, url)
    drop_leading(trimmed, template.exclude, url)
    return clean_node(trimmed.article, url, trimmed.left_out)


def _take_opening_date(draft: Draft, trimmed: Trimmed, source: PostSource) -> None:
    """Leave out the line that opens the text and says but the post's day, and read it where no rule tells that.

    No rule leads to a line that no element holds, nor to a second one that shows the day again, as the leaf of a
    calendar does.
    """
    line = opening_line(trimmed.article, trimmed.left_out)
    text = text_of(line)
    day = _only_day(text, source.rules)
    known = draft.values.get("published")
    if day is None or (known is not None and not same_day(day, known)) or _opens_told_text(text, source):
        return
    draft.offer("published", day, "rule", "first line of the text", _OPENING_DATE)
    trimmed.leave_out(*line)


def _only_day(text: str, rules: Rules | None) -> Moment | None:
    """The day of a line that says nothing else; None where its numbers may be either of two."""
    languages = [rules.language] if rules and rules.language else []
    readings = find_dates(text, languages) if text and dates_only(text, SIGNING, languages) else []
    days = {reading.moment.iso[:10] for reading in readings}
    return readings[0].moment if len(days) == 1 else None


def _opens_told_text(line: str, source: PostSource) -> bool:
    """Whether the text as the feed tells it begins with a line: then it is a part of it."""
    words = tokenise(line)
    return tokenise(source.told_article().text[: 2 * len(line)])[: len(words)] == words


def _is_told(draft: Draft, value: str) -> bool:
    """Whether the fields say what a label's value says: who wrote the post, when, or what it is
    filed under.
    """
    names = [author.name for author in draft.values.get("authors", ())]
    filed = [*draft.values.get("tags", ()), *draft.values.get("categories", ())]
    words = tokenise(value)
    if any(set(words).issubset(tokenise(" ".join(told))) for told in (names, filed)):
        return True
    published, language = draft.values.get("published"), draft.values.get("language")
    beside = beside_day(value, published, [language] if language else []) if published else None
    return beside is not None and are_signing(beside)


# --- the next best ways


def _or_told(draft: Draft, shown: CleanArticle, source: PostSource) -> CleanArticle:
    """The article as the page shows it, or as the feed tells it.

    The feed is believed where the page shows none, or another text.
    """
    if not source.entry or not source.entry.html:
        return shown
    told = source.told_article()
    if _is_same_text(shown.text, told.text):
        return shown
    draft.provenance["html"] = _TOLD
    return told


def _or_better(draft: Draft, shown: CleanArticle, fit: Fit, source: PostSource) -> CleanArticle:
    """What the rule gives, or the next best way.

    That is asked where the rule gives next to nothing of the element it found.
    """
    words_there = own_words(source.view, fit.article, len(tokenise(shown.text)))
    if not is_thin(shown, words_there):
        return shown
    told = source.told_article()
    sureness = _sureness_wanted(shown, words_there)
    for article, provenance in _other_ways(source, fit, draft.values.get("title"), sureness):
        if _may_replace(article, told):
            draft.provenance["html"] = provenance
            return article
    if len(told.text) > len(shown.text):
        draft.provenance["html"] = _TOLD
        return told
    draft.provenance["html"] = doubted(draft.provenance["html"])
    return shown


def _may_replace(article: CleanArticle, told: CleanArticle) -> bool:
    """Whether an article found in another way is a text at all, and the one the feed tells."""
    if len(tokenise(article.text)) < ENOUGH_WORDS:
        return False
    return is_empty(told) or _is_same_text(article.text, told.text)


def _sureness_wanted(shown: CleanArticle, words_there: int) -> float:
    """How sure generic extraction must be to be believed rather than the rule.

    Where the rule found a text and nothing is left of it, any finder is; where it found none, a
    sure one, for a post may be no more than its title; where a line is left, one that names the
    article: the rest may be an endless thread.
    """
    if shown.text:
        return _NAMED
    return DOUBTFUL if is_small_part(0, words_there) else _SURE


def _other_ways(
    source: PostSource, fit: Fit, title: str | None, sureness: float
) -> Iterator[tuple[CleanArticle, Provenance]]:
    """The article by the blog's other templates, then by generic extraction."""
    # Imported here: it is heavy, and seldom needed.
    from blogforever.extract.fallback import fallback_fields  # noqa: PLC0415

    url = source.page.url
    language = source.rules.language if source.rules else None
    for template in source.templates:
        if template == fit.template:
            continue
        element = find_article(source.view.tree, template, language)
        if element is not None:
            draft, trimmed = Draft({"title": title}), Trimmed(element)
            cut_range(trimmed, template.article)
            yield _by_template(draft, trimmed, template, source), draft.provenance["html"]
    sought = frozenset(("html",))
    generic = fallback_fields(source.view, url, captured=source.page.captured, sought=sought)
    for candidate in generic.get("html", ()):
        if candidate.confidence >= sureness:
            provenance = Provenance(candidate.by, candidate.rule, candidate.confidence)
            yield clean_article(candidate.value, url), provenance


def _is_same_text(shown: str, told: str) -> bool:
    """Whether a text read without rules is the one the feed tells.

    A page drawn by a script shows another.
    """
    shown_words = set(tokenise(shown))
    told_words = tokenise(told)
    shared = sum(word in shown_words for word in told_words)
    return bool(shown_words) and 2 * shared >= len(told_words)
