"""Microdata and microformats, through extruct and mf2py."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from blogforever.extract.metadata import Fields


def read_markup(tree: LexborHTMLParser, html: str, url: str, fields: Fields) -> None:
    """Add what microdata and microformats say about this page."""
