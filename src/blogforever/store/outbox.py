"""The outbox, what was asked of it, and who may fetch, in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, TypeVar

import msgspec

from blogforever.storage.outbox import (
    AccountChoice,
    FtpAccount,
    OutboxAsk,
    OutboxFigures,
    OutboxFile,
    OutboxState,
    SentPost,
    Taking,
)
from blogforever.storage.searches import PostSearch

from .columns import read_column
from .rows import Columns, Rows, upsert, written

ADD = """INSERT INTO outbox (made, post, blog, kind, version, hidden, account, size, digest, place, state, ended,
  told)
VALUES (:made, :post, :blog, :kind, :version, :hidden, :account, :size, :digest, :place, :state, :ended,
  :told)
RETURNING number
"""
FIRST_OF_BLOG = "INSERT INTO outboxmarks (blog, mark) VALUES (:blog, '') ON CONFLICT (blog) DO NOTHING"
FIND = "SELECT * FROM outbox WHERE number = :number"
FOR_ACCOUNT = """SELECT o.* FROM outbox o LEFT JOIN outboxtakings t ON t.number = o.number AND t.account = :account
WHERE o.state = 'waiting' AND o.number > :after AND o.account IN ('', :account) AND coalesce(t.deleted, '') = ''
ORDER BY o.number LIMIT :limit
"""
OF_POST = "SELECT * FROM outbox WHERE post = :post AND state = 'waiting' ORDER BY number LIMIT :limit"
MADE_BEFORE = "SELECT * FROM outbox WHERE state = 'waiting' AND made < :moment ORDER BY number LIMIT :limit"
WAITING = "SELECT * FROM outbox WHERE state = 'waiting' AND number > :after ORDER BY number LIMIT :limit"
NEWEST = """SELECT * FROM outbox WHERE number < :before AND (:state = '' OR state = :state)
ORDER BY number DESC LIMIT :limit
"""
BETWEEN = """SELECT * FROM outbox o WHERE number > :after AND number <= :until AND NOT EXISTS (
  SELECT 1 FROM outbox later WHERE later.post = o.post AND later.number > o.number AND later.number <= :until
) ORDER BY number LIMIT :limit
"""
NUMBER_AT = "SELECT max(number) AS number FROM outbox WHERE made < :moment"
END = "UPDATE outbox SET state = :state, ended = :at, told = '[]' WHERE number = :number AND state = 'waiting'"
HELD = "SELECT 1 FROM outbox WHERE place = :place AND state = 'waiting' LIMIT 1"
TAKE = """INSERT INTO outboxtakings AS taken (number, account, fetched, deleted, passed)
VALUES (:number, :account, :fetched, :deleted, :passed)
ON CONFLICT (number, account) DO UPDATE SET
  fetched = CASE WHEN excluded.fetched = '' THEN taken.fetched ELSE excluded.fetched END,
  deleted = CASE WHEN excluded.deleted = '' THEN taken.deleted ELSE excluded.deleted END
"""
SKIP_WAITING = """INSERT INTO outboxtakings (number, account, fetched, deleted, passed)
SELECT number, :account, '', :at, 1 FROM outbox WHERE state = 'waiting' AND account = ''
ON CONFLICT (number, account) DO NOTHING
"""
TAKINGS = "SELECT * FROM outboxtakings WHERE number = :number ORDER BY account"
SENT_POST = "SELECT * FROM outboxposts WHERE post = :post"
SENT = "SELECT * FROM outboxposts WHERE blog = :blog AND post > :after ORDER BY post LIMIT :limit"
MARKS = "SELECT * FROM outboxmarks ORDER BY blog"
STATES = "SELECT state, count(*) AS number FROM outbox GROUP BY state"
FULL = "SELECT coalesce(sum(size), 0) AS size, coalesce(min(made), '') AS oldest FROM outbox WHERE state = 'waiting'"
FORGET_TAKINGS = """DELETE FROM outboxtakings WHERE number IN (
  SELECT number FROM outbox WHERE state <> 'waiting' AND ended < :before)
