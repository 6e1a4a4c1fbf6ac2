"""Who wrote the article, as microdata say it in elements that show nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.extract.names import clean_name, is_placeholder
from blogforever.page.view import PageView

HIDDEN_AUTHOR = '[itemprop="author"] > meta[itemprop="name"]'
"""The selector of what names them, and the same as XPath."""
HIDDEN_AUTHOR_XPATH = "//*[@itemprop='author']/meta[@itemprop='name']/@content"


def hidden_author(page: PageView, foreign: Sequence[bool]) -> str | None:
    """The one person whom the microdata outside of comments and margins name; several may be those of other posts."""
    names = set(_names(page, foreign))
    return names.pop() if len(names) == 1 else None


def _names(page: PageView, foreign: Sequence[bool]) -> Iterator[str]:
    for i, tag in enumerate(page.tags):
        around = page.parents[i]
        if tag != "meta" or foreign[i] or page.attribute(i, "itemprop") != "name":
            continue
        name = clean_name(page.attribute(i, "content"))
        if page.attribute(around, "itemprop") == "author" and name and not is_placeholder(name):
            yield name
