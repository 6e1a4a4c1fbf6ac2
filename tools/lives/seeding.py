"""Posts and comments to begin a blog with: the same ones each time, no two alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

THINGS = (
    *("ferry", "harbour", "lamp", "orchard", "kettle", "notebook", "bridge", "violin", "stove", "garden", "compass"),
    *("ladder", "window", "bakery", "engine", "river", "attic", "bicycle", "glacier", "market", "pencil", "station"),
)
DOES = (
    *("keeps", "forgets", "carries", "mends", "follows", "counts", "borrows", "paints", "measures", "hides", "finds"),
    *("lends", "repairs", "describes", "remembers"),
)
HOW = ("slowly", "at noon", "in the rain", "without a word", "every autumn", "by lamplight", "for the third time")
KINDS = ("old", "narrow", "patient", "crooked", "blue", "borrowed", "quiet", "heavy", "salted", "folded", "distant")
TAGS = ("Boats", "Bread", "Repairs", "Weather", "Letters", "Maps")
AUTHORS = ("Ada Quill", "Bruno Vale")
READERS = ("Cleo", "Dimitri", "Esther", "Farouk", "Greta", "Hugo")


@dataclass(frozen=True, slots=True)
class SeedComment:
    """A comment; its parent is a place among the comments of the same post."""

    author: str
    text: str
    published: str
    parent: int | None


@dataclass(frozen=True, slots=True)
class Seed:
    """A post to be published, with what readers answered."""

    title: str
    html: str
    author: str
    published: str
    tags: list[str]
    comments: list[SeedComment]


def seeds(number: int, now: datetime) -> Iterator[Seed]:
    """So many posts, eleven days apart, the last one of yesterday."""
    chance = random.Random(11)  # noqa: S311  the same blog each time
    for count in range(number):
        when = now - timedelta(days=11 * (number - count - 1) + 1, minutes=chance.randrange(600))
        title = f"{_words(chance, 'The {kind} {thing}')} and {_words(chance, 'a {kind} {thing}')}, part {count + 1}"
        comments = list(_comments(chance, when)) if count % 2 else []
        tags = sorted(chance.sample(TAGS, 2))
        yield Seed(title, _html(chance, count), chance.choice(AUTHORS), when.isoformat(), tags, comments)


def _html(chance: random.Random, count: int) -> str:
    parts = [f"<p>{_paragraph(chance)}</p>" for _ in range(chance.randint(2, 6))]
    extras = (
        f"<ul>{''.join(f'<li>{_sentence(chance)}</li>' for _ in range(3))}</ul>",
        f"<blockquote><p>{_sentence(chance)}</p></blockquote>",
        f"<h2>{_words(chance, 'Of the {kind} {thing}')}</h2>",
        f'<p><img src="/static/pictures/{count}.png" alt="{_words(chance, "a {kind} {thing}")}"></p>',
    )
    parts.insert(1, extras[count % len(extras)])
    return "".join(parts)


def _comments(chance: random.Random, born: datetime) -> Iterator[SeedComment]:
    for count in range(chance.randint(1, 5)):
        when = born + timedelta(hours=3 * count + 1)
        parent = chance.randrange(count) if count and chance.random() < 0.5 else None
        yield SeedComment(chance.choice(READERS), _paragraph(chance, 2), when.isoformat(), parent)


def _paragraph(chance: random.Random, most: int = 6) -> str:
    return " ".join(_sentence(chance) for _ in range(chance.randint(max(1, most // 2), most)))


def _sentence(chance: random.Random) -> str:
    begin = _words(chance, "{article} {kind} {thing} {does} {article2} {kind} {thing} {how}")
    return begin[0].upper() + begin[1:] + "."


def _words(chance: random.Random, form: str) -> str:
    words = []
    for word in form.split():
        name = word.strip("{}").rstrip("2")
        lists = {"kind": KINDS, "thing": THINGS, "does": DOES, "how": HOW, "article": ("the", "a", "this", "every")}
        words.append(chance.choice(lists[name]) if word.startswith("{") else word)
    return " ".join(words)
