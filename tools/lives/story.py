"""The life of a blog: after each thing that happens to it one update must find exactly that, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from textwrap import shorten
from typing import Any

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import url_key

from .platform import Platform, Told

LIMIT = 0.1
"""Requests for each known post beyond feeds and sitemap that an unchanged blog may cost."""
PARAGRAPHS = (
    "A lantern made of paper hangs in the window and swings whenever somebody opens the door of the workshop.",
    "It was folded from an old map of the coast, so that the light falls through harbours nobody calls at any more.",
    "In the evening the neighbours set their clocks by it, and in the morning they forget which of them did so first.",
)
SHOWN = 300
AT_ONCE = "All of it was looked through once more, and this line was added."
TAGS = ("Tides", "Maps")
LATE_READER = "Late Reader"
LATER = "Later the author thought better of it and said so."
Found = dict[str, Any]


@dataclass(slots=True)
class Story:
    """One blog, its archive, and what was wrong so far."""

    platform: Platform
    archive: Path
    url: str = ""
    failures: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """The key of the post that has, or had, an address."""

    def tell(self) -> None:
        """Everything that happens."""
        self.url = self.platform.start()
        report = self.update()
        told = self.told()
        print(f"{'first crawl':32} {report.posts} posts of {len(told)}", flush=True)
        self.expect("first crawl", "posts", sorted(self.kept()), sorted(told))
        plain = [key for key in sorted(told, key=lambda key: told[key].published) if told[key].plain]
        every = {} if self.platform.announces else {"recheck": 1.0}
        self.event("unchanged", dict)
        self.event("publish", self.publish)
        self.event("edit a recent and two old posts", self.edits(plain[-2], plain[len(plain) // 2], plain[3]), every)
        if self.platform.has_comments:
            told_of = {} if self.platform.announces_comments else {"recheck": 1.0}
            self.event("late comments", self.comments(plain[-3], plain[3]), told_of)
            self.event("hold a comment for moderation", self.hides(plain[3], for_good=False), {"recheck": 1.0})
            self.event("delete a comment", self.hides(plain[-3], for_good=True), {"recheck": 1.0})
        self.event("other tags", self.facts(plain[-6], tags=TAGS), every)
        self.event("another day", self.facts(plain[-7], day=day_before(told[plain[-7]].published)), every)
        self.event("trash a recent and an old post", self.trashes(plain[-4], plain[5]), every)
        self.event("switch the theme", self.quiet(self.platform.switch_theme))
        self.event("look at every post again", dict, {"recheck": 1.0})
        self.event("publish in the new theme", self.publish)
        self.event("edit in the new theme", self.edits(plain[7], plain[-3]), every)
        self.event("switch the feed to excerpts", self.quiet(self.platform.excerpts))
        self.event("look at every post again", dict, {"recheck": 1.0})
        self.event("change the permalinks", self.moves)
        self.event("unchanged", dict)
        for name, act in self.platform.further():
            self.event(name, self.quiet(act))
            self.event("unchanged", dict)

    def crowds(self) -> None:
        """What is told last: dates without an hour hide whatever else happens on such a day."""
        told, every = self.told(), {} if self.platform.announces else {"recheck": 1.0}
        active = {key for key, post in self.kept().items() if post.status == "active"}
        plain = [key for key in told if told[key].plain and key in active]
        self.masses(sorted(plain, key=lambda key: told[key].published), every)

    # ------------------------------------------------------------------ what happens

    def publish(self) -> Found:
        """A new post."""
        return {"new": [self.platform.publish(f"A lantern in window {len(self.names)}", PARAGRAPHS)]}

    def edits(self, *keys: str) -> Callable[[], Found]:
        """Posts get one more sentence."""

        def act() -> Found:
            for key in keys:
                self.platform.edit(key, LATER)
            return {"versions": sorted(keys), "says": LATER}

        return act

    def comments(self, *keys: str) -> Callable[[], Found]:
        """Readers answer."""

        def act() -> Found:
            for key in keys:
                self.platform.comment(key, LATE_READER, f"A thought that came late, on post {key}.")
            return {"comments": dict.fromkeys(sorted(keys), 1)}

        return act

    def hides(self, key: str, *, for_good: bool) -> Callable[[], Found]:
        """What the late reader wrote is shown no longer; the archive keeps it, and says so."""

        def act() -> Found:
            self.platform.hide_comment(key, LATE_READER, for_good=for_good)
            return {"hidden": {key: 1}}

        return act

    def facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> Callable[[], Found]:
        """A post gets other tags, or another day, which may stand in its address."""

        def act() -> Found:
            before = self.told()[key].url
            self.platform.rewrite_facts(key, tags, day)
            moved = [key] if self.told()[key].url != before else []
            return {"versions": [key], "moved": moved, "tags": tags, "day": day}

        return act

    def masses(self, plain: Sequence[str], every: Found) -> None:
        """A quarter of all posts is edited at once; then so many that a person must say whether that is true."""
        first = len(plain) // 4
        many, too_many = plain[:first], plain[first : first + len(plain) * 2 // 5]
        self.event("edit a quarter of all posts", self.edits(*many), every)
        self.event("edit two fifths", self.frozen(*too_many), every)
        self.event("take all of it back", self.quiet(lambda: self.take_back(*too_many)), every)
        self.event("edit them all the same", self.frozen(*too_many), every)
        self.event("look again at a frozen blog", lambda: {"frozen": True}, every)
        accepted: Found = {"versions": sorted(too_many), "says": AT_ONCE}
        self.event("accept the changes", lambda: accepted, every | {"accept_changes": True})
        self.event("unchanged after all", dict)

    def frozen(self, *keys: str) -> Callable[[], Found]:
        """So many posts get one more sentence that the blog is frozen."""

        def act() -> Found:
            for key in keys:
                self.platform.edit(key, AT_ONCE)
            return {"frozen": True}

        return act

    def take_back(self, *keys: str) -> None:
        """The sentence that so many posts got was no author's."""
        for key in keys:
            self.platform.take_back(key, AT_ONCE)

    def trashes(self, *keys: str) -> Callable[[], Found]:
        """Posts are taken away."""

        def act() -> Found:
            for key in keys:
                self.platform.trash(key)
            return {"states": dict.fromkeys(sorted(keys), "missing")}

        return act

    def quiet(self, do: Callable[[], None]) -> Callable[[], Found]:
        """Something that changes no post."""

        def act() -> Found:
            do()
            return {}

        return act

    def moves(self) -> Found:
        """Every post gets another address."""
        self.platform.permalinks()
        return {"moved": sorted(key for key, post in self.kept().items() if post.status == "active")}

    # ------------------------------------------------------------------ what is found

    def event(self, name: str, act: Callable[[], Found], options: Found | None = None) -> None:
        """Something happens on the blog; one update must find exactly that."""
        before, asked = self.kept(), len(self.platform.requests())
        nothing: Found = {
            "new": [],
            "versions": [],
            "states": {},
            "moved": [],
            "ids": [],
            "comments": {},
            "deleted": {},
            "hidden": {},
        }
        wanted = nothing | act()
        self.told()
        says, frozen = wanted.pop("says", ""), wanted.pop("frozen", False)
        facts = (wanted.pop("tags", ()), wanted.pop("day", ""))
        report = self.update(**(options or {}))
        paths = self.platform.requests()[asked:]
        told, after = self.told(), self.kept()
        found = changed(before, after)
        for what, value in wanted.items():
            self.expect(name, what, found[what], value)
        self.expect(name, "frozen", bool(report.update and report.update.frozen), frozen)
        for key in wanted["versions"]:
            self._hold_facts(name, after.get(key), *facts)
        self._hold(name, told, after)
        unread = [key for key in wanted["versions"] if key in after and says not in after[key].text]
        self.expect(name, "edited posts without the new sentence", unread, [])
        words = ", ".join(f"{what} {_short(value)}" for what, value in found.items() if value) or "nothing"
        print(f"{name:32} {len(paths):4} requests; {words}", flush=True)
        if name == "unchanged":
            self._count(name, paths, len(before))

    def _hold(self, name: str, told: dict[str, Told], after: dict[str, PostRecord]) -> None:
        """What must be so after every event: each post is there, at its address."""
        away = [key for key, post in told.items() if key not in after or url_key(after[key].url) != url_key(post.url)]
        self.expect(name, "posts that are not kept at their address", sorted(away), [])

    def _hold_facts(self, name: str, post: PostRecord | None, tags: Sequence[str], day: str) -> None:
        """What was changed beside the text stands in the record."""
        if post and tags:
            # A blog may have a tag already that is written in other letters.
            found = {tag.casefold() for tag in (*post.tags, *post.categories)}
            self.expect(name, "tags that are not kept", [tag for tag in tags if tag.casefold() not in found], [])
        if post and day:
            self.expect(name, "day", (post.published or "")[:10], day)

    def _count(self, name: str, paths: Sequence[str], known: int) -> None:
        beyond = [path for path in paths if not any(source in path for source in self.platform.sources)]
        share = len(beyond) / known
        print(f"{'':32}      {share:.3f} requests per known post beyond feeds and sitemap (limit {LIMIT})")
        self.expect(name, "requests within the limit", share <= LIMIT, True)

    def expect(self, event: str, what: str, found: object, wanted: object) -> None:
        """Compare, and remember what differs."""
        if found != wanted:
            self.failures.append(f"{event}: {what}: {shorten(repr(found), SHOWN)}, not {shorten(repr(wanted), SHOWN)}")

    def told(self) -> dict[str, Told]:
        """The posts as the platform has them; their addresses are remembered."""
        told = self.platform.posts()
        for key, post in told.items():
            self.names.setdefault(url_key(post.url), key)
        return told

    def update(self, **options: Any) -> CrawlReport:
        """Crawl; a known blog is brought up to date."""
        values: Found = {"archive": self.archive, "allow_private": True, "delay": 0.0, "concurrency": 4}
        return crawl_blog(self.url, Config(**(values | {"requisites": "none"} | options)))

    def kept(self) -> dict[str, PostRecord]:
        """The archive's posts by the platform's keys; what the platform has not, or once only, by its own address."""
        self.told()
        kept: dict[str, PostRecord] = {}
        with ArchiveFolder(self.archive, writing=False) as archive:
            (blog,) = archive.library.blogs()
            for post in archive.library.posts(blog.id):
                keys = (url_key(address) for address in post.addresses)
                key = next((self.names[key] for key in keys if key in self.names), post.url)
                kept[post.url if key in kept else key] = post
        return kept


