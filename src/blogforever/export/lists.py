"""The lists of the static copy: newest posts, years, tags, about, search, overview."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from blogforever.records import BlogSummary, CompletenessRecord, SourceTally
from blogforever.wording import span

from .body import esc, host, web_link
from .entries import UNDATED, ListedPost
from .frame import FEED, blog_title
from .language import CopyLanguage

# Cards on a page of the static copy: each may hold a picture.
PER_PAGE = 20
# Of a blog that was mostly lost, a longer list would be the whole page.
MISSING_SHOWN = 500
Labels = Mapping[str, Sequence[ListedPost]]
# The words for the sources of posts that a statement names.
SOURCES = {
    "feed": "source_feed",
    "older feed pages": "source_older",
    "API": "source_api",
    "sitemap": "source_sitemap",
    "archive pages": "source_lists",
}


def home_pages(
    language: CopyLanguage, blog: BlogSummary, entries: Sequence[ListedPost]
) -> Iterator[tuple[str, str, str]]:
    """Path, title and inside of the pages with the newest posts first."""
    total = max(1, -(-len(entries) // PER_PAGE))
    for number in range(total):
        shown = entries[number * PER_PAGE : (number + 1) * PER_PAGE]
        page = language.number(number + 1)
        top = _welcome(language, blog, entries) if number == 0 else _title(language.phrase("posts_page", number=page))
        cards = "\n".join(card(language, entry, "") for entry in shown) or _quiet(language.phrase("no_posts"))
        title = blog_title(blog.record) if number == 0 else language.phrase("page", number=page)
        yield (
            _page_name(number),
            title,
            f'{top}\n<div class="cards">{cards}</div>\n{_pager(language, number, total)}',
        )


def card(language: CopyLanguage, entry: ListedPost, up: str) -> str:
    """One post in a list, with its first words."""
    said = f" · {esc(language.count('comments', entry.comments))}" if entry.comments else ""
    by = f" · {esc(', '.join(entry.authors))}" if entry.authors else ""
    picture = f'<img src="{up}{esc(entry.picture)}" alt="" loading="lazy">' if entry.picture else ""
    own = f' lang="{entry.language}"' if entry.language else ""
    return (
        f'<article class="card{" pictured" if picture else ""}"{own} dir="auto"><div>'
        f'<p class="when" {language.marks}>{esc(language.day(entry.published))}{by}{said}</p>'
        f'<h2><a href="{up}{esc(entry.path)}">{esc(entry.title)}</a></h2>'
        f"<p>{esc(entry.excerpt)}</p></div>{picture}</article>"
    )


def year_page(language: CopyLanguage, year: str, entries: Sequence[ListedPost], years: Sequence[str]) -> str:
    """All posts of one year, by month."""
    parts = [_title(year_title(language, year)), year_bar(language, years, "../", year)]
    for month, group in groupby(entries, key=lambda entry: language.month(entry.published)):
        parts.append((f'<h2 class="month">{esc(month)}</h2>' if month else "") + lines(language, group, "../"))
    return "\n".join(parts)


def year_title(language: CopyLanguage, year: str) -> str:
    """What the page of a year is called."""
    return language.phrase("without_date") if year == UNDATED else year


def lines(language: CopyLanguage, entries: Iterable[ListedPost], up: str) -> str:
    """Posts as a plain list."""
    rows = "".join(
        f"<li><time>{esc(language.day(e.published))}</time> "
        f'<a href="{up}{esc(e.path)}" dir="auto">{esc(e.title)}</a></li>'
        for e in entries
    )
    return f'<ul class="lines">{rows}</ul>'


def year_bar(language: CopyLanguage, years: Sequence[str], up: str, current: str = "") -> str:
    """Links to all years."""
    words = {UNDATED: language.html("no_date")}
    links = [
        f'<a href="{up}{year}/index.html"{" aria-current=page" if year == current else ""}>{words.get(year, year)}</a>'
        for year in years
    ]
    return f'<nav class="years" aria-label="{language.html("years")}">{"".join(links)}</nav>'


def years_page(language: CopyLanguage, entries: Sequence[ListedPost]) -> str:
    """How many posts each year has, with a bar to see it."""
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.year] = counts.get(entry.year, 0) + 1
    most = max(counts.values(), default=1)
    rows = "".join(
        f'<tr><td><a href="{year}/index.html">{language.html("no_date") if year == UNDATED else year}</a></td>'
        f'<td><meter max="{most}" value="{number}">{number}</meter></td>'
        f"<td>{esc(language.count('posts', number))}</td></tr>"
        for year, number in sorted(counts.items(), reverse=True)
    )
    return f'{_title(language.phrase("years"))}\n<table class="counts">{rows}</table>'


def tags_page(language: CopyLanguage, labels: Labels, paths: Mapping[str, str]) -> str:
    """All tags with the number of their posts."""
    top = _title(language.phrase("tags"))
    if not labels:
        return f"{top}\n{_quiet(language.phrase('no_tags'))}"
    links = "".join(
        f'<li><a href="{esc(paths[label])}" dir="auto">{esc(label)}</a> '
        f"<small>{language.number(len(entries))}</small></li>"
        for label, entries in sorted(labels.items(), key=lambda pair: pair[0].casefold())
    )
    return f'{top}\n<ul class="tags">{links}</ul>'


def tag_page(language: CopyLanguage, label: str, entries: Sequence[ListedPost]) -> str:
    """All posts with one tag."""
    count = language.count("posts", len(entries))
    top = f'<p class="when">{language.html("tag")}</p><h1 dir="auto">{esc(label)}</h1>'
    return f"{top}\n{_quiet(count)}\n{lines(language, entries, '../')}"


def about_page(
    language: CopyLanguage,
    blog: BlogSummary,
    entries: Sequence[ListedPost],
    failures: Mapping[str, int],
    pages: Sequence[ListedPost] = (),
) -> str:
    """What is known of the blog and of this copy, with the blog's own pages that are no posts."""
    record = blog.record
    facts = {
        "address": web_link(record.url, record.url or language.phrase("unknown")),
        "description": esc(record.subtitle or ""),
        "posts_here": language.number(len(entries)),
        "from_years": esc(span(blog.first, blog.last)),
        "crawled": esc(language.day(blog.crawled, "")),
        "platform": esc(" ".join(filter(None, (record.platform, record.platform_version)))),
        "language": esc(record.language or ""),
        "rights": esc(record.rights or ""),
        "feed_here": f'<a href="{FEED}">{FEED}</a>',
        "feeds": "<br>".join(web_link(url, url) for url in record.feeds),
        "own_pages": "<br>".join(f'<a href="{esc(e.path)}" dir="auto">{esc(e.title)}</a>' for e in pages),
        "completeness": _completeness(language, record.completeness),
        "not_captured": in_english("; ".join(f"{number:,} × {reason}" for reason, number in failures.items())),
    }
    rows = "".join(f"<dt>{language.html(name)}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
    top = _title(language.phrase("about_copy"))
    return f'{top}\n<dl class="facts">{rows}</dl>\n<p>{language.html("whole")}</p>'


@dataclass(frozen=True, slots=True)
class SearchWords:
    """Where the words of a blog's posts lie: its folder, in how many files, and its name where there are several."""

    folder: str
    parts: int
    title: str


def search_page(language: CopyLanguage, blogs: Sequence[SearchWords], back: str = "") -> str:
    """The search page, of one blog or of several; everything else is done by its script."""
    shelves = json.dumps([[blog.folder, blog.parts, blog.title] for blog in blogs], ensure_ascii=False)
    words = json.dumps(language.for_search(), ensure_ascii=False)
    return (
        f"{back}{_title(language.phrase('search'))}\n"
        f'<form class="search" id="form"><input type="search" id="q" name="q" '
        f'autocomplete="off" autofocus placeholder="{language.html("search_hint")}"'
        f' aria-label="{language.html("search_words")}"></form>\n'
        '<p class="quiet" id="told" role="status"></p>\n'
        f'<div class="cards" id="found" data-shelves="{esc(shelves)}" data-words="{esc(words)}"></div>\n'
        f"<noscript><p>{language.html('search_script')}</p></noscript>"
    )


def overview(language: CopyLanguage, blogs: Sequence[BlogSummary], folders: Mapping[str, str]) -> str:
    """The page that leads to each blog of the archive."""
    cards = "\n".join(
        f'<article class="card" dir="auto"><div><p class="when" {language.marks}>'
        f"{esc(language.count('posts', blog.kept))} · {esc(span(blog.first, blog.last))}</p>"
        f'<h2><a href="{esc(folders[blog.id])}/index.html">{esc(blog_title(blog.record))}</a></h2>'
        f"<p>{esc(blog.record.subtitle or '')}</p><p class='quiet'>{esc(host(blog.record.url))}</p></div></article>"
        for blog in blogs
    )
    posts = sum(blog.kept for blog in blogs)
    top = _title(language.count("blogs", len(blogs))) + _quiet(language.count("posts", posts))
    wanted = language.html("search_all")
    top += (
        '<form class="search" action="search.html" role="search"><input type="search" name="q"'
        f' placeholder="{wanted}" aria-label="{wanted}"></form>'
    )
    return f'{top}\n<div class="cards">{cards}</div>'


def _welcome(language: CopyLanguage, blog: BlogSummary, entries: Sequence[ListedPost]) -> str:
    authors = {name for entry in entries for name in entry.authors}
    figures = [language.count("posts", len(entries)), span(blog.first, blog.last)]
    figures += [language.count("authors", len(authors))] if len(authors) > 1 else sorted(authors)
    years = sorted({entry.year for entry in entries}, reverse=True)
    subtitle = blog.record.subtitle
    under = f'<p class="subtitle" dir="auto">{esc(subtitle)}</p>' if subtitle else ""
    figures_line = " · ".join(esc(figure) for figure in figures if figure)
    return (
        f'<header class="welcome"><h1 dir="auto">{esc(blog_title(blog.record))}</h1>{under}'
        f'<p class="quiet">{figures_line}</p></header>\n{year_bar(language, years, "")}'
    )


def _pager(language: CopyLanguage, number: int, total: int) -> str:
    def link(to: int, name: str) -> str:
        if not 0 <= to < total:
            return "<span></span>"
        return f'<a class="{name}" href="{_page_name(to)}">{language.html(f"{name}_posts")}</a>'

    if total == 1:
        return ""
    place = language.phrase("page_of", number=language.number(number + 1), total=language.number(total))
    return f'<nav class="pager">{link(number + 1, "older")}<span>{esc(place)}</span>{link(number - 1, "newer")}</nav>'


def _page_name(number: int) -> str:
    return f"page-{number + 1}.html" if number else "index.html"


def _title(text: str) -> str:
    return f"<h1>{esc(text)}</h1>"


def _quiet(text: str) -> str:
    return f'<p class="quiet">{esc(text)}</p>'


def in_english(text: str) -> str:
    """What the archive keeps as an English sentence, inside a page that may speak otherwise."""
    return f'<bdi lang="en" dir="ltr">{esc(text)}</bdi>' if text else ""


def _completeness(language: CopyLanguage, statement: CompletenessRecord | None) -> str:
    """The completeness statement of the crawl in words: the verdict, each source, what is missing
    and why.
    """
    if statement is None:
        return ""
    word = language.html
    parts = [esc(_verdict(language, statement))]
    parts += [esc(_source(language, source)) for source in statement.sources]
    parts += [word("limit", why=in_english(limit)) for limit in statement.limits]
    parts += [
        word("certificate", host=esc(item.host), why=in_english(item.not_valid))
        for item in statement.certificates or ()
    ]
    parts += [word("stopped", why=in_english(statement.stopped_by))] if statement.stopped_by else []
    rows = "".join(
        f"<li>{web_link(item.url, item.url)}: {in_english(item.reason) or word('unknown')}</li>"
        for item in statement.missing[:MISSING_SHOWN]
    )
    missing = f"<details><summary>{word('missing')}</summary><ul>{rows}</ul></details>" if rows else ""
    return "<br>".join(parts) + missing


def _verdict(language: CopyLanguage, statement: CompletenessRecord) -> str:
    if statement.missing:
        return language.count("missing", statement.announced, missing=language.number(len(statement.missing)))
    return language.phrase("complete" if statement.complete else "none_missing")


def _source(language: CopyLanguage, source: SourceTally) -> str:
    name = language.known(SOURCES.get(source.source, ""), source.source)
    announced, captured = language.number(source.announced), language.number(source.captured)
    return language.phrase("source", source=name, announced=announced, captured=captured)
