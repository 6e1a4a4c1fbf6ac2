"""The blog's rules on one page: the template that fits it, and the fields its rules find there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import same_day, same_instant
from blogforever.dom import tokenise
from blogforever.extract.apply import (
    MOST_VALUES,
    byline_values,
    find_node,
    find_nodes,
    in_comments,
    line_of,
    listed_values,
    read_moment,
    value_of,
    without_sign,
)
from blogforever.extract.draft import Draft
from blogforever.extract.signedname import names_in
from blogforever.extract.untitled import IN_HEAD, is_blogs_name, is_placeholder_title
from blogforever.model import Author, Entry, Moment, Page, Rule, Rules, Template
from blogforever.page.view import view_of
from blogforever.urls import join

TRUSTED = 0.8
"""What is so sure is believed against another way.

A rule against the feed's entry, a list of tags against a shorter.
"""

# A field that so many training pages were asked for without an answer is one the blog does not
# show.
_MANY_PAGES = 5
_LISTED = frozenset({"tags", "categories"})
PAGE = "body"
"""The article of pages without any container."""


@dataclass(frozen=True)
class Fit:
    """A template that fits a page, with the article node it finds there."""

    template: Template
    article: LexborNode


def fits(page: Page, rules: Rules) -> bool:
    """Whether a template of the rules finds an article with words on the page."""
    return choose_template(view_of(page).tree, rules) is not None


def choose_template(parser: LexborHTMLParser, rules: Rules | None) -> Fit | None:
    """The template whose rules find most on the page; None where none finds an article."""
    if rules is None:
        return None
    uncontested = len(rules.templates) == 1
    best: Fit | None = None
    best_share = -1.0
    for template in sorted(rules.templates, key=_is_whole_page):
        article = find_article(parser, template, rules.language)
        if article is None:
            continue
        fit = Fit(template, article)
        if uncontested or template.article.locked:
            return fit
        share = _share_found(parser, template)
        if share > best_share:
            best, best_share = fit, share
        if share == 1:
            break
    return best


class ShownPosts(NamedTuple):
    """What a page shows where posts of its template have their article and their title."""

    articles: int = 0
    """How many articles, each with a title: a post has one, a list of posts several."""
    place: str | None = None
    """Where the first title leads: to the post, if anywhere."""


def posts_shown(parser: LexborHTMLParser, rules: Rules | None, url: str) -> ShownPosts:
    """What a page shows of posts by the template that fits it.

    Comments may be made like articles, and other posts be named below a text, but neither is both.
    """
    fit = choose_template(parser, rules)
    if fit is None or _is_whole_page(fit.template):
        return ShownPosts()
    by_rule = [_places(parser, rule) for rule in fit.template.fields.get("title", ())]
    # The surest rule that finds a title finds the one that is read; another may find the name of a list above it.
    read = next(filter(None, by_rule), [])
    href = next((href for title in read[:1] if (href := _href_of(title))), "")
    titles = max(map(len, by_rule), default=0)
    return ShownPosts(min(_articles(parser, fit.template.article), titles), join(url, href) if href else None)


def _articles(parser: LexborHTMLParser, rule: Rule) -> int:
    """How many articles a page shows: of those that are parts of one container, as many as there are marks of them.

    Marks with nothing between them stand at one article, as a box to share and another to like it.
    """
    places = len(_places(parser, rule))
    marks = [_places(parser, replace(rule, css=mark)) for mark in (rule.after, rule.before) if mark]
    return max(places, min(map(_apart, marks))) if places and marks else places


def _apart(marks: Sequence[LexborNode]) -> int:
    """How many marks do not stand right behind another."""
    ids = {mark.mem_id for mark in marks}
    before = [_before(mark) for mark in marks]
    return sum(node is None or node.mem_id not in ids for node in before)


def _before(node: LexborNode) -> LexborNode | None:
    """What stands before an element, but for white space."""
    before = node.prev
    while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
        before = before.prev
    return before


def _places(parser: LexborHTMLParser, rule: Rule) -> list[LexborNode]:
    """What a rule finds in all places of a page, but for what readers wrote."""
    return [node for node in find_nodes(parser, rule.css)[:MOST_VALUES] if not in_comments(node)]


def _href_of(title: LexborNode) -> str:
    """Where the link in a title, or right around it, leads."""
    link = title.css_first("a[href]") or title.parent
    return (link.attributes.get("href") or "") if link is not None and link.tag == "a" else ""


def find_article(parser: LexborHTMLParser, template: Template, language: str | None) -> LexborNode | None:
    """The article a template finds on a page; none where that is the page, and no post's."""
    if _is_whole_page(template) and not _shows_post(parser, template, language):
        return None
    return find_node(parser, template.article.css)


def _is_whole_page(template: Template) -> bool:
    """Whether a template takes the page for the article; not where a person said so."""
    return template.article.css == PAGE and not template.article.locked


def tells_posts(template: Template) -> bool:
    """Whether a template can tell posts from other pages: by its article, or by title and date."""
    return not _is_whole_page(template) or {"title", "published"} <= template.fields.keys()


