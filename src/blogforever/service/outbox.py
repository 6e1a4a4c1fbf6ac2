"""The outbox, for people and repositories: accounts, what waits, who fetched what, and asking once more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from blogforever import clock
from blogforever.archive.outbox import READER, begin_outbox, is_wanted, may_be_seen
from blogforever.archive.outboxfiles import outbox_path, put_away
from blogforever.errors import UsageError
from blogforever.storage.outbox import (
    AccountChoice,
    FtpAccount,
    OutboxAsk,
    OutboxFigures,
    OutboxFile,
    OutboxKind,
    OutboxState,
    Taking,
)
from blogforever.storage.searches import PostSearch
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder

from .lists import find_list
from .output import blog_meant, settled_search
from .people import password_digest, password_fits
from .pings import find_filter
from .tokens import NAME

MOST_ACCOUNTS = 100
"""Accounts of one service: whether all have taken a file is looked up with each deletion."""
LAST_ASKS = 20
"""Wishes that are shown."""


@dataclass(frozen=True, slots=True)
class ListedAccount:
    """An account as people see it: nobody reads a password."""

    name: str
    created: str
    by: str
    seen: str
    waiting: int
    choice: AccountChoice = field(default_factory=AccountChoice)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file with who fetched and deleted it."""

    number: int
    name: str
    made: str
    kind: OutboxKind
    post: str
    blog: str
    version: int
    size: int
    sha256: str
    state: OutboxState
    ended: str
    account: str
    takings: tuple[Taking, ...] = ()


@dataclass(frozen=True, slots=True)
class OutboxView:
    """How the outbox stands: where it is fetched, how full it is, who fetches, what was asked for;
    `cursor` is the number of the newest file, and `behind` how many news are not in a file yet.
    """

    address: str
    fingerprint: str
    is_plain: bool
    cursor: int
    behind: int
    figures: OutboxFigures
    accounts: tuple[ListedAccount, ...]
    asks: tuple[OutboxAsk, ...]


@dataclass(frozen=True, slots=True)
class AskWish:
    """What somebody wants to have once more: everything after a number, or some posts; for one
    account, or for all.
    """

    after: int | None = None
    search: PostSearch | None = None
    account: str = ""


MOST_COUNTED = 100_000
"""Files that are counted for each account; more are as many."""


def add_account(
    archive: ArchiveFolder, name: str, password: str, by: str = "", choice: AccountChoice | None = None
) -> FtpAccount:
    """Let somebody fetch files, all or those of a choice: from now on, and what is asked for.
    UsageError where the name or password is none.
    """
    store = archive.store
    if not NAME.fullmatch(name):
        raise UsageError(f"{name[:64]!r} cannot be the name of an account: letters, digits and . _ @ - can, up to 64.")
    if store.ftp_accounts.find(name):
        raise UsageError(f"There is an account {name!r} already; choose another name.")
    if len(store.ftp_accounts.all()) >= MOST_ACCOUNTS:
        raise UsageError(f"There are {MOST_ACCOUNTS} accounts already; remove one first.")
    chosen = checked_choice(archive, choice or AccountChoice())
    account = FtpAccount(name, password_digest(password), clock.stamp(), by, choice=chosen)
    with store.transaction():
        if not is_wanted(archive):
            begin_outbox(archive)
        store.ftp_accounts.keep(account)
        if not chosen.is_all:
            store.outbox.pass_over(name, account.created)
    return account


def checked_choice(archive: ArchiveFolder, choice: AccountChoice) -> AccountChoice:
    """A choice of what there is, its blogs by their names in the archive; UsageError says what
    there is not.
    """
    store = archive.store
    ids = {one.name: one.id for one in store.ping_filters.all()}
    return replace(
        choice,
        blogs=tuple(blog_meant(archive, one.strip()) for one in choice.blogs),
        lists=tuple(find_list(store, one).name for one in choice.lists),
        filters=tuple(find_filter(store, ids.get(one, one)).id for one in choice.filters),
    )


def choose_for_account(archive: ArchiveFolder, name: str, choice: AccountChoice) -> FtpAccount:
    """Let an account have other posts, from now on; what waits for it stays."""
    account = replace(found_account(archive.store, name), choice=checked_choice(archive, choice))
    archive.store.ftp_accounts.keep(account)
    return account


def set_account_password(store: Store, name: str, password: str) -> FtpAccount:
    """Give an account another password."""
    account = replace(found_account(store, name), password=password_digest(password))
    store.ftp_accounts.keep(account)
    return account


def remove_account(store: Store, name: str) -> FtpAccount:
    """Somebody fetches no more; nothing more is made where nobody else does."""
    account = found_account(store, name)
    with store.transaction():
        store.ftp_accounts.drop(name)
        if not store.ftp_accounts.all():
            store.news.leave(READER)
    return account


def found_account(store: Store, name: str) -> FtpAccount:
    """The account of this name; UsageError where there is none."""
    account = store.ftp_accounts.find(name)
    if account is None:
        raise UsageError(f"There is no account {name[:64]!r}; `blogforever outbox` lists those there are.")
    return account


