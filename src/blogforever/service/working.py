"""What a worker does for each kind of job: looks at blogs, and writes down what that means for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.following import Follower
from blogforever.config import Config
from blogforever.errors import ArchiveError, BlogForeverError
from blogforever.records import json_line
from blogforever.storage.following import FollowedBlog
from blogforever.storage.pushes import Delivery
from blogforever.storage.tables import Store
from blogforever.storage.work import ACCEPT, PERSON, JobKind, JobRow
from blogforever.store.folder import ArchiveFolder
from blogforever.work.handling import Carried, JobHandler
from blogforever.work.worker import WorkerLimits

from .analysing import analysed, analysis_begun, analysis_ended
from .errandprocess import in_process
from .errands import Errand, ErrandEnd
from .exports import errand_of
from .pinged import BY_PING
from .pushed import pushed_feed
from .scheduling import begun, given_up, looked, wants_comments, why_in_vain
from .suspecting import look_for_spam, spam_signals
from .verdicts import Gatekeeper, wants_gate

# Seconds until a blog is tried again that another command is writing, or whose look was stopped.
LATER = 30.0
# Of each kind at a time, in each worker: one takes a whole core.
ERRANDS = 1
# Blogs whose every page is drawn, at a time, in each worker: they share one browser.
DRAWN = 2
# What came of a job for a blog that nobody follows any more, or of which nothing is kept.
FORGOTTEN = Carried(json_line({"outcome": "forgotten"}))


@dataclass(slots=True)
class LookHandler:
    """Harvests a blog for the first time, or brings it up to date."""

    follower: Follower
    config: Config

    async def carry_out(self, job: JobRow) -> Carried:
        """Look at the blog; how it stands then is written in one with the job's end."""
        store = self.follower.archive.store
        # Beside the event loop: another process may keep the database for a while, and all other
        # blogs would wait.
        followed = await asyncio.to_thread(self._begin, job)
        if followed is None:
            return FORGOTTEN
        for_comments = await asyncio.to_thread(wants_comments, store, job, followed)
        # What a hub delivered waits for a look at posts.
        delivery = None if for_comments else await asyncio.to_thread(store.deliveries.waiting, job.blog)
        # A look that the schedule or a person wants asks for the feed itself: so it is found what
        # hubs miss.
        wanted = delivery if job.asked_by == BY_PING else None
        pushed = await asyncio.to_thread(pushed_feed, store, wanted) if wanted else None
        options = replace(self._options(job), late_comments=for_comments)
        gate = self._gate(followed) if await asyncio.to_thread(self._is_unknown, followed) else None
        look = await self.follower.look_at(followed.url, followed.blog or "", options, pushed, gate)
        if look.outcome in ("busy", "interrupted"):
            return Carried(postponed=LATER)
        if look.outcome == "finished":
            await asyncio.to_thread(look_for_spam, self.follower.archive, job.blog, look)
        given = await asyncio.to_thread(_titles_given, self.follower.archive)
        write = partial(_looked, store, job, look, delivery, for_comments, given)
        return Carried(json_line(told(look)), write, why_in_vain(look))

    def _gate(self, followed: FollowedBlog) -> Gatekeeper:
        store = self.follower.archive.store
        return Gatekeeper(store, followed.id, spam_signals(store, followed.id))

    def _is_unknown(self, followed: FollowedBlog) -> bool:
        """Whether it is still to be told what this is."""
        return followed.blog is None and wants_gate(self.follower.archive.store, followed.id)

    def _options(self, job: JobRow) -> Config:
        """The options of this look: who asks for one himself wants everything, and may have said
        that what a frozen blog shows is true.
        """
        options = replace(self.config, accept_changes=job.input == ACCEPT, brief=job.priority != PERSON)
        return replace(options, full=True, render="always") if job.kind == "render" else options

    def _begin(self, job: JobRow) -> FollowedBlog | None:
        """The blog that is meant, and that somebody looks
        at it; None where nobody follows it any more.
        """
        store = self.follower.archive.store
        followed = store.followed.find(job.blog)
        if followed and followed.state == "waiting":
            begun(store, job.blog)
        return followed

    def give_up(self, job: JobRow, error: str) -> None:
        """Nothing came of it: the next look is planned as after a failure."""
        given_up(self.follower.archive.store, job, error)


