"""extract_post: a page in, its post out, every field by the surest way that gives one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import address_date, find_dates, same_day
from blogforever.dom import decode, node_text, parse, tokenise
from blogforever.extract.apply import find_node, find_nodes, read_moment, value_of, values_of
from blogforever.extract.clean import CleanArticle, clean_article, clean_node
from blogforever.extract.metadata import Candidate, semantic_fields
from blogforever.extract.names import clean_name
from blogforever.extract.nativeid import native_id
from blogforever.extract.visibility import visibility_of, walls
from blogforever.model import Author, By, Entry, Moment, Page, Post, Provenance, Rule, Rules, Template
from blogforever.urls import join, may_be_part, part_of, url_key

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PLAIN = ("subtitle", "modified", "summary", "lead_picture", "previous_url", "next_url")
_OPENING = 200  # characters of a text in which its first words stand
_WORD = 16  # characters that most words do not have
_BESIDE = ("language", "kind", "site_name", "tags")
_UNKEPT = frozenset({"html", "text", "site_name", "canonical", "kind"})
_SHORT = 100  # characters a caption may have
_CAPTION = 5  # words below which pictures are the post
_MANY = 5
_MANY_LINKS = 2000
_OWN_LINK = (["permalink"], ["permanent", "link"], ["permalien"], ["link"])  # to the page it stands on
_LINE = 16  # words of a line of page numbers
ANY_NUMBER = "#"
_SIGNING = frozenset(
    tokenise("""
        posted published written date dated on at by the am pm h uhr um von vom veröffentlicht geschrieben publié le à
        par publicado el por em às pubblicato il da alle geplaatst op door dodano dnia o опубликовано автор в 作者
        发表于 发布于
    """)
)
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
    if fit:
        languages = [language for language in (draft.values.get("language"), rules and rules.language) if language]
        drop_dateline(parser, fit, [author.name for author in draft.values.get("authors", ())], languages)
    cleaned = _or_told(draft, _body(draft, parser, fit, page.url), fit, entry, page.url)
    return replace(_finish(draft, page, entry, cleaned, number), visibility=visibility)


def _or_told(draft: Draft, shown: CleanArticle, fit: Fit | None, entry: Entry | None, url: str) -> CleanArticle:
    """The article as the page shows it, or as the feed tells it where the page shows none, or another text."""
    if not entry or not entry.html or (shown.text and fit):
        return shown
    told = clean_article(entry.html, url)
    if _holds(shown.text, told.text):
        return shown
    draft.provenance["html"] = Provenance("feed", "entry content", 0.8)
    return told


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


def _by_fallback(
    draft: Draft,
    parser: LexborHTMLParser,
    html: str,
    page: Page,
    semantic: Mapping[str, Sequence[Candidate]],
    *,
    whole: bool,
) -> None:
    """Semantic mark-up, platform knowledge and generic extraction for what is still missing."""
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    found = fallback_fields(parser, html, page.url, captured=page.captured)
    names = (
        ("title", "authors", "published", "tags", "categories", "subtitle", "html") if whole else ("title", "published")
    )
    for name in names:
        best = choose(found.get(name, ()))
        if best:
            draft.offer(name, best.value, best.by, best.rule, best.confidence)


def _language(draft: Draft, semantic: Mapping[str, Sequence[Candidate]], rules: Rules | None) -> None:
    draft.offer_best("language", semantic.get("language", ()))
    if rules:
        draft.offer("language", rules.language, "feed", "feed language", 0.6)


# --- the body


def _body(draft: Draft, parser: LexborHTMLParser, fit: Fit | None, url: str) -> CleanArticle:
    if fit is None:
        return clean_article(draft.values.get("html") or "", url)
    draft.provenance["html"] = Provenance("rule", fit.template.article.xpath, fit.template.article.confidence)
    cut_range(fit.article, fit.template.article)
    drop_foreign(fit.article, fit.template.exclude)
    drop_title(fit.article, draft.values.get("title"))
    drop_page_links(fit.article, url)
    return clean_node(fit.article, url)


def cut_range(article: LexborNode, rule: Rule) -> None:
    """Take out of the article node what stands before its text begins and after it ends."""
    top = article.mem_id
    for css, side in ((rule.after, "prev"), (rule.before, "next")):
        for mark in find_nodes(article, css) if css else ():
            if mark.parent is not None and mark.parent.mem_id == top:
                while (beside := getattr(mark, side)) is not None:
                    beside.remove()
                mark.remove()
                break


def drop_foreign(article: LexborNode, exclude: Sequence[Rule]) -> None:
    """Take out of the article what the rules say does not belong to it."""
    for node in foreign_nodes(article, exclude):
        node.remove()


def foreign_nodes(article: LexborNode, exclude: Sequence[Rule]) -> list[LexborNode]:
    """The blocks inside the article that the rules say do not belong to it."""
    top = article.mem_id
    marked, lines = _exclusion(exclude)
    foreign = [node for node in (find_nodes(article, marked) if marked else ()) if node.mem_id != top]
    for css, starts, sizes in lines:
        for node in find_nodes(article, css):
            words = first_words(node, sizes[-1]) if node.mem_id != top else []
            for size in sizes:
                if _begins(words[:size], starts):
                    foreign.append(node)
                    break
    return foreign


Lines = tuple[tuple[str, frozenset[tuple[str, ...]], Sequence[int]], ...]
"""Of elements by selector: with which words those begin that are foreign, and how many words these are."""

_excluded: list[tuple[Sequence[Rule], str, Lines]] = []


def _exclusion(exclude: Sequence[Rule]) -> tuple[str, Lines]:
    """The rules as one selector and the lines; the same rules are asked for on page after page."""
    for known, marked, lines in _excluded:
        if known is exclude:
            return marked, lines
    starts: dict[str, set[tuple[str, ...]]] = {}
    for rule in exclude:
        if rule.starts:
            starts.setdefault(rule.css, set()).add(tuple(rule.starts.split()))
    marked = ", ".join(rule.css for rule in exclude if not rule.starts)
    lines = tuple((css, frozenset(found), sorted(set(map(len, found)))) for css, found in starts.items())
    _excluded[:] = [(exclude, marked, lines)]
    return marked, lines


def _begins(words: list[str], starts: Set[tuple[str, ...]]) -> bool:
    if tuple(words) in starts:
        return True
    number, *noun = without_numbers(words) or [""]
    return number == ANY_NUMBER and any(s[0] == ANY_NUMBER and one_noun(s[1], noun[0]) for s in starts if len(s) > 1)


def one_noun(one: str, other: str) -> bool:
    """Whether two words are one noun in singular and plural: "comment" and "comments"."""
    shorter, longer = sorted((one, other), key=len)
    stem = max(4, len(shorter) - 2)
    return one == other or (
        len(longer) - len(shorter) <= 3 and len(shorter) >= stem and longer[:stem] == shorter[:stem]
    )


def without_numbers(words: Sequence[str]) -> list[str]:
    """The words a line begins with, whatever number it tells: "2 comments" is "12 comments" on another page."""
    if len(words) == 2 and words[0].isdecimal() and not words[1].isdecimal():
        return [ANY_NUMBER, words[1]]
    return list(words)


def first_words(node: LexborNode, count: int) -> list[str]:
    """The first words below a node, read no further than needed."""
    words: list[str] = []
    for part in node.traverse(include_text=True):
        if part.is_text_node and (text := (part.text_content or "")[:_OPENING].lstrip()):
            few = tokenise(text[: _WORD * count])  # the last of them may be cut
            words += few if len(few) > count else tokenise(text)
            if len(words) >= count:
                break
    return words[:count]


def drop_title(article: LexborNode, title: str | None) -> None:
    """Take the post's own heading out of the article."""
    wanted = tokenise(title or "")
    opening = ", b, strong, font, p, div, span" if wanted and first_words(article, len(wanted)) == wanted else ""
    for node in article.css("h1, h2, h3, h4" + opening)[:_MANY_LINKS] if wanted else ():
        if tokenise(node_text(node)) == wanted:
            node.decompose()
            return


