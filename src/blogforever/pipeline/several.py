"""Pages that show several posts, told from those of one where no feed says which is which."""

from __future__ import annotations

from blogforever.extract.segment import segment_page
from blogforever.learn.postpages import FEWEST_HEADINGS
from blogforever.model import Page
from blogforever.urls import url_key

from .page import FIRST_LOOK, Knowledge, Visit, go_through

# On fewer pages the article cannot be told from what stands around it.
FEW = 3
# Other posts with titles in rows of one making, from which on a page teaches nothing: it is a list, or ends in one.
SHOWN = 2


def without_lists(pages: list[Page], knowledge: Knowledge) -> list[Page]:
    """Pages without those that show several posts, where most do not: a list at an address as posts
    have would teach the frame around its posts.
    """
    single = [page for page in pages if not _shows_several(page, knowledge)]
    return single if len(single) >= FEW and 2 * len(single) > len(pages) else pages


def _shows_several(page: Page, knowledge: Knowledge) -> bool:
    """Whether headings lead to several posts, or the page can be cut into posts that lie elsewhere."""
    evidence = go_through(Visit(page, None, ()), knowledge, FIRST_LOOK).evidence
    if evidence.heading_links >= FEWEST_HEADINGS:
        return True
    titled = [post.url for post in segment_page(page) if post.title]
    others = {url_key(url) for url in titled if knowledge.pattern.matches(url)} - {url_key(page.url)}
    return len(others) >= SHOWN
