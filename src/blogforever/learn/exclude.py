"""What stands inside the article node but does not belong to the article, recognised over the pages of the blog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from blogforever.extract.trimming import without_numbers
from blogforever.extract.vocabulary import kind_of
from blogforever.learn.candidates import Step, own_steps
from blogforever.learn.pagetree import PageTree
from blogforever.learn.views import View

# Content even where a feed leaves it out.
_CONTENT = frozenset(
    [
        "pre",
        "code",
        "figure",
        "math",
        "img",
        "video",
        "audio",
        "table",
        "td",
        "tr",
        "th",
        "tbody",
        "picture",
        "blockquote",
    ]
)
_TELLING = frozenset(
    (
        ("rel", "tag"),
        ("rel", "category"),
        ("rel", "author"),
        ("rel", "license"),
        ("itemprop", "author"),
        ("itemprop", "datePublished"),
        ("itemprop", "keywords"),
        ("role", "navigation"),
        ("role", "complementary"),
    )
)
_LINES = frozenset(["p", "div", "h2", "h3", "h4", "h5", "h6", "ul", "small", "span", "center"])
_LITTLE_ELSE = 1.5  # an element with so many times the words of a table or picture in it is but its frame
_FOREIGN = 0.1  # at most this share of an excluded block's words may stand in the feed


@dataclass
class Block:
    """What all elements with one mark have in common over the pages."""

    pages: set[int] = field(default_factory=set)
    told: set[int] = field(default_factory=set)  # pages whose whole text the feed has
    words: float = 0
    told_words: float = 0
    told_hits: float = 0
    furniture: float = 0
    linked: float = 0
    taught: bool = False  # the text came from generic extraction, not from a feed

    @property
    def in_feed(self) -> float:
        """Share of the words that the feed has too."""
        return self.told_hits / self.told_words if self.told_words else 0.0


@dataclass(frozen=True)
class Exclusion:
    """A mark of foreign blocks; with `starts`, only those whose text begins so."""

    step: Step
    starts: str = ""
    pages: int = 0


def learn_exclusions(views: Sequence[View]) -> list[Exclusion]:
    """Marks of blocks to drop from the article."""
    blocks: dict[Step, Block] = {}
    for n, view in enumerate(views):
        _survey(n, view, blocks)
    chosen = [step for step, block in blocks.items() if _foreign(step, block, len(views))]
    found = [Exclusion(step, pages=len(blocks[step].pages)) for step in _outermost(chosen, blocks)]
    return found + _by_first_words(views, set(chosen))


def _survey(n: int, view: View, blocks: dict[Step, Block]) -> None:
    tree = view.sample.tree
    content = content_elements(tree, view.place)
    for i in range(view.place + 1, tree.last[view.place]):
        count = tree.count(i)
        if not count or i in content:
            continue
        for step in own_steps(tree, i):
            if step == Step(step.tag) or (step.attribute and step.attribute not in _TELLING):
                continue
            _count(blocks.setdefault(step, Block()), n, view, i)


def _count(block: Block, n: int, view: View, i: int) -> None:
    count = view.sample.tree.count(i)
    block.pages.add(n)
    block.words += count
    block.furniture += count - view.sample.weight_of(i)
    block.linked += view.links(i)
    if view.told:
        block.told.add(n)
        block.taught |= view.sample.taught
        block.told_words += count
        block.told_hits += view.hits(i)


def content_elements(tree: PageTree, place: int) -> set[int]:
    """Code, tables and pictures, what stands in them and what holds little else.

    Each is kept with the words up to which everything around it was found, too. So nothing is climbed twice: what holds
    little else than two elements beside each other cannot be, and what stands in an element reaches no further.
    """
    found: dict[int, float] = {}
    for i in range(place + 1, tree.last[place]):
        if tree.tags[i] not in _CONTENT and tree.parents[i] not in found:
            continue
        most = _LITTLE_ELSE * tree.count(i)
        found[i], holder = most, tree.parents[i]
        while holder != place and tree.count(holder) <= most and found.get(holder, -1.0) < most:
            found[holder] = most
            holder = tree.parents[holder]
    return set(found)


def _foreign(step: Step, block: Block, pages: int) -> bool:
    """Whether blocks with this mark are no part of the article."""
    kind = kind_of(" ".join((*step.classes, step.id or "")))
    named = kind in ("comment", "furniture", "byline")
    if block.told:
        enough = 1 if named or pages < 3 else 2
        absent = block.in_feed <= _FOREIGN and len(block.told) >= enough
        if absent or not block.taught:
            return absent
    same = block.furniture / block.words
    dense = block.linked / block.words
    if named:
        return kind == "comment" or same >= 0.3 or dense >= 0.3 or block.words <= 12 * len(block.pages)
    return same >= 0.9 and len(block.pages) >= max(3, pages // 4)


def _outermost(steps: Iterable[Step], blocks: dict[Step, Block]) -> list[Step]:
    """One mark for each kind of block: the shortest that does the work."""
    return sorted(steps, key=lambda step: (len(step.classes) > 1, -blocks[step].words))


def _by_first_words(views: Sequence[View], chosen: set[Step]) -> list[Exclusion]:
    """Blocks without a mark of their own ("Posted in …", "Filed under: …"), known by the words they begin with."""
    seen: dict[tuple[str, str], Block] = {}
    for n, view in enumerate(views):
        tree = view.sample.tree
        for i in range(view.place + 1, tree.last[view.place]):
            if not 1 <= tree.count(i) <= 80 or tree.tags[i] not in _LINES:
                continue
            if not any(step in chosen for step in own_steps(tree, i)):
                words = tree.words[tree.start[i] : min(tree.end[i], tree.start[i] + 2)]
                starts = " ".join(without_numbers(words))
                _count(seen.setdefault((tree.tags[i], starts), Block()), n, view, i)
    floor = max(2, len(views) / 3)
    return [
        Exclusion(Step(tag), starts, len(block.pages))
        for (tag, starts), block in seen.items()
        if len(block.pages) >= floor and _foreign_line(block, floor)
    ]


def _foreign_line(block: Block, floor: float) -> bool:
    if len(block.told) >= floor and (block.in_feed <= _FOREIGN or not block.taught):
        return block.in_feed <= _FOREIGN
    return (block.taught or not block.told) and block.furniture >= 0.85 * block.words
