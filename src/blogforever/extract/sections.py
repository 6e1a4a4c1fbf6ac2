"""The further parts of an article: sections like the one that was found, and boxes of text right beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.elements import HEADINGS, word_set
from blogforever.extract.names import speaks_of_author
from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of

CONTAINERS = word_set("""
    div section article main td center body font span dd figure blockquote custom li form table tbody tr
""")

# Words of a section like the best one, and elements around the best that may be one of such.
SECTION = 15
_LEVELS = 4
# Elements around a numbered part of which one may stand beside the others.
_PART_LEVELS = 2
# Words of a part that only its name shows to be one: a teaser has fewer.
_PART = 100
# Elements that a page builder wraps around each passage: a row, a column, a widget and what pads them.
_MOST_LEVELS = 10
# An element with at most so many times the words of two of its parts holds little else.
LITTLE_ELSE = 1.5
# Words by which a text is known to begin as another.
_OPENING = 8


def with_its_other_part(page: PageView, junk: Sequence[bool], named: int, heading: int | None) -> int:
    """The element around a named text and the part of it that stands in a box of its own beside it:
    above it what lists show of the post, below it what they do not; else the named one.
    """
    around = page.parents[named]
    if heading is None or around <= 0 or page.tags[around] not in CONTAINERS or page.inside(heading, named):
        return named
    parts = _other_parts(page, junk, named, heading)
    together = sum(map(page.own_words, (named, *parts)))
    return around if parts and page.own_words(around) <= LITTLE_ELSE * together else named


def _other_parts(page: PageView, junk: Sequence[bool], named: int, heading: int) -> list[int]:
    """The boxes of text beside a named one that go with it: the last above it, unless that only
    repeats how it begins, and the first below it, if that is called alike and longer than a note.
    """
    boxes = [i for i in page.children(page.parents[named]) if _is_box_of_text(page, junk, i, named, heading)]
    before = [i for i in boxes if i < named][-1:]
    behind = [i for i in boxes if i > named][:1]
    parts = [i for i in before if not _is_repeated(page, i, named)]
    return parts + [i for i in behind if _stems(page, i) & _stems(page, named) and _paragraphs(page, i) > 1]


def _is_box_of_text(page: PageView, junk: Sequence[bool], i: int, named: int, heading: int) -> bool:
    """Whether an element below the heading is a box of paragraphs like another, and nothing else."""
    is_box = i != named and page.tags[i] == page.tags[named] and i > heading and not junk[i]
    if not is_box or _is_about_author(page, i) or not _paragraphs(page, i) or _has_title_like(page, i, heading):
        return False
    is_text = page.count(i) - 2 * page.links(i) >= SECTION
    return is_text and "form" not in page.tags[i : page.last[i]]


def _is_about_author(page: PageView, i: int) -> bool:
    """Whether a box is called after the author, whose life it tells."""
    return any(map(speaks_of_author, (*page.classes(i), page.attribute(i, "id"))))


def _paragraphs(page: PageView, i: int) -> int:
    return page.tags[i : page.last[i]].count("p")


def _stems(page: PageView, i: int) -> set[str]:
    """What the names of an element begin with: "entry" of "entry-more"."""
    return {parts_of(name)[0] for name in page.classes(i) if len(parts_of(name)) > 1}


def _is_repeated(page: PageView, summary: int, text: int) -> bool:
    """Whether a text begins as what stands above it: that is but made of it."""
    opening = page.words_of(summary)[:_OPENING]
    return page.words_of(text)[: len(opening)] == opening


def with_its_like(page: PageView, junk: Sequence[bool], best: int, heading: int | None) -> int:
    """The element around all sections of the article, where the best is in one of several alike."""
    innermost = best
    for level, section in enumerate((best, *page.around(best, _MOST_LEVELS))):
        parent = page.parents[section]
        if parent <= 0 or page.tags[section] not in CONTAINERS:
            break
        if page.tags[parent] not in CONTAINERS:
            continue
        core = innermost if level > _LEVELS else None
        if any(core is None or _holds_like(page, i, core) for i in _likes(page, junk, section, heading)):
            best = parent
    return best


def with_its_parts(page: PageView, junk: Sequence[bool], named: int, heading: int | None) -> int:
    """The element around all parts of an article that are called alike, where the named text is one of them: what
    stands between them was put into the text.
    """
    if heading is None or page.inside(heading, named):
        return named
    best = named
    for section in (named, *page.around(named, _PART_LEVELS)):
        parent = page.parents[section]
        if parent <= 0 or page.tags[parent] not in CONTAINERS:
            break
        if any(_holds_part(page, i, named) for i in _likes(page, junk, section, heading)):
            best = parent
    return best


def _holds_part(page: PageView, section: int, named: int) -> bool:
    """Whether a section holds a further part of a named text, and neither a date nor a name: with one, it is a post."""
    if _is_signed(page, section):
        return False
    parts = [i for i in range(section, page.last[section]) if _is_like(page, i, named)]
    return any(_is_numbered(page, i) or _is_same(page, i, named) for i in parts)


def _is_signed(page: PageView, section: int) -> bool:
    inside = slice(section, page.last[section])
    return "time" in page.tags[inside] or "byline" in page.kinds[inside]


def _is_same(page: PageView, i: int, named: int) -> bool:
    """Whether an element is called exactly as a named text, and is as long as a text."""
    is_text = page.own_words(i) >= _PART and _paragraphs(page, i) > 1
    return is_text and page.attribute(i, "class") == page.attribute(named, "class")


def _is_numbered(page: PageView, i: int) -> bool:
    """Whether a number of its own follows the name of an element: "text text-2"."""
    names = set(page.classes(i))
    return any(name.rstrip("0123456789").rstrip("-_") in names for name in names if name[-1:].isdigit())


def _likes(page: PageView, junk: Sequence[bool], section: int, heading: int | None) -> Iterator[int]:
    """The other sections like this one that stand beside it and belong to the article."""
    for i in page.children(page.parents[section]):
        belongs = not junk[i] and follows(page, i, heading) and not _has_title_like(page, i, heading)
        if belongs and _is_like(page, i, section):
            yield i


def _holds_like(page: PageView, section: int, core: int) -> bool:
    """Whether a section holds a text in a box like the best one, as page builders put each passage in one: further out,
    what looks alike may be anything.
    """
    return bool(page.classes(core)) and any(_is_like(page, i, core) for i in range(section + 1, page.last[section]))


def _has_title_like(page: PageView, i: int, heading: int | None) -> bool:
    """Whether a section has a heading as large as the article's: it is another post, or a list of
    such.
    """
    tag = page.tags[heading] if heading is not None else ""
    return tag in HEADINGS and tag in page.tags[i : page.last[i]]


def _is_like(page: PageView, i: int, section: int) -> bool:
    """Whether an element is a section of text with the tag and class of another."""
    if i == section or page.tags[i] != page.tags[section]:
        return False
    if page.count(i) - 2 * page.links(i) < SECTION:
        return False
    return _common_names(page, i) == _common_names(page, section)


def _common_names(page: PageView, i: int) -> set[str]:
    """The classes of an element without those that number it."""
    return {name for name in page.attribute(i, "class").split() if not any(map(str.isdigit, name))}


def follows(page: PageView, i: int, heading: int | None) -> bool:
    """Whether an element comes after the heading or holds it."""
    return heading is None or i > heading or page.inside(heading, i)