"""
FORGET = "DELETE FROM outbox WHERE state <> 'waiting' AND ended < :before"
ASK = """INSERT INTO outboxasks (at, "by", account, "after", until, search, place, files, ended)
VALUES (:at, :by, :account, :after, :until, :search, :place, :files, :ended) RETURNING id
"""
OPEN_ASK = "SELECT * FROM outboxasks WHERE ended = '' ORDER BY id LIMIT 1"
ASKS = "SELECT * FROM outboxasks WHERE id < :before ORDER BY id DESC LIMIT :limit"
ACCOUNTS = "SELECT * FROM ftpaccounts ORDER BY name"
ACCOUNT = "SELECT * FROM ftpaccounts WHERE name = :name"
DROP_ACCOUNT = "DELETE FROM ftpaccounts WHERE name = :name RETURNING name"
DROP_TAKINGS = "DELETE FROM outboxtakings WHERE account = :name"
# Above every number that a row can have.
LAST = 2**63 - 1
Read = TypeVar("Read")


class SqlOutbox:
    """The files of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, file: OutboxFile) -> OutboxFile:
        """It can be fetched now; what was sent of its post is remembered with it."""
        row = asdict(file) | {"told": msgspec.json.encode(file.told).decode()}
        del row["number"]
        sent = {"post": file.post, "blog": file.blog, "hidden": file.hidden}
        with self._rows.transaction():
            number = self._rows.write(ADD, **row)
            self._rows.write(upsert("outboxposts", *sent), **sent)
            self._rows.write(FIRST_OF_BLOG, blog=file.blog)
        return replace(file, number=number)

    def find(self, number: int) -> OutboxFile | None:
        """The file with this number."""
        row = self._rows.find(FIND, number=number)
        return _file(row) if row else None

    def waiting_for(self, account: str, after: int, limit: int) -> list[OutboxFile]:
        """What an account can fetch and has not deleted, oldest first."""
        return self._files(FOR_ACCOUNT, account=account, after=after, limit=limit)

    def waiting(self, *, post: str = "", made_before: str = "", after: int = 0, limit: int) -> list[OutboxFile]:
        """What anybody can fetch: of a post, made before a moment, or after a number; oldest first."""
        if post:
            return self._files(OF_POST, post=post, limit=limit)
        if made_before:
            return self._files(MADE_BEFORE, moment=made_before, limit=limit)
        return self._files(WAITING, after=after, limit=limit)

    def newest(self, limit: int, before: int | None = None, state: str = "") -> list[OutboxFile]:
        """The files there are and were, newest first."""
        return self._files(NEWEST, limit=limit, before=LAST if before is None else before, state=state)

    def between(self, after: int, until: int, limit: int) -> list[OutboxFile]:
        """The files after a number up to another; of each post the last one."""
        return self._files(BETWEEN, after=after, until=until, limit=limit)

    def last(self) -> int:
        """The highest number ever given."""
        return self._rows.highest("outbox", "number")

    def number_at(self, moment: str) -> int:
        """The number of the last file that was made before a moment."""
        return self._rows.find(NUMBER_AT, moment=moment).number or 0

    def end(self, numbers: Iterable[int], state: OutboxState, at: str) -> None:
        """They wait no more."""
        ended = [{"number": number, "state": state, "at": at} for number in numbers]
        if ended:
            with self._rows.transaction() as connection:
                connection.exec_driver_sql(END, ended)

    def is_held(self, place: str) -> bool:
        """Whether a file that waits has this name on the disk."""
        return self._rows.find(HELD, place=place) is not None

    def take(self, taking: Taking) -> None:
        """Somebody fetched or deleted it."""
        self._rows.write(TAKE, **asdict(taking) | {"passed": int(taking.passed)})

    def takings(self, numbers: Iterable[int]) -> list[Taking]:
        """Who took these, by number and name."""
        return [
            Taking(row.number, row.account, row.fetched, row.deleted, bool(row.passed))
            for number in sorted(set(numbers))
            for row in self._rows.find_all(TAKINGS, number=number)
        ]

    def pass_over(self, account: str, at: str) -> None:
        """An account has no use for anything that waits for all."""
        self._rows.write(SKIP_WAITING, account=account, at=at)

    def sent_post(self, post: str) -> SentPost | None:
        """A post as it was last sent."""
        row = self._rows.find(SENT_POST, post=post)
        return SentPost(**row._mapping) if row else None

    def sent(self, blog: str, after: str, limit: int) -> list[SentPost]:
        """Posts of a blog that were ever sent, by id, after one."""
        return [SentPost(**row._mapping) for row in self._rows.find_all(SENT, blog=blog, after=after, limit=limit)]

    def marks(self) -> dict[str, str]:
        """The blogs of which something was sent, each with its mark."""
        return {row.blog: row.mark for row in self._rows.find_all(MARKS)}

    def mark(self, blog: str, mark: str) -> None:
        """What is hidden of a blog has been told up to this mark."""
        self._rows.write(upsert("outboxmarks", "blog", "mark"), blog=blog, mark=mark)

    def figures(self) -> OutboxFigures:
        """How full it is."""
        full = self._rows.find(FULL)
        states = {row.state: row.number for row in self._rows.find_all(STATES)}
        return OutboxFigures(states, full.size, full.oldest)

    def forget(self, before: str) -> int:
        """Drop rows of files that ended before a moment."""
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(FORGET_TAKINGS, {"before": before})
            return connection.exec_driver_sql(FORGET, {"before": before}).rowcount

    def _files(self, query: str, **values: object) -> list[OutboxFile]:
        return [_file(row) for row in self._rows.find_all(query, **values)]


