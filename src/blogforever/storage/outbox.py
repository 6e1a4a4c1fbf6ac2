"""The outbox: files that wait for repositories, who fetched which, and who may. The same seam as
`tables.py`.

A row stands for a whole file: it is written after the file is. Its number is never given again, so
that whoever remembers one can ask for everything that came after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from .searches import PostSearch

OutboxKind = Literal["post", "tombstone"]
OutboxState = Literal["waiting", "taken", "expired", "withdrawn"]
OUTBOX_STATES: tuple[OutboxState, ...] = get_args(OutboxState)
"""A file waits; is deleted by everybody it was for; is older than a day; holds what nobody may see
any more.
"""


@dataclass(frozen=True, slots=True)
class OutboxFile:
    """A post with its comments, or the word that it may be shown no more; `account` where only one
    is to have it.
    """

    post: str
    blog: str
    kind: OutboxKind
    made: str
    size: int
    digest: str
    """SHA-256 of the file."""
    place: str = ""
    """Its name on the disk, which no other file ever has."""
    version: int = 1
    hidden: str = ""
    """What of the post nobody may see: nothing, all of it, or a digest of some comments."""
    told: tuple[str, ...] = ()
    """The comments of which it says that they are gone, as long as it waits: once they are erased,
    nothing else knows them.
    """
    account: str = ""
    state: OutboxState = "waiting"
    ended: str = ""
    number: int = 0

    @property
    def name(self) -> str:
        """As who fetches it sees it: by name is by number."""
        return f"{self.number:012}-{self.kind}-{self.post}.xml"


@dataclass(frozen=True, slots=True)
class Taking:
    """When an account fetched a file, and when it deleted it; or that it never saw it, as its
    choice has not its post (`passed`): then it counts as deleted from the first.
    """

    number: int
    account: str
    fetched: str = ""
    deleted: str = ""
    passed: bool = False


@dataclass(frozen=True, slots=True)
class SentPost:
    """A post that was in a file once, and what of it was hidden in the last one."""

    post: str
    blog: str
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class OutboxAsk:
    """A wish for files: everything since a number, or the posts that are chosen; `place` is how far
    it has come.

    By number: the files after `after` up to `until`, each post once.
    """

    at: str
    by: str = ""
    account: str = ""
    after: int = 0
    until: int = 0
    search: PostSearch | None = None
    place: str = ""
    files: int = 0
    ended: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """Of which posts an account gets files. Of several names of a kind one is enough; a kind
    without any does not matter. `filters` are those of pings, by id, which would take a ping of the
    blog.
    """

    blogs: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self == AccountChoice()


@dataclass(frozen=True, slots=True)
class FtpAccount:
    """Who fetches files, and which. Of the password only what argon2 makes of it is kept."""

    name: str
    password: str
    created: str
    by: str = ""
    seen: str = ""
    choice: AccountChoice = field(default_factory=AccountChoice)


@dataclass(frozen=True, slots=True)
class OutboxFigures:
    """How many files are in each state, how many bytes wait, and since when the oldest does."""

    states: dict[str, int] = field(default_factory=dict)
    size: int = 0
    oldest: str = ""


class OutboxTable(Protocol):
    """The files, who took which, and what was ever sent."""

    def add(self, file: OutboxFile) -> OutboxFile:
        """It can be fetched now; with its number."""

    def find(self, number: int) -> OutboxFile | None:
        """The file with this number."""

    def waiting_for(self, account: str, after: int, limit: int) -> list[OutboxFile]:
        """What an account can fetch and has not deleted, oldest first."""

    def waiting(self, *, post: str = "", made_before: str = "", after: int = 0, limit: int) -> list[OutboxFile]:
        """What anybody can fetch: of a post, made before a moment, or after a number; oldest first."""

    def newest(self, limit: int, before: int | None = None, state: str = "") -> list[OutboxFile]:
        """The files there are and were, newest first."""

    def between(self, after: int, until: int, limit: int) -> list[OutboxFile]:
        """The files after a number up to another, oldest first; of each post the last one."""

    def last(self) -> int:
        """The highest number ever given."""

    def number_at(self, moment: str) -> int:
        """The number of the last file that was made before a moment; 0 where there is none."""

    def end(self, numbers: Iterable[int], state: OutboxState, at: str) -> None:
        """They wait no more."""

    def is_held(self, place: str) -> bool:
        """Whether a file that waits has this name on the disk."""

    def take(self, taking: Taking) -> None:
        """Somebody fetched or deleted it; what was known of the other stays."""

    def takings(self, numbers: Iterable[int]) -> list[Taking]:
        """Who took these, by number and name."""

    def pass_over(self, account: str, at: str) -> None:
        """An account has no use for anything that waits for all."""

    def sent_post(self, post: str) -> SentPost | None:
        """A post as it was last sent; None where it never was."""

    def sent(self, blog: str, after: str, limit: int) -> list[SentPost]:
        """Posts of a blog that were ever sent, by id, after one."""

    def marks(self) -> dict[str, str]:
        """The blogs of which something was sent, each with the mark that was last set."""

    def mark(self, blog: str, mark: str) -> None:
        """What is hidden of a blog has been told up to this mark."""

    def figures(self) -> OutboxFigures:
        """How full it is."""

    def forget(self, before: str) -> int:
        """Drop rows of files that ended before a moment; how many. What was sent stays known."""


class OutboxAskTable(Protocol):
    """What was asked for."""

    def keep(self, ask: OutboxAsk) -> OutboxAsk:
        """Keep a wish; one with the same id is replaced, without an id it gets one."""

    def open(self) -> OutboxAsk | None:
        """The oldest that has not ended."""

    def newest(self, limit: int, before: int | None = None) -> list[OutboxAsk]:
        """All, newest first."""


class FtpAccountTable(Protocol):
    """Who may fetch."""

    def keep(self, account: FtpAccount) -> None:
        """Keep an account; one of the same name is replaced."""

    def find(self, name: str) -> FtpAccount | None:
        """The account of this name."""

    def all(self) -> list[FtpAccount]:
        """All, by name."""

    def drop(self, name: str) -> bool:
        """It opens nothing any more, and what it took is forgotten; whether there was one."""
