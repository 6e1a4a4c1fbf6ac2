"""Routes by where they are: those whose addresses begin otherwise are not looked through one by one."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.routing import Match, Route
from starlette.types import Scope

# What may begin in any way.
ANYWHERE = "{path}"


class PlacedRoutes(APIRouter):
    """Some routes below a prefix. There are hundreds, and to try all of them took as long as a tenth of a page; so
    first it is asked whether any of these begins as the address does.
    """

    def __init__(self, routes: APIRouter, prefix: str = "") -> None:
        super().__init__()
        self.include_router(routes, prefix=prefix)
        # As many parts as the prefix has, and one more.
        self._parts = prefix.count("/") + 2
        paths = [prefix + route.path if isinstance(route, Route) else ANYWHERE for route in routes.routes]
        self._known = frozenset(map(self._beginning, paths))
        self._is_open = any("{" in one for one in self._known)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether one of them answers this request."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self._is_open or self._beginning(path) in self._known:
            return super().matches(scope)
        return Match.NONE, {}

    def _beginning(self, path: str) -> str:
        return "/".join(path.split("/", self._parts)[: self._parts])
