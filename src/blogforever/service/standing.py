"""How the running service stands: whether it drains, whether its archive can be used, whether workers live."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever.errors import ArchiveError
from blogforever.store.folder import ArchiveFolder

DRAINS = "The service is ending and takes no more work."
NO_WORKER = "No worker lives at this moment."


@dataclass(slots=True)
class Standing:
    """What the process that serves knows of itself, and its open archive."""

    archive: ArchiveFolder
    draining: bool = False

    def not_ready(self) -> list[str]:
        """Why no work can be done now; empty where it can."""
        reasons = [DRAINS] if self.draining else []
        reasons += [] if self.archive.store.workers.alive() else [NO_WORKER]
        try:
            self.archive.check_room()
        except ArchiveError as error:
            reasons.append(str(error))
        return reasons
