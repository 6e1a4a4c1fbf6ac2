"""extract_post: a page in, its post out, every field by the surest way that gives one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser

from blogforever.dates import address_date
from blogforever.dom import tokenise
from blogforever.extract.body import NO_ARTICLE, PostSource, read_body
from blogforever.extract.clean import CleanArticle
from blogforever.extract.confidence import rated
from blogforever.extract.draft import Draft
from blogforever.extract.geo import geo_of
from blogforever.extract.headline import heading_sign, title_key, without_anchor
from blogforever.extract.metadata import Candidate, semantic_fields
from blogforever.extract.nativeid import native_id
from blogforever.extract.signs import Surroundings
from blogforever.extract.templates import (
    TRUSTED,
    FieldContext,
    Fit,
    choose_template,
    is_expected,
    read_fields,
)
from blogforever.extract.untitled import (
    IN_HEAD,
    is_blogs_name,
    is_its_day,
    is_made_of_text,
    is_passage,
    is_placeholder_title,
)
from blogforever.extract.visibility import visibility_of
from blogforever.model import Author, Entry, Page, Post, Provenance, Rules
from blogforever.page.view import view_of

_SOUGHT = ("title", "published")
"""Fields without which a post is hardly one: they are searched for in every way there is."""
_PLAIN = ("subtitle", "modified", "summary", "lead_picture", "previous_url", "next_url")
"""Fields that the page's head alone gives."""
_BESIDE = ("language", "kind", "site_name", "tags", "categories", "authors")
_BY_PAGE_ALONE = ("title", "authors", "published", "tags", "categories", "subtitle", "html")
_OF_THE_TEXT = frozenset({"html", "summary"})
_UNKEPT = frozenset({"html", "text", "site_name", "canonical", "kind"})

# Characters and words of a caption: below both, the pictures are the post.
_CAPTION_CHARACTERS = 100
_CAPTION_WORDS = 5

# A feed is made of titles and dates; its other fields are more often filled in by a program for all
# entries alike.
_FEED_FIELD = 0.9
_FEED_TITLE_OR_DATE = 0.95
# One name for all entries may be who runs the blog rather than who wrote this post.
_ONLY_AUTHOR = 0.5
# A name that generic extraction is less sure of may be anybody's whom the page speaks of.
_SURE_BYLINE = 0.7
# Mark-up of an article; what themes write on every page is less sure.
_SURE_MARKUP = 0.6
_FEED_LANGUAGE = 0.6
# The day in an address is the post's, but it may be that of a draft or of a later edition.
_ADDRESS_DATE = 0.7


@dataclass
class _PostReading:
    """A page on its way to a post: what it can be read from, and what was read so far."""

    source: PostSource
    fit: Fit | None
    draft: Draft = field(default_factory=Draft)
    said: Mapping[str, Sequence[Candidate]] = field(default_factory=dict)  # by the page's head

    @property
    def tree(self) -> LexborHTMLParser:
        """The page's tree."""
        return self.source.view.tree

    @property
    def missing(self) -> list[str]:
        """The sought fields that no way has given yet."""
        return [name for name in _SOUGHT if self.draft.lacks(name)]


def extract_post(page: Page, rules: Rules | None = None, entry: Entry | None = None) -> Post:
    """The post on a page, every field by the surest way that gives one, and how sure each is on
    this page.

    First come the blog's rules where they fit, then the feed's entry, then what the page says of
    itself.
    """
    view = view_of(page)
    reading = _PostReading(PostSource(view, page, rules, entry), choose_template(view.tree, rules))
    _ask_rules(reading)
    _ask_entry(reading)
    _ask_head(reading)
    _ask_address(reading)
    _ask_whole_page(reading)
    _ask_blog_for_author(reading)
    _ask_head_for_the_rest(reading)
    return rated(_with_body(reading), _surroundings(reading))


# --- who is asked, in this order


def _ask_rules(reading: _PostReading) -> None:
    source, fit = reading.source, reading.fit
    if fit and source.rules:
        context = FieldContext(source.rules, source.page, source.entry)
        read_fields(reading.draft, reading.tree, fit.template, context)


