"""The web application: made for one service, from routers that each know one part of it."""

from __future__ import annotations

from fastapi import FastAPI

from blogforever.portal.routes import add_portal, once_made
from blogforever.service.standing import Standing

from .analyse import analyse_routes
from .blogs import blog_routes
from .exchange import exchange_routes
from .exports import export_routes
from .extract import extract_routes
from .filterfiles import filter_file_routes
from .health import health_routes
from .lists import block_routes, list_routes
from .made import PREFIX
from .metrics import metric_routes
from .news import news_routes
from .outbox import outbox_routes
from .pingcare import ping_care_routes
from .pinghooks import hook_routes
from .pinging import PingDoor
from .pings import ping_filter_routes, ping_routes, ping_server_routes, subscription_routes
from .posts import blog_post_routes, post_routes
from .problems import OF_THE_API, answer_with_problems
from .pushing import add_push_routes
from .requests import NamedRequests
from .review import review_routes
from .rules import rule_routes
from .searches import search_routes, tag_rule_routes
from .sources import source_routes
from .stats import stats_routes
from .system import job_routes, system_routes, token_routes
from .users import user_routes
from .webhooks import webhook_routes

# The parts of the API, in the order in which its description tells of them.
PARTS = (
    source_routes,
    list_routes,
    block_routes,
    exchange_routes,
    blog_routes,
    rule_routes,
    blog_post_routes,
    post_routes,
    news_routes,
    search_routes,
    tag_rule_routes,
    extract_routes,
    analyse_routes,
    job_routes,
    system_routes,
    review_routes,
    stats_routes,
    export_routes,
    outbox_routes,
    webhook_routes,
    ping_server_routes,
    filter_file_routes,
    ping_filter_routes,
    ping_routes,
    ping_care_routes,
    subscription_routes,
    token_routes,
    user_routes,
)


def make_app(standing: Standing, version: str) -> FastAPI:
    """The application; everything of the API stands below /api/v1."""
    described = f"{PREFIX}/openapi.json"
    app = FastAPI(title="BlogForever", version=version, openapi_url=described, docs_url=None, redoc_url=None)
    app.state.standing = standing
    answer_with_problems(app)
    app.include_router(once_made(health_routes))
    app.include_router(metric_routes(standing))
    add_push_routes(app)
    app.include_router(hook_routes())
    for routes in PARTS:
        app.include_router(once_made(routes, PREFIX), responses=OF_THE_API)
    add_portal(app, standing.replay.for_policy())
    app.add_middleware(NamedRequests)
    app.add_middleware(PingDoor)
    return app
