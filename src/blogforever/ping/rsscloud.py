"""rssCloud: the older way in which a feed offers to tell us, for a day at a time, by a form or by XML-RPC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from blogforever.errors import UsageError

from .calls import read_method

# Seconds after which a cloud has forgotten us, by its own rules: it is asked again before.
KNOWN_FOR = 25 * 3600
HTTP_POST, HTTPS_POST, XML_RPC = "http-post", "https-post", "xml-rpc"
HTTP_PORT, HTTPS_PORT = 80, 443
LONGEST_CHALLENGE = 1000
# What a cloud that speaks XML-RPC calls here when the feed has something new.
NOTIFY = "rssCloud.notify"
# What a cloud says that does not take us, whatever its status: in XML, in JSON, by XML-RPC.
REFUSED = re.compile(
    rb"success\s{0,9}=\s{0,9}[\"'](?:false|0)|\"success\"\s{0,9}:\s{0,9}false|<boolean>\s{0,9}0|<fault>", re.IGNORECASE
)
TAKEN = (
    b'<?xml version="1.0"?>\n<methodResponse><params><param><value><boolean>1</boolean></value></param></params>'
    b"</methodResponse>\n"
)


def asked_of_cloud(feed: str, callback: str) -> dict[str, str]:
    """The form that is sent to the cloud: tell this address of that feed."""
    host, port, path, is_safe = _place(callback)
    protocol = HTTPS_POST if is_safe else HTTP_POST
    return {
        "notifyProcedure": "",
        "domain": host,
        "port": str(port),
        "path": path,
        "protocol": protocol,
        "url1": feed,
    }


def call_of_cloud(procedure: str, feed: str, callback: str) -> bytes:
    """The same as a call by XML-RPC: it will call us the same way."""
    host, port, path, _is_safe = _place(callback)
    feeds = f"<array><data><value><string>{escape(feed)}</string></value></data></array>"
    values = [_string(NOTIFY), f"<int>{port}</int>", _string(path), _string(XML_RPC), feeds, _string(host)]
    params = "".join(f"<param><value>{value}</value></param>" for value in values)
    name = escape(procedure)
    return (
        f'<?xml version="1.0"?>\n<methodCall><methodName>{name}</methodName><params>{params}</params></methodCall>\n'
    ).encode()


def _string(text: str) -> str:
    return f"<string>{escape(text)}</string>"


def _place(callback: str) -> tuple[str, int, str, bool]:
    at = urlsplit(callback)
    is_safe = at.scheme == "https"
    return at.hostname or "", at.port or (HTTPS_PORT if is_safe else HTTP_PORT), at.path, is_safe


def is_refused(answer: bytes) -> bool:
    """Whether a cloud that answered says that it will not tell us."""
    return REFUSED.search(answer) is not None


def confirm_cloud(feed: str, asked: Mapping[str, str]) -> str | None:
    """What a cloud is answered that asks whether we did ask; None where we did not."""
    challenge = asked.get("challenge", "")
    is_ours = asked.get("url") == feed and 0 < len(challenge) <= LONGEST_CHALLENGE
    return challenge if is_ours else None


def is_called(body: bytes) -> bool:
    """Whether a cloud calls by XML-RPC, and does not send a form."""
    return body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def told_by_call(body: bytes) -> str:
    """The feed that a call of a cloud tells of; UsageError where it is no such call."""
    method, values = read_method(body)
    if method != NOTIFY or not values:
        raise UsageError(f"The call is not {NOTIFY}.")
    return values[0]
