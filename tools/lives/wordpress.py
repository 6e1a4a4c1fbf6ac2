"""WordPress with its database and web server, told what to do by the lab's shell script."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labblog import LAB

from .platform import Told

FIRST, LATER = "/%year%/%monthnum%/%postname%/", "/archives/%postname%/"


@dataclass(slots=True)
class WordPress:
    """The lab's WordPress, with 120 posts of seven years; posts are known by their numbers."""

    data: Path
    port: int
    sources: Sequence[str] = ("/feed", "sitemap", "?feed=", "/comments/feed")
    announces: bool = True
    has_comments: bool = True
    announces_comments: bool = True

    def start(self) -> str:
        """Start it, in the state it was left, and put theme, feed and permalinks back."""
        self._do("start", str(self.port))
        self._do("theme", "twentytwentyone")
        self._do("feed", "full")
        self._do("option", "default_pingback_flag", "0")
        self._structure(FIRST)
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        """Stop it; its data stay."""
        self._do("stop")

    def posts(self) -> dict[str, Told]:
        """Every post as the database has it."""
        return {str(post["id"]): Told(post["url"], post["date_gmt"], _plain(post)) for post in self._truth()}

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """Publish a post."""
        html = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        return str(json.loads(self._do("publish", title, "-", text=html))["id"])

    def edit(self, key: str, sentence: str) -> None:
        """One more paragraph."""
        self._do("edit", key, "-", text=f"{self._html(key)}<p>{sentence}</p>")

    def take_back(self, key: str, sentence: str) -> None:
        """Without that paragraph."""
        self._do("edit", key, "-", text=self._html(key).replace(f"<p>{sentence}</p>", ""))

    def _html(self, key: str) -> str:
        (html,) = (post["content_html"] for post in self._truth() if str(post["id"]) == key)
        return str(html)

    def rewrite_facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> None:
        """As the editor saves it."""
        fields = [f'"ID" => {key}']
        if tags:
            fields.append(f'"tags_input" => array({", ".join(json.dumps(tag) for tag in tags)})')
        if day:
            fields.append(f'"edit_date" => true, "post_date" => "{day} 10:00:00", "post_date_gmt" => "{day} 10:00:00"')
        self._do("eval", f"wp_update_post(array({', '.join(fields)}));")

    def trash(self, key: str) -> None:
        """Put a post into the bin."""
        self._do("trash", key)

    def comment(self, key: str, author: str, text: str) -> None:
        """An approved comment."""
        self._do("comment", key, author, text)

    def hide_comment(self, key: str, author: str, *, for_good: bool) -> None:
        """As the moderator does it."""
        found = f'get_comments(array("post_id" => {key}, "search" => {json.dumps(author)}))[0]->comment_ID'
        hide = f"wp_delete_comment({found}, true);" if for_good else f'wp_set_comment_status({found}, "hold");'
        self._do("eval", hide)

    def switch_theme(self) -> None:
        """From a classic theme to one of blocks."""
        self._do("theme", "twentytwentytwo")

    def excerpts(self) -> None:
        """Summaries in the feeds."""
        self._do("feed", "excerpt")

    def permalinks(self) -> None:
        """Without the date; the old addresses lead to the new ones."""
        self._structure(LATER)

    def requests(self) -> Sequence[str]:
        """What the web server wrote down of us."""
        log = self.data / "log" / "access.log"
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        return [line.split('"')[1].split()[1] for line in lines if "blogforever" in line]

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """Nothing."""
        return ()

    def _structure(self, structure: str) -> None:
        code = f'global $wp_rewrite; $wp_rewrite->set_permalink_structure("{structure}"); flush_rewrite_rules();'
        self._do("eval", code)

    def _truth(self) -> list[dict[str, Any]]:
        return list(json.loads(self._do("truth"))["posts"])

    def _do(self, command: str, *arguments: str, text: str | None = None) -> str:
        call = ["bash", str(LAB / "wordpress.sh"), command, str(self.data), *arguments]
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=False)  # noqa: S603  our own lab
        if done.returncode:
            raise SystemExit(f"The lab's {command} failed: {done.stderr.strip()}")
        return done.stdout.strip()


def _plain(post: dict[str, Any]) -> bool:
    return not post["protected"] and post["pages"] == 1 and len(post["content_html"]) > 400
