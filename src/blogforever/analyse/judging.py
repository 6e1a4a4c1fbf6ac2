"""The verdict on an address: what other hosts of the same make are, then rules of evidence, then the tree. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from blogforever.discover.feedlinks import feed_links
from blogforever.discover.pagefacts import read_facts
from blogforever.dom import node_text
from blogforever.learn.urlpattern import other_kind
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import canonical, site_root
from blogforever.wording import N_

from .features import QUESTIONS, Answers, answers_of
from .looking import lists_posts
from .patterns import pattern_of
from .roles import link_filter, role_of
from .root import ELSEWHERE, likely_home
from .rules import decided, scores_of, signs_of
from .tree import DecisionTree, trained_tree
from .values import OF_BLOG, Answer, HostVerdict, Kind, SeenHost, Sign, Signals

# A sign of spam is heard from here on: below, several must come together.
SPAM = 0.8
# A score that is enough where nothing else speaks, and one that says hardly anything.
LEANING, WEAK = 0.7, 0.45
# Reasons that are shown; the weightiest.
MOST_REASONS = 12
# Comment feeds of one page that are named.
MOST_FEEDS = 5


class KnownPatterns(Protocol):
    """What is known of other hosts that are made the same way."""

    def known(self, pattern: str) -> tuple[Kind, int] | None:
        """What hosts with this pattern are, as people said, and how many; None where nobody did, or
        they differ.
        """


class NothingKnown:
    """No other host was ever seen."""

    def known(self, pattern: str) -> tuple[Kind, int] | None:
        """Nothing."""
        return None


def judge(
    seen: SeenHost,
    signals: Sequence[Signals] = (),
    patterns: KnownPatterns | None = None,
    tree: DecisionTree | None = None,
) -> HostVerdict:
    """What an address is."""
    if why := _why_unseen(seen):
        return HostVerdict(seen.url, "not known", 0.0, (Sign("not seen", why, "not known", 1.0),), "nobody")
    further = [sign for one in signals for sign in one.signs(seen)]
    verdict = _by_pattern(seen, patterns) or by_answers(seen.url, answers_of(seen), further, tree)
    return _of_blog(seen, verdict) if verdict.kind in OF_BLOG else verdict


def by_answers(
    url: str, answers: Answers, further: Sequence[Sign] = (), tree: DecisionTree | None = None
) -> HostVerdict:
    """What the answers to all questions make of an address, with signs that others saw."""
    signs = [*signs_of(answers), *further]
    verdict = _spam(url, signs) or _by_rules(url, signs)
    return verdict or _by_tree(url, signs, answers, tree or trained_tree())


def _why_unseen(seen: SeenHost) -> str:
    """Why nothing can be said; empty where something was seen."""
    is_empty = seen.front is None and seen.feed is None and seen.comment_feed is None
    return seen.failure or (N_("nothing was seen of it") if is_empty else "")


def _by_pattern(seen: SeenHost, patterns: KnownPatterns | None) -> HostVerdict | None:
    """Hosts made the same way, on which people have decided, are the same."""
    pattern = pattern_of(seen) if patterns else ""
    found = patterns.known(pattern) if patterns and pattern else None
    if found is None:
        return None
    kind, number = found
    says = N_(f"people found {number} other hosts of the same make to be this")
    reason = Sign("known pattern", says, kind, number / (number + 1))
    return HostVerdict(seen.url, kind, reason.weight, (reason,), "known pattern")


def _spam(url: str, signs: Iterable[Sign]) -> HostVerdict | None:
    """Signs of spam that are enough together; whatever else it looks like, splogs look like blogs."""
    found = [sign for sign in signs if sign.kind == "spam"]
    score = scores_of(found).get("spam", 0.0)
    return HostVerdict(url, "spam", score, _weightiest(found)) if score >= SPAM else None


def _by_rules(url: str, signs: Sequence[Sign]) -> HostVerdict | None:
    scores = scores_of(sign for sign in signs if sign.kind != "spam")
    kind = decided(scores)
    return HostVerdict(url, kind, scores[kind], _weightiest(signs)) if kind else None


def _by_tree(url: str, signs: Sequence[Sign], answers: Answers, tree: DecisionTree) -> HostVerdict:
    leaf, way = tree.ask(answers)
    reasons = (*_weightiest(signs), *(_asked(name, answer, leaf.answer) for name, answer in way))
    if leaf.answer is None or _is_rash(leaf.answer, signs, answers):
        return _leaning(url, signs) or HostVerdict(url, "not known", 0.5, reasons, "tree")
    kind: Kind = "blog" if leaf.answer else _other_kind(signs)
    return HostVerdict(url, kind, max(leaf.share, 1 - leaf.share), reasons, "tree")


def _is_rash(is_blog: bool, signs: Sequence[Sign], answers: Answers) -> bool:
    """Whether the tree says so alone, against what the signs speak for."""
    if is_blog:
        return _is_rather_other(signs)
    return _is_rather_blog(signs) or _is_empty(answers)


def _is_empty(answers: Answers) -> bool:
    """Whether a page has hardly a word and leads nowhere: scripts may draw what is there."""
    return bool(answers["few words"] and answers["one page"])


def _leaning(url: str, signs: Sequence[Sign]) -> HostVerdict | None:
    """What the rules lean to where the tree does not know: one kind speaks, and hardly any other."""
    scores = scores_of(sign for sign in signs if sign.kind != "spam")
    kind = decided(scores, LEANING, WEAK)
    return HostVerdict(url, kind, scores[kind], _weightiest(signs)) if kind else None


def _is_rather_blog(signs: Sequence[Sign]) -> bool:
    """Whether what was seen speaks for a blog more than for anything else: the tree alone rejects
    no such host.
    """
    scores = scores_of(sign for sign in signs if sign.kind != "spam")
    blog = scores.pop("blog", 0.0)
    return blog > max([WEAK, *scores.values()])


def _is_rather_other(signs: Sequence[Sign]) -> bool:
    """Whether something else is spoken for more than a blog is: the tree alone lets no such host in."""
    scores = scores_of(sign for sign in signs if sign.kind != "spam")
    blog = scores.pop("blog", 0.0)
    return max(scores.values(), default=0.0) > max(WEAK, blog)


def _other_kind(signs: Iterable[Sign]) -> Kind:
    """What else it may be: what most speaks for."""
    scores = scores_of(sign for sign in signs if sign.kind not in OF_BLOG | {"spam"})
    return max(scores, key=lambda kind: scores[kind], default="something else")


def _asked(name: str, answer: Answer, led_to: Answer) -> Sign:
    said = {True: N_("yes"), False: N_("no"), None: N_("not known")}[answer]
    question = QUESTIONS[name]
    kind: Kind = "not known" if led_to is None else "blog" if led_to else "something else"
    return Sign(f"tree: {name}", f"the tree asked whether {question}: {said}", kind, 0.0)


def _weightiest(signs: Iterable[Sign]) -> tuple[Sign, ...]:
    return tuple(sorted(signs, key=lambda sign: -abs(sign.weight))[:MOST_REASONS])


def _of_blog(seen: SeenHost, verdict: HostVerdict) -> HostVerdict:
    """The verdict on an address of a blog: which part it is, where home and feeds are, which
    addresses are posts.
    """
    root, pattern = root_of(seen), link_filter(seen)
    role = role_of(seen, root, pattern)
    front, feed = seen.front, seen.feed
    return HostVerdict(
        seen.url,
        role.kind,
        min(verdict.confidence, role.weight) if role.kind != "blog" else verdict.confidence,
        (role, *verdict.reasons),
        verdict.by,
        root=root,
        title=(feed.title if feed else None) or (_title(front) if front else ""),
        post_feed=feed.url if feed else "",
        comment_feeds=_comment_feeds(seen),
        link_filter=pattern.to_json(),
    )


def root_of(seen: SeenHost) -> str:
    """The home of the blog: the page that was found to be it, else what the feed calls its site,
    else the host.
    """
    if seen.home is not None:
        return seen.home.url
    if seen.page is None:
        link = seen.feed.link if seen.feed else None
        return canonical(link or site_root(seen.url))
    page = seen.page
    may_be_root = seen.feed is None and lists_posts(page) and other_kind(page.url) not in ELSEWHERE
    return page.url if may_be_root else likely_home(page, read_facts(page), seen.feed) or page.url


def _title(front: Page) -> str:
    node = view_of(front).tree.css_first("title")
    return node_text(node) if node else ""


def _comment_feeds(seen: SeenHost) -> tuple[str, ...]:
    """The feeds of comments that are named, that of the blog first."""
    pages = [page for page in (seen.home, seen.page) if page]
    named = [link.url for page in pages for link in feed_links(page) if link.role == "comments"]
    own = [seen.comment_feed.url] if seen.comment_feed else []
    return tuple(dict.fromkeys((*own, *named)))[:MOST_FEEDS]
