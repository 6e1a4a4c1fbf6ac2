"""The service itself over the API: its jobs, workers, parts, tokens, figures, and what was done."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever import clock
from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import ProblemError, not_found
from blogforever.service.budgets import AskedService, asked_by_all
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.jobs import cancel_job, list_jobs, pause_part, resume_part, retry_job
from blogforever.service.systemview import blobs_waiting
from blogforever.service.tokens import create_token, revoke_token
from blogforever.storage.blobs import WaitingBlobs
from blogforever.storage.people import Deed, Scope, Token
from blogforever.storage.tables import Store
from blogforever.storage.work import OPEN, JobFilter, JobKind, JobRow, JobState, PausedPart, WorkerRow

from .access import Admin, Curator, Reader, note
from .made import ASKED, MADE, job_at, made_at
from .paging import USUAL, After, ItemPage, Limit, WantedPart
from .texts import DAY

JobNumber = Annotated[int, Path(ge=1, le=2**62)]
Part = Literal[
    "scheduler", "workers", "pings", "webhooks", "outbox",
    "harvest", "update", "render", "analyse", "export", "reread",
]  # fmt: skip
"""`service.jobs.PARTS`, as a description of the API can name them."""


class JobCount(BaseModel):
    """How many jobs of a kind stand how."""

    kind: JobKind
    state: JobState
    number: int


class SystemState(BaseModel):
    """How the service stands."""

    now: str
    ready: bool
    reasons: list[str]
    blogs: dict[str, int]
    jobs: list[JobCount]
    workers: list[WorkerRow]
    paused: list[PausedPart]
    services: list[AskedService]
    """Services of many blogs, as all workers together stand with them."""
    blobs: list[WaitingBlobs]
    """Files that have not reached the store of blobs yet, by the machine that has them."""


class NewTokenRequest(BaseModel):
    """A token to be made."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=64)
    scope: Scope = "read"


class TokenItem(BaseModel):
    """A token; nobody can read its secret."""

    name: str
    scope: Scope
    created: str
    by: str
    used: str | None


class MadeToken(TokenItem):
    """A token that was just made, with its secret, this once."""

    token: str


def job_routes() -> APIRouter:
    """The queue."""
    routes = APIRouter(prefix="/jobs", tags=["jobs"])

    @routes.get("")
    def jobs(
        store: StoreNow,
        _token: Reader,
        state: JobState | None = None,
        kind: JobKind | None = None,
        blog: Annotated[str, Query(max_length=200)] = "",
        day: Annotated[str, Query(pattern=DAY)] = "",
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[JobRow]:
        """Newest first; `day` is the one (UTC) on which they ended."""
        page = list_jobs(store, JobFilter(state, kind, blog, day), limit, place_of(after, int))
        return ItemPage(items=[*page.items], next=cursor_of(page.next))

    @routes.get("/{job}")
    def one(job: JobNumber, store: StoreNow, _token: Reader) -> JobRow:
        return _found_job(store, job)

    @routes.post("/{job}/cancel")
    def cancel(job: JobNumber, store: StoreNow, token: Curator) -> JobRow:
        """End it: one that waits at once, one under way in good order."""
        _found_job(store, job)
        note(store, token, "cancel job", str(job))
        return cancel_job(store, job)

    @routes.post("/{job}/retry", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def retry(job: JobNumber, store: StoreNow, token: Curator, response: Response) -> JobRow:
        """Do again what ended."""
        if _found_job(store, job).state in OPEN:
            raise ProblemError(HTTPStatus.CONFLICT, f"The job {job} has not ended: there is nothing to try again yet.")
        note(store, token, "retry job", str(job))
        again = retry_job(store, job, token.name)
        job_at(response, again.id)
        return again

    return routes


def system_routes() -> APIRouter:
    """How it stands, and its parts."""
    routes = APIRouter(tags=["system"])

    @routes.get("/system")
    def system(standing: StandingNow, _token: Reader) -> SystemState:
        store, reasons = standing.archive.store, standing.not_ready()
        counted = store.jobs.counts().items()
        return SystemState(
            now=clock.stamp(),
            ready=not reasons,
            reasons=reasons,
            blogs=store.followed.counts(),
            jobs=[JobCount(kind=kind, state=state, number=number) for (kind, state), number in counted],
            workers=store.workers.rows(),
            paused=store.parts.paused(),
            services=asked_by_all(standing),
            blobs=blobs_waiting(standing),
        )

    @routes.post("/system/{part}/pause")
    def pause(part: Part, store: StoreNow, token: Admin) -> ItemPage[PausedPart]:
        pause_part(store, part, token.name)
        note(store, token, "pause part", part)
        return ItemPage(items=store.parts.paused(), next=None)

    @routes.post("/system/{part}/resume")
    def resume(part: Part, store: StoreNow, token: Admin) -> ItemPage[PausedPart]:
        resume_part(store, part)
        note(store, token, "resume part", part)
        return ItemPage(items=store.parts.paused(), next=None)

    @routes.get("/audit")
    def audit(
        store: StoreNow,
        _token: Admin,
        who: Annotated[str, Query(max_length=64)] = "",
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[Deed]:
        """What was done, newest first."""
        found = store.audit.newest(limit + 1, place_of(after, int), who)
        following = found[limit - 1].id if len(found) > limit else None
        return ItemPage(items=found[:limit], next=cursor_of(following))

    return routes


def token_routes() -> APIRouter:
    """The keys to the service."""
    routes = APIRouter(prefix="/tokens", tags=["tokens"])

    @routes.get("")
    def tokens(store: StoreNow, _token: Admin, part: WantedPart) -> ItemPage[TokenItem]:
        return part.of([_item(token) for token in store.tokens.all()], lambda one: one.name)

    @routes.get("/{name}")
    def one(name: str, store: StoreNow, _token: Admin) -> TokenItem:
        return _item(_found_token(store, name))

    @routes.post("", status_code=HTTPStatus.CREATED, responses=MADE)
    def create(new: NewTokenRequest, store: StoreNow, token: Admin, request: Request, response: Response) -> MadeToken:
        made = create_token(store, new.name, new.scope, token.name)
        note(store, token, "create token", new.name, new.scope)
        made_at(request, response, made.token.name)
        return MadeToken(**_item(made.token).model_dump(), token=made.secret)

    @routes.delete("/{name}", status_code=HTTPStatus.NO_CONTENT)
    def revoke(name: str, store: StoreNow, token: Admin) -> None:
        _found_token(store, name)
        revoke_token(store, name)
        note(store, token, "revoke token", name)

    return routes


def _found_job(store: Store, job: int) -> JobRow:
    found = store.jobs.find(job)
    if found is None:
        raise not_found(f"There is no job {job}.")
    return found


def _found_token(store: Store, name: str) -> Token:
    found = store.tokens.find(name)
    if found is None:
        raise not_found(f"There is no token {name!r}.")
    return found


def _item(token: Token) -> TokenItem:
    return TokenItem(name=token.name, scope=token.scope, created=token.created, by=token.by, used=token.used)
