"""Hooks: programs that tell us of new posts and sign what they say; each has a name and a secret of its own."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.ping.posted import read_posted
from blogforever.storage.deciding import PingServerKept
from blogforever.storage.pings import PingServer
from blogforever.storage.tables import Store

from .desk import Desk, new_id
from .pinged import PingReceiver
from .pings import MOST_SERVERS
from .signing import new_secret, signature_of

# Seconds that what was sent may be old, or early where clocks differ; as the standard has it.
WINDOW = 300
LONGEST_ID = 200
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
UNSIGNED = "It is not signed with the secret of this hook."
OLD = f"It was signed more than {WINDOW} seconds ago, or will be."
TWICE = "This delivery came before."
IS_OFF = "This hook is off at the moment."


class RefusedError(Exception):
    """A delivery is not taken, for this reason."""


@dataclass(frozen=True, slots=True)
class MadePingHook:
    """A hook that was just made, with its secret, this once."""

    server: PingServer
    secret: str


@dataclass(frozen=True, slots=True)
class PostedPings:
    """What was made of a delivery: pings that are kept, those of them that lead to something, and
    rows that are none.
    """

    received: int
    let_in: int
    malformed: int


def add_hook(desk: Desk, name: str) -> MadePingHook:
    """A hook at `/hooks/NAME`: on, for blogs that are followed; a filter may let it find new ones."""
    slug = name.strip()
    if not NAME.fullmatch(slug):
        raise UsageError("A hook is named by small letters, digits and hyphens, at most 60 of them.")
    servers = desk.store.ping_servers.all()
    if len(servers) >= MOST_SERVERS:
        raise UsageError(f"There are {MOST_SERVERS} ping servers already; drop one first.")
    if hook_named(desk.store, slug):
        raise UsageError(f"There is a hook {slug!r} already; drop it first for a new secret.")
    made = PingServer(new_id(), slug, "hook", slug, is_on=True, is_limited=True, created=clock.stamp(), by=desk.by)
    secret = new_secret()
    desk.decide(PingServerKept(at=clock.stamp(), by=desk.by, server=made, secret=secret))
    return MadePingHook(made, secret)


def hook_named(store: Store, name: str) -> PingServer | None:
    """The hook with this name."""
    return next((one for one in store.ping_servers.all() if one.kind == "hook" and one.url == name), None)


@dataclass(slots=True)
class HookDoor:
    """Takes what is posted to hooks, from any thread; nothing twice, after a restart neither."""

    receiver: PingReceiver
    _under_way: set[tuple[str, str]] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def take(self, name: str, headers: Mapping[str, str], body: bytes) -> PostedPings:
        """Keep the pings of a delivery; when it returns, no crash loses them. RefusedError where it
        is not signed, old, or came before; BadInput where it says nothing.
        """
        server, delivery, sent = self._checked(name, headers, body)
        with self._alone(server.id, delivery):
            notices, malformed = read_posted(body)
            sifted = self.receiver.receive(server, notices, malformed)
            # Behind the pings: who is killed in between is sent it again, and takes it.
            since = int(clock.system().timestamp()) - WINDOW
            self.receiver.store.ping_servers.remember(server.id, delivery, sent, since)
        return PostedPings(sifted.received, len(sifted.known) + len(sifted.unknown), malformed)

    def _checked(self, name: str, headers: Mapping[str, str], body: bytes) -> tuple[PingServer, str, int]:
        store = self.receiver.store
        server = hook_named(store, name)
        delivery, sent = headers.get("webhook-id", "")[:LONGEST_ID], _moment(headers)
        secret = store.ping_servers.secret(server.id) if server else ""
        if server is None or not _is_signed(secret, delivery, sent, headers, body):
            raise RefusedError(UNSIGNED)
        if abs(clock.system().timestamp() - sent) > WINDOW:
            raise RefusedError(OLD)
        if not server.is_on:
            raise RefusedError(IS_OFF)
        return server, delivery, sent

    @contextmanager
    def _alone(self, server: str, delivery: str) -> Iterator[None]:
        """While one takes a delivery, nobody else takes the same; nobody does who comes later."""
        with self._lock:
            if (server, delivery) in self._under_way:
                raise RefusedError(TWICE)
            self._under_way.add((server, delivery))
        try:
            if self.receiver.store.ping_servers.has_come(server, delivery):
                raise RefusedError(TWICE)
            yield
        finally:
            with self._lock:
                self._under_way.discard((server, delivery))


def _moment(headers: Mapping[str, str]) -> int:
    said = headers.get("webhook-timestamp", "")
    is_number = said.isascii() and said.isdecimal() and len(said) <= len(str(2**62))
    return int(said) if is_number else 0


def _is_signed(secret: str, delivery: str, sent: int, headers: Mapping[str, str], body: bytes) -> bool:
    """Whether one of the signatures that came is ours."""
    if not secret or not delivery:
        return False
    ours = signature_of(secret, delivery, sent, body).encode()
    theirs = headers.get("webhook-signature", "").encode("utf-8", "replace").split()
    return any(hmac.compare_digest(ours, one) for one in theirs)
