"""Icons that show a person, and the words that stand in or right behind each."""

from __future__ import annotations

from collections.abc import Iterator

from blogforever.page.view import PageView
from blogforever.page.vocabulary import parts_of

_PERSONS = frozenset(("user", "account", "person", "author", "profile"))


def person_icons(page: PageView) -> Iterator[tuple[int, str]]:
    """The icons of a page that show a person, each with its words.

    Where another icon comes first, as behind a name that a blog has left empty, the words are what that one shows.
    """
    for i, tag in enumerate(page.tags):
        is_icon = tag == "i" or (tag == "span" and not page.count(i))
        if not is_icon or not any(map(_is_person_icon, page.classes(i))):
            continue
        if page.count(i):
            yield i, " ".join(page.line(i).split())
        elif not _another_follows(page, i):
            yield i, " ".join("".join(page.texts_between(page.start[i], page.start[i] + 1)).split())


def _is_person_icon(token: str) -> bool:
    """Whether a class name is that of an icon for a person: "fa-user", "bi-person-fill"."""
    parts = parts_of(token)
    return len(parts) > 1 and not _PERSONS.isdisjoint(parts)


def _another_follows(page: PageView, i: int) -> bool:
    """Whether another icon stands between an icon and the next words."""
    behind = page.last[i]
    while behind < len(page.nodes) and page.start[behind] == page.start[i]:
        if page.tags[behind] == "i" and not page.count(behind):
            return True
        behind += 1
    return False
