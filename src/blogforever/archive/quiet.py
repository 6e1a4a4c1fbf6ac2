"""What an update leaves for the next one, so that it can end where the blog's announcements say what they said."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import datetime

from blogforever.config import Config
from blogforever.storage.values import QuietRow

from .fetchers import options_told, own_version
from .jobs import Run

ALL = 1.0
"""The share of old posts that means all of them, now: who gives it does not want to wait for their
turn.
"""


def asks_for_more(config: Config) -> bool:
    """Whether options ask for more than what the blog announces: then the posts must be known."""
    wants_the_past = bool(config.full or config.since or config.moved_from or config.replay)
    return wants_the_past or config.accept_changes or config.recheck >= ALL


def last_turn(before: QuietRow | None, share: float) -> datetime | None:
    """When old posts last had their turn; None where another share of them is wanted than then, or
    all.
    """
    if before is None or before.turned is None or share >= ALL or before.share != str(share):
        return None
    return datetime.fromisoformat(before.turned)


def settings_mark(run: Run) -> str:
    """Stands for all that an update goes by beside the blog itself: our version, options, rules,
    decisions of people.

    Where it is another one, the same announcements may mean something else.
    """
    config, archive = run.config, run.archive
    goes_by = [
        own_version(),
        options_told(config),
        asdict(config.stages),
        config.screenshots,
        config.cookies,
        run.rendering.able,
        archive.read_rules(run.blog),
        archive.journal.extent(run.blog),
    ]
    return hashlib.sha256(json.dumps(goes_by).encode()).hexdigest()
