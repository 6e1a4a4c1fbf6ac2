"""What stands inside the article's element but is no part of the text, by rules or by its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from threading import local

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, texts_of, tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.apply import find_nodes
from blogforever.extract.labelled import LABELLED, only_labels
from blogforever.extract.leading import leading_of
from blogforever.extract.lines import amid_sentences, line_of_links, signs_left
from blogforever.extract.signing import SIGNING, SIGNING_AND_FILING, dates_only, signs_only
from blogforever.model import Rule
from blogforever.urls import join, may_be_part, page_key, part_of, same_site

# Characters of a text in which its first words stand, and that most words do not have.
_OPENING = 200
_WORD = 16
_MANY_LINKS = 2000
# Lists and tables that are looked at: who wrote a text stands near its beginning or its end.
_MANY_LISTS = 30
# What links to the page they stand on say.
_OWN_LINK = (["permalink"], ["permanent", "link"], ["permalien"], ["link"])
# Letters of them all: most other links are told by these, which takes a fraction of the time that their words take.
_IN_OWN_LINK = "li"
# Links of a post to itself whose lines are looked at; a page with more is a list.
_MOST_OWN_LINKS = 4
# Words of a line of page numbers.
_LINE = 16
# Characters of a line that says what a post is filed under.
_LONGEST_FILING = 400
# Letters that two forms of a noun share, all but this many, and by how many they differ at most.
_LEAST_STEM, _ENDING, _LONGEST_ENDING = 4, 2, 3
_HEADINGS = "h1, h2, h3, h4"
_OPENING_BLOCKS = ", b, strong, font, p, div, span, dt, td"
_LINKS = frozenset({"a"})
_CONTROLS = "button, select, textarea"
# Words of a form to write a comment into, with its conditions; and forms that are looked at.
_FORM_WORDS, _MANY_FORMS = 120, 20
# Elements in what a rule for a date finds among which the date's own line is looked for: more are
# no line.
_MANY_PARTS = 40
ANY_NUMBER = "#"
# A tag with several classes or ids, and one of these.
_SEVERAL_MARKS = re.compile(r"([a-z][a-z0-9]*)((?:[.#][\w-]+){2,})")
_MARK = re.compile(r"[.#][\w-]+")


@dataclass(frozen=True, slots=True)
class Trimmed:
    """An article and the parts in it that are none of its text, by their memory ids.

    The parts are marked and not removed: comments and files are read from the same tree.
    """

    article: LexborNode
    left_out: set[int] = field(default_factory=set)

    def leave_out(self, *nodes: LexborNode) -> None:
        """Mark nodes, and all they hold."""
        self.left_out.update(node.mem_id for node in nodes)

    def holds(self, node: LexborNode) -> bool:
        """Whether a node stands in the article, and in no part that is left out."""
        current: LexborNode | None = node
        while current is not None and current.mem_id != self.article.mem_id:
            if current.mem_id in self.left_out:
                return False
            current = current.parent
        return current is not None


@dataclass(frozen=True, slots=True)
class Told:
    """What the fields of a post tell, as lines about it say it again."""

    names: Sequence[str]
    """Of its authors, and its title."""
    filed: Sequence[str] = ()

    @property
    def words(self) -> Set[str]:
        """Their words, and those that stand beside them in such a line; those that file only where it is filed."""
        beside = SIGNING_AND_FILING if self.filed else SIGNING
        return beside.union(*map(tokenise, (*self.names, *self.filed)))


def cut_range(trimmed: Trimmed, rule: Rule) -> None:
    """Leave out what stands before the article's text begins and after it ends."""
    begin = _mark_in(trimmed, rule.after)
    while begin is not None:
        trimmed.leave_out(begin)
        begin = begin.prev
    end = _mark_in(trimmed, rule.before, last=rule.before.isalnum())
    while end is not None:
        trimmed.leave_out(end)
        end = end.next


def _mark_in(trimmed: Trimmed, css: str, *, last: bool = False) -> LexborNode | None:
    """The first child of the article that a selector finds.

    Where it is but a tag, an end is marked by the last: the text may hold others.
    """
    if not css:
        return None
    article = trimmed.article
    found = find_nodes(article, css)
    for mark in reversed(found) if last else found:
        is_child = mark.parent is not None and mark.parent.mem_id == article.mem_id
        if is_child and mark.mem_id not in trimmed.left_out:
            return mark
    return None


def drop_foreign(trimmed: Trimmed, exclude: Sequence[Rule]) -> None:
    """Leave out of the article what the rules say does not belong to it."""
    foreign = foreign_nodes(trimmed.article, exclude, trimmed.left_out)
    trimmed.leave_out(*foreign)
    trimmed.leave_out(*signs_left(foreign, trimmed.left_out))


