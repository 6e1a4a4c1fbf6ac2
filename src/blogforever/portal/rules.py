"""The rules of one blog: seen, tried on archived pages, picked by a click, locked, learned anew, gone back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.archive.picking import ProposedRule
from blogforever.archive.rulefindings import ShownRule, TriedPage
from blogforever.care.locks import FIELDS
from blogforever.errors import BlogForeverError, UsageError
from blogforever.service.asking import ask_to_reread
from blogforever.service.picking import PickPlace, pick_path, pick_rules
from blogforever.service.rules import BlogRules, RulesChange, change_rules, rules_of, rules_revision, try_rules
from blogforever.service.standing import Standing
from blogforever.storage.following import FollowedBlog

from .asked import StandingNow
from .blog import BLOG, BlogNow
from .fields import place
from .page import address, go, page
from .refusing import not_found
from .visitors import Curator, Viewer, note
from .words import N_, _

LONGEST_RULE, LONGEST_ADDRESS, LONGEST_REASON = 2000, 4000, 500
# Archived pages that are offered to try rules on.
OFFERED = 8
WORDS = {
    "title": N_("Title"),
    "authors": N_("Authors"),
    "published": N_("Date"),
    "tags": N_("Tags"),
    "categories": N_("Categories"),
    "article": N_("Text"),
    "exclude": N_("Left out of the text"),
    "text": N_("Text"),
}
# By what a field is found on a page, in a word.
FOUND_BY = {
    "rule": N_("rule"),
    "feed": N_("feed"),
    "semantic": N_("markup"),
    "generic": N_("generic extraction"),
    "platform": N_("platform"),
}
Deed = Literal["set", "lock", "unlock", "relearn", "revision"]
DONE: dict[Deed, str] = {
    "set": N_("The rule is in force, and locked: learning leaves it alone."),
    "lock": N_("The rules of this field are locked: learning leaves them alone."),
    "unlock": N_("The rules of this field are unlocked and learned anew."),
    "relearn": N_("The rules of this field are learned anew."),
    "revision": N_("The rules are as they were then."),
}


class RulesQuery(BaseModel):
    """What is looked at: a field, a page, a rule that is tried there, an element somebody clicked
    on.
    """

    field: str = Field(default="", max_length=20)
    page: str = Field(default="", max_length=LONGEST_ADDRESS)
    rule: str = Field(default="", max_length=LONGEST_RULE)
    pick: int | None = Field(default=None, ge=0, le=10**7)


class RulesForm(BaseModel):
    """What is to be done."""

    deed: Deed
    field: str = Field(default="", max_length=20)
    rule: str = Field(default="", max_length=LONGEST_RULE)
    page: str = Field(default="", max_length=LONGEST_ADDRESS)
    number: int = Field(default=0, ge=0, le=10**9)
    reason: str = Field(default="", max_length=LONGEST_REASON)
    reread: bool = False

    def change(self) -> RulesChange:
        """The same as the service takes it."""
        match self.deed:
            case "set":
                return RulesChange(fields={self.field: (self.rule,)}, reason=self.reason)
            case "lock":
                return RulesChange(lock=(self.field,), reason=self.reason)
            case "unlock":
                return RulesChange(unlock=(self.field,), reason=self.reason)
            case "relearn":
                return RulesChange(relearn=(self.field,), reason=self.reason)
            case "revision":
                return RulesChange(revision=self.number, reason=self.reason)


@dataclass(frozen=True, slots=True)
class FieldRules:
    """A field with all its rules, of every template."""

    name: str
    is_locked: bool
    rules: tuple[ShownRule, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A rule as it is tried on a page: what it finds, the frame that shows it, what was proposed
    for a click.
    """

    field: str
    page: str
    rule: str
    frame: str
    picked_at: str
    tried: TriedPage | None = None
    proposed: tuple[ProposedRule, ...] = ()
    wrong: str = ""


