"""Who the margins of a page say wrote something: alone it says little, for it may be who runs the blog."""

from __future__ import annotations

from blogforever.extract.byline import BylinePlace, find_authors
from blogforever.extract.container import junk_spans
from blogforever.model import Author
from blogforever.page.view import PageView

_COMMENTS = frozenset(("comment",))


def author_in_margin(page: PageView, url: str) -> Author | None:
    """The one name on a page that is marked as an author's, wherever it stands but in comments."""
    found = find_authors(page, BylinePlace(), junk_spans(page, None, _COMMENTS), url)
    names = {one.author.name for one in found}
    return found[0].author if len(names) == 1 else None
