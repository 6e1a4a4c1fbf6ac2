"""The installed `blogforever serve` as a process of its own, for tests: started, asked, killed, ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from blogforever import clock
from blogforever.source.address import blog_name
from blogforever.storage.following import FollowedBlog
from blogforever.store.folder import ArchiveFolder

COMMAND = Path(sys.executable).with_name("blogforever")
# Seconds that whatever a test waits for may take on a busy machine.
PATIENCE = 600


@dataclass
class Service:
    """A running service and its archive."""

    process: subprocess.Popen[str]
    url: str
    archive: Path

    def get(self, path: str) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        try:
            with urlopen(self.url + path.lstrip("/"), timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def workers(self) -> list[int]:
        """The process ids of the workers that live."""
        with ArchiveFolder(self.archive, writing=False) as archive:
            return [row.pid for row in archive.store.workers.rows()]

    def blog(self, url: str) -> FollowedBlog:
        """A followed blog as it stands now."""
        with ArchiveFolder(self.archive, writing=False) as archive:
            found = archive.store.followed.find(blog_name(url))
            assert found
            return found

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and wait until it has; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(archive: Path, *flags: str) -> Iterator[Service]:
    """The service of an archive, until the block ends."""
    command = [str(COMMAND), "serve", "--archive", str(archive), "--port", "0", "--allow-private", "--delay", "0"]
    command += ["--render", "never", *flags]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    # As a terminal starts it: in a process group of its own, to which Ctrl-C goes.
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, env=environment, process_group=0) as process:
        assert process.stdout
        line = process.stdout.readline()
        try:
            assert line.startswith("Listening on http://127.0.0.1:"), line
            yield Service(process, line.split()[-1], archive)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(PATIENCE)


def follow(archive: Path, *urls: str) -> None:
    """Let blogs be followed, at once."""
    now = clock.stamp()
    with ArchiveFolder(archive, writing=True, alone=False) as folder:
        folder.store.followed.add([FollowedBlog(blog_name(url), url, now, next_look=now) for url in urls])


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    last = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < last, "it never was so"
        time.sleep(0.05)
