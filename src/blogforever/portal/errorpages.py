"""Problems as pages, for people: what went wrong in one sentence, and what to do next."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from .page import came_from, greeted_visitor, own_path, page
from .words import N_, _

FOR_PROGRAMS = "/api/"
# What a problem is called for people; others as HTTP calls them.
TITLES = {
    HTTPStatus.UNAUTHORIZED: N_("Log in first"),
    HTTPStatus.FORBIDDEN: N_("Not allowed"),
    HTTPStatus.NOT_FOUND: N_("There is nothing here"),
    HTTPStatus.CONFLICT: N_("Something is in the way"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: N_("Too large"),
    HTTPStatus.MISDIRECTED_REQUEST: N_("Not our name"),
    HTTPStatus.UNPROCESSABLE_ENTITY: N_("It cannot be done like this"),
    HTTPStatus.TOO_MANY_REQUESTS: N_("Too often"),
    HTTPStatus.INTERNAL_SERVER_ERROR: N_("A fault of ours"),
    HTTPStatus.SERVICE_UNAVAILABLE: N_("Not at this moment"),
}
NOT_FOUND = HTTPStatus.NOT_FOUND.phrase


def wants_page(request: Request) -> bool:
    """Whether a person looks at the answer: browsers ask for pages, programs do not."""
    is_program = request.url.path.startswith(FOR_PROGRAMS)
    return not is_program and "text/html" in request.headers.get("accept", "")


def problem_page(request: Request, status: int, detail: str) -> Response:
    """A problem as a page."""
    greeted_visitor(request)
    known = HTTPStatus(status)
    title = _(TITLES.get(known, known.phrase))
    told = (
        _("No page has this address; it may be mistyped, or what was here is gone.") if detail == NOT_FOUND else detail
    )
    return page(request, "problem.html", status=status, title=title, detail=told, back=_came_from(request))


def _came_from(request: Request) -> str:
    """The page of ours on which somebody filled in what could not be done; empty where there was none."""
    return "" if request.method == "GET" else came_from(request)


def to_log_in(request: Request) -> Response:
    """Off to the log-in, and back afterwards; a part of a page takes the whole page there."""
    if request.headers.get("hx-request"):
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": "/login"})
    query = f"?{request.url.query}" if request.url.query else ""
    back = own_path(request.url.path + query) if request.method == "GET" else "/"
    return RedirectResponse(f"/login?next={quote(back, safe='/')}", HTTPStatus.SEE_OTHER)
