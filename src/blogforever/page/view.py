"""A page as everybody sees it: decoded and parsed once, however many look at it; nobody changes it."""

from __future__ import annotations

from functools import cached_property
from threading import local

from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import decode, parse
from blogforever.model import Page

# Pages that are remembered: a post, and the further pages that are read with it before its comments are.
_MOST_KEPT = 4
# Characters of all of them together; of a larger page only its own view is kept.
_MOST_CHARS = 4_000_000


class PageView:
    """A page for those who look at it: its text and its tree, made when they are asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def html(self) -> str:
        """The page's text."""
        return decode(self.page.content, self.page.headers)

    @cached_property
    def tree(self) -> LexborHTMLParser:
        """The page's tree; who reads leaves it as it is, for others read it, too."""
        return parse(self.html)

    def shows(self, page: Page) -> bool:
        """Whether this is the view of a page, under whatever address it is known."""
        return self.page.content is page.content and self.page.headers == page.headers


class _LastViews(local):
    """The pages that were looked at last, the latest first: of each thread its own, for each reads another blog."""

    def __init__(self) -> None:
        self.views: list[PageView] = []


_last = _LastViews()


def view_of(page: Page) -> PageView:
    """The view of a page: whoever asks next for the same page gets the same one."""
    view = next((known for known in _last.views if known.shows(page)), None) or PageView(page)
    others = [known for known in _last.views if known is not view]
    _last.views = _within_bounds([view, *others])
    return view


def _within_bounds(views: list[PageView]) -> list[PageView]:
    """As many of the views as are kept, the first always."""
    kept, chars = views[:1], len(views[0].page.content)
    for view in views[1:_MOST_KEPT]:
        chars += len(view.page.content)
        if chars > _MOST_CHARS:
            break
        kept.append(view)
    return kept
