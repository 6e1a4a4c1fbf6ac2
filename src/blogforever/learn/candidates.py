"""Every way to point at a node that may still point at its counterpart on the blog's other pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blogforever.learn.pagetree import PageTree

# Tokens that name the one post, its categories or its date, not the place in the template.
_PLACES = (
    r"area|avatar|bio|block|box|card|container|content|date|description|details|footer|head|header|heading|icon|image"
    r"|info|inner|items?|label|line|link|links|list|meta|name|row|section|text|title|url|wrap|wrapper"
)
_PASSING = re.compile(
    r"\d{2,}|^(?:category|tag|author|status|format|cat|term|tax|type|year|month|day|lang|postid|page-id|user)[-_]"
    rf"(?!(?:{_PLACES})$)"
    r"|^[ymdh]\d{2}|^(?:post|entry|node|page|comment|hentry|p|id)[-_]?\d|[-_]\d+$|(?:^|[-_])(?:active|current|first|last|odd|even|hover)$"
)
_NAME = re.compile(r"^-?[A-Za-z_][A-Za-z0-9_-]*$")
_TAG = re.compile(r"^[a-z][a-z0-9-]*$")
_TELLING_TAGS = frozenset(
    {"article", "main", "time", "h1", "h2", "h3", "address", "footer", "header", "section", "small"}
)
_COMMON_TAGS = _TELLING_TAGS - {"article", "main", "time", "h1"}  # also stand inside articles
_TELLING_ATTRIBUTES = ("itemprop", "rel", "role", "data-role", "property")
_NEAR = 3  # so many marked ancestors are asked for help
_DEEP = 40  # a path of more steps says nothing


@dataclass(frozen=True, slots=True)
class Step:
    """One element of a selector: its tag and what marks it; `child` says that it stands right below the step before."""

    tag: str = "*"
    id: str | None = None
    classes: tuple[str, ...] = ()
    attribute: tuple[str, str] | None = None
    nth: int | None = None
    child: bool = False
    leads: str = ""  # what the address of a link contains

    def css(self) -> str:
        """This step as CSS."""
        out = "" if self.tag == "*" and (self.id or self.classes or self.attribute) else self.tag
        if self.id:
            out += f"#{self.id}" if _NAME.match(self.id) else f'[id="{_quoted(self.id)}"]'
        for token in self.classes:
            out += f".{token}" if _NAME.match(token) else f'[class~="{_quoted(token)}"]'
        if self.attribute:
            out += f'[{self.attribute[0]}~="{_quoted(self.attribute[1])}"]'
        if self.leads:
            out += f'[href*="{_quoted(self.leads)}"]'
        return out + (f":nth-of-type({self.nth})" if self.nth else "")

    def xpath(self) -> str:
        """This step as XPath."""
        out = self.tag
        if self.id:
            out += f"[@id={_literal(self.id)}]"
        for token in self.classes:
            out += f"[contains(concat(' ', normalize-space(@class), ' '), {_literal(f' {token} ')})]"
        if self.attribute:
            name, token = self.attribute
            out += f"[contains(concat(' ', normalize-space(@{name}), ' '), {_literal(f' {token} ')})]"
        if self.leads:
            out += f"[contains(@href, {_literal(self.leads)})]"
        return out + (f"[{self.nth}]" if self.nth else "")


Selector = tuple[Step, ...]


def css_of(selector: Selector) -> str:
    """The selector as CSS, which is what runs."""
    return "".join((" > " if step.child else " ") * bool(n) + step.css() for n, step in enumerate(selector))


def xpath_of(selector: Selector) -> str:
    """The selector as XPath, which is what people read."""
    return "".join(("/" if step.child else "//") + step.xpath() for step in selector)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")


def _literal(text: str) -> str:
    return f"'{text}'" if "'" not in text else f'"{text}"'


def lasting(token: str) -> bool:
    """Whether a class token or id may stand on every page of a template."""
    return len(token) <= 60 and not _PASSING.search(token) and '"' not in token


def own_steps(tree: PageTree, i: int) -> list[Step]:
    """The ways one element is marked by itself, the surest first."""
    attributes, tag, steps = tree.attributes(i), tree.tags[i], []
    name = attributes.get("id")
    if name and lasting(name):
        steps.append(Step(tag, id=name))
    tokens = tuple(dict.fromkeys(token for token in tree.classes(i) if lasting(token)))
    steps += [Step(tag, classes=(token,)) for token in tokens[:8]]
    if len(tokens) > 1:
        steps.append(Step(tag, classes=tokens[:6]))
    for key in _TELLING_ATTRIBUTES:
        for value in (attributes.get(key) or "").split()[:2]:
            if lasting(value):
                steps.append(Step(tag, attribute=(key, value)))
    if tag in _TELLING_TAGS:
        steps.append(Step(tag))
    return steps


def nth_of_type(tree: PageTree, i: int) -> int:
    """Which child of its tag the element is, from 1."""
    parent, count = tree.parents[i], 1
    if parent < 0:
        return 1
    child = parent + 1
    while child < i:
        count += tree.tags[child] == tree.tags[i]
        child = tree.last[child]
    return count


def selectors(tree: PageTree, i: int) -> Iterator[Selector]:
    """Candidate selectors of an element: by itself, inside a marked ancestor, by a path from one, by the whole path."""
    if not _TAG.match(tree.tags[i]):
        return
    own = own_steps(tree, i)
    loose = [step for step in own if step == Step(step.tag) and step.tag in _COMMON_TAGS]
    yield from ((step,) for step in own if step not in loose)
    path: tuple[Step, ...] = (Step(tree.tags[i], nth=nth_of_type(tree, i), child=True),)
    near = 0
    for ancestor in tree.ancestors(i):
        marks = own_steps(tree, ancestor)[:1] if near < _NEAR else []
        for mark in marks:
            near += 1
            yield from ((mark, step) for step in own[:2] or [Step(tree.tags[i])])
            yield (mark, *path)
            if near == 1:
                yield from ((step,) for step in loose)
        if not _TAG.match(tree.tags[ancestor]):
            return
        if tree.parents[ancestor] < 0:
            yield (Step(tree.tags[ancestor]), *path)
            return
        if len(path) > _DEEP:
            return
        path = (Step(tree.tags[ancestor], nth=nth_of_type(tree, ancestor), child=True), *path)
