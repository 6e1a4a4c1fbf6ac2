"""Pings by XML-RPC, as blogs send them: `weblogUpdates.ping` and `extendedPing`, and what they are answered."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from lxml import etree

from blogforever.errors import UsageError

from .notice import LONGEST_ADDRESS, LONGEST_NAME, Notice

# A call names a blog and up to four addresses; what is larger is no ping.
LARGEST_CALL = 64 * 1024
PING, EXTENDED = "weblogUpdates.ping", "weblogUpdates.extendedPing"
THANKS = "Thanks for the ping."
NAME, BLOG = 0, 1
# Of an extended ping: name, blog, changed page, feed, categories.
# WordPress leaves out the page and sends the feed third.
WITH_PAGE = 4
# An ampersand that begins no entity of XML: it stands for itself, or for one of HTML.
BARE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
ANSWER = (
    '<?xml version="1.0"?>\n<methodResponse><params><param><value><struct>'
    "<member><name>flerror</name><value><boolean>{is_error}</boolean></value></member>"
    "<member><name>message</name><value><string>{message}</string></value></member>"
    "</struct></value></param></params></methodResponse>\n"
)


def read_call(body: bytes) -> Notice:
    """The ping that a call is; UsageError with one sentence where it is none."""
    method, values = read_method(body)
    if method not in {PING, EXTENDED}:
        raise UsageError("The call is neither weblogUpdates.ping nor weblogUpdates.extendedPing.")
    if len(values) <= BLOG or not values[BLOG]:
        raise UsageError("A ping names the blog and its address.")
    if len(values[BLOG]) > LONGEST_ADDRESS:
        raise UsageError("The address is longer than any address of a blog.")
    return Notice(values[BLOG], values[NAME][:LONGEST_NAME], _feed_of(method, values)[:LONGEST_ADDRESS], "ping")


def read_method(body: bytes) -> tuple[str, list[str]]:
    """What a call by XML-RPC calls, and its parameters as texts; UsageError where it is none."""
    if len(body) > LARGEST_CALL:
        raise UsageError("The call is larger than any ping.")
    call = _parsed(body)
    values = [_text_of(value) for value in call.iterfind("params/param/value")]
    return (call.findtext("methodName") or "").strip(), values


def answer(message: str = THANKS, is_error: bool = False) -> bytes:
    """What the blog that pinged is told."""
    return ANSWER.format(is_error=int(is_error), message=escape(message)).encode()


def _parsed(body: bytes) -> etree._Element:
    # Templates that begin with an empty line, and names with a bare "&", are common in what blogs send.
    body = body.lstrip()
    try:
        call = _read(body)
    except (etree.XMLSyntaxError, ValueError):
        try:
            call = _read(BARE.sub(b"&amp;", body))
        except (etree.XMLSyntaxError, ValueError) as error:
            raise UsageError("The call is not XML.") from error
    if call.tag != "methodCall" or call.getroottree().docinfo.internalDTD is not None:
        raise UsageError("The call is not XML-RPC.")
    return call


def _read(body: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(body, parser)


def _text_of(value: etree._Element) -> str:
    """The text of a value, with its type said or, as XML-RPC allows, unsaid."""
    return "".join(str(part) for part in value.itertext()).strip()


def _feed_of(method: str, values: list[str]) -> str:
    if method != EXTENDED or len(values) <= BLOG + 1:
        return ""
    return values[WITH_PAGE - 1] if len(values) >= WITH_PAGE else values[BLOG + 1]