def _file(row: Any) -> OutboxFile:
    values = dict(row._mapping)
    return OutboxFile(**values | {"told": read_column(values["told"], tuple[str, ...])})


class SqlOutboxAsks:
    """What was asked for, in an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, ask: OutboxAsk) -> OutboxAsk:
        """Keep a wish; without an id it gets one."""
        row = written(_ask_row(ask))
        if ask.id:
            self._rows.write(upsert("outboxasks", *row), **row)
            return ask
        del row["id"]
        return replace(ask, id=self._rows.write(ASK, **row))

    def open(self) -> OutboxAsk | None:
        """The oldest that has not ended."""
        row = self._rows.find(OPEN_ASK)
        return _ask(row) if row else None

    def newest(self, limit: int, before: int | None = None) -> list[OutboxAsk]:
        """All, newest first."""
        return [_ask(row) for row in self._rows.find_all(ASKS, limit=limit, before=LAST if before is None else before)]


class SqlFtpAccounts:
    """Who may fetch, in an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, account: FtpAccount) -> None:
        """Keep an account; one of the same name is replaced."""
        choice = "" if account.choice.is_all else msgspec.json.encode(account.choice).decode()
        row = asdict(account) | {"choice": choice}
        self._rows.write(upsert("ftpaccounts", *row), **written(row))

    def find(self, name: str) -> FtpAccount | None:
        """The account of this name."""
        row = self._rows.find(ACCOUNT, name=name)
        return _account(row) if row else None

    def all(self) -> list[FtpAccount]:
        """All, by name."""
        return [_account(row) for row in self._rows.find_all(ACCOUNTS)]

    def drop(self, name: str) -> bool:
        """It opens nothing any more, and what it took is forgotten."""
        with self._rows.transaction():
            self._rows.write(DROP_TAKINGS, name=name)
            return self._rows.write(DROP_ACCOUNT, name=name) is not None


def _account(row: Any) -> FtpAccount:
    values = dict(row._mapping)
    text = values.pop("choice")
    return FtpAccount(**values, choice=read_column(text, AccountChoice) if text else AccountChoice())


def _ask_row(ask: OutboxAsk) -> Columns:
    row = asdict(ask)
    return row | {"search": None if ask.search is None else msgspec.json.encode(ask.search).decode()}


def _ask(row: Any) -> OutboxAsk:
    values = dict(row._mapping)
    text = values.pop("search")
    return OutboxAsk(**values, search=None if text is None else read_column(text, PostSearch))
