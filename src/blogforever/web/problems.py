"""Errors as answers: problems as RFC 9457 has them, one clear sentence each."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from blogforever.errors import ArchiveError, ArchiveLocked, BadInput, BlogForeverError, NothingHarvested, UsageError
from blogforever.logs import logger

MEDIA_TYPE = "application/problem+json"
# The status that each of our own errors has; the first that fits.
STATUSES: tuple[tuple[type[BlogForeverError], HTTPStatus], ...] = (
    (ArchiveLocked, HTTPStatus.CONFLICT),
    (ArchiveError, HTTPStatus.SERVICE_UNAVAILABLE),
    (UsageError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NothingHarvested, HTTPStatus.UNPROCESSABLE_ENTITY),
)
FAULT = "This is a fault of blogforever; its log has more."
# Letters of a wrong value's description, and wrong values named at once.
LONGEST, MOST = 200, 10
log = logger("web")


class Problem(BaseModel):
    """What went wrong with a request."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


# What every route of the API may answer instead of what it is for.
OF_THE_API: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 409, 413, 422, 500, 503)
}


class ProblemError(Exception):
    """Ends a request with a problem."""

    def __init__(self, status: HTTPStatus, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


def not_found(detail: str) -> ProblemError:
    """What was asked for is not there."""
    return ProblemError(HTTPStatus.NOT_FOUND, detail)


def problem_answer(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer that tells of a problem."""
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail)
    return JSONResponse(problem.model_dump(), status, headers, MEDIA_TYPE)


def answer_with_problems(app: FastAPI) -> None:
    """Let every error of the app be answered with a problem."""
    app.add_exception_handler(ProblemError, _own)
    app.add_exception_handler(BlogForeverError, _known)
    app.add_exception_handler(HTTPException, _of_framework)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _fault)


async def _own(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return problem_answer(error.status, error.detail, error.headers)


async def _known(_request: Request, error: Exception) -> JSONResponse:
    fitting = (status for kind, status in STATUSES if isinstance(error, kind))
    return problem_answer(next(fitting, HTTPStatus.INTERNAL_SERVER_ERROR), str(error))


async def _of_framework(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return problem_answer(error.status_code, str(error.detail), dict(error.headers or {}))


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = [_sentence(one) for one in error.errors()[:MOST]]
    return problem_answer(HTTPStatus.UNPROCESSABLE_ENTITY, " ".join(wrong))


def _sentence(wrong: dict[str, Any]) -> str:
    place = ".".join(str(part) for part in wrong.get("loc", ()))
    return f"{place}: {str(wrong.get('msg', 'is wrong'))[:LONGEST]}."


async def _fault(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return problem_answer(HTTPStatus.INTERNAL_SERVER_ERROR, FAULT)
