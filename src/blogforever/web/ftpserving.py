"""The FTP server: in a thread of its own, encrypted, for accounts of its own, to read and to delete."""

from __future__ import annotations

import asyncio
import socket
import threading
import warnings
from dataclasses import dataclass, field
from typing import Any

from blogforever.archive.outbox import is_wanted
from blogforever.errors import BlogForeverError, UsageError
from blogforever.logs import logger
from blogforever.service.ftpplace import FtpPlace
from blogforever.service.hosts import is_loopback
from blogforever.service.outbox import checked_account
from blogforever.service.standing import Standing
from blogforever.service.supervising import pause

from .ftpcertificate import certificate_file, fingerprint_of
from .ftpfiles import OutboxFilesystem

with warnings.catch_warnings():
    # It stands on asyncore, which Python 3.12 has no more; there it brings its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from OpenSSL import SSL
    from pyftpdlib.exceptions import AuthenticationFailed
    from pyftpdlib.handlers import TLS_FTPHandler
    from pyftpdlib.ioloop import IOLoop
    from pyftpdlib.servers import FTPServer

# Enter folders, list, read, delete files; nothing else.
PERMISSIONS = "elrd"
# Connections in all and from one address, data connections included, so that nobody takes them all.
MOST_CONNECTIONS, MOST_FROM_ONE = 200, 30
# Seconds that a client may say nothing.
PATIENCE = 300
# Seconds until somebody hears that a password was wrong.
AFTER_WRONG = 1
# Seconds between two looks at whether anybody has an account, and in which the thread hears that it
# is to end.
LOOKING = 1.0
HEARING = 0.25
NO_ENTRY = "There is no such account, or this is not its password."
TOO_OFTEN = "These were many tries; come again later."
log = logger("web")


