"""The outbox of a store in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from blogforever.storage.outbox import (
    FtpAccount,
    OutboxAsk,
    OutboxFigures,
    OutboxFile,
    OutboxState,
    SentPost,
    Taking,
)

from .memorytables import MemoryTables, add_row, drop_rows

# Under which the highest number of the outbox stands among the readers of news: it is never given
# again.
GIVEN = "outbox numbers"


class MemoryOutbox:
    """The files."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, file: OutboxFile) -> OutboxFile:
        """It can be fetched now; what was sent of its post is remembered with it."""
        self._tables.check_open()
        kept = replace(file, number=self.last() + 1)
        self._tables.readers[GIVEN] = kept.number
        self._tables.outbox[kept.number] = kept
        self._tables.outboxposts[file.post] = SentPost(file.post, file.blog, file.hidden)
        self._tables.outboxmarks.setdefault(file.blog, "")
        return kept

    def find(self, number: int) -> OutboxFile | None:
        """The file with this number."""
        return self._tables.outbox.get(number)

    def waiting_for(self, account: str, after: int, limit: int) -> list[OutboxFile]:
        """What an account can fetch and has not deleted, oldest first."""
        nothing = Taking(0, account)
        takings = self._tables.outboxtakings
        mine = [one for one in self._waiting() if one.account in ("", account) and one.number > after]
        return [one for one in mine if not takings.get((one.number, account), nothing).deleted][:limit]

    def waiting(self, *, post: str = "", made_before: str = "", after: int = 0, limit: int) -> list[OutboxFile]:
        """What anybody can fetch: of a post, made before a moment, or after a number; oldest first."""
        files = (one for one in self._waiting() if post in ("", one.post) and one.number > after)
        return [one for one in files if not made_before or one.made < made_before][:limit]

    def newest(self, limit: int, before: int | None = None, state: str = "") -> list[OutboxFile]:
        """The files there are and were, newest first."""
        files = [one for _, one in sorted(self._tables.outbox.items(), reverse=True) if state in ("", one.state)]
        return [one for one in files if before is None or one.number < before][:limit]

    def between(self, after: int, until: int, limit: int) -> list[OutboxFile]:
        """The files after a number up to another; of each post the last one."""
        meant = [one for number, one in sorted(self._tables.outbox.items()) if after < number <= until]
        last = {one.post: one.number for one in meant}
        return [one for one in meant if last[one.post] == one.number][:limit]

    def last(self) -> int:
        """The highest number ever given."""
        return self._tables.readers.get(GIVEN, 0)

    def number_at(self, moment: str) -> int:
        """The number of the last file that was made before a moment."""
        return max((number for number, one in self._tables.outbox.items() if one.made < moment), default=0)

    def end(self, numbers: Iterable[int], state: OutboxState, at: str) -> None:
        """They wait no more."""
        for number in numbers:
            file = self._tables.outbox[number]
            if file.state == "waiting":
                self._tables.outbox[number] = replace(file, state=state, ended=at, told=())

    def is_held(self, place: str) -> bool:
        """Whether a file that waits has this name on the disk."""
        return any(one.place == place for one in self._waiting())

    def take(self, taking: Taking) -> None:
        """Somebody fetched or deleted it."""
        place = (taking.number, taking.account)
        known = self._tables.outboxtakings.get(place, taking)
        fetched, deleted = taking.fetched or known.fetched, taking.deleted or known.deleted
        self._tables.outboxtakings[place] = replace(taking, fetched=fetched, deleted=deleted)

    def takings(self, numbers: Iterable[int]) -> list[Taking]:
        """Who took these, by number and name."""
        wanted = set(numbers)
        return [one for place, one in sorted(self._tables.outboxtakings.items()) if place[0] in wanted]

    def pass_over(self, account: str, at: str) -> None:
        """An account has no use for anything that waits for all."""
        for file in self._waiting():
            if not file.account:
                passed = Taking(file.number, account, deleted=at, passed=True)
                self._tables.outboxtakings.setdefault((file.number, account), passed)

    def sent_post(self, post: str) -> SentPost | None:
        """A post as it was last sent."""
        return self._tables.outboxposts.get(post)

    def sent(self, blog: str, after: str, limit: int) -> list[SentPost]:
        """Posts of a blog that were ever sent, by id, after one."""
        posts = [one for post, one in sorted(self._tables.outboxposts.items()) if post > after]
        return [one for one in posts if one.blog == blog][:limit]

    def marks(self) -> dict[str, str]:
        """The blogs of which something was sent, each with its mark."""
        return dict(sorted(self._tables.outboxmarks.items()))

    def mark(self, blog: str, mark: str) -> None:
        """What is hidden of a blog has been told up to this mark."""
        self._tables.outboxmarks[blog] = mark

    def figures(self) -> OutboxFigures:
        """How full it is."""
        waiting = self._waiting()
        states = Counter(str(one.state) for one in self._tables.outbox.values())
        oldest = min((one.made for one in waiting), default="")
        return OutboxFigures(dict(states), sum(one.size for one in waiting), oldest)

    def forget(self, before: str) -> int:
        """Drop rows of files that ended before a moment."""
        held = len(self._tables.outbox)
        drop_rows(self._tables.outbox, lambda _number, one: one.state != "waiting" and one.ended < before)
        drop_rows(self._tables.outboxtakings, lambda place, _taking: place[0] not in self._tables.outbox)
        return held - len(self._tables.outbox)

    def _waiting(self) -> list[OutboxFile]:
        return [one for _, one in sorted(self._tables.outbox.items()) if one.state == "waiting"]


class MemoryOutboxAsks:
    """What was asked for."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, ask: OutboxAsk) -> OutboxAsk:
        """Keep a wish; without an id it gets one."""
        self._tables.check_open()
        number = ask.id or add_row(self._tables.outboxasks, ask)
        self._tables.outboxasks[number] = replace(ask, id=number)
        return self._tables.outboxasks[number]

    def open(self) -> OutboxAsk | None:
        """The oldest that has not ended."""
        return next((ask for _, ask in sorted(self._tables.outboxasks.items()) if not ask.ended), None)

    def newest(self, limit: int, before: int | None = None) -> list[OutboxAsk]:
        """All, newest first."""
        asks = [ask for _, ask in sorted(self._tables.outboxasks.items(), reverse=True)]
        return [ask for ask in asks if before is None or ask.id < before][:limit]


class MemoryFtpAccounts:
    """Who may fetch."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, account: FtpAccount) -> None:
        """Keep an account; one of the same name is replaced."""
        self._tables.check_open()
        self._tables.ftpaccounts[account.name] = account

    def find(self, name: str) -> FtpAccount | None:
        """The account of this name."""
        return self._tables.ftpaccounts.get(name)

    def all(self) -> list[FtpAccount]:
        """All, by name."""
        return [account for _, account in sorted(self._tables.ftpaccounts.items())]

    def drop(self, name: str) -> bool:
        """It opens nothing any more, and what it took is forgotten."""
        drop_rows(self._tables.outboxtakings, lambda place, _taking: place[1] == name)
        return self._tables.ftpaccounts.pop(name, None) is not None
