"""Ten years of a blog's life on a fake clock: what the archive says of it, beside what really happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from blogforever.archive.jobs import Changes, CrawlReport, Job, Run, RunKeeper
from blogforever.archive.making import new_crawl_job
from blogforever.archive.shortcut import shortcut_job
from blogforever.archive.updating import update_job
from blogforever.archive.versioning import outlined, remembered
from blogforever.config import Config
from blogforever.extract.content import letters
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.learning import Tools
from blogforever.protocols import Ref
from blogforever.store.folder import ArchiveFolder
from blogforever.testing import FakeFetcher, FakeReply
from blogforever.update.remembered import Remembered
from server.lifeblog import WEEK, LifeBlog, Written

pytestmark = pytest.mark.long

BLOG = "ferry.example"
YEARS, STEP = 10, 6  # weeks from one update to the next


class Mail:
    """Brings the blog's answers to a crawl, and tells the archive of each."""

    def __init__(self, site: LifeBlog, archive: ArchiveFolder) -> None:
        self._site, self._archive = site, archive
        self.fetcher = FakeFetcher(self._reply, lambda: site.now, self._keep)
        self.run_number = 0

    def _reply(self, url: str) -> FakeReply | Failure:
        reply = self._site.get(url)
        if reply.status == 0:
            return Failure(url, "connection")
        return FakeReply(reply.body, reply.status, reply.headers)

    def _keep(self, page: Page, status: int, ref: Ref) -> None:
        assert page.captured
        self._archive.store.captures.add(self.run_number, page.url, status, page.captured, ref)


