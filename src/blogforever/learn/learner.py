"""learn_rules: feed and pages in, the blog's rules out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from blogforever.dom import tokenise
from blogforever.extract.apply import find_node
from blogforever.extract.post import choose_template
from blogforever.learn.article import ArticleRule, agree, ends_amid, fills, find_articles, measure
from blogforever.learn.candidates import css_of, xpath_of
from blogforever.learn.datefield import learn_published
from blogforever.learn.exclude import Exclusion, learn_exclusions
from blogforever.learn.fields import learn_authors, learn_title
from blogforever.learn.ranges import learn_range
from blogforever.learn.rating import Placed, trust
from blogforever.learn.samples import ENOUGH_WORDS, Sample, gather
from blogforever.learn.tagfield import learn_tags
from blogforever.learn.teacher import carries_excerpts, teach, teach_authors, teach_date
from blogforever.learn.views import view_of
from blogforever.model import Feed, Page, Rule, Rules, Template

_MOST_TOLD = 12  # pages with an entry that are learned from
_MOST_OTHERS = 10  # further pages, to see what the blog repeats
_FEW = 3  # with fewer telling entries the other pages are taught too
_MOST_TAUGHT_AUTHORS = 5
_MOST_TAUGHT_DATES = 8
_SEVERAL = 5  # entries by one author make a blog of one author
_MOSTLY = 0.8  # of the entries fill their article: nobody needs to ask whether the feed cuts them short
_MOST_OF_IT = 0.5  # of the article node's words; the others are what has to be excluded
_WHOLE = 0.85  # a feed that has so much of the page's article has all of it


def learn_rules(feed: Feed | None, pages: Sequence[Page], known: Rules | None = None) -> Rules:
    """Learn where the fields of a blog's posts stand, from its feed and the pages the feed speaks of.

    With `known` rules, the pages none of their templates fits are learned from, and what they teach is added.
    """
    samples = gather(feed, pages, _MOST_TOLD, _MOST_OTHERS)
    if known:
        samples = [sample for sample in samples if choose_template(sample.tree.parser, known) is None]
    told, others = _choose(samples)
    found = [find_articles(sample) for sample in told]
    languages = [feed.language] if feed and feed.language else []
    _own_authors(told, feed)
    _own_dates(told)
    learned = [_template(rule, told, others, languages) for rule in agree(told, found)]
    rules = known or Rules(
        blog=(feed.link if feed else None) or (pages[0].url if pages else ""),
        feed=feed.url if feed else None,
        language=feed.language if feed else None,
        full_feed=not any(sample.taught for sample in told) if feed else None,
        author=_only_author(feed) if feed else None,
    )
    return replace(rules, templates=(*rules.templates, *learned))


def _only_author(feed: Feed) -> str | None:
    """The one person who wrote all the entries of a feed; a name given to the feed as a whole does not count."""
    names = [e.authors[0].name if len(e.authors) == 1 else "" for e in feed.entries if "authors_from" not in e.extra]
    return names[0] or None if len(names) >= _SEVERAL and len(set(names)) == 1 else None


def _own_authors(told: Sequence[Sample], feed: Feed | None) -> None:
    """Where the feed names no post's author, or only the blog's own name, let the pages say who wrote them."""
    named = [e for e in (feed.entries if feed else ()) if e.authors and e.extra.get("authors_from") != "feed"]
    names = {tuple(tokenise(author.name)) for entry in named for author in entry.authors}
    if names - {tuple(tokenise(feed.title or ""))} if feed else False:
        return
    for sample in told:
        if sample.entry:
            sample.entry = replace(sample.entry, authors=())
    asked = [sample for n, sample in enumerate(told) if n < _MOST_TAUGHT_AUTHORS or sample.reading is not None]
    for sample in asked:
        teach_authors(sample)
    if 2 * sum(bool(sample.entry and sample.entry.authors) for sample in asked) < len(asked):
        for sample in asked:  # a name here and there is somebody the posts speak of
            sample.entry = replace(sample.entry, authors=()) if sample.entry else None


def _own_dates(told: Sequence[Sample]) -> None:
    """Where the feed dates few of its entries, let the pages say when they were published."""
    undated = [sample for sample in told if not sample.entry or not sample.entry.published]
    if 2 * len(undated) > len(told):
        for sample in undated[:_MOST_TAUGHT_DATES]:
            teach_date(sample)


def _choose(samples: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """The samples to learn from, and others that only show what the blog repeats."""
    entered = [sample for sample in samples if sample.entry]
    others = [sample for sample in samples if not sample.entry]
    telling = [sample for sample in entered if len(sample.target) >= ENOUGH_WORDS and find_articles(sample)]
    if len(telling) < min(_FEW, len(samples)):
        return [*telling, *teach([sample for sample in [*entered, *others] if sample not in telling])], []
    if sum(map(fills, telling)) < _MOSTLY * len(telling) and carries_excerpts(telling):
        telling = teach(telling) or telling
    return telling, others


def _template(
    rule: ArticleRule, told: Sequence[Sample], others: Sequence[Sample], languages: Sequence[str]
) -> Template:
    css = css_of(rule.selector)
    placed = [Placed(told[n], place) for n in rule.fits if (place := _place(told[n], css)) is not None]
    elsewhere = [Placed(sample, place) for sample in others if (place := _place(sample, css)) is not None]
    tags, categories = learn_tags(placed)
    fields = {
        "title": learn_title(placed),
        "authors": learn_authors(placed),
        "published": learn_published(placed, languages),
        "tags": tags,
        "categories": categories,
    }
    views = [view_of(p.sample, p.article, told=_tells_all(p)) for p in placed]
    views += [view_of(p.sample, p.article, told=False) for p in elsewhere]
    after, before = learn_range(views)
    return Template(
        article=Rule(
            css,
            xpath_of(rule.selector),
            after=after.css() if after else "",
            before=before.css() if before else "",
            confidence=trust(rule.agreement * len(rule.fits), len(rule.fits)),
            pages=len(rule.fits),
        ),
        exclude=tuple(_exclusion_rule(item) for item in learn_exclusions(views)),
        fields={name: found for name, found in fields.items() if found},
        pages=len(rule.fits),
    )


def _place(sample: Sample, css: str) -> int | None:
    return sample.tree.place(find_node(sample.tree.parser, css))


def _tells_all(placed: Placed) -> bool:
    """Whether the entry carries the whole article."""
    sample = placed.sample
    article = measure(sample, placed.article)
    whole = sample.entry is not None and article.recall >= _WHOLE and article.precision >= _MOST_OF_IT
    return whole and not ends_amid(sample, placed.article)


def _exclusion_rule(item: Exclusion) -> Rule:
    xpath = "//" + item.step.xpath()
    if item.starts:
        xpath += f"[starts-with(normalize-space(.), '{item.starts}')]"
    return Rule(item.step.css(), xpath, starts=item.starts, pages=item.pages)