def foreign_nodes(article: LexborNode, exclude: Sequence[Rule], left_out: Set[int] = frozenset()) -> list[LexborNode]:
    """What the rules say does not belong to the article: blocks and lines inside it, and no part of
    a sentence that is not left out itself.
    """
    marked, lines = _exclusion(exclude)
    foreign = find_nodes(article, marked) if marked else []
    for line in lines:
        foreign += [node for node in find_nodes(article, line.css) if line.is_begun_by(node)]
    if not foreign:
        return []
    kept = {article.mem_id} | amid_sentences(foreign, spared=HEADINGS, left_out=left_out)
    return [node for node in foreign if node.mem_id not in kept]


def drop_leading(trimmed: Trimmed, exclude: Sequence[Rule], url: str) -> None:
    """Leave out the blocks that only lead to other posts, where the rules say that such stand.

    Where a post has more than the blog puts there, its author made a list: all stay.
    """
    for rule in exclude:
        if not rule.leads:
            continue
        steps = rule.css.count(">") + 1
        found = find_nodes(trimmed.article, rule.css)[:_MANY_LINKS]
        there = [node for node in found if _is_below(node, trimmed.article, steps) and trimmed.holds(node)]
        blocks = [node for node in there if leading_of(node, url) is not None]
        if len(blocks) <= rule.leads:
            trimmed.leave_out(*blocks)


def _is_below(node: LexborNode, article: LexborNode, steps: int) -> bool:
    """Whether a node stands so many steps below the article."""
    above: LexborNode | None = node
    for _step in range(steps):
        above = above.parent if above is not None else None
    return above is not None and above.mem_id == article.mem_id


@dataclass(frozen=True, slots=True)
class _ForeignLine:
    """Elements by selector that are foreign where they begin with certain words.

    Of each beginning, `starts` says how many words the element has at most; the sizes are how many
    words the beginnings are, the smallest first.
    """

    css: str
    starts: Mapping[tuple[str, ...], int]
    sizes: tuple[int, ...]

    def is_begun_by(self, node: LexborNode) -> bool:
        """Whether a node begins with such words, and is not too long."""
        words = first_words(node, self.sizes[-1])
        begun = [start for size in self.sizes if (start := _beginning(words[:size], self.starts))]
        return any(_is_no_longer(node, self.starts[start]) for start in begun)


class _LastRules(local):
    """The rules that were read last, and what was made of them.

    Of each thread its own, for each has another blog.
    """

    read: tuple[Sequence[Rule], str, tuple[_ForeignLine, ...]] | None = None


_last = _LastRules()


def _exclusion(exclude: Sequence[Rule]) -> tuple[str, tuple[_ForeignLine, ...]]:
    """The rules as one selector and the lines; the same rules are asked for on page after page."""
    if _last.read is not None and _last.read[0] is exclude:
        return _last.read[1:]
    starts: dict[str, dict[tuple[str, ...], int]] = {}
    exclude_always = [rule for rule in exclude if not rule.leads]
    for rule in exclude_always:
        if rule.starts:
            starts.setdefault(rule.css, {})[tuple(rule.starts.split())] = rule.most
    marked = ", ".join(_widest_marks([rule.css for rule in exclude_always if not rule.starts]))
    lines = tuple(_foreign_line(css, words) for css, words in starts.items())
    _last.read = (exclude, marked, lines)
    return marked, lines


def _widest_marks(selectors: Sequence[str]) -> list[str]:
    """The selectors without those of which a part is one, too, and finds the same and more: each is held against every
    element of an article.
    """
    known = set(selectors)
    return [css for css in selectors if not any(f"{tag}{mark}" in known for tag, mark in _parts_of(css))]


def _parts_of(css: str) -> list[tuple[str, str]]:
    """The tag of a selector with each of its marks, where it has several and is nothing else."""
    found = _SEVERAL_MARKS.fullmatch(css)
    return [(found[1], mark) for mark in _MARK.findall(found[2])] if found else []


def _foreign_line(css: str, starts: Mapping[tuple[str, ...], int]) -> _ForeignLine:
    return _ForeignLine(css, starts, tuple(sorted(set(map(len, starts)))))


