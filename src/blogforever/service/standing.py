"""How the running service stands: whether it drains, whether its archive can be used, whether workers live."""

from __future__ import annotations

from dataclasses import dataclass, field

from blogforever.config import Config
from blogforever.errors import ArchiveError
from blogforever.store.folder import ArchiveFolder
from blogforever.wording import N_

from .ftpplace import FtpPlace
from .handedin import ListDrafts
from .hosts import OwnNames
from .inbox import PingInbox
from .origins import ReplayOrigin
from .pinged import PingReceiver
from .pinghooks import HookDoor
from .pushed import PushInbox
from .rations import Rations
from .schedules import RememberedWeek
from .trying import Trying

DRAINS = N_("The service is ending and takes no more work.")
# Tries to log in under one name or from one address: so many at once, then one every so many
# seconds.
MOST_LOG_INS, LOG_IN_SECONDS = 8, 40.0
NO_WORKER = N_("No worker lives at this moment.")


@dataclass(slots=True)
class Standing:
    """What the process that serves knows of itself: its open archive, its options, and lists that
    people look through before they add them.
    """

    archive: ArchiveFolder
    draining: bool = False
    drafts: ListDrafts = field(default_factory=ListDrafts)
    config: Config = field(default_factory=Config)
    trying: Trying = field(default_factory=Trying)
    replay: ReplayOrigin = field(default_factory=ReplayOrigin)
    ftp: FtpPlace = field(default_factory=FtpPlace)
    log_ins: Rations = field(default_factory=lambda: Rations(MOST_LOG_INS, LOG_IN_SECONDS))
    week: RememberedWeek = field(default_factory=RememberedWeek)
    inbox: PingInbox = field(init=False)
    hooks: HookDoor = field(init=False)
    pushes: PushInbox = field(init=False)

    def __post_init__(self) -> None:
        self.inbox = PingInbox(PingReceiver(self.archive.store))
        self.hooks = HookDoor(self.inbox.receiver)
        self.pushes = PushInbox(self.archive.store)

    @property
    def names(self) -> OwnNames:
        """By which names it is called."""
        return OwnNames(self.config.host, self.config.public_url)

    def not_ready(self) -> list[str]:
        """Why no work can be done now; empty where it can."""
        reasons = [DRAINS] if self.draining else []
        reasons += [] if self.archive.store.workers.alive() else [NO_WORKER]
        try:
            self.archive.check_room()
        except ArchiveError as error:
            reasons.append(str(error))
        return reasons
