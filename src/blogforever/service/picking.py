"""Pages to point at: an archived page with its elements numbered, at the replay origin, by addresses we sign."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from blogforever import clock
from blogforever.archive.picking import ProposedRule, numbered_page, proposed_rules
from blogforever.archive.ruled import RuledBlog, checked_field, ruled_as
from blogforever.archive.rulefindings import rule_page
from blogforever.errors import UsageError
from blogforever.export.inert import inert_page
from blogforever.storage.following import FollowedBlog
from blogforever.store.folder import ArchiveFolder

from .keys import is_signed, service_key, signature
from .replaying import Replay, ReplayPlace
from .rules import ruled_blog

PURPOSE = "pick"
# The moment of what a page loads, where nobody knows its own: the last there could be.
LAST = "9" * 14


@dataclass(frozen=True, slots=True)
class PickPlace:
    """A page of a blog of the archive, and the rule whose elements are marked on it."""

    blog: str
    url: str
    rule: str = ""


def pick_path(archive: ArchiveFolder, place: PickPlace) -> str:
    """Where the replay origin shows it, today and tomorrow."""
    day = str(clock.today().toordinal())
    signed = signature(service_key(archive.folder), PURPOSE, day, place.blog, place.url, place.rule)
    return "/pick?" + urlencode(
        {"blog": place.blog, "url": place.url, "rule": place.rule, "day": day, "signed": signed}
    )


def is_pick(archive: ArchiveFolder, place: PickPlace, day: str, signed: str) -> bool:
    """Whether an address was made by us, not too long ago."""
    is_fresh = day.isdecimal() and len(day) < 9 and clock.today().toordinal() - int(day) in (0, 1)
    return is_fresh and is_signed(service_key(archive.folder), signed, PURPOSE, day, place.blog, place.url, place.rule)


def page_to_pick(archive: ArchiveFolder, place: PickPlace) -> str | None:
    """The page, harmless, with its elements numbered; None where the archive has it not, or may not
    show it.
    """
    blog = _blog(archive, place.blog)
    try:
        found = rule_page(blog, place.url) if blog else None
        if found is None:
            return None
        text = numbered_page(found.page, [place.rule] if place.rule else [])
    except UsageError:
        return None
    shown_at = ReplayPlace("page", place.blog, LAST, found.page.url)
    return inert_page(text, found.page.url, Replay(archive).addresses(shown_at, found.page))


def pick_rules(
    archive: ArchiveFolder, followed: FollowedBlog, url: str, number: int, field: str
) -> tuple[ProposedRule, ...]:
    """Rules for a field that find the element somebody pointed at."""
    blog = ruled_blog(archive, followed)
    return proposed_rules(blog, rule_page(blog, url).page, number, checked_field(field))


def _blog(archive: ArchiveFolder, name: str) -> RuledBlog | None:
    record = archive.store.blogs.find(name)
    is_shown = record is not None and not archive.veil.blog(name)
    return ruled_as(archive, record) if record is not None and is_shown else None
