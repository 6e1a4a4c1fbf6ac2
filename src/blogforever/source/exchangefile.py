"""What one installation hands to another: sources, block list and rules in one signed file, checked
before anything is believed.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn, get_args

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Meta, Struct

from blogforever.errors import BadInput
from blogforever.typedjson import converted

from .given import BlogMetadata

Part = Literal["sources", "blocked", "rules"]
PARTS: tuple[Part, ...] = get_args(Part)
VERSION: Literal[1] = 1
KIND = "ed25519:"
LARGEST_FILE = 64 * 2**20
"""Bytes of a file: fifty thousand sources with all that can be said of them have a quarter of it."""
MOST_SOURCES, MOST_PLACES, MOST_RULES = 50_000, 50_000, 20_000
LONGEST_RULES = 200_000
"""Letters of one blog's rule file: that of a blog with many templates has a tenth of it."""
# Letters of an address, of a name or title, and of a remark; labels of one source.
LONGEST_ADDRESS, LONGEST_NAME, LONGEST_NOTE, MOST_LABELS = 2000, 500, 5000, 100
MOST_LISTS = 1000
SIGNATURE = "signature"

Address = Annotated[str, Meta(min_length=1, max_length=LONGEST_ADDRESS)]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Note = Annotated[str, Meta(max_length=LONGEST_NOTE)]
Labels = Annotated[tuple[Name, ...], Meta(max_length=MOST_LABELS)]
Feeds = Annotated[tuple[Address, ...], Meta(max_length=MOST_LABELS)]


class HandedMetadata(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is said of a blog and its author; the names are those of `BlogMetadata`."""

    language: Name = ""
    location: Name = ""
    topic: Name = ""
    author: Name = ""
    author_kind: Name = ""
    institution: Name = ""

    def plain(self) -> BlogMetadata:
        """The same as everybody else calls it."""
        return BlogMetadata(**msgspec.structs.asdict(self))


class HandedSource(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A blog that they follow."""

    url: Address
    title: Name = ""
    tags: Labels = ()
    lists: Labels = ()
    notes: Note = ""
    feeds: Feeds = ()
    metadata: HandedMetadata = HandedMetadata()


class HandedList(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A list of theirs, by the name that its sources give."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    note: Note = ""
    owner: Name = ""


class HandedPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What they let nobody add."""

    kind: Literal["host", "address", "pattern"]
    what: Address
    reason: Note = ""


class HandedRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules that they learned of the blog at an address: a rule file, as text."""

    url: Address
    rules: Annotated[str, Meta(min_length=1, max_length=LONGEST_RULES)]


class ExchangeFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of it, with who says so. Who made it says in `name` how he calls himself; only `key` proves anything."""

    blogforever: Literal["exchange"] = "exchange"
    version: Literal[1] = VERSION
    made: Name
    name: Name
    key: Name
    lists: Annotated[tuple[HandedList, ...], Meta(max_length=MOST_LISTS)] = ()
    sources: Annotated[tuple[HandedSource, ...], Meta(max_length=MOST_SOURCES)] = ()
    blocked: Annotated[tuple[HandedPlace, ...], Meta(max_length=MOST_PLACES)] = ()
    rules: Annotated[tuple[HandedRules, ...], Meta(max_length=MOST_RULES)] = ()

    def parts(self) -> tuple[Part, ...]:
        """The parts that have something in them."""
        return tuple(part for part in PARTS if getattr(self, part))


def signed(file: ExchangeFile, key: Ed25519PrivateKey) -> bytes:
    """The file as it is handed over: readable, with its signature at the end."""
    plain = msgspec.to_builtins(file)
    signature = _text(key.sign(canonical(plain)))
    return json.dumps({**plain, SIGNATURE: signature}, ensure_ascii=False, indent=1).encode() + b"\n"


def canonical(plain: Mapping[str, Any]) -> bytes:
    """What is signed: the same JSON whoever writes it. Keys in their order, no spaces, UTF-8; no
    number has a fraction, because programs write those differently.
    """
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read_exchange(data: bytes) -> ExchangeFile:
    """A file whose signature is right; BadInput says in one sentence what is wrong with any other.

    Whether who signed it is to be believed is not said here.
    """
    if len(data) > LARGEST_FILE:
        raise BadInput(f"The file is larger than {LARGEST_FILE // 2**20} MB; it is to be handed over in parts.")
    plain = _parsed(data)
    signature = plain.pop(SIGNATURE, None)
    try:
        _check(public_key(plain.get("key")), signature, canonical(plain))
        return converted(plain, ExchangeFile)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"The file is none of an exchange that this version understands: {error}.") from error


def key_text(key: Ed25519PublicKey) -> str:
    """A key as people write it."""
    return KIND + _text(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def public_key(text: object) -> Ed25519PublicKey:
    """The key that a text is; BadInput where it is none."""
    try:
        if not isinstance(text, str) or not text.startswith(KIND):
            raise ValueError(text)
        key = Ed25519PublicKey.from_public_bytes(_bytes(text.removeprefix(KIND)))
    except ValueError as error:
        raise BadInput(f"{str(text)[:80]!r} is no key of an installation; such a key begins with {KIND}") from error
    if key_text(key) != text:
        raise BadInput(f"{text[:80]!r} is not how a key is written.")
    return key


def _check(key: Ed25519PublicKey, signature: object, said: bytes) -> None:
    try:
        key.verify(_bytes(signature if isinstance(signature, str) else ""), said)
    except (InvalidSignature, ValueError) as error:
        raise BadInput("The file is not what its key has signed: it was changed, or cut off.") from error


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(data, object_pairs_hook=_once, parse_float=_refused, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"The file is no JSON of an exchange: {error}.") from error
    if not isinstance(plain, dict) or plain.get("blogforever") != "exchange":
        raise BadInput("The file is none of an exchange; blogforever exchange export writes such files.")
    return plain


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """What two programs could read differently is refused."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _refused(number: str) -> NoReturn:
    raise ValueError(f"{number[:20]} is no number that it may have")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