def _ask_entry(reading: _PostReading) -> None:
    draft, entry = reading.draft, reading.source.entry
    if entry is None:
        return
    if not is_placeholder_title(entry.title or "", reading.source.rules):
        draft.offer("title", entry.title, "feed", "entry title", _FEED_TITLE_OR_DATE)
    if entry.extra.get("authors_from") != "feed":  # the blog's own name is no post's author
        _take_fuller_authors(draft, entry)
        draft.offer("authors", entry.authors, "feed", "entry author", _FEED_FIELD)
    draft.offer("published", entry.published, "feed", "entry published", _FEED_TITLE_OR_DATE)
    draft.offer("tags", entry.tags, "feed", "entry categories", _FEED_FIELD)
    draft.offer("rights", entry.extra.get("rights"), "feed", "entry rights", _FEED_FIELD)
    draft.offer("license", entry.extra.get("license"), "feed", "entry license", _FEED_FIELD)
    draft.offer("geo", geo_of(entry), "feed", "entry place", _FEED_FIELD)


def _take_fuller_authors(draft: Draft, entry: Entry) -> None:
    """Let the feed name all co-authors where the page's rule found some of them."""
    shown = {author.name.casefold() for author in draft.values.get("authors", ())}
    if shown and shown < {author.name.casefold() for author in entry.authors}:
        draft.drop("authors")


def _ask_head(reading: _PostReading) -> None:
    """Read the page's head.

    Of what is sought, take here only what the blog's pages do not show elsewhere.
    """
    source = reading.source
    fit, missing = reading.fit, reading.missing
    wanted = (*_PLAIN, *_BESIDE, *missing)
    reading.said = semantic_fields(source.view, source.page.url, deep=False, wanted=wanted)
    for name in missing:
        if fit and not is_expected(fit.template, name):
            reading.draft.offer_best(name, _own_values(reading, name, reading.said))


def _ask_address(reading: _PostReading) -> None:
    if reading.fit is None or not reading.draft.lacks("published"):
        return
    date = address_date(reading.source.page.url)
    if date and date.precision == "day":
        reading.draft.offer("published", date, "generic", "address", _ADDRESS_DATE)


def _ask_whole_page(reading: _PostReading) -> None:
    """Ask semantic mark-up and generic extraction.

    Without a template they are asked for everything, else for what its pages should show.
    """
    fit = reading.fit
    if fit is None:
        generic = _by_fallback(reading, _BY_PAGE_ALONE)
        # Better a text that says of itself that it is doubtful than none.
        reading.draft.offer_best("html", generic.get("html", ()))
    elif any(is_expected(fit.template, name) for name in reading.missing):
        _by_fallback(reading, _SOUGHT)


def _ask_blog_for_author(reading: _PostReading) -> None:
    """Take who writes the blog, where the page does not surely name another; else whom its mark-up
    names.

    Without rules to know that by, the name that the feed gives once for all its entries.
    """
    draft, source = reading.draft, reading.source
    author = source.rules.author if source.rules else None
    way = draft.provenance.get("authors")
    if author and way and way.by == "generic" and way.confidence < _SURE_BYLINE:
        draft.drop("authors")
    draft.offer("authors", (Author(author),) if author else (), "feed", "the blog's only author", _ONLY_AUTHOR)
    if reading.fit is None:
        told = source.entry.authors if source.entry else ()
        draft.offer("authors", told, "feed", "feed author", _ONLY_AUTHOR)
    elif "authors" not in reading.fit.template.fields:
        marked = [said for said in reading.said.get("authors", ()) if said.confidence >= _SURE_MARKUP]
        draft.offer_best("authors", marked)


def _by_fallback(reading: _PostReading, names: Sequence[str]) -> Mapping[str, Sequence[Candidate]]:
    # Imported here: it is heavy, and seldom needed.
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415

    source = reading.source
    page = source.page
    generic = fallback_fields(source.view, page.url, captured=page.captured)
    for name in names:
        best = choose(_own_values(reading, name, generic))
        if best is not None:
            reading.draft.offer_candidate(name, best)
    return generic


