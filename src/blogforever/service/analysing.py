"""What the analysis of an address means for the followed blog: its name, and whether it is a known one."""

from __future__ import annotations

from dataclasses import replace

from blogforever import clock
from blogforever.archive.surveying import Estimate
from blogforever.model import Said
from blogforever.schedule.states import why_failed
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.wording import N_, in_english

from .following import judged_known


def analysis_begun(store: Store, blog: str) -> FollowedBlog | None:
    """Somebody looks what is there; the blog that is meant, None where nobody follows it."""
    return store.followed.change(blog, lambda one: replace(one, state="analysing") if one.state == "waiting" else one)


def analysed(store: Store, blog: str, found: Estimate) -> None:
    """Write down what was found. What cannot be reached waits as it did: its first harvest decides
    with more evidence.
    """
    with store.transaction():
        known = store.followed.known([found.url]).get(found.url)
        is_another = known is not None and known.id != blog
        said = (why_failed(found.failure),) if found.failure else ()
        analysis_ended(store, blog, in_english(said), found.title or "", said)
        if known is not None and is_another and not found.failure:
            judged_known(store, blog, known.id, N_(f"the same blog as {known.url}"))


def analysis_ended(store: Store, blog: str, reason: str, title: str = "", said: tuple[Said, ...] = ()) -> None:
    """A blog that was analysed waits for its first harvest, at once; any other stays as it was."""

    def edit(one: FollowedBlog) -> FollowedBlog:
        named = replace(one, title=one.title or title)
        if one.state != "analysing":
            return named
        now, why = clock.stamp(), N_("it was analysed")
        return replace(named, state="waiting", reason=reason, said=said, next_look=now, next_reason=why)

    store.followed.change(blog, edit)
