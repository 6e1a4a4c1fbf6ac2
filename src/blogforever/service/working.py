"""What a worker does for each kind of job: looks at blogs, and writes down what that means for them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.following import Follower
from blogforever.config import Config
from blogforever.errors import ArchiveError
from blogforever.records import json_line
from blogforever.storage.following import FollowedBlog
from blogforever.storage.work import ACCEPT, JobKind, JobRow
from blogforever.store.folder import ArchiveFolder
from blogforever.work.handling import Carried, JobHandler
from blogforever.work.worker import WorkerLimits

from .scheduling import begun, given_up, looked

# Seconds until a blog is tried again that another command is writing, or whose look was stopped.
LATER = 30.0


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
            return Carried(json_line({"outcome": "forgotten"}))
        look = await self.follower.look_at(followed.url, followed.blog or "", self._options(job))
        if look.outcome in ("busy", "interrupted"):
            return Carried(postponed=LATER)
        return Carried(json_line(told(look)), partial(looked, store, job, look))

    def _options(self, job: JobRow) -> Config:
        """The options of this look: a person may have said that what a frozen blog shows is
        true.
        """
        return replace(self.config, accept_changes=True) if job.input == ACCEPT else self.config

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
    looks = LookHandler(follower, config)
    return {"harvest": looks, "update": looks}


def limits_of(archive: ArchiveFolder, config: Config) -> WorkerLimits:
    """How much at a time, and when nothing more."""

    def no_room() -> str:
        try:
            archive.check_room()
        except ArchiveError as error:
            return str(error)
        return ""

    return WorkerLimits({"update": config.updates, "harvest": config.harvests}, config.max_memory, no_room)
