"""What stands inside an article's element but does not belong to the article, and the HTML without it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from html import escape

from selectolax.lexbor import LexborNode

from blogforever.extract.bodies import is_small_part
from blogforever.extract.layout import HEADINGS, Layout
from blogforever.extract.vocabulary import alternatives

_DROP_TAGS = frozenset(("form", "nav", "button", "footer", "dialog"))
_LONGEST_BIO = 150
_BEFORE = 20  # words that may stand before a heading even where a picture is all that follows it
_SILENT = frozenset(("script", "style"))
_FURNITURE_TEXT = re.compile(
    r"^\W*"
    + alternatives(r"""
        posted|published|written by|filed|tagged|tags?\b|categor|labels?\b|share\b|sharing|related|perma\w* ?link
        trackback|previous|next\b|older|newer|leave a|add a|no comments|comments?\b|like this|tweet
        \d+ (?:comments?|responses?|replies|thoughts)|email this|print\b|you might|you may|see also\W*$
        subscribe|bookmark|about the author|by\s|read more|continue|back to|return to
        teilen|veröffentlicht|kategorie|schlagw|kommentare|verwandte
        partage[rz]|publié|catégorie|étiquettes|commentaires|auteur\s*:|imprimer
        comparte|compartir|publicado|etiquetas|categorías|comentarios|relacionad|condividi|pubblicato|categorie|commenti
        compartilhe|marcadores|postado|postagem|lähettänyt|avainsanat|diposkan|bagikan|kategori|label:
        опубликовано|метки|рубрик|комментар|поделиться
        标签|分类|分類|標籤|分享|上一篇|下一篇|相关|相關|评论|留言|本文链接|版权|转载|发表
        タグ|カテゴリ|関連|コメント|シェア|공유|태그|댓글|카테고리|관련
    """),
    re.IGNORECASE,
)
_META_TEXT = re.compile(
    r"^\W*"
    + alternatives(r"""
        posted (?:on|by|in|at)|published (?:on|by|in)|written by|filed under|tagged|this entry was
        tags?\s*:|categor\w+\s*:|veröffentlicht
        publié (?:le|par|dans)|publicado (?:por|en|em|el)|pubblicato|inviato|about the author
    """),
    re.IGNORECASE,
)
_COMMENTS_HEADING = re.compile(
    r"^\W*(?:\d+\s+)?(?:reader\s+|user\s+)?"
    + alternatives(r"""
        comments?|responses?|replies|thoughts? on|reactions?|trackbacks?|pingbacks?|feedback
        leave a|post a comment|add a comment|join the|one response|one comment
        kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|kommentarer
        комментари|评论|留言|回复|コメント|댓글
    """),
    re.IGNORECASE,
)
_LICENCE = 'a[rel~="license"], a[href*="creativecommons.org/licenses"]'


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left out of an article's element, and the words the article then begins and ends at.

    `failed` says that next to nothing is left of an element with hundreds of words.
    """

    dropped: frozenset[int]
    start: int
    stop: int
    failed: bool = False


def cut_article(page: Layout, container: int, heading: int | None) -> Cut:
    """Tell the article from what stands beside it in its element; `dropped` holds memory ids."""
    dropped = _named_furniture(page, container)
    if heading is not None and page.inside(heading, container) and heading != container:
        opens = _opens(page, container, heading, dropped)
        dropped |= _up_to(page, container, heading) if opens else _echo(page, container, heading)
    answers = _comments(page, container, heading) | {i for i in dropped if page.kinds[i] == "comment"}
    dropped |= answers
    lines = _lines(page, container, dropped)
    strict = page.kinds[container] == "body"
    edges = _edge(page, lines, 12, strict) | _edge(page, lines[::-1], 60, strict)
    kept = [i for i in lines if i not in edges]
    if kept:
        dropped |= edges
    start, stop = (
        (page.starts[kept[0]], page.stops[kept[-1]]) if kept else (page.starts[container], page.stops[container])
    )
    whole = page.own_words(container) - page.own_words_of(answers)
    left = page.own_words(container) - page.own_words_of(dropped)
    failed = is_small_part(left, whole) and not _shows_picture(page, container, dropped)
    return Cut(frozenset(page.nodes[i].mem_id for i in dropped), start, stop, failed)


def _shows_picture(page: Layout, container: int, dropped: Set[int]) -> bool:
    i = container + 1
    while i < page.ends[container]:
        if page.tags[i] == "img" and i not in dropped:
            return True
        i = page.ends[i] if i in dropped else i + 1
    return False


def _opens(page: Layout, container: int, heading: int, furniture: Set[int]) -> bool:
    """Whether a heading stands above the text: one with more text before it than after it only repeats the title."""
    before = page.starts[heading] - page.starts[container] - (page.link_starts[heading] - page.link_starts[container])
    after = page.own_words(container) - before - page.own_words(heading)
    before -= page.own_words_of({i for i in furniture if i < heading and not page.inside(heading, i)})
    after -= page.own_words_of({i for i in furniture if i > heading})
    return before <= max(after, _BEFORE)


