"""What a kept file really is, by its first bytes; only what cannot do harm goes into a copy."""

from __future__ import annotations

import re
from hashlib import sha256

from .svg import is_drawing

SIGNS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpg"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"RIFF....WEBP", re.S), "webp"),
    (re.compile(rb"....ftypavi[fs]", re.S), "avif"),
    (re.compile(rb"BM.{8}\0\0", re.S), "bmp"),
    (re.compile(rb"\x00\x00\x01\x00"), "ico"),
    (re.compile(rb"....ftyp(?:M4A|M4B)", re.S), "m4a"),
    (re.compile(rb"....ftyp", re.S), "mp4"),
    (re.compile(rb"\x1aE\xdf\xa3"), "webm"),
    (re.compile(rb"OggS"), "ogg"),
    (re.compile(rb"ID3|\xff[\xfb\xf3\xf2]"), "mp3"),
    (re.compile(rb"RIFF....WAVE", re.S), "wav"),
)


def file_kind(content: bytes) -> str | None:
    """The ending a file of this content has in a copy; None for what is no harmless picture, sound
    or film.
    """
    for sign, ending in SIGNS:
        if sign.match(content):
            return ending
    return "svg" if is_drawing(content) else None


def file_name(content: bytes) -> str | None:
    """Where a copy keeps the file: the same content once."""
    kind = file_kind(content)
    return f"media/{sha256(content).hexdigest()[:24]}.{kind}" if kind else None
