"""Comment rules out of comment feeds: where the feed's comments stand on the page, and all others.

A candidate rule marks at least as many elements as the feed has comments on the page; its worth is
that of the best one-to-one matching of its elements with the feed's texts. Author and date are
looked for in each comment, or beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from blogforever.comments.cleaning import clean_author
from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.finding import find_items
from blogforever.comments.items import CommentItem
from blogforever.comments.systems import places_of
from blogforever.dates import find_dates, learn_format, parse_machine_date
from blogforever.dom import tokenise
from blogforever.learn.candidates import css_of, own_steps
from blogforever.model import Comment, CommentRules, Page
from blogforever.page.view import PageView, view_of

# The next three bound the matching, whose time grows with the product of both sides:
# comments of one feed that are matched,
_MOST_TARGETS = 40
# elements of one candidate that are matched (those that share most words with the feed),
_MOST_NODES = 120
# and candidates that are tried (those that hold most of the feed's words).
_MOST_CANDIDATES = 20
# Ways of one blog to write comments: most blogs have one, and another since they changed the theme.
_MOST_RULES = 2
# One comment shows nothing: any element around its text would fit.
_FEWEST = 2
# Share of the words of a page's text and a feed's that both have, if they are the same comment.
# Feeds cut and clean texts; with a lower share short comments are mistaken for one another.
_ALIKE = 0.7
# Share of the feed's comments that must be found on the page; with fewer it is another post's feed.
_FOUND_SHARE = 0.5
# Steps from a comment's text up to what holds the whole comment.
_HIGHEST = 6
# A clock in another zone may show the day before or after.
_ZONE_DAYS = 1

_Holders = dict[int, tuple[int, Comment]]
"""For the element of each comment, the element of its text, and what the feed says of it."""


@dataclass(frozen=True)
class _Match:
    """The elements that hold the feed's comments on one page, under one rule."""

    tree: PageView
    css: str
    pairs: tuple[tuple[int, Comment], ...]
    nodes: tuple[int, ...]
    worth: float


def learn_comment_rules(
    samples: Iterable[tuple[Page, Sequence[Comment]]],
) -> tuple[CommentRules, ...]:
    """Rules for a blog's comments, from pages and the comments of their feeds; best first."""
    votes: Counter[CommentRules] = Counter()
    for page, feed_comments in samples:
        targets = [comment for comment in feed_comments if tokenise(comment.text)]
        rules = _rules_of(view_of(page), targets[:_MOST_TARGETS])
        if rules:
            votes[rules] += 1
    return tuple(replace(rules, pages=count) for rules, count in votes.most_common(_MOST_RULES))


def learn_own_rules(pages: Iterable[Page]) -> tuple[CommentRules, ...]:
    """The rule by which just the comments are found that pages show by their shape: the mark that
    all of them have, and nothing else on these pages.
    """
    votes: Counter[str] = Counter()
    count = 0
    for page in pages:
        tree = view_of(page)
        count += 1
        votes.update(_marks_of_all(tree, find_items(tree).items))
    usual = [css for css, found in votes.items() if found == count and _is_named(css)]
    return (CommentRules(min(usual, key=len), pages=count),) if usual else ()


def _is_named(css: str) -> bool:
    """Whether a selector is by a name that the blog gave, not by a tag alone."""
    return any(sign in css for sign in ".[")


def _marks_of_all(tree: PageView, items: Sequence[CommentItem]) -> list[str]:
    """The marks that each comment has, or what is all of it, and that nothing else on the page has."""
    if len(items) < _FEWEST or any(len(item.tops) > 1 for item in items):
        return []
    layers = [[item.tops[0] for item in items]]
    while len(layers) < _HIGHEST and all(map(_whole_part(tree), layers[-1])):
        layers.append([tree.children(i)[0] for i in layers[-1]])
    found: list[str] = []
    for places in layers:
        found += [css for css in _shared_marks(tree, places) if places_of(tree, css) == places]
    return found


