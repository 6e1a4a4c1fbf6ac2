"""How a crawl learns: it keeps what people have locked, and tries rules that another installation handed over first."""

from __future__ import annotations

from dataclasses import replace

from blogforever.care.locks import Locks, with_locks
from blogforever.errors import RulesError
from blogforever.learn import learn_rules
from blogforever.learn.handed import tried_first
from blogforever.learn.rulefile import load_rules
from blogforever.logs import logger
from blogforever.model import Feed, Page, Rules
from blogforever.pipeline.page import Learn
from blogforever.source.address import blog_name
from blogforever.store.folder import ArchiveFolder
from blogforever.store.handovers import HandoverFiles

log = logger("archive")


def learning(locks: Locks, handed: Rules | None, blog: str) -> Learn:
    """Learning that keeps what people have locked, and learns nothing where rules of others read the pages as well."""
    first = _trying(handed, blog) if handed else learn_rules
    if not locks:
        return first
    return lambda *told: with_locks(first(*told), locks)


def handed_rules(archive: ArchiveFolder, blog: str, url: str) -> Rules | None:
    """The rules that others handed over for a blog, by its name in the archive or by that of its address."""
    files = HandoverFiles(archive.folder)
    waiting = next((found for name in (blog, blog_name(url)) if (found := files.waiting(name))), None)
    try:
        return replace(load_rules(waiting.rules), by=waiting.by) if waiting else None
    except RulesError as error:
        log.warning("the rules of %s that were handed over are left alone: %s", blog, error)
        return None


def _trying(handed: Rules, blog: str) -> Learn:
    def learn(feed: Feed | None, pages: list[Page], known: Rules | None = None) -> Rules:
        if known is not None:
            return learn_rules(feed, pages, known)
        tried = tried_first(handed, feed, pages, learn_rules)
        became = "taken over" if tried.are_handed else "learned anew instead"
        log.info("the rules of %s by %s were tried and %s: %s", blog, handed.by, became, tried.why)
        return tried.rules

    return learn
