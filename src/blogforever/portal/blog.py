"""One followed blog: what the archive has of it, when it is looked at, what people said of it and did to it."""

from __future__ import annotations

from dataclasses import fields
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.model import LookPolicy
from blogforever.service.blocking import LONGEST_REASON, block
from blogforever.service.blogview import BlogView, kept_bytes, view_blog
from blogforever.service.following import change_followed, drop_followed, made_change
from blogforever.service.repairing import repair
from blogforever.service.systemview import progress_of
from blogforever.service.verdicts import decide_verdict
from blogforever.source.given import BlogMetadata
from blogforever.storage.blocklist import BlockList
from blogforever.storage.deciding import FollowedChange
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.storage.work import OPEN, JobFilter

from .asked import StandingNow, StoreNow
from .charts import Chart, bar_chart
from .fields import LONGEST, LONGEST_TEXT, METADATA, MetadataForm, place, split_names
from .page import address, go, own_path, page, part
from .refusing import not_found
from .showing import UNDER_WAY
from .spans import by_month_or_year, period_name
from .unfollowed import LONGEST_ID, left_blog
from .visitors import Curator, Viewer, desk_for, note
from .words import N_, _

BLOG = "/sources/{blog}"
LONGEST_ADDRESS = 4000
HOUR, DAY = 3600, 86_400
# How often a person can want a blog looked at, in words that need no arithmetic.
PACES = {
    HOUR: N_("every hour"),
    6 * HOUR: N_("every 6 hours"),
    DAY: N_("every day"),
    7 * DAY: N_("every week"),
    30 * DAY: N_("every 30 days"),
    180 * DAY: N_("every half year"),
}
HOURS = 24
# What somebody can do about a blog that does not come in, by its state.
ADVICE = {
    "failing": N_(
        "It is asked again by itself. If it has moved, add its new address; if it is gone, pause it: the archive stays."
    ),
    "dead": N_("It is asked seldom now, and what was captured stays. If it is back, have it tried again."),
    "rejected": N_("It was not taken for a blog. If it is one, say so under “What it is”, or have it tried again."),
    "blocked": N_("Nobody looks at it or adds it. What was captured stays."),
}
NEVER_READ = N_(
    "Nothing of it could be read yet. Is the address right? It is asked again by itself; if it is wrong, follow it no"
    " more, and add the right one."
)
Judged = Literal["blog", "not-a-blog", "spam"]
BlogDeed = Literal["look", "accept", "freeze", "again", "pause", "resume", "reread"]
DONE: dict[BlogDeed, str] = {
    "look": N_("It is looked at now, before all others."),
    "accept": N_("What it shows now is taken over at the look that begins now."),
    "freeze": N_("It is frozen: it stays as the archive has it until you accept what it shows."),
    "again": N_("It is tried again, as if it had just been added."),
    "pause": N_("It is paused: nobody looks at it until you resume it."),
    "resume": N_("It is looked at again."),
    "reread": N_("Its archived pages are read again, by the rules of today."),
}


def followed_blog(store: StoreNow, blog: Annotated[str, Path(max_length=LONGEST_ID)]) -> FollowedBlog:
    """The followed blog that an address names."""
    found = store.followed.find(blog)
    if found is None:
        raise not_found(_("No blog %(name)s is followed. It may have been taken back.") % {"name": blog})
    return found


BlogNow = Annotated[FollowedBlog, Depends(followed_blog)]


