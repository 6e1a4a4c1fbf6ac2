"""The page of one post in the static copy: article, tags, comments, and where all of it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from blogforever.protocols import Ref
from blogforever.records import CommentRecord, PlaceRecord, PostRecord

from .body import Finder, esc, host, safe_body, safe_text, web_link
from .citing import CITATION_FORMS, as_words, cited
from .entries import ListedPost
from .language import CopyLanguage
from .thread import threaded

FIELDS = {"html": "field_text"}
NOT_SHOWN = ("spam", "suppressed")
# The words for how a comment stands, where it is not as it was.
_STATES = {"deleted": "deleted", "missing": "no_longer_shown"}
KINDS = ("pingback", "trackback", "webmention")


@dataclass(frozen=True, slots=True)
class Setting:
    """What the page of a post needs to know of the copy around it; all paths are relative to the
    page.
    """

    language: CopyLanguage
    picture: Finder
    page: Finder
    label_path: dict[str, str]
    newer: ListedPost | None = None
    older: ListedPost | None = None
    captured: str | None = None
    place: Ref | None = None
    screenshot: str | None = None
    blog: str = ""
    """What the blog is called."""


def post_page(post: PostRecord, entry: ListedPost, setting: Setting) -> str:
    """The inside of the page."""
    language = f' lang="{entry.language}"' if entry.language else ""
    return (
        f'<article class="post"{language} dir="auto">\n{_heading(post, entry, setting.language)}\n'
        f'<div class="body">\n{_article(post, setting)}\n</div>\n{_labels(entry, setting)}</article>\n'
        f"{_origin(post, setting)}\n{_neighbours(setting)}\n{_comments(post, setting)}\n"
        f"{_look(setting)}{_citations(post, setting)}{_about(post, setting)}"
    )


def _heading(post: PostRecord, entry: ListedPost, language: CopyLanguage) -> str:
    when = entry.published
    day = esc(language.day(when))
    date = f'<time datetime="{esc(when)}">{day}</time>' if when else day
    names = [f"<bdi>{web_link(author.uri, author.name)}</bdi>" for author in post.authors if author.name]
    by = f'<span class="by">{language.html("by", names=", ".join(names))}</span>' if names else ""
    under = f'<p class="subtitle">{esc(post.subtitle)}</p>' if post.subtitle else ""
    top = f'<p class="when" {language.marks}>{date} {by}</p>'
    return f"<header>{top}<h1>{esc(entry.title)}</h1>{under}</header>"


def _article(post: PostRecord, setting: Setting) -> str:
    return _said(post.html, post.text, setting) or _nothing(setting.language, "no_text")


def _said(html: str, text: str, setting: Setting) -> str:
    """Words of others, from their mark-up or, where nothing is left of it, as plain text."""
    body = safe_body(html, setting.picture, setting.page, absent=setting.language.absent) if html else ""
    return body or safe_text(text)


def _nothing(language: CopyLanguage, name: str) -> str:
    return f'<p class="quiet" {language.marks}>{language.html(name)}</p>'


def _labels(entry: ListedPost, setting: Setting) -> str:
    links = [f'<a href="../{esc(setting.label_path[label])}">{esc(label)}</a>' for label in entry.labels]
    return f'<p class="labels" dir="auto">{" ".join(links)}</p>\n' if links else ""


def _origin(post: PostRecord, setting: Setting) -> str:
    language = setting.language
    parts = [language.html("original", address=f"<bdi>{web_link(post.url, post.url)}</bdi>")]
    captured = _captured(post)
    if captured:
        parts.append(language.html("captured_on", day=esc(language.day(captured))))
    if setting.captured:
        parts.append(f'<a href="{esc(setting.captured)}">{language.html("captured_page")}</a>')
    return f'<p class="origin">{" · ".join(parts)}</p>'


def _captured(post: PostRecord) -> str | None:
    return next((source.captured for source in post.sources if source.captured), None)


def _neighbours(setting: Setting) -> str:
    word = setting.language.html

    def link(entry: ListedPost | None, side: str) -> str:
        if entry is None:
            return "<span></span>"
        label = f'<small>{word(side)}</small><span dir="auto">{esc(entry.title)}</span>'
        return f'<a class="{side}" href="../{esc(entry.path)}">{label}</a>'

    inside = link(setting.older, "older") + link(setting.newer, "newer")
    return f'<nav class="neighbours" aria-label="{word("neighbours")}">{inside}</nav>'


def _comments(post: PostRecord, setting: Setting) -> str:
    comments = [comment for comment in post.comments if comment.status not in NOT_SHOWN]
    if not comments:
        return ""
    shown = "\n".join(_comment(depth, comment, setting) for depth, comment in threaded(comments))
    heading = _comments_heading(setting.language, len(comments), post.extra.comments_stated)
    return f'<section class="comments"><h2>{esc(heading)}</h2>\n{shown}\n</section>'


def _comments_heading(language: CopyLanguage, number: int, stated: int | None) -> str:
    """How many comments are kept, and how many the page spoke of where that is another number."""
    kept = language.count("comments", number)
    if stated is None or stated == number:
        return kept
    return f"{kept} ({language.phrase('stated', number=language.number(stated))})"


def _comment(depth: int, comment: CommentRecord, setting: Setting) -> str:
    language = setting.language
    name = web_link(comment.author.uri, comment.author.name or language.phrase("somebody"))
    marks = "".join(f' <span class="mark">{esc(mark)}</span>' for mark in _comment_marks(comment, language))
    when = comment.published
    date = f' <time datetime="{esc(when)}">{esc(language.day(when, str(when)))}</time>' if when else ""
    said = _said(comment.html, comment.text, setting) or _nothing(language, "comment_without_text")
    return (
        f'<article class="comment d{depth}" dir="auto">'
        f'<p class="who" {language.marks}><b dir="auto">{name}</b>{marks}{date}</p>'
        f'<div class="body">{said}</div></article>'
    )


def _comment_marks(comment: CommentRecord, language: CopyLanguage) -> Iterable[str]:
    """What is said of a comment beside its author."""
    if comment.by_post_author:
        yield language.phrase("author")
    if comment.kind != "comment":
        yield language.phrase(comment.kind) if comment.kind in KINDS else comment.kind
    if comment.status in _STATES:
        yield language.phrase(_STATES[comment.status])


def _look(setting: Setting) -> str:
    """How the page looked, for those who unfold it."""
    if not setting.screenshot:
        return ""
    word = setting.language.html
    picture = f'<img src="{esc(setting.screenshot)}" alt="{word("looked_picture")}" loading="lazy">'
    return (
        f'<details class="about"><summary>{word("looked")}</summary>\n'
        f'<p><a href="{esc(setting.screenshot)}">{picture}</a></p></details>\n'
    )


def _citations(post: PostRecord, setting: Setting) -> str:
    """How others cite the post, for those who unfold it: in words, and for their programs."""
    told, language = cited(post, setting.blog), setting.language
    address = esc(told.url)
    words = esc(as_words(told, language)).replace(address, f"<bdi>{address}</bdi>")
    forms = "".join(
        f'<h3>{form.name}</h3><pre tabindex="0" dir="ltr">{esc(form.one(told))}</pre>'
        for form in CITATION_FORMS.values()
    )
    return (
        f'<details class="about cite"><summary>{language.html("cite")}</summary>\n'
        f'<p dir="auto">{words}</p>\n'
        f"{forms}</details>\n"
    )


def _about(post: PostRecord, setting: Setting) -> str:
    facts, word = [*_facts(post, setting), *_sources(post)], setting.language.html
    rows = "".join(f"<dt>{word(name)}</dt><dd>{value}</dd>" for name, value in facts)
    return (
        f'<details class="about"><summary>{word("origin")}</summary>\n'
        f"<dl>{rows}</dl>\n{_provenance(post, setting.language)}</details>"
    )


def _facts(post: PostRecord, setting: Setting) -> list[tuple[str, str]]:
    plain = {
        "published": post.published,
        "as_written": post.published_raw,
        "modified": post.modified,
        "language": post.language,
        "kind": post.kind,
        "rights": post.extra.rights,
        "license": post.extra.license,
        "place": _degrees(post.extra.geo),
        "feed_id": post.guid,
        "native_id": post.native_id,
        "version": post.version,
        "archive_id": post.id,
    }
    facts = [(name, f"<bdi>{esc(value)}</bdi>") for name, value in plain.items() if value not in (None, "")]
    facts += [("response", _response(setting.place, setting.language))] if setting.place else []
    aliases = [web_link(url, url) for url in post.aliases]
    return facts + ([("also_at", "<br>".join(aliases))] if aliases else [])


def _response(place: Ref, language: CopyLanguage) -> str:
    """Where the response lies, for people with other tools."""
    return language.html("at_byte", file=f"<bdi>{esc(place.file)}</bdi>", offset=language.number(place.offset))


def _degrees(place: PlaceRecord | None) -> str:
    return f"{place.latitude}, {place.longitude}" if place else ""


def _sources(post: PostRecord) -> Iterable[tuple[str, str]]:
    for source in post.sources:
        parts = [web_link(source.url, f"{host(source.url)} {source.role}")]
        parts += [esc(fact) for fact in (source.captured, source.record_id, source.digest) if fact]
        yield "captured_from", "<br>".join(parts)


def _provenance(post: PostRecord, language: CopyLanguage) -> str:
    rows = "".join(
        f"<tr><td>{esc(language.known(FIELDS.get(field, f'field_{field}'), field))}</td>"
        f"<td>{esc(language.known(f'by_{way.by}', way.by))}</td>"
        f"<td>{esc(language.share(way.confidence))}</td>"
        f'<td><code dir="ltr">{esc(way.rule)}</code></td></tr>'
        for field, way in post.provenance.items()
    )
    head = "".join(f"<th>{language.html(name)}</th>" for name in ("field", "found_through", "sure", "where"))
    head = f"<tr>{head}</tr>"
    return f'<div class="wide"><table>{head}{rows}</table></div>' if rows else ""
