"""How each database keeps the words of posts, and is asked for them: SQLite in FTS5, PostgreSQL in
`tsvector`.

Both find the same posts. FTS5 cuts and folds what it is given by rules of its own, and knows in
what order words stand; for PostgreSQL the same is done here. A `tsvector` forgets where words stand
in long texts, so it only says which posts have all the words; whether they stand in a row is read
in the text itself. Why, and what it costs: docs/decisions, "The store on PostgreSQL".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from sqlalchemy import Connection, Engine, text

from blogforever.dom import tokenise
from blogforever.errors import UsageError

from .dialects import POSTGRES

COLUMNS = ("title", "names", "text", "comments")
# The title counts most, then names and tags, then the text, then what others say.
WEIGHTS = (8.0, 4.0, 1.0, 0.5)
TERM = re.compile(r'(?P<no>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
# Marks that FTS5 takes for part of a letter.
FIRST_DIACRITIC, LAST_DIACRITIC = "\u0300", "\u0331"
# PostgreSQL takes words of 2 kB, and vectors of 1 MB; some of that goes for places.
LETTERS, VECTOR_BYTES = 500, 900_000
# Places of a word in one column that are kept, for the rating; and how many places a column has.
PLACES, COLUMN_PLACES = 4, 4095
LABELS = "ABCD"
# A term that stands in more posts than this is common: to weigh it, FTS5 goes through all of them, and whoever looks
# for "the lantern" would wait for "the".
COMMON = 10_000
# No post has a larger number in the index.
NEWEST = 2**63 - 1
# Pages of FTS5's index that are joined in one transaction, of 4 kB each: some hundredths of a second.
PAGES = 256
JOIN = "INSERT INTO posts_search (posts_search, rank) VALUES ('merge', :pages)"
CHANGES = "SELECT total_changes()"


@dataclass(frozen=True, slots=True)
class Term:
    """Words that must stand in a row; the last may be the beginning of one."""

    words: tuple[str, ...]
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class SoughtWords:
    """What a person looks for: all of these, and none of those."""

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """How to ask `posts_search` for words: a condition, what is less for what fits better, and
    their values.
    """

    condition: str
    rating: str
    values: Mapping[str, str | int] = field(default_factory=dict)


class WordIndex(Protocol):
    """The words of posts in one kind of database; each post under a number."""

    add: str
    """The statement that adds a row."""

    def row(self, number: int, words: Mapping[str, str]) -> dict[str, str | int]:
        """The values of that row; the words of each column are cut already."""
        ...

    def match(self, sought: SoughtWords) -> Match:
        """How to ask for the posts with these words."""
        ...

    def rated(self, connection: Connection, sought: SoughtWords, most: int, indexed: int) -> Match:
        """The same, with a rating that costs no more where words are common; of those posts with them that came last
        into the index up to this number, so many at most.
        """
        ...

    def rated_singly(self, sought: SoughtWords) -> Match:
        """The same for posts that are looked up one by one."""
        ...

    def are_more(self, connection: Connection, match: Match, many: int) -> bool:
        """Whether more posts than so many hold the words; about, where to count them takes long."""
        ...

    def last(self, match: Match, most: int) -> str:
        """The statement that finds posts with words that more than so many have: those that came last into the index,
        each by its `number` and with its `rating`.
        """
        ...

    def join(self, connection: Connection) -> bool:
        """Join a few of the parts that the index is written in; whether there is more to join."""
        ...

    def named(self, words: Iterable[str]) -> Match:
        """How to ask for the posts in whose names or comments these stand in a row."""
        ...


def index_of(database: Engine | Connection) -> WordIndex:
    """How this database keeps words."""
    return VectorIndex() if database.dialect.name == POSTGRES.name else FtsIndex()


def sought_words(words: str) -> SoughtWords:
    """What a person's words mean: all of them, "in a row", word* for a beginning, -word for
    without.
    """
    wanted: list[Term] = []
    unwanted: list[Term] = []
    for found in TERM.finditer(words):
        term = _term(found)
        if term.words:
            terms = unwanted if found["no"] else wanted
            terms.append(term)
    if not wanted:
        raise UsageError(f"There is no word to search for in {words!r}.")
    return SoughtWords(tuple(wanted), tuple(unwanted))


def _term(found: re.Match[str]) -> Term:
    is_phrase = found["phrase"] is not None
    said = found["phrase"] if is_phrase else found["word"]
    return Term(tuple(tokenise(said)), not is_phrase and said.endswith("*"))


class FtsIndex:
    """Words in a table of FTS5, which folds them itself."""

    add = "INSERT INTO posts_search (rowid, title, names, text, comments) VALUES (:n, :title, :names, :text, :comments)"
    _condition = "posts_search MATCH :words"
    _rating = f"bm25(posts_search, {', '.join(map(str, WEIGHTS))})"
    # FTS5 weighs the words of its own question only: those that are seldom.
    _by_seldom = (
        "posts_search MATCH :seldom"
        " AND +posts_search.rowid IN (SELECT rowid FROM posts_search WHERE posts_search MATCH :words)"
    )
    # Of words that are all common nothing tells more than that they stand in the title.
    _by_title = (
        "posts_search.rowid NOT IN"
        " (SELECT rowid FROM posts_search WHERE posts_search MATCH :titled AND rowid >= :least)"
    )
    _by_own_title = (
        "NOT EXISTS (SELECT 1 FROM posts_search AS titled"
        " WHERE titled.posts_search MATCH :titled AND titled.rowid = posts_search.rowid)"
    )
    _place = (
        "SELECT rowid FROM posts_search WHERE posts_search MATCH :words AND rowid <= :indexed"
        " ORDER BY rowid DESC LIMIT 1 OFFSET :many"
    )
    _last = (
        "SELECT rowid AS number, {match.rating} AS rating FROM posts_search WHERE {match.condition}"
        " ORDER BY rowid DESC LIMIT {most}"
    )

    def row(self, number: int, words: Mapping[str, str]) -> dict[str, str | int]:
        """Number and columns."""
        return {"n": number, **words}

    def match(self, sought: SoughtWords) -> Match:
        """In FTS5's language, in which every word is quoted."""
        return self._match(_all_in_fts5(sought.wanted) + "".join(f" NOT {_in_fts5(term)}" for term in sought.unwanted))

    def rated(self, connection: Connection, sought: SoughtWords, most: int, indexed: int) -> Match:
        """By the words that are seldom; by the title where none is."""
        match = self.match(sought)
        seldom = [term for term in sought.wanted if not self._is_common(connection, term)]
        if len(seldom) == len(sought.wanted):
            return match
        if seldom:
            return Match(self._by_seldom, self._rating, {**match.values, "seldom": _all_in_fts5(seldom)})
        least = self._place_of(connection, match, most, indexed) or 0
        return Match(self._condition, self._by_title, {**match.values, "titled": _titled(sought), "least": least})

    def rated_singly(self, sought: SoughtWords) -> Match:
        """By the title: more would be asked of the index for each post."""
        return Match(self._condition, self._by_own_title, {**self.match(sought).values, "titled": _titled(sought)})

    def are_more(self, connection: Connection, match: Match, many: int) -> bool:
        """Exactly; FTS5 goes through ten thousand numbers in less than a millisecond."""
        return self._place_of(connection, match, many) is not None

    def last(self, match: Match, most: int) -> str:
        """In the order of the index itself."""
        return self._last.format(match=match, most=most)

    def join(self, connection: Connection) -> bool:
        """To look one post up, FTS5 looks into every part."""
        before = connection.exec_driver_sql(CHANGES).scalar_one()
        connection.exec_driver_sql(JOIN, {"pages": PAGES})
        # The statement itself counts as one.
        return bool(connection.exec_driver_sql(CHANGES).scalar_one() > before + 1)

    def _is_common(self, connection: Connection, term: Term) -> bool:
        return self.are_more(connection, self.match(SoughtWords((term,))), COMMON)

    def _place_of(self, connection: Connection, match: Match, many: int, indexed: int = NEWEST) -> int | None:
        """The number from which on so many posts up to a number have the words; None where there are not so many."""
        wanted = {"words": match.values["words"], "many": many, "indexed": indexed}
        found = connection.exec_driver_sql(self._place, wanted).first()
        return int(found[0]) if found else None

    def named(self, words: Iterable[str]) -> Match:
        """Two columns of the four."""
        return self._match("{names comments} : " + _in_fts5(Term(tuple(words))))

    def _match(self, words: str) -> Match:
        return Match(self._condition, self._rating, {"words": words})


