"""Blogs in layouts that no program here makes: drawn as themes of today and of long ago are, with their truth.

Each layout is a template in `layouts/`, which draws lists and posts; each is made twice, with a feed and without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from functools import partial
from pathlib import Path

import jinja2

from lives.seeding import SeedComment

from .generators import Build
from .truth import ABOUT, TITLE, Built, TruePost, slug, sown, write

FOLDER = Path(__file__).with_suffix("")
ON_A_PAGE = 8
IN_THE_FEED = 10
EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Label:
    """A tag or an author, with the page that lists its posts."""

    name: str
    path: str


@dataclass(slots=True)
class Told:
    """A comment with its answers."""

    author: str
    text: str
    day: datetime
    answers: list[Told] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DrawnPost:
    """What a template may show of a post."""

    path: str
    title: str
    html: str
    excerpt: str
    author: Label
    day: datetime
    tags: Sequence[Label]
    comments: Sequence[Told]
    said: int

    @property
    def minutes(self) -> int:
        """How long it takes to read."""
        return len(self.html) // 400 + 1


def threaded(comments: Sequence[SeedComment]) -> list[Told]:
    """The comments that answer nobody, with their answers."""
    told = [Told(one.author, one.text, datetime.fromisoformat(one.published)) for one in comments]
    for one, seed in zip(told, comments, strict=True):
        if seed.parent is not None:
            told[seed.parent].answers.append(one)
    return [one for one, seed in zip(told, comments, strict=True) if seed.parent is None]


def drawn_posts(form: str) -> list[DrawnPost]:
    """All posts, the newest first; a form says what their addresses look like."""
    posts = []
    for name, seed in sown():
        day = datetime.fromisoformat(seed.published)
        plain = " ".join(re.sub(r"<[^>]+>", " ", seed.html).split())
        path = form.format(name=name, day=day)
        author = Label(seed.author, f"/author/{slug(seed.author)}/")
        tags = [Label(tag, f"/tag/{slug(tag)}/") for tag in seed.tags]
        told = threaded(seed.comments)
        excerpt = f"{plain[:EXCERPT].rsplit(' ', 1)[0]}…"
        posts.append(DrawnPost(path, seed.title, seed.html, excerpt, author, day, tags, told, len(seed.comments)))
    return sorted(posts, key=lambda post: post.day, reverse=True)


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws the pages of a blog by one template."""

    template: jinja2.Template
    home: str
    has_feed: bool
    has_tags: bool

    def draw(self, kind: str, **facts: object) -> str:
        """One page."""
        return self.template.render(kind=kind, home=self.home, site=TITLE, has_feed=self.has_feed, **facts)

    def pages(self, posts: Sequence[DrawnPost]) -> Iterator[tuple[str, str]]:
        """All pages with the paths of their files."""
        for number, post in enumerate(posts):
            newer, older = posts[number - 1] if number else None, posts[number + 1] if number + 1 < len(posts) else None
            related = [one for one in posts if one is not post and set(one.tags) & set(post.tags)][number % 5 :][:3]
            facts = {"newer": newer, "older": older, "related": related, "recent": posts[:5]}
            yield post.path, self.draw("post", post=post, **facts)
        yield from self._lists("/", "", posts)
        for label in sorted({label for post in posts for label in (*post.tags, post.author)}, key=lambda one: one.path):
            yield from self._lists(
                label.path, label.name, [post for post in posts if label in (*post.tags, post.author)]
            )
        yield "/about/", self.draw("about", about=ABOUT, recent=posts[:5])
        if self.has_feed:
            yield "/feed.xml", feed(self.home, posts[:IN_THE_FEED], has_tags=self.has_tags)

    def _lists(self, path: str, heading: str, posts: Sequence[DrawnPost]) -> Iterator[tuple[str, str]]:
        pages = [posts[start : start + ON_A_PAGE] for start in range(0, len(posts), ON_A_PAGE)]
        paths = [path, *(f"{path}page/{number}/" for number in range(2, len(pages) + 1)), ""]
        for number, some in enumerate(pages):
            facts = {"earlier": paths[number + 1], "later": paths[number - 1] if number else ""}
            yield paths[number], self.draw("list", posts=some, heading=heading, recent=posts[:5], **facts)


def feed(home: str, posts: Sequence[DrawnPost], *, has_tags: bool) -> str:
    """A feed with whole texts; of tags it tells where the pages do."""
    items = "".join(
        f"<item><title>{post.title}</title><link>{home}{post.path}</link><pubDate>{format_datetime(post.day)}</pubDate>"
        f"<dc:creator>{post.author.name}</dc:creator>{categories(post) if has_tags else ''}"
        f"<description><![CDATA[{post.html}]]></description></item>"
        for post in posts
    )
    return (
        '<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<title>{TITLE}</title><link>{home}/</link>{items}</channel></rss>"
    )


def categories(post: DrawnPost) -> str:
    """What a post is filed under, as a feed says it."""
    return "".join(f"<category>{tag.name}</category>" for tag in post.tags)


def layout(name: str, has_feed: bool, folder: Path, home: str) -> Built:
    """A blog drawn by one template."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=False)  # noqa: S701  our own text
    template = environment.get_template(f"{name}.html")
    facts = template.make_module()
    form = getattr(facts, "form", "/{name}/")
    posts = drawn_posts(form)
    shows = str(getattr(facts, "shows", "author tags comments")).split()
    for path, page in Drawer(template, home, has_feed, "tags" in shows).pages(posts):
        write(folder / (path if Path(path).suffix else f"{path}/index.html").lstrip("/"), page)
    return Built(folder, [true_post(home, form, number, shows) for number in range(len(posts))])


def true_post(home: str, form: str, number: int, shows: Sequence[str]) -> TruePost:
    """What must come out of one post."""
    name, seed = sown()[number]
    return TruePost(
        home + form.format(name=name, day=datetime.fromisoformat(seed.published)),
        seed,
        seed.author if "author" in shows else "",
        seed.tags if "tags" in shows else (),
        seed.comments if "comments" in shows else (),
    )


LAYOUTS: Mapping[str, Build] = {
    f"{file.stem}{'' if has_feed else '-feedless'}": partial(layout, file.stem, has_feed)
    for file in sorted(FOLDER.glob("*.html"))
    for has_feed in (True, False)
}
