"""Which kept pages are posts under the present rules: the judgement of a walk, made again over what the walk kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from blogforever.learn.postpages import Evidence, is_own_page
from blogforever.learn.urlpattern import learn_url_pattern
from blogforever.model import Page
from blogforever.protocols import Ref
from blogforever.records import PageRecord, PostRecord
from blogforever.urls import mark_of, part_of, url_key

from .harvest import harvest
from .learning import SeenPage
from .page import FIRST_LOOK, Knowledge, Visit, go_through
from .record import other_addresses


@dataclass(frozen=True, slots=True)
class Recognised:
    """Records of posts that nobody had recognised before, and posts whose pages look like none by
    now.
    """

    new: list[PostRecord] = field(default_factory=list)
    pages: list[PageRecord] = field(default_factory=list)
    """The blog's own pages that are none."""
    doubtful: list[str] = field(default_factory=list)


class Recognition:
    """Looks at every kept page of a blog once; `posts` are the known ones, the names of each by its
    id.

    `used` are pages that posts were made from beside their own: comment pages, further parts.
    """

    def __init__(self, knowledge: Knowledge, posts: Mapping[str, Iterable[str]], used: Iterable[str] = ()) -> None:
        self._known = knowledge
        self._posts: dict[str, list[str]] = {}
        first_names: list[str] = []
        for post, names in posts.items():
            self._posts[post] = [url_key(name) for name in names]
            first_names += list(names)[:1]
        self._keys = set().union(*self._posts.values())
        self._used = self._keys | {url_key(url) for url in used}
        self._seen: dict[str, SeenPage] = {}
        self._records: dict[str, PostRecord] = {}
        self._own: dict[str, PostRecord] = {}
        knowledge.pattern = learn_url_pattern(first_names)

    def doubt_marks(self, pages: Iterable[Page]) -> None:
        """Where the posts themselves are marked as something else, by a platform's own type, the
        mark says nothing.
        """
        marked = []
        for page in pages:
            visit = go_through(Visit(page, None), self._known, FIRST_LOOK)
            marked.append(visit.evidence.says_other)
        self._known.own_type = sum(marked) * 2 > len(marked)

    def look(self, page: Page, ref: Ref) -> None:
        """One page, the newest of its address."""
        for own in self._known.posts_on(page).values():
            self._look_at(own, ref)
        self._look_at(page, ref)

    def _look_at(self, page: Page, ref: Ref) -> None:
        visit = go_through(Visit(page, ref), self._known)
        key, evidence = url_key(page.url), visit.evidence
        self._seen[key] = SeenPage(evidence, ref)
        if visit.record and self._may_be_new(evidence):
            self._records[page.url] = visit.record
        elif visit.record and key not in self._used and is_own_page(evidence):
            self._own[page.url] = visit.record

    def _may_be_new(self, evidence: Evidence) -> bool:
        """Whether a page is no known post, lies not below one, and is clearly like one."""
        own = url_key(evidence.url)
        above = [] if mark_of(own) else [own[:place] for place, mark in enumerate(own) if mark == "/"]
        canonical = url_key(evidence.canonical or evidence.url)
        if not self._used.isdisjoint((own, canonical, *above)):
            return False
        is_part = part_of(evidence.url) is not None
        is_one_of_several = bool(mark_of(evidence.url))
        clearly = evidence.in_feed or is_one_of_several or (evidence.matches and evidence.fits)
        return clearly and not is_part

    def result(self) -> Recognised:
        """What all pages together show."""
        result, found = Recognised(), set[str]()
        harvested = harvest(list(self._seen.values()), self._known.rules, self._known.lists)
        for page in harvested.pages:
            if own := self._own.get(page.url):
                result.pages.append(PageRecord.of(replace(own, aliases=other_addresses(page.url, page.aliases))))
        for post in harvested.posts:
            keys = {url_key(name) for name in (post.url, *post.aliases)}
            found |= keys
            record = self._records.get(post.url)
            if record and not keys & self._keys:
                result.new.append(replace(record, aliases=other_addresses(post.url, post.aliases)))
        for post_id, names in self._posts.items():
            was_seen = any(key in self._seen for key in names)
            if was_seen and not found.intersection(names):
                result.doubtful.append(post_id)
        return result
