"""Mark-up that would make a parser slow or its tree huge, thinned out: text is kept, only tags are
dropped.

The parser's cost grows with depth times tags, with unclosed formatting times blocks and with the
square of one tag's attributes or one list's options.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set

from blogforever.elements import HEADINGS, VOID, word_set

# Above these the parser becomes slow, or its tree huge; far above what pages for people have.
MAX_TAGS = 200_000
MAX_DEPTH = 250
# Formatting elements open at once, and their clones in the blocks that follow.
MAX_FORMATTING = 50
MAX_CLONES = 200_000
# Tags below which neither can be too many.
FEWEST_CUT = min(MAX_TAGS, MAX_CLONES // MAX_FORMATTING)
# Attributes of one tag, and options of one list.
MAX_ATTRIBUTES = 500
MAX_OPTIONS = 1_000
# Below these no mark-up without open formatting and endless lists can cost
# more than a fraction of a second, so that ordinary pages need no closer look.
PLAIN_TAGS, PLAIN_RUN = 10_000, 5_000
# The same where not many elements are open at once.
FLAT_CHARS, FLAT_TAGS = 4_000_000, 60_000
# Too few to do harm by formatting, whatever they are.
FEW_TAGS = 2_000
# So few cannot be much deeper than the bound.
SHALLOW_TAGS = 500
NOWHERE = -1
# Open at once without those that close each other, which may be several times as many.
PLAIN_DEPTH = 60


def one_of(names: Set[str]) -> str:
    """A pattern for one of some names.

    Every tag of a page is held against it: by their first letters, most are seen at once to be none
    of them, and the others are held against a few.
    """
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names):
        by_letter.setdefault(name[0], []).append(name[1:])
    ways = "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    return f"(?=[{''.join(by_letter)}])(?:{ways})"


# Comments and raw text hold no tags. Attribute values may hold ">". An
# unclosed construct runs to the end, as it does in the parser; every
# alternative consumes what it looked at, which keeps the scan linear.
_COMMENT = r"<!--(?:-?>|.*?--!?>|.*)|(?:<[!?]|</(?![a-z]))[^>]*+>?"
_RAW = r"<(?P<raw>script|style|textarea|title|xmp|iframe|noembed|noframes)\b(?:.*?</(?P=raw)(?=[\s/>])[^>]*>|.*)"
_TAG = r"<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)(?P<rest>(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+)>?"
MARKUP = re.compile(f"{_COMMENT}|{_RAW}|{_TAG}", re.IGNORECASE | re.DOTALL)
TAG = re.compile(_TAG, re.IGNORECASE | re.DOTALL)
# In drawings and formulas nothing is raw text and no element is void.
FOREIGN = frozenset(["svg", "math"])
BREAKS_OUT = word_set(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
# Of these, what may hold HTML again.
HTML_AMID = word_set("foreignobject desc title annotation-xml mi mn mo ms mtext")
FOREIGN_MARKUP = re.compile(
    rf"<!\[CDATA\[(?:.*?\]\]>|.*)|{_COMMENT}|{_TAG}",
    re.IGNORECASE | re.DOTALL,
)
SELF_CLOSED = re.compile(r"(?:^|[\"'\s])/\Z")
FORMATTING = word_set("a b big code em font i nobr s small strike strong tt u")
FORMATTING_TAG = re.compile(rf"<(/?)({one_of(FORMATTING)})[\s>]", re.IGNORECASE | re.ASCII)
OPTION_TAG = re.compile(r"<opt(?:ion|group)\b", re.IGNORECASE)
CLOSES_P = word_set(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section ul"
)
# How far the parser looks for the element that a tag closes. Where it is
# not known to close one, it is taken not to: so no page is deeper than the
# bound, while one with many tags in the wrong order may lose some of them.
TABLE_PARTS = word_set("table caption colgroup tbody thead tfoot tr td th")
BOUNDARIES = word_set(
    "applet caption html table td th marquee object template select svg math foreignobject desc title annotation-xml "
    "mi mn mo ms mtext"
)
BLOCKS = (CLOSES_P | word_set("li dt dd button listing summary applet marquee object")) - word_set("p form hr")
SPECIAL = (
    CLOSES_P | BOUNDARIES | BLOCKS | TABLE_PARTS | word_set("body frameset head iframe noembed noframes noscript xmp")
)
NEAREST_TABLE = word_set("table template")
AMID_LIST = SPECIAL - word_set("address div p")
STOPS_END = {
    **dict.fromkeys(BLOCKS, BOUNDARIES),
    **dict.fromkeys(TABLE_PARTS, NEAREST_TABLE),
    "li": BOUNDARIES | word_set("ul ol"),
    "p": BOUNDARIES | word_set("button"),
    "template": frozenset[str](),
}
# For a start tag: the elements it closes by itself, and what stops the search for one.
Implied = tuple[frozenset[str], frozenset[str]]
CLOSED_BY: dict[str, Implied] = {
    **{name: (word_set("p"), STOPS_END["p"]) for name in CLOSES_P},
    **{name: (word_set("dt dd"), AMID_LIST) for name in ("dt", "dd")},
    **{name: (word_set("td th"), NEAREST_TABLE) for name in ("td", "th")},
    **{name: (word_set("thead tbody tfoot"), NEAREST_TABLE) for name in ("thead", "tbody", "tfoot")},
    **{name: (word_set(name), SPECIAL) for name in ("a", "nobr")},
    "li": (word_set("li"), AMID_LIST),
    "tr": (word_set("tr"), NEAREST_TABLE),
    "button": (word_set("button"), BOUNDARIES),
}
# Open elements that are asked whether a tag closes them
# by itself; the parser would ask all, at their cost.
LOOK_BACK = 8
# Elements that cannot nest by themselves, whatever their
# number: not counted where a page is only looked over.
FLAT = VOID | TABLE_PARTS - {"table"} | word_set("p li dt dd option")
NESTING_TAG = re.compile(rf"<(/?)(?!(?:{one_of(FLAT)})[\s/>])([a-z]\w*)", re.IGNORECASE | re.ASCII)


def is_plain(html: str) -> bool:
    """Whether the mark-up is cheap to parse as it is, and no tree of it is deep."""
    tags = count_tags(html)
    return is_cheap(html, tags) and not (may_be_deep(tags) and _nests(html))


def count_tags(html: str) -> int:
    """How many tags there are at most; counted once for all who ask of a page."""
    return html.count("<")


def may_be_deep(tags: int) -> bool:
    """Whether there are enough tags for a tree much deeper than the bound."""
    return tags > SHALLOW_TAGS


def is_cheap(html: str, tags: int) -> bool:
    """Whether mark-up with so many tags takes the parser no long time, however deep its tree."""
    if len(html) > FLAT_CHARS or tags > FLAT_TAGS:
        return False
    if tags > FEW_TAGS and (_stays_formatted(html, MAX_CLONES // tags) or _has_many_options(html)):
        return False
    if tags > PLAIN_TAGS and _nests(html):
        return False
    return not _has_long_tag(html)


def _has_many_options(html: str) -> bool:
    return len(OPTION_TAG.findall(html)) > MAX_OPTIONS


def _has_long_tag(html: str) -> bool:
    """Whether one tag goes on for thousands of characters:
    the parser compares each attribute with all before it.
    """
    last, end = NOWHERE, NOWHERE
    for at in range(0, len(html) - PLAIN_RUN, PLAIN_RUN):
        found = html.rfind("<", at, at + PLAIN_RUN)
        if found >= 0:
            last, end = found, NOWHERE
            continue
        # A long text, or a script, whose own tag has ended; or a tag that still
        # goes on, whatever its values hold. It is looked at once, however long.
        if last >= 0 and end == NOWHERE:
            end = _end_of_tag(html, last)
        if end > at:
            return True
    return False


def _end_of_tag(html: str, start: int) -> int:
    tag = TAG.match(html, start)
    return tag.end() if tag else start


def _nests(html: str) -> bool:
    """Whether so many elements are open at once that the page may be deep."""
    return _opens_more_than(PLAIN_DEPTH, NESTING_TAG, html)


def _stays_formatted(html: str, most: int) -> bool:
    """Whether more formatting elements than these are open at
    once: the parser clones each into every block that follows.
    """
    return _opens_more_than(min(most, MAX_FORMATTING), FORMATTING_TAG, html)


def _opens_more_than(most: int, tags: re.Pattern[str], html: str) -> bool:
    """Whether more elements than these are open at once, of those whose tags are looked for."""
    opened: defaultdict[str, int] = defaultdict(int)
    depth = 0
    for slash, name in tags.findall(html):
        if not slash:
            opened[name] += 1
            depth += 1
            if depth > most:
                return True
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return False


def thinned(html: str) -> str:
    """The mark-up without the tags that go too deep or cost too much.

    Cut where they become too many.
    """
    return _Thinner(html).run()


def is_cut(html: str) -> bool:
    """Whether the mark-up is so much that not all of it is read."""
    # With fewer tags nothing can become too many, and nearly every page has fewer.
    if count_tags(html) < FEWEST_CUT or is_plain(html):
        return False
    thinner = _Thinner(html)
    thinner.run()
    return thinner.is_cut


def flat(html: str) -> str:
    """The text of a tangled page and its breaks, without any element that could hold another."""
    return MARKUP.sub(
        lambda found: found[0] if (found["name"] or "").lower() in ("p", "br") else " ",
        html,
    )


def _has_many_attributes(attributes: str) -> bool:
    """Whether one tag has more attributes than any page for people.

    Each is a word, or has a sign of its own.
    """
    if len(attributes) <= MAX_ATTRIBUTES:
        return False
    # No more words are cut off than decide: a list of half a million costs more each than a list of few.
    return attributes.count("=") + len(attributes.split(maxsplit=2 * MAX_ATTRIBUTES)) > 2 * MAX_ATTRIBUTES


class _Thinner:
    """Follows tags the way the parser will and drops those that go too deep or cost too much."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.pieces: list[str] = []
        self.copied = 0
        self.open: list[str] = []
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.dropped: defaultdict[str, int] = defaultdict(int)
        self.formatting: defaultdict[str, int] = defaultdict(int)
        self.formatted = 0  # the sum of those counts
        self.foreign = 0  # drawings and formulas that are open
        self.clones = 0
        self.options = 0
        self.is_cut = False

    def run(self) -> str:
        """One pass over the tags; the text is cut where the tags or their clones become too many."""
        match, number = MARKUP.search(self.html), 0
        while match:
            if number >= MAX_TAGS or self.clones >= MAX_CLONES:
                self.pieces.append(self.html[self.copied : match.start()])
                self.is_cut = True
                return "".join(self.pieces)
            name = match["name"]
            if name and not self._keep(match["slash"], name.lower(), match["rest"]):
                self.pieces.append(self.html[self.copied : match.start()])
                self.copied = match.end()
            match = (FOREIGN_MARKUP if self.foreign else MARKUP).search(self.html, match.end())
            number += 1
        if not self.pieces:
            return self.html
        self.pieces.append(self.html[self.copied :])
        return "".join(self.pieces)

    def _keep(self, slash: str, name: str, attributes: str) -> bool:
        """Whether a tag stays."""
        if name not in FORMATTING:
            self.clones += self.formatted
        if slash:
            return self._end(name)
        if _has_many_attributes(attributes):
            return False
        if name in ("option", "optgroup"):
            self.options += 1
            if self.options > MAX_OPTIONS:
                return False
        return self._stays_empty(name, attributes) or self._start(name)

    def _stays_empty(self, name: str, attributes: str) -> bool:
        """Whether nothing is opened: a void element, or a part of a table where there is none."""
        if self.foreign and name in BREAKS_OUT:
            self._break_out()
        elif self.foreign:
            return SELF_CLOSED.search(attributes) is not None
        if name in TABLE_PARTS and name != "table":
            return not self.counts["table"] and not self.counts["template"]
        return name in VOID

    def _break_out(self) -> None:
        """An element of HTML ends drawings and formulas,
        unless it stands in a part of them made for HTML.
        """
        if not any(self.counts[name] for name in HTML_AMID):
            while self.foreign:
                self._close(FOREIGN, frozenset(), reversed(self.open))

    def _start(self, name: str) -> bool:
        """Open an element; False where it would be one too many."""
        self._close_implied(name)
        is_too_deep = len(self.open) >= MAX_DEPTH
        is_formatting = name in FORMATTING
        if is_too_deep or (is_formatting and self.formatted >= MAX_FORMATTING):
            self.dropped[name] += 1
            return False
        self.open.append(name)
        self.counts[name] += 1
        self.foreign += name in FOREIGN
        if name == "select":
            self.options = 0
        # A link ends the one before it.
        is_link_again = name == "a" and self.formatting[name]
        if is_formatting and not is_link_again:
            self.formatting[name] += 1
            self.formatted += 1
        return True

    def _close_implied(self, name: str) -> None:
        """Close what the parser closes by itself before this element.

        Only near ones, to stay linear.
        """
        if self.foreign:
            return
        if self.open and self._ends_at(name, self.open[-1]):
            self._pop()
        if implied := CLOSED_BY.get(name):
            self._close(*implied, self.open[: -LOOK_BACK - 1 : -1])

    def _ends_at(self, name: str, last: str) -> bool:
        """Whether the element opened last ends where this one begins, and would not further out."""
        if name in HEADINGS:
            return last in HEADINGS
        return last == "option" and name in ("option", "optgroup")

    def _end(self, name: str) -> bool:
        """Close an element; False where its beginning was dropped."""
        if self.dropped[name]:
            self.dropped[name] -= 1
            return False
        if self.formatting[name]:
            self.formatting[name] -= 1
            self.formatted -= 1
        if self.counts[name]:
            self._close({name}, STOPS_END.get(name, SPECIAL), reversed(self.open))
        return True

    def _close(self, names: Set[str], stops: Set[str], open_elements: Iterable[str]) -> None:
        """Close the nearest of these elements, unless one
        stands before it that stops the parser, too.
        """
        for back, candidate in enumerate(open_elements, 1):
            if candidate in names:
                for _ in range(back):
                    self._pop()
                return
            if candidate in stops:
                return

    def _pop(self) -> None:
        name = self.open.pop()
        self.counts[name] -= 1
        self.foreign -= name in FOREIGN
