"""Prints and suspicions of a store in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from blogforever.analyse.experience import PEOPLE, Agreement
from blogforever.analyse.prints import SAME, PrintedPost, Twin
from blogforever.storage.suspects import Suspicion

from .memorytables import MemoryTables


class MemoryPrints:
    """The prints."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, blog: str, posts: Sequence[PrintedPost], template: int | None) -> None:
        """These are a blog's prints now."""
        self._tables.textprints[blog] = tuple(posts)
        self._tables.templates[blog] = template

    def twins(self, blog: str, most: int) -> list[Twin]:
        """The posts of a blog whose text stands in others, too."""
        posts = self._tables.textprints.get(blog, ())
        first = (sorted(self._twins(blog, mine), key=lambda twin: twin.other_published)[:most] for mine in posts)
        return sorted(chain(*first), key=lambda twin: (twin.post, twin.other))

    def _twins(self, blog: str, mine: PrintedPost) -> Iterator[Twin]:
        for other, posts in self._tables.textprints.items():
            same = (one for one in posts if other != blog and len({*one.prints} & {*mine.prints}) >= SAME)
            yield from (Twin(mine.post, mine.published, other, one.published) for one in same)

    def same_template(self, blog: str, others: Collection[str]) -> frozenset[str]:
        """Those of other blogs that are made by the same template."""
        own = self._tables.templates.get(blog)
        found = (other for other in others if own is not None and self._tables.templates.get(other) == own)
        return frozenset(found) - {blog}


class MemorySuspicions:
    """The suspicions."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, suspicion: Suspicion) -> None:
        """Keep a suspicion; one of the same blog is replaced."""
        self._tables.suspicions[suspicion.blog] = suspicion

    def find(self, blog: str) -> Suspicion | None:
        """What a followed blog is suspected of."""
        return self._tables.suspicions.get(blog)

    def some(self, blogs: Collection[str]) -> list[Suspicion]:
        """Those of these blogs, by blog."""
        return [one for blog, one in sorted(self._tables.suspicions.items()) if blog in blogs]

    def undecided(self, after: str, limit: int) -> list[Suspicion]:
        """Those that nobody has decided on."""
        rows = (one for blog, one in sorted(self._tables.suspicions.items()) if blog > after and not one.decided)
        return list(rows)[:limit]

    def number(self) -> int:
        """How many these are."""
        return len(self.undecided("", len(self._tables.suspicions)))

    def agreed(self) -> dict[str, Agreement]:
        """By the name of each sign, what people decided on blogs with it."""
        rows = self._tables.suspicions.values()
        said = Counter((sign.name, one.decided) for one in rows for sign in one.signs if sign.name != PEOPLE)
        names = {name for name, decided in said if decided in ("spam", "not spam")}
        return {name: Agreement(said[name, "spam"], said[name, "not spam"]) for name in names}
