"""learn_rules: feed and pages in, the blog's rules out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from blogforever.extract.apply import find_node
from blogforever.extract.templates import choose_template, tells_posts
from blogforever.learn.article import ArticleRule, agree, ends_amid, fills, find_articles, measure
from blogforever.learn.authorfield import learn_authors
from blogforever.learn.authorship import only_author, own_authors
from blogforever.learn.besides import learn_besides
from blogforever.learn.candidates import css_of, xpath_of
from blogforever.learn.datefield import learn_published
from blogforever.learn.dayorder import settle_day_order
from blogforever.learn.exclude import Exclusion, learn_exclusions
from blogforever.learn.fields import learn_title
from blogforever.learn.leadingblocks import learn_leading
from blogforever.learn.placeholders import forget_passages, forget_placeholders, placeholders
from blogforever.learn.ranges import learn_range
from blogforever.learn.rating import Placed, trust
from blogforever.learn.samples import ENOUGH_WORDS, Sample, gather
from blogforever.learn.tagfield import learn_tags
from blogforever.learn.tagteacher import complete_tags, showing_more, teach_further_tags, teach_tags
from blogforever.learn.teacher import carries_excerpts, forget_shared_day, teach, teach_date
from blogforever.learn.views import view_of
from blogforever.model import Feed, Page, Rule, Rules, Template

# Pages with an entry that are learned from; further
# ones hardly change a rule, and each costs as much.
_MOST_TOLD = 12
# Further pages, to see what the blog repeats.
_MOST_OTHERS = 10
# With fewer telling entries the other pages are taught too.
_FEW = 3
# Pages that generic extraction, which is slow, is asked for dates and for tags.
_MOST_TAUGHT_DATES = 8
_MOST_TAUGHT_TAGS = 5
# Share of the entries that fill their article: nobody
# needs to ask whether the feed cuts them short.
_MOSTLY = 0.8
# Share of the article node's words that the entry has; the others are what has to be excluded.
_MOST_OF_IT = 0.5
# A feed that has so much of the page's article has all of it.
_WHOLE = 0.85


def learn_rules(feed: Feed | None, pages: Sequence[Page], known: Rules | None = None) -> Rules:
    """Learn where the fields of a blog's posts stand,
    from its feed and the pages the feed speaks of.

    With `known` rules, the pages none of their templates
    fits are learned from, and what they teach is added.
    """
    samples = gather(feed, pages, _MOST_TOLD, _MOST_OTHERS)
    names = placeholders(feed, samples)
    if known:
        samples = [sample for sample in samples if not _is_fitted(sample, known)]
        names = tuple(dict.fromkeys((*known.placeholders, *names)))
    forget_placeholders(samples, names)
    told, others = _choose(samples)
    articles = [find_articles(sample) for sample in told]
    forget_passages(told)
    languages = [feed.language] if feed and feed.language else []
    own_authors(told, feed)
    _own_dates(told)
    _own_tags(told)
    templates = (_template(rule, told, others, languages) for rule in agree(told, articles))
    learned = [template for template in templates if tells_posts(template)]
    rules = known or _first_rules(feed, pages, told, learned)
    return replace(rules, templates=(*rules.templates, *learned), placeholders=names)


def _is_fitted(sample: Sample, rules: Rules) -> bool:
    """Whether the rules have a template for a page."""
    return choose_template(sample.tree.tree, rules) is not None


def _first_rules(
    feed: Feed | None, pages: Sequence[Page], told: Sequence[Sample], templates: Sequence[Template]
) -> Rules:
    """What is known of a blog before its templates."""
    first_page = pages[0].url if pages else ""
    if feed is None:
        return Rules(blog=first_page)
    return Rules(
        blog=feed.link or first_page,
        feed=feed.url,
        language=feed.language,
        full_feed=not any(sample.taught for sample in told),
        author=only_author(feed, told, templates),
    )


def _own_dates(told: Sequence[Sample]) -> None:
    """Where the feed dates few of its entries, let the pages say when they were published."""
    undated = [sample for sample in told if not sample.entry or not sample.entry.published]
    if 2 * len(undated) > len(told):
        for sample in undated[:_MOST_TAUGHT_DATES]:
            teach_date(sample)
    settle_day_order(told)
    forget_shared_day([sample for sample in told if sample.taught] or told)


def _own_tags(told: Sequence[Sample]) -> None:
    """Where the feed files few of its entries, or them under less than the pages do, let the pages
    say it.
    """
    tagged = [sample for sample in told if sample.entry and sample.entry.tags]
    if len(tagged) < _FEW:
        untagged = [sample for sample in told if sample not in tagged]
        teach_tags(untagged, _MOST_TAUGHT_TAGS)
        complete_tags(tagged, untagged)
    elif more := showing_more(tagged):
        teach_further_tags(tagged, more[:_MOST_TAUGHT_TAGS])


def _choose(samples: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """The samples to learn from, and others that only show what the blog repeats."""
    entered = [sample for sample in samples if sample.entry]
    others = [sample for sample in samples if not sample.entry]
    telling = [sample for sample in entered if _is_telling(sample)]
    if len(telling) < min(_FEW, len(samples)):
        return _with_taught(_whole(telling), [*entered, *others]), []
    return _whole(telling), others


def _whole(telling: list[Sample]) -> list[Sample]:
    """The telling samples; where their entries are but excerpts, with the texts that their pages show."""
    mostly_whole = sum(map(fills, telling)) >= _MOSTLY * len(telling)
    if not mostly_whole and carries_excerpts(telling):
        return teach(telling) or telling
    return telling


def _with_taught(telling: list[Sample], samples: Sequence[Sample]) -> list[Sample]:
    """The telling samples, and of all others those that generic extraction could read."""
    silent = [sample for sample in samples if sample not in telling]
    return [*telling, *teach(silent)]


def _is_telling(sample: Sample) -> bool:
    """Whether the entry has words enough to point at its article, and points at one."""
    return len(sample.target) >= ENOUGH_WORDS and bool(find_articles(sample))


def _template(
    rule: ArticleRule, told: Sequence[Sample], others: Sequence[Sample], languages: Sequence[str]
) -> Template:
    """All rules for the pages that the rule of an article fits."""
    css = css_of(rule.selector)
    placed = _placed([told[n] for n in rule.fits], css)
    tags, categories = learn_tags(placed)
    fields = {
        "title": learn_title(placed),
        "authors": learn_authors(placed),
        "published": learn_published(placed, languages),
        "tags": tags,
        "categories": categories,
    }
    views = [view_of(p.sample, p.article, told=_tells_all(p)) for p in placed]
    views += [view_of(p.sample, p.article, told=False) for p in _placed(others, css)]
    after, before = learn_range(views)
    exclude = tuple(map(_exclusion_rule, learn_exclusions(views)))
    return Template(
        article=Rule(
            css,
            xpath_of(rule.selector),
            after=after.css() if after else "",
            before=before.css() if before else "",
            beside=learn_besides([*placed, *_placed(others, css)]),
            confidence=trust(rule.agreement * len(rule.fits), len(rule.fits)),
            pages=len(rule.fits),
        ),
        exclude=(*exclude, *learn_leading(views, exclude)),
        fields={name: rules for name, rules in fields.items() if rules},
        pages=len(rule.fits),
    )


def _placed(samples: Sequence[Sample], css: str) -> list[Placed]:
    """The samples on which a selector finds an article."""
    placed = []
    for sample in samples:
        place = sample.tree.place(find_node(sample.tree.tree, css, sample.tops))
        if place is not None:
            placed.append(Placed(sample, place))
    return placed


def _tells_all(placed: Placed) -> bool:
    """Whether the entry carries the whole article."""
    sample = placed.sample
    if sample.entry is None:
        return False
    article = measure(sample, placed.article)
    if article.recall < _WHOLE or article.precision < _MOST_OF_IT:
        return False
    return not ends_amid(sample, placed.article)


def _exclusion_rule(item: Exclusion) -> Rule:
    """A foreign block's mark as a rule of the rule file."""
    xpath = "//" + item.step.xpath()
    if item.starts:
        xpath += f"[starts-with(normalize-space(.), '{item.starts}')]"
    return Rule(item.step.css(), xpath, starts=item.starts, most=item.most, pages=item.pages)
