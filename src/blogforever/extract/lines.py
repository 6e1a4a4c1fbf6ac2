"""The lines of an element: what stands between two breaks of the text, whatever mark-up is in it.

A block without blocks in it is a line. Where text stands loose beside blocks, each run of it is
one, with the links and bold words that belong to it. Who drops elements asks here first: one amid a
line of other words is a part of its sentence, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, tokenise
from blogforever.elements import is_inline
from blogforever.extract.signing import are_signing
from blogforever.page.view import PageView

_BREAKS = "br, div, p, ul, ol, dl, table, section, article, aside, header, footer, form, h1, h2, h3, h4, h5, h6"
_BREAK_TAG = re.compile(rf"<(?:{_BREAKS.replace(', ', '|')})[\s>]")
_LINKS = frozenset({"a"})
# Elements of a line around each other; in more, which no honest page has, the line is not looked
# for.
_MOST_LEVELS = 12


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line: its nodes, and the words of the page from the first it holds to the last.

    `element` is the block that is nothing else; none where the text stands loose.
    """

    nodes: tuple[LexborNode, ...]
    start: int
    stop: int
    links: int
    element: int | None = None

    @property
    def words(self) -> int:
        """How many words the line shows."""
        return self.stop - self.start

    @property
    def own_words(self) -> int:
        """How many of them are no link text."""
        return self.words - self.links

    def text(self) -> str:
        """What the line says, with white space collapsed."""
        return text_of(self.nodes)

    def text_outside_links(self) -> str:
        """What the line says beside its links."""
        return " ".join(" ".join(map(_unlinked, self.nodes)).split())


def text_of(nodes: Iterable[LexborNode]) -> str:
    """What the nodes of a line say, with white space collapsed."""
    return " ".join(" ".join(map(_text, nodes)).split())


def _unlinked(node: LexborNode) -> str:
    """The text of a node without that of the links in it."""
    if node.tag == "a":
        return ""
    text = _text(node)
    for link in [] if node.is_text_node else node.css("a"):
        text = text.replace(_text(link), "", 1)
    return text


def _text(node: LexborNode) -> str:
    return (node.text_content or "") if node.is_text_node else node.text(separator=" ")


def lines_of(page: PageView, container: int, dropped: Set[int]) -> list[TextLine]:
    """The lines of an element that show words, in order, without what is dropped already."""
    found: list[TextLine] = []
    i = container
    while i < page.last[container]:
        if i in dropped:
            i = page.last[i]
        elif page.blocks[i] or i == container:
            found += _runs(page, i, dropped)
            i += 1
        else:
            if not is_inline(page.tags[i]):
                found.append(_block_line(page, i))
            i = page.last[i]
    shown = [line for line in found if line.words]
    return sorted(shown, key=lambda line: line.start)


def _block_line(page: PageView, i: int) -> TextLine:
    return TextLine((page.nodes[i],), page.start[i], page.end[i], page.links(i), i)


# --- what must stay, because it stands in a sentence


def amid_sentences(
    nodes: Iterable[LexborNode],
    *,
    spared: Set[str] = frozenset(),
    silent: Set[str] = frozenset(),
    left_out: Set[int] = frozenset(),
) -> set[int]:
    """The memory ids of those nodes that stand in a line with words of none of them.

    Lines of the spared tags are no sentences: a heading may end in a link to edit it. Words in
    elements of the silent tags make no sentence, nor do those of nodes that are left out.
    """
    inline = [node for node in nodes if _stands_in_line(node)]
    wanted = {node.mem_id for node in inline}
    blocks = {block.mem_id: block for block in map(_block_around, inline)}
    amid: set[int] = set()
    for block in blocks.values():
        if block.tag in spared:
            continue
        for run in _node_runs(block):
            amid |= _amid_run([node for node in run if node.mem_id not in left_out], wanted, silent)
    return amid


def signs_left(nodes: Iterable[LexborNode], left_out: Set[int]) -> list[LexborNode]:
    """The loose signs of lines of which all words are left out, as the commas between tags are."""
    inline = [node for node in nodes if _stands_in_line(node)]
    blocks = {block.mem_id: block for block in map(_block_around, inline)}
    signs: list[LexborNode] = []
    for run in (run for block in blocks.values() for run in _node_runs(block)):
        kept = [node for node in run if node.mem_id not in left_out]
        if len(kept) < len(run) and all(map(_is_sign, kept)):
            signs += kept
    return signs


def _is_sign(node: LexborNode) -> bool:
    """Whether a node is a text without a word."""
    return bool(node.is_text_node) and not tokenise(node.text_content or "")


def _stands_in_line(node: LexborNode) -> bool:
    """Whether an element is a part of a line, and holds no break itself."""
    tag = node.tag or ""
    if not is_inline(tag) or tag == "br":
        return False
    # Most hold but a text, and of most others the mark-up shows no break: both are seen much sooner
    # than searched.
    only = node.first_child
    is_simple = only is None or (only.next is None and only.is_text_node)
    return is_simple or not _BREAK_TAG.search(node.html or "") or node.css_first(_BREAKS) is None


def _block_around(node: LexborNode) -> LexborNode:
    """The element whose lines an element of a line stands in."""
    holder = node.parent or node
    for _level in range(_MOST_LEVELS):
        if holder.parent is None or not _stands_in_line(holder):
            break
        holder = holder.parent
    return holder


