"""Who the margins of a page say wrote something: alone it says little, for it may be who runs the blog."""

from __future__ import annotations

from blogforever.dom import tokenise
from blogforever.extract.byline import BylinePlace, find_authors
from blogforever.extract.container import junk_spans
from blogforever.model import Author
from blogforever.page.view import PageView

_COMMENTS = frozenset(("comment",))


def author_in_margin(page: PageView, url: str, title: str = "") -> Author | None:
    """The one name on a page that is marked as an author's, wherever it stands but in comments: not the title of the
    post, around which a box may say whose that is.
    """
    everywhere = find_authors(page, BylinePlace(), junk_spans(page, None, _COMMENTS), url)
    found = [one for one in everywhere if tokenise(one.author.name) != tokenise(title)]
    names = {one.author.name for one in found}
    return found[0].author if len(names) == 1 else None
