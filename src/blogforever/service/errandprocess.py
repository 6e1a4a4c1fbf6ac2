"""The process of one errand: `python -m blogforever.service.errandprocess`, started by a worker.

Options and errand come over standard input, whose end says that the worker is gone; what came of
it goes to standard output.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from asyncio.subprocess import PIPE

import msgspec

from blogforever import logs
from blogforever.config import Config
from blogforever.errors import BlogForeverError
from blogforever.typedjson import decoded

from .errands import Errand, ErrandEnd, run_errand
from .supervising import heard_config, said, told_config

MODULE = "blogforever.service.errandprocess"
# How much it stands back where others want the processor: further than the workers do.
NICENESS = 5
ORPHANED = 130


async def in_process(config: Config, errand: Errand) -> ErrandEnd:
    """Do an errand in a process of its own; who is cancelled over it ends the process, too."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(told_config(config) + msgspec.json.encode(errand) + b"\n")
        await process.stdin.drain()
        told = await process.stdout.read()
        code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        process.stdin.close()
    if code or not told:
        raise BlogForeverError(f"The process that did it ended without a word ({said(code)}).")
    return decoded(told, ErrandEnd)


def main() -> int:
    """Do one errand."""
    config = heard_config(sys.stdin.buffer.readline())
    errand = decoded(sys.stdin.buffer.readline(), Errand)
    logs.set_up(config.log_level, config.log_format)
    os.nice(NICENESS)
    threading.Thread(target=_end_with_the_worker, daemon=True).start()
    with logs.about(job=errand.job, kind=errand.kind, blog=errand.blog):
        end = run_errand(config, errand)
    sys.stdout.buffer.write(msgspec.json.encode(end))
    sys.stdout.buffer.flush()
    return 0


def _end_with_the_worker() -> None:
    """Nobody waits for it any more: another worker begins anew."""
    # Not through the buffer: Python cannot end while a thread waits there.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(ORPHANED)


if __name__ == "__main__":
    sys.exit(main())
