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
from blogforever.protocols import json_line
from blogforever.urls import url_key

What = Literal["suppress", "unsuppress", "lock", "unlock", "note", "forget", "erased", "apart", "rules", "reextract"]
Kind = Literal["url", "comment", "author", "blog"]
KINDS: tuple[str, ...] = get_args(Kind)
DIGEST = "sha256:"
BLOG_NAME = re.compile(r"[A-Za-z0-9-][A-Za-z0-9._-]{0,199}")
"""What `source.address.blog_name` makes, and a little more: always one part of a path, never a hidden or a parent one,
never the name of a file that the journal has for itself."""
TEXTS = ("at", "kind", "target", "reason", "field", "text", "other")


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided, when, and why.

    `target` is an address, the id of a comment, a name or a blog, as `kind` says; what was erased is known by its
    digest alone. `rules` are the locked rules of a `field`, as the rule file writes them; `text` is a note, or the
    whole rule file that was put in force, or applied to everything archived. Two things that are `apart` are the post,
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
        """Whether its target is still written out; of what was erased to the end, only a digest is left."""
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
    """Two addresses that somebody said are those of two posts, or of two blogs: the later one is no new home."""

    at: str
    blog: str
    kind: str
    old: str
    new: str

    def parts(self, old: str, new: str) -> bool:
        """Whether it speaks of these two addresses."""
        if url_key(old) == url_key(new):
            return {old, new} == {self.old, self.new}
        return {target_digest("url", url) for url in (old, new)} == {
            target_digest("url", url) for url in (self.old, self.new)
        }


@dataclass(frozen=True, slots=True)
class InForce:
    """What all decisions together say."""

    hidden: tuple[Hidden, ...] = ()
    locks: Mapping[str, Mapping[str, tuple[Mapping[str, Any], ...]]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    forgotten: Mapping[str, str] = field(default_factory=dict)
    apart: tuple[Apart, ...] = ()


def write_decision(decision: Decision) -> str:
    """A line of the journal; what has its default value is left out."""
    defaults = {item.name: item.default for item in fields(Decision)} | {"counts": {}}
    values = {name: value for name, value in asdict(decision).items() if value != defaults[name]}
    return json_line({"journal": 1, **values})


def read_decision(line: str) -> Decision:
    """A decision out of a line; BadInput says in one sentence what cannot be understood."""
    try:
        values = json.loads(line)
        version = values.pop("journal")
        decision = Decision(
            **values | {"rules": tuple(values.get("rules", ()))} | {"prints": tuple(values.get("prints", ()))}
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"the journal has a line that cannot be understood: {line[:80]!r}") from error
    if version != 1 or decision.what not in get_args(What):
        raise BadInput(f"the journal has a line of another version: {line[:80]!r}")
    if not (_has_texts(decision) and _names_blogs(decision)):
        raise BadInput(f"the journal has a line that names what cannot be: {line[:80]!r}")
    return decision


def is_blog_name(name: object) -> bool:
    """Whether a blog may be called so in an archive: where its name becomes a path, it stays inside."""
    return isinstance(name, str) and BLOG_NAME.fullmatch(name) is not None


def _has_texts(decision: Decision) -> bool:
    texts = all(isinstance(getattr(decision, name), str) for name in TEXTS)
    return texts and isinstance(decision.until, str | None)


def _names_blogs(decision: Decision) -> bool:
    """Whether its blog is one, and so its target where that is a blog; of two that are apart it is an address."""
    if decision.blog is not None and not is_blog_name(decision.blog):
        return False
    if decision.kind != "blog" or decision.what == "apart":
        return True
    return decision.target.startswith(DIGEST) or is_blog_name(decision.target)


def in_force(decisions: Iterable[Decision]) -> InForce:
    """Replay the journal: each decision changes what those before it said.

    The order is that in which they were written, whatever their clocks said: one that was wrong for a day must not let
    an older decision win.
    """
    hidden: dict[tuple[str | None, str, str], Hidden] = {}
    locks: dict[str, dict[str, tuple[Mapping[str, Any], ...]]] = {}
    notes: list[Note] = []
    forgotten: dict[str, str] = {}
    apart: list[Apart] = []
    for decision in decisions:
        blog = decision.blog or ""
        if decision.what == "suppress":
            hidden[_place(decision)] = _hidden(decision)
        elif decision.what == "unsuppress":
            hidden.pop(_place(decision), None)
        elif decision.what == "lock":
            locks.setdefault(blog, {})[decision.field] = decision.rules
        elif decision.what == "unlock":
            locks.get(blog, {}).pop(decision.field, None)
        elif decision.what == "note":
            notes.append(Note(decision.at, decision.blog, decision.target, decision.text))
        elif decision.what == "forget":
            forgotten[blog] = decision.at
            locks.pop(blog, None)
            hidden = {place: one for place, one in hidden.items() if one.blog != blog}
            notes = [note for note in notes if note.blog != blog]
            apart = [one for one in apart if one.blog != blog]
        elif decision.what == "apart":
            apart.append(Apart(decision.at, blog, decision.kind, decision.other, decision.target))
    return InForce(tuple(hidden.values()), locks, tuple(notes), forgotten, tuple(apart))


def _place(decision: Decision) -> tuple[str | None, str, str]:
    """What a decision speaks of: for one blog and for all are two things, which lie in two files of the journal."""
    return decision.blog, decision.kind, target_digest(decision.kind, decision.target)


def _hidden(decision: Decision) -> Hidden:
    since = decision.at
    facts = (decision.kind, decision.target, decision.blog, decision.reason, since, decision.until, decision.erase)
    return Hidden(*facts)


def target_key(kind: str, target: str) -> str:
    """What counts of a target: not how an address or a name is spelled."""
    if kind == "url":
        return url_key(target)
    return " ".join(tokenise(target)) if kind == "author" else target


def target_digest(kind: str, target: str) -> str:
    """By this a target is known without being named."""
    if target.startswith(DIGEST):
        return target
    return DIGEST + hashlib.sha256(f"{kind}\n{target_key(kind, target)}".encode(errors="replace")).hexdigest()


def without_name(decision: Decision) -> Decision:
    """The decision with its target known by digest alone: what is erased must not live on in the journal."""
    if decision.what not in ("suppress", "unsuppress", "note", "apart") or not decision.target:
        return decision
    kind = "url" if decision.what == "apart" else decision.kind or "url"
    other = target_digest(kind, decision.other) if decision.other else ""
    return replace(decision, target=target_digest(kind, decision.target), other=other)