def _echo(page: Layout, container: int, heading: int) -> set[int]:
    """The title once more, below the text: with the line that says nothing else, and not where it ends a sentence."""
    line = heading
    while page.parents[line] != container and page.words(page.parents[line]) == page.words(heading):
        line = page.parents[line]
    return {line} if line != heading or page.tags[heading] in HEADINGS else set()


def _comments(page: Layout, container: int, heading: int | None) -> set[int]:
    """Everything from a heading such as "3 Comments" on, unless it opens the article."""
    first = container if heading is None or not page.inside(heading, container) else heading
    opening = page.starts[container] if first == container else page.stops[first]
    for i in range(first + 1, page.ends[container]):
        if page.tags[i] in HEADINGS and 0 < page.words(i) < 12 and page.starts[i] > opening and _says_comments(page, i):
            return set(_outermost(page, i, page.ends[container]))
    return set()


def _says_comments(page: Layout, i: int) -> bool:
    return page.kinds[i] == "comment" or _COMMENTS_HEADING.match(page.text(i)) is not None


def _outermost(page: Layout, i: int, end: int) -> Iterator[int]:
    while i < end:
        yield i
        i = page.ends[i]


def _named_furniture(page: Layout, container: int) -> set[int]:
    found: set[int] = set()
    i = container + 1
    while i < page.ends[container]:
        if _is_furniture(page, i, container):
            found.add(i)
            i = page.ends[i]
        else:
            i += 1
    return found


def _is_furniture(page: Layout, i: int, container: int) -> bool:
    kind = page.kinds[i]
    if kind == "comment" or (kind == "bio" and page.words(i) <= _LONGEST_BIO):
        return True
    return (page.tags[i] in _DROP_TAGS or kind in ("furniture", "byline")) and page.words(i) <= 0.5 * page.words(
        container
    )


def _up_to(page: Layout, container: int, heading: int) -> set[int]:
    """Everything in the container before the end of the heading."""
    found = {heading}
    path = {heading, *page.ancestors(heading)}
    i = container + 1
    while i < heading:
        if i in path:
            i += 1
        else:
            found.add(i)
            i = page.ends[i]
    return found


def _lines(page: Layout, container: int, dropped: set[int]) -> list[int]:
    """The innermost blocks of the container that show words and are not dropped already."""
    found = []
    i = container + 1
    while i < page.ends[container]:
        if i in dropped:
            i = page.ends[i]
        elif not page.blocks[i]:
            if page.words(i):
                found.append(i)
            i = page.ends[i]
        else:
            i += 1
    return found


def _edge(page: Layout, lines: Sequence[int], limit: int, strict: bool) -> set[int]:
    """Lines at one end, up to the first that reads like the article."""
    found: set[int] = set()
    for i in lines:
        if page.words(i) > limit or not _is_edge_line(page, i, strict):
            break
        found.add(i)
    return found


def _is_edge_line(page: Layout, i: int, strict: bool) -> bool:
    words, links, text = page.words(i), page.links(i), page.text(i)
    if words > 12:
        return bool(_META_TEXT.match(text)) or page.nodes[i].css_first(_LICENCE) is not None
    if _FURNITURE_TEXT.match(text):
        return True
    if links == words and page.tags[i] not in ("p", "pre", "blockquote", "td", "dd"):
        return not text.lower().startswith(("http", "www."))
    return not strict and links > 0.6 * words and words > 1 and len(page.nodes[i].css("a")) > 1


def outer_html(node: LexborNode, dropped: frozenset[int]) -> str:
    """The node's HTML without the dropped elements."""
    keep = _paths(node, dropped)
    pieces: list[str] = []
    stack: list[LexborNode | str] = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            pieces.append(one)
        elif one.mem_id in dropped or one.tag in _SILENT:
            continue
        elif one.mem_id in keep:
            pieces.append(_open_tag(one))
            stack.append(f"</{one.tag}>")
            stack += _children(one)[::-1]
        else:
            pieces.append(one.html or "")
    return "".join(pieces)


def _children(node: LexborNode) -> list[LexborNode]:
    found = []
    child = node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def _paths(node: LexborNode, dropped: frozenset[int]) -> set[int]:
    """The elements that have a dropped element somewhere inside."""
    found: set[int] = set()
    for one in node.traverse() if dropped else ():
        if one.mem_id in dropped:
            parent = one.parent
            while parent is not None and parent.mem_id not in found:
                found.add(parent.mem_id)
                parent = parent.parent
    return found


def _open_tag(node: LexborNode) -> str:
    attributes = "".join(f' {k}="{escape(v or "")}"' for k, v in node.attributes.items())
    return f"<{node.tag}{attributes}>"
