"""An FTP server of ours on loopback, for tests, and clients of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ftplib import FTP, FTP_TLS
from io import BytesIO
from pathlib import Path
from ssl import CERT_REQUIRED, SSLContext, create_default_context
from typing import Any

from blogforever.service.standing import Standing
from blogforever.web.ftpserving import ftp_serving

HOST = "127.0.0.1"
# Seconds that an answer may take on a busy machine.
PATIENCE = 60
SECRET = "correct horse"


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def ftp_running(standing: Standing, **options: Any) -> Iterator[int]:
    """The server of a service, until the block ends; its port."""
    port = free_port()
    standing.config = replace(standing.config, ftp_port=port, **options)
    server = ftp_serving(standing)
    server.start()
    try:
        yield port
    finally:
        server.stop()


@contextmanager
def client(port: int, name: str, secret: str = SECRET) -> Iterator[FTP]:
    """A client that has logged in."""
    with FTP(timeout=PATIENCE) as ftp:
        ftp.connect(HOST, port)
        ftp.login(name, secret)
        yield ftp


@contextmanager
def encrypted(port: int, name: str, certificate: Path) -> Iterator[FTP_TLS]:
    """A client that encrypts everything, and knows the server by its certificate alone."""
    with FTP_TLS(context=trusting(certificate), timeout=PATIENCE) as ftp:
        ftp.connect(HOST, port)
        ftp.login(name, SECRET)
        ftp.prot_p()
        yield ftp


def trusting(certificate: Path) -> SSLContext:
    """Trusts this certificate, and no other."""
    context = create_default_context(cafile=str(certificate))
    context.check_hostname, context.verify_mode = False, CERT_REQUIRED
    return context


def fetched(ftp: FTP, name: str) -> bytes:
    """What a file holds."""
    taken = BytesIO()
    ftp.retrbinary(f"RETR {name}", taken.write)
    return taken.getvalue()


def xml_names(ftp: FTP) -> list[str]:
    """The files that wait, oldest first."""
    return sorted(name for name in ftp.nlst() if name.endswith(".xml"))