def _node_runs(block: LexborNode) -> Iterator[list[LexborNode]]:
    """The texts and inline elements right below a block, parted by breaks and by what holds some."""
    run: list[LexborNode] = []
    node = block.child
    while node is not None:
        if node.is_text_node or (node.is_element_node and _stands_in_line(node)):
            run.append(node)
        elif node.is_element_node:
            yield run
            run = []
        node = node.next
    yield run


def _amid_run(run: Sequence[LexborNode], wanted: Set[int], silent: Set[str]) -> set[int]:
    """Those of the wanted nodes that stand in a line, where the line has other words; else none."""
    inside: set[int] = set()
    has_other_words = False
    stack = list(run)
    while stack:
        node = stack.pop()
        if node.mem_id in wanted:
            inside.add(node.mem_id)
        elif node.is_text_node:
            has_other_words = has_other_words or bool(tokenise(node.text_content or ""))
        elif node.tag not in silent:
            stack += node.iter(include_text=True)
    return inside if has_other_words else set()


def opening_line(block: LexborNode, left_out: Set[int]) -> list[LexborNode]:
    """The nodes of the first line with words below an element, without what is left out."""
    for _level in range(_MOST_LEVELS):
        run = next((run for run in _parted_runs(block, left_out) if _says_something(run, left_out)), [])
        if len(run) != 1 or run[0].is_text_node or _stands_in_line(run[0]):
            return run
        block = run[0]
    return []


def _parted_runs(block: LexborNode, left_out: Set[int]) -> Iterator[list[LexborNode]]:
    """The lines right below an element, and what parts them, each for itself."""
    run: list[LexborNode] = []
    for node in block.iter(include_text=True):
        if node.mem_id not in left_out and (node.is_text_node or _stands_in_line(node)):
            run.append(node)
        else:
            yield from (run, [] if node.mem_id in left_out else [node])
            run = []
    yield run


def _says_something(run: Iterable[LexborNode], left_out: Set[int]) -> bool:
    return any(tokenise(node.text_content or "" if node.is_text_node else node_text(node, left_out)) for node in run)


def line_of_links(link: LexborNode) -> list[LexborNode]:
    """The nodes of the line a link stands in, where all its words are links; else none."""
    block, part = _block_around(link), link
    while part.parent is not None and part.parent.mem_id != block.mem_id:
        part = part.parent
    for run in _node_runs(block):
        if any(node.mem_id == part.mem_id for node in run):
            return [] if _amid_run(run, {link.mem_id}, _LINKS) else run
    return []


def most_words_beside(nodes: Sequence[LexborNode]) -> int:
    """The most words that stand in one line with any of the nodes, and in none of them; numbers are none."""
    wanted = {node.mem_id for node in nodes}
    blocks = {block.mem_id: block for block in map(_block_around, nodes)}
    return max((_words_beside(run, wanted) for block in blocks.values() for run in _node_runs(block)), default=0)


def _words_beside(run: Sequence[LexborNode], wanted: Set[int]) -> int:
    """The words of a line outside the wanted nodes; none where it has none of these."""
    words, has_wanted = 0, False
    stack = list(run)
    while stack:
        node = stack.pop()
        if node.mem_id in wanted:
            has_wanted = True
        elif node.is_text_node:
            words += sum(not word.isdigit() for word in tokenise(node.text_content or ""))
        else:
            stack += node.iter(include_text=True)
    return words if has_wanted else 0


# --- lines of a page that was laid out


def parted_line(page: PageView, i: int) -> str:
    """What a by-line says, a sign between its blocks, and before a link like "permalink" or "#": a
    name ends with its own.
    """
    inner = range(i + 1, page.last[i]) if page.blocks[i] else ()
    lines = [n for n in inner if page.count(n) and not page.blocks[n] and not is_inline(page.tags[n])]
    is_all = sum(map(page.count, lines)) == page.count(i)
    return " | ".join(map(page.line, lines)) if lines and is_all else _parted_at_links(page, i)


def _parted_at_links(page: PageView, i: int) -> str:
    """A line with a sign before each link that is not written as names are, unless right behind a
    word that signs: there it may be an account.
    """
    text = page.line(i)
    for n in range(i + 1, page.last[i]):
        link = _sign_of(page.nodes[n]) if page.tags[n] == "a" else ""
        before, _, behind = text.rpartition(link) if link else ("", "", "")
        if before.strip() and not are_signing(tokenise(before)[-1:]):
            text = f"{before}| {link}{behind}"
    return text


def _sign_of(link: LexborNode) -> str:
    """What a link says that is but small letters or signs; nothing where it is another."""
    said = " ".join(_text(link).split())
    return said if said.islower() or not any(map(str.isalpha, said)) else ""


def _runs(page: PageView, block: int, dropped: Set[int]) -> Iterator[TextLine]:
    """The runs of text and inline elements right below a block, parted by breaks and by blocks."""
    nodes: list[LexborNode] = []
    start = word = page.start[block]
    links = 0
    child = block + 1
    node = page.nodes[block].child
    while node is not None:
        is_element = child < page.last[block] and node.mem_id == page.nodes[child].mem_id
        if node.is_text_node:
            nodes.append(node)
            word += len(tokenise(node.text_content or ""))
        elif is_element:
            if _parts_lines(page, child) or child in dropped:
                yield TextLine(tuple(nodes), start, word, links)
                nodes, start, links = [], page.end[child], 0
            else:
                nodes.append(node)
                links += page.links(child)
            word = page.end[child]
            child = page.last[child]
        node = node.next
    yield TextLine(tuple(nodes), start, word, links)


def _parts_lines(page: PageView, i: int) -> bool:
    return page.tags[i] == "br" or page.blocks[i] or not is_inline(page.tags[i])
