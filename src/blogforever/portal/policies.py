"""Policies: when the blogs of a list, with a tag, of a service, or all may be looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.errors import UsageError
from blogforever.schedule.policies import NEAREST, PolicyScope
from blogforever.schedule.words import hours_of, policy_said, seconds_of
from blogforever.service.schedules import Many, PolicyChange, set_policy

from .asked import StoreNow
from .page import go, page
from .visitors import Curator, desk_for, note
from .words import _, plural

POLICIES = "/settings/policies"
LONGEST = 200
MOST_PRIORITY = 100


class GivenPolicy(BaseModel):
    """What a person sets for many blogs; what is empty is left to the schedule."""

    scope: str = Field(max_length=LONGEST)
    name: str = Field(default="", max_length=LONGEST)
    every: str = Field(default="", max_length=LONGEST)
    at_least: str = Field(default="", max_length=LONGEST)
    at_most: str = Field(default="", max_length=LONGEST)
    quiet_hours: str = Field(default="", max_length=LONGEST)
    priority: int = Field(default=0, ge=-MOST_PRIORITY, le=MOST_PRIORITY)

    def change(self) -> PolicyChange:
        """The whole policy anew."""
        hours = hours_of(self.quiet_hours) if self.quiet_hours.strip() else ()
        every, at_least, at_most = (
            seconds_of(text.strip() or None) for text in (self.every, self.at_least, self.at_most)
        )
        return PolicyChange(every, at_least, at_most, hours, self.priority, free=True)

    def words(self) -> str:
        """What was set, for the audit log."""
        given = (self.every, self.at_least, self.at_most, self.quiet_hours)
        return "; ".join(word for word in given if word)


def policy_routes() -> APIRouter:
    """`/settings/policies`."""
    routes = APIRouter(prefix=POLICIES)

    @routes.get("")
    def policies(request: Request, visitor: Curator, store: StoreNow) -> Response:
        shown = [(one, policy_said(one.policy)) for one in store.schedule.policies()]
        return page(request, "policies.html", policies=shown)

    @routes.post("")
    def keep(request: Request, visitor: Curator, given: Annotated[GivenPolicy, Form()]) -> Response:
        many = _meant(given.scope, given.name)
        number = set_policy(desk_for(request, visitor), many, given.change())
        note(request, visitor, "set policy", f"{many.scope} {many.name}".strip(), given.words())
        told = plural(
            "Set. %(num)s blog has a new plan; what is not harvested yet follows it afterwards.",
            "Set. %(num)s blogs have a new plan; what is not harvested yet follows it afterwards.",
            number,
        )
        return go(request, POLICIES, said=told)

    @routes.post("/drop")
    def drop(
        request: Request,
        visitor: Curator,
        scope: Annotated[str, Form(max_length=LONGEST)],
        name: Annotated[str, Form(max_length=LONGEST)] = "",
    ) -> Response:
        many = _meant(scope, name)
        set_policy(desk_for(request, visitor), many, PolicyChange(free=True))
        note(request, visitor, "drop policy", f"{many.scope} {many.name}".strip())
        return go(request, POLICIES, said=_("The policy is taken back."))

    return routes


def _meant(scope: str, name: str) -> Many:
    """The blogs that a policy is for; UsageError where it does not say which."""
    known: dict[str, PolicyScope] = {one: one for one in NEAREST}
    if scope not in known:
        raise UsageError(_("Say for which blogs the policy is: of a list, with a tag, of a service, or all."))
    if scope != "all" and not name.strip():
        raise UsageError(_("Say the name of the list, the tag or the service."))
    return Many((), known[scope], "" if scope == "all" else name.strip())
