"""WebSub: ask a hub to tell us of new entries, know its confirmation from anybody's, and believe what it signed."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# Seconds for which a hub is asked to tell us; it may grant less.
WANTED_LEASE = 10 * 86_400
# A hub that grants less is asked again all the time, one that grants more may forget us.
SHORTEST_LEASE, LONGEST_LEASE = 60, 30 * 86_400
# A subscription is asked for again when this share of its time has passed.
RENEWED_AT = 0.8
LONGEST_CHALLENGE = 1000
# Characters of why a hub says no that are kept.
LONGEST_REASON = 300
SIGNATURE = re.compile(r"(sha1|sha256|sha384|sha512)=([0-9a-fA-F]{40,128})")
Mode = Literal["subscribe", "unsubscribe"]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the hub is answered, and for how many seconds it will tell us; None where it was told to
    stop.
    """

    challenge: str
    lease: int | None


@dataclass(frozen=True, slots=True)
class Denied:
    """The hub will not tell us."""

    reason: str


def asked_of_hub(wanted: Mode, topic: str, callback: str, secret: str) -> dict[str, str]:
    """The form that is sent to the hub."""
    form = {"hub.mode": wanted, "hub.topic": topic, "hub.callback": callback}
    if wanted == "subscribe":
        form |= {"hub.secret": secret, "hub.lease_seconds": str(WANTED_LEASE)}
    return form


def heard_of_hub(wanted: Mode, topic: str, asked: Mapping[str, str]) -> Confirmed | Denied | None:
    """What a hub means that asks whether we did ask, or says no; None where we did not ask for
    this.
    """
    if asked.get("hub.topic") != topic:
        return None
    mode, challenge = asked.get("hub.mode"), asked.get("hub.challenge", "")
    if mode == "denied":
        return Denied(" ".join(asked.get("hub.reason", "").split())[:LONGEST_REASON])
    if mode != wanted or not 0 < len(challenge) <= LONGEST_CHALLENGE:
        return None
    return Confirmed(challenge, _granted(asked.get("hub.lease_seconds", "")) if wanted == "subscribe" else None)


def _granted(said: str) -> int:
    is_number = said.isascii() and said.isdigit() and len(said) <= len(str(10**12))
    return min(max(int(said), SHORTEST_LEASE), LONGEST_LEASE) if is_number else WANTED_LEASE


def is_signed(secret: str, body: bytes, header: str) -> bool:
    """Whether the hub signed this with the secret that only it and we know."""
    said = SIGNATURE.fullmatch(header.strip())
    if said is None or not secret:
        return False
    made = hmac.new(secret.encode(), body, getattr(hashlib, said[1])).hexdigest()
    return hmac.compare_digest(made, said[2].lower())