def blog_routes() -> APIRouter:
    """`/sources/{id}` and what is done there."""
    routes = APIRouter()
    _add_reading(routes)
    _add_deeds(routes)
    _add_saying(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get(BLOG)
    def show(
        request: Request, visitor: Viewer, standing: StandingNow, blog: Annotated[str, Path(max_length=LONGEST_ID)]
    ) -> Response:
        """How it stands; of one that nobody follows any more, what the archive has, and the way back."""
        store = standing.archive.store
        if store.followed.find(blog):
            view = view_blog(store, blog)
            kept = kept_bytes(standing.archive, view.blog)
            return page(request, "blog.html", **_shown(store, view), kept=kept)
        if named_otherwise := store.followed.in_archive(blog):
            return go(request, place(named_otherwise[0]))
        left, months = left_blog(standing, blog), by_month_or_year(store.posts.months(blog))
        total = sum(number for _span, number in months)
        posts = bar_chart(_("Posts over time"), months) if months else None
        return page(request, "leftblog.html", blog=left, place=place(blog), total=total, posts=posts)

    @routes.get(f"{BLOG}/posts")
    def posts(request: Request, visitor: Viewer, blog: BlogNow) -> Response:
        """Its posts are among those of all blogs, chosen by it."""
        return go(request, address("/output", {"blog": blog.blog or blog.id}))

    @routes.get(f"{BLOG}/now")
    def now(
        request: Request,
        visitor: Viewer,
        store: StoreNow,
        name: Annotated[str, Path(alias="blog", max_length=LONGEST_ID)],
        at: Annotated[str, Query(max_length=LONGEST_ADDRESS)] = "",
    ) -> Response:
        """How far the job for this blog is; when it has ended, the page is loaded once more. `at` is its address."""
        blog = store.followed.find(name)
        if blog is None:
            return _elsewhere(request, store, at)
        job = next((one for one in store.jobs.newest(JobFilter(blog=blog.id), len(OPEN)) if one.state in OPEN), None)
        if job is None and blog.state not in UNDER_WAY:
            return Response(headers={"HX-Refresh": "true"})
        progress = progress_of(store, [job])[0] if job else None
        return part(request, "blogjob.html", place=place(blog), blog=blog, progress=progress, is_alone=True)


def _elsewhere(request: Request, store: Store, url: str) -> Response:
    """On to the blog that a look found an address to be of; where there is none, the page says why it is gone."""
    same = store.followed.known([url]).get(url) if url else None
    if same is None:
        return Response(headers={"HX-Refresh": "true"})
    answer = go(request, place(same), _("It is this blog, which is followed already: the address leads to it."))
    answer.headers["HX-Redirect"] = answer.headers["location"]
    # A browser would go where it is sent before the page hears of it.
    answer.status_code = HTTPStatus.OK
    return answer


def _shown(store: Store, view: BlogView) -> dict[str, Any]:
    return {
        "view": view,
        "blog": view.blog,
        "place": place(view.blog),
        "record": view.contents.record,
        "statement": view.contents.record.completeness if view.contents.record else None,
        "posts": _posts_chart(view),
        "week": _week_chart(view),
        "progress": progress_of(store, [view.job])[0] if view.job else None,
        "paces": PACES,
        "quiet": quiet_span(view.blog.policy.quiet_hours),
        "said_of": [(one.name, getattr(view.blog.metadata, one.name)) for one in fields(BlogMetadata)],
        "metadata_words": METADATA,
        "advice": _advice(view.blog),
        "blocking": BlockList(store.blocked.all()).blocking(view.blog.url) if view.blog.state == "blocked" else None,
    }


def _advice(blog: FollowedBlog) -> str:
    """What a person can do where a blog does not go well; of what was never read, nothing is in the archive."""
    return NEVER_READ if blog.state == "failing" and blog.blog is None else ADVICE.get(blog.state, "")


def _posts_chart(view: BlogView) -> Chart | None:
    spans = by_month_or_year(view.contents.months)
    return bar_chart(_("Posts over time"), spans) if spans else None


def _week_chart(view: BlogView) -> Chart | None:
    """The looks of the days to come; where there are only some, the next one says enough."""
    looks = [(period_name(str(one.day)), one.looks) for one in view.week]
    is_worth_it = view.blog.blog is not None and sum(number for _day, number in looks) >= len(looks)
    return bar_chart(_("Looks in the week to come"), looks) if is_worth_it else None


def quiet_span(hours: tuple[int, ...]) -> tuple[int, int] | None:
    """First quiet hour, and the hour at which it is over, where the quiet hours follow each other."""
    quiet = set(hours)
    begins = [hour for hour in quiet if (hour - 1) % HOURS not in quiet]
    if len(begins) != 1:
        return None
    return begins[0], (begins[0] + len(quiet)) % HOURS


def hours_between(begin: int, end: int) -> tuple[int, ...]:
    """The hours of the day from one to another, over midnight where the second comes first; none
    where they are one.
    """
    return tuple(sorted((begin + step) % HOURS for step in range((end - begin) % HOURS)))


def _add_deeds(routes: APIRouter) -> None:
    @routes.post(f"{BLOG}/do/{{deed}}")
    def do(request: Request, visitor: Curator, blog: BlogNow, deed: BlogDeed) -> Response:
        repair(desk_for(request, visitor), [blog], deed)
        note(request, visitor, f"{deed} blog", blog.id)
        return go(request, place(blog), _(DONE[deed]))

    @routes.post(f"{BLOG}/block")
    def block_it(
        request: Request, visitor: Curator, blog: BlogNow, reason: Annotated[str, Form(max_length=LONGEST_REASON)] = ""
    ) -> Response:
        block(desk_for(request, visitor), blog.url, reason, "address")
        note(request, visitor, "block", blog.id, reason)
        return go(
            request, place(blog), _("It is blocked: nobody looks at it or adds it. Undo it here or in the block list.")
        )

    @routes.post(f"{BLOG}/verdict/{{said}}")
    def judge(
        request: Request,
        visitor: Curator,
        blog: BlogNow,
        said: Judged,
        back: Annotated[str, Form(max_length=LONGEST_REASON)] = "",
    ) -> Response:
        decide_verdict(desk_for(request, visitor), blog.id, said)
        note(request, visitor, "judge blog", blog.id, said)
        return go(
            request,
            own_path(back) if back else place(blog),
            _("Kept: your word goes before what the analyser finds, and it learns from it."),
        )

    @routes.post(f"{BLOG}/unfollow")
    def unfollow(request: Request, visitor: Curator, store: StoreNow, blog: BlogNow) -> Response:
        drop_followed(desk_for(request, visitor), [blog.id])
        note(request, visitor, "unfollow blog", blog.id)
        # Where the archive has it, its page has the way back.
        here = place(blog.blog) if blog.blog and not store.followed.in_archive(blog.blog) else "/sources"
        return go(request, here, _("It is followed no more. What the archive has of it stays."))


class AboutForm(MetadataForm):
    """What somebody says of a blog."""

    title: str = Field("", max_length=LONGEST)
    tags: str = Field("", max_length=LONGEST_TEXT)
    lists: str = Field("", max_length=LONGEST_TEXT)
    notes: str = Field("", max_length=LONGEST_TEXT)

    def change(self) -> FollowedChange:
        """What that changes."""
        return FollowedChange(
            title=self.title.strip(),
            tags=split_names(self.tags),
            lists=split_names(self.lists),
            notes=self.notes.strip(),
            metadata=self.metadata(),
        )


class ScheduleForm(BaseModel):
    """When somebody wants a blog looked at; seconds, hours of the day (UTC), days; 0 and empty: as
    it comes.
    """

    every: int = Field(0, ge=0)
    at_least: int = Field(0, ge=0)
    at_most: int = Field(0, ge=0)
    quiet_from: int = Field(0, ge=0, lt=HOURS)
    quiet_to: int = Field(0, ge=0, lt=HOURS)
    priority: int = Field(0, ge=0, le=1)
    until: str = Field("", max_length=LONGEST)
    harvest_by: str = Field("", max_length=LONGEST)

    def change(self, blog: FollowedBlog) -> FollowedChange:
        """What that changes; UsageError for a day that is none."""
        quiet = hours_between(self.quiet_from, self.quiet_to)
        policy = LookPolicy(self.every or None, self.at_least or None, self.at_most or None, quiet, self.priority)
        days = made_change(blog, {"until": self.until, "harvest_by": self.harvest_by}, {})
        return FollowedChange(**days.given() | {"policy": policy})


def _add_saying(routes: APIRouter) -> None:
    @routes.post(f"{BLOG}/about")
    def about(request: Request, visitor: Curator, blog: BlogNow, given: Annotated[AboutForm, Form()]) -> Response:
        change_followed(desk_for(request, visitor), blog.id, given.change())
        note(request, visitor, "change blog", blog.id, "about")
        return go(request, place(blog), _("Kept."))

    @routes.post(f"{BLOG}/schedule")
    def schedule(request: Request, visitor: Curator, blog: BlogNow, given: Annotated[ScheduleForm, Form()]) -> Response:
        change_followed(desk_for(request, visitor), blog.id, given.change(blog))
        note(request, visitor, "change blog", blog.id, "schedule")
        return go(request, place(blog), _("Kept. The next look is planned by it."))