def checked_account(store: Store, name: str, password: str) -> FtpAccount | None:
    """Whose name and password these are; takes as long where there is nobody of that name."""
    account = store.ftp_accounts.find(name)
    if not password_fits(account.password if account else None, password) or account is None:
        return None
    account = replace(account, seen=clock.stamp())
    store.ftp_accounts.keep(account)
    return account


def ask_again(archive: ArchiveFolder, wish: AskWish, by: str = "") -> OutboxAsk:
    """Have files made once more; a wish that waits already is not doubled."""
    if wish.account:
        found_account(archive.store, wish.account)
    if not is_wanted(archive):
        raise UsageError("Nobody has an account yet; blogforever outbox add NAME makes the first.")
    if (wish.after is None) == (wish.search is None):
        raise UsageError("Ask for what came after a number, or for some posts: one of them.")
    search = settled_search(archive, wish.search) if wish.search else None
    ask = OutboxAsk(clock.stamp(), by, wish.account, wish.after or 0, archive.store.outbox.last(), search)
    if wish.search:
        ask = replace(ask, until=0)
    same = (one for one in archive.store.outbox_asks.newest(LAST_ASKS) if not one.ended and _means_same(one, ask))
    return next(same, None) or archive.store.outbox_asks.keep(ask)


def ask_for_blogs(store: Store, blogs: Iterable[str], by: str = "") -> None:
    """Have everything of blogs that the archive has put into the outbox, where anybody fetches from
    it.
    """
    if store.ftp_accounts.all():
        for blog in dict.fromkeys(blogs):
            store.outbox_asks.keep(OutboxAsk(clock.stamp(), by, search=PostSearch(blog=blog)))


def outbox_view(archive: ArchiveFolder, address: str = "", fingerprint: str = "", is_plain: bool = False) -> OutboxView:
    """How it stands."""
    store = archive.store
    accounts = store.ftp_accounts.all()
    behind = store.news.last() - store.news.reached(READER) if accounts else 0
    return OutboxView(
        address,
        fingerprint,
        is_plain,
        store.outbox.last(),
        max(0, behind),
        store.outbox.figures(),
        tuple(listed_account(store, account) for account in accounts),
        tuple(store.outbox_asks.newest(LAST_ASKS)),
    )


def listed_account(store: Store, account: FtpAccount) -> ListedAccount:
    """An account as people see it."""
    waiting = len(store.outbox.waiting_for(account.name, 0, MOST_COUNTED))
    return ListedAccount(account.name, account.created, account.by, account.seen, waiting, account.choice)


def list_files(
    store: Store, limit: int, before: int | None = None, state: str = ""
) -> tuple[list[ListedFile], int | None]:
    """Files that are there and were, newest first; and the number before which the next page ends."""
    files = store.outbox.newest(limit + 1, before, state)
    following = files[limit - 1].number if len(files) > limit else None
    takings = store.outbox.takings(file.number for file in files)
    return [_listed(file, takings) for file in files[:limit]], following


def file_to_fetch(archive: ArchiveFolder, number: int, account: str = "") -> tuple[OutboxFile, Path] | None:
    """A file that waits, and where it lies; None where it waits no more, or must not be seen."""
    file = archive.store.outbox.find(number)
    if file is None or file.state != "waiting" or not _is_for(archive.store, file, account):
        return None
    if not may_be_seen(archive, file):
        return None
    path = outbox_path(archive.folder, file)
    return (file, path) if path.is_file() else None


def note_fetched(store: Store, number: int, account: str) -> None:
    """An account has a file now."""
    store.outbox.take(Taking(number, account, fetched=clock.stamp()))


def delete_file(archive: ArchiveFolder, number: int, account: str) -> bool:
    """An account needs a file no more; it goes when nobody does. Whether it was there."""
    store = archive.store
    file = store.outbox.find(number)
    if file is None or file.state != "waiting" or not _is_for(store, file, account):
        return False
    store.outbox.take(Taking(number, account, deleted=clock.stamp()))
    everybody = {file.account} if file.account else {one.name for one in store.ftp_accounts.all()}
    deleted = {taking.account for taking in store.outbox.takings([number]) if taking.deleted}
    if everybody <= deleted:
        put_away(archive, [file], "taken")
    return True


def _is_for(store: Store, file: OutboxFile, account: str) -> bool:
    """Whether an account sees a file: it is for all or for this one, which has not deleted it."""
    if not account:
        return True
    has_deleted = any(taking.account == account and taking.deleted for taking in store.outbox.takings([file.number]))
    return file.account in ("", account) and not has_deleted


def _means_same(one: OutboxAsk, other: OutboxAsk) -> bool:
    is_same_wish = (one.after, one.search) == (other.after, other.search)
    return is_same_wish and one.account == other.account


def _listed(file: OutboxFile, takings: Iterable[Taking]) -> ListedFile:
    mine = tuple(taking for taking in takings if taking.number == file.number and not taking.passed)
    said = (file.number, file.name, file.made, file.kind, file.post, file.blog, file.version, file.size)
    return ListedFile(*said, file.digest, file.state, file.ended, file.account, mine)
