"""A post as others cite it: BibTeX, RIS, CSL-JSON, and in words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from blogforever.records import PostRecord
from blogforever.wording import day_of

from .language import CopyLanguage

# Letters of the name under which a citation is known.
LONGEST_KEY = 40
SPECIAL = re.compile(r"([&%$#_{}])")
LINE_BREAKS = re.compile(r"\s+")
DAY = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


@dataclass(frozen=True, slots=True)
class Cited:
    """What a citation says."""

    key: str
    title: str
    blog: str
    url: str
    authors: tuple[str, ...] = ()
    published: str = ""
    captured: str = ""
    language: str = ""

    @property
    def date(self) -> tuple[str, ...]:
        """Year, month and day, as far as they are known."""
        day = self.published[:10]
        return tuple(day.split("-")) if DAY.fullmatch(day) else ()


def cited(post: PostRecord, blog: str) -> Cited:
    """What is cited of a post."""
    authors = tuple(_flat(author.name) for author in post.authors if author.name.strip())
    captured = day_of(post.capture.captured if post.capture else None)
    first = re.sub(r"\W", "", (authors[0].split()[-1] if authors else blog).casefold())
    word = next(iter(re.findall(r"\w{4,}", (post.title or "").casefold())), "")
    key = f"{first}{(post.published or '')[:4]}{word}"[:LONGEST_KEY] or post.id
    return Cited(
        key=key,
        title=_flat(post.title or post.url),
        blog=_flat(blog),
        url=post.url,
        authors=authors,
        published=post.published or "",
        captured=captured if DAY.fullmatch(captured) else "",
        language=post.language or "",
    )


def as_words(post: Cited, language: CopyLanguage) -> str:
    """A citation as people write it."""
    authors = f"{', '.join(post.authors)}. " if post.authors else ""
    day = f", {language.day(post.published)}" if post.date else ""
    archived = f" ({language.phrase('archived_on', day=language.day(post.captured))})" if post.captured else ""
    return f"{authors}“{post.title}”. {post.blog}{day}. {post.url}{archived}."


def as_bibtex(post: Cited) -> str:
    """BibTeX, as BibLaTeX and BibTeX read it."""
    fields = {
        "title": f"{{{_escaped(post.title)}}}",
        "author": " and ".join(f"{{{_escaped(name)}}}" for name in post.authors),
        "organization": _escaped(post.blog),
        "date": "-".join(post.date),
        "year": post.date[0] if post.date else "",
        "month": MONTHS[int(post.date[1]) - 1] if len(post.date) > 1 and 1 <= int(post.date[1]) <= 12 else "",
        "url": post.url.replace("{", "%7B").replace("}", "%7D"),
        "urldate": post.captured,
        "langid": post.language,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@online{{{post.key},", *lines, "}", ""])


def as_ris(post: Cited) -> str:
    """RIS, as reference managers read it."""
    fields = [
        ("TY", "BLOG"),
        ("TI", post.title),
        *(("AU", name) for name in post.authors),
        ("T2", post.blog),
        ("PY", post.date[0] if post.date else ""),
        ("DA", "/".join(post.date)),
        ("UR", post.url),
        ("Y2", post.captured.replace("-", "/")),
        ("LA", post.language),
    ]
    lines = [f"{name}  - {value}" for name, value in fields if value]
    return "\r\n".join([*lines, "ER  - ", ""])


def as_csl(post: Cited) -> str:
    """CSL-JSON, as Zotero and Pandoc read it."""
    return "".join(csl_pieces([post]))


def csl_pieces(posts: Iterable[Cited]) -> Iterator[str]:
    """The same of any number of posts: one list."""
    yield "["
    for number, post in enumerate(posts):
        item = json.dumps(_csl_item(post), ensure_ascii=False, indent=2)
        yield f"{',' if number else ''}\n{item}"
    yield "\n]\n"


@dataclass(frozen=True, slots=True)
class CitationForm:
    """A form of citations: what it is called, how its files end, their type, and who writes one or many."""

    name: str
    ending: str
    media_type: str
    one: Callable[[Cited], str]
    many: Callable[[Iterable[Cited]], Iterator[str]]


def _one_by_one(write: Callable[[Cited], str]) -> Callable[[Iterable[Cited]], Iterator[str]]:
    return lambda posts: map(write, posts)


CITATION_FORMS: dict[str, CitationForm] = {
    "bibtex": CitationForm("BibTeX", "bib", "application/x-bibtex", as_bibtex, _one_by_one(as_bibtex)),
    "ris": CitationForm("RIS", "ris", "application/x-research-info-systems", as_ris, _one_by_one(as_ris)),
    "csl": CitationForm("CSL-JSON", "csl.json", "application/vnd.citationstyles.csl+json", as_csl, csl_pieces),
}


def with_own_keys(posts: Iterable[Cited]) -> Iterator[Cited]:
    """The same, each under a key of its own: programs take two with one key for one."""
    taken: Counter[str] = Counter()
    for post in posts:
        taken[post.key] += 1
        yield post if taken[post.key] == 1 else replace(post, key=f"{post.key}-{taken[post.key]}")


def _csl_item(post: Cited) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": post.key,
        "type": "post-weblog",
        "title": post.title,
        "container-title": post.blog,
        "author": [{"literal": name} for name in post.authors],
        "issued": _csl_date("-".join(post.date)),
        "URL": post.url,
        "accessed": _csl_date(post.captured),
        "language": post.language,
    }
    return {name: value for name, value in item.items() if value}


def _csl_date(iso: str) -> dict[str, Any] | None:
    return {"date-parts": [[int(part) for part in iso.split("-")]]} if iso else None


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text.replace("\\", " "))


def _flat(text: str) -> str:
    return LINE_BREAKS.sub(" ", text).strip()