def _titled(sought: SoughtWords) -> str:
    return f"{{title}} : ({_all_in_fts5(sought.wanted)})"


def _all_in_fts5(terms: Iterable[Term]) -> str:
    return " AND ".join(map(_in_fts5, terms))


def _in_fts5(term: Term) -> str:
    in_a_row = " ".join(term.words).replace('"', '""')
    return f'"{in_a_row}"*' if term.is_beginning else f'"{in_a_row}"'


class VectorIndex:
    """Words in a `tsvector`, with the columns in one text beside it: each in a line, a space around
    each word.
    """

    add = "INSERT INTO posts_search (rowid, said, words) VALUES (:n, :said, CAST(:words AS tsvector))"
    # From what others say to the title, as PostgreSQL orders them; none is above 1.
    _weights = ", ".join(str(weight / max(WEIGHTS)) for weight in reversed(WEIGHTS))
    _rating = f"-ts_rank('{{{_weights}}}', posts_search.words, CAST(:words AS tsquery))"
    _estimate = "EXPLAIN (FORMAT JSON) SELECT 1 FROM posts_search WHERE {match.condition}"
    # What is said of a condition is in no index: the posts are gone through in the order of their numbers, whatever the
    # server thinks of the words. To fetch all that have a common word first would take seconds.
    _last = (
        "SELECT rowid AS number, {match.rating} AS rating FROM posts_search WHERE ({match.condition}) IS TRUE"
        " ORDER BY rowid DESC LIMIT {most}"
    )

    def row(self, number: int, words: Mapping[str, str]) -> dict[str, str | int]:
        """Number, text and vector."""
        columns = [folded_words(words[column].split()) for column in COLUMNS]
        said = "\n".join(f" {' '.join(column)} " for column in columns)
        return {"n": number, "said": said, "words": _vector(columns)}

    def match(self, sought: SoughtWords) -> Match:
        """All words by the vector; those that must stand in a row by the text."""
        wanted, unwanted = [*map(_folded, sought.wanted)], [*map(_folded, sought.unwanted)]
        query = [*map(_in_tsquery, wanted), *(f"!{_in_tsquery(term)}" for term in unwanted if len(term.words) == 1)]
        rows = {f"row{number}": _in_text(term) for number, term in enumerate(_in_a_row(wanted))}
        others = {f"other{number}": _in_text(term) for number, term in enumerate(_in_a_row(unwanted))}
        conditions = [f"posts_search.said LIKE :{name}" for name in rows]
        conditions += [f"posts_search.said NOT LIKE :{name}" for name in others]
        return self._match(query, conditions, rows | others, is_empty=not any(term.words for term in wanted))

    def rated(self, connection: Connection, sought: SoughtWords, most: int, indexed: int) -> Match:
        """As ever: each post is weighed by itself."""
        return self.match(sought)

    def rated_singly(self, sought: SoughtWords) -> Match:
        """Likewise."""
        return self.match(sought)

    def are_more(self, connection: Connection, match: Match, many: int) -> bool:
        """As the server estimates it, who knows how frequent frequent words are: to count posts he would fetch them."""
        plan = connection.execute(text(self._estimate.format(match=match)), match.values).scalar_one()
        return bool(plan[0]["Plan"]["Plan Rows"] > many)

    def last(self, match: Match, most: int) -> str:
        """Going through the table backwards."""
        return self._last.format(match=match, most=most)

    def join(self, connection: Connection) -> bool:
        """The server does it by itself."""
        return False

    def named(self, words: Iterable[str]) -> Match:
        """The lines of names and of comments, and the words that have their labels."""
        name = _folded(Term(tuple(words)))
        lines = [f"split_part(posts_search.said, chr(10), {line}) LIKE :row0" for line in (2, 4)]
        query = [_in_tsquery(name, "BD")]
        return self._match(query, [f"({' OR '.join(lines)})"], {"row0": _in_text(name)}, is_empty=not name.words)

    def _match(self, query: list[str], conditions: list[str], values: dict[str, str], is_empty: bool) -> Match:
        words = " & ".join(filter(None, query))
        by_vector = "posts_search.words @@ CAST(:words AS tsquery)"
        everything = " AND ".join([by_vector, *conditions, *["1 = 0"] * is_empty])
        return Match(everything, self._rating, {"words": words, **values})


