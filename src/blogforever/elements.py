"""Which elements are what: never shown, inside a line, headings; one definition for everybody."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as running text."""
    return frozenset(text.split())


UNSEEN = word_set("-comment script style template noscript head svg annotation annotation-xml")
"""Elements whose text is for programs."""
NEVER_READ = UNSEEN | word_set("iframe object select option textarea button datalist")
"""Elements without a text to read, those that are there to be filled in and frames among them."""
UNWRITTEN = NEVER_READ | word_set("""
    input optgroup progress meter title meta link base embed applet param canvas audio video map frameset noframes
    noembed !doctype -doctype
""")
"""Elements without a text that belongs in a copy of an article."""
VOID = word_set("area base br col embed hr img input link meta param source track wbr keygen bgsound frame")
"""Elements that hold nothing."""
INLINE = word_set("""
    a abbr acronym b bdi bdo big cite code dfn em font i img input ins del kbd label mark q s samp small span
    strike strong sub sup time tt u var wbr br picture source
""")
"""Elements that stand inside a line."""


def is_custom(tag: str) -> bool:
    """Whether an element is of the blog's own making: its tag is a name as a class is."""
    return "-" in tag


def is_inline(tag: str) -> bool:
    """Whether an element stands in a line by its tag; so does one of a name of its own, until it is styled."""
    return tag in INLINE or is_custom(tag)


HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
LISTINGS = word_set("pre code")
"""Elements that hold program text."""