def _whole_part(tree: PageView) -> Callable[[int], bool]:
    """Whether the first element in another holds all of its words."""
    return lambda i: tree.last[i] > i + 1 and tree.count(i + 1) == tree.count(i)


def _rules_of(tree: PageView, targets: Sequence[Comment]) -> CommentRules | None:
    """The rules that find the feed's comments on one page."""
    if len(targets) < _FEWEST:
        return None
    match = _best_match(tree, targets)
    if match is None:
        return None
    item = _item_rule(match)
    holders = _holders(match, item)
    date_css = _field_rule(match, holders, _is_date)
    format, language = _date_format(tree, holders, date_css)
    return CommentRules(
        item=item or match.css,
        author=_field_rule(match, holders, _is_name),
        date=date_css,
        text=match.css if item else "",
        format=format,
        language=language,
        confidence=round(match.worth / len(targets), 2),
    )


# --- which elements hold the texts


def _best_match(tree: PageView, targets: Sequence[Comment]) -> _Match | None:
    """The rule whose elements match the feed's comments best; of equals the one with fewest."""
    bags = [Counter(tokenise(comment.text)) for comment in targets]
    matches = []
    for css, nodes in _candidates(tree, bags).items():
        worth, pairs = _matched(tree, nodes, bags)
        found = tuple((i, targets[n]) for i, n in pairs)
        matches.append(_Match(tree, css, found, tuple(nodes), worth))
    if not matches:
        return None
    best = max(matches, key=lambda match: (match.worth, -len(match.nodes)))
    least_worth = _ALIKE * len(targets) * _FOUND_SHARE
    if best.worth < least_worth or len(best.pairs) < _FEWEST:
        return None
    return best


def _candidates(tree: PageView, bags: Sequence[Counter[str]]) -> dict[str, list[int]]:
    """Elements by how they are marked, where a mark has enough of them and enough of the words."""
    marked = _by_mark(tree, longest=max(bag.total() for bag in bags))
    shown = set(tree.words)
    present = sum(bag.keys() <= shown for bag in bags)
    fewest = max(_FEWEST, present)
    frequent = {css: nodes for css, nodes in marked.items() if len(nodes) >= fewest}
    wanted = set().union(*bags)
    shared = {css: sum(_shared_words(tree, i, wanted) for i in frequent[css]) for css in frequent}
    best = sorted(frequent, key=lambda css: -shared[css])[:_MOST_CANDIDATES]
    return {css: frequent[css] for css in best}


def _by_mark(tree: PageView, longest: int) -> dict[str, list[int]]:
    """The elements that may hold one comment, by each way they are marked."""
    # What is around a comment's text may have as many words again, and the line about the comment.
    most_words = 2 * longest + LONGEST_LABEL
    marked: defaultdict[str, list[int]] = defaultdict(list)
    for i in range(len(tree.nodes)):
        if 0 < tree.count(i) <= most_words:
            for css in _marks(tree, i):
                marked[css].append(i)
    return marked


def _marks(tree: PageView, i: int) -> list[str]:
    """The selectors that mark an element; not by its id, which no other element has."""
    return [css_of((step,)) for step in own_steps(tree, i) if step.id is None]


def _shared_words(tree: PageView, i: int, wanted: set[str]) -> int:
    """How many words of an element are among the wanted ones."""
    return sum(word in wanted for word in tree.words_of(i))


