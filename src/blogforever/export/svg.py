"""Whether a drawing (SVG) is only a drawing: judged by a parser, never by searching.

Shown as a picture a drawing runs and loads nothing, but a reader may open the file itself, and then
scripts in it run, and pictures, fonts and style sheets of others are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

_SVG = "http://www.w3.org/2000/svg"
_GAP = " "  # between namespace and name: expat joins them with it, and no name holds it
_ENCODINGS = frozenset(["utf-8", "utf-16", "us-ascii", "ascii", "iso-8859-1"])  # browsers read these as expat does
# Elements of SVG 1.1 and 2 that draw, measure, move or describe; none of them holds mark-up of
# another kind.
_ELEMENTS = frozenset(
    "a animate animateColor animateMotion animateTransform circle clipPath color-profile cursor defs desc ellipse "
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode "
    "feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter font font-face "
    "font-face-format font-face-name font-face-src font-face-uri g glyph glyphRef hatch hatchpath hkern image line "
    "linearGradient marker mask mesh meshgradient meshpatch meshrow metadata missing-glyph mpath path pattern polygon "
    "polyline radialGradient rect set solidcolor stop style svg switch symbol text textPath title tref tspan use view "
    "vkern".split()
)
# What drawing programs leave in their files beside the drawing; browsers give these elements no
# meaning at all.
_NOTES = (
    "http://www.inkscape.org/namespaces/",
    "http://inkscape.sourceforge.net/",
    "http://sodipodi.sourceforge.net/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://purl.org/",
    "http://creativecommons.org/",
    "http://web.resource.org/cc/",
    "http://ns.adobe.com/",
    "http://www.bohemiancoding.com/sketch/",
    "http://schemas.microsoft.com/visio/",
    "http://www.serif.com/",
    "http://xml.openoffice.org/",
)
_ADDRESSES = frozenset(["href", "src", "base"])
# A part of the drawing, or a picture of pixels within it: nothing is asked for.
_OWN = r"(?:#|data:image/(?:png|jpe?g|gif|webp)[;,])"
_OWN_ADDRESS = re.compile(rf"\A\s*+(?:{_OWN}|$)", re.IGNORECASE)
# Where a link may lead besides: a page, or a relative address; never a script.
_LINKED_ADDRESS = re.compile(rf"\A\s*+(?:{_OWN}|https?://|[^:]*$)", re.IGNORECASE)
# In a style: what loads something, unless it is the drawing's own; and what could spell that
# otherwise.
_LOADS = re.compile(rf"url\((?!\s*+[\"']?\s*+{_OWN})|@import|image-set\(|\bsrc\(|\\", re.IGNORECASE)
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|\xff\xfe<\0|\xfe\xff\0<")


class _NoDrawing(Exception):
    """Something that a drawing does not need."""


def is_drawing(content: bytes) -> bool:
    """Whether the content is a well-formed SVG in which nothing can run."""
    if not _BEGINNING.match(content):
        return False
    parser = expat.ParserCreate(namespace_separator=_GAP)
    root = _Root()
    parser.XmlDeclHandler = _judge_encoding
    parser.StartDoctypeDeclHandler = _judge_doctype
    parser.ProcessingInstructionHandler = _refuse_instruction
    parser.StartElementHandler = root.judge
    parser.EndElementHandler = root.end
    parser.CharacterDataHandler = root.read
    try:
        parser.Parse(content, True)
    except (
        _NoDrawing,
        expat.ExpatError,
        ValueError,
        LookupError,
    ):  # the last two: an encoding that is none
        return False
    return True


class _Root:
    """Judges every element, the first one as the drawing itself."""

    def __init__(self) -> None:
        self._seen = False
        self._style: list[str] | None = None

    def judge(self, name: str, attributes: Mapping[str, str]) -> None:
        """Refuse an element that is no part of a drawing, or one that acts."""
        namespace, _, local = name.rpartition(_GAP)
        if not self._seen and (namespace, local) != (_SVG, "svg"):
            raise _NoDrawing(name)
        self._seen = True
        draws = namespace == _SVG and local in _ELEMENTS
        in_a_style = self._style is not None
        if in_a_style or (not draws and not namespace.startswith(_NOTES)):
            raise _NoDrawing(name)
        if draws and local == "style":
            self._style = []
        for key, value in attributes.items():
            outside, _, attribute = key.rpartition(_GAP)
            # What drawing programs note for themselves is no style, whatever it says.
            if not outside.startswith(_NOTES):
                _judge_attribute(local, attribute.lower(), value)

    def read(self, text: str) -> None:
        """Listen to a style sheet; it comes in pieces."""
        if self._style is not None:
            self._style.append(text)

    def end(self, _name: str) -> None:
        """Judge a style sheet when it is over: nothing else can stand in it."""
        if self._style is not None and _LOADS.search("".join(self._style)):
            raise _NoDrawing("style")
        self._style = None


def _judge_attribute(element: str, name: str, value: str) -> None:
    if name == "attributename":  # an animation sets it later, to whatever it says
        animated = value.rpartition(":")[2].strip().lower()
        harmful = animated.startswith("on") or animated in _ADDRESSES
    elif name in _ADDRESSES:
        allowed = _LINKED_ADDRESS if element == "a" and name == "href" else _OWN_ADDRESS
        harmful = allowed.match(value) is None
    else:
        harmful = name.startswith("on") or ("(" in value and _LOADS.search(value) is not None)
    if harmful:
        raise _NoDrawing(name)


def _judge_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise _NoDrawing(encoding)


def _judge_doctype(_name: str, _system: str | None, _public: str | None, has_subset: bool) -> None:
    """Entities and default attributes, which would add to what is written in the file, stand in a
    subset.
    """
    if has_subset:
        raise _NoDrawing("subset")


def _refuse_instruction(target: str, _data: str) -> None:
    """A style sheet, which may be a program (XSLT)."""
    raise _NoDrawing(target)
