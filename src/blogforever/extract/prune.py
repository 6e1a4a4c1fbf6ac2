"""What stands in an article's element but is no part of the article, and the HTML without it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from html import escape
from itertools import takewhile

from selectolax.lexbor import LexborNode

from blogforever.elements import HEADINGS
from blogforever.extract.bodies import is_small_part
from blogforever.extract.container import is_passage
from blogforever.extract.lines import TextLine, amid_sentences, lines_of
from blogforever.extract.linkboxes import link_boxes
from blogforever.extract.signedname import name_beside_date
from blogforever.extract.signing import dates_only
from blogforever.page.speech import DONE_BY, FILED_IN, words_of
from blogforever.page.view import PageView
from blogforever.page.vocabulary import alternatives
from blogforever.wordlists import LivePattern

_DROP_TAGS = frozenset(("form", "nav", "button", "footer", "dialog"))
_TEXT_TAGS = frozenset(("p", "pre", "blockquote", "td", "dd"))

# Words of an author's portrait; a longer one is a post about somebody.
_LONGEST_BIO = 150
# Words that may stand before a heading even where a picture is all that follows it.
_BEFORE = 20
# Words of a line above the text that is not a part of it, and of one below, where bios and licences
# are.
_LONGEST_ABOVE = 12
_LONGEST_BELOW = 60
# Words of a line whose first words say what it is; a longer one is a sentence.
_LABEL = 12
_LONGEST_COMMENTS_HEADING = 12
# Furniture with more of the element's words than this is the article, whatever it is called.
_MOST_FURNITURE = 0.5
# Words that a sentence has at least, and the signs it ends with.
_SHORTEST_SENTENCE = 4
_SENTENCE_ENDS = (".", "?", "…", "。", "？")
# Links with more of a line's words than this are a row of links, unless so many other words make a
# sentence of it.
_MOSTLY_LINKS = 0.6
_WORDS_OF_A_SENTENCE = 3
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
# What a post is filed under, and by whom it was written, in any language; links tell such a line from a sentence.
_FILED_TEXT = LivePattern(lambda: rf"^\W*(?:{words_of('filed')})\s*[:：]")
_SIGNED_TEXT = LivePattern(lambda: rf"^\W*(?:{DONE_BY}|{FILED_IN})\s")
_COMMENTS_HEADING = re.compile(
    r"^\W*(?P<count>\d+\s+|one\s+)?(?:reader\s+|user\s+|vos\s+|ihre\s+|your\s+|all\s+)?"
    + r"(?:(?P<vague>responses?|replies|thoughts?|reactions?|feedback)|"
    + alternatives(r"""
        comments?|trackbacks?|pingbacks?|leave a|post a comment|add a comment|join the
        kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|kommentarer
        комментари\w*|评论|留言|回复|コメント|댓글
    """)
    + r")(?!\w)(?P<more>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LICENCE = 'a[rel~="license"], a[href*="creativecommons.org/licenses"]'


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left out of an article's element, and the words the article then begins and ends at.

    `left` is how many words that are no links are left; `failed` says that this is next to nothing
    of an element with hundreds of words.
    """

    dropped: frozenset[int]
    start: int
    stop: int
    left: int
    shows_picture: bool
    failed: bool


def cut_article(page: PageView, container: int, heading: int | None, url: str = "") -> Cut:
    """Tell the article from what stands beside it in its element; `dropped` holds memory ids."""
    dropped = _furniture_of(page, container)
    dropped |= _heading_part(page, container, heading, dropped)
    answers = _comments(page, container, heading, dropped)
    answers |= {i for i in dropped if page.kinds[i] == "comment"}
    dropped |= answers
    dropped |= link_boxes(page, container, dropped, url)
    edges, start, stop = _edges(page, container, dropped)
    whole = page.own_words(container) - page.own_words_of(answers)
    left = page.own_words(container) - page.own_words_of(dropped) - sum(line.own_words for line in edges)
    if all(map(str.isdecimal, page.words[start:stop])):
        # A number alone, as that of a place in a list, is no text.
        left = 0
    shows_picture = _shows_picture(page, container, dropped)
    failed = is_small_part(left, whole) and not shows_picture
    nodes = [page.nodes[i] for i in dropped]
    for line in edges:
        nodes += line.nodes
    return Cut(frozenset(node.mem_id for node in nodes), start, stop, left, shows_picture, failed)


