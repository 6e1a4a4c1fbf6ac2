from __future__ import annotations

from collections.abc import Iterable

import pytest

from blogforever.errors import ArchiveError
from blogforever.fetch.replay import ReplayFetcher
from blogforever.protocols import Answer, Ask, Lane
from blogforever.store.warcreader import WarcReader


class Asks:
    """A handler that asks for one page, and may break over its answer."""

    def __init__(self, raises: Exception | None = None) -> None:
        self.raises = raises
        self.answers: list[Answer] = []

    def start(self) -> Iterable[Ask]:
        return [Ask("https://blog.example/", "page")]

    def handle(self, answer: Answer) -> Iterable[Ask]:
        if self.raises:
            raise self.raises
        self.answers.append(answer)
        return []

    def idle(self) -> Iterable[Ask]:
        return []


def test_a_fault_of_one_crawl_is_raised_when_the_others_are_done() -> None:
    fault = ZeroDivisionError("a fault of this handler")
    lanes = [Lane(Asks(fault)), Lane(Asks())]
    with pytest.raises(ZeroDivisionError):
        ReplayFetcher(WarcReader(())).run(lanes)
    assert [(lane.ending, lane.fault) for lane in lanes] == [("", fault), ("finished", None)]


def test_trouble_of_our_own_ends_all() -> None:
    lanes = [Lane(Asks(ArchiveError("The disk is full."))), Lane(Asks())]
    with pytest.raises(ArchiveError, match="disk is full"):
        ReplayFetcher(WarcReader(())).run(lanes)
    assert [lane.ending for lane in lanes] == ["", ""]