def _own_values(reading: _PostReading, name: str, found: Mapping[str, Sequence[Candidate]]) -> Sequence[Candidate]:
    """What was found for a field, without the titles that the blog gives to posts that have none."""
    values = found.get(name, ())
    if name != "title":
        return values
    return [one for one in values if not is_placeholder_title(one.value, reading.source.rules)]


def _ask_head_for_the_rest(reading: _PostReading) -> None:
    draft, said = reading.draft, reading.said
    for name in _PLAIN:
        draft.offer_best(name, said.get(name, ()))
    _take_fuller_tags(reading)
    draft.offer_best("categories", [one for one in said.get("categories", ()) if one.confidence >= TRUSTED])
    draft.offer_best("language", said.get("language", ()))
    rules = reading.source.rules
    if rules:
        draft.offer("language", rules.language, "feed", "feed language", _FEED_LANGUAGE)
    draft.offer_best("kind", said.get("kind", ()))


def _take_fuller_tags(reading: _PostReading) -> None:
    """Take the list of the feed or of the page's head where it holds all that is shown, and more.

    Many themes show one tag only.
    """
    draft, entry = reading.draft, reading.source.entry
    lists = [Candidate(entry.tags, "feed", "entry categories", _FEED_FIELD)] if entry else []
    lists += [said for said in reading.said.get("tags", ()) if said.confidence >= TRUSTED]
    shown = _folded(draft, "tags") | _folded(draft, "categories")
    for fuller in lists:
        if shown < {name.casefold() for name in fuller.value}:
            draft.values["tags"] = fuller.value
            draft.provenance["tags"] = Provenance(fuller.by, fuller.rule, fuller.confidence)
            return


def _folded(draft: Draft, field_name: str) -> set[str]:
    return {name.casefold() for name in draft.values.get(field_name, ())}


# --- the post


def _with_body(reading: _PostReading) -> Post:
    """The post with its article, unless a form for a password stands in its place."""
    article = reading.fit.article if reading.fit else None
    visibility = visibility_of(reading.source.view, article)
    number = _number(reading)
    if visibility == "password":
        return _without_body(_finish(reading, NO_ARTICLE, number, visibility))
    closed = visibility is not None
    _forget_passage(reading)
    shown = read_body(reading.draft, reading.fit, reading.source, closed=closed)
    return _finish(reading, shown, number, visibility)


def _forget_passage(reading: _PostReading) -> None:
    """Take no passage of the text for its title, where the page shows none at the places of the blog's titles: it would
    be left out of the text, too.
    """
    title, fit, view = reading.draft.values.get("title"), reading.fit, reading.source.view
    if not title or fit is None or not _is_told_only(reading):
        return
    by_place = [rule for rule in fit.template.fields.get("title", ()) if not rule.xpath.startswith(IN_HEAD)]
    shows_none = bool(by_place) or not is_expected(fit.template, "title")
    article = view.place(fit.article)
    if shows_none and article is not None and is_passage(title, view, article):
        reading.draft.drop("title")


def _is_told_only(reading: _PostReading) -> bool:
    """Whether the feed or the page's head gave the title, and nobody said that it does."""
    way, fit = reading.draft.provenance["title"], reading.fit
    if way.by != "rule":
        return True
    known = fit.template.fields.get("title", ()) if fit else ()
    is_locked = any(rule.locked for rule in known)
    return way.rule.startswith(IN_HEAD) and not is_locked


def _surroundings(reading: _PostReading) -> Surroundings:
    """What stands around the article; the words of the page are known where no rule fits, and cost
    much elsewhere.
    """
    source, fit = reading.source, reading.fit
    element_length = len(fit.article.text()) if fit else 0
    page_words = 0 if fit else len(source.view.words)
    return Surroundings(source.rules, source.entry, element_length, page_words)


def _number(reading: _PostReading) -> str | None:
    """The platform's own number of the post, as the feed or the page gives it."""
    entry = reading.source.entry
    told = entry.extra.get("native_id") if entry else None
    return told or native_id(reading.source.view)


