"""Mark-up as it is written: characters escaped, attributes kept or left out."""

from __future__ import annotations

import re

from blogforever.extract.safe import FILM
from blogforever.extract.visible import Attributes

QUOTE = '"'
LENGTH = re.compile(r"\d{1,5}(?:px|%)?")


def tag_of(name: str, attributes: Attributes) -> str:
    """The tag that opens an element."""
    return f"<{name}{written(attributes)}>"


def written(attributes: Attributes) -> str:
    """Attributes as they stand in a tag, a space before each."""
    return "".join([_attribute(key, value) for key, value in attributes.items()])


def _attribute(name: str, value: str | None) -> str:
    if not value:
        return f' {name}=""'
    return f' {name}="{escaped(value).replace(QUOTE, "&quot;")}"'


def escaped(text: str) -> str:
    """Text that a parser reads back as it is."""
    # Most texts have nothing to escape, which is quicker asked than done.
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\xa0", "&nbsp;") if "\xa0" in text else text


def present(attributes: Attributes, names: tuple[str, ...]) -> Attributes:
    """Those of the named attributes that there are."""
    return {name: attributes[name] for name in names if name in attributes}


def sized(attributes: Attributes, names: tuple[str, ...]) -> Attributes:
    """The same, without widths and heights that are no lengths."""
    kept = present(attributes, names)
    for name in FILM:
        value = kept.get(name)
        if name in kept and not (value and LENGTH.fullmatch(value)):
            del kept[name]
    return kept
