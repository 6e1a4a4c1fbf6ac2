"""What scripts draw in the place of a form: a field to write in, and a few words around it."""

from __future__ import annotations

from blogforever.comments.dated import has_date
from blogforever.page.view import PageView

# Words that the labels and buttons around a field have at most; a list of comments that ends with
# one has more.
_FORM_WORDS = 40


def places_to_write(tree: PageView) -> frozenset[int]:
    """The elements that are no more than a field with its labels: what they say is nobody's
    comment.
    """
    return frozenset(i for i in _around_fields(tree) if tree.count(i) <= _FORM_WORDS and not has_date(tree, i))


def _around_fields(tree: PageView) -> set[int]:
    """The elements that hold a field, each once."""
    found: set[int] = set()
    for field in tree.tree.css("textarea"):
        place = tree.place(field.parent)
        while place is not None and place >= 0 and place not in found:
            found.add(place)
            place = tree.parents[place]
    return found
