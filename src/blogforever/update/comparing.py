"""What one page that an update fetched says of the post it was asked for: same, edited, moved,
closed, not there.

Both captures are read by the rules that now apply. Nothing is remembered here: a page and a post
in, a verdict out.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from blogforever.comments import stated_on
from blogforever.learn.urlpattern import other_kind
from blogforever.model import Page, Post
from blogforever.pipeline.entries import words_told
from blogforever.pipeline.page import Knowledge, Visit, go_through
from blogforever.pipeline.reading import StageFailed
from blogforever.protocols import Ref
from blogforever.urls import site_root, url_key

from .context import UpdateContext, keys_of
from .facts import changed_on_page
from .findings import Judged, Looked, Move
from .identity import same_title
from .remembered import KnownPost
from .versions import FEW_WORDS, Capture, Verdict, alike, judge, judge_facts

AWAY = "away"
"""The sign of a move that is none: the address leads to something else of the blog."""


class Comparison:
    """Compares pages with what is known of their posts."""

    def __init__(self, context: UpdateContext) -> None:
        self._context = context

    def read(self, looked: Looked) -> Page:
        """The page that came, under the address at which it ended."""
        assert looked.ref is not None
        return self._context.known.page_of(self._context.tools.read(looked.ref), looked.url)

    def visit(self, looked: Looked, knowledge: Knowledge | None = None) -> Visit:
        """The page through all stages, with what is known now."""
        visit = Visit(self.read(looked), looked.ref, looked.chain)
        return go_through(visit, knowledge or self._context.known)

    def judge(self, post: KnownPost, looked: Looked, move: Move | None = None) -> Judged:
        """What the answer to a look means."""
        if not looked.came:
            return Judged(looked, Verdict("same"), looked.outcome)
        move = move or self._redirected(post, looked)
        if move is not None and move.sign == AWAY:
            return Judged(looked, Verdict("same"), "soft")
        pair = self.captures(post, looked)
        if pair is None:
            return self._not_compared(post, looked, move)
        old, new = pair
        announced = looked.look.announced
        verdict = self._rewritten(post, new, judge(old, new, announced))
        if verdict.judgement == "same":
            verdict = judge_facts(old, new, announced)
        if verdict.judgement == "replaced":
            return Judged(looked, verdict, "replaced", text=" ".join(new.page_words))
        return Judged(looked, verdict, "here", move=move, states_fewer=_states_fewer(post, new.page))

    def _not_compared(self, post: KnownPost, looked: Looked, move: Move | None) -> Judged:
        guard = self._context.tools.guard
        if failed := guard.why_not(looked.url) or guard.why_not(post.url):
            # As with a page that only some may read: the capture that could be read stays the
            # measure.
            return Judged(looked, Verdict("closed", reason=failed), "here")
        return Judged(looked, Verdict("same"), "here", move=move)

    def _rewritten(self, post: KnownPost, new: Capture, verdict: Verdict) -> Verdict:
        """An article with other words under the same title, or with those that the feed has of it now, is the
        author's work, where the rules find it at all.
        """
        own = verdict.sure or same_title(post.title, new.post.title) or self._told_by_feed(post, new)
        edited = verdict.judgement == "replaced" and new.rule[0] == "rule" and own
        return replace(verdict, judgement="edit") if edited else verdict

    def _told_by_feed(self, post: KnownPost, new: Capture) -> bool:
        """Whether these are the words of its entry, or an excerpt of them that is no chance."""
        entries = filter(None, map(self._context.news.entry, keys_of(post)))
        told = (words for words in map(words_told, entries) if alike(words, new.words))
        return any(len(words) > FEW_WORDS or alike(new.words, words) for words in told)

    def _redirected(self, post: KnownPost, looked: Looked) -> Move | None:
        """The address led elsewhere: to the post's new address, or only away."""
        identity = self._context.identity
        other = identity.at(looked.url)
        two_posts = identity.apart(post, looked.url)
        if other is post:
            stayed = looked.url == post.url or not looked.chain or two_posts
            return None if stayed else Move(post.url, looked.url, "redirect")
        leads_home = url_key(looked.url) in (url_key(self._context.remembered.url), url_key(site_root(looked.url)))
        is_no_post = leads_home or other_kind(looked.url) is not None
        elsewhere = other is not None or is_no_post or two_posts
        return Move(post.url, looked.url, AWAY if elsewhere else "redirect")

    def captures(self, post: KnownPost, looked: Looked) -> tuple[Capture, Capture] | None:
        """Both captures of a post under the rules that now apply.

        None where nothing can differ, or be said of it.
        """
        if not looked.came or post.ref is None:
            return None
        if self.still_holds(post, looked) or _same_bytes(looked.ref, post.ref):
            return None
        old = self._context.known.page_of(self._context.tools.read(post.ref), post.url)
        with suppress(StageFailed):
            return Capture(old, self._extracted), Capture(self.read(looked), self._extracted)
        return None

    def _extracted(self, page: Page) -> Post:
        known = self._context.known
        return known.extract(page, known.rules, None)

    def still_holds(self, post: KnownPost, looked: Looked) -> bool:
        """Whether the server says that the capture still holds which the post was last compared
        with, or read from.

        It may mean a later one: of a page that was not the post, or that nobody has judged yet.
        """
        if not looked.unchanged or looked.ref is None or post.ref is None:
            return looked.unchanged
        read_from = [source.record_id for source in self._context.remembered.recall(post.id).sources]
        return looked.ref.record_id in (post.ref.record_id, *read_from)

    def shows_the_same(self, first: Looked, second: Looked) -> bool:
        """Whether a second look found what the first one had."""
        if first.ref is None or not second.came:
            return False
        if second.unchanged or (second.ref and second.ref.digest == first.ref.digest):
            return True
        with suppress(StageFailed):
            one, two = (Capture(self.read(looked), self._extracted) for looked in (first, second))
            return one.content == two.content and not changed_on_page(one.post, two.post)
        return False


def _same_bytes(one: Ref | None, other: Ref | None) -> bool:
    if one is None or other is None:
        return False
    return bool(one.digest) and one.digest == other.digest


def _states_fewer(post: KnownPost, page: Page) -> bool:
    """Whether a page states fewer comments than it did when the post was last kept."""
    before = post.comments if post.stated is None else post.stated
    stated = stated_on(page) if before else None
    return stated is not None and stated < before