def changed(before: dict[str, PostRecord], after: dict[str, PostRecord]) -> Found:
    """What differs between two looks at the archive."""
    both = before.keys() & after.keys()
    return {
        "new": sorted(after.keys() - before.keys()),
        "versions": sorted(n for n in both if after[n].version != before[n].version),
        "states": {n: after[n].status for n in sorted(both) if after[n].status != before[n].status},
        "moved": sorted(n for n in both if after[n].url != before[n].url),
        "ids": sorted(n for n in both if after[n].id != before[n].id),
        "deleted": {n: more for n in sorted(both) if (more := _more(before[n], after[n], "deleted"))},
        "hidden": {n: more for n in sorted(both) if (more := _more(before[n], after[n], "missing"))},
        "comments": {n: more for n in sorted(both) if (more := len(after[n].comments) - len(before[n].comments))},
    }


def day_before(published: str) -> str:
    """The day before a post was published."""
    return (date.fromisoformat(published[:10]) - timedelta(days=1)).isoformat()


def _more(before: PostRecord, after: PostRecord, status: str) -> int:
    """How many more comments of a post are in a state."""
    then, now = (sum(comment.status == status for comment in post.comments) for post in (before, after))
    return now - then


def _short(value: Any) -> str:
    return str(value) if len(value) <= 4 else f"{len(value)} posts"
