"""Ghost: a dynamic blog with a sitemap of exact times, driven through its own Admin API."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labblog import CACHE

from .editing import Old
from .front import Front
from .platform import Told
from .seeding import seeds
from .story import Found

VERSION = "5.130.6"
OWNER = {"name": "Ada Quill", "email": "ada@example.org", "password": "a ferry in the fog 42"}
FIRST, MONTHS, YEARS, DAYS = "/{slug}/", "/{year}/{month}/{slug}/", "/{year}/{slug}/", "/{year}/{month}/{day}/{slug}/"
ROUTES = """routes:
{routes}
collections:
  /:
    permalink: {permalink}
    template: index
{rss}
taxonomies:
  tag: /tag/{{slug}}/
  author: /author/{{slug}}/
"""
OWN_FEED = """  /rss/:
    template: rss
    content_type: text/xml
"""
EXCERPTS = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>{{@site.title}}</title>
<link>{{@site.url}}</link><description>{{@site.description}}</description>
{{#get "posts" limit="15" include="authors"}}{{#foreach posts}}
<item><title>{{title}}</title><link>{{url absolute="true"}}</link><guid isPermaLink="false">{{id}}</guid>
<pubDate>{{date published_at format="ddd, DD MMM YYYY HH:mm:ss ZZ"}}</pubDate>
<description>{{excerpt words="30"}}</description></item>
{{/foreach}}{{/get}}</channel></rss>
"""


