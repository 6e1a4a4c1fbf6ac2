"""What hung is asked for once more, when nothing else is left to ask: a few addresses, those of posts first."""

from __future__ import annotations

from dataclasses import replace

from blogforever.protocols import Answer, Ask

HUNG = "timeout"
MOST = 10
"""Addresses of one blog that may hang twice: each may take the whole time a page has."""


class SecondTry:
    """Remembers requests that took too long.

    Each gets one more chance, as long as there are not many.
    """

    def __init__(self) -> None:
        self._waiting: list[Answer] = []
        self._left = MOST

    def hung(self, answer: Answer) -> bool:
        """Whether this answer took too long, for the first time, and its address is to be asked
        again.

        Where the page came and only its drawing hung, asking again would bring the same page and
        the same drawing.
        """
        failure = answer.failure
        if failure is None or failure.reason != HUNG or answer.page is not None or answer.ask.again:
            return False
        self._waiting.append(answer)
        return True

    def take(self, allowed: int = MOST) -> tuple[list[Ask], list[Answer]]:
        """What to ask again now, and the answers that must do: too much has hung, or no more may be
        asked for.
        """
        answers = sorted(self._waiting, key=lambda answer: -answer.ask.priority)
        self._waiting = []
        room = min(self._left, allowed)
        again, given_up = answers[:room], answers[room:]
        self._left -= len(again)
        return [replace(answer.ask, again=True) for answer in again], given_up
