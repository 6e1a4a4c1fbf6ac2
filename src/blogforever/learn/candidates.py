"""Every way to point at a node that may still point at its counterpart on the blog's other pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from blogforever.elements import is_custom
from blogforever.page.view import PageView

# Tokens that name the one post, its categories or its date, not the place in the template.
_PLACES = (
    r"area|avatar|bio|block|box|card|container|content|date|description|details|footer|head|header|heading|icon|image"
    r"|info|inner|items?|label|line|link|links|list|meta|name|row|section|text|title|url|wrap|wrapper"
)
_PASSING = re.compile(
    r"\d{2,}"
    r"|^(?:category|tag|author|status|format|cat|term|tax|type|year|month|day|lang|postid|page-id|user)[-_]"
    rf"(?!(?:{_PLACES})$)"
    r"|^[ymdh]\d{2}|^(?:post|entry|node|page|comment|hentry|p|id)[-_]?\d|[-_]\d+$"
    r"|(?:^|[-_])(?:active|current|first|last|odd|even|hover)$"
)
_NAME = re.compile(r"^-?[A-Za-z_][A-Za-z0-9_-]*$")
_TAG = re.compile(r"^[a-z][a-z0-9-]*$")
_TELLING_TAGS = frozenset(
    {"article", "main", "time", "h1", "h2", "h3", "address", "footer", "header", "section", "small"}
)
# These also stand inside articles.
_COMMON_TAGS = _TELLING_TAGS - {"article", "main", "time", "h1"}
_TELLING_ATTRIBUTES = ("itemprop", "rel", "role", "data-role", "property")
_MARKING = ("id", "class", *_TELLING_ATTRIBUTES)
# Marked ancestors that are asked for help; those further out mark half the page.
_NEAR = 3
# A path of more steps says nothing.
_DEEP = 40
# Longer ids and classes are made by machines, for one element.
_LONGEST_TOKEN = 60
# Classes of one element that are tried by themselves,
# and together: utility classes come by the dozen.
_MOST_CLASSES, _MOST_TOGETHER = 8, 6
# Words of one attribute that are tried.
_MOST_VALUES = 2
# Elements of its tag that stand before one that is known by its place from the end, with itself,
# and how near to the end it stands at most.
_BEHIND, _NEAR_END = 2, 3
# Elements around one that may stand there with it.
_LEVELS = 2
# Marks of the element itself that are tried inside a marked ancestor.
_SUREST = 2
# Tokens that are remembered: the pages of a blog have the same few hundred.
_REMEMBERED = 4096


class Step(NamedTuple):
    """One element of a selector: its tag and what marks it; `child` says that it stands right below
    the step before, `nth` which of its tag it is there (below zero, from the last).
    """

    tag: str = "*"
    id: str | None = None
    classes: tuple[str, ...] = ()
    attribute: tuple[str, str] | None = None
    nth: int | None = None
    child: bool = False
    leads: str = ""  # what the address of a link contains

    @property
    def _name(self) -> str:
        """The tag where selectors can say it: those of broken pages may hold any sign."""
        return self.tag if _TAG.match(self.tag) else "*"

    def css(self) -> str:
        """This step as CSS."""
        is_marked = bool(self.id or self.classes or self.attribute)
        out = "" if self._name == "*" and is_marked else self._name
        if self.id:
            out += f"#{self.id}" if _NAME.match(self.id) else f'[id="{_quoted(self.id)}"]'
        for token in self.classes:
            out += f".{token}" if _NAME.match(token) else f'[class~="{_quoted(token)}"]'
        if self.attribute:
            out += f'[{self.attribute[0]}~="{_quoted(self.attribute[1])}"]'
        if self.leads:
            out += f'[href*="{_quoted(self.leads)}"]'
        return out + _counted(self.nth or 0)

    def xpath(self) -> str:
        """This step as XPath."""
        out = self._name
        if self.id:
            out += f"[@id={_literal(self.id)}]"
        for token in self.classes:
            out += f"[contains(concat(' ', normalize-space(@class), ' '), {_literal(f' {token} ')})]"
        if self.attribute:
            name, token = self.attribute
            out += f"[contains(concat(' ', normalize-space(@{name}), ' '), {_literal(f' {token} ')})]"
        if self.leads:
            out += f"[contains(@href, {_literal(self.leads)})]"
        if self.nth:
            out += f"[{self.nth}]" if self.nth > 0 else f"[last(){self.nth + 1 or ''}]"
        return out


def _counted(nth: int) -> str:
    """Which of its tag an element is, as CSS says it."""
    if not nth:
        return ""
    return f":nth-of-type({nth})" if nth > 0 else f":nth-last-of-type({-nth})"


Selector = tuple[Step, ...]


def css_of(selector: Selector) -> str:
    """The selector as CSS, which is what runs."""
    text = ""
    for n, step in enumerate(selector):
        if n > 0:
            text += " > " if step.child else " "
        text += step.css()
    return text


def xpath_of(selector: Selector) -> str:
    """The selector as XPath, which is what people read."""
    return "".join(("/" if step.child else "//") + step.xpath() for step in selector)


def _quoted(text: str) -> str:
    """A text as it may stand between quotes in CSS."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")


