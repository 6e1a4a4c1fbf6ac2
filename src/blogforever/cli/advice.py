"""What to do about a reason for which something could not be fetched."""

from __future__ import annotations

ADVICE = {
    "private": "It is a private or loopback address: --allow-private fetches from those, too.",
    "connection": "Nobody answers there, or the connection breaks off: look at it in a browser, try again later.",
    "no such host": "There is no such host: look whether the address is written right.",
    "timeout": "It took too long: --timeout 120 waits longer.",
    "blocked by robots": "Its robots.txt forbids it: ask the owner, then write a [[policy]] for it.",
    "challenge": "A challenge page stands before it: open it in a browser, export its cookies, give them by --cookies.",
    "captcha": "A captcha stands before it: solve it in a browser, export its cookies, and give them by --cookies.",
    "login": "A log-in stands before it: log in with a browser, export its cookies, and give them by --cookies.",
    "too large": "It is larger than --max-size: --max-size 64M takes more.",
    "status 401": "It wants a log-in: log in with a browser, export its cookies, and give them by --cookies.",
    "status 403": "It refuses us: tell who you are by --contact, ask less often by --delay, or ask its owner.",
    "status 404": "There is no such page: look whether the address is written right.",
    "status 410": "The blog says that this is gone for good.",
    "status 429": "It asks us to come less often: --delay 5 leaves more time between requests.",
}
"""By the reasons as they are recorded."""
UNUSUAL = "Its server is in trouble: try again later."
SERVER_TROUBLE = ("status 5", "robots.txt status ")


def advice_for(reason: str | None) -> str:
    """What a person can do; empty where nothing is known to help."""
    if reason is None:
        return ""
    return ADVICE.get(reason) or (UNUSUAL if reason.startswith(SERVER_TROUBLE) else "")
