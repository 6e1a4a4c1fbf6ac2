"""What a process uses of the machine."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

STATM = Path("/proc/self/statm")


def keep_to_cores(most: int) -> int:
    """Use so many cores at most, with all processes that are begun from here on; 0 is any. How many
    are used then; where the system cannot say which process runs where, all.
    """
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count() or 1
    allowed = sorted(os.sched_getaffinity(0))
    if 0 < most < len(allowed):
        os.sched_setaffinity(0, allowed[:most])
    return len(os.sched_getaffinity(0))


def memory_used() -> int:
    """Bytes of memory this process has now; where the system does not tell, the most it ever
    had.
    """
    try:
        return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # macOS counts in bytes, all others in units of 1024.
        return most if sys.platform == "darwin" else most * 1024
