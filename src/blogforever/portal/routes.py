"""The portal as a whole: its screens, its files, and what guards them; `web.app` puts it into the application."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.staticfiles import StaticFiles

from .add import add_routes
from .audit import audit_routes
from .batches import batch_routes
from .blocked import blocked_routes
from .blog import blog_routes
from .exports import export_routes
from .filters import filter_file_routes, filter_routes
from .guarding import GUARDS, Guarded, content_policy
from .hidden import hidden_routes
from .home import home_routes
from .lists import list_routes
from .login import login_routes
from .outbox import outbox_routes
from .output import output_routes
from .people import people_routes, token_routes
from .pings import ping_routes
from .placed import PlacedRoutes
from .policies import policy_routes
from .posts import post_routes
from .review import review_routes
from .rules import rules_routes
from .screens import Screen
from .searches import search_routes
from .settings import settings_routes
from .sources import sources_routes
from .system import system_routes
from .tryit import try_routes
from .unfollowed import unfollowed_routes
from .webhooks import webhook_screen_routes
from .words import N_

READ, COLLECT, CARE = N_("Read"), N_("Collect"), N_("Look after")
OUTPUT_WALK = (
    "/output",
    "/output?q=the&sort=newest",
    "/output?view=table",
    "/output?view=comments",
    "/output?view=together",
    "/output?q=nothing",
)
POST_WALK = tuple(f"/posts/{{post}}{place}" for place in ("", "/versions", "/diff", "/archived", "/cite", "/hide"))
SCREENS = (
    Screen("/", N_("Home"), home_routes, READ, "home"),
    Screen("/output", N_("Output"), output_routes, READ, "output", walk=OUTPUT_WALK),
    Screen("/posts", N_("A post"), post_routes, walk=POST_WALK),
    Screen("/searches", N_("Searches and tags"), search_routes, READ, "search"),
    Screen(
        "/sources", N_("Sources"), sources_routes, COLLECT, "sources", walk=("/sources", "/sources?state=following")
    ),
    Screen("/sources/", N_("One blog"), blog_routes, walk=("/sources/{blog}",)),
    Screen(
        "/sources/",
        N_("Rules"),
        rules_routes,
        walk=("/sources/{blog}/rules", "/sources/{blog}/rules?field=title"),
    ),
    Screen("/unfollowed", N_("Blogs that nobody follows"), unfollowed_routes),
    Screen("/add", N_("Add blogs"), add_routes, COLLECT, "add", "curate"),
    Screen("/batches", N_("Batches"), batch_routes, walk=("/batches", "/batches/{batch}")),
    Screen("/lists", N_("Lists"), list_routes, COLLECT, "lists"),
    Screen("/blocked", N_("Block list"), blocked_routes, COLLECT, "blocked"),
    Screen(
        "/pings",
        N_("Ping servers"),
        ping_routes,
        COLLECT,
        "pings",
        walk=("/pings", "/pings/log", "/pings/packages"),
    ),
    Screen("/filters", N_("Filters"), filter_routes, COLLECT, "filters"),
    Screen("/filters/", N_("Filters as a file"), filter_file_routes, walk=("/filters/history",)),
    Screen("/review", N_("Review"), review_routes, CARE, "review"),
    Screen(
        "/system",
        N_("System"),
        system_routes,
        CARE,
        "system",
        walk=("/system", "/system/jobs", "/system/statistics", "/system/week"),
    ),
    Screen("/exports", N_("Exports"), export_routes, CARE, "exports"),
    Screen("/outbox", N_("Outbox"), outbox_routes, CARE, "outbox", walk=("/outbox", "/outbox?state=taken")),
    Screen("/hidden", N_("Hidden"), hidden_routes, CARE, "lock", "curate"),
    Screen("/try", N_("Try it"), try_routes, CARE, "try"),
    Screen("/settings", N_("Settings"), settings_routes, CARE, "settings"),
    Screen("/settings/people", N_("People"), people_routes, scope="admin"),
    Screen("/settings/tokens", N_("Tokens"), token_routes, scope="admin"),
    Screen("/settings/webhooks", N_("Webhooks"), webhook_screen_routes, scope="admin"),
    Screen("/settings/policies", N_("Policies"), policy_routes, scope="curate"),
    Screen("/settings/audit", N_("Audit log"), audit_routes, scope="admin"),
    Screen("/login", N_("Log in"), login_routes),
)
"""All screens, in the order of the menu."""


@cache
def once_made(routes: Callable[[], APIRouter], prefix: str = "") -> APIRouter:
    """Routes below a prefix that are made once in a process: making all of them takes most of a
    second, and they hold nothing of the service that they answer for.
    """
    return PlacedRoutes(routes(), prefix)


def add_portal(app: FastAPI, frames: str = "") -> None:
    """Put the portal into an application; `frames` is the origin that archived things come from."""
    app.state.screens = SCREENS
    for screen in SCREENS:
        app.include_router(once_made(screen.routes), dependencies=GUARDS, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.add_middleware(Guarded, policy=content_policy(frames))
