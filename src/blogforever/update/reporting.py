"""What an update found, as findings: the records of the posts as they are now, and whether they can be believed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from blogforever.comments import Shown, keep_comments, read_comments, shows_empty_list
from blogforever.extract.content import content_of
from blogforever.learn.samples import first_and_spread
from blogforever.model import Page
from blogforever.pipeline.page import Visit
from blogforever.pipeline.record import (
    cut_since,
    is_told_by_feed,
    old_identity,
    with_count,
    with_sources,
    with_told,
)
from blogforever.pipeline.threads import Threads
from blogforever.records import PostRecord
from blogforever.wording import kept_texts

from . import platforms
from .comparing import Comparison
from .context import UpdateContext, keys_of
from .facts import changed_in_feed, said
from .findings import Finding, Judged, Kind, UpdateFindings, tally
from .fuller import why_kept, why_shorter, with_text_of
from .newposts import NewPosts, with_feed_comments
from .rechecks import TurnBudget, told_anew
from .relearning import Relearning
from .remembered import KnownPost
from .secondlooks import SecondLooks
from .states import frozen
from .versions import Verdict, same_text_told


@dataclass(frozen=True, slots=True)
class Written:
    """The record to be written, None where there is none, what kind of change it is, and what was
    found after all.
    """

    record: PostRecord | None
    kind: Kind
    verdict: Verdict


class Reporting:
    """Makes findings of what was judged."""

    def __init__(
        self,
        context: UpdateContext,
        comparison: Comparison,
        new_posts: NewPosts,
        second_looks: SecondLooks,
        relearning: Relearning,
    ) -> None:
        self._context, self._comparison = context, comparison
        self._new_posts, self._second_looks, self._relearning = new_posts, second_looks, relearning
        self._posts = {post.id: post for post in context.remembered.posts}
        self._texts_kept = 0

    def report(self, failure: str | None, budget: TurnBudget, notes: list[str]) -> UpdateFindings:
        """All findings of the update, and whether they are too many to be believed."""
        judged, context = self._second_looks.judged, self._context
        findings = [self._finding(self._posts[post], found) for post, found in judged.items()]
        notes = [*notes, *self._relearning.notes]
        freeze = platform = None
        if failure is None:
            findings += self._new_posts.findings()
            active = sum(1 for _post in context.active_posts())
            freeze = frozen(tally(findings, active, self._second_looks.one_page_for_many()))
            platform = self._platform_seen()
        if platform and platform.changed:
            notes.append(str(platform))
        if self._texts_kept:
            notes.append(kept_texts(self._texts_kept))
        return UpdateFindings(
            findings,
            context.news,
            budget,
            context.known.rules,
            self._relearning.reason,
            failure,
            freeze,
            notes,
            platform,
        )

    def _platform_seen(self) -> platforms.PlatformSeen | None:
        """What pages and feed say of the platform.

        Unchanged pages, or others in a post's place, say nothing.
        """
        known, feed = self._context.remembered, self._context.news.feed
        generators = (known.generator, feed.generator if feed else None)
        return platforms.platform_seen(known.platform, self._earlier_pages(), self._later_pages(), generators)

    def _here(self) -> dict[str, Judged]:
        judged = self._second_looks.judged.items()
        return {post: one for post, one in judged if one.outcome == "here" and not one.looked.unchanged}

    def _earlier_pages(self) -> list[Page]:
        refs = [self._posts[post].ref for post in self._here()]
        return [self._context.tools.read(ref) for ref in refs[: platforms.SAMPLE] if ref]

    def _later_pages(self) -> list[Page]:
        looked = [*(judged.looked for judged in self._here().values()), *self._new_posts.readable()]
        return [self._comparison.read(one) for one in first_and_spread(looked, platforms.SAMPLE) if one.ref]

    # ------------------------------------------------------------------ one post

    def _finding(self, post: KnownPost, judged: Judged) -> Finding:
        looked = judged.looked
        if judged.outcome != "here" or looked.ref is None:
            return self._not_here(post, judged)
        written = self._written(post, judged)
        kind, judgement = written.kind, written.verdict.judgement
        if kind == "same" and judgement == "revision":
            kind = "revision"
        # What only some may read says nothing of the post: the capture that everybody could read
        # stays the measure.
        earlier_holds = self._comparison.still_holds(post, looked) or judgement == "closed"
        return Finding(
            kind,
            looked.look,
            judged.outcome,
            looked.status,
            post,
            written.record,
            judged.move,
            written.verdict.reason,
            None if earlier_holds else looked.ref.record_id,
        )

    def _not_here(self, post: KnownPost, judged: Judged) -> Finding:
        looked = judged.looked
        kind: Kind = "nothing" if judged.outcome in ("refused", "unreachable") else "away"
        reason = looked.reason or judged.verdict.reason
        return Finding(kind, looked.look, judged.outcome, looked.status, post, reason=reason)

    def _written(self, post: KnownPost, judged: Judged) -> Written:
        """The record as it is now."""
        looked, verdict = judged.looked, judged.verdict
        unread = looked.look.why == "comments" or self._is_told_anew(post, judged)
        nothing_new = self._comparison.still_holds(post, looked) and not unread
        if verdict.judgement == "closed" or nothing_new:
            return Written(None, "same", verdict)
        old = self._context.remembered.recall(post.id)
        new = self._read_now(old, judged)
        if new is None:
            return Written(None, "same", verdict)
        if is_edit(old, new, judged):
            return self._edited(old, new, judged)
        return Written(self._merged(old, new, edited=False), "same", verdict)

    def _edited(self, old: PostRecord, new: PostRecord, judged: Judged) -> Written:
        """The record of a post that its author changed; its text stays where the reading of it is
        at fault.
        """
        page, verdict = self._comparison.read(judged.looked), judged.verdict
        if verdict.judgement != "edit":
            verdict = Verdict("edit", reason="the feed says so")
        if reason := self._why_kept(old, new, page, judged):
            new = with_text_of(old, new)
            self._texts_kept += 1
            edited = content_of(new) != content_of(old) or verdict.only_facts
            verdict = Verdict("edit" if edited else "revision", reason=reason)
            return Written(self._merged(old, new, edited), "edit" if edited else "same", verdict)
        if shorter := why_shorter(old, new, page):
            verdict = replace(verdict, reason=shorter)
        return Written(self._merged(old, new, edited=True), "edit", verdict)

    def _read_now(self, old: PostRecord, judged: Judged) -> PostRecord | None:
        """The record that the page gives today, with the comments that were there."""
        known = self._context.known
        # Threads that were not asked for would look as if they had lost their comments.
        knowledge = known if judged.wanted_whole else replace(known, threads=Threads())
        visit = self._comparison.visit(judged.looked, knowledge)
        record = visit.record
        if record is None:
            return None
        if not any(key in known.entries for key in keys_of(self._posts[old.id])):
            record = with_told(record, old)
        new = with_feed_comments(structs.replace(record, id=old.id), self._context.news.comments)
        shown = self._how_much_shown(old, visit, judged)
        return structs.replace(new, comments=keep_comments(old.comments, new.comments, shown))

    def _how_much_shown(self, old: PostRecord, visit: Visit, judged: Judged) -> Shown:
        """Whether the page showed as many comments as it states, fewer, or states no number."""
        found = visit.reading.found if visit.reading else None
        if found is not None and found.stated is not None:
            on_page = sum("page" in comment.sources for comment in found.comments)
            return "all" if found.stated == on_page else "some"
        counted = self._context.news.counts.get(old.id)
        if found is not None and not found.comments and not counted and shows_empty_list(visit.page, old.comments):
            return "all"
        return "unknown" if judged.wanted_whole or self._was_whole(old, visit) else "some"

    def _was_whole(self, old: PostRecord, visit: Visit) -> bool:
        """Whether the page showed all that is kept when it was last captured, and shows fewer now:
        then it is the list itself that became shorter.
        """
        shown = [comment for comment in old.comments if "page" in comment.sources and comment.status == "active"]
        post, known = self._posts[old.id], self._context.known
        if post.ref is None or visit.record is None or len(visit.record.comments) >= len(shown):
            return False
        page = known.page_of(self._context.tools.read(post.ref), post.url)
        own = known.rules.comments if known.rules else ()
        return len(read_comments(page, rules=own).comments) >= len(shown)

    def _is_told_anew(self, post: KnownPost, judged: Judged) -> bool:
        """Whether the feed announces something else of a post: its page need not have changed for
        it.
        """
        return judged.looked.look.announced and told_anew(self._context.news, post, keys_of)

    def _why_kept(self, old: PostRecord, new: PostRecord, page: Page, judged: Judged) -> str:
        announced = judged.looked.look.announced
        return why_kept(old, new, page, self._context.known.rules, announced=announced)

    def _merged(self, old: PostRecord, new: PostRecord, edited: bool) -> PostRecord | None:
        """The new content, or only new comments, with the identity of the post.

        None where all is as it was.
        """
        comments = new.comments
        count = self._context.news.counts.get(old.id)
        if edited:
            return with_count(structs.replace(old_identity(old, new), comments=comments), count)
        sources = with_sources(old, new) if comments != old.comments else old.sources
        extra = (
            structs.replace(old.extra, cut=cut_since(old.extra, new.extra)) if comments != old.comments else old.extra
        )
        record = with_count(structs.replace(old, comments=comments, sources=sources, extra=extra), count)
        return record if record != old else None


def is_edit(old: PostRecord, new: PostRecord, judged: Judged) -> bool:
    """Whether the author changed a post.

    Of what only the feed tells, the feed must say so.
    """
    announced = judged.looked.look.announced
    if announced and changed_in_feed(old, new):
        return True
    if is_told_by_feed(old) and is_told_by_feed(new):
        return announced and not (same_text_told(old.text, new.text) and said(old, "title") == said(new, "title"))
    return judged.verdict.judgement == "edit"
