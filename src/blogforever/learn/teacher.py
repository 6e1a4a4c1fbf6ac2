"""A stand-in for the feed: where it says nothing of a page, generic extraction proposes and the pages together decide."""

from __future__ import annotations

from dataclasses import replace

from blogforever.dom import decode, parse, tokenise
from blogforever.learn.samples import Sample, aim, html_texts
from blogforever.model import Entry

ENOUGH_WORDS = 6  # an entry with fewer words of its own cannot point at its article


def teach_authors(sample: Sample) -> None:
    """Give a page whose feed names no author the name that stands beside the article, if one surely does."""
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    html = decode(sample.page.content, sample.page.headers)
    best = choose(fallback_fields(parse(html), html, sample.page.url, captured=sample.page.captured).get("authors", ()))
    if best and sample.entry:
        sample.entry = replace(sample.entry, authors=best.value)


def teach(sample: Sample) -> bool:
    """Give a page without a telling entry the text, title, author and date that generic extraction reads on it."""
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    html = decode(sample.page.content, sample.page.headers)
    found = fallback_fields(parse(html), html, sample.page.url, captured=sample.page.captured)
    best = {
        name: choice.value
        for name in ("title", "authors", "published", "html")
        if (choice := choose(found.get(name, ())))
    }
    words = tokenise(" ".join(html_texts(best.get("html", ""))))
    if len(words) < ENOUGH_WORDS:
        return False
    told = sample.entry or Entry(sample.page.url)
    sample.entry = replace(
        told,
        title=told.title or best.get("title"),
        authors=told.authors or best.get("authors", ()),
        published=told.published or best.get("published"),
        html=best["html"],
    )
    sample.taught = True
    aim(sample, words)
    return True