def _titles_given(archive: ArchiveFolder) -> Set[str]:
    """The names that people gave blogs; none where what they decided cannot be read, which undoes no look."""
    try:
        return archive.following.titles()
    except ArchiveError:
        return frozenset()


def _looked(
    store: Store, job: JobRow, look: BlogLook, delivery: Delivery | None, for_comments: bool, given: Set[str]
) -> None:
    """Write down how the blog stands; what was delivered before the look began is not needed any
    more.
    """
    looked(store, job, look, for_comments, given)
    if delivery is not None:
        store.deliveries.used(job.blog, delivery.id)


@dataclass(slots=True)
class AnalyseHandler:
    """Finds out what is at an address, without harvesting it: its home, its feeds, about how many
    posts.
    """

    follower: Follower

    async def carry_out(self, job: JobRow) -> Carried:
        """Ask for what the blog announces; what it is called, and whether it is a known one, is
        written with the job's end.
        """
        store = self.follower.archive.store
        followed = await asyncio.to_thread(analysis_begun, store, job.blog)
        if followed is None:
            return FORGOTTEN
        found = await self.follower.survey(followed.url)
        return Carried(json_line(asdict(found)), partial(analysed, store, job.blog, found))

    def give_up(self, job: JobRow, error: str) -> None:
        """The first harvest decides."""
        analysis_ended(self.follower.archive.store, job.blog, error)


@dataclass(slots=True)
class ErrandHandler:
    """Has done what is all processor, in a process of its own."""

    store: Store
    config: Config
    run: Callable[[Config, Errand], Awaitable[ErrandEnd]] = in_process

    async def carry_out(self, job: JobRow) -> Carried:
        """Read the blog again, or export."""
        errand = await asyncio.to_thread(self._errand, job)
        if errand is None:
            return FORGOTTEN
        end = await self.run(self.config, errand)
        if end.error:
            raise BlogForeverError(end.error)
        return Carried(postponed=LATER) if end.busy else Carried(json_line(end.figures))

    def _errand(self, job: JobRow) -> Errand | None:
        if job.kind == "export":
            return errand_of(job)
        followed = self.store.followed.find(job.blog)
        return Errand("reread", job.id, followed.blog) if followed and followed.blog else None

    def give_up(self, job: JobRow, error: str) -> None:
        """Nothing else depends on it."""


def told(look: BlogLook) -> dict[str, Any]:
    """What a job says of the look it was."""
    learned = look.learned
    return {
        "outcome": look.outcome,
        "reason": look.reason,
        "blog": look.blog,
        "url": look.url,
        "found": learned.found,
        "changed": learned.changed,
        "requests": learned.requests,
        "bytes": learned.bytes,
    }


def handlers_of(follower: Follower, config: Config) -> Mapping[JobKind, JobHandler]:
    """Who carries out what."""
    looks, errands = LookHandler(follower, config), ErrandHandler(follower.archive.store, config)
    return {
        "harvest": looks,
        "update": looks,
        "render": looks,
        "analyse": AnalyseHandler(follower),
        "reread": errands,
        "export": errands,
    }


def limits_of(archive: ArchiveFolder, config: Config) -> WorkerLimits:
    """How much at a time, and when nothing more."""

    def no_room() -> str:
        try:
            archive.check_room()
        except ArchiveError as error:
            return str(error)
        return ""

    slots: dict[JobKind, int] = {"update": config.updates, "harvest": config.harvests, "analyse": config.harvests}
    slots |= {"render": DRAWN, "reread": ERRANDS, "export": ERRANDS}
    slots = {kind: most for kind, most in slots.items() if not config.queue or kind in config.queue}
    return WorkerLimits(slots, config.max_memory, no_room, config.slots, config.silence)