@dataclass
class Diary:
    """What the updates said, and what they cost."""

    site: LifeBlog
    looks: int = 0
    changes: list[tuple[datetime, Changes]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false_gone: list[str] = field(default_factory=list)


class Keeping:
    """An archive that follows the blog."""

    def __init__(self, folder: Path, site: LifeBlog) -> None:
        self.archive = ArchiveFolder(folder, writing=True)
        self.site = site
        self.mail = Mail(site, self.archive)
        self.config = Config(archive=folder, requisites="none")

    def crawl(self) -> CrawlReport:
        run, since = self.archive.store.runs.open(BLOG)
        self.mail.run_number = run
        keeper = RunKeeper(self.archive, run, BLOG)
        tools = Tools(learn_rules, extract_post, self.mail.fetcher.read, keeper)
        outline = outlined(self.archive, BLOG, self.config)
        this = Run(self.archive, self.config, BLOG, run, since, keeper, tools, self.site.now)
        url = f"{self.site.host}/"
        job = self._update(this, outline) if outline else new_crawl_job(url, this)
        (ending,) = self.mail.fetcher.run([job.lane])
        return job.finish(ending)

    def _update(self, this: Run, outline: Remembered) -> Job:
        """The short way where the blog may be unchanged, as a crawl over the network takes it."""
        shortcut = shortcut_job(this, outline, watcher=lambda _standing: None)
        return shortcut or update_job(remembered(self.archive, outline), this, lambda _standing: None)

    def versions(self) -> Iterator[tuple[str, list[str]]]:
        """Title and the texts of all versions of every post."""
        for record in self.archive.library.posts(BLOG):
            numbers = [row.number for row in self.archive.store.versions.of(record.id)]
            kept = [self.archive.store.versions.record(record.id, number) for number in numbers]
            yield record.title or "", [version.text for version in kept if version]

    def states(self) -> dict[str, str]:
        return {record.title or "": record.status for record in self.archive.library.posts(BLOG)}

    def texts(self) -> dict[str, str]:
        return {record.title or "": letters(record.text) for record in self.archive.library.posts(BLOG)}


def said(post: Written, number: int = -1) -> str:
    return letters(" ".join(post.texts[number]))


def live(site: LifeBlog, week: int) -> list[Written]:
    """What happens in some weeks; the posts whose edits the blog announces."""
    site.now += WEEK * STEP
    chance = site.chance
    site.publish()
    announced = []
    if chance.random() < 0.5:
        # Without a sitemap only what is in the feed is announced.
        post = chance.choice(site.alive() if site.lastmod else site.alive()[-9:])
        site.edit(post)
        announced.append(post)
    if chance.random() < 0.2:
        site.edit(chance.choice(site.alive()), announced=False)
    if chance.random() < 0.15:
        site.delete(chance.choice(site.alive()[:-3]))
    site.trouble = chance.choice(("down", "busy", "wall")) if chance.random() < 0.08 else ""
    years = week / 52
    site.theme = 0 if years < 3 else 1 if years < 7 else 2
    site.shape = int(years >= 4)
    site.excerpts = 5 <= years < 6
    site.soft = 6 <= years < 8
    site.host = (
        "http://ferry.example" if years < 2 else "https://ferry.example" if years < 8 else "https://www.own.example"
    )
    return announced


@pytest.mark.parametrize(("seed", "lastmod"), [(1, True), (2, False)])
def test_ten_years(seed: int, lastmod: bool, tmp_path: Path) -> None:
    site = LifeBlog(seed, lastmod)
    for _ in range(30):
        site.now += WEEK / 7
        site.publish()
    keeping = Keeping(tmp_path, site)
    assert keeping.crawl().posts == 30
    diary = Diary(site)
    waiting: dict[int, Written] = {}
    for week in range(STEP, YEARS * 52, STEP):
        waiting |= {post.number: post for post in live(site, week)}
        report = keeping.crawl()
        assert report.update
        diary.looks += report.update.looked
        diary.changes.append((site.now, report.update))
        if not site.trouble:
            waiting = check_edits(keeping, diary, waiting)
        check_states(keeping, diary)
    false = false_versions(keeping)
    recent = [changes.frozen for _, changes in diary.changes if changes.frozen]
    told = f"{len(false)} false versions, {len(diary.missed)} missed, {len(diary.false_gone)} falsely gone"
    print(f"{diary.looks} looks, {told}")
    assert not diary.false_gone
    assert not diary.missed
    assert len(false) * 1000 < diary.looks, false
    assert not recent, recent
    check_deaths(keeping)
    check_sold(keeping)
    keeping.archive.close()


def check_edits(keeping: Keeping, diary: Diary, waiting: dict[int, Written]) -> dict[int, Written]:
    """An announced edit is in the archive after the update; one whose page failed at that moment, after the next."""
    texts = keeping.texts()
    left = {n: p for n, p in waiting.items() if p.died is None and texts.get(p.title) != said(p)}
    again = [post for number, post in left.items() if number in getattr(diary, "_left", {})]
    diary.missed += [f"{diary.site.now:%F} {post.title}" for post in again]
    diary._left = left  # type: ignore[attr-defined]  # what the next week has to bring
    return {number: post for number, post in left.items() if post not in again}


def check_states(keeping: Keeping, diary: Diary) -> None:
    states = keeping.states()
    alive = {post.title for post in diary.site.alive()}
    diary.false_gone += [f"{diary.site.now:%F} {title}" for title in alive if states.get(title) == "gone"]


def false_versions(keeping: Keeping) -> list[str]:
    """Versions whose text the post never had, or that say again what the one before said."""
    written = {post.title: post for post in keeping.site.posts}
    false = []
    for title, texts in keeping.versions():
        true = [said(written[title], number) for number in range(len(written[title].texts))]
        kept = [letters(text) for text in texts]
        false += [
            f"{title}: version {n + 1}"
            for n, text in enumerate(kept)
            if n and (text not in true or text == kept[n - 1])
        ]
    return false


def check_deaths(keeping: Keeping) -> None:
    """Posts that were deleted long ago are known to be gone."""
    states = keeping.states()
    # Where no list tells, a post has to wait for its turn: a twentieth of the blog at each look.
    long = WEEK * (52 if keeping.site.lastmod else 104)
    dead = [p for p in keeping.site.posts if p.died and keeping.site.now - p.died > long and p.title in states]
    found = [post for post in dead if states[post.title] in ("missing", "gone")]
    assert len(found) >= 0.9 * len(dead)
    if keeping.site.lastmod:
        assert sum(states[post.title] == "gone" for post in dead) >= 0.8 * len(dead)


def check_sold(keeping: Keeping) -> None:
    """After the sale nothing is rewritten, and the blog says so."""
    site = keeping.site
    before = (dict(keeping.states()), list(keeping.versions()))
    site.sold = True
    for _ in range(6):
        site.now += WEEK
        report = keeping.crawl()
        assert report.update
        assert report.update.unreachable == "parked"
    assert (dict(keeping.states()), list(keeping.versions())) == before
    record = keeping.archive.store.blogs.find(BLOG)
    assert record
    assert record.status == "unreachable"