def _shows_post(parser: LexborHTMLParser, template: Template, language: str | None) -> bool:
    """Whether a page shows title and date where the posts of its template do: every page has a
    body, so that nothing else tells a post from a list.
    """
    languages = [language] if language else []
    dates = ((rule, value_of(parser, rule)) for rule in template.fields.get("published", ()))
    is_dated = any(text and read_moment(rule, text, languages) for rule, text in dates)
    return is_dated and _shows(parser, template.fields.get("title", ()))


def _share_found(parser: LexborHTMLParser, template: Template) -> float:
    """How many of the template's fields the page shows; none of none is nothing to go by."""
    fields = {name: rules for name, rules in template.fields.items() if rules}
    if not fields:
        return 0.0
    found = sum((_lists if name in _LISTED else _shows)(parser, rules) for name, rules in fields.items())
    return found / len(fields)


def _lists(parser: LexborHTMLParser, rules: tuple[Rule, ...]) -> bool:
    """Whether any of the places of a field with many values has one: the first may be but a picture's link."""
    return any(listed_values(parser, rule, "") for rule in rules)


def _shows(parser: LexborHTMLParser, rules: tuple[Rule, ...]) -> bool:
    return any(value_of(parser, rule) for rule in rules)


def is_expected(template: Template, name: str) -> bool:
    """Whether the template's pages show a field.

    One that many pages were asked for in vain is not searched again.
    """
    return name in template.fields or template.pages < _MANY_PAGES


# --- the fields

# Words of a tag; what is longer is a link in a sentence.
_TAG_WORDS = 8


@dataclass(frozen=True)
class FieldContext:
    """What helps to read the value a rule finds.

    The blog, the page, and what the feed says of it.
    """

    rules: Rules
    page: Page
    entry: Entry | None

    @property
    def told_date(self) -> Moment | None:
        """When the feed says the post was published."""
        return self.entry.published if self.entry else None


def read_fields(draft: Draft, parser: LexborHTMLParser, template: Template, context: FieldContext) -> None:
    """Offer the draft every field: the first of a field's rules that finds a value is taken."""
    for name, read in _READERS.items():
        for rule in template.fields.get(name, ()):
            value = read(parser, rule, context)
            if value:
                draft.offer(name, value, "rule", rule.xpath, rule.confidence)
                break
    _complete_date(draft, context.told_date)


def _complete_date(draft: Draft, told: Moment | None) -> None:
    """The page shows the day; the feed knows the hour and the zone too. Where the page names the very instant, its zone
    is the blog's own: feeds like to tell it in Greenwich's.
    """
    shown: Moment | None = draft.values.get("published")
    if told and shown and same_day(told, shown) and not same_instant(told, shown):
        draft.values["published"] = replace(told, raw=shown.raw)


def _title_by(parser: LexborHTMLParser, rule: Rule, context: FieldContext) -> str | None:
    if rule.prefix and not _has_prefix(parser, rule):
        return None  # what the blog sets before its titles is missing: other pages are called otherwise
    title = value_of(parser, rule)
    told = context.entry.title if context.entry else None
    if not title or rule.locked:
        return title
    is_no_title = rule.xpath.startswith(IN_HEAD) and is_placeholder_title(title, context.rules)
    if is_no_title or is_blogs_name(title, (rule,)):
        return None  # the page of a post without a title: its heading is asked
    if not told:
        return title
    return title if _same_title(title, told) else None


def _same_title(shown: str, told: str) -> bool:
    """Whether page and feed mean the same title.

    Feeds like to add the author's or the blog's name.
    """
    mine, theirs = tokenise(shown), tokenise(told)
    if mine == theirs:
        return True
    begins = mine == theirs[: len(mine)]
    ends = mine == theirs[-len(mine) :]
    is_most_of_it = 2 * len(mine) >= len(theirs)
    return is_most_of_it and (begins or ends)


def _authors_by(parser: LexborHTMLParser, rule: Rule, context: FieldContext) -> tuple[Author, ...]:
    if rule.prefix and not _has_prefix(parser, rule):
        return ()  # another element where the by-line should be
    names = [name for value in byline_values(parser, rule) for name in names_in(value)]
    return tuple(map(Author, dict.fromkeys(names)))


def _has_prefix(parser: LexborHTMLParser, rule: Rule) -> bool:
    """Whether the words before the value are there.

    So they are said to be where nothing is found at all.
    """
    line = line_of(parser, rule)
    return line is None or rule.prefix.casefold().strip() in line.casefold()


def _date_by(parser: LexborHTMLParser, rule: Rule, context: FieldContext) -> Moment | None:
    text = value_of(parser, rule)
    if not text:
        return None
    languages = [context.rules.language] if context.rules.language else []
    moment = read_moment(rule, text, languages, context.page.captured)
    told = context.told_date
    contradicted = moment and told and not same_day(told, moment)
    return None if contradicted and rule.confidence < TRUSTED else moment


def _names_by(parser: LexborHTMLParser, rule: Rule, context: FieldContext) -> tuple[str, ...]:
    """Tags or categories, without the signs that themes set before and between them."""
    names = [without_sign(value).strip(" ,;、，") for value in listed_values(parser, rule, context.page.url)]
    return tuple(name for name in names if 0 < len(name.split()) <= _TAG_WORDS)


_READERS: dict[str, Callable[[LexborHTMLParser, Rule, FieldContext], object]] = {
    "title": _title_by,
    "authors": _authors_by,
    "published": _date_by,
    "tags": _names_by,
    "categories": _names_by,
}
