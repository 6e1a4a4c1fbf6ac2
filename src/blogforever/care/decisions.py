"""One decision is one line of the journal; all lines in order give what is in force. Values in, values out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from blogforever.dom import tokenise
from blogforever.errors import BadInput
from blogforever.records import json_line
from blogforever.urls import url_key

# Characters of a line that are quoted where it cannot be understood.
QUOTED = 80

What = Literal[
    "suppress", "unsuppress", "lock", "unlock", "note", "forget", "erased", "apart", "rules", "reextract", "identity"
]
Kind = Literal["url", "comment", "author", "blog", "words"]
KINDS: tuple[str, ...] = get_args(Kind)
# By this a target that is known by its digest alone is told from one that is written out.
DIGEST = "sha256:"
BLOG_NAME = re.compile(r"[A-Za-z0-9-][A-Za-z0-9._-]{0,199}")
"""What `source.address.blog_name` makes, and a little more: always one part of a path, never a
hidden or a parent one, never the name of a file that the journal has for itself.
"""
# Fields of a decision that are always text: a line that somebody edited may hold anything.
TEXTS = ("at", "kind", "target", "reason", "field", "text", "other")


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided, when, and why.

    `target` is an address, the id of a comment, a name, a blog or words in a row, as `kind` says;
    what was erased is known by its digest alone. `rules` are the locked rules of a `field`, as the rule file writes
    them; `text` is a note, or the whole rule file that was put in force, or applied to everything
    archived, or what tells the archive from all others. Two things that are `apart` are the post,
    or with kind `blog` the blog, at the address `target` and the one at the address `other`.
    """

    at: str
    what: What
    blog: str | None = None
    kind: str = ""
    target: str = ""
    reason: str = ""
    until: str | None = None
    erase: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    prints: tuple[str, ...] = ()
    field: str = ""
    rules: tuple[Mapping[str, Any], ...] = ()
    text: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Something that is not shown to anybody, for good or until a day."""

    kind: str
    target: str
    blog: str | None = None
    reason: str = ""
    since: str = ""
    until: str | None = None
    erased: bool = False

    @property
    def named(self) -> bool:
        """Whether its target is still written out.

        Of what was erased to the end, only a digest is left.
        """
        return not self.target.startswith(DIGEST)

    def in_force(self, day: str) -> bool:
        """Whether it is hidden on this day; an embargo ends with the day before `until`."""
        return self.until is None or day < self.until


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody wants to be remembered of a blog or a post."""

    at: str
    blog: str | None
    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Apart:
    """Two addresses that somebody said are those of two
    posts, or of two blogs: the later one is no new home.
    """

    at: str
    blog: str
    kind: str
    old: str
    new: str

    def parts(self, old: str, new: str) -> bool:
        """Whether it speaks of these two addresses."""
        if url_key(old) == url_key(new):
            return {old, new} == {self.old, self.new}
        return _digests(old, new) == _digests(self.old, self.new)


def _digests(*urls: str) -> set[str]:
    return {target_digest("url", url) for url in urls}


LockedRules = dict[str, dict[str, tuple[Mapping[str, Any], ...]]]
"""By blog and field, the rules somebody has set, as the rule file writes them."""


@dataclass(frozen=True, slots=True)
class InForce:
    """What all decisions together say."""

    hidden: tuple[Hidden, ...] = ()
    locks: Mapping[str, Mapping[str, tuple[Mapping[str, Any], ...]]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    forgotten: Mapping[str, str] = field(default_factory=dict)
    apart: tuple[Apart, ...] = ()
    identity: str = ""
    """By which the archive is told from all others; empty where nobody has asked yet."""


def write_decision(decision: Decision) -> str:
    """A line of the journal; what has its default value is left out."""
    # A mapping can be no default of a dataclass by itself.
    defaults = {item.name: item.default for item in fields(Decision)} | {"counts": {}}
    values = {name: value for name, value in asdict(decision).items() if value != defaults[name]}
    return json_line({"journal": 1, **values})


def read_decision(line: str) -> Decision:
    """A decision out of a line; BadInput says in one sentence what cannot be understood."""
    try:
        values = json.loads(line)
        version = values.pop("journal")
        lists = {name: tuple(values.get(name, ())) for name in ("rules", "prints")}
        decision = Decision(**values | lists)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"the journal has a line that cannot be understood: {line[:QUOTED]!r}") from error
    if version != 1 or decision.what not in get_args(What):
        raise BadInput(f"the journal has a line of another version: {line[:QUOTED]!r}")
    if not (_has_texts(decision) and _names_blogs(decision)):
        raise BadInput(f"the journal has a line that names what cannot be: {line[:QUOTED]!r}")
    return decision


