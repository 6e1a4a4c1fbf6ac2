"""A post as Markdown: CommonMark with tables as GitHub writes them; what has no sign of its own stays text."""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

from blogforever import dom
from blogforever.extract.safe import CLEANER

# Deeper lists and quotations are written at this depth.
DEEPEST = 12
SIGNS = re.compile(r"([\\`*_\[\]<>])")
SPACE = re.compile(r"[ \t\r\n\f]+")
# What would begin a heading, a list or a quotation, up to the sign that says so.
AT_LINE_START = re.compile(r"^(\s*\d*)(#{1,6}(?=\s)|[+-](?=\s)|(?<=\d)[.)](?=\s)|>)")
EMPTY_LINES = re.compile(r"\n{3,}")
FENCE = re.compile(r"`+")
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
BLOCKS = frozenset(
    "p div section article figure figcaption header footer ul ol dl dt dd li blockquote pre table hr address details"
    " summary aside main nav h1 h2 h3 h4 h5 h6".split()
)
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}


def as_markdown(html: str) -> str:
    """Cleaned mark-up as Markdown."""
    tree = dom.parse(CLEANER.clean(html))
    body = tree.body
    text = _blocks(body, 0) if body else ""
    return EMPTY_LINES.sub("\n\n", text).strip() + "\n" if text.strip() else ""


def _blocks(node: LexborNode, depth: int) -> str:
    """What stands below each other in an element; words between blocks make paragraphs."""
    parts: list[str] = []
    line: list[str] = []
    for child in node.iter(include_text=True):
        if child.tag in BLOCKS:
            parts += [_paragraph(line), _block(child, depth)]
            line = []
        else:
            line.append(_inline(child, depth))
    parts.append(_paragraph(line))
    return "\n\n".join(part for part in parts if part.strip())


def _paragraph(line: list[str]) -> str:
    text = "".join(line).strip()
    return AT_LINE_START.sub(r"\1\\\2", text)


def _block(node: LexborNode, depth: int) -> str:
    write: Callable[[LexborNode, int], str] = WRITERS.get(node.tag or "", _blocks)
    if node.tag in HEADINGS:
        return f"{HEADINGS[node.tag]} {_line(node, depth)}"
    return write(node, min(depth + 1, DEEPEST))


def _line(node: LexborNode, depth: int) -> str:
    inside = (_inline(child, depth) for child in node.iter(include_text=True))
    return SPACE.sub(" ", "".join(inside)).strip()


def _inline(node: LexborNode, depth: int) -> str:
    name = node.tag or ""
    if name == "-text":
        return SIGNS.sub(r"\\\1", SPACE.sub(" ", node.text_content or ""))
    if name in ALONE:
        return ALONE[name](node)
    if depth > DEEPEST or node.is_comment_node:
        return ""
    inside = "".join(_inline(child, depth + 1) for child in node.iter(include_text=True))
    if name == "a":
        return _link(inside, dom.attributes_of(node).get("href", ""))
    mark = MARKS.get(name, "")
    return f"{mark}{inside.strip()}{mark}" if mark and inside.strip() else inside


def _code(text: str) -> str:
    fence = "`" * (max((len(run) for run in FENCE.findall(text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{SPACE.sub(' ', text)}{pad}{fence}" if text.strip() else ""


def _link(inside: str, href: str) -> str:
    return f"[{inside.strip()}](<{_address(href)}>)" if href and inside.strip() else inside


def _picture(node: LexborNode) -> str:
    attributes = dom.attributes_of(node)
    source, words = attributes.get("src", ""), SIGNS.sub(r"\\\1", attributes.get("alt", ""))
    return f"![{words}](<{_address(source)}>)" if source.startswith("http") else words


def _address(url: str) -> str:
    return url.replace("<", "%3C").replace(">", "%3E").replace("\n", "")


def _listed(node: LexborNode, depth: int) -> str:
    lines: list[str] = []
    items = [child for child in node.iter() if child.tag == "li"]
    for number, item in enumerate(items, 1):
        sign = f"{number}. " if node.tag == "ol" else "- "
        text = _blocks(item, depth).replace("\n", "\n" + " " * len(sign))
        lines.append(sign + text)
    return "\n".join(lines)


def _quoted(node: LexborNode, depth: int) -> str:
    return "\n".join(f"> {line}".rstrip() for line in _blocks(node, depth).split("\n"))


def _fenced(node: LexborNode, _depth: int) -> str:
    text = node.text().strip("\n")
    fence = "`" * max(3, max((len(run) for run in FENCE.findall(text)), default=0) + 1)
    return f"{fence}\n{text}\n{fence}"


def _table(node: LexborNode, depth: int) -> str:
    rows = [
        [_line(cell, depth).replace("|", "\\|") for cell in row.iter() if cell.tag in ("td", "th")]
        for row in node.css("tr")
    ]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


ALONE: dict[str, Callable[[LexborNode], str]] = {
    "br": lambda _node: "  \n",
    "img": _picture,
    **dict.fromkeys(("code", "kbd", "samp", "tt"), lambda node: _code(node.text())),
}
"""What is written without looking at the mark-up inside."""
WRITERS: dict[str, Callable[[LexborNode, int], str]] = {
    "ul": _listed,
    "ol": _listed,
    "blockquote": _quoted,
    "pre": _fenced,
    "table": _table,
    "hr": lambda _node, _depth: "---",
}
