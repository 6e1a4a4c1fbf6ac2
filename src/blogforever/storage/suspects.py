"""The seam of what is kept against spam: prints of texts and templates by blog, and who is suspected of it, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from blogforever.analyse.experience import Agreement
from blogforever.analyse.prints import PrintedPost, Twin
from blogforever.analyse.values import Sign
from blogforever.wording import N_

LIKELY_SPAM = "likely spam: "
"""With what the reason of a suspicion begins."""
SpamDecision = Literal["", "spam", "let in", "not spam"]
"""What a person says of a suspicion: nothing yet; it is spam; it may stay all the same; it is none.
"""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A followed blog that is likely spam: since when, how likely, by which signs, and what a
    person decided.
    """

    blog: str
    at: str
    likelihood: float = 0.0
    signs: tuple[Sign, ...] = ()
    decided: SpamDecision = ""
    by: str = ""

    @property
    def reason(self) -> str:
        """The signs in one sentence, the weightiest first."""
        ordered = sorted(self.signs, key=lambda sign: -sign.weight)
        why = "; ".join(sign.says for sign in ordered)
        return N_(f"likely spam: {why}")


class PrintTable(Protocol):
    """The prints of the newest posts of followed blogs, and of their templates."""

    def keep(self, blog: str, posts: Sequence[PrintedPost], template: int | None) -> None:
        """These are a blog's prints now; those before go."""

    def twins(self, blog: str, most: int) -> list[Twin]:
        """The posts of a blog whose text stands in others, too, by post and other blog; of each
        text so many others at most, those that had it first.
        """

    def same_template(self, blog: str, others: Collection[str]) -> frozenset[str]:
        """Those of other blogs that are made by the same template."""


class SuspicionTable(Protocol):
    """Who is suspected."""

    def keep(self, suspicion: Suspicion) -> None:
        """Keep a suspicion; one of the same blog is replaced."""

    def find(self, blog: str) -> Suspicion | None:
        """What a followed blog is suspected of."""

    def some(self, blogs: Collection[str]) -> list[Suspicion]:
        """Those of these blogs, by blog."""

    def undecided(self, after: str, limit: int) -> list[Suspicion]:
        """Those that nobody has decided on, by blog, from after one on."""

    def number(self) -> int:
        """How many these are."""

    def agreed(self) -> dict[str, Agreement]:
        """By the name of each sign, what people decided on blogs with it; who let one in says
        nothing of its signs.
        """
