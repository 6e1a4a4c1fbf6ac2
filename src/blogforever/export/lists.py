"""The lists of the static copy: newest posts, years, tags, about, search, overview."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from blogforever.records import BlogSummary, CertificateRecord, CompletenessRecord, SourceTally
from blogforever.wording import counted, month_of, span, spoken

from .body import esc, host, web_link
from .entries import UNDATED, ListedPost
from .frame import blog_title

# Cards on a page of the static copy: each may hold a picture.
PER_PAGE = 20
# Of a blog that was mostly lost, a longer list would be the whole page.
MISSING_SHOWN = 500
Labels = Mapping[str, Sequence[ListedPost]]


def home_pages(blog: BlogSummary, entries: Sequence[ListedPost]) -> Iterator[tuple[str, str, str]]:
    """Path, title and inside of the pages with the newest posts first."""
    total = max(1, -(-len(entries) // PER_PAGE))
    for number in range(total):
        shown = entries[number * PER_PAGE : (number + 1) * PER_PAGE]
        top = _welcome(blog, entries) if number == 0 else f"<h1>Posts, page {number + 1}</h1>"
        cards = "\n".join(card(entry, "") for entry in shown) or '<p class="quiet">No post is kept of this blog.</p>'
        title = blog_title(blog.record) if number == 0 else f"Page {number + 1}"
        yield (
            _page_name(number),
            title,
            f'{top}\n<div class="cards">{cards}</div>\n{_pager(number, total)}',
        )


def card(entry: ListedPost, up: str) -> str:
    """One post in a list, with its first words."""
    said = f" · {counted(entry.comments, 'comment')}" if entry.comments else ""
    by = f" · {esc(', '.join(entry.authors))}" if entry.authors else ""
    picture = f'<img src="{up}{esc(entry.picture)}" alt="" loading="lazy">' if entry.picture else ""
    language = f' lang="{entry.language}"' if entry.language else ""
    return (
        f'<article class="card{" pictured" if picture else ""}"{language} dir="auto"><div>'
        f'<p class="when">{esc(spoken(entry.published))}{by}{said}</p>'
        f'<h2><a href="{up}{esc(entry.path)}">{esc(entry.title)}</a></h2>'
        f"<p>{esc(entry.excerpt)}</p></div>{picture}</article>"
    )


def year_page(year: str, entries: Sequence[ListedPost], years: Sequence[str]) -> str:
    """All posts of one year, by month."""
    title = "Without a date" if year == UNDATED else year
    parts = [f"<h1>{esc(title)}</h1>", year_bar(years, "../", year)]
    for month, group in groupby(entries, key=lambda entry: month_of(entry.published)):
        parts.append((f'<h2 class="month">{esc(month)}</h2>' if month else "") + lines(group, "../"))
    return "\n".join(parts)


def lines(entries: Iterable[ListedPost], up: str) -> str:
    """Posts as a plain list."""
    rows = "".join(
        f'<li><time>{esc(spoken(e.published))}</time> <a href="{up}{esc(e.path)}" dir="auto">{esc(e.title)}</a></li>'
        for e in entries
    )
    return f'<ul class="lines">{rows}</ul>'


def year_bar(years: Sequence[str], up: str, current: str = "") -> str:
    """Links to all years."""
    words = {UNDATED: "no date"}
    links = [
        f'<a href="{up}{year}/index.html"{" aria-current=page" if year == current else ""}>{words.get(year, year)}</a>'
        for year in years
    ]
    return f'<nav class="years" aria-label="Years">{"".join(links)}</nav>'


def years_page(entries: Sequence[ListedPost]) -> str:
    """How many posts each year has, with a bar to see it."""
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.year] = counts.get(entry.year, 0) + 1
    most = max(counts.values(), default=1)
    rows = "".join(
        f'<tr><td><a href="{year}/index.html">{"no date" if year == UNDATED else year}</a></td>'
        f'<td><meter max="{most}" value="{number}">{number}</meter></td><td>{counted(number, "post")}</td></tr>'
        for year, number in sorted(counts.items(), reverse=True)
    )
    return f'<h1>Years</h1>\n<table class="counts">{rows}</table>'


def tags_page(labels: Labels, paths: Mapping[str, str]) -> str:
    """All tags with the number of their posts."""
    if not labels:
        return '<h1>Tags</h1>\n<p class="quiet">This blog has no tags.</p>'
    links = "".join(
        f'<li><a href="{esc(paths[label])}" dir="auto">{esc(label)}</a> <small>{len(entries):,}</small></li>'
        for label, entries in sorted(labels.items(), key=lambda pair: pair[0].casefold())
    )
    return f'<h1>Tags</h1>\n<ul class="tags">{links}</ul>'


def tag_page(label: str, entries: Sequence[ListedPost]) -> str:
    """All posts with one tag."""
    count = counted(len(entries), "post")
    top = f'<p class="when">Tag</p><h1 dir="auto">{esc(label)}</h1>'
    return f'{top}\n<p class="quiet">{count}</p>\n{lines(entries, "../")}'


def about_page(
    blog: BlogSummary, entries: Sequence[ListedPost], failures: Mapping[str, int], pages: Sequence[ListedPost] = ()
) -> str:
    """What is known of the blog and of this copy, with the blog's own pages that are no posts."""
    record = blog.record
    facts = {
        "Address": web_link(record.url, record.url or "unknown"),
        "Description": esc(record.subtitle or ""),
        "Posts in this copy": f"{len(entries):,}",
        "From": esc(span(blog.first, blog.last)),
        "Last crawled": esc(spoken(blog.crawled, "")),
        "Platform": esc(" ".join(filter(None, (record.platform, record.platform_version)))),
        "Language": esc(record.language or ""),
        "Rights": esc(record.rights or ""),
        "Feeds": "<br>".join(web_link(url, url) for url in record.feeds),
        "Pages of the blog": "<br>".join(f'<a href="{esc(e.path)}" dir="auto">{esc(e.title)}</a>' for e in pages),
        "Completeness": _completeness(record.completeness),
        "Not captured": esc("; ".join(f"{number:,} × {reason}" for reason, number in failures.items())),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
    return (
        f'<h1>About this copy</h1>\n<dl class="facts">{rows}</dl>\n<p>This folder is complete in itself: it opens from '
        "a disk, needs no server, and loads nothing from the web. Texts were cleaned: no script of the blog runs here. "
        "Pictures and films that the archive does not have are shown as links to where they were. Each post says at "
        "its end where its parts came from.</p>"
    )


def search_page(parts: int) -> str:
    """The search page; everything else is done by its script."""
    return (
        '<h1>Search</h1>\n<form class="search" id="form"><input type="search" id="q" name="q" autocomplete="off" '
        'autofocus placeholder="Words, or &quot;words in a row&quot;" aria-label="Search words"></form>\n'
        f'<p class="quiet" id="told" role="status"></p>\n<div class="cards" id="found" data-parts="{parts}"></div>\n'
        "<noscript><p>Searching needs JavaScript; the lists of years and tags do not.</p></noscript>"
    )


def overview(blogs: Sequence[BlogSummary], folders: Mapping[str, str]) -> str:
    """The page that leads to each blog of the archive."""
    cards = "\n".join(
        f'<article class="card" dir="auto"><div><p class="when">{counted(blog.kept, "post")} · '
        f"{esc(span(blog.first, blog.last))}</p>"
        f'<h2><a href="{esc(folders[blog.id])}/index.html">{esc(blog_title(blog.record))}</a></h2>'
        f"<p>{esc(blog.record.subtitle or '')}</p><p class='quiet'>{esc(host(blog.record.url))}</p></div></article>"
        for blog in blogs
    )
    posts = sum(blog.kept for blog in blogs)
    top = f'<h1>{counted(len(blogs), "blog")}</h1><p class="quiet">{counted(posts, "post")}</p>'
    return f'{top}\n<div class="cards">{cards}</div>'


def _welcome(blog: BlogSummary, entries: Sequence[ListedPost]) -> str:
    authors = {name for entry in entries for name in entry.authors}
    figures = [counted(len(entries), "post"), span(blog.first, blog.last)]
    figures += [counted(len(authors), "author")] if len(authors) > 1 else sorted(authors)
    years = sorted({entry.year for entry in entries}, reverse=True)
    subtitle = blog.record.subtitle
    under = f'<p class="subtitle" dir="auto">{esc(subtitle)}</p>' if subtitle else ""
    figures_line = " · ".join(esc(figure) for figure in figures if figure)
    return (
        f'<header class="welcome"><h1 dir="auto">{esc(blog_title(blog.record))}</h1>{under}'
        f'<p class="quiet">{figures_line}</p></header>\n{year_bar(years, "")}'
    )


def _pager(number: int, total: int) -> str:
    if total == 1:
        return ""
    newer = f'<a class="newer" href="{_page_name(number - 1)}">Newer posts</a>' if number else "<span></span>"
    older = (
        f'<a class="older" href="{_page_name(number + 1)}">Older posts</a>' if number + 1 < total else "<span></span>"
    )
    return f'<nav class="pager">{older}<span>Page {number + 1:,} of {total:,}</span>{newer}</nav>'


def _page_name(number: int) -> str:
    return f"page-{number + 1}.html" if number else "index.html"


def _completeness(statement: CompletenessRecord | None) -> str:
    """The completeness statement of the crawl in words: the verdict, each source, what is missing
    and why.
    """
    if statement is None:
        return ""
    parts = [_verdict(statement)]
    parts += [_source(source) for source in statement.sources]
    parts += [f"Not everything could be looked at: {limit}" for limit in statement.limits]
    parts += [_certificate(item) for item in statement.certificates or ()]
    parts += [f"Stopped by {statement.stopped_by}"] if statement.stopped_by else []
    in_words = "<br>".join(esc(part) for part in parts)
    rows = "".join(
        f"<li>{web_link(item.url, item.url)}: {esc(item.reason or 'unknown')}</li>"
        for item in statement.missing[:MISSING_SHOWN]
    )
    return in_words + (f"<details><summary>Missing</summary><ul>{rows}</ul></details>" if rows else "")


def _verdict(statement: CompletenessRecord) -> str:
    if statement.missing:
        announced = counted(statement.announced, "announced post")
        return f"{len(statement.missing):,} of {announced} missing"
    if statement.complete:
        return "Complete: every announced post is here"
    return "No announced post is missing"


def _certificate(item: CertificateRecord) -> str:
    return f"The certificate of {item.host} was not valid: {item.not_valid}"


def _source(source: SourceTally) -> str:
    return f"{source.source}: {source.announced:,} announced, {source.captured:,} captured"
