"""Searches that people keep, and tags set by rule: made, shown, dropped; every decision is in the journal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.deciding import SearchDropped, SearchKept, TagRuleDropped, TagRuleKept
from blogforever.storage.searches import KeptSearch, PostSearch, TagRule
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder
from blogforever.store.indexes import sought_words

from .desk import Desk, desk_of, new_id

LONGEST_NAME = 200
# Rules that set tags: each is tried on every post that comes.
MOST_RULES = 200


@dataclass(frozen=True, slots=True)
class TagWish:
    """Which posts shall have a tag; what is empty does not matter."""

    tag: str
    address: str = ""
    language: str = ""
    platform: str = ""
    words: str = ""


def keep_search(desk: Desk, name: str, search: PostSearch, note: str = "") -> KeptSearch:
    """Keep a search under a name; one of the same name is replaced."""
    tidy = _name(name, "A search")
    if search == PostSearch():
        raise UsageError("A search that asks for nothing would list every post; give words, or something to choose by.")
    if search.words:
        sought_words(search.words)
    now = clock.stamp()
    found = desk.store.searches.find(tidy) or KeptSearch(tidy, created=now, by=desk.by)
    kept = replace(found, search=search, note=note.strip())
    desk.decide(SearchKept(at=now, by=desk.by, search=kept))
    return kept


def find_search(store: Store, name: str) -> KeptSearch:
    """The search of this name; UsageError where there is none."""
    found = store.searches.find(" ".join(name.split()))
    if found is None:
        raise UsageError(f"No search is kept under the name {name!r}.")
    return found


def drop_search(desk: Desk, name: str) -> KeptSearch:
    """Keep a search no more."""
    found = find_search(desk.store, name)
    desk.decide(SearchDropped(at=clock.stamp(), by=desk.by, name=found.name))
    return found


def set_tag_rule(archive: ArchiveFolder, by: str, wish: TagWish) -> TagRule:
    """Give a tag to every post that fits, those that are there and those to come."""
    rule = TagRule(
        id=new_id(),
        tag=_name(wish.tag, "A tag"),
        address=wish.address.strip(),
        language=wish.language.strip(),
        platform=wish.platform.strip(),
        words=wish.words.strip(),
        created=clock.stamp(),
        by=by,
    )
    if rule.says_nothing:
        raise UsageError("A rule needs an address, a language, a platform or words; every post fits nothing.")
    if rule.words:
        sought_words(rule.words)
    if len(archive.store.tag_rules.all()) >= MOST_RULES:
        raise UsageError(f"There are {MOST_RULES} rules that set tags already; drop one first.")
    desk_of(archive, by).decide(TagRuleKept(at=rule.created, by=by, rule=rule))
    archive.search.retag(rule.id)
    return rule


def drop_tag_rule(archive: ArchiveFolder, by: str, rule: str) -> TagRule:
    """Take a rule back, and the tags that it gave."""
    found = archive.store.tag_rules.find(rule)
    if found is None:
        raise UsageError(f"There is no rule {rule!r} that sets tags.")
    desk_of(archive, by).decide(TagRuleDropped(at=clock.stamp(), by=by, rule=rule))
    archive.search.retag(rule)
    return found


def _name(name: str, what: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise UsageError(f"{what} needs a name of at most {LONGEST_NAME} characters.")
    return tidy
