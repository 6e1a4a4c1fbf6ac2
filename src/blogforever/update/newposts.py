"""Pages at addresses nobody knew: known posts that moved, or what may be new posts."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from blogforever.comments import feed_comments, keep_comments
from blogforever.dom import tokenise
from blogforever.learn.postpages import Evidence
from blogforever.model import Feed, Post
from blogforever.pipeline.harvest import Harvest, HarvestedPost, harvest
from blogforever.pipeline.learning import SeenPage
from blogforever.pipeline.page import Visit
from blogforever.pipeline.record import comment_record, other_addresses, post_id
from blogforever.records import PageRecord, PostRecord
from blogforever.urls import url_key

from .arrivals import Arrivals
from .comparing import Comparison
from .context import UpdateContext, keys_of
from .findings import Finding, Looked, Move
from .fuller import is_bare
from .remembered import KnownPost
from .versions import alike


class NewPosts:
    """Gathers the new pages, reads them again when more is known, and says at the end which are
    posts.
    """

    def __init__(self, context: UpdateContext, comparison: Comparison, arrivals: Arrivals) -> None:
        self._context, self._comparison, self._arrivals = context, comparison, arrivals
        self.looked: dict[str, Looked] = {}
        """The new pages that are no known posts, by their keys."""
        self._seen: dict[str, SeenPage] = {}
        self._records: dict[str, PostRecord] = {}

    def came(self, looked: Looked, visit: Visit) -> None:
        """A page came that nobody knew."""
        key = url_key(looked.url)
        if self._note_move(looked, visit.record, key) or self._context.identity.at(looked.url) is not None:
            return
        self.looked[key] = looked
        self._seen[key] = SeenPage(visit.evidence, looked.ref, list(looked.chain))
        if visit.record:
            self._records[key] = visit.record

    def _note_move(self, looked: Looked, record: PostRecord | None, key: str) -> bool:
        """Whether this is a known post at a new address."""
        if record is None:
            return False
        proof = self._context.identity.proved(record, self._same_words(record), looked.look.post)
        if proof is None:
            return False
        post, sign = proof
        moved = self._arrivals.moved
        if post.id in moved or self._is_still_there(post, looked.url):
            return False
        moved[post.id] = (looked, Move(post.url, looked.url, sign))
        return True

    def _is_still_there(self, post: KnownPost, new: str) -> bool:
        """A post that the blog names under its old address did not move: the author published its
        like again.

        Where that address's host leads to this one now, its names are those of before.
        """
        if self._context.host_moves.has_led(post.url, new):
            return False
        return any(self._context.news.names(key) for key in keys_of(post) if key != url_key(new))

    def _same_words(self, record: PostRecord) -> Callable[[KnownPost], bool]:
        words, recall = tokenise(record.text), self._context.remembered.recall
        return lambda post: alike(tokenise(recall(post.id).text), words)

    def evidence(self, key: str) -> Evidence:
        """What speaks for and against a new page."""
        return self._seen[key].evidence

    def visit_again(self, key: str) -> None:
        """A new page through the stages once more, with what is known now."""
        visit = self._comparison.visit(self.looked[key])
        self._seen[key].evidence = visit.evidence
        if visit.record:
            self._records[key] = visit.record

    def readable(self) -> list[Looked]:
        """The new pages of which something could be made."""
        return [self.looked[key] for key in self._records]

    def findings(self) -> list[Finding]:
        """Which of them are posts, all pages taken together."""
        posts = [(url_key(post.url), post) for post in self._harvest().posts]
        return [self._finding(key, post) for key, post in posts if key in self._records]

    def pages(self) -> list[PageRecord]:
        """Which of them are own pages of the blog."""
        found = [(url_key(page.url), page) for page in self._harvest().pages]
        records = [(page, self._records[key]) for key, page in found if key in self._records]
        return [self._own_page(page, record) for page, record in records if not is_bare(record)]

    def _own_page(self, page: HarvestedPost, record: PostRecord) -> PageRecord:
        name = post_id(self._context.known.blog, page.url)
        return PageRecord.of(replace(record, id=name, aliases=other_addresses(record.url, page.aliases)))

    def _harvest(self) -> Harvest:
        known = self._context.known
        return harvest([seen for seen in self._seen.values() if seen.ref], known.rules, known.lists)

    def _finding(self, key: str, post: HarvestedPost) -> Finding:
        looked, record, known = self.looked[key], self._records[key], self._context.known
        if known.threads.extras(looked.url):
            # Comments that came after the page was read.
            record = self._comparison.visit(looked).record or record
        record = replace(record, id=post_id(known.blog, post.url), aliases=tuple(post.aliases))
        record = with_feed_comments(record, self._context.news.comments)
        place = looked.ref.record_id if looked.ref else None
        return Finding("new", looked.look, record=record, record_id=place)


def with_feed_comments(record: PostRecord, feeds: list[Feed]) -> PostRecord:
    """A record with the comments that the blog's comment feeds have of it."""
    found = []
    for feed in feeds:
        comments = feed_comments(feed, Post(record.url), whole_blog=True)
        found += [comment_record(comment) for comment in comments]
    return replace(record, comments=keep_comments(found, record.comments)) if found else record
