"""A blog's rules over the API: seen, tried on any archived page, changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.archive.rulefindings import TriedPage
from blogforever.portal.asked import StandingNow
from blogforever.portal.refusing import not_found
from blogforever.service.rules import (
    BlogRules,
    RulesChange,
    change_rules,
    rules_of,
    rules_revision,
    try_rules,
)

from .access import Curator, Reader, note
from .blogs import found_blog
from .texts import LONGEST_ADDRESS, LONGEST_NOTE, Name

# Letters of a rule: a selector, or an object of the rule file.
LONGEST_RULE = 2000
# Rules of one field, tried in order.
MOST_RULES = 20
# Letters of a whole rule file: that of a blog with many templates has a hundredth of it.
LONGEST_FILE = 1_000_000
RULE_FILE = {"application/json": {"schema": {"type": "object"}}}
WrittenRule = Annotated[str, Field(min_length=1, max_length=LONGEST_RULE)]
WrittenRules = Annotated[tuple[WrittenRule, ...], Field(min_length=1, max_length=MOST_RULES)]
FieldNames = Annotated[tuple[Name, ...], Field(max_length=MOST_RULES)]


class RulesTried(BaseModel):
    """A page of the archive, and rules by field that are tried on it; without any, the present ones
    are.
    """

    model_config = ConfigDict(extra="forbid")

    url: str = Field(min_length=1, max_length=LONGEST_ADDRESS)
    fields: dict[Name, WrittenRules] = Field(default_factory=dict, max_length=MOST_RULES)


class NewRules(BaseModel):
    """What to change: rules of fields, which are locked; fields to be locked as they are, unlocked,
    learned anew; a whole rule file; or a revision to go back to.
    """

    model_config = ConfigDict(extra="forbid")

    fields: dict[Name, WrittenRules] = Field(default_factory=dict, max_length=MOST_RULES)
    lock: FieldNames = ()
    unlock: FieldNames = ()
    relearn: FieldNames = ()
    file: str = Field(default="", max_length=LONGEST_FILE, description="A rule file, as text.")
    revision: int | None = Field(default=None, ge=1, le=10**9)
    reason: str = Field(default="", max_length=LONGEST_NOTE)

    def change(self) -> RulesChange:
        """The same as the service takes it."""
        return RulesChange(self.file, self.revision, self.fields, self.lock, self.unlock, self.relearn, self.reason)


def rule_routes() -> APIRouter:
    """Everything about the rules of one blog."""
    routes = APIRouter(prefix="/blogs/{blog}", tags=["rules"])

    @routes.get("/rules")
    def rules(blog: str, standing: StandingNow, _token: Reader) -> BlogRules:
        """Each field's rules with confidence and examples, what is locked, and how they came to be
        so.
        """
        return rules_of(standing.archive, found_blog(standing.archive.store, blog))

    @routes.put("/rules")
    def change(blog: str, new: NewRules, standing: StandingNow, token: Curator) -> BlogRules:
        """Change them; what is archived reads otherwise once it is read again."""
        store = standing.archive.store
        followed, wanted = found_blog(store, blog), new.change()
        change_rules(standing.archive.folder, followed, wanted)
        standing.archive.read_decisions()
        note(store, token, "change rules", blog, wanted.told())
        return rules_of(standing.archive, followed)

    @routes.post("/rules/try")
    def attempt(blog: str, tried: RulesTried, standing: StandingNow, _token: Reader) -> TriedPage:
        """What each field of an archived page is, and what it would be."""
        return try_rules(standing.archive, found_blog(standing.archive.store, blog), tried.url, tried.fields)

    @routes.get("/rules/revisions/{number}", response_class=Response, responses={200: {"content": RULE_FILE}})
    def revision(
        blog: str, number: Annotated[int, Path(ge=1, le=10**9)], standing: StandingNow, _token: Reader
    ) -> Response:
        """The rules as they were, as a rule file."""
        found = rules_revision(standing.archive, found_blog(standing.archive.store, blog), number)
        if found is None:
            raise not_found(f"There is no revision {number} of the rules of {blog!r}.")
        return Response(found.rules.encode(), media_type="application/json")

    return routes