def _beginning(words: list[str], starts: Collection[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Which of the starts words are.

    A number in them may be any, its noun in singular or plural.
    """
    if tuple(words) in starts:
        return tuple(words)
    number, *noun = without_numbers(words) or [""]
    if number != ANY_NUMBER:
        return None
    counted = (start for start in starts if len(start) > 1 and start[0] == ANY_NUMBER)
    return next((start for start in counted if one_noun(start[1], noun[0])), None)


def _is_no_longer(node: LexborNode, most: int) -> bool:
    """Whether a node has at most so many words; none is any number."""
    return not most or len(first_words(node, most + 1)) <= most


def one_noun(one: str, other: str) -> bool:
    """Whether two words are one noun in singular and plural: "comment" and "comments"."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    stem = max(_LEAST_STEM, len(shorter) - _ENDING)
    if len(shorter) < stem or len(longer) - len(shorter) > _LONGEST_ENDING:
        return False
    return longer[:stem] == shorter[:stem]


def without_numbers(words: Sequence[str]) -> list[str]:
    """The words a line begins with, whatever number it tells.

    "2 comments" is "12 comments" on another page.
    """
    if len(words) == 2 and words[0].isdecimal() and not words[1].isdecimal():
        return [ANY_NUMBER, words[1]]
    return list(words)


def first_words(node: LexborNode, count: int, left_out: Collection[int] = ()) -> list[str]:
    """The first words below a node, read no further than needed; some parts may be left out."""
    words: list[str] = []
    for part in texts_of(node, left_out):
        text = part[:_OPENING].lstrip()
        if not text:
            continue
        few = tokenise(text[: _WORD * count])  # the last of them may be cut
        words += few if len(few) > count else tokenise(text)
        if len(words) >= count:
            break
    return words[:count]


def drop_title(trimmed: Trimmed, title: str | None, url: str = "") -> None:
    """Leave the post's own heading out of the article, with the blog's links that share its line."""
    wanted = tokenise(title or "")
    if not wanted:
        return
    article, left_out = trimmed.article, trimmed.left_out
    opens_article = first_words(article, len(wanted), left_out) == wanted
    candidates = _HEADINGS + _OPENING_BLOCKS if opens_article else _HEADINGS
    for node in article.css(candidates)[:_MANY_LINKS]:
        if tokenise(node_text(node, left_out)) != wanted or not trimmed.holds(node):
            continue
        is_alone = not amid_sentences([node], spared=HEADINGS)
        line = [node] if is_alone else _line_of_title(node, url) if opens_article else []
        if line:
            trimmed.leave_out(*line)
            return


def _line_of_title(title: LexborNode, url: str) -> list[LexborNode]:
    """The line a title stands in, where all else in it are links within the blog, as to its lists; else none."""
    line = line_of_links(title)
    links = [link for node in line if node.is_element_node for link in node.css("a")]
    targets = [join(url, link.attributes.get("href") or "") for link in links]
    return line if all(target and same_site(url, target) for target in targets) else []


def drop_dateline(trimmed: Trimmed, dates: Iterable[LexborNode], told: Told, languages: Sequence[str]) -> None:
    """Leave out the line that dates the post, where it holds little but the date and what other fields tell."""
    for date in dates:
        line = _widest(trimmed, date, lambda node: dates_only(_text_to_read(node), told.words, languages))
        if line is not None:
            trimmed.leave_out(line)
            return


def drop_byline(trimmed: Trimmed, bylines: Iterable[LexborNode], told: Told) -> None:
    """Leave out the line that names who wrote the post, where it holds little but what fields tell."""
    for byline in bylines:
        line = _widest(trimmed, byline, lambda node: signs_only(_text_to_read(node), told.words))
        if line is not None:
            trimmed.leave_out(line)
            return


def drop_filing(trimmed: Trimmed, filing: Iterable[LexborNode], told: Told) -> None:
    """Leave out the lines that say what the post is filed under, and nothing else: links, and words
    of the blog's beside them, as "Tags:" is.
    """
    for link in filing:
        line = _widest(trimmed, link, lambda node: _only_files(node, told.words))
        if line is not None:
            trimmed.leave_out(line)


def _only_files(node: LexborNode, words: Set[str]) -> bool:
    text = _text_to_read(node)
    if len(text) > _LONGEST_FILING or not all(word in words for word in tokenise(text)):
        return False
    links = node.css("a")
    beside = tokenise(node_text(node, {link.mem_id for link in links}))
    return bool(links) and all(word in SIGNING_AND_FILING for word in beside)


def drop_labelled(trimmed: Trimmed, is_told: Callable[[str], bool]) -> None:
    """Leave out lists and tables that only label what fields tell."""
    blocks = trimmed.article.css(LABELLED)[:_MANY_LISTS]
    trimmed.leave_out(*(block for block in blocks if only_labels(block, is_told)))


def _widest(trimmed: Trimmed, node: LexborNode, fits: Callable[[LexborNode], bool]) -> LexborNode | None:
    """The widest element around a node of the article that still fits; None for a part of a
    sentence.
    """
    line = None
    around: LexborNode | None = _first_fitting(node, fits)
    while around is not None and around.mem_id != trimmed.article.mem_id and fits(around):
        line, around = around, around.parent
    # Beside who signs a post, and when, stands a link to it or to its comments.
    return None if line is None or amid_sentences([line], silent=_LINKS) else line


def _first_fitting(node: LexborNode, fits: Callable[[LexborNode], bool]) -> LexborNode:
    """A node, or where it says more than fits the first in it that does: a rule may find a line around the date's."""
    if fits(node):
        return node
    inside = (inner for inner in node.css("*")[:_MANY_PARTS] if inner.mem_id != node.mem_id)
    return next(filter(fits, inside), node)


def _text_to_read(node: LexborNode) -> str:
    """What a line says without what is there to be pressed or filled in: no copy of the text has it."""
    return node_text(node, {control.mem_id for control in node.css(_CONTROLS)})


def drop_forms(trimmed: Trimmed) -> None:
    """Leave out the forms to write into, with what their fields are called; one around a text is none."""
    for form in trimmed.article.css("form")[:_MANY_FORMS]:
        is_written_into = form.css_first("textarea") is not None
        if is_written_into and len(tokenise(node_text(form))) <= _FORM_WORDS:
            trimmed.leave_out(form)


def drop_page_links(trimmed: Trimmed, url: str) -> None:
    """Leave out the link to the post itself, with its line where that is but links, and the line
    that leads to the post's other pages.
    """
    links = trimmed.article.css("a[href]")[:_MANY_LINKS]
    own_links = [link for link in links if _is_own_link(link, url)]
    for link in own_links[:_MOST_OWN_LINKS]:
        trimmed.leave_out(*line_of_links(link))
    _drop_part_links(trimmed, links, {link.mem_id for link in own_links}, url)


def _drop_part_links(trimmed: Trimmed, links: Sequence[LexborNode], own_links: Set[int], url: str) -> None:
    """Leave out what leads to the pages of the post: to this one a link, to the others a line."""
    own = part_of(url)
    targets = _targets_of(links, url, of_any_form=own is not None)
    if not targets:
        return
    first = page_key(own[0] if own else url)
    # Posts that a blog only numbers look like pages of one text, whose first none of them leads to.
    is_one_text = own is None or any(page_key(target) == first for _, target in targets)
    for link, target in targets:
        if link.mem_id in own_links:
            trimmed.leave_out(link)
        elif (is_one_text and _is_page_of(first, target)) or _says_own_number(link, target, url):
            _drop_line_of(link, trimmed)


def _targets_of(links: Sequence[LexborNode], url: str, *, of_any_form: bool) -> list[tuple[LexborNode, str]]:
    """Where links lead, of those that may lead to pages of one text."""
    hrefs = ((link, link.attrs.get("href") or "") for link in links)
    targets = ((link, join(url, href)) for link, href in hrefs if of_any_form or may_be_part(href))
    return [(link, target) for link, target in targets if target]


def _is_page_of(first: str, target: str) -> bool:
    """Whether an address is that of a further page of the text that begins on the page with this key."""
    part = part_of(target)
    return part is not None and page_key(part[0]) == first


def _says_own_number(link: LexborNode, target: str, url: str) -> bool:
    """Whether a link leads to the page it stands on, and says but its number."""
    own = part_of(url)
    return own is not None and page_key(target) == page_key(url) and tokenise(node_text(link)) == [str(own[1])]


def _drop_line_of(link: LexborNode, trimmed: Trimmed) -> None:
    """Leave out a link with its line, but none of the words of a sentence."""
    line = _line_around(link, trimmed)
    if line.mem_id != link.mem_id or not amid_sentences([link], silent=_LINKS):
        trimmed.leave_out(line)


def _is_own_link(link: LexborNode, url: str) -> bool:
    """Whether a link is called as those are that lead to the page they stand on, and does."""
    said = link.text()
    is_called_else = said.isascii() and _IN_OWN_LINK not in said.lower()
    if is_called_else or tokenise(node_text(link)) not in _OWN_LINK:
        return False
    href = link.attrs.get("href") or ""
    target = None if href.startswith("#") else join(url, href)
    return target is not None and page_key(target) == page_key(url)


def _line_around(link: LexborNode, trimmed: Trimmed) -> LexborNode:
    """The highest element around a link in the article that is but a line."""
    line = link
    while (above := line.parent) and above.mem_id != trimmed.article.mem_id and _is_line(above, trimmed.left_out):
        line = above
    return line


def _is_line(node: LexborNode, left_out: Collection[int]) -> bool:
    words: list[str] = []
    for text in texts_of(node, left_out):
        words += tokenise(text[:_OPENING])
        if len(words) > _LINE:
            return False
    return True