def _literal(text: str) -> str:
    """A text as it may stand in XPath, which knows no escapes."""
    return f"'{text}'" if "'" not in text else f'"{text}"'


@lru_cache(maxsize=_REMEMBERED)
def lasting(token: str) -> bool:
    """Whether a class token or id may stand on every page of a template."""
    return len(token) <= _LONGEST_TOKEN and not _PASSING.search(token) and '"' not in token


def own_steps(tree: PageView, i: int) -> Selector:
    """The ways one element is marked by itself, the surest first."""
    attributes = tree.attributes(i)
    if not attributes:
        return _marked_steps(tree.tags[i])
    return _marked_steps(tree.tags[i], *[attributes.get(key) or "" for key in _MARKING])


@lru_cache(maxsize=_REMEMBERED)
def _marked_steps(tag: str, name: str = "", classes: str = "", *told: str) -> Selector:
    """The same by what is written in its tag: elements marked alike stand on page after page."""
    steps: list[Step] = []
    if name and lasting(name):
        steps.append(Step(tag, id=name))
    tokens = tuple(dict.fromkeys(token for token in classes.split() if lasting(token)))
    steps += [Step(tag, classes=(token,)) for token in tokens[:_MOST_CLASSES]]
    if len(tokens) > 1:
        steps.append(Step(tag, classes=tokens[:_MOST_TOGETHER]))
    for key, values in zip(_TELLING_ATTRIBUTES, told, strict=False):
        for value in values.split()[:_MOST_VALUES]:
            if lasting(value):
                steps.append(Step(tag, attribute=(key, value)))
    if _tells(tag):
        steps.append(Step(tag))
    return tuple(steps)


def _tells(tag: str) -> bool:
    """Whether a tag says by itself what stands in it."""
    return tag in _TELLING_TAGS or is_custom(tag)


def nth_of_type(tree: PageView, i: int) -> int:
    """Which child of its tag the element is, from 1."""
    parent, count = tree.parents[i], 1
    if parent < 0:
        return 1
    sibling = parent + 1
    while sibling < i:
        count += tree.tags[sibling] == tree.tags[i]
        sibling = tree.last[sibling]
    return count


