"""What a look notes of the answers that pass by, for the next one."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.archive.noticing import Noticing
from blogforever.model import Page
from blogforever.protocols import Answer, Ask

BLOG = "https://b.example/"


class Nobody:
    """A handler that wants nothing."""

    def start(self) -> Iterable[Ask]:
        return []

    def handle(self, _answer: Answer) -> Iterable[Ask]:
        return []

    def idle(self) -> Iterable[Ask]:
        return []


def asked_to_wait(*values: str) -> int | None:
    noticing = Noticing(Nobody())
    for number, value in enumerate(values):
        url = f"{BLOG}{number}"
        noticing.handle(Answer(Ask(url, "entry"), 503, Page(url, b"", {"retry-after": value} if value else {})))
    return noticing.retry_after


def test_of_what_several_pages_ask_for_the_longest_wait_counts() -> None:
    assert asked_to_wait("3600", "30", "") == 3600
    assert asked_to_wait("3600", "soon") == 3600
    assert asked_to_wait("0") == 0
    assert asked_to_wait("", "soon") is None
