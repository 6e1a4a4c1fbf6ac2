"""Storage that speaks S3 for tests: moto's server on loopback, one for each process of tests, over real HTTP.

A door before it can be shut, or cuts what goes through it.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from threading import Thread
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from .proxy import pass_on

CHUNK = 65536
_numbers = count()


@cache
def _server() -> int:
    # It outlives the test it was first needed for, and would write to what that one captured.
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    return server.get_host_and_port()[1]


def use_store(monkeypatch: pytest.MonkeyPatch, port: int = 0) -> None:
    """Let this process, and those it starts, find the store, or a door before it, as in every other place: by the
    environment.
    """
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-word-nobody-may-read")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port or _server()}")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def new_bucket(versions: bool = False) -> str:
    """The name of an empty bucket."""
    name = f"bucket-{next(_numbers)}"
    client().create_bucket(Bucket=name)
    if versions:
        client().put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    return name


@cache
def client() -> Any:
    """Amazon's own library, to look at what is really there."""
    return boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{_server()}",
        aws_access_key_id="tests",
        aws_secret_access_key="tests",
        region_name="us-east-1",
    )


class Door:
    """Passes connections on to the store; `shut` it refuses them, one that is `cutting` ends each after so many
    bytes were sent through it, and one that is `holding` passes nothing on after so many, and ends nothing.
    """

    def __init__(self) -> None:
        self.shut = False
        self.cutting: int | None = None
        self.holding: int | None = None
        self.cuts = self.held = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                one, _address = self._listener.accept()
                Thread(target=self._pass, args=[one], daemon=True).start()

    def _pass(self, one: socket.socket) -> None:
        with one:
            if self.shut:
                return
            with socket.create_connection(("127.0.0.1", _server())) as other:
                if self.cutting is not None:
                    self._cut(one, other, self.cutting)
                elif self.holding is not None:
                    self._hold(one, other, self.holding)
                else:
                    pass_on(one, other)

    def _cut(self, one: socket.socket, other: socket.socket, left: int) -> None:
        """Pass on only so much of what comes in, then end both sides in the middle of it."""
        back = Thread(target=_drain, args=[other, one], daemon=True)
        back.start()
        with suppress(OSError):
            while left > 0 and (data := one.recv(min(CHUNK, left))):
                other.sendall(data)
                left -= len(data)
        self.cuts += 1

    def _hold(self, one: socket.socket, other: socket.socket, left: int) -> None:
        """Pass on only so much of what comes in, then wait until who sends it is gone."""
        Thread(target=_drain, args=[other, one], daemon=True).start()
        with suppress(OSError):
            while left > 0 and (data := one.recv(min(CHUNK, left))):
                other.sendall(data)
                left -= len(data)
            self.held += left <= 0
            while one.recv(CHUNK):
                pass

    def close(self) -> None:
        """Let nobody in any more."""
        self._listener.close()


def _drain(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(CHUNK):
            to.sendall(data)


@contextmanager
def door() -> Iterator[Door]:
    """A door before the store."""
    one = Door()
    try:
        yield one
    finally:
        one.close()
