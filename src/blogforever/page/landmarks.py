"""The few elements for which the whole page is searched, whatever its rules say: found in one walk.

A walk over the tree costs a tenth of what parsing the page does, however little is found.
"""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

_JSON_LD = "script[type*='ld+json']"
_NEIGHBOURS = "a[rel~='prev'][href], a[rel~='next'][href]"
_SHORT_LINK = "link[rel~='shortlink'][href]"
# There are few of them, and each selector is held against every element of the page.
_FORMS = "form, input"
_ALL = ", ".join((_JSON_LD, _NEIGHBOURS, _SHORT_LINK, _FORMS))
_FORM_TAGS = frozenset(("form", "input"))
_FORM_CLASS, _FORM_ACTION = "post-password-form", "action=postpass"
_FORM_NAMES = frozenset(("post_password", "protectPassword"))


@dataclass(frozen=True, slots=True)
class Landmarks:
    """What readers of the whole page look for, each in document order."""

    json_ld: list[LexborNode]
    """Scripts that hold JSON-LD."""
    neighbours: list[LexborNode]
    """Links to the post before and after."""
    short_link: LexborNode | None
    """The first link element with the page's short address."""
    password_form: LexborNode | None
    """The first form, or field of one, that asks for the password of a post."""
    asks_password: bool
    """Whether any field asks for a password."""


def landmarks_of(tree: LexborHTMLParser) -> Landmarks:
    """The landmarks of a page; what is told apart by its tag is not searched for again."""
    found = tree.css(_ALL)
    forms = [node for node in found if node.tag in _FORM_TAGS]
    return Landmarks(
        json_ld=[node for node in found if node.tag == "script"],
        neighbours=[node for node in found if node.tag == "a"],
        short_link=next((node for node in found if node.tag == "link"), None),
        password_form=next(filter(_is_of_post, forms), None),
        asks_password=any(map(_asks_password, forms)),
    )


def _is_of_post(node: LexborNode) -> bool:
    """Whether a form, or a field, is that for a post's password."""
    attributes = node.attrs
    if node.tag == "input":
        return attributes.get("name") in _FORM_NAMES
    classes = (attributes.get("class") or "").split()
    return _FORM_CLASS in classes or _FORM_ACTION in (attributes.get("action") or "")


def _asks_password(node: LexborNode) -> bool:
    return node.tag == "input" and (node.attrs.get("type") or "").lower() == "password"
