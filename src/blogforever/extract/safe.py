"""What cleaned mark-up may hold, and the sanitiser that enforces it."""

from __future__ import annotations

import re

import nh3

from blogforever.extract.pictures import INLINE as INLINE_PICTURE
from blogforever.thinning import CLOSES_P

MATH = frozenset(
    [
        *("math", "mi", "mn", "mo", "ms", "mtext", "mspace", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "mpadded"),
        *("mphantom", "mfenced", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable"),
        *("mtr", "mtd", "mmultiscripts", "mprescripts", "none", "semantics"),
    ]
)
BLOCKS = CLOSES_P | {"table", "caption", "summary", "tr", "td", "th", "thead", "tbody", "tfoot", "li", "dt", "dd"}
RENAMED = {"dir": "ul", "menu": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre"} | dict.fromkeys(
    ["form", "fieldset", "legend", "dialog", "hgroup", "center"], "div"
)
INLINE = frozenset(
    [
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "i", "ins"),
        *("kbd", "mark", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub"),
        *("sup", "time", "tt", "u", "var"),
    ]
)
VOID = frozenset(["br", "hr", "wbr", "img", "source", "track", "col"])
SHOWN = frozenset(["iframe", "audio", "video", "source", "track", "picture", "img"])
ALLOWED = (BLOCKS - RENAMED.keys()) | INLINE | VOID | SHOWN | MATH | {"colgroup", "col"}
CODE = frozenset(["pre", "code"])
CITING = frozenset(["blockquote", "q", "del", "ins"])
ADDRESSES = frozenset(["href", "src", "cite", "poster"])
KEPT: dict[str, tuple[str, ...]] = {
    "a": ("rel", "title"),
    "abbr": ("title",),
    "acronym": ("title",),
    "dfn": ("title",),
    "data": ("value",),
    "time": ("datetime",),
    "del": ("datetime",),
    "ins": ("datetime",),
    "ol": ("start", "reversed", "type"),
    "li": ("value",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "col": ("span",),
    "colgroup": ("span",),
    "details": ("open",),
    "math": ("display", "alttext"),
    "mo": ("stretchy", "fence", "form"),
    "mi": ("mathvariant",),
    "mspace": ("width",),
    "mtable": ("columnalign",),
}
PICTURE = ("alt", "title", "width", "height")
FILM = ("width", "height")
WRITTEN_LANGUAGE = re.compile(r"language-[\w+#.-]{1,30}")


def made_safe(html: str) -> str:
    """The mark-up without anything that is not allowed."""
    return CLEANER.clean(html)


def _safe_value(tag: str, name: str, value: str) -> str | None:
    """The last word on attributes that `nh3` itself does not look into."""
    is_data = value[:5].lower() == "data:"
    if name == "class":
        is_safe = WRITTEN_LANGUAGE.fullmatch(value) is not None
    elif name == "srcset":
        is_safe = _is_safe_set(value)
    elif name in ADDRESSES and is_data:
        is_safe = tag == "img" and INLINE_PICTURE.fullmatch(value) is not None
    else:
        is_safe = True
    return value if is_safe else None


def _is_safe_set(value: str) -> bool:
    """Whether every address of a srcset is one of the web."""
    candidates = [part.split() for part in value.split(",")]
    return all(words[0].startswith("http") for words in candidates if words)


CLEANER = nh3.Cleaner(
    tags=set(ALLOWED),
    clean_content_tags={"script", "style"},
    attributes={
        "*": {"id", "lang", "dir"},
        **{tag: set(names) for tag, names in KEPT.items() if tag not in ("a", "del", "ins")},
        "a": {"href", "rel", "title"},
        **{tag: {"cite", "datetime"} for tag in CITING},
        **{tag: {"class"} for tag in CODE},
        "img": {"src", "srcset", "sizes", *PICTURE},
        "source": {"src", "srcset", "sizes", "type", "media"},
        "track": {"src", "kind", "srclang", "label"},
        "iframe": {"src", "title", "allowfullscreen", *FILM},
        "video": {"src", "poster", "controls", *FILM},
        "audio": {"src", "controls"},
    },
    attribute_filter=_safe_value,
    url_schemes={"http", "https", "mailto", "tel", "data"},
    link_rel=None,
)
