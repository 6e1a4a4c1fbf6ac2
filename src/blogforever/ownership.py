"""Whose a file is: what somebody else left in a folder must not decide what our programs do."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = 0


def is_strangers(path: Path) -> bool:
    """Whether a file, or the folder it lies in, belongs to another user than the one who runs this.

    What belongs to the administrator is no stranger's: who administers the machine decides anyway.
    Systems without owners (Windows) know no strangers.
    """
    if not hasattr(os, "geteuid"):
        return False
    own = (os.geteuid(), ROOT)
    return any(place.stat().st_uid not in own for place in (path, path.absolute().parent))
