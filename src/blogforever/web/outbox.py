"""The outbox over the API: what waits for repositories, who fetched it, asking again, and who may."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.outbox import (
    AskWish,
    ListedAccount,
    ListedFile,
    OutboxView,
    add_account,
    ask_again,
    choose_for_account,
    delete_file,
    file_to_fetch,
    list_files,
    listed_account,
    note_fetched,
    outbox_view,
    remove_account,
    set_account_password,
)
from blogforever.service.people import LONGEST_PASSWORD, SHORTEST_PASSWORD
from blogforever.storage.outbox import AccountChoice, FtpAccount, OutboxAsk, OutboxState
from blogforever.storage.searches import PostSearch
from blogforever.storage.tables import Store

from .access import Admin, Curator, Reader, note
from .made import MADE, made_at
from .paging import USUAL, After, ItemPage, Limit, WantedPart
from .posts import PostChoice
from .texts import LOGIN, Name

FileNumber = Annotated[int, Path(ge=1, le=2**62)]
Account = Annotated[str, Query(max_length=64, description="The account for which it is done.")]
# Names of one kind in a choice.
MOST_CHOSEN = 100
NO_FILE = "There is no file {} that waits."


class AskRequest(PostChoice):
    """What to have once more: all files after a number, or some posts; for one account, or for all."""

    after: int | None = Field(default=None, ge=0, le=2**62)
    account: Name = ""

    def wish(self) -> AskWish:
        """The same as the outbox takes it."""
        search = self.search()
        return AskWish(self.after, None if search == PostSearch() else search, self.account)


class NewPassword(BaseModel):
    """The password of an account."""

    model_config = ConfigDict(extra="forbid")

    password: str = Field(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)


class ChoiceRequest(BaseModel):
    """Of which posts an account gets files; what is not said does not matter, of several names one
    is enough.
    """

    model_config = ConfigDict(extra="forbid")

    blogs: tuple[Name, ...] = Field(default=(), max_length=MOST_CHOSEN)
    lists: tuple[Name, ...] = Field(default=(), max_length=MOST_CHOSEN)
    tags: tuple[Name, ...] = Field(default=(), max_length=MOST_CHOSEN)
    languages: tuple[Name, ...] = Field(default=(), max_length=MOST_CHOSEN)
    filters: tuple[Name, ...] = Field(default=(), max_length=MOST_CHOSEN, description="Ids of filters of pings.")

    def choice(self) -> AccountChoice:
        """The same as the outbox takes it."""
        return AccountChoice(self.blogs, self.lists, self.tags, self.languages, self.filters)


class NewAccount(NewPassword):
    """Somebody who is to fetch files: all, or those of a choice."""

    name: str = Field(pattern=LOGIN)
    choice: ChoiceRequest = ChoiceRequest()


def outbox_routes() -> APIRouter:
    """Files for repositories."""
    routes = APIRouter(prefix="/outbox", tags=["outbox"])
    _add_files(routes)
    _add_accounts(routes)
    return routes


def _add_files(routes: APIRouter) -> None:
    @routes.get("")
    def outbox(request: Request, standing: StandingNow, _token: Reader) -> OutboxView:
        """Where files are fetched, how many wait, who fetches, what was asked for; `cursor` is the
        newest number.
        """
        ftp = standing.ftp
        return outbox_view(standing.archive, ftp.seen_from(request.url.hostname or ""), ftp.fingerprint, ftp.is_plain)

    @routes.get("/files")
    def files(
        store: StoreNow, _token: Reader, state: OutboxState | None = None, limit: Limit = USUAL, after: After = ""
    ) -> ItemPage[ListedFile]:
        """Files there are and were, newest first, with who fetched and deleted them."""
        found, following = list_files(store, limit, place_of(after, int), state or "")
        return ItemPage(items=found, next=cursor_of(following))

    @routes.get("/files/{number}", response_class=FileResponse)
    def file(number: FileNumber, standing: StandingNow, _token: Reader, account: Account = "") -> FileResponse:
        """A file that waits; with an account it is noted that this one has it."""
        found = file_to_fetch(standing.archive, number, account)
        if found is None:
            raise not_found(NO_FILE.format(number))
        if account:
            note_fetched(standing.archive.store, number, account)
        return FileResponse(found[1], filename=found[0].name, media_type="application/xml")

    @routes.delete("/files/{number}", status_code=HTTPStatus.NO_CONTENT)
    def delete(number: FileNumber, standing: StandingNow, token: Curator, account: Account) -> None:
        """An account has it, and needs it no more."""
        is_account = standing.archive.store.ftp_accounts.find(account) is not None
        if not is_account or not delete_file(standing.archive, number, account):
            raise not_found(NO_FILE.format(number))
        note(standing.archive.store, token, "delete file", str(number), account)

    @routes.post("/asks", status_code=HTTPStatus.ACCEPTED)
    def ask(asked: AskRequest, standing: StandingNow, token: Curator) -> OutboxAsk:
        """Have files made once more: all after a number, or those of some posts."""
        made = ask_again(standing.archive, asked.wish(), token.name)
        note(standing.archive.store, token, "ask for files", str(made.id), asked.account)
        return made


def _add_accounts(routes: APIRouter) -> None:
    @routes.get("/accounts")
    def accounts(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[ListedAccount]:
        return part.of([listed_account(store, one) for one in store.ftp_accounts.all()], lambda one: one.name)

    @routes.get("/accounts/{name}")
    def one(name: str, store: StoreNow, _token: Reader) -> ListedAccount:
        return listed_account(store, _known(store, name))

    @routes.post("/accounts", status_code=HTTPStatus.CREATED, responses=MADE)
    def add(
        new: NewAccount, standing: StandingNow, token: Admin, request: Request, response: Response
    ) -> ListedAccount:
        """It gets what is kept from now on, and what is asked for."""
        account = add_account(standing.archive, new.name, new.password, token.name, new.choice.choice())
        note(standing.archive.store, token, "add ftp account", new.name)
        made_at(request, response, account.name)
        return listed_account(standing.archive.store, account)

    @routes.put("/accounts/{name}/password")
    def change(name: str, new: NewPassword, store: StoreNow, token: Admin) -> ListedAccount:
        """Give it another password."""
        _known(store, name)
        account = set_account_password(store, name, new.password)
        note(store, token, "set ftp password", name)
        return listed_account(store, account)

    @routes.put("/accounts/{name}/choice")
    def choose(name: str, new: ChoiceRequest, standing: StandingNow, token: Admin) -> ListedAccount:
        """Let it have other posts, from now on; an empty choice is everything."""
        _known(standing.archive.store, name)
        account = choose_for_account(standing.archive, name, new.choice())
        note(standing.archive.store, token, "choose for ftp account", name)
        return listed_account(standing.archive.store, account)

    @routes.delete("/accounts/{name}", status_code=HTTPStatus.NO_CONTENT)
    def remove(name: str, store: StoreNow, token: Admin) -> None:
        """It fetches no more."""
        _known(store, name)
        remove_account(store, name)
        note(store, token, "remove ftp account", name)


def _known(store: Store, name: str) -> FtpAccount:
    found = store.ftp_accounts.find(name)
    if found is None:
        raise not_found(f"There is no account {name!r}.")
    return found
