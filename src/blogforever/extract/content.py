"""What an author made of a post, freed from how a theme shows it; and its digest."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from blogforever.dom import with_few_marks
from blogforever.model import Post
from blogforever.records import PostRecord

_LOOKS = {
    **dict.fromkeys(map(ord, "‘’‚‛′`´ʼ"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"), None),
}
_FILE = re.compile(r"(.+)\.([a-z0-9]{2,5})$")
_SIZE = re.compile(r"(?:[-_.@](?:\d{2,5}x\d{0,5}|x\d{2,5}|\dx|scaled|rotated|e\d{10,}|hu[0-9a-f]{6,}.*))+$")
_FINGERPRINT = re.compile(r"[-_.](?=[a-f]*\d)[0-9a-f]{8,64}$")
# No file is called so; looking for sizes in more would take long.
_LONGEST_NAME = 300
_DECORATION = re.compile(r"/(?:emoji|smil(?:ies|eys)|twemoji)/")
_IN_PATH = re.compile(r"/(?:w|h|s|c|q|width|height|resize|fit)[_=-]?\d[^/]*(?=/)")


@dataclass(frozen=True, slots=True)
class Content:
    """Normalised title, text and names of pictures; equal contents are one version."""

    title: str
    text: str
    media: frozenset[str]

    @property
    def digest(self) -> str:
        """The same for equal contents, here and everywhere."""
        parts = (self.title, self.text, *sorted(self.media))
        return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()


def content_of(post: Post | PostRecord) -> Content:
    """The content of a post, read from its page or from its record."""
    names = media_names(item.url for item in post.media)
    return Content(letters(post.title or ""), letters(post.text), names)


def letters(text: str) -> str:
    """A text without what themes and filters change.

    Spaces, lines, the look of quotes and dashes.
    """
    folded = unicodedata.normalize("NFKC", with_few_marks(text).translate(_LOOKS)).translate(_LOOKS).replace("...", "…")
    return "".join(unicodedata.normalize("NFKC", folded).split())


def media_names(urls: Iterable[str]) -> frozenset[str]:
    """Pictures and films by name.

    Sizes, fingerprints, hosts and parameters change without the author.
    """
    return frozenset(filter(None, map(_media_name, urls)))


def _media_name(url: str) -> str:
    if url.startswith("data:") or _DECORATION.search(url):
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    path = unquote(parts.path).lower()
    file = _FILE.match(path.rpartition("/")[2])
    if file is None:
        return _address_name(path, parts.query)
    name = file[1]
    if len(name) > _LONGEST_NAME:
        return name
    return _FINGERPRINT.sub("", _SIZE.sub("", _FINGERPRINT.sub("", name)))


def _address_name(path: str, query: str) -> str:
    """The name of what has an address without a file: its path without sizes, else its query."""
    plain = path.strip("/")
    if not plain:
        return f"?{query}" if query else ""
    return _IN_PATH.sub("", f"/{plain}/").strip("/")