def _without_body(post: Post) -> Post:
    """The post without a text.

    What stands in its place, on the page or in the feed, is no text of it.
    """
    provenance = {name: way for name, way in post.provenance.items() if name not in _OF_THE_TEXT}
    return replace(post, summary=None, provenance=provenance)


def _finish(reading: _PostReading, article: CleanArticle, number: str | None, visibility: str | None) -> Post:
    draft, entry = reading.draft, reading.source.entry
    _part_tags(draft)
    _finish_title(reading, article)
    values = {name: value for name, value in draft.values.items() if name not in _UNKEPT}
    return Post(
        url=reading.source.page.url,
        text=article.text,
        html=article.html,
        media=article.media,
        links=article.links,
        kind=_kind(draft.values.get("kind"), entry, article),
        guid=entry.guid if entry else None,
        native_id=number,
        visibility=visibility,
        provenance=draft.provenance,
        **values,
    )


def _finish_title(reading: _PostReading, article: CleanArticle) -> None:
    """The title without the sign that links to its heading; none where it is but the beginning of
    the text, its day, or the blog's name.
    """
    draft = reading.draft
    title = draft.values.get("title")
    if not title:
        return
    ends_in_sign = not title[-1:].isalnum()
    title = without_anchor(title, heading_sign(reading.tree, title[-1:]) if ends_in_sign else "")
    is_made = is_made_of_text(title, article.text, reading.source.view)
    if is_made or _is_guessed_name(reading, title) or _is_only_its_day(reading, title):
        draft.drop("title")
    else:
        draft.values["title"] = title


def _is_guessed_name(reading: _PostReading, title: str) -> bool:
    """Whether no heading gave the title, and it, or what the page is called in its head, is the
    blog's name: such a page shows no title.
    """
    known = reading.fit.template.fields.get("title", ()) if reading.fit else ()
    way = reading.draft.provenance["title"]
    is_by_head = way.by == "rule" and way.rule.startswith(IN_HEAD) and not any(rule.locked for rule in known)
    if not known or not (is_by_head or way.by in ("semantic", "generic")):
        return False
    head = reading.tree.css_first("title")
    called = head.text() if head is not None else ""
    names = {title_key(said.value) for said in reading.said.get("site_name", ())}
    return title_key(title) in names or is_blogs_name(title, known) or is_blogs_name(called, known)


def _is_only_its_day(reading: _PostReading, title: str) -> bool:
    """Whether the page's head calls the post by its day, and neither the feed nor a rule does: a
    diary may well give its entries such titles.
    """
    way, entry, rules = reading.draft.provenance["title"], reading.source.entry, reading.source.rules
    is_by_rule = way.by == "rule" and not _is_by_head_alone(reading, way.rule)
    if is_by_rule or way.by == "feed" or (entry and entry.title):
        return False
    languages = [reading.draft.values.get("language"), rules.language if rules else None]
    published = reading.draft.values.get("published")
    return is_its_day(title, published, reading.source.view, [language for language in languages if language])


def _is_by_head_alone(reading: _PostReading, xpath: str) -> bool:
    """Whether a rule reads the head though another finds titles on the blog's pages: this one shows none."""
    known = reading.fit.template.fields.get("title", ()) if reading.fit else ()
    return xpath.startswith(IN_HEAD) and not all(rule.xpath.startswith(IN_HEAD) for rule in known)


def _part_tags(draft: Draft) -> None:
    """Take categories out of the tags.

    Feeds, and links near an article, often give both in one list.
    """
    categories = _folded(draft, "categories")
    tags = tuple(name for name in draft.values.get("tags", ()) if name.casefold() not in categories)
    if tags:
        draft.values["tags"] = tags
    else:
        draft.drop("tags")


def _kind(said: str | None, entry: Entry | None, article: CleanArticle) -> str:
    """What sort of post it is.

    As the page says, a link where the feed points elsewhere, pictures without a text.
    """
    if said and said != "post":
        return said
    if entry and entry.extra.get("link"):
        return "link"
    is_short = len(article.text) < _CAPTION_CHARACTERS
    is_caption = is_short and len(tokenise(article.text)) < _CAPTION_WORDS
    return "photo" if article.media and is_caption else "post"
