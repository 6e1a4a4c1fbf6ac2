"""What stands inside the article's element but is no part of the text: found by the rules, or by what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from threading import local

from selectolax.lexbor import LexborNode

from blogforever.dates import find_dates
from blogforever.dom import node_text, tokenise
from blogforever.extract.apply import find_nodes
from blogforever.model import Rule
from blogforever.urls import join, may_be_part, part_of, url_key

_OPENING = 200  # characters of a text in which its first words stand
_WORD = 16  # characters that most words do not have
_SHORT = 100  # characters of a line that dates and signs a post
_MANY_LINKS = 2000
_OWN_LINK = (["permalink"], ["permanent", "link"], ["permalien"], ["link"])  # to the page it stands on
_LINE = 16  # words of a line of page numbers
ANY_NUMBER = "#"
_SIGNING = frozenset(
    tokenise("""
        posted published written date dated on at by the am pm h uhr um von vom veröffentlicht geschrieben publié le à
        par publicado el por em às pubblicato il da alle geplaatst op door dodano dnia o опубликовано автор в 作者
        发表于 发布于
    """)
)


def cut_range(article: LexborNode, rule: Rule) -> None:
    """Take out of the article node what stands before its text begins and after it ends."""
    top = article.mem_id
    for css, side in ((rule.after, "prev"), (rule.before, "next")):
        for mark in find_nodes(article, css) if css else ():
            if mark.parent is not None and mark.parent.mem_id == top:
                while (beside := getattr(mark, side)) is not None:
                    beside.remove()
                mark.remove()
                break


def drop_foreign(article: LexborNode, exclude: Sequence[Rule]) -> None:
    """Take out of the article what the rules say does not belong to it."""
    for node in foreign_nodes(article, exclude):
        node.remove()


def foreign_nodes(article: LexborNode, exclude: Sequence[Rule]) -> list[LexborNode]:
    """The blocks inside the article that the rules say do not belong to it."""
    top = article.mem_id
    marked, lines = _exclusion(exclude)
    foreign = [node for node in (find_nodes(article, marked) if marked else ()) if node.mem_id != top]
    for css, starts, sizes in lines:
        for node in find_nodes(article, css):
            words = first_words(node, sizes[-1]) if node.mem_id != top else []
            for size in sizes:
                if _begins(words[:size], starts):
                    foreign.append(node)
                    break
    return foreign


Lines = tuple[tuple[str, frozenset[tuple[str, ...]], Sequence[int]], ...]
"""Of elements by selector: with which words those begin that are foreign, and how many words these are."""


class _LastRules(local):
    """The rules that were read last, and what was made of them: of each thread its own, for each has another blog."""

    read: tuple[Sequence[Rule], str, Lines] | None = None


_last = _LastRules()


def _exclusion(exclude: Sequence[Rule]) -> tuple[str, Lines]:
    """The rules as one selector and the lines; the same rules are asked for on page after page."""
    if _last.read is not None and _last.read[0] is exclude:
        return _last.read[1:]
    starts: dict[str, set[tuple[str, ...]]] = {}
    for rule in exclude:
        if rule.starts:
            starts.setdefault(rule.css, set()).add(tuple(rule.starts.split()))
    marked = ", ".join(rule.css for rule in exclude if not rule.starts)
    lines = tuple((css, frozenset(found), sorted(set(map(len, found)))) for css, found in starts.items())
    _last.read = (exclude, marked, lines)
    return marked, lines


def _begins(words: list[str], starts: Set[tuple[str, ...]]) -> bool:
    if tuple(words) in starts:
        return True
    number, *noun = without_numbers(words) or [""]
    return number == ANY_NUMBER and any(s[0] == ANY_NUMBER and one_noun(s[1], noun[0]) for s in starts if len(s) > 1)


def one_noun(one: str, other: str) -> bool:
    """Whether two words are one noun in singular and plural: "comment" and "comments"."""
    shorter, longer = sorted((one, other), key=len)
    stem = max(4, len(shorter) - 2)
    return one == other or (
        len(longer) - len(shorter) <= 3 and len(shorter) >= stem and longer[:stem] == shorter[:stem]
    )


def without_numbers(words: Sequence[str]) -> list[str]:
    """The words a line begins with, whatever number it tells: "2 comments" is "12 comments" on another page."""
    if len(words) == 2 and words[0].isdecimal() and not words[1].isdecimal():
        return [ANY_NUMBER, words[1]]
    return list(words)


def first_words(node: LexborNode, count: int) -> list[str]:
    """The first words below a node, read no further than needed."""
    words: list[str] = []
    for part in node.traverse(include_text=True):
        if part.is_text_node and (text := (part.text_content or "")[:_OPENING].lstrip()):
            few = tokenise(text[: _WORD * count])  # the last of them may be cut
            words += few if len(few) > count else tokenise(text)
            if len(words) >= count:
                break
    return words[:count]


def drop_title(article: LexborNode, title: str | None) -> None:
    """Take the post's own heading out of the article."""
    wanted = tokenise(title or "")
    opening = ", b, strong, font, p, div, span" if wanted and first_words(article, len(wanted)) == wanted else ""
    for node in article.css("h1, h2, h3, h4" + opening)[:_MANY_LINKS] if wanted else ():
        if tokenise(node_text(node)) == wanted:
            node.decompose()
            return


def drop_dateline(
    article: LexborNode, dates: Iterable[LexborNode], names: Sequence[str], languages: Sequence[str]
) -> None:
    """Take the line that dates the post out of the article, where it holds little but the date and who signs."""
    known = _SIGNING | {word for name in names for word in tokenise(name)}
    for date in dates:
        node: LexborNode | None = date
        line = None
        if not _is_below(date, article):
            continue
        while node is not None and node.mem_id != article.mem_id and _dates_only(node, known, languages):
            line, node = node, node.parent
        if line is not None:
            line.decompose()
            return


def _is_below(node: LexborNode, top: LexborNode) -> bool:
    above: LexborNode | None = node.parent
    while above is not None and above.mem_id != top.mem_id:
        above = above.parent
    return above is not None


def _dates_only(node: LexborNode, known: Set[str], languages: Sequence[str]) -> bool:
    text = node_text(node)
    found = find_dates(text, languages, limit=1) if 0 < len(text) <= _SHORT else []
    left = tokenise(text[: found[0].start] + " " + text[found[0].end :]) if found else [""]
    return all(word in known or word.isdigit() for word in left)


def drop_page_links(article: LexborNode, url: str) -> None:
    """Take out the link to the post itself, and the line that leads to the other pages of a long one."""
    own = part_of(url)
    first = url_key(own[0] if own else url)
    for link in article.css("a[href]")[:_MANY_LINKS]:
        href = link.attributes.get("href") or ""
        target = join(url, href) if own or may_be_part(href) else None
        part = part_of(target) if target else None
        if target and url_key(target) == url_key(url) and tokenise(node_text(link)) in _OWN_LINK:
            link.decompose()
        elif part and url_key(part[0]) == first:
            line: LexborNode = link
            while (above := line.parent) and above.mem_id != article.mem_id and _is_line(above):
                line = above
            line.decompose()


def _is_line(node: LexborNode) -> bool:
    return len(tokenise((node.text_content or "")[:_OPENING])) <= _LINE
