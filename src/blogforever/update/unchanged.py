"""The short way of an update: where every announcement says what it said last time, the update ends
there.

Nothing is known of the blog's posts until then: they are read only where something else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from blogforever.discover.wordpress import parse_posts
from blogforever.protocols import Answer, Ask, PageHandler

from .findings import Finding, UpdateFindings
from .rechecks import next_look
from .update import BlogUpdate

FOUND = 200


class AnnouncementsFirst:
    """A handler that asks for the announcements alone; the whole update is begun only where one of
    them is another.

    It is given the answers that came, so that nothing is asked for twice. `said` has the digests of
    what they said last time, by their addresses.
    """

    def __init__(self, asks: Sequence[Ask], said: Mapping[str, str], begin: Callable[[], PageHandler]) -> None:
        self._asks, self._said, self._begin = asks, said, begin
        self._whole: PageHandler | None = None
        self._answers: list[Answer] = []

    @property
    def answered(self) -> int:
        """Announcements that came."""
        return len(self._answers)

    @property
    def unchanged(self) -> bool:
        """Whether every announcement came, and says what it said."""
        return self.answered == len(self._asks) and all(map(self._says_the_same, self._answers))

    def start(self) -> Iterable[Ask]:
        """The announcements."""
        return self._asks

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """An announcement waits until all have come; all else is the whole update's."""
        if self._whole is not None:
            return self._whole.handle(answer)
        self._answers.append(answer)
        return []

    def idle(self) -> Iterable[Ask]:
        """Nothing, where all is as it was; else what the whole update asks next.

        It begins here and not with the first answer: reading a large blog takes long, and this is
        done beside the event loop.
        """
        if self._whole is not None:
            return self._whole.idle()
        return [] if self.unchanged else self.begin_whole()

    def begin_whole(self) -> list[Ask]:
        """Begin the whole update with the answers that came: what it asks for beyond them."""
        self._whole = whole = self._begin()
        asked = {ask.url for ask in self._asks}
        asks = [ask for ask in whole.start() if ask.url not in asked]
        for answer in self._answers:
            asks += whole.handle(answer)
        return asks or list(whole.idle())

    def _says_the_same(self, answer: Answer) -> bool:
        if answer.status != FOUND or answer.page is None:
            return False
        if answer.ask.role == "api":
            # It was asked for what changed since the last update: it says the same when it says
            # nothing.
            changed = parse_posts(answer.page)
            return changed is not None and not changed.entries
        digest = answer.ref.digest if answer.ref else ""
        return bool(digest) and digest == self._said.get(answer.ask.url)


def quiet_until(update: BlogUpdate, found: UpdateFindings, turned: datetime | None) -> datetime | None:
    """Until when no post needs a look as long as the announcements say the same; None where
    something is left to do.

    An update that asked for nothing but the announcements and old posts in turn, and found these as
    they were, would ask for the same again: only time changes that.
    """
    if _found_something(update, found) or _went_wrong(update) or _looks_by_more(update):
        return None
    return next_look(update.remembered.posts, update.budget, update.clock.now, turned)


def _found_something(update: BlogUpdate, found: UpdateFindings) -> bool:
    as_they_were = sum(map(_is_as_it_was, found.findings))
    looked_only_in_turn = as_they_were == len(found.findings) == update.asked_for_looks
    return not looked_only_in_turn or bool(found.notes or found.relearned)


def _went_wrong(update: BlogUpdate) -> bool:
    """Whether something was stopped or could not be had, and is tried again the next time."""
    return bool(update.cut_by or update.offers.failures or update.reasons or update.guard.broken())


def _looks_by_more(update: BlogUpdate) -> bool:
    """Whether more than announcements and time says what the next update looks at."""
    # Late comments are looked for in a browser; what came while the blog was frozen is still to be
    # judged; and of posts with one new date the statement of this update says what that of the next
    # one must not.
    return bool(update.late.wanted or update.clock.since or update.remembered.unjudged or update.mass.posts)


def _is_as_it_was(finding: Finding) -> bool:
    return finding.look.why == "turn" and finding.kind == "same" and finding.move is None
