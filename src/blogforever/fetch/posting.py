"""Sends one small request to an address that a person or a feed gave, and reads no more of the
answer than is wanted.

The guard decides where it may go, after the name was resolved; it follows no redirect, and waits
for nobody longer than it is told.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit

from blogforever.errors import UsageError

from .connecting import NowhereError, connected
from .guard import Names

PORTS = {"http": 80, "https": 443}
LONGEST_ADDRESS = 2000
# Bytes of an answer's first line: what is longer is none.
LONGEST_LINE = 4096
# Seconds for the rest of an answer whose status has come.
REST = 3.0
LOCATION = re.compile(rb"(?:^|\n)location:[ \t]{0,20}([^\s\x00-\x1f]{1,2000})", re.IGNORECASE)
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
# What may stand in a request's target beside letters and digits.
PLAIN = "/%:@!$&'()*+,;=~-._?"


@dataclass(frozen=True, slots=True)
class Posted:
    """What an address answered: its status, or 0 and why there was none."""

    status: int = 0
    error: str = ""
    location: str = ""
    """Where it sends us."""
    text: bytes = b""
    """What it says, as far as anybody asked for that."""

    @property
    def is_taken(self) -> bool:
        """Whether it took what was sent."""
        return 200 <= self.status < 300


def checked_target(url: str) -> str:
    """An address that can be sent to; UsageError where it cannot."""
    try:
        parts = urlsplit(url.strip())
        is_good = parts.scheme in PORTS and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good or len(url) > LONGEST_ADDRESS or not url.strip().isprintable():
        raise UsageError(f"{url[:200]!r} is no address that can be told of anything: http:// or https:// begins one.")
    if parts.username is not None or parts.password is not None:
        raise UsageError("An address with a name and a password in it would show them to everybody; leave them out.")
    return url.strip()


async def post(
    names: Names, url: str, headers: Mapping[str, str], body: bytes, seconds: float, most: int = 0
) -> Posted:
    """Send a body; all of it, from the look-up of the name to the status, takes so many seconds at
    most. Of what is answered behind the status so many bytes are read.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _post(names, urlsplit(url), headers, body, most)
    except TimeoutError:
        return Posted(error=f"It did not answer within {seconds:.0f} seconds.")
    except NowhereError as error:
        return Posted(error=str(error))
    except ssl.SSLError as error:
        return Posted(error=f"Its certificate or its encryption is not valid: {error.reason or error}.")
    except (OSError, ValueError) as error:
        return Posted(error=f"It cannot be reached: {error}.")


async def _post(names: Names, parts: SplitResult, headers: Mapping[str, str], body: bytes, most: int) -> Posted:
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    is_safe = parts.scheme == "https"
    async with connected(names, host, port, is_safe=is_safe, longest_line=LONGEST_LINE) as (reader, writer):
        writer.write(_request(parts, headers, len(body)) + body)
        await writer.drain()
        found = STATUS.match(await reader.readline())
        rest = await _rest(reader, most) if found and most else b""
    if found is None:
        return Posted(error="Its answer is no HTTP.")
    head, _, text = rest.partition(b"\r\n\r\n")
    location = LOCATION.search(head)
    return Posted(int(found[1]), location=location[1].decode("latin-1") if location else "", text=text)


async def _rest(reader: asyncio.StreamReader, most: int) -> bytes:
    """What comes behind the status; one that does not end is waited for a while."""
    rest = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(REST):
            while len(rest) < most and (piece := await reader.read(most - len(rest))):
                rest += piece
    return rest


def _request(parts: SplitResult, headers: Mapping[str, str], length: int) -> bytes:
    target = quote(parts.path or "/", safe=PLAIN) + (f"?{quote(parts.query, safe=PLAIN)}" if parts.query else "")
    host = (parts.hostname or "").encode("idna")
    place = (b"[" + host + b"]" if b":" in host else host) + (f":{parts.port}".encode() if parts.port else b"")
    lines = {"Content-Length": str(length), "Connection": "close", **headers}
    fields = "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode("latin-1")
    return b"POST " + target.encode() + b" HTTP/1.1\r\nHost: " + place + b"\r\n" + fields + b"\r\n"
