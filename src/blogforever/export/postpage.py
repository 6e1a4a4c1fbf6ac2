"""The page of one post in the static copy: article, tags, comments, and where all of it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from blogforever.protocols import Record

from .body import Finder, esc, host, safe_body, safe_text, web_link
from .days import spoken
from .entries import ListedPost
from .thread import comments_heading, threaded

FIELDS = {"html": "text"}
WAYS = {
    "rule": "a rule learned from this blog's feed",
    "feed": "the blog's feed",
    "semantic": "mark-up made for machines",
    "generic": "generic extraction",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What the page of a post needs to know of the copy around it; all paths are relative to the page."""

    picture: Finder
    page: Finder
    label_path: dict[str, str]
    newer: ListedPost | None = None
    older: ListedPost | None = None
    captured: str | None = None
    place: str | None = None
    screenshot: str | None = None


def post_page(post: Record, entry: ListedPost, setting: Setting) -> str:
    """The inside of the page."""
    language = f' lang="{entry.language}"' if entry.language else ""
    return (
        f'<article class="post"{language} dir="auto">\n{_heading(post, entry)}\n'
        f'<div class="body">\n{_article(post, setting)}\n</div>\n{_labels(entry, setting)}</article>\n'
        f"{_origin(post, setting)}\n{_neighbours(setting)}\n{_comments(post, setting)}\n"
        f"{_look(setting)}{_about(post, setting)}"
    )


def _heading(post: Record, entry: ListedPost) -> str:
    when = entry.published
    date = f'<time datetime="{esc(when)}">{esc(spoken(when))}</time>' if when else "No date"
    names = [web_link(a.get("uri"), a["name"]) for a in post.get("authors") or [] if a.get("name")]
    by = f'<span class="by">by {", ".join(names)}</span>' if names else ""
    under = f'<p class="subtitle">{esc(post["subtitle"])}</p>' if post.get("subtitle") else ""
    return f'<header><p class="when">{date} {by}</p><h1>{esc(entry.title)}</h1>{under}</header>'


def _article(post: Record, setting: Setting) -> str:
    body = safe_body(post["html"], setting.picture, setting.page) if post.get("html") else ""
    return body or safe_text(post.get("text") or "") or '<p class="quiet">This post has no text.</p>'


def _labels(entry: ListedPost, setting: Setting) -> str:
    links = [f'<a href="../{esc(setting.label_path[label])}">{esc(label)}</a>' for label in entry.labels]
    return f'<p class="labels" dir="auto">{" ".join(links)}</p>\n' if links else ""


def _origin(post: Record, setting: Setting) -> str:
    parts = [f"Original: {web_link(post.get('url'), post.get('url') or 'unknown')}"]
    captured = _captured(post)
    if captured:
        parts.append(f"captured {esc(spoken(captured))}")
    if setting.captured:
        parts.append(f'<a href="{esc(setting.captured)}">the page as it was captured</a> (its source)')
    return f'<p class="origin">{" · ".join(parts)}</p>'


def _captured(post: Record) -> str | None:
    return next((s["captured"] for s in post.get("sources") or [] if s.get("captured")), None)


def _neighbours(setting: Setting) -> str:
    def link(entry: ListedPost | None, word: str, side: str) -> str:
        if entry is None:
            return "<span></span>"
        label = f"<small>{word}</small><span>{esc(entry.title)}</span>"
        return f'<a class="{side}" href="../{esc(entry.path)}" dir="auto">{label}</a>'

    inside = link(setting.older, "Older", "older") + link(setting.newer, "Newer", "newer")
    return f'<nav class="neighbours" aria-label="Neighbouring posts">{inside}</nav>'


def _comments(post: Record, setting: Setting) -> str:
    comments = [c for c in post.get("comments") or [] if c.get("status") not in ("spam", "suppressed")]
    if not comments:
        return ""
    shown = "\n".join(_comment(depth, comment, setting) for depth, comment in threaded(comments))
    heading = esc(comments_heading(post, len(comments)))
    return f'<section class="comments"><h2>{heading}</h2>\n{shown}\n</section>'


