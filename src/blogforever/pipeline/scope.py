"""What belongs to the blog: its host under all its names, and its folder where it has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from blogforever.urls import host_of, is_local, join, move_host, same_site

# A folder that holds nine tenths of the posts is the blog's; the others may be announcements of
# elsewhere.
OF_TEN = 9


class Scope:
    """Decides which addresses are the blog's own, and under which host they are fetched."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folder = "/"
        self._names: set[str] = set()

    def add_name(self, url: str | None) -> None:
        """Another host under which the blog calls itself."""
        if url and not same_site(url, self.root):
            self._names.add(_bare(host_of(url)))

    def settle(self, post_urls: Iterable[str]) -> None:
        """Keep to the folder of the address if the posts live there, too.

        Without known posts, too.
        """
        folder = unquote(urlsplit(join(self.root, "./") or self.root).path).lower()
        urls = [url for url in post_urls if self.own_host(url)]
        inside = sum(_path(url).startswith(folder) for url in urls)
        mostly_inside = inside * 10 >= len(urls) * OF_TEN
        self.folder = folder if mostly_inside else "/"

    def add_usual_host(self, urls: Iterable[str]) -> None:
        """The host of most of these is a name of the blog.

        A blog of links to everywhere has no such host.
        """
        hosts = Counter(_bare(host_of(url)) for url in urls)
        usual, number = hosts.most_common(1)[0] if hosts else ("", 0)
        if usual and number * 2 > hosts.total():
            self._names.add(usual)

    def own_host(self, url: str) -> bool:
        """Whether the address is on the blog's host, by any of its names."""
        return same_site(url, self.root) or is_local(url) or _bare(host_of(url)) in self._names

    def admit(self, url: str) -> str | None:
        """The address to fetch, on the blog's own host; None for what is not the blog's."""
        if not self.own_host(url) or not _path(url).startswith(self.folder):
            return None
        return url if same_site(url, self.root) else move_host(url, self.root)


def has_name(url: str) -> bool:
    """Whether the host has a name, not only a number."""
    host = host_of(url)
    last_part = host.strip("[]").rpartition(":")[2]
    return "." in host and any(character.isalpha() for character in last_part)


def _bare(host: str) -> str:
    return host.lower().removeprefix("www.")


def _path(url: str) -> str:
    path = unquote(urlsplit(url).path).lower() or "/"
    return path if path.endswith("/") else f"{path}/"
