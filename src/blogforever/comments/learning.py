"""Comment rules out of comment feeds: where the feed's comments stand on the page, and with them all others.

A candidate rule marks at least as many elements as the feed has comments on the page; its worth is that of the best
one-to-one matching of its elements with the feed's texts. Author and date are looked for in each comment, or beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from blogforever.comments.naming import clean_author
from blogforever.dates import find_dates, learn_format, parse_machine_date
from blogforever.dom import parse_page, tokenise
from blogforever.learn.candidates import css_of, own_steps
from blogforever.learn.pagetree import PageTree
from blogforever.model import Comment, CommentRules, Page

_MOST_TARGETS = 40  # comments of one feed that are matched
_MOST_NODES = 120  # elements of one candidate that are matched: those that share most words with the feed
_MOST_RULES = 20
_FEWEST = 2
_ALIKE = 0.7
_HIGHEST = 6  # steps from a comment's text up to what holds the whole comment
_LONGEST_META = 30


@dataclass(frozen=True)
class _Match:
    """The elements that hold the feed's comments on one page, under one rule."""

    tree: PageTree
    css: str
    pairs: tuple[tuple[int, Comment], ...]
    nodes: tuple[int, ...]
    worth: float


def learn_comment_rules(samples: Iterable[tuple[Page, Sequence[Comment]]]) -> tuple[CommentRules, ...]:
    """Rules for a blog's comments, from pages and the comments their feeds tell; the one that fits most pages first."""
    votes: Counter[CommentRules] = Counter()
    for page, told in samples:
        rules = _rules_of(PageTree(parse_page(page)), [comment for comment in told if tokenise(comment.text)])
        if rules:
            votes[rules] += 1
    return tuple(replace(rules, pages=count) for rules, count in votes.most_common(2))


def _rules_of(tree: PageTree, told: Sequence[Comment]) -> CommentRules | None:
    targets = told[:_MOST_TARGETS]
    best = _best_match(tree, targets) if len(targets) >= _FEWEST else None
    if best is None:
        return None
    item = _item_rule(best)
    holders = _holders(best, item)
    author = _field_rule(best, holders, lambda i, comment: _is_name(tree, i, comment))
    date = _field_rule(best, holders, lambda i, comment: _is_date(tree, i, comment))
    form = _date_format(best, holders, date)
    return CommentRules(
        item=item or best.css,
        author=author,
        date=date,
        text=best.css if item else "",
        format=form[0],
        language=form[1],
        confidence=round(best.worth / len(targets), 2),
    )


def _best_match(tree: PageTree, targets: Sequence[Comment]) -> _Match | None:
    """The rule whose elements match the feed's comments best; of equals the one with the fewest elements."""
    bags = [Counter(tokenise(comment.text)) for comment in targets]
    found: _Match | None = None
    for css, nodes in _candidates(tree, bags).items():
        worth, pairs = _matched(tree, nodes, bags)
        if found is None or (worth, -len(nodes)) > (found.worth, -len(found.nodes)):
            found = _Match(tree, css, tuple((i, targets[n]) for i, n in pairs), tuple(nodes), worth)
    return found if found and found.worth >= _ALIKE * len(targets) / 2 and len(found.pairs) >= _FEWEST else None


def _candidates(tree: PageTree, bags: Sequence[Counter[str]]) -> dict[str, list[int]]:
    """Elements by each way they are marked, where a mark has enough of them and enough of the feed's words."""
    longest, words = max(bag.total() for bag in bags), set().union(*bags)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for i in range(len(tree.nodes)):
        if 0 < tree.count(i) <= 2 * longest + _LONGEST_META:
            for step in own_steps(tree, i):
                if step.id is None:
                    groups[css_of((step,))].append(i)
    shown = set(tree.words)
    present = sum(bag.keys() <= shown for bag in bags)
    fewest = max(_FEWEST, min(present, len(bags)))
    kept = {css: nodes for css, nodes in groups.items() if len(nodes) >= fewest}
    shared = {
        css: sum(w in words for i in nodes for w in tree.words[tree.start[i] : tree.end[i]])
        for css, nodes in kept.items()
    }
    best = sorted(kept, key=lambda css: -shared[css])[:20]
    return {css: kept[css] for css in best}


