"""Posts without a title: what programs put in its place is the beginning of the text, the day, or the blog's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.headline import is_named_title, title_key
from blogforever.extract.signing import beside_day
from blogforever.model import Moment, Rule, Rules
from blogforever.page.view import PageView

IN_HEAD = ("//meta", "//title")
"""How ways to what stands in a page's head begin: nobody reads that as a heading."""
# Words are at least so many characters long, with what parts them: a bound for what is compared.
_LONGEST_WORD = 40
# Letters of a title of which the last word may be cut without a mark: programs cut behind some tens of them. What is
# shorter may be a name: "A day in the park" opens a text about a parking lot by chance.
_CUT_LENGTH = 25
_CUT_MARKS = ("…", "...", "[…]", "[...]")
# What sets a title apart where no heading does: a bold line, a cell, an element with a name.
_SETTING_APART = frozenset(("b", "strong", "font", "big", "span", "div", "td", "th", "dt", "legend", "caption"))
# What no passage of a text stands in.
_TITLE_PLACES = frozenset((*HEADINGS, *(_SETTING_APART - {"span", "div"}), "a"))
PARAGRAPHS = "\n\n"
"""What parts them in a text."""
# Paragraphs that may be the first after what is quoted.
_MOST_PARAGRAPHS = 50
# Of these, what also holds the line that only dates a text.
_DATING = frozenset(("span", "div"))
# Elements around a text of which one may be the list it stands in.
_LEVELS = 4
_LISTS = frozenset(("li", "nav", "aside", "footer"))


def is_made_of_text(title: str, text: str, page: PageView) -> bool:
    """Whether a title is but the first words of the text, cut somewhere, and nothing on the page
    shows it as a title.

    Programs that know no titles call a note so in the page's head and in the feed.
    """
    words = tokenise(title)
    if not words:
        return title.strip() in _CUT_MARKS
    is_marked = title.rstrip().endswith(_CUT_MARKS)
    # Who answers a text quotes it first: what was cut may open any paragraph.
    openings = text.split(PARAGRAPHS)[:_MOST_PARAGRAPHS] if is_marked else [text]
    return any(_is_opening(words, part, is_marked) for part in openings) and not _is_shown(words, page)


def _is_opening(words: list[str], text: str, is_marked: bool) -> bool:
    """Whether words open a text, which goes on."""
    if not _may_begin(text, words):
        return False
    opening = tokenise(text[: _LONGEST_WORD * len(words)])
    is_cut = is_marked or len(opening) > len(words)
    return is_cut and _begins(opening, words, is_marked)


def is_passage(title: str, page: PageView, article: int) -> bool:
    """Whether a title is a passage of the article, as a quotation or a caption is, which nothing sets apart as a title:
    no heading or bold line, no link, and nothing that is called so.
    """
    words = tokenise(title)
    places = [i for i in range(len(page.tags)) if page.count(i) == len(words) and page.words_of(i) == words]
    if not any(page.inside(i, article) for i in places):
        return False
    return not any(_is_title_place(page, i) for i in places)


def _is_title_place(page: PageView, i: int) -> bool:
    """Whether an element sets a title apart."""
    return page.tags[i] in _TITLE_PLACES or is_named_title(page, i)


def is_blogs_name(title: str, rules: Iterable[Rule]) -> bool:
    """Whether a title is no more than what the blog sets before or after all its titles, as its rules know it."""
    key = title_key(title)
    return bool(key) and any(key in (title_key(rule.prefix), title_key(rule.suffix)) for rule in rules)


def is_placeholder_title(title: str, rules: Rules | None) -> bool:
    """Whether the blog calls its posts so that have no title, as its rules know it."""
    return rules is not None and title_key(title) in map(title_key, rules.placeholders)


def is_its_day(title: str, published: Moment | None, page: PageView, languages: Sequence[str] = ()) -> bool:
    """Whether a title is but the day of the post, and nothing on the page shows it as a title.

    Programs that know no titles call a note so in the page's head.
    """
    if published is None or beside_day(title, published, languages) != []:
        return False
    return not _is_shown(tokenise(title), page, apart=_SETTING_APART - _DATING)


def _may_begin(text: str, words: list[str]) -> bool:
    """Whether the first of several words opens a text, as far as one look tells: of most it does not."""
    first = tokenise(text[:_LONGEST_WORD])
    return len(words) == 1 or len(first) <= 1 or first[0] == words[0]


def _begins(opening: list[str], words: list[str], is_marked: bool) -> bool:
    """Whether a text opens with these words; the cut, with a mark or behind many letters, may go through the last."""
    if len(opening) < len(words):
        return False
    *whole, last = words
    may_be_cut = is_marked or sum(map(len, words)) >= _CUT_LENGTH
    is_last = opening[len(whole)].startswith(last) if may_be_cut else opening[len(whole)] == last
    return is_last and opening[: len(whole)] == whole


def _is_shown(words: list[str], page: PageView, apart: Set[str] = _SETTING_APART) -> bool:
    """Whether an element that sets its text apart says just these words, and is no link to a post."""
    size = len(words)
    for i, tag in enumerate(page.tags):
        if page.count(i) != size or page.words_of(i) != words:
            continue
        sets_apart = tag in apart or is_named_title(page, i)
        if tag in HEADINGS or (sets_apart and not _is_of_link(page, i)):
            return True
    return False


def _is_of_link(page: PageView, i: int) -> bool:
    """Whether an element stands in a link, or is but a link in a list of them."""
    around = [page.tags[a] for a in page.around(i, _LEVELS)]
    if page.links(i) < page.count(i):
        return False
    return "a" in around or not _LISTS.isdisjoint(around)


__all__ = [
    "IN_HEAD",
    "PARAGRAPHS",
    "is_blogs_name",
    "is_its_day",
    "is_made_of_text",
    "is_passage",
    "is_placeholder_title",
]
