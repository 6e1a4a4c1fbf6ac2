"""What stands inside the article node but does not belong to the article, recognised over the pages of the blog."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from blogforever.elements import HEADINGS, is_inline
from blogforever.extract.signing import are_signing
from blogforever.extract.trimming import ANY_NUMBER, without_numbers
from blogforever.learn.candidates import Step, is_bare, own_steps
from blogforever.learn.contents import (
    QUOTATION,
    content_elements,
    is_notice,
    is_of_links,
    is_table_of_contents,
    links_to_itself,
)
from blogforever.learn.frames import count_of, frames_of, is_framed, is_one
from blogforever.learn.views import View
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

# Kinds of blocks whose names say that they are none of the article.
_NAMED = ("comment", "furniture", "byline")
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
_LINES = frozenset("p div h2 h3 h4 h5 h6 ul small span center footer nav aside".split())
# Words of such a line: longer ones are paragraphs.
_LONGEST_LINE = 80
# Words by which such a line is known: "Posted in", "Filed under".
_FIRST_WORDS = 2
# Words of a line that is more than a label, and the first of them by which it is known where they
# are the same on many pages, as those of a teaser: by two words only, what authors begin alike
# would go with it.
_LONG_LINE, _MORE_WORDS = 12, 6
CUT = ("…", "...", "[…]", "[...]")
"""What a text ends with that was cut short."""
# At most this share of an excluded block's words may stand in the feed.
_FOREIGN = 0.1
# One that only leads to other posts may share more with it: a text mentions some of them by name.
# If the feed had the block, it would have nearly all of it.
_MENTIONED = 0.5
# A block whose name says what it is (comments, by-lines, furniture) goes where so much of it is the
# same on all pages, or is links,
_NAMED_SAME, _NAMED_LINKED = 0.3, 0.3
# or where it is no longer than a line.
_NAMED_WORDS = 12
# One without such a name must be all but the same, on several pages and on a share of all of them.
_SAME, _FEWEST_PAGES, _ONE_PAGE_IN = 0.9, 3, 4
# What sums of weights lose on their way: a block of furniture alone has just that share.
_ROUNDING = 1e-6
# A line without a mark must stand on so many pages and on a third of all; and where no feed tells
# of it, be so much the same.
_FEWEST_LINES, _ONE_LINE_IN, _SAME_LINE = 2, 3, 0.85
# One that no feed tells of and that names nothing the posts are filed under must stand on so many
# of the pages, and so much of it be links; or end every article.
_NEARLY_ALL, _LINKED_LINE = 0.8, 0.3
# Words of its own that may stand between such a line and the end of the article: others follow it
# there.
_CLOSING = 12
# With fewer texts in turn at the end of articles an author may but say one thing in two ways.
_SEVERAL_TEXTS = 3
# Words by which a line is known at most, and how many times as long as those on the pages learned
# from another may be that begins so, or how many words long: a longer one is a sentence.
_MOST_STARTS, _TIMES_LONGER = 12, 3
# Words of what is said again on other pages, as of who wrote these: fewer are headings and answers,
# more are no line. So much of it must be said again, on so many pages and half of all.
_FEWEST_SAID, _SAID_AGAIN, _FEWEST_TURNS = 8, 0.8, 4
# Words of its own that a part of the article below a heading has at least, and their share: what
# follows headings of the blog's own, as links to other posts do, has fewer.
_FEWEST_OWN, _OWN_SHARE = 5, 0.5
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
    filed: float = 0
    """Words of links that are called what the post is filed under."""
    led: float = 0
    """Words of links to the blog itself that are not furniture."""
    signed: float = 0
    """Other words that say when the post was written or by whom."""
    heads_text: bool = False
    """Whether one of them is a heading above words of the article's own."""
    only_signing: bool = True
    """Whether none has other words than those that stand beside a date or a name."""
    taught: bool = False
    """Whether the text came from generic extraction, not from a feed."""
    elements: int = 0
    said: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Lines of some length, each with the pages it stands on."""
    frames: Counter[str] = field(default_factory=Counter)
    """What those say beside names, numbers and links that sign the post."""
    counts: Counter[str] = field(default_factory=Counter)
    """What those say that count something, beside the numbers."""
    signable: int = 0
    """How many of them stand on pages of which it is known who wrote them, or when."""
    is_cut: bool = False
    """Whether one of them ends as what was cut short does."""
    in_feed: bool = False
    """Whether a feed that has a page's whole text has one of them, too."""
    closing: int = 0
    """How many of them stand at the end of the article."""
    begin: list[str] | None = None
    """The words that all lines begin with."""
    longest: int = 0
    """Words of the longest line."""

    @property
    def may_be_quoted(self) -> bool:
        """Whether lines that begin alike go on differently, or are cut short: so are teasers, and
        the post that one is of begins with the same words. One that signs differs by the day alone.
        """
        goes_on_differently = len(self.said) > 1 and not self.signs
        return goes_on_differently or self.is_cut

    @property
    def signs(self) -> bool:
        """Whether nearly all of them say the same beside the day of the post and who wrote it."""
        return is_framed(self.frames, self.signable)

    def add_line(self, words: list[str]) -> None:
        """Note how a line begins, and how long it is."""
        begin = words[:_MOST_STARTS] if self.begin is None else self.begin
        self.begin = [
            mine for mine, other in takewhile(lambda pair: pair[0] == pair[1], zip(begin, words, strict=False))
        ]
        self.longest = max(self.longest, len(words))

    @property
    def is_absent(self) -> bool:
        """Whether next to none of its words stand in the feed's text."""
        return self._in_feed <= _FOREIGN

    @property
    def is_mentioned(self) -> bool:
        """Whether the feed's text has less of its words than it would have of a part of it."""
        return self._in_feed <= _MENTIONED

    @property
    def _in_feed(self) -> float:
        return self.told_hits / self.told_words if self.told_words else 0.0

    def is_of_blog(self, pages: int) -> bool:
        """Whether the blog, and no author, put it there, as far as the pages alone tell."""
        return self.only_leads(pages) or self._only_signs(pages) or self._frames_signature(pages)

    def only_leads(self, pages: int) -> bool:
        """Whether its words are the same on many pages, or links to other posts or to parts of this
        one.
        """
        is_same = self.furniture + self.led >= _SAME * self.words - _ROUNDING
        return (is_same and self.is_everywhere(pages)) or self._only_counts(pages)

    def _only_counts(self, pages: int) -> bool:
        """Whether it says the same on nearly all pages but for its numbers, beside links: how often a
        post was read, printed and answered.
        """
        is_usual = len(self.pages) >= max(_FEWEST_PAGES, _NEARLY_ALL * pages)
        is_linked = self.linked >= _LINKED_LINE * self.words
        return is_usual and is_linked and is_one(self.counts, self.elements)

    def _only_signs(self, pages: int) -> bool:
        """Whether it says on many pages when the post was written or by whom, and next to nothing
        else than what is the same on all of them, or a link.
        """
        is_told_else = self.furniture + self.led + self.signed >= _SAME * self.words - _ROUNDING
        return self.is_everywhere(pages) and self.signed > 0 and is_told_else

    def _frames_signature(self, pages: int) -> bool:
        """Whether it signs the post in the same words on many pages."""
        return self.is_everywhere(pages) and self.signs

    def is_everywhere(self, pages: int) -> bool:
        """Whether it stands on enough of the pages to be none that an author writes now and then."""
        return len(self.pages) >= max(_FEWEST_PAGES, pages // _ONE_PAGE_IN)

    def takes_turns(self, pages: int) -> bool:
        """Whether a few texts take turns in it, as those about the authors of the posts do."""
        is_usual = len(self.pages) >= max(_FEWEST_TURNS, pages / 2)
        again = sum(len(places) for places in self.said.values() if len(set(places)) > 1)
        return is_usual and again >= _SAID_AGAIN * self.elements

    def closes_in_turns(self, pages: int) -> bool:
        """Whether nearly every article ends in one of several texts, as those about its authors."""
        is_last = self.closing >= _NEARLY_ALL * max(pages, self.elements)
        return is_last and len(self.said) >= _SEVERAL_TEXTS and self.takes_turns(pages)

    def is_same_line(self, pages: int) -> bool:
        """Whether it says the same on all pages, but for what the posts are filed under, and is no
        word of their author: he greets and signs in the same words, too.
        """
        if self.furniture + self.filed < _SAME_LINE * self.words:
            return self._frames_signature(pages) or self._only_counts(pages)
        is_usual = len(self.pages) >= _NEARLY_ALL * pages
        is_linked = is_usual and self.linked >= _LINKED_LINE * self.words
        return self.filed > 0 or self.only_signing or is_linked or self._closes_all(pages)

    def _closes_all(self, pages: int) -> bool:
        """Whether every article ends in one sentence, as in what may be done with it."""
        is_sentence = self.words >= _FEWEST_SAID * self.elements
        return is_sentence and pages >= _FEWEST_TURNS and len(self.pages) == self.closing == self.elements == pages


@dataclass(frozen=True)
class Exclusion:
    """A mark of foreign blocks; with `starts`, only those whose text begins so."""

    step: Step
    starts: str = ""
    most: int = 0
    """Words of the longest block that begins so and is foreign."""
    pages: int = 0


_Line = tuple[str, str]
"""The tag of a line, and the words it is known by."""


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
    content, own = content_elements(tree, view.place), links_to_itself(view)
    for i in range(view.place + 1, tree.last[view.place]):
        is_content = i in content and not is_of_links(view, i) and not is_notice(view, i, own)
        if not tree.count(i) or is_content:
            continue
        steps = [step for step in own_steps(tree, i) if not is_bare(step)]
        telling = [step for step in steps if not step.attribute or step.attribute in _TELLING]
        _count([blocks.setdefault(step, Block()) for step in telling], n, view, i)


def _count(blocks: Sequence[Block], n: int, view: View, i: int) -> None:
    """Add one element to what is known of its marks."""
    if not blocks:
        return
    count = view.sample.tree.count(i)
    words = view.sample.tree.words_of(i) if count <= _LONGEST_LINE else []
    said = " ".join(without_numbers(words)) if len(words) >= _FEWEST_SAID else ""
    is_entered, frames, counted = view.sample.entry is not None, frames_of(view, i, words), count_of(words)
    # How long a text takes to read is another number on each page.
    signs = _only_signs(words)
    furniture = count if signs else count - view.sample.weight_of(i)
    linked, filed, led, signed = view.links(i), view.filing(i), view.leading(i), view.signing(i)
    heads_text = _heads_text(view, i, set())
    for block in blocks:
        block.pages.add(n)
        block.words += count
        block.elements += 1
        if said:
            block.said[said].append(n)
        block.signable += is_entered
        block.frames.update(frames)
        block.counts.update(counted)
        block.only_signing &= signs
        block.furniture += furniture
        block.linked += linked
        block.filed += filed
        block.led += led
        block.signed += signed
        block.heads_text |= heads_text
        if view.told:
            _count_told(block, n, view, i)


def _count_told(block: Block, n: int, view: View, i: int) -> None:
    """Add what the feed has of one element."""
    count = view.sample.tree.count(i)
    hits = 0.0 if is_table_of_contents(view, i) else view.hits(i)
    block.told.add(n)
    block.taught |= view.sample.taught
    block.told_words += count
    block.told_hits += hits
    block.in_feed |= not view.sample.taught and hits > _MENTIONED * count


def _only_signs(words: Sequence[str]) -> bool:
    """Whether a line has no words but those that stand beside a date or a name, and numbers."""
    return any(words) and are_signing(words)


def _foreign(step: Step, block: Block, pages: int) -> bool:
    """Whether blocks with this mark are no part of the article."""
    kind = kind_of(" ".join((*step.classes, step.id or "")))
    if block.told:
        enough = 1 if kind in _NAMED or pages < _SEVERAL_PAGES else 2
        is_absent = block.is_absent or (block.is_mentioned and block.only_leads(pages))
        absent = is_absent and len(block.told) >= enough
        if absent or not block.taught:
            return absent
    return not block.in_feed and _foreign_alone(kind, block, pages)


def _foreign_alone(kind: str, block: Block, pages: int) -> bool:
    """Whether blocks are no part of the article, where no feed tells."""
    if block.takes_turns(pages):
        return True
    if kind in _NAMED:
        return kind == "comment" or _fits_its_name(block)
    return block.is_of_blog(pages)


def _fits_its_name(block: Block) -> bool:
    """Whether a block that calls itself furniture or a by-line looks like one."""
    same = block.furniture / block.words
    linked = block.linked / block.words
    # Headings are short, too; a theme may name them after the bar they must not hide behind.
    is_line = block.words <= _NAMED_WORDS * len(block.pages) and not block.heads_text
    return same >= _NAMED_SAME or linked >= _NAMED_LINKED or is_line


def _outermost(steps: Iterable[Step], blocks: dict[Step, Block]) -> list[Step]:
    """One mark for each kind of block: the shortest that does the work."""
    return sorted(steps, key=lambda step: (len(step.classes) > 1, -blocks[step].words))


def _by_first_words(views: Sequence[View], chosen: set[Step]) -> list[Exclusion]:
    """Blocks without a mark of their own ("Posted in …", "Filed under: …"), known by their first words."""
    told_floor = max(_FEWEST_LINES, sum(view.told for view in views) / _ONE_LINE_IN)
    lines = _usual_lines(views, chosen)
    foreign = {line: block for line, block in lines.items() if _foreign_line(line[0], block, told_floor, len(views))}
    return [_line_exclusion(line, foreign[line]) for line in _without_quoted(foreign)]


def _usual_lines(views: Sequence[View], chosen: set[Step]) -> dict[_Line, Block]:
    """What is known of the lines that begin alike on enough pages; most stand on one, and are not looked at closer."""
    places: defaultdict[_Line, list[tuple[int, int]]] = defaultdict(list)
    for n, view in enumerate(views):
        tree = view.sample.tree
        for i in _lines(view, chosen):
            for starts in _starts(tree.words_of(i)):
                places[tree.tags[i], starts].append((n, i))
    floor = max(_FEWEST_LINES, len(views) / _ONE_LINE_IN)
    usual = {line: found for line, found in places.items() if len({n for n, _i in found}) >= floor}
    return {line: _block_of(views, found) for line, found in usual.items()}


def _block_of(views: Sequence[View], places: Sequence[tuple[int, int]]) -> Block:
    """What is known of lines at these places."""
    block = Block()
    for n, i in places:
        tree = views[n].sample.tree
        _count([block], n, views[n], i)
        block.add_line(tree.words_of(i))
        block.closing += _closes(views[n], i)
        block.is_cut |= tree.line(i).endswith(CUT)
    return block


def _line_exclusion(line: _Line, block: Block) -> Exclusion:
    """What lines have in common, as exactly as the pages tell it."""
    tag, starts = line
    is_longer = block.begin is not None and not starts.startswith(ANY_NUMBER)
    begin = " ".join(_begin(block)) if is_longer else starts
    return Exclusion(Step(tag), begin or starts, max(_LONG_LINE, _TIMES_LONGER * block.longest), len(block.pages))


def _begin(block: Block) -> Iterable[str]:
    """The words that all lines begin with; of one that signs those before the day, of which other
    pages may have another year.
    """
    begin = block.begin or ()
    return takewhile(lambda word: not word.isdecimal(), begin) if block.signs else begin


def _closes(view: View, i: int) -> bool:
    """Whether a line stands at the end of the article, but for others of the blog's."""
    tree, weight = view.sample.tree, view.sample.weight
    return weight[tree.end[view.place]] - weight[tree.end[i]] <= _CLOSING


def _without_quoted(foreign: Mapping[_Line, Block]) -> list[_Line]:
    """The lines without those that quote a post, each known by its longer beginning where that is one."""
    longer = [line for line in foreign if _is_longer(line)]
    known = {(tag, *starts.split()[:_FIRST_WORDS]) for tag, starts in longer}
    shorter = [line for line in foreign if not _is_longer(line) and (line[0], *line[1].split()) not in known]
    return [*shorter, *(line for line in longer if line[0] == QUOTATION or not foreign[line].may_be_quoted)]


def _starts(words: Sequence[str]) -> list[str]:
    """The beginnings by which a line may be known."""
    short = " ".join(without_numbers(words[:_FIRST_WORDS]))
    if short.replace(" ", "").isdecimal():
        # Numbers alone begin anything: lines of code and rows of tables.
        return []
    return [short, " ".join(words[:_MORE_WORDS])] if len(words) > _LONG_LINE else [short]


def _is_longer(line: _Line) -> bool:
    return len(line[1].split()) == _MORE_WORDS


def _lines(view: View, chosen: set[Step]) -> Iterator[int]:
    """The short elements of an article that no chosen mark has."""
    tree = view.sample.tree
    content, own = content_elements(tree, view.place), links_to_itself(view)
    for i in range(view.place + 1, tree.last[view.place]):
        is_line = (i not in content and tree.tags[i] in _LINES) or is_notice(view, i, own)
        if not is_line or not 1 <= tree.count(i) <= _LONGEST_LINE:
            continue
        if _is_part_of_line(tree, i) or _heads_text(view, i, chosen):
            continue
        if chosen.isdisjoint(own_steps(tree, i)):
            yield i


def _is_part_of_line(tree: PageView, i: int) -> bool:
    """Whether an element is one of several in a line, as the number and the measure of what goes
    into a dish: the line is judged as a whole.
    """
    parent = tree.parents[i]
    return is_inline(tree.tags[i]) and not tree.blocks[parent] and tree.count(parent) > tree.count(i)


def _heads_text(view: View, i: int, chosen: set[Step]) -> bool:
    """Whether a heading stands above words of the article's own, as in texts all made in one way: recipes, reports."""
    tree, after = view.sample.tree, view.sample.tree.last[i]
    is_last = after >= tree.last[tree.parents[i]]
    if tree.tags[i] not in HEADINGS or is_last or not chosen.isdisjoint(own_steps(tree, after)):
        return False
    words = tree.count(after)
    own = view.sample.weight_of(after)
    return own >= max(_FEWEST_OWN, _OWN_SHARE * words) and view.links(after) < words / 2


def _foreign_line(tag: str, block: Block, floor: float, pages: int) -> bool:
    """Whether lines that begin so are no part of the article."""
    if tag == QUOTATION:
        # Only those are asked about that link to the page they stand on.
        return not block.in_feed and block.is_everywhere(pages)
    is_told = len(block.told) >= floor
    if is_told and (block.is_absent or not block.taught):
        return block.is_absent
    may_be_judged_alone = not block.in_feed and (block.taught or not block.told)
    return may_be_judged_alone and (block.is_same_line(pages) or block.closes_in_turns(pages))