def _folded(term: Term) -> Term:
    return Term(tuple(folded_words(term.words)), term.is_beginning)


def _in_a_row(terms: Iterable[Term]) -> list[Term]:
    return [term for term in terms if len(term.words) > 1]


def _in_tsquery(term: Term, labels: str = "") -> str:
    """All words of a term; folded words hold letters and digits only, so nothing in them is syntax."""
    marks = [labels] * len(term.words)
    if term.is_beginning and marks:
        marks[-1] += "*"
    words = [f"'{word}'" + (f":{mark}" if mark else "") for word, mark in zip(term.words, marks, strict=True)]
    return f"({' & '.join(words)})" if words else ""


def _in_text(term: Term) -> str:
    """What the text is like that has these words in a row."""
    return f"% {' '.join(term.words)}{'' if term.is_beginning else ' '}%"


def _vector(columns: Iterable[list[str]]) -> str:
    """The words of all columns with their places, as a `tsvector` is written."""
    places: dict[str, list[str]] = {}
    left = VECTOR_BYTES
    for number, (label, words) in enumerate(zip(LABELS, columns, strict=True)):
        first, counted = number * (COLUMN_PLACES + 1) + 1, dict[str, int]()
        for place, word in enumerate(words):
            counted[word] = counted.get(word, 0) + 1
            if counted[word] > PLACES or left <= 0:
                continue
            # Words, places and the entry of the word itself, each at an even byte.
            left -= 4 if word in places else len(word.encode()) + 8
            places.setdefault(word, []).append(f"{first + min(place, COLUMN_PLACES - 1)}{label}")
    return " ".join(f"'{word}':{','.join(at)}" for word, at in places.items())


def folded_words(words: Iterable[str]) -> list[str]:
    """Words as FTS5 cuts and folds them: letters and digits, without the marks on Latin letters."""
    return [part for word in words for part in _folded_word(word)]


@lru_cache(10_000)
def _folded_word(word: str) -> tuple[str, ...]:
    parts = word.split("_") if word.isascii() else "".join(map(_folded_letter, word)).split()
    return tuple(part[:LETTERS] for part in parts if part)


@lru_cache(10_000)
def _folded_letter(letter: str) -> str:
    if FIRST_DIACRITIC <= letter <= LAST_DIACRITIC:
        return ""
    if unicodedata.category(letter)[0] not in "LN":
        return " "
    base = unicodedata.normalize("NFD", letter)[0]
    is_latin = base.isascii()
    return base.lower() if is_latin else letter
