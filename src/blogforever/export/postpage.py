"""The page of one post in the static copy: article, tags, comments, and where all of it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from blogforever.records import CommentRecord, PlaceRecord, PostRecord
from blogforever.wording import comments_heading, spoken

from .body import Finder, esc, host, safe_body, safe_text, web_link
from .entries import ListedPost
from .thread import threaded

FIELDS = {"html": "text"}
NOT_SHOWN = ("spam", "suppressed")
_STATES = {"deleted": "deleted since", "missing": "no longer shown"}
WAYS = {
    "rule": "a rule learned from this blog's feed",
    "feed": "the blog's feed",
    "semantic": "mark-up made for machines",
    "generic": "generic extraction",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What the page of a post needs to know of the copy around it; all paths are relative to the
    page.
    """

    picture: Finder
    page: Finder
    label_path: dict[str, str]
    newer: ListedPost | None = None
    older: ListedPost | None = None
    captured: str | None = None
    place: str | None = None
    screenshot: str | None = None


def post_page(post: PostRecord, entry: ListedPost, setting: Setting) -> str:
    """The inside of the page."""
    language = f' lang="{entry.language}"' if entry.language else ""
    return (
        f'<article class="post"{language} dir="auto">\n{_heading(post, entry)}\n'
        f'<div class="body">\n{_article(post, setting)}\n</div>\n{_labels(entry, setting)}</article>\n'
        f"{_origin(post, setting)}\n{_neighbours(setting)}\n{_comments(post, setting)}\n"
        f"{_look(setting)}{_about(post, setting)}"
    )


def _heading(post: PostRecord, entry: ListedPost) -> str:
    when = entry.published
    date = f'<time datetime="{esc(when)}">{esc(spoken(when))}</time>' if when else "No date"
    names = [web_link(author.uri, author.name) for author in post.authors if author.name]
    by = f'<span class="by">by {", ".join(names)}</span>' if names else ""
    under = f'<p class="subtitle">{esc(post.subtitle)}</p>' if post.subtitle else ""
    return f'<header><p class="when">{date} {by}</p><h1>{esc(entry.title)}</h1>{under}</header>'


def _article(post: PostRecord, setting: Setting) -> str:
    body = safe_body(post.html, setting.picture, setting.page) if post.html else ""
    return body or safe_text(post.text) or '<p class="quiet">This post has no text.</p>'


def _labels(entry: ListedPost, setting: Setting) -> str:
    links = [f'<a href="../{esc(setting.label_path[label])}">{esc(label)}</a>' for label in entry.labels]
    return f'<p class="labels" dir="auto">{" ".join(links)}</p>\n' if links else ""


def _origin(post: PostRecord, setting: Setting) -> str:
    parts = [f"Original: {web_link(post.url, post.url)}"]
    captured = _captured(post)
    if captured:
        parts.append(f"captured {esc(spoken(captured))}")
    if setting.captured:
        parts.append(f'<a href="{esc(setting.captured)}">the page as it was captured</a> (its source)')
    return f'<p class="origin">{" · ".join(parts)}</p>'


def _captured(post: PostRecord) -> str | None:
    return next((source.captured for source in post.sources if source.captured), None)


def _neighbours(setting: Setting) -> str:
    def link(entry: ListedPost | None, word: str, side: str) -> str:
        if entry is None:
            return "<span></span>"
        label = f"<small>{word}</small><span>{esc(entry.title)}</span>"
        return f'<a class="{side}" href="../{esc(entry.path)}" dir="auto">{label}</a>'

    inside = link(setting.older, "Older", "older") + link(setting.newer, "Newer", "newer")
    return f'<nav class="neighbours" aria-label="Neighbouring posts">{inside}</nav>'


def _comments(post: PostRecord, setting: Setting) -> str:
    comments = [comment for comment in post.comments if comment.status not in NOT_SHOWN]
    if not comments:
        return ""
    shown = "\n".join(_comment(depth, comment, setting) for depth, comment in threaded(comments))
    heading = esc(comments_heading(len(comments), post.extra.comments_stated))
    return f'<section class="comments"><h2>{heading}</h2>\n{shown}\n</section>'


def _comment(depth: int, comment: CommentRecord, setting: Setting) -> str:
    name = web_link(comment.author.uri, comment.author.name or "Somebody")
    own = ' <span class="mark">author</span>' if comment.by_post_author else ""
    kind = "" if comment.kind == "comment" else f' <span class="mark">{esc(comment.kind)}</span>'
    state = f' <span class="mark">{_STATES[comment.status]}</span>' if comment.status in _STATES else ""
    when = comment.published
    date = f' <time datetime="{esc(when)}">{esc(spoken(when, str(when)))}</time>' if when else ""
    said = safe_body(comment.html, setting.picture, setting.page) if comment.html else ""
    said = said or safe_text(comment.text) or '<p class="quiet">This comment has no text.</p>'
    return (
        f'<article class="comment d{depth}" dir="auto"><p class="who"><b>{name}</b>{own}{kind}{state}{date}</p>'
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


def _about(post: PostRecord, setting: Setting) -> str:
    facts = [*_facts(post, setting), *_sources(post)]
    rows = "".join(f"<dt>{esc(name)}</dt><dd>{value}</dd>" for name, value in facts)
    return (
        '<details class="about"><summary>Where this came from</summary>\n'
        f"<dl>{rows}</dl>\n{_provenance(post)}</details>"
    )


def _facts(post: PostRecord, setting: Setting) -> list[tuple[str, str]]:
    plain = {
        "Published": post.published,
        "As the page says it": post.published_raw,
        "Modified": post.modified,
        "Language": post.language,
        "Kind": post.kind,
        "Rights": post.extra.rights,
        "Licence": post.extra.license,
        "Place": _degrees(post.extra.geo),
        "Feed id": post.guid,
        "Platform's id": post.native_id,
        "Version kept": post.version,
        "Id in the archive": post.id,
        "Response in the archive": setting.place,
    }
    facts = [(name, esc(value)) for name, value in plain.items() if value not in (None, "")]
    aliases = [web_link(url, url) for url in post.aliases]
    return facts + ([("Also at", "<br>".join(aliases))] if aliases else [])


def _degrees(place: PlaceRecord | None) -> str:
    return f"{place.latitude}, {place.longitude}" if place else ""


def _sources(post: PostRecord) -> Iterable[tuple[str, str]]:
    for source in post.sources:
        parts = [web_link(source.url, f"{host(source.url)} {source.role}")]
        parts += [esc(fact) for fact in (source.captured, source.record_id, source.digest) if fact]
        yield "Captured from", "<br>".join(parts)


def _provenance(post: PostRecord) -> str:
    rows = "".join(
        f"<tr><td>{esc(FIELDS.get(field, field))}</td><td>{esc(WAYS.get(way.by, way.by))}</td>"
        f"<td>{round(100 * way.confidence)} %</td>"
        f"<td><code>{esc(way.rule)}</code></td></tr>"
        for field, way in post.provenance.items()
    )
    head = "<tr><th>Field</th><th>Found through</th><th>Sure</th><th>Where</th></tr>"
    return f'<div class="wide"><table>{head}{rows}</table></div>' if rows else ""
