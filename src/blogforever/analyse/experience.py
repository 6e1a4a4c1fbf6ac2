"""What people decided on suspected blogs, as one more sign: what they agreed with weighs more, the
rest less. Pure.

Nothing is trained and kept: each verdict asks anew what is decided, so a decision that is taken
back is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul

from blogforever.wording import N_

from .values import SeenHost, Sign, Signals

PEOPLE = "people's word"
"""The name of that sign."""
FEWEST = 3
"""Decisions on blogs with a sign before they change its weight: one or two may be slips."""
OUR_OWN = 4.0
"""Decisions that count as much as the weight we gave a sign ourselves."""
MOST = 0.75
"""How heavy people's word can make a sign: they judged it among others, and alone it must not be
enough.
"""
LEAST_TOLD = 0.01
"""A change of the whole that nobody would see is not told."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """On how many blogs with some sign people decided that they are spam, and that they are none."""

    spam: int = 0
    not_spam: int = 0

    @property
    def decided(self) -> int:
        """On how many at all."""
        return self.spam + self.not_spam


@dataclass(frozen=True, slots=True)
class ExperiencedSignals:
    """Signs of an address, with what people said of others that had them."""

    own: Signals
    agreed: Mapping[str, Agreement]

    def signs(self, seen: SeenHost) -> Iterable[Sign]:
        """What speaks for spam, or against it."""
        return with_experience(list(self.own.signs(seen)), self.agreed)


def with_experience(signs: Sequence[Sign], agreed: Mapping[str, Agreement]) -> list[Sign]:
    """Signs of spam, and behind them one that makes them weigh together what they weigh after all
    that people decided; what it says names the decisions.
    """
    own = [sign for sign in signs if sign.name != PEOPLE]
    telling = [sign for sign in own if sign.name in agreed and agreed[sign.name].decided >= FEWEST]
    doubt = _doubt(sign.weight for sign in own)
    after = _doubt(_weight(sign, agreed) if sign in telling else sign.weight for sign in own)
    weight = 1 - after / doubt
    if abs(weight) < LEAST_TOLD:
        return own
    why = "; ".join(_in_words(sign.name, agreed[sign.name]) for sign in telling)
    return [*own, Sign(PEOPLE, f"people decided before: {why}", "spam", round(weight, 3))]


def _weight(sign: Sign, agreed: Mapping[str, Agreement]) -> float:
    """What a sign weighs after what people said of blogs that had it."""
    said = agreed[sign.name]
    learned = (OUR_OWN * sign.weight + said.spam) / (OUR_OWN + said.decided)
    return min(learned, max(sign.weight, MOST))


def _doubt(weights: Iterable[float]) -> float:
    return reduce(mul, (1 - weight for weight in weights), 1.0)


def _in_words(name: str, said: Agreement) -> str:
    return N_(f"of {said.decided} blogs with “{name}” {said.spam} are spam")