def _furniture_of(page: PageView, container: int) -> set[int]:
    """What is no part of the article by its name, and stands in none of its sentences."""
    named = _named_furniture(page, container)
    amid = amid_sentences(page.nodes[i] for i in named)
    return {i for i in named if page.nodes[i].mem_id not in amid}


def _heading_part(
    page: PageView,
    container: int,
    heading: int | None,
    furniture: Set[int],
) -> set[int]:
    """What goes with a heading in the article: all up to it, or only where it repeats the title."""
    if heading is None or heading == container or not page.inside(heading, container):
        return set()
    if _opens(page, container, heading, furniture):
        return _up_to(page, container, heading)
    return _echo(page, container, heading)


def _edges(page: PageView, container: int, dropped: Set[int]) -> tuple[list[TextLine], int, int]:
    """The lines above and below the text that say they are no part of it, and the words between
    which it stands.
    """
    lines = lines_of(page, container, dropped)
    strict = page.kinds[container] == "body"
    above = _edge(page, lines, _LONGEST_ABOVE, strict=strict)
    may_date = above < len(lines) and (not strict or _is_in_header(page, container, lines[above]))
    if may_date and _is_dateline(page, lines[above]):
        above += 1 + _edge(page, lines[above + 1 :], _LONGEST_ABOVE, strict=strict)
    below = _edge(page, lines[above:][::-1], _LONGEST_BELOW, strict=strict)
    kept = lines[above : len(lines) - below]
    if not kept:
        return [], page.start[container], page.end[container]
    return [*lines[:above], *lines[len(lines) - below :]], kept[0].start, kept[-1].stop


def _is_in_header(page: PageView, container: int, line: TextLine) -> bool:
    """Whether a line stands in what is marked as the head of the article."""
    if line.element is None:
        return False
    around = takewhile(lambda i: i != container, page.ancestors(line.element))
    return any(page.tags[i] == "header" for i in around)


def _is_dateline(page: PageView, line: TextLine) -> bool:
    """Whether a line above the text only says when it was written, and by whom or under what: names
    or links to them; a heading may head a day of a diary.
    """
    is_heading = line.element is not None and page.tags[line.element] in HEADINGS
    if is_heading:
        return False
    beside_links = line.text_outside_links() if line.links else ""
    return dates_only(line.text()) or dates_only(beside_links) or name_beside_date(beside_links) is not None


def _shows_picture(page: PageView, container: int, dropped: Set[int]) -> bool:
    """Whether a picture is left in an element."""
    i = container + 1
    while i < page.last[container]:
        if page.tags[i] == "img" and i not in dropped:
            return True
        i = page.last[i] if i in dropped else i + 1
    return False


def is_text_before(page: PageView, container: int, heading: int) -> bool:
    """Whether sentences stand in an article's element before a heading: then it opens a section,
    not the article.
    """
    lines = lines_of(page, container, {heading})
    before = [line for line in lines if line.stop <= page.start[heading]]
    return any(line.own_words > _LABEL or _is_sentence(line, line.text()) for line in before)


def _opens(page: PageView, container: int, heading: int, furniture: Set[int]) -> bool:
    """Whether a heading stands above the text.

    One with more text before it than after it only repeats the title.
    """
    before = page.own_words_between(page.start[container], page.start[heading])
    after = page.own_words(container) - before - page.own_words(heading)
    above = {i for i in furniture if i < heading and not page.inside(heading, i)}
    before -= page.own_words_of(above)
    after -= page.own_words_of({i for i in furniture if i > heading})
    return before <= max(after, _BEFORE)


def _echo(page: PageView, container: int, heading: int) -> set[int]:
    """The title once more, below the text.

    It goes with the line that says nothing else; where it ends a sentence, it stays.
    """
    line = heading
    while page.parents[line] != container and page.count(page.parents[line]) == page.count(heading):
        line = page.parents[line]
    is_line_of_its_own = line != heading or page.tags[heading] in HEADINGS
    return {line} if is_line_of_its_own else set()


