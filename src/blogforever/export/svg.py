"""Whether a drawing (SVG) is only a drawing: judged by a parser, never by searching.

Shown as a picture a drawing runs nothing, but a reader may open the file itself, and then scripts
in it run.
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
# A part of the drawing, a page, a picture of pixels, or a relative address; never a drawing or a
# script in the address.
_HARMLESS_ADDRESS = re.compile(r"\s*+(?:#|https?://|data:image/(?:png|jpe?g|gif|webp)[;,]|[^:]*$)", re.IGNORECASE)
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

    def judge(self, name: str, attributes: Mapping[str, str]) -> None:
        """Refuse an element that is no part of a drawing, or one that acts."""
        namespace, _, local = name.rpartition(_GAP)
        if not self._seen and (namespace, local) != (_SVG, "svg"):
            raise _NoDrawing(name)
        self._seen = True
        draws = namespace == _SVG and local in _ELEMENTS
        if not draws and not namespace.startswith(_NOTES):
            raise _NoDrawing(name)
        for key, value in attributes.items():
            _judge_attribute(key.rpartition(_GAP)[2].lower(), value)


def _judge_attribute(name: str, value: str) -> None:
    if name == "attributename":  # an animation sets it later, to whatever it says
        animated = value.rpartition(":")[2].strip().lower()
        harmful = animated.startswith("on") or animated in _ADDRESSES
    elif name in _ADDRESSES:
        harmful = _HARMLESS_ADDRESS.match(value) is None
    else:
        harmful = name.startswith("on")
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
