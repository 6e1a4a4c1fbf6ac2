"""What the home page tells about the blog itself."""

from __future__ import annotations

import re

from blogforever import dom
from blogforever.discover.platform import detect_platform
from blogforever.model import Feed, Page
from blogforever.protocols import Record

CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w-]{3,30})""", re.IGNORECASE)


def describe_home(page: Page, feed: Feed | None) -> Record:
    """Platform, version, language and charset, as far as the page says."""
    tree = dom.parse_page(page)
    platform = detect_platform(tree, page.headers, feed)
    root = tree.root
    language = root.attributes.get("lang") if root else None
    said = CHARSET.search(page.headers.get("content-type", "").encode() + b" " + page.content[:4096])
    return {
        "platform": platform.name if platform else None,
        "platform_version": platform.version if platform else None,
        "language": (feed.language if feed else None) or language or None,
        "charset": said[1].decode().lower() if said else None,
    }
