"""What is piped in, as a file."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO

INPUT = "-"
"""What people write for standard input."""
# Bytes of what is piped in that are held in memory; more goes to a file until it is read.
IN_MEMORY = 8 * 1024 * 1024


def piped(opened: ExitStack) -> IO[bytes]:
    """Standard input as a file that can be rewound."""
    file = opened.enter_context(SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115  the stack closes it
    shutil.copyfileobj(sys.stdin.buffer, file)
    file.seek(0)
    return file
