"""What the lists of the static copy need to know of each post, and the place its page has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import unquote, urlsplit

from blogforever.records import PostRecord
from blogforever.wording import year_of

from .excerpt import beginning

# Characters of a file's name: enough to know it by, short enough for every disk.
SLUG = 60
# Characters of its text that stand for the title a post has not.
UNTITLED = 60
UNDATED = "undated"
# The folder of the blog's own pages that are no posts.
PAGES = "pages"


@dataclass(frozen=True, slots=True)
class ListedPost:
    """One post in a list."""

    id: str
    path: str
    title: str
    published: str | None
    excerpt: str
    authors: tuple[str, ...]
    labels: tuple[str, ...]
    comments: int
    language: str | None
    picture: str | None
    addresses: tuple[str, ...]

    @property
    def year(self) -> str:
        """The folder its page lies in."""
        return self.path.partition("/")[0]


class Places:
    """Gives each page a short name of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, folder: str, wanted: Iterable[str], key: str) -> str:
        """The first of the wanted names that says something and is free; else one made of the key."""
        names = [name for name in map(plain_name, wanted) if name and name != "index"][:1]
        for name in [*names, f"{(names or ['p'])[0][:40]}-{sha256(key.encode()).hexdigest()[:10]}"]:
            path = f"{folder}/{name}.html"
            if path not in self._taken:
                break
        self._taken.add(path)
        return path


def plain_name(text: str) -> str:
    """Small ASCII letters, digits and hyphens: a name for a file on any disk; empty where nothing
    is left.
    """
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    if sum(char.isalnum() for char in folded) * 2 < sum(char.isalnum() for char in text):
        return ""  # most of it was in another script: what is left would say nothing
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:SLUG].strip("-")


def entry_of(
    post: PostRecord, places: Places, language: str | None = None, picture: str | None = None, folder: str = ""
) -> ListedPost:
    """The entry of a post; it lies in the folder of its year unless another is given, and has the
    language of its blog unless it says its own.
    """
    title = shown_title(post)
    folder = folder or year_of(post.published) or UNDATED
    return ListedPost(
        id=post.id,
        path=places.take(folder, (_last_part(post.url), title), post.id),
        title=title,
        published=post.published,
        excerpt=beginning(post.text or post.summary or ""),
        authors=tuple(author.name for author in post.authors if author.name),
        labels=labels_of(post),
        comments=len(post.comments),
        language=web_language(post.language) or language,
        picture=picture,
        addresses=post.addresses,
    )


def shown_title(post: PostRecord) -> str:
    """The title, or the first words of a post that has none."""
    title = " ".join((post.title or "").split())
    return title or beginning(post.text, UNTITLED) or post.url


def labels_of(post: PostRecord) -> tuple[str, ...]:
    """Tags and categories, each once whatever its case."""
    labels = [" ".join(label.split()) for label in (*post.tags, *post.categories)]
    first: dict[str, str] = {}
    for label in filter(None, labels):
        first.setdefault(label.casefold(), label)
    return tuple(first.values())


def web_language(language: str | None) -> str | None:
    """A language as the web writes it, where it is one."""
    language = (language or "").strip().replace("_", "-")
    return language if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", language) else None


def _last_part(url: str) -> str:
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    name = path.rstrip("/").rpartition("/")[2]
    stem = re.sub(r"\.(html?|php|aspx?|jsp|md)$", "", name, flags=re.I)
    return "" if stem.isdigit() else stem
