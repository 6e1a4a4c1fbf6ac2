"""Filters as a file, to be kept elsewhere or brought from there; and what was done to them, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import msgspec

from blogforever import clock
from blogforever.errors import BadInput, UsageError
from blogforever.ping.filters import DEEPEST, MOST_FILTERS, PingFilter, expression_of
from blogforever.storage.deciding import PingFilterKept
from blogforever.storage.pings import FilterChange
from blogforever.storage.tables import Store
from blogforever.typedjson import decoded

from .desk import Desk
from .pings import check_parents, drop_filter, find_filter, tidy_name

VERSION = 1
# A thousand filters with the longest patterns are not larger.
LARGEST_FILE = 4 * 1024 * 1024
LONGEST_ID = 60


@dataclass(frozen=True, slots=True)
class FilterFile:
    """All filters, as they are handed over."""

    filters: tuple[PingFilter, ...]
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class ImportedFilters:
    """How many filters a file brought: new ones, others that were changed, and such as were there."""

    new: int = 0
    changed: int = 0
    same: int = 0


def export_filters(store: Store) -> FilterFile:
    """All filters, parents before those below them where their order allows."""
    return FilterFile(tuple(store.ping_filters.all()))


def export_json(store: Store) -> str:
    """The same as a file."""
    return msgspec.json.format(msgspec.json.encode(asdict(export_filters(store))), indent=2).decode() + "\n"


def read_filters(text: bytes) -> FilterFile:
    """The filters of a file; BadInput says in one sentence what is wrong with it."""
    if len(text) > LARGEST_FILE:
        raise BadInput(f"The file is larger than {LARGEST_FILE // 2**20} MB; no filters are.")
    try:
        read = decoded(text, FilterFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"The file holds no filters: {error}.") from error
    if read.version != VERSION:
        raise BadInput(f"The file is of version {read.version}; this program reads version {VERSION}.")
    return read


def import_filters(desk: Desk, given: FilterFile) -> ImportedFilters:
    """Make the filters of a file, or change those of the same id; all of them, or none where one is
    wrong. They act at once.
    """
    there = {one.id: one for one in desk.store.ping_filters.all()}
    wanted = [_checked(one) for one in given.filters]
    together = there | {one.id: one for one in wanted}
    if len(together) > MOST_FILTERS:
        raise UsageError(f"There would be more than {MOST_FILTERS} filters.")
    for one in wanted:
        check_parents(list(together.values()), one)
    fresh = [one for one in wanted if there.get(one.id) != one]
    for one in _parents_first(fresh):
        desk.decide(PingFilterKept(at=clock.stamp(), by=desk.by, filter=one))
    new = sum(one.id not in there for one in fresh)
    return ImportedFilters(new, len(fresh) - new, len(wanted) - len(fresh))


def _checked(one: PingFilter) -> PingFilter:
    """A filter of a file, if it can be one."""
    if not one.id or len(one.id) > LONGEST_ID or not one.id.isprintable():
        raise BadInput(f"The filter {one.name[:40]!r} has no id that can be one.")
    expression_of(one.pattern, one.kind)
    return replace(one, name=tidy_name(one.name), created=one.created or clock.stamp())


def _parents_first(filters: Sequence[PingFilter]) -> list[PingFilter]:
    """So that at no moment one stands below none."""
    ordered: list[PingFilter] = []
    left = list(filters)
    for _ in range(DEEPEST + 1):
        missing = {one.id for one in left}
        ordered += [one for one in left if one.parent not in missing]
        left = [one for one in left if one.parent in missing]
    return ordered


def take_back(desk: Desk, number: int) -> FilterChange:
    """Have a filter as it was before a change: one that was dropped is there again, one that was
    made goes. That is a change of its own.
    """
    change = find_change(desk.store, number)
    if change.before is None:
        find_filter(desk.store, change.filter)
        drop_filter(desk, change.filter)
        return change
    check_parents(desk.store.ping_filters.all(), change.before)
    desk.decide(PingFilterKept(at=clock.stamp(), by=desk.by, filter=change.before))
    return change


def find_change(store: Store, number: int) -> FilterChange:
    """The change with this number; UsageError where there is none."""
    found = store.ping_filters.changes(1, before=number + 1)
    if not found or found[0].id != number:
        raise UsageError(f"There is no change {number} of a filter; blogforever filters history lists them.")
    return found[0]