def is_blog_name(name: object) -> bool:
    """Whether a blog may be called so in an archive:
    where its name becomes a path, it stays inside.
    """
    return isinstance(name, str) and BLOG_NAME.fullmatch(name) is not None


def _has_texts(decision: Decision) -> bool:
    """Whether everything that is written out is text."""
    texts = all(isinstance(getattr(decision, name), str) for name in TEXTS)
    return texts and isinstance(decision.until, str | None)


def _names_blogs(decision: Decision) -> bool:
    """Whether its blog is one, and so its target where that is a blog.

    Of two that are apart it is an address.
    """
    if decision.blog is not None and not is_blog_name(decision.blog):
        return False
    if decision.kind != "blog" or decision.what == "apart":
        return True
    return decision.target.startswith(DIGEST) or is_blog_name(decision.target)


def in_force(decisions: Iterable[Decision]) -> InForce:
    """Replay the journal: each decision changes what those before it said.

    The order is that in which they were written, whatever their clocks said: one that was wrong for
    a day must not let an older decision win.
    """
    journal = _Journal()
    for decision in decisions:
        journal.take(decision)
    return journal.in_force()


class _Journal:
    """What the decisions up to one of them say."""

    def __init__(self) -> None:
        self._hidden: dict[tuple[str | None, str, str], Hidden] = {}
        self._locks: LockedRules = {}
        self._notes: list[Note] = []
        self._forgotten: dict[str, str] = {}
        self._apart: list[Apart] = []
        self._identity = ""

    def take(self, decision: Decision) -> None:
        """Let the next decision count."""
        blog = decision.blog or ""
        match decision.what:
            case "suppress":
                self._hidden[_place(decision)] = _hidden(decision)
            case "unsuppress":
                self._hidden.pop(_place(decision), None)
            case "lock":
                self._locks.setdefault(blog, {})[decision.field] = decision.rules
            case "unlock":
                self._locks.get(blog, {}).pop(decision.field, None)
            case "note":
                note = Note(decision.at, decision.blog, decision.target, decision.text)
                self._notes.append(note)
            case "forget":
                self._forget(blog, decision.at)
            case "apart":
                apart = Apart(decision.at, blog, decision.kind, decision.other, decision.target)
                self._apart.append(apart)
            case "identity":
                # Two that gave one at the same time agree on the first.
                self._identity = self._identity or decision.text

    def _forget(self, blog: str, at: str) -> None:
        """Nothing that was decided of a blog counts any more, but that it is forgotten."""
        self._forgotten[blog] = at
        self._locks.pop(blog, None)
        self._hidden = {place: hidden for place, hidden in self._hidden.items() if hidden.blog != blog}
        self._notes = [note for note in self._notes if note.blog != blog]
        self._apart = [apart for apart in self._apart if apart.blog != blog]

    def in_force(self) -> InForce:
        """What all of them together say."""
        return InForce(
            hidden=tuple(self._hidden.values()),
            locks=self._locks,
            notes=tuple(self._notes),
            forgotten=self._forgotten,
            apart=tuple(self._apart),
            identity=self._identity,
        )


def _place(decision: Decision) -> tuple[str | None, str, str]:
    """What a decision speaks of: for one blog and for all
    are two things, which lie in two files of the journal.
    """
    return decision.blog, decision.kind, target_digest(decision.kind, decision.target)


def _hidden(decision: Decision) -> Hidden:
    """What a decision hides."""
    return Hidden(
        kind=decision.kind,
        target=decision.target,
        blog=decision.blog,
        reason=decision.reason,
        since=decision.at,
        until=decision.until,
        erased=decision.erase,
    )


def target_key(kind: str, target: str) -> str:
    """What counts of a target: not how an address or a name is spelled."""
    if kind == "url":
        return url_key(target)
    if kind in ("author", "words"):
        return " ".join(tokenise(target))
    return target


def target_digest(kind: str, target: str) -> str:
    """By this a target is known without being named."""
    if target.startswith(DIGEST):
        return target
    named = f"{kind}\n{target_key(kind, target)}"
    return DIGEST + hashlib.sha256(named.encode(errors="replace")).hexdigest()


def without_name(decision: Decision) -> Decision:
    """The decision with its target known by digest alone:
    what is erased must not live on in the journal.
    """
    names_target = decision.what in ("suppress", "unsuppress", "note", "apart")
    if not names_target or not decision.target:
        return decision
    kind = "url" if decision.what == "apart" else decision.kind or "url"
    other = target_digest(kind, decision.other) if decision.other else ""
    return replace(decision, target=target_digest(kind, decision.target), other=other)
