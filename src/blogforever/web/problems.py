"""Errors as answers: problems as RFC 9457 has them, one clear sentence each."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from blogforever.errors import BlogForeverError
from blogforever.logs import about, logger
from blogforever.portal.errorpages import problem_page, to_log_in, wants_page
from blogforever.portal.refusing import LogInFirst, ProblemError, status_of

from .made import PREFIX
from .requests import HEADER, name_of
from .texts import IN_WORDS

JSON, MEDIA_TYPE = "application/json", "application/problem+json"
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
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 413, 422, 500, 503)
}


def problem_answer(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The answer that tells of a problem."""
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail)
    return JSONResponse(problem.model_dump(), status, headers, MEDIA_TYPE)


def answer_with_problems(app: FastAPI) -> None:
    """Let every error of the app be answered with a problem, and its description say so."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_media_type(plain())
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]  # as FastAPI wants it
    app.add_exception_handler(ProblemError, _own)
    app.add_exception_handler(LogInFirst, _unknown_person)
    app.add_exception_handler(BlogForeverError, _known)
    app.add_exception_handler(HTTPException, _of_framework)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _fault)


def _with_media_type(described: dict[str, Any]) -> dict[str, Any]:
    """The description with problems under their own type: the framework takes every model for plain
    JSON.
    """
    operations = (operation for path in described["paths"].values() for operation in path.values())
    for answer in (answer for operation in operations for answer in operation["responses"].values()):
        content = answer.get("content", {})
        if content.get(JSON, {}).get("schema", {}).get("$ref", "").endswith("/Problem"):
            content[MEDIA_TYPE] = content.pop(JSON)
    return described


def _told(request: Request, status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """The answer that tells whoever asked: people by a page, programs as they understand it."""
    return problem_page(request, status, detail) if wants_page(request) else problem_answer(status, detail, headers)


def _own(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return _told(request, error.status, error.detail, error.headers)


def _unknown_person(request: Request, _error: Exception) -> Response:
    return to_log_in(request)


def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, BlogForeverError)
    return _told(request, status_of(error), str(error))


def _of_framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _told(request, error.status_code, _in_a_sentence(request, error), dict(error.headers or {}))


def _in_a_sentence(request: Request, error: HTTPException) -> str:
    """What the framework says; of an address or a method that the API does not have, where to find those it has."""
    detail = str(error.detail)
    if not request.url.path.startswith(f"{PREFIX}/") or detail != HTTPStatus(error.status_code).phrase:
        return detail
    asked = f"{request.method} {request.url.path[:LONGEST]}"
    return f"The API has no {asked}; {PREFIX}/openapi.json says what it has."


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = [_sentence(one) for one in error.errors()[:MOST]]
    return _told(request, HTTPStatus.UNPROCESSABLE_ENTITY, " ".join(wrong))


def _sentence(wrong: dict[str, Any]) -> str:
    if wrong.get("type") == "json_invalid":
        return f"The body is no JSON: {str(wrong['ctx']['error'])[:LONGEST]}, at character {wrong['loc'][-1]}."
    place = ".".join(str(part) for part in wrong.get("loc", ()))
    pattern = IN_WORDS.get(wrong.get("ctx", {}).get("pattern", ""))
    words = pattern or IN_WORDS.get(wrong.get("type", "")) or wrong.get("msg", "is wrong")
    return f"{place}: {str(words)[:LONGEST]}."


def _fault(request: Request, error: Exception) -> Response:
    # Who names requests is not asked any more when something breaks.
    name = name_of(request.scope)
    with about(request=name):
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    answer = _told(request, HTTPStatus.INTERNAL_SERVER_ERROR, FAULT)
    answer.headers[HEADER] = name
    return answer