class OutboxAuthorizer:
    """Who may enter: the accounts of the outbox, each for itself alone."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def validate_authentication(self, username: str, password: str, handler: Any) -> None:
        """Raise where it is not the password of this account, or it was tried too often."""
        tried = (f"ftp {username}", f"ftp from {handler.remote_ip}")
        waits = [self._standing.log_ins.take(name) for name in tried]
        if any(waits):
            raise AuthenticationFailed(TOO_OFTEN)
        try:
            account = checked_account(self._standing.archive.store, username, password)
        except BlogForeverError as error:
            raise AuthenticationFailed(str(error)) from error
        if account is None:
            raise AuthenticationFailed(NO_ENTRY)
        for name in tried:
            self._standing.log_ins.fill(name)

    def get_home_dir(self, username: str) -> str:
        """The top of what it sees."""
        return "/"

    def has_perm(self, username: str, perm: str, path: str | None = None) -> bool:
        """Whether something may be done."""
        return perm in PERMISSIONS

    def get_perms(self, username: str) -> str:
        """All that may be done."""
        return PERMISSIONS

    def get_msg_login(self, username: str) -> str:
        """What is said to who enters."""
        return "Fetch the files, check them by SHA256SUMS, delete them. To have them again: RETR again/NUMBER."

    def get_msg_quit(self, username: str) -> str:
        """What is said to who leaves."""
        return "Goodbye."

    def impersonate_user(self, username: str, password: str) -> None:
        """Nobody of this machine."""

    def terminate_impersonation(self, username: str) -> None:
        """Nobody of this machine, either."""


class OutboxHandler(TLS_FTPHandler):  # type: ignore[misc]  # it says nothing of its types
    """One connection of a client."""

    standing: Standing
    abstracted_fs = OutboxFilesystem
    banner = "Blogs for repositories."
    timeout = PATIENCE
    auth_failed_timeout = AFTER_WRONG
    # The client is told where to come for data, and never asks us to connect to somebody else.
    permit_foreign_addresses = False
    ssl_options = SSL.OP_NO_SSLv2 | SSL.OP_NO_SSLv3 | SSL.OP_NO_TLSv1 | SSL.OP_NO_TLSv1_1 | SSL.OP_NO_COMPRESSION

    def on_connect(self) -> None:
        """Who comes from another machine must encrypt, unless that was decided otherwise."""
        if is_loopback(self.remote_ip):
            self.tls_control_required = self.tls_data_required = False

    def on_file_sent(self, file: str) -> None:
        """A client has a whole file."""
        try:
            self.fs.folder.sent(file)
        except BlogForeverError as error:
            log.error("it could not be noted that %s was fetched: %s", file, error)

    def log(self, msg: str, logfun: Any = None) -> None:
        """What clients do, for who looks closely."""
        log.info("ftp %s: %s", self.remote_ip, msg)

    def log_exception(self, instance: object) -> None:
        """A fault of ours; the connection ends, and the others go on."""
        log.exception("ftp %s: a fault", getattr(self, "remote_ip", ""))


@dataclass(slots=True)
class FtpServing:
    """The FTP server of a service: its socket is taken at once, and answers when the first account
    is there.
    """

    standing: Standing
    listening: socket.socket
    certificate: str
    _thread: threading.Thread | None = None
    _ending: threading.Event = field(default_factory=threading.Event)

    async def run(self, draining: asyncio.Event) -> None:
        """Until the service is drained."""
        try:
            while not draining.is_set():
                if self._thread is None and await asyncio.to_thread(is_wanted, self.standing.archive):
                    self.start()
                await pause(LOOKING, unless=draining)
        finally:
            await asyncio.to_thread(self.stop)

    def start(self) -> None:
        """Answer, in a thread."""
        loop = IOLoop()
        server = FTPServer(self.listening, self._handler(), ioloop=loop)
        server.max_cons, server.max_cons_per_ip = MOST_CONNECTIONS, MOST_FROM_ONE
        self._thread = threading.Thread(target=self._serve, args=(loop, server), name="ftp", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Answer no more; what is being sent is cut off, and stays to be fetched."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        self.listening.close()

    def _serve(self, loop: Any, server: Any) -> None:
        try:
            while not self._ending.is_set():
                loop.loop(timeout=HEARING, blocking=False)
        finally:
            server.close_all()
            loop.close()

    def _handler(self) -> type[OutboxHandler]:
        """A class of its own: the server takes its settings from there."""
        config = self.standing.config
        must_encrypt = not config.ftp_plain
        settings = {
            "standing": self.standing,
            "authorizer": OutboxAuthorizer(self.standing),
            "certfile": self.certificate,
            "ssl_context": None,
            "passive_ports": passive_ports(config.ftp_passive_ports),
            "masquerade_address": config.ftp_address or None,
            "tls_control_required": must_encrypt,
            "tls_data_required": must_encrypt,
        }
        return type("ServiceHandler", (OutboxHandler,), settings)


def ftp_serving(standing: Standing) -> FtpServing:
    """The FTP server that the options ask for."""
    config = standing.config
    passive_ports(config.ftp_passive_ports)
    path = certificate_file(standing.archive.folder, config.ftp_certificate, config.host)
    own = _bound(config.host, config.ftp_port)
    standing.ftp = FtpPlace(config.host, config.ftp_port, fingerprint_of(path), config.ftp_plain)
    return FtpServing(standing, own, str(path))


def passive_ports(said: str) -> list[int] | None:
    """The ports for data; None where any may be taken, UsageError where it is no range."""
    if not said:
        return None
    first, _, last = said.partition("-")
    is_range = first.isdecimal() and last.isdecimal() and 0 < int(first) <= int(last) < 2**16
    if not is_range:
        raise UsageError(f"--ftp-passive-ports is a range as 60000-60100, not {said[:40]!r}.")
    return list(range(int(first), int(last) + 1))


def _bound(host: str, port: int) -> socket.socket:
    """The socket of the server; nobody is answered there before the first account."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    own = socket.socket(family, socket.SOCK_STREAM)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind((host, port))
    except (OSError, OverflowError) as error:
        own.close()
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"The FTP server cannot listen at {host}, port {port}: {why}.") from error
    return own
