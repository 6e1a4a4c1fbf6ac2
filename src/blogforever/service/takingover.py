"""Take over what another installation signed: of whom we trust, the parts we trust him with; what
is taken can be taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from blogforever import clock
from blogforever.archive.ruled import opened_rules
from blogforever.care.locks import ARTICLE
from blogforever.errors import ArchiveError, RulesError, UsageError
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.model import Rule, Rules, Template
from blogforever.source.address import blog_name, read_address
from blogforever.source.exchangefile import (
    ExchangeFile,
    HandedPlace,
    HandedRules,
    HandedSource,
    Part,
    read_exchange,
)
from blogforever.source.given import GivenRow
from blogforever.storage.blocklist import BlockList, blockable
from blogforever.storage.decided import all_followed
from blogforever.storage.deciding import PlacesBlocked, PlacesUnblocked
from blogforever.storage.following import BlockedPlace
from blogforever.storage.handovers import FileReturned, FileTaken, TakenBatch, WaitingRules

from .adding import Added, AddRequest, add_sources, undo_batch
from .blocking import LONGEST_REASON
from .desk import new_id
from .exchanging import ExchangeDesk, own_key
from .lists import keep_list

# Templates of one blog, rules of one field, and letters of a selector that are believed: learned
# ones have a tenth.
MOST_TEMPLATES, MOST_OF_FIELD, LONGEST_SELECTOR = 50, 50, 1000
# What a selector may not hold: each looks at a whole page for every element of it, and nothing
# learned has them.
COSTLY = (":has(", ":is(", ":where(", ":not(")


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """What became of one part, or would: `counts` says of how many of its entries what was found;
    `resting` how many followed blogs rest by it.
    """

    part: Part
    trusted: bool
    taken: bool
    counts: dict[str, int] = field(default_factory=dict)
    resting: int = 0


@dataclass(frozen=True, slots=True)
class TakeOver:
    """What taking a file over came to, or would; `batch` is what it is taken back by, empty in a dry run."""

    batch: str
    key: str
    name: str
    made: str
    dry_run: bool
    parts: tuple[PartOutcome, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """What was taken back; `relearned` are blogs whose rules were learned anew, `kept` those for
    which that could not be done.
    """

    batch: str
    sources: int = 0
    unblocked: int = 0
    relearned: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def take_over(at: ExchangeDesk, data: bytes, asked: Collection[Part] = (), dry_run: bool = False) -> TakeOver:
    """Take over what we trust who signed a file with, and what is `asked` for of it besides.

    A dry run says of every part what would come of it, and changes nothing. Of a key that nobody
    trusts nothing is taken that is not asked for: UsageError.
    """
    file = read_exchange(data)
    if file.key == own_key(at).key:
        raise UsageError("This file was made by this installation; there is nothing to take over.")
    known = at.state().keys.get(file.key)
    trusted = known.parts if known else ()
    chosen = tuple(part for part in file.parts() if part in (*trusted, *asked))
    if not chosen and not dry_run:
        raise UsageError(_refusal(file, known is not None))
    name = known.name if known else file.name
    taking = _Taking(at, file, f"{name} {file.key}", dry_run)
    outcomes = [taking.take(part, part in trusted, part in chosen) for part in (file.parts() if dry_run else chosen)]
    if not dry_run:
        at.files.add(taking.taken(name, chosen, at.by))
    return TakeOver("" if dry_run else taking.id, file.key, name, file.made, dry_run, tuple(outcomes))


def batches(at: ExchangeDesk) -> list[TakenBatch]:
    """What was taken over, newest first."""
    return list(at.state().batches.values())[::-1]


def take_back(at: ExchangeDesk, batch: str) -> Returned:
    """Take back what was taken over of a file: what only it wanted is followed and blocked no more,
    its rules are tried no more, and where they are in force the blog is learned anew.
    """
    found = at.state().batches.get(batch)
    if found is None:
        raise UsageError(f"Nothing was taken over as {batch!r}; blogforever exchange shows what was.")
    if found.undone:
        raise UsageError(f"{batch} was taken back on {found.undone[:10]} already.")
    taken = found.taken
    undone = [one for one in taken.sources if _is_standing(at, one)]
    for one in undone:
        undo_batch(at.desk, one)
    places = [place for place in taken.blocked if _is_theirs(at, place, taken.key)]
    if places:
        at.desk.decide(PlacesUnblocked(at=clock.stamp(), by=at.by, places=tuple(places)))
    relearned, kept = _learn_anew(at, taken)
    at.files.add(FileReturned(at=clock.stamp(), by=at.by, id=batch))
    return Returned(batch, len(undone), len(places), relearned, kept)


def _refusal(file: ExchangeFile, is_known: bool) -> str:
    parts = ", ".join(file.parts()) or "nothing"
    who = "is not trusted with any of that" if is_known else "nobody here trusts"
    return (
        f"The file holds {parts}, signed by the key {file.key} ({file.name!r}), which {who}; look with --dry-run, then"
        " trust the key, or take single parts with --take."
    )


class _Taking:
    """Takes over the parts of one file, and remembers by what they are taken back."""

    def __init__(self, at: ExchangeDesk, file: ExchangeFile, by: str, dry_run: bool) -> None:
        self._at, self._file, self._by, self._dry_run = at, file, by, dry_run
        self.id, self._sources, self._blocked, self._rules = new_id(), list[str](), list[str](), list[str]()

    def take(self, part: Part, trusted: bool, taken: bool) -> PartOutcome:
        """One part."""
        if part == "sources":
            counts, resting = self._take_sources(), 0
        elif part == "blocked":
            counts, resting = self._take_places()
        else:
            counts, resting = self._take_rules(), 0
        return PartOutcome(part, trusted, taken, dict(counts), resting)

    def taken(self, name: str, parts: tuple[Part, ...], by: str) -> FileTaken:
        """For the journal."""
        return FileTaken(
            at=clock.stamp(),
            by=by,
            id=self.id,
            key=self._file.key,
            name=name,
            made=self._file.made,
            parts=parts,
            sources=tuple(self._sources),
            blocked=tuple(self._blocked),
            rules=tuple(self._rules),
        )

    # ------------------------------------------------------------------ sources

    def _take_sources(self) -> Counter[str]:
        verdicts: dict[str, str] = {}
        for name, rows in _by_list(self._file.sources).items():
            added = self._add(name, rows)
            for row in added.rows:
                verdicts.setdefault(row.input, row.verdict)
        return Counter(verdicts.values())

    def _add(self, name: str, rows: Sequence[GivenRow]) -> Added:
        desk = self._at.desk
        is_new = bool(name) and desk.store.lists.find(name) is None
        request = AddRequest(rows, f"exchange: {self._by}", name, is_by_hand=False)
        added = add_sources(desk, request, self._dry_run)
        if not self._dry_run:
            self._sources.append(added.batch.id)
            said = next((one for one in self._file.lists if one.name == name), None)
            if is_new and said and desk.store.lists.find(name):
                keep_list(desk, name, said.note, said.owner)
        return added

    # ------------------------------------------------------------------ block list

    def _take_places(self) -> tuple[Counter[str], int]:
        store, now = self._at.archive.store, clock.stamp()
        known = {(place.kind, place.what) for place in store.blocked.all()}
        fresh: list[BlockedPlace] = []
        counts: Counter[str] = Counter()
        for handed in self._file.blocked:
            place = _place(handed, self._by, now)
            verdict = "invalid" if place is None else "known" if (place.kind, place.what) in known else "new"
            counts[verdict] += 1
            if place and verdict == "new":
                known.add((place.kind, place.what))
                fresh.append(place)
        resting = self._resting(fresh)
        if fresh and not self._dry_run:
            self._at.desk.decide(PlacesBlocked(at=now, by=self._at.by, places=tuple(fresh)))
            self._blocked += [place.id for place in fresh]
        return counts, resting

    def _resting(self, places: Sequence[BlockedPlace]) -> int:
        blocked = BlockList(places)
        followed = all_followed(self._at.archive.store)
        return sum(blog.state != "blocked" and blocked.blocking(blog.url) is not None for blog in followed)

    # ------------------------------------------------------------------ rules

    def _take_rules(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for handed in self._file.rules:
            counts[self._take_rules_of(handed)] += 1
        return counts

    def _take_rules_of(self, handed: HandedRules) -> str:
        """Which rules wait to be tried: not those of a blog that has its own."""
        url = _address(handed.url)
        rules = believable(handed.rules) if url else None
        if url is None or rules is None:
            return "invalid"
        blog = blog_name(url)
        if self._at.archive.read_rules(blog) is not None:
            return "known"
        if not self._dry_run:
            waiting = WaitingRules(by=self._by, batch=self.id, rules=dump_rules(rules))
            self._at.files.keep_waiting(blog, waiting)
            self._rules.append(blog)
        return "new"


def believable(text: str) -> Rules | None:
    """What of a stranger's rule file is tried: the templates alone, nothing locked, no selector
    that costs much; None where there is none.
    """
    try:
        rules = load_rules(text)
    except RulesError:
        return None
    templates = tuple(map(_unlocked, rules.templates))
    if not templates or len(templates) > MOST_TEMPLATES or not all(map(_is_modest, templates)):
        return None
    return Rules(rules.blog, templates)


def _unlocked(template: Template) -> Template:
    def bare(rules: Sequence[Rule]) -> tuple[Rule, ...]:
        return tuple(replace(rule, locked=False) for rule in rules)

    fields = {name: bare(rules) for name, rules in template.fields.items()}
    return Template(replace(template.article, locked=False), bare(template.exclude), fields, template.pages)


def _is_modest(template: Template) -> bool:
    many = (template.exclude, *template.fields.values())
    rules = (template.article, *(rule for one in many for rule in one))
    selectors = [text for rule in rules for text in (rule.css, rule.after, rule.before)]
    return all(len(one) <= MOST_OF_FIELD for one in many) and all(map(_is_cheap, selectors))


def _is_cheap(selector: str) -> bool:
    return len(selector) <= LONGEST_SELECTOR and not any(part in selector.lower() for part in COSTLY)


def _by_list(sources: Sequence[HandedSource]) -> dict[str, list[GivenRow]]:
    """The sources as rows, for each list that they are of; under an empty name those of none."""
    found: dict[str, list[GivenRow]] = {}
    for number, source in enumerate(sources, 1):
        for name in dict.fromkeys(" ".join(name.split()) for name in source.lists or ("",)):
            found.setdefault(name, []).append(_row(number, source))
    return found


def _row(number: int, source: HandedSource) -> GivenRow:
    url = _address(source.url)
    feeds = tuple(feed for given in source.feeds if (feed := _address(given)))
    return GivenRow(
        number,
        source.url,
        url or "",
        "" if url else "it is not the address of a blog",
        source.title,
        source.tags,
        source.notes,
        feeds=feeds,
        metadata=source.metadata.plain(),
    )


def _address(text: str) -> str | None:
    try:
        return read_address(text)
    except UsageError:
        return None


def _place(handed: HandedPlace, by: str, now: str) -> BlockedPlace | None:
    """An entry of the block list; none where it would block a whole top-level domain."""
    try:
        kind, what = blockable(handed.what, handed.kind)
    except UsageError:
        return None
    if kind == "host" and "." not in what.strip("."):
        return None
    return BlockedPlace(new_id(), kind, what, handed.reason.strip()[:LONGEST_REASON], by, now)


def _is_standing(at: ExchangeDesk, batch: str) -> bool:
    found = at.archive.store.sources.batch(batch)
    return found is not None and not found.undone


def _is_theirs(at: ExchangeDesk, place: str, key: str) -> bool:
    """Whether an entry stands on their word: what a person here blocked since stays."""
    found = at.archive.store.blocked.find(place)
    return found is not None and found.by.endswith(key)


def _learn_anew(at: ExchangeDesk, taken: FileTaken) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Let rules be tried no more; where they are in force, learn the blog's own, if it can be had now."""
    relearned, kept = list[str](), list[str]()
    for blog in _in_force(at, taken):
        try:
            with opened_rules(at.archive.folder, blog, writing=True, wait=False) as ruled:
                ruled.relearn(ARTICLE)
            relearned.append(blog)
        except (UsageError, ArchiveError):
            kept.append(blog)
    return tuple(relearned), tuple(kept)


def _in_force(at: ExchangeDesk, taken: FileTaken) -> Iterator[str]:
    """The blogs that are read by rules of this file."""
    for blog in taken.rules:
        waiting = at.files.waiting(blog)
        if waiting is None or waiting.batch != taken.id:
            continue
        at.files.drop_waiting(blog)
        text = at.archive.read_rules(blog)
        if text and load_rules(text).by == waiting.by:
            yield blog