def _matched(
    tree: PageView,
    nodes: Sequence[int],
    bags: Sequence[Counter[str]],
) -> tuple[float, list[tuple[int, int]]]:
    """The worth of the best one-to-one matching, and its sure pairs."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  heavy, only needed here

    wanted = set().union(*bags)
    ranked = sorted(nodes, key=lambda i: -_shared_words(tree, i, wanted))[:_MOST_NODES]
    own = [Counter(tree.words_of(i)) for i in ranked]
    gain = [[_dice(node, bag) for bag in bags] for node in own]
    worth = 0.0
    pairs: list[tuple[int, int]] = []
    for row, column in zip(*linear_sum_assignment(gain, maximize=True), strict=True):
        if gain[row][column] >= _ALIKE:
            worth += gain[row][column]
            pairs.append((ranked[row], int(column)))
    return worth, pairs


def _dice(a: Counter[str], b: Counter[str]) -> float:
    """How alike two bags of words are: 1 for the same, 0 for nothing common."""
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0


# --- which elements hold the whole comment


def _item_rule(match: _Match) -> str:
    """The mark of the widest element around each text that holds the whole comment; or nothing."""
    tree = match.tree
    best = ""
    places = [i for i, _comment in match.pairs]
    for _level in range(_HIGHEST):
        places = [tree.parents[i] for i in places if tree.parents[i] > 0]
        if len(set(places)) < len(match.pairs):
            break  # an element around several comments
        # The shortest first; of equals the one that the element is marked with first.
        for css in sorted(_shared_marks(tree, places), key=len):
            if len(places_of(tree, css)) == len(set(match.nodes)):
                best = css
                break
    return best


def _shared_marks(tree: PageView, places: Sequence[int]) -> list[str]:
    """The marks that all of these elements have, in the order of the first."""
    first, *others = (_marks(tree, i) for i in places)
    return [css for css in first if all(css in marks for marks in others)]


def _holders(match: _Match, item: str) -> _Holders:
    """The comments that the matched texts stand in; where no rule marks those, the texts."""
    tree = match.tree
    items = set(places_of(tree, item))
    holders: _Holders = {}
    for i, comment in match.pairs:
        holder = next((n for n in (i, *tree.ancestors(i)) if n in items), i)
        holders[holder] = (i, comment)
    return holders


# --- which elements hold name and date


def _field_rule(
    match: _Match,
    holders: _Holders,
    is_right: Callable[[PageView, int, Comment], bool],
) -> str:
    """The mark of the elements that say what the feed says; empty where none is right for most."""
    tree = match.tree
    votes: Counter[str] = Counter()
    for holder, (text, comment) in holders.items():
        # Each mark once, in the order of the page: of equal ones the first is taken.
        marks: dict[str, None] = {}
        for i in _beside_text(tree, holder, text):
            if is_right(tree, i, comment):
                marks |= dict.fromkeys(_marks(tree, i))
        votes.update(marks.keys())
    usual = [css for css, count in votes.items() if 2 * count > len(holders)]
    return max(usual, key=lambda css: (votes[css], -len(css)), default="")


def _beside_text(tree: PageView, holder: int, text: int) -> Iterable[int]:
    """The short elements of a comment, without those of its text."""
    for i in range(holder, tree.last[holder]):
        is_in_text = text <= i < tree.last[text]
        if not is_in_text and 0 < tree.count(i) <= LONGEST_LABEL:
            yield i


def _is_name(tree: PageView, i: int, comment: Comment) -> bool:
    """Whether an element says the name that the feed says."""
    if comment.author is None:
        return False
    return tokenise(clean_author(tree.text(i))) == tokenise(comment.author.name)


def _is_date(tree: PageView, i: int, comment: Comment) -> bool:
    """Whether an element can be read as the day that the feed says."""
    if comment.published is None:
        return False
    day = comment.published.day
    return any(abs((shown - day).days) <= _ZONE_DAYS for shown in _days_shown(tree, i))


def _days_shown(tree: PageView, i: int) -> list[date]:
    """The days that an element may show: what is written for machines, or all readings."""
    machine = parse_machine_date(tree.attribute(i, "datetime"))
    if machine is not None:
        return [machine.day]
    return [reading.moment.day for reading in find_dates(tree.text(i))]


def _date_format(tree: PageView, holders: _Holders, css: str) -> tuple[str | None, str | None]:
    """The format and the language in which the elements of a rule write dates."""
    places = places_of(tree, css)
    pairs = []
    for holder, (_text, comment) in holders.items():
        if comment.published is None:
            continue
        for i in places:
            if holder <= i < tree.last[holder]:
                pairs.append((tree.text(i), comment.published.day))
    learned = learn_format(pairs) if pairs else None
    return (learned.format, learned.language) if learned else (None, None)
