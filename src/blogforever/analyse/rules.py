"""Rules of evidence: each reads a few answers, and says in a sentence what they speak for and how much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .features import QUESTIONS, Answers
from .values import Kind, Sign

# At this score the rules decide by themselves, if nothing else comes near.
SURE, NEAR = 0.9, 0.55
# Kinds that look like blogs in all but what tells them: signs of a blog do not speak against them.
LIKE_BLOGS: tuple[Kind, ...] = ("social profile", "podcast", "newsletter", "news site")


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """Where all of `yes` are so, and none of `no` is, that speaks for a kind of site."""

    kind: Kind
    weight: float
    yes: tuple[str, ...]
    no: tuple[str, ...] = ()

    def applies(self, answers: Answers) -> bool:
        """Whether the answers are such; what is not known is no yes and no no."""
        return all(answers[name] is True for name in self.yes) and not any(answers[name] for name in self.no)

    @property
    def sign(self) -> Sign:
        """What it says then."""
        return Sign("+".join(self.yes), "; ".join(QUESTIONS[name] for name in self.yes), self.kind, self.weight)


# What must not be where only a telephone number speaks for a company.
NO_BLOG = (
    "feed", "dated items", "dated article", "page lists", "says blog", "blog program", "cart", "thread table",
    "contents beside", "product marks", "code",
)  # fmt: skip
# What must not be where dated items alone speak for a blog.
NO_LIST_OF_POSTS = (
    "feed fast",
    "front fast",
    "thread table",
    "forum links",
    "forum program",
    "many prices",
    "cart",
    "business",
)
# What must not be where one dated text alone speaks for a blog.
NO_POST = (
    "cart", "product marks", "prices", "thread table", "forum links", "forum program", "docs program", "wiki program",
    "log-in form", "news marks",
)  # fmt: skip
# Sites that publish dated things, with feeds of them, and are no blogs.
OTHER_SORTS = ("board", "code host", "profile host", "other marks", "feed of others", "blog beside")


def _blog(weight: float, yes: tuple[str, ...], no: tuple[str, ...] = ()) -> EvidenceRule:
    """A rule for blogs: it says nothing where a site is evidently of another sort."""
    return EvidenceRule("blog", weight, yes, (*no, *OTHER_SORTS))


RULES: Sequence[EvidenceRule] = (
    _blog(0.93, ("feed", "feed own", "feed dated", "titles agree"), ("feed fast", "feed sound", "idle feed")),
    _blog(0.6, ("feed", "feed own", "titles agree"), ("feed fast", "feed sound", "idle feed")),
    _blog(0.7, ("feed", "on front", "feed dated"), ("feed fast", "feed sound")),
    _blog(0.85, ("newest first", "items fill", "several days"), (*NO_LIST_OF_POSTS, "log-in form")),
    _blog(0.8, ("dated lines",), (*NO_LIST_OF_POSTS, "log-in form", "docs program", "wiki program")),
    _blog(0.5, ("newest first",), NO_LIST_OF_POSTS),
    _blog(0.3, ("dated items",), NO_LIST_OF_POSTS),
    _blog(0.6, ("comment links",), (*NO_LIST_OF_POSTS, "log-in form")),
    _blog(0.85, ("blog address", "newest first"), ("cart", "thread table", "log-in form")),
    _blog(0.5, ("blog address",), ("cart", "thread table", "log-in form")),
    _blog(0.5, ("says blog",), ("cart", "thread table", "forum program", "log-in form")),
    _blog(0.4, ("tag links",), NO_LIST_OF_POSTS),
    _blog(0.85, ("says blog", "marked entries"), ("cart", "thread table", "forum program")),
    _blog(0.7, ("blog program",)),
    _blog(0.5, ("blog host",)),
    _blog(0.6, ("blog host", "few words", "one page"), ("parked words",)),
    _blog(0.72, ("is feed",), ("feed fast", "feed sound")),
    _blog(0.5, ("marked entries", "feed"), ("product marks",)),
    _blog(0.5, ("feed", "comments"), ("idle feed",)),
    _blog(0.5, ("dated addresses",)),
    _blog(0.92, ("only feed", "feed", "feed dated"), ("feed fast", "feed sound")),
    _blog(0.9, ("only feed", "feed titled"), ("feed fast", "feed sound")),
    _blog(0.92, ("only feed", "comment feed"), ("feed sound",)),
    _blog(0.3, ("comment feed",), ("feed sound", "office pages")),
    _blog(0.7, ("feed own", "feed dated", "feed spread"), ("feed sound",)),
    _blog(0.5, ("feed own", "feed dated", "feed texts"), ("feed sound", "feed fast", "idle feed")),
    _blog(0.8, ("dated article", "dated address"), ("cart", "thread table")),
    _blog(0.7, ("page lists", "several days"), (*NO_LIST_OF_POSTS, "log-in form")),
    _blog(0.4, ("page lists",), (*NO_LIST_OF_POSTS, "log-in form")),
    _blog(0.5, ("dated address",), NO_POST),
    _blog(0.6, ("says post", "dated article"), ("cart", "thread table")),
    _blog(0.5, ("feed", "feed own", "feed texts"), ("feed fast", "feed sound", "idle feed")),
    _blog(0.7, ("dated article",), NO_POST),
    EvidenceRule("shop", 0.9, ("prices", "cart")),
    EvidenceRule("shop", 0.8, ("many prices",), ("newest first", "forum links", "says blog", "titles agree")),
    EvidenceRule("shop", 0.6, ("prices",), ("dated items", "dated article", "feed")),
    EvidenceRule("shop", 0.6, ("shop program",), ("dated items", "on front")),
    EvidenceRule("shop", 0.92, ("product marks", "cart"), ("dated items",)),
    EvidenceRule("shop", 0.75, ("cart",), ("dated items", "feed")),
    EvidenceRule("shop", 0.7, ("product marks", "prices"), ("dated items",)),
    EvidenceRule("shop", 0.7, ("shop program", "cart"), ("dated items", "on front")),
    EvidenceRule("forum", 0.97, ("board",)),
    EvidenceRule("forum", 0.93, ("thread table",), ("titles agree", "many prices")),
    EvidenceRule("forum", 0.9, ("forum marks",), ("titles agree",)),
    EvidenceRule("forum", 0.9, ("forum program",), ("titles agree", "blog program")),
    EvidenceRule("forum", 0.8, ("forum links",), ("titles agree",)),
    EvidenceRule("documentation", 0.95, ("docs program",), ("feed", "dated items", "dated article", "page lists")),
    EvidenceRule("documentation", 0.93, ("docs program", "blog beside")),
    EvidenceRule("documentation", 0.9, ("docs program", "contents beside"), ("dated items", "on front")),
    EvidenceRule("documentation", 0.85, ("contents beside", "heading anchors"), ("feed", "dated items")),
    EvidenceRule("documentation", 0.85, ("contents beside", "code"), ("feed", "dated items")),
    EvidenceRule("documentation", 0.9, ("wiki program",), ("dated items",)),
    EvidenceRule("news site", 0.93, ("feed fast",), ("feed sound", "comment feed")),
    EvidenceRule("news site", 0.85, ("news marks", "sections"), ("says blog",)),
    EvidenceRule("news site", 0.93, ("news sections",), ("titles agree", "says blog", "blog host")),
    EvidenceRule("news site", 0.93, ("news sections", "feed authors"), ("says blog", "blog host")),
    EvidenceRule("news site", 0.93, ("news sections", "news marks"), ("says blog",)),
    EvidenceRule("news site", 0.93, ("news marks", "feed authors"), ("says blog",)),
    EvidenceRule(
        "news site", 0.7, ("front fast",), ("feed", "says blog", "comment links", "thread table", "forum links")
    ),
    EvidenceRule("news site", 0.6, ("news marks",), ("says blog",)),
    EvidenceRule("news site", 0.6, ("sections", "feed authors"), ("says blog",)),
    EvidenceRule("podcast", 0.95, ("feed sound",)),
    EvidenceRule("podcast", 0.93, ("show",)),
    EvidenceRule("newsletter", 0.92, ("newsletter marks",), ("blog program",)),
    EvidenceRule("social profile", 0.95, ("social marks",)),
    EvidenceRule("social profile", 0.95, ("profile host",)),
    EvidenceRule("parked", 0.96, ("parked words",), ("feed", "dated items")),
    EvidenceRule("company page", 0.8, ("company marks",), ("feed", "dated items", "cart")),
    EvidenceRule(
        "company page",
        0.75,
        ("business",),
        ("titles agree", "comment links", "says blog", "blog address", "cart", "prices"),
    ),
    EvidenceRule("company page", 0.9, ("blog beside", "business"), ("docs program", "cart")),
    EvidenceRule("company page", 0.75, ("blog beside", "office pages"), ("docs program", "cart")),
    EvidenceRule("company page", 0.7, ("contact facts",), NO_BLOG),
    EvidenceRule("company page", 0.6, ("telephone",), NO_BLOG),
    EvidenceRule("company page", 0.6, ("office pages",), NO_BLOG),
    EvidenceRule("something else", 0.8, ("log-in form",), ("dated items", "dated article", "feed", "comments")),
    EvidenceRule("something else", 0.92, ("links elsewhere",), ("feed", "dated items", "dated lines")),
    EvidenceRule("something else", 0.95, ("code host",)),
    EvidenceRule("something else", 0.93, ("other marks",), ("cart", "business")),
    EvidenceRule("something else", 0.95, ("feed of others",)),
)


def signs_of(answers: Answers, rules: Iterable[EvidenceRule] = RULES) -> Iterator[Sign]:
    """What the rules say."""
    return (rule.sign for rule in rules if rule.applies(answers))


def scores_of(signs: Iterable[Sign]) -> dict[Kind, float]:
    """How sure all signs of a kind together make us: each takes its share of the doubt that is
    left.
    """
    doubts: dict[Kind, float] = {}
    for sign in signs:
        doubts[sign.kind] = doubts.get(sign.kind, 1.0) * (1.0 - sign.weight)
    return {kind: 1.0 - doubt for kind, doubt in doubts.items()}


def decided(scores: dict[Kind, float], sure: float = SURE, near: float = NEAR) -> Kind | None:
    """The kind that the rules are so sure of; None where they are not, or disagree."""
    for kind in LIKE_BLOGS:
        if scores.get(kind, 0.0) >= SURE:
            return kind
    ranked = sorted(scores, key=lambda kind: -scores[kind])
    if not ranked or scores[ranked[0]] < sure:
        return None
    is_doubted = len(ranked) > 1 and scores[ranked[1]] >= near
    return None if is_doubted else ranked[0]