@dataclass(slots=True)
class Ghost:
    """A site of its own with sixty posts; posts are known by Ghost's ids."""

    data: Path
    port: int
    sources: Sequence[str] = ("/rss/", "sitemap", "robots.txt")
    announces: bool = True
    announces_tags: bool = False
    has_comments: bool = False
    announces_comments: bool = False
    _process: subprocess.Popen[bytes] | None = None
    _front: Front | None = None
    _cookie: str = ""
    _permalink: str = FIRST
    _excerpts: bool = False

    # ------------------------------------------------------------------ running

    def start(self) -> str:
        """Begin anew: another database, Casper, full feeds."""
        program = installed()
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(program / "content", self.data / "content")
        for theme in ("casper", "source"):
            (self.data / "content/themes" / theme / "rss.hbs").write_text(EXCERPTS, encoding="utf-8")
        self._run()
        self._api("POST", "authentication/setup/", {"setup": [OWNER | {"blogTitle": "Notes from the ferry"}]})
        self._log_in()
        self._api("PUT", "themes/casper/activate/")
        self._seed()
        self.halt()
        with self._database() as database:  # long ago, not now
            database.execute("update posts set updated_at = published_at")
        self._run()
        self._front = Front(self.port, self.port + 1)
        self._front.start()
        return self._home

    @property
    def _home(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def _settings(self) -> dict[str, str]:
        """Its configuration, as the environment tells it."""
        return {
            "NODE_ENV": "production",
            "PATH": os.environ["PATH"],
            "HOME": str(self.data),
            "url": self._home,
            "server__port": str(self.port + 1),
            "database__client": "sqlite3",
            "database__connection__filename": str(self.data / "ghost.db"),
            "database__useNullAsDefault": "true",
            "paths__contentPath": str(self.data / "content"),
            "mail__transport": "stub",
            "security__staffDeviceVerification": "false",
            "privacy__useUpdateCheck": "false",
            "privacy__useGravatar": "false",
            "privacy__useRpcPing": "false",
            "logging__path": str(self.data),
        }

    def _run(self) -> None:
        log = (self.data / "ghost.log").open("ab")
        call, place = ["node", "index.js"], installed()
        self._process = subprocess.Popen(call, cwd=place, env=self._settings(), stdout=log, stderr=log)  # noqa: S603
        for _ in range(600):
            try:
                self._api("GET", "site/")
                return
            except (OSError, urllib.error.URLError):
                if self._process.poll() is not None:
                    break
                time.sleep(0.5)
        raise SystemExit(f"Ghost did not start; {self.data / 'ghost.log'} says why.")

    def halt(self) -> None:
        """Stop Ghost itself."""
        if self._process:
            self._process.terminate()
            self._process.wait(60)

    def stop(self) -> None:
        """Stop it; its data stay."""
        if self._front:
            self._front.stop()
        self.halt()

    def _seed(self) -> None:
        for slug in ("coming-soon", "about"):
            kind = "pages" if slug == "about" else "posts"
            for post in self._api("GET", f"{kind}/slug/{slug}/")[kind]:
                self._api("DELETE", f"{kind}/{post['id']}/")
        for post in seeds(60, datetime.now(UTC)):
            self._write(title=post.title, html=post.html, published_at=_time(post.published), tags=post.tags)

    def _write(self, **fields: Any) -> str:
        made = self._api("POST", "posts/?source=html", {"posts": [fields | {"status": "published"}]})
        return str(made["posts"][0]["id"])

    def _log_in(self) -> None:
        data = {"username": OWNER["email"], "password": OWNER["password"]}
        with self._open("POST", "session/", json.dumps(data).encode(), "application/json") as answer:
            self._cookie = answer.headers["Set-Cookie"].split(";")[0]
        time.sleep(1)  # it answers before the session is written down

    def _api(self, method: str, path: str, data: Any = None) -> Any:
        body = json.dumps(data).encode() if data is not None else None
        with self._open(method, path, body, "application/json") as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _open(self, method: str, path: str, body: bytes | None, kind: str) -> Any:
        headers = {"Content-Type": kind, "Origin": self._home.rstrip("/"), "Cookie": self._cookie}
        url = f"http://127.0.0.1:{self.port + 1}/ghost/api/admin/{path}"
        return urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=120)

    def _database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.data / "ghost.db", timeout=30)

    # ------------------------------------------------------------------ the story

    def posts(self) -> dict[str, Told]:
        """Every published post."""
        found = self._api("GET", "posts/?limit=all&filter=status:published&fields=id,url,published_at")["posts"]
        return {post["id"]: Told(post["url"], post["published_at"]) for post in found}

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """Publish a post now."""
        return self._write(title=title, html="".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))

    def edit(self, key: str, sentence: str) -> None:
        """One more paragraph."""
        self.set(key, sentence=sentence)

    def take_back(self, key: str, sentence: str) -> None:
        """Without that paragraph."""
        self._change(key, html=self._post(key)["html"].replace(f"<p>{sentence}</p>", ""))

    def rewrite_facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> None:
        """As the editor saves it."""
        facts: dict[str, Any] = {"tags": list(tags)} if tags else {}
        if day:
            facts["published"] = f"{day}T10:00:00+00:00"
        self.set(key, **facts)

    def trash(self, key: str) -> None:
        """Turn it back into a draft."""
        self._change(key, status="draft")

    def comment(self, key: str, author: str, text: str) -> None:
        """Comments of members are drawn by a script of another host."""
        raise NotImplementedError

    def hide_comment(self, key: str, author: str, *, for_good: bool) -> None:
        """There is none on its pages."""
        raise NotImplementedError

    def switch_theme(self) -> None:
        """From Casper to Source."""
        self._api("PUT", "themes/source/activate/")

    def excerpts(self) -> None:
        """A feed of a template of one's own."""
        self._excerpts = True
        self._route()

    def permalinks(self) -> None:
        """With the month; the old addresses are not found any more."""
        self._permalink = MONTHS
        self._route()

    def _route(self) -> None:
        own = {"routes": OWN_FEED, "rss": "    rss: false"} if self._excerpts else {"routes": "", "rss": ""}
        text = ROUTES.format(permalink=self._permalink, **own)
        head = 'Content-Disposition: form-data; name="routes"; filename="routes.yaml"\r\nContent-Type: text/yaml'
        body = f"--lab\r\n{head}\r\n\r\n{text}\r\n--lab--\r\n".encode()
        self._open("POST", "settings/routes/yaml/", body, "multipart/form-data; boundary=lab").close()

    def requests(self) -> Sequence[str]:
        """What was asked for."""
        return self._front.asked if self._front else ()

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """Nothing."""
        return ()

    # ------------------------------------------------------------------ the desk

    def set(self, key: str, quietly: bool = False, **fields: Any) -> None:
        """Title, text, tags or date; quietly in the database."""
        html = self._post(key)["html"]
        values: dict[str, Any] = {n: fields[n] for n in ("title", "tags", "visibility") if n in fields}
        if "published" in fields:
            values["published_at"] = _time(fields["published"])
        if more := fields.get("sentence"):
            values["html"] = f"{html}<p>{more}</p>"
        if picture := fields.get("picture"):
            values["html"] = f'{html}<img src="{picture}" alt="One more">'
        if not quietly:
            self._change(key, **values)
            return
        with self._database() as database:
            for name, value in values.items():
                database.execute(f"update posts set {name} = ? where id = ?", (value, key))  # noqa: S608  own names

    def _post(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self._api("GET", f"posts/{key}/?formats=html")["posts"][0]
        return found

    def _change(self, key: str, **values: Any) -> None:
        body = {"posts": [values | {"updated_at": self._post(key)["updated_at"]}]}
        self._api("PUT", f"posts/{key}/?source=html", body)

    def return_from_trash(self, key: str) -> None:
        """Publish the draft."""
        self._change(key, status="published")

    def outage(self, down: bool) -> None:
        """Nothing but 503."""
        if self._front:
            self._front.down = down

    def move(self, old: Old) -> None:
        """With the year, with the day."""
        before = self.posts()
        self._permalink = YEARS if old == "redirect" else DAYS
        self._route()
        if self._front:
            self._front.turn(before, self.posts(), old)

    def further_desk(self) -> Sequence[tuple[str, Callable[[], Found], Found]]:
        """Posts are for members only from now on, and for everybody again."""
        key = list(self.posts())[25]

        def only(who: str) -> Callable[[], Found]:
            def act() -> Found:
                self.set(key, visibility=who)
                return {}

            return act

        return (("for members only", only("members"), {}), ("for everybody again", only("public"), {}))


def _time(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def installed() -> Path:
    """The folder of Ghost with all it needs; fetched and built where there is none."""
    folder = CACHE / "ghost" / VERSION
    if (folder / "ready").exists():
        return folder / "package"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        _install(folder)
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            f"Ghost {VERSION} cannot be installed here: `npm` did not get it or could not build it."
        ) from None
    (folder / "ready").touch()
    return folder / "package"


def _install(folder: Path) -> None:
    """As its own installer does it: the package unpacked, then what it needs put beside it."""
    for call in (["npm", "pack", "--silent", f"ghost@{VERSION}"], ["tar", "xzf", f"ghost-{VERSION}.tgz"]):
        subprocess.run(call, check=True, stdout=sys.stderr, cwd=folder)  # noqa: S603  our own lab
    about = folder / "package" / "package.json"
    package = json.loads(about.read_text(encoding="utf-8"))
    package["overrides"] = package.pop("resolutions", {})
    for name in ("devDependencies", "scripts"):  # some of them are no packages of the registry
        package.pop(name, None)
    about.write_text(json.dumps(package), encoding="utf-8")
    install = ["npm", "install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error"]
    subprocess.run(install, check=True, stdout=sys.stderr, cwd=folder / "package")  # noqa: S603
