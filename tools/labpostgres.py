"""A real PostgreSQL for tools, on a port of loopback, that writes through to the disk; stopped and started at will."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from labblog import free_ports

PROGRAMS = Path("/usr/lib/postgresql")
# PostgreSQL refuses to run as root; who is root runs it as one of these.
USERS = ("postgres", "nobody")
# Seconds that a start or a stop may take.
PATIENCE = "120"


@dataclass
class LabPostgres:
    """One server and its folder."""

    folder: Path
    port: int = 0

    def make(self) -> str:
        """A new one, started; its address."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.port = self.port or free_ports(1)
        if user := self._user():
            shutil.chown(self.folder, user)
        self._call("initdb", "-D", "data", "-U", "lab", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        return f"postgresql://lab@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Until it answers."""
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=on"
        self._call("pg_ctl", "-D", "data", "-w", "-t", PATIENCE, "-l", "server.log", "-o", settings, "start")

    def stop(self, how: str = "fast") -> None:
        """`fast` cuts every connection; `immediate` is as if the machine were switched off."""
        self._call("pg_ctl", "-D", "data", "-w", "-t", PATIENCE, "-m", how, "stop")

    def _call(self, program: str, *arguments: str) -> None:
        user = self._user()
        where = sorted(PROGRAMS.glob("*/bin"))[-1]
        more = {"user": user, "extra_groups": []} if user else {}
        subprocess.run(  # type: ignore[call-overload]  # noqa: S603  the system's own programs
            [where / program, *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, **more
        )

    @staticmethod
    def _user() -> str | None:
        if os.getuid():
            return None
        known = {entry.pw_name for entry in pwd.getpwall()}
        return next(name for name in USERS if name in known)
