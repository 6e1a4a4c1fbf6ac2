"""A notice: somebody says that there is something new at an address."""

from __future__ import annotations

from msgspec import Struct

# Characters of each part of a notice that are read; what is longer is no address or name of a blog.
LONGEST_ADDRESS = 2000
LONGEST_NAME = 500


class Notice(Struct, frozen=True, gc=False):
    """One ping, as it was sent: nothing of it is believed before the blog itself was asked.

    Made a hundred thousand times a second: a Struct costs a fifth of a frozen dataclass.
    """

    url: str
    name: str = ""
    feed: str = ""
    service: str = ""
    """Who sent it on, where the server says so: "ping", or the name of a platform."""
    at: str = ""
    """When it was sent, in the server's own words."""
    is_polled: bool = False
    """The server looked by itself; the blog did not ping."""


def host_of_notice(url: str) -> str:
    """The host an address names, without `www.`; empty where it names none.

    For counting and looking up only, at the cost of a few cuts: `source.address` decides what is an
    address.
    """
    _, has_scheme, rest = url.partition("://")
    if not has_scheme:
        return ""
    place = rest.partition("/")[0].partition("?")[0].partition("#")[0]
    host = place.rpartition("@")[2].partition(":")[0].lower()
    return host.removeprefix("www.")
