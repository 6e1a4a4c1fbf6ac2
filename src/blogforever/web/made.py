"""What a request made, and where it is found from now on."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import Request, Response

PREFIX = "/api/v1"
_LOCATION = {"headers": {"Location": {"schema": {"type": "string"}, "description": "Where it is found from now on."}}}
MADE: dict[int | str, dict[str, Any]] = {HTTPStatus.CREATED.value: _LOCATION}
ASKED: dict[int | str, dict[str, Any]] = {HTTPStatus.ACCEPTED.value: _LOCATION}
"""Answers that say where something is: what was made, and the job that was asked for."""


def made_or_changed(model: type) -> dict[int | str, dict[str, Any]]:
    """The answers where something of the same name may have been there."""
    return {**MADE, HTTPStatus.OK.value: {"model": model, "description": "It was there, and is so now."}}


def made_at(request: Request, response: Response, name: str, is_new: bool = True) -> None:
    """Say where what was posted to a list is; what was there already was not made."""
    response.headers["Location"] = f"{request.url.path}/{quote(name, safe='')}"
    if not is_new:
        response.status_code = HTTPStatus.OK


def job_at(response: Response, job: int) -> None:
    """Say where the job that was asked for is."""
    response.headers["Location"] = f"{PREFIX}/jobs/{job}"