def rules_routes() -> APIRouter:
    """`/sources/{id}/rules`."""
    routes = APIRouter()

    @routes.get(f"{BLOG}/rules")
    def show(
        request: Request, visitor: Viewer, standing: StandingNow, blog: BlogNow, asked: Annotated[RulesQuery, Query()]
    ) -> Response:
        return _shown(request, standing, blog, asked)

    @routes.post(f"{BLOG}/rules")
    def change(
        request: Request, visitor: Curator, standing: StandingNow, blog: BlogNow, given: Annotated[RulesForm, Form()]
    ) -> Response:
        wanted = given.change()
        try:
            change_rules(standing.archive.folder, blog, wanted)
        except BlogForeverError as error:
            asked = RulesQuery(field=given.field, page=given.page, rule=given.rule)
            return _shown(request, standing, blog, asked, str(error))
        standing.archive.read_decisions()
        note(request, visitor, "change rules", blog.id, wanted.told())
        said = _(DONE[given.deed])
        if given.reread:
            ask_to_reread(standing.archive.store, blog, visitor.name)
            said = f"{said} {_('What is archived is read again by the rules of now.')}"
        return go(request, _place(blog, given.field, given.page), said)

    @routes.get(f"{BLOG}/rules/{{number}}.json")
    def revision(
        visitor: Viewer, standing: StandingNow, blog: BlogNow, number: Annotated[int, Path(ge=1, le=10**9)]
    ) -> Response:
        """The rules as they were, as a rule file."""
        found = rules_revision(standing.archive, blog, number)
        if found is None:
            raise not_found(_("There are no such rules."))
        return Response(found.rules, media_type="application/json")

    return routes


def _place(blog: FollowedBlog, field: str, url: str) -> str:
    return address(f"{place(blog)}/rules", {"field": field, "page": url})


def _shown(request: Request, standing: Standing, blog: FollowedBlog, asked: RulesQuery, wrong: str = "") -> Response:
    known: dict[str, Any] = {"blog": blog, "place": place(blog), "words": WORDS, "ways": FOUND_BY, "wrong": wrong}
    known["choices"] = [(name, _(WORDS[name])) for name in FIELDS]
    try:
        rules = rules_of(standing.archive, blog)
    except UsageError as error:
        return page(request, "norules.html", why=str(error), **known)
    attempt = _attempt(request, standing, blog, asked, rules) if asked.field in FIELDS else None
    return page(
        request, "rules.html", rules=rules, by_field=_by_field(rules), offered=_offered(rules), attempt=attempt, **known
    )


def _by_field(rules: BlogRules) -> list[FieldRules]:
    shown = [rule for template in rules.templates for rule in template.rules]
    return [
        FieldRules(name, name in rules.locked, tuple(dict.fromkeys(rule for rule in shown if rule.field == name)))
        for name in FIELDS
    ]


def _offered(rules: BlogRules) -> list[str]:
    """Pages that the rules' examples are from."""
    shown = (rule for template in rules.templates for rule in template.rules)
    urls = dict.fromkeys(example.url for rule in shown for example in rule.examples)
    return list(urls)[:OFFERED]


def _attempt(
    request: Request,
    standing: Standing,
    blog: FollowedBlog,
    asked: RulesQuery,
    rules: BlogRules,
) -> Attempt | None:
    present = next(one.rules for one in _by_field(rules) if one.name == asked.field)
    offered = _offered(rules)
    url = asked.page or next(iter(offered), "")
    if not url:
        return None
    archive, picked_at = standing.archive, address(f"{place(blog)}/rules", {"field": asked.field, "page": url})
    origin = standing.replay.seen_from(request.url.hostname or "")
    marked = asked.rule or next((rule.css for rule in present), "")
    frame = f"{origin}{pick_path(archive, PickPlace(blog.blog or '', url, marked))}"
    proposed: tuple[ProposedRule, ...] = ()
    try:
        if asked.pick is not None:
            proposed = pick_rules(archive, blog, url, asked.pick, asked.field)
        tried = try_rules(archive, blog, url, {asked.field: (asked.rule,)} if asked.rule else {})
    except BlogForeverError as error:
        return Attempt(asked.field, url, asked.rule, frame, picked_at, wrong=str(error))
    return Attempt(asked.field, url, asked.rule, frame, picked_at, tried, proposed)
