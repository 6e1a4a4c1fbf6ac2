"""A decision tree with three answers: yes, no, not known. It was trained elsewhere and is read from
JSON; pure.

A node asks one question; what is not known goes where most such sites went in training. A leaf has
the numbers of examples of both sorts that came to it, and answers only where nearly all were of
one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Self

from .features import QUESTIONS, Answers
from .values import Answer

# Share of the examples of a leaf that must be of one sort before it answers, with one of each added
# for doubt.
CLEAR = 0.75
# Questions that a tree may ask in a row: one that is printed is read.
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where questions end: how many blogs and how many other sites came here."""

    blogs: int
    others: int

    @property
    def share(self) -> float:
        """The share of blogs, by the rule of succession: few examples make nobody sure."""
        return (self.blogs + 1) / (self.blogs + self.others + 2)

    @property
    def answer(self) -> Answer:
        """Whether it is a blog; None where that is not known."""
        if self.share >= CLEAR:
            return True
        return False if self.share <= 1 - CLEAR else None


@dataclass(frozen=True, slots=True)
class Fork:
    """A question, and where each answer leads."""

    asks: str
    yes: Fork | Leaf
    no: Fork | Leaf
    unknown: bool
    """Whether what is not known goes with yes."""


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """The tree, as a whole."""

    root: Fork | Leaf

    def ask(self, answers: Answers) -> tuple[Leaf, tuple[tuple[str, Answer], ...]]:
        """The leaf that the answers lead to, and the way there."""
        way: list[tuple[str, Answer]] = []
        node = self.root
        while isinstance(node, Fork):
            answer = answers.get(node.asks)
            way.append((node.asks, answer))
            goes_yes = node.unknown if answer is None else answer
            node = node.yes if goes_yes else node.no
        return node, tuple(way)

    def printed(self) -> str:
        """The tree for people, a line a node."""
        return "\n".join(_lines(self.root, ""))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The tree out of what `to_json` gave."""
        return cls(_node(data, DEEPEST))

    def to_json(self) -> dict[str, Any]:
        """A form that can be kept."""
        return _kept(self.root)


def _node(data: Mapping[str, Any], left: int) -> Fork | Leaf:
    if "ask" not in data:
        return Leaf(int(data["blogs"]), int(data["others"]))
    if data["ask"] not in QUESTIONS or left <= 0:
        raise ValueError(f"no question of this version, or too deep: {data['ask']}")
    return Fork(data["ask"], _node(data["yes"], left - 1), _node(data["no"], left - 1), data["unknown"] == "yes")


def _kept(node: Fork | Leaf) -> dict[str, Any]:
    if isinstance(node, Leaf):
        return {"blogs": node.blogs, "others": node.others}
    unknown = "yes" if node.unknown else "no"
    return {"ask": node.asks, "unknown": unknown, "yes": _kept(node.yes), "no": _kept(node.no)}


def _lines(node: Fork | Leaf, indent: str) -> Iterator[str]:
    if isinstance(node, Leaf):
        said = {True: "blog", False: "no blog", None: "not known"}[node.answer]
        yield f"{indent}{said} ({node.blogs} blogs, {node.others} others)"
        return
    for word, below in (("yes", node.yes), ("no", node.no)):
        also = " or not known" if (word == "yes") == node.unknown else ""
        yield f"{indent}{node.asks}? {word}{also}:"
        yield from _lines(below, indent + "  ")


@cache
def trained_tree() -> DecisionTree:
    """The tree that comes with this version."""
    text = files(__package__).joinpath("data/tree.json").read_text(encoding="utf-8")
    return DecisionTree.from_json(json.loads(text)["tree"])
