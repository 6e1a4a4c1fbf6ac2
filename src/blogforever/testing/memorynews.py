"""News, counters and webhooks of a store in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from blogforever.storage.counting import GaugeName, HourCount, PeriodCount
from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook
from blogforever.storage.news import NewsRow

from .memorytables import MemoryTables, add_row, drop_rows

# Under which the highest number of the news stands among the readers: it is never given again.
GIVEN = ""


class MemoryNews:
    """The news, and how far their readers are."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def after(self, number: int, limit: int) -> list[NewsRow]:
        """What came after that number, oldest first."""
        return [row for _, row in sorted(self._tables.news.items()) if row.number > number][:limit]

    def before(self, moment: str) -> int:
        """The number of the last row that came before that moment; 0 where none did."""
        return max((row.number for row in self._tables.news.values() if row.at < moment), default=0)

    def last(self) -> int:
        """The number of the newest; 0 where there never was any."""
        return self._tables.readers.get(GIVEN, 0)

    def forget(self, before: str) -> int:
        """Drop what is older than that moment."""
        held = len(self._tables.news)
        drop_rows(self._tables.news, lambda _number, row: row.at < before)
        return held - len(self._tables.news)

    def reached(self, reader: str) -> int:
        """How far a reader has come; 0 where it never began."""
        return self._tables.readers.get(reader, 0)

    def reach(self, reader: str, number: int) -> None:
        """It has read all up to there."""
        self._tables.check_open()
        self._tables.readers[reader] = number

    def leave(self, reader: str) -> None:
        """It reads no more."""
        self._tables.readers.pop(reader, None)


def add_news(tables: MemoryTables, row: NewsRow) -> None:
    """One more, under the next number."""
    number = tables.readers.get(GIVEN, 0) + 1
    tables.readers[GIVEN] = number
    tables.news[number] = replace(row, number=number)


class MemoryCounters:
    """The counters."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, hour: str, counts: Iterable[HourCount]) -> None:
        """This happened, too."""
        self._tables.check_open()
        for one in counts:
            place = (hour, one.name, one.label)
            if one.number:
                self._tables.counters[place] = self._tables.counters.get(place, 0) + one.number

    def note(self, hour: str, gauge: GaugeName, levels: Iterable[tuple[str, int]]) -> None:
        """So it stands in that hour."""
        drop_rows(self._tables.counters, lambda place, _number: place[:2] == (hour, gauge))
        self._tables.counters.update({(hour, gauge, label): number for label, number in levels})

    def sums(self, first: str, last: str, width: int) -> list[PeriodCount]:
        """What was counted, period by period."""
        meant = {place: number for place, number in self._tables.counters.items() if first <= place[0] <= last}
        ends: dict[str, str] = {}
        for hour, name, _label in meant:
            if name == "blogs":
                ends[hour[:width]] = max(hour, ends.get(hour[:width], ""))
        sums: dict[tuple[str, str, str], int] = {}
        for (hour, name, label), number in meant.items():
            if name != "blogs" or hour == ends[hour[:width]]:
                place = (hour[:width], name, label)
                sums[place] = sums.get(place, 0) + number
        return [PeriodCount(*place, number) for place, number in sorted(sums.items())]


class MemoryHooks:
    """The webhooks."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, hook: Webhook) -> None:
        """Keep a webhook; one of the same id is replaced."""
        self._tables.check_open()
        self._tables.webhooks[hook.id] = hook

    def find(self, hook: str) -> Webhook | None:
        """The webhook with this id."""
        return self._tables.webhooks.get(hook)

    def all(self) -> list[Webhook]:
        """All, in the order of their ids."""
        return [hook for _, hook in sorted(self._tables.webhooks.items())]

    def drop(self, hook: str) -> bool:
        """It is told nothing more, and its dead letters go."""
        self._tables.hookstandings.pop(hook, None)
        drop_rows(self._tables.deadletters, lambda _id, letter: letter.hook == hook)
        return self._tables.webhooks.pop(hook, None) is not None

    def standing(self, hook: str) -> HookStanding:
        """How telling it goes."""
        return self._tables.hookstandings.get(hook, HookStanding(hook))

    def stand(self, standing: HookStanding) -> None:
        """So it goes now."""
        self._tables.hookstandings[standing.hook] = standing

    def bury(self, letter: DeadLetter) -> None:
        """Keep what could not be told."""
        number = letter.id or add_row(self._tables.deadletters, letter)
        self._tables.deadletters[number] = replace(letter, id=number)

    def dead(self, limit: int, before: int | None = None, hook: str = "") -> list[DeadLetter]:
        """Dead letters, newest first."""
        letters = [letter for _, letter in sorted(self._tables.deadletters.items(), reverse=True)]
        return [one for one in letters if (before is None or one.id < before) and hook in ("", one.hook)][:limit]

    def letter(self, letter: int) -> DeadLetter | None:
        """The dead letter with this id."""
        return self._tables.deadletters.get(letter)

    def wanted_again(self, hook: str) -> DeadLetter | None:
        """The oldest of a webhook that somebody wants sent again."""
        letters = (letter for _, letter in sorted(self._tables.deadletters.items()))
        return next((letter for letter in letters if letter.hook == hook and letter.again), None)

    def dig_up(self, letter: int) -> bool:
        """It was told after all, or nobody wants it any more."""
        return self._tables.deadletters.pop(letter, None) is not None

    def forget_dead(self, before: str) -> int:
        """Drop those that died before that moment."""
        held = len(self._tables.deadletters)
        drop_rows(self._tables.deadletters, lambda _id, letter: letter.at < before)
        return held - len(self._tables.deadletters)
