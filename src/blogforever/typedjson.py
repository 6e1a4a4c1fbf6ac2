"""JSON as values of types that are known.

msgspec works out how a type is laid out when it first reads one, and shows that to other threads before it is done: a
second one that reads the same type for the first time ends the whole process. So one thread after the other makes
layouts here, and nobody reads types from JSON elsewhere.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

Kind = TypeVar("Kind")
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_ONE_AFTER_THE_OTHER = Lock()


@overload
def decoded(text: bytes | str, kind: type[Kind]) -> Kind: ...
@overload
def decoded(text: bytes | str, kind: Any) -> Any: ...
def decoded(text: bytes | str, kind: Any) -> Any:
    """What a text in JSON says, as a value of this type; MsgspecError where it says something else."""
    return _decoder(kind).decode(text)


@overload
def converted(plain: object, kind: type[Kind]) -> Kind: ...
@overload
def converted(plain: object, kind: Any) -> Any: ...
def converted(plain: object, kind: Any) -> Any:
    """The same of objects and lists that were read already."""
    _decoder(kind)
    return msgspec.convert(plain, kind)


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """What reads a type; once it is there, its layout and those of all types in it are whole."""
    made = _DECODERS.get(kind)
    if made is None:
        with _ONE_AFTER_THE_OTHER:
            made = _DECODERS[kind] = _DECODERS.get(kind) or msgspec.json.Decoder(kind)
    return made