def places_from_end(tree: PageView, i: int) -> Iterator[Selector]:
    """Paths to an element that stands behind others of its kind, as a line below paragraphs does, or
    in one that does: however many these are, it is the last of them, or nearly.
    """
    level = next((n for n, holder in enumerate(_holders(tree, i)) if _ends_its_kind(tree, holder)), None)
    if level is None:
        return
    near = 0
    for ancestor, path in _paths(tree, i):
        mark = _surest_step(tree, ancestor) if near < _NEAR else None
        near += mark is not None
        is_top = tree.parents[ancestor] < 0 and _TAG.match(tree.tags[ancestor])
        start = mark or (Step(tree.tags[ancestor]) if is_top else None)
        if start is not None and len(path) > level:
            yield (start, *_counted_from_end(tree, i, path, level))


def _holders(tree: PageView, i: int) -> Iterator[int]:
    """An element and the nearest around it."""
    return chain((i,), islice(tree.ancestors(i), _LEVELS))


def _ends_its_kind(tree: PageView, i: int) -> bool:
    is_named = _TAG.match(tree.tags[i]) is not None
    return is_named and nth_of_type(tree, i) >= _BEHIND and nth_from_end(tree, i) <= _NEAR_END


def _counted_from_end(tree: PageView, i: int, path: Selector, level: int) -> Selector:
    """A path to an element with the step so many levels above it counted from the last."""
    holder = next(islice(_holders(tree, i), level, None))
    step = path[-1 - level]._replace(nth=-nth_from_end(tree, holder))
    return (*path[: len(path) - 1 - level], step, *path[len(path) - level :])


def nth_from_end(tree: PageView, i: int) -> int:
    """Which child of its tag the element is, from the last, which is 1."""
    parent, count, sibling = tree.parents[i], 1, tree.last[i]
    while parent >= 0 and sibling < tree.last[parent]:
        count += tree.tags[sibling] == tree.tags[i]
        sibling = tree.last[sibling]
    return count


def selectors(tree: PageView, i: int) -> Iterator[Selector]:
    """Candidate selectors of an element, the surest first.

    By itself, inside a marked ancestor, by a path from one, by the whole path.
    """
    if not _TAG.match(tree.tags[i]):
        return
    own = own_steps(tree, i)
    loose = [step for step in own if is_bare(step) and step.tag in _COMMON_TAGS]
    for step in own:
        if step not in loose:
            yield (step,)
    yield from _inside_ancestors(tree, i, own, loose)


def _inside_ancestors(
    tree: PageView,
    i: int,
    own: Selector,
    loose: list[Step],
) -> Iterator[Selector]:
    """Selectors with an ancestor before the element.

    Loose ones, of a common tag alone, after the nearest.
    """
    inside = own[:_SUREST] or (Step(tree.tags[i]),)
    near = 0
    for ancestor, path in _paths(tree, i):
        mark = _surest_step(tree, ancestor) if near < _NEAR else None
        if mark is not None:
            near += 1
            yield from ((mark, step) for step in inside)
            yield (mark, *path)
            if near == 1:
                yield from ((step,) for step in loose)
        is_top = tree.parents[ancestor] < 0
        if is_top and _TAG.match(tree.tags[ancestor]):
            yield (Step(tree.tags[ancestor]), *path)


def _paths(tree: PageView, i: int) -> Iterator[tuple[int, Selector]]:
    """The ancestors of an element that can be named,
    each with the path from it down to the element.
    """
    path: Selector = (_path_step(tree, i),)
    for ancestor in tree.ancestors(i):
        yield ancestor, path
        if not _TAG.match(tree.tags[ancestor]) or len(path) > _DEEP:
            return
        path = (_path_step(tree, ancestor), *path)


def is_bare(step: Step) -> bool:
    """Whether a step knows an element by its tag alone, and that is none of the blog's own making."""
    return step == Step(step.tag) and not is_custom(step.tag)


def _surest_step(tree: PageView, i: int) -> Step | None:
    steps = own_steps(tree, i)
    return steps[0] if steps else None


def _path_step(tree: PageView, i: int) -> Step:
    """An element as the step of a path: by its place among its siblings."""
    return Step(tree.tags[i], nth=nth_of_type(tree, i), child=True)