def _comments(page: PageView, container: int, heading: int | None, dropped: Set[int]) -> set[int]:
    """Everything from a heading such as "3 Comments" on, unless it opens the article, or stands in what was dropped: a
    box above the text may count them.
    """
    first, opening = container, page.start[container]
    if heading is not None and heading != container and page.inside(heading, container):
        first, opening = heading, page.end[heading]
    evidence = _comment_evidence(page, container)
    i = first + 1
    while i < page.last[container]:
        if i in dropped:
            i = page.last[i]
            continue
        if page.start[i] > opening and _heads_comments(page, i, container, opening, evidence):
            return set(_outermost(page, i, page.last[container]))
        i = page.last[i] if _holds_comments(page, i) else i + 1
    return set()


def _holds_comments(page: PageView, i: int) -> bool:
    """Whether an element is named comments and is more than their heading: it ends nothing but
    itself.
    """
    if page.kinds[i] != "comment" or page.tags[i] in HEADINGS:
        return False
    return page.count(i) > _LONGEST_COMMENTS_HEADING


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The last elements of an article that speak for comments: one so named, one that signs or
    takes them down.
    """

    named: int
    signed: int


def _comment_evidence(page: PageView, container: int) -> _Evidence:
    named = signed = -1
    for i in range(container + 1, page.last[container]):
        if page.kinds[i] == "comment":
            named = i
        is_form = page.tags[i] == "form" and page.nodes[i].css_first("textarea") is not None
        if is_form or page.kinds[i] == "byline":
            signed = i
    return _Evidence(named, signed)


def first_below_comments(page: PageView, end: int) -> int:
    """The first element below a heading that announces comments, after so many words."""
    headings = (i for i in range(len(page.nodes)) if page.start[i] >= end and _announces_comments(page, i))
    return next(headings, len(page.nodes))


def _announces_comments(page: PageView, i: int) -> bool:
    """Whether a heading says that comments follow."""
    is_heading = page.tags[i] in HEADINGS and 0 < page.count(i) < _LONGEST_COMMENTS_HEADING
    said = _COMMENTS_HEADING.match(page.line(i)) if is_heading else None
    return said is not None and (said["vague"] is None or said["count"] is not None)


def _heads_comments(page: PageView, i: int, container: int, opening: int, evidence: _Evidence) -> bool:
    """Whether a heading ends the article: it says comments, and what follows is no more text."""
    if page.tags[i] not in HEADINGS or not 0 < page.count(i) < _LONGEST_COMMENTS_HEADING:
        return False
    said = _COMMENTS_HEADING.match(page.line(i))
    is_named = page.kinds[i] == "comment"
    if said is None:
        return is_named and evidence.named > i
    is_vague = said["vague"] and not said["count"]
    if evidence.named > i or (evidence.signed > i and not is_vague):
        return True
    follows_text = page.start[i] - opening >= page.end[container] - page.end[i]
    counts_only = bool(said["count"]) and not said["more"].strip(" .:()")
    return follows_text and (is_named or counts_only)


def _outermost(page: PageView, i: int, end: int) -> Iterator[int]:
    """An element and those after it, without what they hold."""
    while i < end:
        yield i
        i = page.last[i]


def _named_furniture(page: PageView, container: int) -> set[int]:
    """What is no part of the article by its tag or name."""
    found: set[int] = set()
    i = container + 1
    while i < page.last[container]:
        if _is_furniture(page, i, container):
            found.add(i)
            i = page.last[i]
        else:
            i += 1
    return found


def _is_furniture(page: PageView, i: int, container: int) -> bool:
    kind = page.kinds[i]
    if kind == "comment":
        return True
    if kind == "bio" and page.count(i) <= _LONGEST_BIO:
        return True
    if kind == "byline" and is_passage(page, i):
        return False
    is_named = page.tags[i] in _DROP_TAGS or (kind in ("furniture", "byline") and not _leads_to_itself(page, i))
    return is_named and page.count(i) <= _MOST_FURNITURE * page.count(container)


def _up_to(page: PageView, container: int, heading: int) -> set[int]:
    """Everything in the container before the end of the heading."""
    found = {heading}
    path = {heading, *page.ancestors(heading)}
    i = container + 1
    while i < heading:
        if i in path:
            i += 1
        else:
            found.add(i)
            i = page.last[i]
    return found


def _edge(page: PageView, lines: Sequence[TextLine], limit: int, *, strict: bool) -> int:
    """How many lines stand at one end, up to the first that reads like the article."""
    for count, line in enumerate(lines):
        if line.words > limit or not _is_edge_line(page, line, strict=strict):
            return count
    return len(lines)


def _is_edge_line(page: PageView, line: TextLine, *, strict: bool) -> bool:
    """Whether a line is no part of the text.

    More is spared (`strict`) in an element that calls itself the article's text.
    """
    text = line.text()
    if line.element is not None and page.tags[line.element] == "address":
        # How the page's author is reached.
        return True
    if line.words > _LABEL:
        return _is_about_post(line, text)
    if _FURNITURE_TEXT.match(text):
        return not _is_sentence(line, text)
    if line.links == line.words and line.element is not None and page.tags[line.element] not in _TEXT_TAGS:
        return not text.lower().startswith(("http", "www."))
    return not strict and _is_row_of_links(line)


def _is_about_post(line: TextLine, text: str) -> bool:
    """Whether a line that is longer than a label begins as those about a post do, or shows its licence."""
    is_signed = _SIGNED_TEXT.match(text) is not None and not text.endswith(_SENTENCE_ENDS)
    is_filing = line.links > 0 and (is_signed or _FILED_TEXT.match(text) is not None)
    return is_filing or bool(_META_TEXT.match(text)) or any(map(_shows_licence, line.nodes))


def _shows_licence(node: LexborNode) -> bool:
    return not node.is_text_node and node.css_first(_LICENCE) is not None


def _is_sentence(line: TextLine, text: str) -> bool:
    """Whether a line that begins as labels do is a sentence all the same: "Next week I go to
    Rome.".
    """
    is_long_enough = line.words >= _SHORTEST_SENTENCE
    return is_long_enough and not line.links and text.endswith(_SENTENCE_ENDS) and not _META_TEXT.match(text)


def _is_row_of_links(line: TextLine) -> bool:
    if line.words < 2 or line.links <= _MOSTLY_LINKS * line.words:
        return False
    return line.own_words < _WORDS_OF_A_SENTENCE and sum(map(_links_in, line.nodes)) > 1


def _links_in(node: LexborNode) -> int:
    if node.is_text_node:
        return 0
    return len(node.css("a"))


def outer_html(node: LexborNode, dropped: frozenset[int]) -> str:
    """The node's HTML without the dropped elements."""
    taken_apart = _paths(node, dropped)
    pieces: list[str] = []
    stack: list[LexborNode | str] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif part.mem_id in dropped or part.tag in _SILENT:
            continue
        elif part.mem_id in taken_apart:
            pieces.append(_open_tag(part))
            stack.append(f"</{part.tag}>")
            stack += _children(part)[::-1]
        else:
            pieces.append(part.html or "")
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
    paths: set[int] = set()
    if not dropped:
        return paths
    for inner in node.traverse(include_text=True):
        if inner.mem_id not in dropped:
            continue
        parent = inner.parent
        while parent is not None and parent.mem_id not in paths:
            paths.add(parent.mem_id)
            parent = parent.parent
    return paths


def _open_tag(node: LexborNode) -> str:
    attributes = "".join(f' {k}="{escape(v or "")}"' for k, v in node.attributes.items())
    return f"<{node.tag}{attributes}>"


def _leads_to_itself(page: PageView, i: int) -> bool:
    """Whether a heading holds a link to itself, as those of an article's sections do: a theme may
    name them after the bar that they must not hide behind.
    """
    name = page.attribute(i, "id") if page.tags[i] in HEADINGS else ""
    inside = range(i + 1, page.last[i])
    return bool(name) and any(page.attribute(n, "href") == f"#{name}" for n in inside)
