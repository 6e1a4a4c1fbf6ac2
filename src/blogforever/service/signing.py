"""How what is sent to webhooks is signed: as https://www.standardwebhooks.com has it, so that
receivers find libraries.

HMAC-SHA256 over the delivery's id, the moment it was sent and the body: who has the secret knows
that it comes from here, that nobody changed it, and that it is not an old one sent again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from blogforever import clock

MARK = "whsec_"
"""What a secret begins with, so that it is known for what it is."""
SECRET_BYTES = 32


def new_secret() -> str:
    """A secret that nobody guesses."""
    return MARK + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature_of(secret: str, delivery: str, sent: int, body: bytes) -> str:
    """The signature of a delivery that is sent at a moment, in seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(MARK))
    signed = f"{delivery}.{sent}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def signed_headers(secret: str, delivery: str, body: bytes) -> dict[str, str]:
    """The headers that a receiver checks. The moment is the machine's: a receiver has no other
    clock to compare it with.
    """
    sent = int(clock.system().timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "BlogForever-Webhook/1",
        "webhook-id": delivery,
        "webhook-timestamp": str(sent),
        "webhook-signature": signature_of(secret, delivery, sent, body),
    }
