"""Tags that are set by rule: given to posts when their words come into the index, and when a rule
is made.

Posts are chosen by them as by tags of their own: what is given stands among the facets, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, TextClause, delete, insert, select, text

from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import folded
from blogforever.storage.searches import TagRule

from .dialects import ANYTHING, Dialect, dialect_of
from .indexes import Match
from .names import facet_rows
from .rows import in_parts
from .schema import facets, given, posts, tag_rules

NEVER = "1 = 0"
# What a post needs for a rule, by the field of the rule that asks for it; what stands in braces
# each database says in its own way.
NEEDED = {
    "address": "{fits}",
    "language": (
        "EXISTS (SELECT 1 FROM facets AS f WHERE f.post = posts.id AND f.kind = 'language'"
        " AND (f.name = :language OR substr(f.name, 1, length(:language) + 1) = :language || '-'))"
    ),
    "platform": (
        "posts.blog IN (SELECT f.blog FROM followed AS f WHERE lower(f.platform) = :platform"
        " UNION SELECT b.id FROM blogs AS b WHERE lower({platform}) = :platform)"
    ),
    "words": "searchable.number IN (SELECT rowid FROM posts_search WHERE {match})",
}
# Posts that have the tag by themselves need none.
GIVE = (
    "INSERT INTO given (post, name, tag, rule) SELECT posts.id, :name, :tag, :rule FROM searchable"
    " JOIN posts ON posts.id = searchable.post"
    " WHERE searchable.number BETWEEN :first AND :last AND {needed}"
    " AND NOT EXISTS (SELECT 1 FROM facets AS o WHERE o.post = posts.id AND o.kind = 'tag' AND o.name = :name)"
    " ON CONFLICT DO NOTHING"
)
CHOOSE = text(
    "INSERT INTO facets (kind, name, moment, post) SELECT 'tag', :name, moments.moment, given.post"
    " FROM given JOIN moments ON moments.post = given.post JOIN searchable ON searchable.post = given.post"
    " WHERE given.rule = :rule AND searchable.number BETWEEN :first AND :last"
    " ON CONFLICT DO NOTHING"
)
# Above every number that a post can have in the index.
LAST = 2**63 - 1


def give_tags(connection: Connection, match: dict[str, Match], first: int = 0, last: int = LAST) -> None:
    """Give their tags to the posts with these numbers in the index; `match` is how to ask it for
    the words of each rule.
    """
    dialect = dialect_of(connection)
    for row in connection.execute(select(tag_rules)):
        rule = TagRule(**row._mapping)
        words = match.get(rule.id)
        values = _values(rule, dialect, words) | {"first": first, "last": last}
        connection.execute(_giving(rule, dialect, words), values)
        connection.execute(CHOOSE, {name: values[name] for name in ("name", "rule", "first", "last")})


def _giving(rule: TagRule, dialect: Dialect, match: Match | None) -> TextClause:
    said = {
        "fits": dialect.fits.format(address="posts.url"),
        "platform": dialect.platform.format(record="b.record"),
        "match": match.condition if match else NEVER,
    }
    needed = [clause.format(**said) for field, clause in NEEDED.items() if getattr(rule, field)]
    return text(GIVE.format(needed=" AND ".join(needed) or NEVER))


def _values(rule: TagRule, dialect: Dialect, match: Match | None) -> dict[str, str | int]:
    pattern = dialect.pattern(_whole(rule.address))
    wanted = {"address": pattern, "language": folded(rule.language), "platform": rule.platform.lower()}
    asked = {field: value for field, value in wanted.items() if getattr(rule, field)}
    words = match.values if match else {}
    return {"tag": rule.tag, "name": folded(rule.tag), "rule": rule.id, **asked, **words}


def _whole(address: str) -> str:
    """An address in which `*` is anything; without one, it is a beginning."""
    return address if ANYTHING in address else address + ANYTHING


def take_tags(connection: Connection, records: Iterable[PostRecord]) -> None:
    """Take from these posts what was given to them; what they have by themselves stays."""
    by_id = {record.id: record for record in records}
    # Most posts were given nothing: asked for one by one, they take longer than all else that is
    # done to them.
    for post, tags in _given_names(connection, by_id).items():
        here = (facets.c.post == post, facets.c.kind == "tag", facets.c.name.in_(tags))
        connection.execute(delete(facets).where(*here))
        connection.execute(delete(given).where(given.c.post == post))
        if own := [row for row in facet_rows(by_id[post]) if row["kind"] == "tag" and row["name"] in tags]:
            connection.execute(insert(facets), own)


def _given_names(connection: Connection, wanted: Iterable[str]) -> dict[str, list[str]]:
    """What was given to those of these posts that were given anything."""
    found: dict[str, list[str]] = {}
    for some in in_parts(wanted):
        for row in connection.execute(select(given.c.post, given.c.name).where(given.c.post.in_(some))):
            found.setdefault(row.post, []).append(row.name)
    return found


def tagged_by(connection: Connection, rule: str) -> Iterator[list[PostRecord]]:
    """The posts that a rule has given its tag, some at a time."""
    wanted = connection.execute(select(given.c.post).where(given.c.rule == rule)).scalars().all()
    for some in in_parts(wanted):
        lines = connection.execute(select(posts.c.record).where(posts.c.id.in_(some))).scalars()
        yield [read_post(line) for line in lines]


def given_tags(connection: Connection, wanted: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The tags that rules have given to these posts."""
    found: dict[str, tuple[str, ...]] = {}
    for some in in_parts(wanted):
        for row in connection.execute(select(given).where(given.c.post.in_(some)).order_by(given.c.tag)):
            found[row.post] = (*found.get(row.post, ()), row.tag)
    return found


def forget_given(connection: Connection, numbers: list[int]) -> None:
    """Posts that leave the index, and the archive, have been given nothing."""
    gone = text(
        "DELETE FROM given WHERE post IN (SELECT post FROM searchable WHERE number = :n)"
        " AND post NOT IN (SELECT id FROM posts)"
    )
    connection.execute(gone, [{"n": number} for number in numbers])
