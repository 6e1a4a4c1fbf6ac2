"""Pages that show several posts, told from those of one where no feed says which is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from blogforever.discover.pagefacts import read_facts
from blogforever.extract.headline import title_key
from blogforever.extract.segment import segment_page
from blogforever.learn.postpages import FEWEST_HEADINGS
from blogforever.learn.urlpattern import UrlPattern
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import join, url_key

# On fewer pages the article cannot be told from what stands around it.
FEW = 3
# Other posts with titles in rows of one making, from which on a page teaches nothing: it is a list,
# or ends in one.
SHOWN = 2


@dataclass(frozen=True, slots=True)
class LikelyPost:
    """A page that may be a post, and the title that was read on it."""

    page: Page
    title: str | None

    def led_to(self, pattern: UrlPattern) -> set[str]:
        """The other posts that the headings of the page, and links called as it is, lead to."""
        page, view = self.page, view_of(self.page)
        called = title_key(self.title or "")
        titled = [i for i, tag in enumerate(view.tags) if tag == "a" and called and title_key(view.line(i)) == called]
        links = [join(page.url, view.attribute(i, "href")) for i in titled]
        posts = filter(pattern.matches, filter(None, (*read_facts(page).heading_links, *links)))
        return set(map(url_key, posts)) - {url_key(page.url)}

    def shows_several(self, pattern: UrlPattern) -> bool:
        """Whether headings lead to several posts, or the page can be cut into posts that lie elsewhere."""
        if len(self.led_to(pattern)) >= FEWEST_HEADINGS:
            return True
        titled = [post.url for post in segment_page(self.page) if post.title]
        others = set(map(url_key, filter(pattern.matches, titled))) - {url_key(self.page.url)}
        return len(others) >= SHOWN


def without_lists(candidates: Sequence[LikelyPost], pattern: UrlPattern) -> list[Page]:
    """The pages without those that show several posts, where most do not, and then without those
    whose title leads to a post that is left, as that of a list with a single post does: a list at
    an address as posts have would teach the frame around its posts, and that their texts are said
    again and again.
    """
    single = [one for one in candidates if not one.shows_several(pattern)]
    kept = single if len(single) >= FEW and 2 * len(single) > len(candidates) else candidates
    led = [(one.page, one.led_to(pattern)) for one in kept]
    ends = {url_key(page.url) for page, posts in led if not posts}
    return [page for page, posts in led if len(ends) < FEW or not posts & ends]
