"""Mezzanine, a Django blog with threaded comments of its own that no feed tells of."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labblog import CACHE

from .editing import EVERY, Old
from .front import Front
from .platform import Told
from .seeding import Seed, seeds
from .story import Found

VERSION = "mezzanine==6.1.1"
SETTINGS = """
DEBUG = False
DATABASES["default"] |= {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(PROJECT_ROOT, "blog.db")}
SITE_TITLE, BLOG_POST_PER_PAGE, COMMENTS_ACCOUNT_REQUIRED = "Notes from the ferry", 8, False
COMMENTS_NUM_LATEST = 20
"""


@dataclass(slots=True)
class Mezzanine:
    """A site of its own with sixty posts; posts are known by their numbers."""

    data: Path
    port: int
    sources: Sequence[str] = ("/feeds/", "sitemap", "robots.txt")
    announces: bool = True
    announces_tags: bool = True
    has_comments: bool = True
    announces_comments: bool = False
    _site: subprocess.Popen[str] | None = None
    _front: Front | None = None

    def start(self) -> str:
        """Begin anew: another database, the first theme, full feeds."""
        python = installed()
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True)
        subprocess.run([python.with_name("mezzanine-project"), "lab", "."], cwd=self.data, check=True)  # noqa: S603
        with (self.data / "lab/local_settings.py").open("a", encoding="utf-8") as settings:
            settings.write(SETTINGS)
        script = Path(__file__).with_name("mezzanine_site.py")
        host = f"127.0.0.1:{self.port}"
        call: list[str | Path] = [python, "-P", "-W", "ignore", script, self.data, str(self.port + 1), host]
        errors = (self.data / "errors.log").open("w", encoding="utf-8")
        self._site = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)  # noqa: S603
        self._answer()
        self._seed()
        self._front = Front(self.port, self.port + 1)
        self._front.start()
        return f"http://127.0.0.1:{self.port}/blog/"

    def _seed(self) -> None:
        numbers: list[int] = []
        for post in seeds(60, datetime.now(UTC)):
            number = self.do("write", **_post(post), related=numbers[-2:] if len(numbers) % 3 == 0 else [])
            numbers.append(number)
            said: list[int] = []
            for comment in post.comments:
                parent = said[comment.parent] if comment.parent is not None else None
                about = {"author": comment.author, "text": comment.text, "published": comment.published}
                said.append(self.do("comment", post=number, parent=parent, **about))
        self.do("settle")

    def stop(self) -> None:
        """It ends when nothing more can be said to it."""
        if self._front:
            self._front.stop()
        if self._site and self._site.stdin:
            self._site.stdin.close()
            self._site.wait(30)

    def do(self, command: str, **said: Any) -> Any:
        """Say something to the site; its answer."""
        if self._site is None or self._site.stdin is None:
            raise SystemExit("Mezzanine is not running.")
        self._site.stdin.write(json.dumps({"do": command, **said}) + "\n")
        self._site.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        line = self._site.stdout.readline() if self._site and self._site.stdout else ""
        if not line:
            errors = (self.data / "errors.log").read_text(encoding="utf-8").strip().splitlines()
            raise SystemExit(f"Mezzanine stopped: {errors[-1] if errors else 'it said nothing'}")
        return json.loads(line)

    def posts(self) -> dict[str, Told]:
        """Every published post."""
        home = f"http://127.0.0.1:{self.port}"
        live = [post for post in self.do("told") if post["live"]]
        return {str(post["id"]): Told(home + post["url"], post["published"]) for post in live}

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """Publish a post."""
        html = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        now = datetime.now(UTC).isoformat()
        return str(self.do("write", title=title, html=html, author="Ada Quill", published=now))

    def edit(self, key: str, sentence: str) -> None:
        """One more paragraph."""
        self.change(key, content=f"{self.told(key)['html']}<p>{sentence}</p>")

    def take_back(self, key: str, sentence: str) -> None:
        """Without that paragraph."""
        self.change(key, content=self.told(key)["html"].replace(f"<p>{sentence}</p>", ""))

    def told(self, key: str) -> dict[str, Any]:
        """One post as the database has it."""
        return next(post for post in self.do("told") if post["id"] == int(key))

    def change(self, key: str, quietly: bool = False, **values: Any) -> None:
        """Set fields of a post."""
        self.do("change", id=int(key), values=values, quietly=quietly)

    def rewrite_facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> None:
        """As the editor saves it."""
        facts: dict[str, Any] = {"tags": list(tags)} if tags else {}
        if day:
            facts["published"] = f"{day}T10:00:00+00:00"
        self.set(key, **facts)

    def trash(self, key: str) -> None:
        """Make a draft of it."""
        self.change(key, status=1)

    def comment(self, key: str, author: str, text: str) -> None:
        """A comment that everybody may read."""
        self.do("comment", post=int(key), author=author, text=text)

    def hide_comment(self, key: str, author: str, *, for_good: bool) -> None:
        """As the moderator does it."""
        number = next(one["id"] for one in self.told(key)["comments"] if one["author"] == author)
        self.do("comment", id=number, **({"delete": True} if for_good else {"public": False}))

    def switch_theme(self) -> None:
        """Templates of another make."""
        self.do("theme", other=True)

    def excerpts(self) -> None:
        """Only the description of each post."""
        self.do("excerpts")

    def permalinks(self) -> None:
        """With the month; as Mezzanine does it, the old addresses go on answering."""
        self.do("permalinks", format="month")

    def set(self, key: str, quietly: bool = False, **fields: Any) -> None:
        """Title, text, tags or date."""
        told = self.told(key)
        values: dict[str, Any] = {name: fields[name] for name in ("title", "tags") if name in fields}
        if "published" in fields:
            values["publish_date"] = fields["published"]
        if more := fields.get("sentence"):
            values["content"] = f"{told['html']}<p>{more}</p>"
        if picture := fields.get("picture"):
            values["content"] = f'{told["html"]}<p><img src="{picture}" alt="One more"></p>'
        self.change(key, quietly, **values)

    def return_from_trash(self, key: str) -> None:
        """Publish the draft."""
        self.change(key, status=2)

    def outage(self, down: bool) -> None:
        """Nothing but 503."""
        if self._front:
            self._front.down = down

    def move(self, old: Old) -> None:
        """With the year, with the day."""
        before = self.posts()
        self.do("permalinks", format="year" if old == "redirect" else "day")
        if self._front:
            self._front.turn(before, self.posts(), old)

    def further_desk(self) -> Sequence[tuple[str, Callable[[], Found], Found]]:
        """What readers said is changed and taken back; other posts are called related."""
        (first, second), (key, other) = self._talked(), list(self.posts())[20:22]

        def change(found: Found, **said: Any) -> Callable[[], Found]:
            def act() -> Found:
                self.do("comment", **said)
                return found

            return act

        def relate() -> Found:
            self.change(key, True, related=[int(other), int(first["post"])])
            return {}

        deleted, hidden = {"deleted": {str(first["post"]): 1}}, {"hidden": {str(second["post"]): 1}}
        return (  # nothing announces any of it, so every post is looked at
            ("a comment is changed", change({}, id=first["id"], text="The reader thought better of it."), EVERY),
            ("a comment is marked as deleted", change(deleted, id=first["id"], removed=True), EVERY),
            ("a comment is deleted", change(hidden, id=second["id"], delete=True), EVERY),
            ("other posts are called related", relate, EVERY),
        )

    def _talked(self) -> list[dict[str, Any]]:
        """Two comments on different posts that nobody answered."""
        posts = [post for post in self.do("told") if post["live"]]
        shown = [[one | {"post": post["id"]} for one in post["comments"] if one["shown"]] for post in posts]
        return [comments[-1] for comments in shown if len(comments) > 1][-4:-2]

    def requests(self) -> Sequence[str]:
        """What was asked for."""
        return self._front.asked if self._front else ()

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """Nothing."""
        return ()


def _post(post: Seed) -> dict[str, Any]:
    return {
        "title": post.title,
        "html": post.html,
        "author": post.author,
        "published": post.published,
        "tags": post.tags,
        "categories": post.tags[:1],
    }


def installed() -> Path:
    """The Python of the environment that has Mezzanine; made where there is none."""
    python = CACHE / "mezzanine" / VERSION / "bin" / "python"
    if not python.with_name("mezzanine-project").exists():
        folder = python.parents[1]
        folder.parent.mkdir(parents=True, exist_ok=True)
        pip = [str(python), "-m", "pip", "install", "-q", VERSION]
        for call in ([sys.executable, "-m", "venv", str(folder)], pip):
            if subprocess.run(call, check=False, stdout=sys.stderr).returncode:  # noqa: S603  our own lab
                shutil.rmtree(folder, ignore_errors=True)
                raise SystemExit(f"{VERSION} cannot be installed here: `pip install` did not get it.")
    return python