def _comment(depth: int, comment: Record, setting: Setting) -> str:
    author = comment.get("author") or {}
    name = web_link(author.get("uri"), author.get("name") or "Somebody")
    own = ' <span class="mark">author</span>' if comment.get("by_post_author") else ""
    kind = comment.get("kind") or "comment"
    told = "" if kind == "comment" else f' <span class="mark">{esc(kind)}</span>'
    when = comment.get("published")
    date = f' <time datetime="{esc(when)}">{esc(spoken(when, str(when)))}</time>' if when else ""
    said = safe_body(comment["html"], setting.picture, setting.page) if comment.get("html") else ""
    said = said or safe_text(comment.get("text") or "") or '<p class="quiet">This comment has no text.</p>'
    return (
        f'<article class="comment d{depth}" dir="auto"><p class="who"><b>{name}</b>{own}{told}{date}</p>'
        f'<div class="body">{said}</div></article>'
    )


def _look(setting: Setting) -> str:
    """How the page looked, for those who unfold it."""
    if not setting.screenshot:
        return ""
    picture = f'<img src="{esc(setting.screenshot)}" alt="The whole page as a browser drew it" loading="lazy">'
    return (
        '<details class="about"><summary>How the page looked</summary>\n'
        f'<p><a href="{esc(setting.screenshot)}">{picture}</a></p></details>\n'
    )


def _about(post: Record, setting: Setting) -> str:
    facts = [*_facts(post, setting), *_sources(post)]
    rows = "".join(f"<dt>{esc(name)}</dt><dd>{value}</dd>" for name, value in facts)
    return (
        '<details class="about"><summary>Where this came from</summary>\n'
        f"<dl>{rows}</dl>\n{_provenance(post)}</details>"
    )


def _facts(post: Record, setting: Setting) -> list[tuple[str, str]]:
    extra = post.get("extra") or {}
    plain = {
        "Published": post.get("published"),
        "As the page says it": post.get("published_raw"),
        "Modified": post.get("modified"),
        "Language": post.get("language"),
        "Kind": post.get("kind"),
        "Rights": extra.get("rights"),
        "Licence": extra.get("license"),
        "Place": _degrees(extra.get("geo")),
        "Feed id": post.get("guid"),
        "Platform's id": post.get("native_id"),
        "Version kept": post.get("version"),
        "Id in the archive": post.get("id"),
        "Response in the archive": setting.place,
    }
    facts = [(name, esc(value)) for name, value in plain.items() if value not in (None, "")]
    aliases = [web_link(url, url) for url in post.get("aliases") or []]
    return facts + ([("Also at", "<br>".join(aliases))] if aliases else [])


def _degrees(geo: Record | None) -> str:
    return f"{geo['latitude']}, {geo['longitude']}" if geo else ""


def _sources(post: Record) -> Iterable[tuple[str, str]]:
    for source in post.get("sources") or []:
        parts = [web_link(source.get("url"), host(source.get("url")) + " " + (source.get("role") or "page"))]
        parts += [esc(source[name]) for name in ("captured", "record_id", "digest") if source.get(name)]
        yield "Captured from", "<br>".join(parts)


def _provenance(post: Record) -> str:
    rows = "".join(
        f"<tr><td>{esc(FIELDS.get(field, field))}</td><td>{esc(WAYS.get(way.get('by') or '', way.get('by')))}</td>"
        f"<td>{round(100 * float(way.get('confidence') or 0))} %</td>"
        f"<td><code>{esc(way.get('rule') or '')}</code></td></tr>"
        for field, way in (post.get("provenance") or {}).items()
    )
    head = "<tr><th>Field</th><th>Found through</th><th>Sure</th><th>Where</th></tr>"
    return f'<div class="wide"><table>{head}{rows}</table></div>' if rows else ""
