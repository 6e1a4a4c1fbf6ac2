"""The host analyser at work: what unknown addresses are is judged, kept, told, and decided by people in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from blogforever import clock
from blogforever.analyse.features import answers_of
from blogforever.analyse.judging import judge
from blogforever.analyse.patterns import pattern_of
from blogforever.analyse.values import LET_IN, OF_BLOG, HostVerdict, Kind, SeenHost, Signals
from blogforever.archive.observing import observe_address
from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.storage.deciding import VerdictDecided
from blogforever.storage.tables import Store
from blogforever.storage.verdicts import Decision, VerdictRow
from blogforever.wording import N_

from .desk import Desk
from .following import find_followed
from .suspecting import keep_suspicion, only_pings_want

# Other hosts of the same make that people must have decided on, all alike, before that is a
# verdict.
FEWEST_ALIKE = 3
# Reasons that are told where there is room for one sentence.
IN_SHORT = 2
BETWEEN = "; "
NOBODY_KNOWS = N_("it cannot be told whether this is a blog")


@dataclass(frozen=True, slots=True)
class DecidedPatterns:
    """What people decided on other hosts of the same make."""

    store: Store

    def known(self, pattern: str) -> tuple[Kind, int] | None:
        """What they are, where all are the same and enough."""
        said = self.store.verdicts.decisions(pattern)
        if len(said) != 1:
            return None
        (kind, number) = next(iter(said.items()))
        return (kind, number) if number >= FEWEST_ALIKE else None


@dataclass(frozen=True, slots=True)
class Gatekeeper:
    """Judges a host that nobody knows before it is harvested, and keeps the verdict."""

    store: Store
    blog: str
    signals: Sequence[Signals] = ()

    def __call__(self, seen: SeenHost) -> str:
        """Why it is not harvested; empty where it is. What could not be seen is for the harvest to
        say.
        """
        if seen.failure:
            return ""
        row = judged(self.store, self.blog, seen, self.signals)
        with self.store.transaction():
            self.store.verdicts.keep(row)
            self.store.followed.change(
                self.blog, lambda one: replace(one, verdict=row.verdict.said, kind=row.verdict.kind)
            )
            if row.verdict.kind == "spam":
                keep_suspicion(self.store, self.blog, row.verdict.reasons)
        return "" if self._lets_in(row.verdict.kind) else in_short(row.verdict)

    def _lets_in(self, kind: Kind) -> bool:
        """What is harvested: all that a person asked for, where the harvest itself finds out
        whether there are posts; of what only pings brought, what looks like a blog. Of a domain for
        sale the harvest says that it is dead.
        """
        is_asked_for = not only_pings_want(self.store, self.blog)
        return is_asked_for or kind in LET_IN or kind == "parked"


def judged(store: Store, blog: str, seen: SeenHost, signals: Sequence[Signals] = ()) -> VerdictRow:
    """The verdict on what was seen of a blog, with what it was made of."""
    verdict = judge(seen, signals, DecidedPatterns(store))
    return VerdictRow(blog, clock.stamp(), verdict, answers_of(seen), pattern_of(seen))


def wants_gate(store: Store, blog: str) -> bool:
    """Whether a blog is judged before its harvest: a person's word goes before."""
    row = store.verdicts.find(blog)
    return row is None or row.decided != "blog"


def in_short(verdict: HostVerdict) -> str:
    """A verdict in one sentence."""
    reasons = [sign.says for sign in verdict.reasons if sign.kind == verdict.kind][:IN_SHORT]
    # Signs are made of several sentences, and two of them may share one.
    why = BETWEEN.join(dict.fromkeys(BETWEEN.join(reasons).split(BETWEEN)))
    if verdict.kind == "not known":
        return N_(f"it cannot be told whether this is a blog: {why}") if why else NOBODY_KNOWS
    kind = "likely spam" if verdict.kind == "spam" else verdict.kind
    if verdict.kind in OF_BLOG:
        return N_(f"{kind} of a blog: {why}") if why else N_(f"{kind} of a blog")
    return N_(f"no blog but {kind}: {why}") if why else N_(f"no blog but {kind}")


async def analyse_address(typed: str, store: Store | None, config: Config) -> HostVerdict:
    """What is at an address; nothing is kept. Where there is no store, nothing is known of other
    hosts.
    """
    seen = await observe_address(typed, config)
    return judge(seen, (), DecidedPatterns(store) if store else None)


def told_verdict(verdict: HostVerdict) -> dict[str, Any]:
    """A verdict for programs; `class` is it in one of four words."""
    plain: dict[str, Any] = msgspec.to_builtins(verdict)
    return {"url": plain.pop("url"), "class": verdict.said, **plain}


def find_verdict(store: Store, typed: str) -> VerdictRow:
    """The verdict on a followed blog; UsageError where there is none."""
    blog = find_followed(store, typed)
    row = store.verdicts.find(blog.id)
    if row is None:
        raise UsageError(f"{blog.url} was not analysed yet; its first look does it.")
    return row


def decide_verdict(desk: Desk, typed: str, decision: Decision) -> VerdictRow:
    """A person says what a followed blog is; that holds until he says otherwise, and others learn
    from it.
    """
    blog, now = find_followed(desk.store, typed), clock.stamp()
    before = desk.store.verdicts.find(blog.id) or VerdictRow(blog.id, now, HostVerdict(blog.url, "not known", 0.0))
    kind = _kind_said(before.verdict.kind, decision)
    verdict = replace(before.verdict, kind=kind, confidence=1.0, by="person")
    row = replace(before, verdict=verdict, decided=decision, by=desk.by, at=now)
    desk.decide(VerdictDecided(at=now, by=desk.by, row=row))
    if decision != "blog":
        desk.store.sources.judge(blog.id, "not-a-blog", in_short(verdict))
    return row


def _kind_said(before: Kind, decision: Decision) -> Kind:
    """The kind that a person's word leaves: what was found stays where it does not contradict him."""
    if decision == "blog":
        return before if before in OF_BLOG else "blog"
    if decision == "spam":
        return "spam"
    contradicts = before in OF_BLOG or before in ("spam", "not known")
    return "something else" if contradicts else before


def training_examples(store: Store) -> list[Mapping[str, Any]]:
    """What people decided, as `tools/train_analyser.py` takes it."""
    return [{"blog": row.decided == "blog", "answers": dict(row.answers)} for row in store.verdicts.examples()]