def _matched(tree: PageTree, nodes: Sequence[int], bags: Sequence[Counter[str]]) -> tuple[float, list[tuple[int, int]]]:
    """The worth of the best one-to-one matching, and its sure pairs."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  heavy, and only learning needs it

    wanted = set().union(*bags)
    ranked = sorted(nodes, key=lambda i: -sum(w in wanted for w in tree.words[tree.start[i] : tree.end[i]]))
    chosen = ranked[:_MOST_NODES]
    own = [Counter(tree.words[tree.start[i] : tree.end[i]]) for i in chosen]
    gain = [[_dice(a, b) for b in bags] for a in own]
    rows, columns = linear_sum_assignment(gain, maximize=True)
    pairs = [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if gain[r][c] >= _ALIKE]
    return sum(gain[r][c] for r, c in pairs), [(chosen[r], c) for r, c in pairs]


def _dice(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0


def _item_rule(match: _Match) -> str:
    """The mark of the widest element around each text that holds the whole comment, answers apart; or nothing."""
    tree, texts = match.tree, set(match.nodes)
    best = ""
    places = [i for i, _ in match.pairs]
    for _level in range(_HIGHEST):
        places = [tree.parents[i] for i in places if tree.parents[i] > 0]
        if len(set(places)) < len(match.pairs):
            break
        shared = set.intersection(*({css_of((s,)) for s in own_steps(tree, i) if s.id is None} for i in places))
        for css in sorted(shared, key=len):
            nodes = _nodes(tree, css)
            if len(nodes) == len(texts):
                best = css
                break
    return best


def _nodes(tree: PageTree, css: str) -> list[int]:
    return sorted({place for node in tree.parser.css(css) if (place := tree.place(node)) is not None})


def _holders(match: _Match, item: str) -> dict[int, tuple[int, Comment]]:
    """The comment that each matched text stands in, by place."""
    tree = match.tree
    items = set(_nodes(tree, item)) if item else set()
    found: dict[int, tuple[int, Comment]] = {}
    for i, comment in match.pairs:
        holder = next((n for n in (i, *tree.ancestors(i)) if n in items), i)
        found[holder] = (i, comment)
    return found


def _field_rule(match: _Match, holders: dict[int, tuple[int, Comment]], right: Callable[[int, Comment], bool]) -> str:
    """The mark of the elements in the comments that say what the feed says; nothing where no mark is right for most."""
    tree = match.tree
    votes: Counter[str] = Counter()
    for holder, (text, comment) in holders.items():
        marks: set[str] = set()
        for i in range(holder, tree.last[holder]):
            if not text <= i < tree.last[text] and 0 < tree.count(i) <= _LONGEST_META and right(i, comment):
                marks |= {css_of((step,)) for step in own_steps(tree, i) if step.id is None}
        votes.update(marks)
    ranked = [(count, css) for css, count in votes.items() if 2 * count > len(holders)]
    return max(ranked, key=lambda pair: (pair[0], -len(pair[1])))[1] if ranked else ""


def _is_name(tree: PageTree, i: int, comment: Comment) -> bool:
    return comment.author is not None and tokenise(clean_author(tree.text(i))) == tokenise(comment.author.name)


def _is_date(tree: PageTree, i: int, comment: Comment) -> bool:
    if comment.published is None:
        return False
    told = comment.published.day
    machine = parse_machine_date(tree.attributes(i).get("datetime") or "")
    days = [machine.day] if machine else [reading.moment.day for reading in find_dates(tree.text(i))]
    return any(abs((day - told).days) <= 1 for day in days)


def _date_format(match: _Match, holders: dict[int, tuple[int, Comment]], css: str) -> tuple[str | None, str | None]:
    tree = match.tree
    places = set(_nodes(tree, css)) if css else set()
    pairs = [
        (tree.text(i), comment.published.day)
        for holder, (_text, comment) in holders.items()
        if comment.published
        for i in range(holder, tree.last[holder])
        if i in places
    ]
    learned = learn_format(pairs) if pairs else None
    return (learned.format, learned.language) if learned else (None, None)
