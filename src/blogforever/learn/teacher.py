"""A stand-in for the feed where it says too little: generic extraction proposes, the pages together decide."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from blogforever.dates import find_dates
from blogforever.dom import decode, tokenise
from blogforever.learn.samples import ENOUGH_WORDS, Sample, aim, html_texts
from blogforever.model import Entry
from blogforever.similarity import shingle_marks

_ASKED = 3  # pages that tell whether a feed carries whole articles
_LONGER = 1.4  # an article that is so much longer than its entry was cut short in the feed
_MUCH_LONGER = 2.5  # where the entries look like whole articles; generic extraction may take comments for text
_MOSTLY = 0.7
_BLOCK = re.compile(r"<(?:p|li|pre|blockquote|h[2-6]|tr|br\s*/?><br)\b", re.IGNORECASE)
_SEVERAL_BLOCKS = 3
_ENDING = 400  # characters of an entry in which a mark that it was cut stands
_CUT = re.compile(
    r"(?:…|\.\.\.|&hellip;|&#8230;|&#x2026;)[\])]?\s*(?:</?\w[^>]*>\s*)*$|class=.more-link|#more-\d"
    r"|\b(?:continue|keep|read|weiter)\s*(?:reading|more|lesen|the rest|on)|\blire la suite|\bleer m[áa]s|\bleia mais"
    r"|\bcontinua a leggere|читать дальше|阅读全文|阅读更多|続きを読む",
    re.IGNORECASE,
)
_BYLINE = 16  # words of a text that may be but a by-line
_FEW = 3
_SIGNS = " |»«:-–—·•~/"
_PARTS = re.compile(r"(?<!\s)\s++[|»«:–—·•~/-]++\s++|(?<!\s)\s*+[|»«]\s*+")
_TITLE_WITHIN = 60  # words before an article's text in which its title may stand
_HOLDS = 0.6  # share of the entry's words that generic extraction must have found too


def read_page(sample: Sample) -> Mapping[str, Any]:
    """The fields generic extraction reads on a page; the slow ways are gone only where the quick ones find no text."""
    if sample.reading is None:
        sample.reading = _read(sample, quick=True)
        if "html" not in sample.reading:
            sample.reading = _read(sample, quick=False)
    return sample.reading


def _read(sample: Sample, *, quick: bool) -> dict[str, Any]:
    from blogforever.extract.fallback import choose, fallback_fields  # noqa: PLC0415  heavy, and seldom needed

    page = sample.page
    html = "" if quick else decode(page.content, page.headers)
    found = fallback_fields(sample.tree.parser, html, page.url, captured=page.captured, quick=quick)
    names = ("title", "authors", "published", "tags", "html")
    return {name: choice.value for name in names if (choice := choose(found.get(name, ())))}


def carries_excerpts(samples: Sequence[Sample]) -> bool:
    """Whether the feed's texts are only the beginnings of what stands on the pages."""
    asked = samples[:: max(1, len(samples) // _ASKED)][:_ASKED]
    whole = sum(looks_whole(sample.entry) for sample in samples if sample.entry) > _MOSTLY * len(samples)
    cut = 0
    for sample in asked:
        words = tokenise(" ".join(html_texts(read_page(sample).get("html", ""))))
        told = len(sample.target) + len(sample.refrain) + len(sample.signature)
        longer = len(words) > (_MUCH_LONGER if whole else _LONGER) * told + 5
        cut += longer and _holds(words, sample.target)
    return cut == len(asked) if whole else 2 * cut > len(asked)


def looks_whole(entry: Entry) -> bool:
    """Whether an entry is written like an article: several blocks, and no mark that it was cut."""
    html = entry.html or entry.summary_html
    return len(_BLOCK.findall(html)) >= _SEVERAL_BLOCKS and not _CUT.search(html[-_ENDING:])


def _holds(words: Sequence[str], target: Sequence[str]) -> bool:
    return sum(shingle_marks(words, target)) >= _HOLDS * len(target)


def teach(samples: Sequence[Sample]) -> list[Sample]:
    """Give pages the text, title, author and date that generic extraction reads on them, where their entries have none.

    Those are left out on which nothing was read, or something that does not hold what the entry says.
    """
    titles = head_titles(samples)
    return [sample for sample, title in zip(samples, titles, strict=True) if _teach_one(sample, title)]


def _teach_one(sample: Sample, head_title: str) -> bool:
    best = read_page(sample)
    found = sum(sample.hits[-1:]) >= _HOLDS * len(sample.target)
    telling = len(sample.target) >= ENOUGH_WORDS
    # An entry whose words are not on the page speaks of another one.
    told = sample.entry if sample.entry and (found or not telling) else Entry(sample.page.url)
    title = told.title or head_title or best.get("title")
    words = _after_title(tokenise(" ".join(html_texts(best.get("html", "")))), tokenise(title or ""))
    if len(words) < ENOUGH_WORDS or _is_byline(words) or (telling and found and not _holds(words, sample.target)):
        return False
    sample.entry = replace(
        told,
        title=title,
        authors=told.authors or best.get("authors", ()),
        published=told.published or best.get("published"),
        tags=told.tags or best.get("tags", ()),
        html=best["html"],
    )
    sample.taught = True
    aim(sample, words)
    return True


def _is_byline(words: Sequence[str]) -> bool:
    """Whether what generic extraction took for the article is only the line that dates it."""
    return len(words) <= _BYLINE and bool(find_dates(" ".join(words), limit=1))


def _after_title(words: list[str], title: list[str]) -> list[str]:
    """The words after the title, where that stands near the beginning of the text."""
    for n in range(min(_TITLE_WITHIN, len(words))):
        if title and words[n : n + len(title)] == title:
            return words[n + len(title) :]
    return words


def head_titles(samples: Sequence[Sample]) -> list[str]:
    """What the pages' title elements say without what the blog adds to all of them; empty where they do not differ."""
    nodes = [sample.tree.parser.css_first("title") for sample in samples]
    texts = [" ".join(node.text().split()) if node is not None else "" for node in nodes]
    known = [text for text in texts if text]
    if len(known) < _FEW or len(set(known)) < 0.9 * len(known):
        return [""] * len(texts)
    before = _joint(known)
    after = _joint([text[::-1] for text in known])[::-1]
    return _without_names([text[len(before) : len(text) - len(after)].strip() for text in texts])


def _without_names(titles: list[str]) -> list[str]:
    """The titles without a last part that few names take turns in: the blog's, which changed, or a category's."""
    parts = [_PARTS.split(title) for title in titles]
    last = {part[-1] for part in parts if len(part) > 1}
    first = {part[0] for part in parts}
    if (
        sum(len(part) > 1 for part in parts) < 0.9 * len(titles)
        or 2 * len(last) > len(titles)
        or len(first) < 0.9 * len(titles)
    ):
        return titles
    return [
        title[: title.rindex(part[-1])].rstrip(_SIGNS) if len(part) > 1 else title
        for title, part in zip(titles, parts, strict=True)
    ]


def _joint(texts: Sequence[str]) -> str:
    """What all the texts begin with, up to a sign that parts a title from the blog's name."""
    low, high = min(texts), max(texts)  # what these two share, all between them share
    shared = low[: next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]
    while shared and not (shared[-1].isspace() or shared[-1] in _SIGNS):
        shared = shared[:-1]
    return shared if any(not character.isalnum() and not character.isspace() for character in shared) else ""


def teach_authors(sample: Sample) -> None:
    """Give a page whose feed names no author the name that stands beside the article, if one surely does."""
    authors = read_page(sample).get("authors")
    if authors and sample.entry:
        sample.entry = replace(sample.entry, authors=authors)


def teach_date(sample: Sample) -> None:
    """Give a page whose feed does not date it the day that generic extraction reads on it."""
    published = read_page(sample).get("published")
    if published and sample.entry:
        sample.entry = replace(sample.entry, published=published)