def _fuller_tags(draft: Draft, entry: Entry | None, said: Iterable[Candidate]) -> None:
    """Many themes show one tag only: a list of the feed, or of the page's head, that has more and all of these."""
    shown = {name.casefold() for key in ("tags", "categories") for name in draft.values.get(key, ())}
    lists = [Candidate(entry.tags, "feed", "entry categories", 0.9)] if entry else []
    for found in (*lists, *(candidate for candidate in said if candidate.confidence >= _TRUSTED)):
        if shown < {name.casefold() for name in found.value}:
            draft.values["tags"] = found.value
            draft.provenance["tags"] = Provenance(found.by, found.rule, found.confidence)
            return


def drop_dateline(parser: LexborHTMLParser, fit: Fit, names: Sequence[str], languages: Sequence[str]) -> None:
    """Take the line that dates the post out of the article, where it holds little but the date and who signs."""
    known = _SIGNING | {word for name in names for word in tokenise(name)}
    for rule in fit.template.fields.get("published", ()):
        node, line = find_node(parser, rule.css), None
        if node is None or not _is_below(node, fit.article):
            continue
        while node is not None and node.mem_id != fit.article.mem_id and _dates_only(node, known, languages):
            line, node = node, node.parent
        if line is not None:
            line.decompose()
            return


def _is_below(node: LexborNode, top: LexborNode) -> bool:
    above: LexborNode | None = node.parent
    while above is not None and above.mem_id != top.mem_id:
        above = above.parent
    return above is not None


def _dates_only(node: LexborNode, known: Set[str], languages: Sequence[str]) -> bool:
    text = node_text(node)
    found = find_dates(text, languages, limit=1) if 0 < len(text) <= _SHORT else []
    left = tokenise(text[: found[0].start] + " " + text[found[0].end :]) if found else [""]
    return all(word in known or word.isdigit() for word in left)


def _part_tags(draft: Draft) -> None:
    """Feeds, and links near an article, often give both in one list: what is known to be a category is no tag."""
    categories = {name.casefold() for name in draft.values.get("categories", ())}
    tags = tuple(name for name in draft.values.get("tags", ()) if name.casefold() not in categories)
    if tags:
        draft.values["tags"] = tags
    else:
        draft.values.pop("tags", None)
        draft.provenance.pop("tags", None)


def drop_page_links(article: LexborNode, url: str) -> None:
    """Take out the link to the post itself, and the line that leads to the other pages of a long one."""
    own = part_of(url)
    first = url_key(own[0] if own else url)
    for link in article.css("a[href]")[:_MANY_LINKS]:
        href = link.attributes.get("href") or ""
        target = join(url, href) if own or may_be_part(href) else None
        part = part_of(target) if target else None
        if target and url_key(target) == url_key(url) and tokenise(node_text(link)) in _OWN_LINK:
            link.decompose()
        elif part and url_key(part[0]) == first:
            line: LexborNode = link
            while (above := line.parent) and above.mem_id != article.mem_id and _is_line(above):
                line = above
            line.decompose()


def _is_line(node: LexborNode) -> bool:
    return len(tokenise((node.text_content or "")[:_OPENING])) <= _LINE


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
