"""What stands inside the article node but does not belong to the article, recognised over the pages of the blog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from blogforever.extract.trimming import without_numbers
from blogforever.learn.candidates import Step, is_bare, own_steps
from blogforever.learn.views import View
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

# Content even where a feed leaves it out.
_CONTENT = frozenset("pre code figure math img video audio table td tr th tbody picture blockquote".split())
# Attributes that say what a block is; others (a property
# of the article, a role for the whole page) do not.
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
# Elements that may hold a line about the post ("Posted in …").
_LINES = frozenset("p div h2 h3 h4 h5 h6 ul small span center".split())
# Words of such a line: longer ones are paragraphs.
_LONGEST_LINE = 80
# Words by which such a line is known: "Posted in", "Filed under".
_FIRST_WORDS = 2
# An element with at most so many times the words of a table or picture in it is but its frame.
_LITTLE_ELSE = 1.5
# At most this share of an excluded block's words may stand in the feed.
_FOREIGN = 0.1
# A block whose name says what it is (comments, by-lines, furniture) goes where so much of it is the
# same on all pages, or is links,
_NAMED_SAME, _NAMED_LINKED = 0.3, 0.3
# or where it is no longer than a line.
_NAMED_WORDS = 12
# One without such a name must be all but the same, on several pages and on a share of all of them.
_SAME, _FEWEST_PAGES, _ONE_PAGE_IN = 0.9, 3, 4
# A line without a mark must stand on so many pages and on a third of all; and where no feed tells
# of it, be so much the same.
_FEWEST_LINES, _ONE_LINE_IN, _SAME_LINE = 2, 3, 0.85
# With fewer pages than this, what one of them shows must do.
_SEVERAL_PAGES = 3


@dataclass
class Block:
    """What all elements with one mark have in common over the pages."""

    pages: set[int] = field(default_factory=set)
    told: set[int] = field(default_factory=set)
    """Pages whose whole text the feed has."""
    words: float = 0
    told_words: float = 0
    told_hits: float = 0
    furniture: float = 0
    linked: float = 0
    taught: bool = False
    """Whether the text came from generic extraction, not from a feed."""

    @property
    def is_absent(self) -> bool:
        """Whether next to none of its words stand in the feed's text."""
        in_feed = self.told_hits / self.told_words if self.told_words else 0.0
        return in_feed <= _FOREIGN


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
    marks = _outermost(chosen, blocks)
    by_mark = [Exclusion(step, pages=len(blocks[step].pages)) for step in marks]
    return by_mark + _by_first_words(views, set(chosen))


def _survey(n: int, view: View, blocks: dict[Step, Block]) -> None:
    """Count what stands inside one page's article, by its marks."""
    tree = view.sample.tree
    content = content_elements(tree, view.place)
    for i in range(view.place + 1, tree.last[view.place]):
        if not tree.count(i) or i in content:
            continue
        for step in own_steps(tree, i):
            says_nothing = step.attribute and step.attribute not in _TELLING
            if not is_bare(step) and not says_nothing:
                _count(blocks.setdefault(step, Block()), n, view, i)


def _count(block: Block, n: int, view: View, i: int) -> None:
    """Add one element to what is known of its mark."""
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


def content_elements(tree: PageView, place: int) -> set[int]:
    """Code, tables and pictures, what stands in them and what holds little else.

    Each is kept with the words up to which everything around it was found, too. So nothing is
    climbed twice: what holds little else than two elements beside each other cannot be, and what
    stands in an element reaches no further.
    """
    reached: dict[int, float] = {}
    for i in range(place + 1, tree.last[place]):
        if tree.tags[i] not in _CONTENT and tree.parents[i] not in reached:
            continue
        most = _LITTLE_ELSE * tree.count(i)
        reached[i], holder = most, tree.parents[i]
        while holder != place and tree.count(holder) <= most and reached.get(holder, -1.0) < most:
            reached[holder] = most
            holder = tree.parents[holder]
    return set(reached)


def _foreign(step: Step, block: Block, pages: int) -> bool:
    """Whether blocks with this mark are no part of the article."""
    kind = kind_of(" ".join((*step.classes, step.id or "")))
    named = kind in ("comment", "furniture", "byline")
    if block.told:
        enough = 1 if named or pages < _SEVERAL_PAGES else 2
        absent = block.is_absent and len(block.told) >= enough
        if absent or not block.taught:
            return absent
    if named:
        return kind == "comment" or _fits_its_name(block)
    everywhere = len(block.pages) >= max(_FEWEST_PAGES, pages // _ONE_PAGE_IN)
    return everywhere and block.furniture / block.words >= _SAME


def _fits_its_name(block: Block) -> bool:
    """Whether a block that calls itself furniture or a by-line looks like one."""
    same = block.furniture / block.words
    linked = block.linked / block.words
    is_line = block.words <= _NAMED_WORDS * len(block.pages)
    return same >= _NAMED_SAME or linked >= _NAMED_LINKED or is_line


def _outermost(steps: Iterable[Step], blocks: dict[Step, Block]) -> list[Step]:
    """One mark for each kind of block: the shortest that does the work."""
    return sorted(steps, key=lambda step: (len(step.classes) > 1, -blocks[step].words))


def _by_first_words(views: Sequence[View], chosen: set[Step]) -> list[Exclusion]:
    """Blocks without a mark of their own ("Posted in …",
    "Filed under: …"), known by the words they begin with.
    """
    lines: dict[tuple[str, str], Block] = {}
    for n, view in enumerate(views):
        tree = view.sample.tree
        for i in _lines(view, chosen):
            words = tree.words_of(i)[:_FIRST_WORDS]
            starts = " ".join(without_numbers(words))
            _count(lines.setdefault((tree.tags[i], starts), Block()), n, view, i)
    floor = max(_FEWEST_LINES, len(views) / _ONE_LINE_IN)
    return [
        Exclusion(Step(tag), starts, len(block.pages))
        for (tag, starts), block in lines.items()
        if len(block.pages) >= floor and _foreign_line(block, floor)
    ]


def _lines(view: View, chosen: set[Step]) -> Iterator[int]:
    """The short elements of an article that no chosen mark has."""
    tree = view.sample.tree
    for i in range(view.place + 1, tree.last[view.place]):
        if tree.tags[i] not in _LINES or not 1 <= tree.count(i) <= _LONGEST_LINE:
            continue
        if chosen.isdisjoint(own_steps(tree, i)):
            yield i


def _foreign_line(block: Block, floor: float) -> bool:
    """Whether lines that begin so are no part of the article."""
    is_told = len(block.told) >= floor
    if is_told and (block.is_absent or not block.taught):
        return block.is_absent
    may_be_judged_alone = block.taught or not block.told
    return may_be_judged_alone and block.furniture >= _SAME_LINE * block.words
