from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import msgspec
import pytest

from blogforever import typedjson

MANY = 8


class Part(msgspec.Struct):
    name: str


class Whole(msgspec.Struct):
    parts: list[Part] = []


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many layouts were being made whenever another was begun; each takes as long as the others need to begin."""
    counted: list[int] = []
    made, lock, under_way = msgspec.json.Decoder, Lock(), 0
    nobody_comes = Event()

    def slow(kind: type) -> msgspec.json.Decoder[object]:
        nonlocal under_way
        with lock:
            under_way += 1
            counted.append(under_way)
        nobody_comes.wait(0.01)
        with lock:
            under_way -= 1
        return made(kind)

    monkeypatch.setattr(msgspec.json, "Decoder", slow)
    monkeypatch.setattr(typedjson, "_DECODERS", {})
    return counted


@pytest.mark.parametrize(
    "read",
    [
        lambda: typedjson.decoded('{"parts": [{"name": "a"}]}', Whole),
        lambda: typedjson.converted({"parts": [{"name": "a"}]}, Whole),
    ],
)
def test_layouts_are_made_by_one_thread_after_the_other(at_once: list[int], read: Callable[[], Whole]) -> None:
    with ThreadPoolExecutor(MANY) as threads:
        found = [task.result() for task in [threads.submit(read) for _ in range(MANY)]]
    assert found == [Whole([Part("a")])] * MANY
    assert at_once == [1]


def test_what_is_of_another_type_is_refused() -> None:
    with pytest.raises(msgspec.MsgspecError):
        typedjson.decoded('{"parts": [{"name": 3}]}', Whole)
