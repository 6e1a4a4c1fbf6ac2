"""Requests that end otherwise than asked: with a problem, for programs as JSON and for people as a page."""

from __future__ import annotations

from http import HTTPStatus

from blogforever.errors import ArchiveError, ArchiveLocked, BadInput, BlogForeverError, NothingHarvested, UsageError

# The status that each of our own errors has; the first that fits.
STATUSES: tuple[tuple[type[BlogForeverError], HTTPStatus], ...] = (
    (ArchiveLocked, HTTPStatus.CONFLICT),
    (ArchiveError, HTTPStatus.SERVICE_UNAVAILABLE),
    (UsageError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NothingHarvested, HTTPStatus.UNPROCESSABLE_ENTITY),
)


class ProblemError(Exception):
    """Ends a request with a problem."""

    def __init__(self, status: HTTPStatus, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


class LogInFirst(Exception):
    """Whoever asks must log in; afterwards he gets where he wanted to."""


def not_found(detail: str) -> ProblemError:
    """What was asked for is not there."""
    return ProblemError(HTTPStatus.NOT_FOUND, detail)


def status_of(error: BlogForeverError) -> HTTPStatus:
    """The status that tells of one of our own errors."""
    fitting = (status for kind, status in STATUSES if isinstance(error, kind))
    return next(fitting, HTTPStatus.INTERNAL_SERVER_ERROR)
