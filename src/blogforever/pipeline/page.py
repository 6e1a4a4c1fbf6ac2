"""The stages for one page, as a list one can read aloud."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs

from blogforever.discover.pagefacts import POST_CLASSES, PageFacts, looks_like_html, read_facts
from blogforever.dom import node_text
from blogforever.extract.sharedpage import page_of, posts_on, shown_here
from blogforever.extract.templates import posts_shown
from blogforever.learn.postpages import LIST_KINDS, Evidence, Vocabulary, is_own_page
from blogforever.learn.urlpattern import MAY_BE_TITLE, UrlPattern, other_kind
from blogforever.model import Entry, Page, Post, Rules, SharedPages
from blogforever.page.view import view_of
from blogforever.protocols import Ref
from blogforever.records import PostRecord
from blogforever.urls import mark_of, same_site, url_key, with_mark

from .gathering import Extra, gathered
from .lists import Lists
from .parts import Parts
from .reading import Comments, Extract, PageReading, Reading, StageFailed, read_page
from .record import source_record, with_count, with_unasked_pages
from .rendering import Rendering
from .threads import Threads

Learn = Callable[..., Rules]

# A picture is worth some words: a post that only shows one has a length, too.
PICTURE_LENGTH = 20
DIGEST_LENGTH = 16


PAGE_ID = re.compile(r"page-?id-\d+$")
POST_TYPES = frozenset({"BlogPosting", "Article", "NewsArticle", "TechArticle", "SocialMediaPosting"})
OTHER_CLASSES = frozenset(
    {
        *("attachment", "search", "search-results", "error404", "archive", "category", "tag", "author", "paged"),
        *("tag-template", "author-template", "home-template", "index-view", "archive-view"),
    }
)
# The kind of a page that is no post, because it is several.
SHARING = "posts"
# What platforms call the blog's own pages that are no posts.
PAGE_CLASSES = frozenset({"page-template", "page-child", "static_page", "static-view"})


@dataclass(slots=True)
class Visit:
    """One fetched page on its way through the stages."""

    page: Page
    ref: Ref | None
    chain: tuple[str, ...] = ()
    facts: PageFacts = field(default_factory=PageFacts)
    evidence: Evidence = field(default_factory=lambda: Evidence(""))
    reading: PageReading | None = None
    record: PostRecord | None = None
    extras: list[tuple[Extra, Page]] = field(default_factory=list)

    @property
    def post(self) -> Post | None:
        """What was read of it, if it can be a post."""
        return self.reading.post if self.reading else None


@dataclass(slots=True)
class Knowledge:
    """What is known of the blog so far, and the functions that can be replaced."""

    blog: str
    extract: Extract
    read: Callable[[Ref], Page]
    rendering: Rendering = field(default_factory=Rendering)
    rules: Rules | None = None
    pattern: UrlPattern = field(default_factory=UrlPattern)
    entries: dict[str, Entry] = field(default_factory=dict)
    own_type: bool = False
    words: Vocabulary = field(default_factory=Vocabulary)
    threads: Threads = field(default_factory=Threads)
    lists: Lists = field(default_factory=Lists)
    parts: Parts = field(default_factory=Parts)
    comments: Comments | None = gathered
    shared: SharedPages | None = None
    sharing: set[str] = field(default_factory=set)
    """Pages that posts share, by their keys."""
    numbered: set[str] = field(default_factory=set)
    """Pages called by a number, as those of lists are, that show no list, by their keys."""
    erased: Callable[[str], bool] = lambda _url: False
    """Whether what stands at an address was erased, and must not come back."""
    shown: dict[str, str] = field(default_factory=dict)
    """Where posts are shown beside their own place, and that place."""

    def posts_on(self, page: Page) -> dict[str, Page]:
        """The posts that share a page, each as a page of its own; none where it is an ordinary one."""
        if self.shared is None or mark_of(page.url) or not looks_like_html(page):
            return {}
        found = posts_on(page, self.shared)
        posts = {mark: own for mark, own in found.items() if not self.erased(own.url)}
        elsewhere = shown_here(page, self.shared)
        shown = {with_mark(page.url, mark): place for mark, place in elsewhere.items()}
        self.shown |= {url: place for url, place in shown.items() if not self.erased(url) and not self.erased(place)}
        if posts or elsewhere:
            self.sharing.add(url_key(page.url))
        return posts

    def page_of(self, page: Page, url: str) -> Page:
        """A page under the address of its post; of one that posts share, what is that post's."""
        return page_of(page, url, self.shared)

    def entry_of(self, visit: Visit) -> Entry | None:
        """The feed entry of this page, by any address it came under."""
        for url in (visit.page.url, *reversed(visit.chain)):
            if entry := self.entries.get(url_key(url)):
                return entry
        return None


def look(visit: Visit, knowledge: Knowledge) -> None:
    """Read what the page says about itself; a list says which posts there are."""
    url = visit.page.url
    is_list = other_kind(url) in LIST_KINDS and not knowledge.pattern.is_code(url)
    facts = read_facts(visit.page, is_list)
    led_to = knowledge.rendering.links(visit.page.url)
    visit.facts = replace(facts, links=(*facts.links, *led_to)) if led_to else facts
    if is_list and visit.facts.links:
        knowledge.lists.note(visit.page.url, visit.facts.links, visit.facts.listed, visit.facts.heading_links)


def weigh(visit: Visit, knowledge: Knowledge) -> None:
    """Note what speaks for and against a post, but for what extraction will show."""
    facts, url = visit.facts, visit.page.url
    knowledge.parts.note(url, facts.links)
    marked_as_post = is_marked_as_post(facts)
    visit.evidence = Evidence(
        url=url,
        in_feed=knowledge.entry_of(visit) is not None,
        matches=knowledge.pattern.matches(url),
        is_beside_posts=knowledge.pattern.is_beside_posts(url),
        address=knowledge.pattern.weight(url),
        kind=_kind(url, knowledge) if looks_like_html(visit.page) else "no page",
        canonical=facts.canonical,
        heading_links=_post_links(facts.heading_links, url, knowledge),
        post_links=_post_links(facts.links, url, knowledge),
        entries=facts.entries,
        says_post=facts.og_type == "article" or marked_as_post,
        says_other=_says_other(facts),
        says_page=_says_page(facts),
        declared=_declared(facts),
        is_numbered=url_key(url) in knowledge.numbered,
        template=knowledge.words.mask(facts.words),
    )
    may_be_post = visit.evidence.in_feed or visit.evidence.matches
    if facts.own_parts and may_be_post:
        # Places inside a post are no pages of the blog.
        links = tuple(link for link in facts.links if link not in facts.own_parts)
        visit.facts = replace(facts, links=links)


def read(visit: Visit, knowledge: Knowledge) -> None:
    """Make a post of it, if it can be one, or one of the blog's own pages: with its further pages,
    and what readers wrote below it.
    """
    if not (may_be_post(visit.evidence, knowledge.own_type) or is_own_page(visit.evidence)):
        return
    reading = Reading(knowledge.rules, knowledge.extract, knowledge.comments, parts_may_fail=True)
    parts = _further_pages(visit, knowledge)
    visit.extras = _comment_responses(visit, knowledge)
    try:
        visit.reading = read_page(
            visit.page,
            reading,
            knowledge.entry_of(visit),
            [*parts, *visit.extras],
            knowledge.blog,
            visit.ref,
        )
    except StageFailed:
        return
    knowledge.parts.joined.update(url_key(page.url) for _extra, page in visit.reading.parts)


def note(visit: Visit, knowledge: Knowledge) -> None:
    """Note what was read: as evidence for or against a post, and where more comments may stand."""
    if visit.reading is None:
        return
    _note_evidence(visit.evidence, visit.reading.post)
    shown = posts_shown(view_of(visit.page).tree, knowledge.rules, visit.page.url)
    visit.evidence.articles = shown.articles
    visit.evidence.shown_of = shown.place if shown.place and same_site(shown.place, visit.page.url) else None
    found = visit.reading.found
    if found is None or not may_be_post(visit.evidence, knowledge.own_type):
        return
    if not found.comments:
        knowledge.rendering.note_thread(visit.page, visit.ref)
    knowledge.threads.note(visit.page, visit.facts.links, knowledge.entry_of(visit), found)


def _note_evidence(evidence: Evidence, post: Post) -> None:
    evidence.fits = fits(post) or post.visibility is not None
    evidence.title = post.title
    evidence.published = post.published.iso if post.published else None
    evidence.date_by = post.provenance["published"].by if "published" in post.provenance else ""
    evidence.author = _by_rule(post) if post.authors else None
    evidence.length = len(post.text) + PICTURE_LENGTH * len(post.media)
    evidence.native_id = post.native_id
    evidence.digest = _digest(f"{post.title}\n{post.text}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:DIGEST_LENGTH]


def _further_pages(visit: Visit, knowledge: Knowledge) -> list[tuple[Extra, Page]]:
    """The pages that may go on with the post, under the addresses by which it leads to them."""
    places = knowledge.parts.of(visit.page.url)
    return [(Extra("part", url, ref), replace(knowledge.read(ref), url=url)) for url, ref in places]


def _comment_responses(visit: Visit, knowledge: Knowledge) -> list[tuple[Extra, Page]]:
    """Other responses with comments of the post; none where comments are off."""
    if knowledge.comments is None:
        return []
    extras = knowledge.threads.extras(visit.page.url)
    if drawn := knowledge.rendering.commented(visit.page.url):
        extras = [*extras, Extra("drawn", visit.page.url, drawn)]
    return [(extra, knowledge.read(extra.ref)) for extra in extras]


def _by_rule(post: Post) -> str:
    """The one author whom a rule found."""
    said = post.provenance.get("authors")
    by_rule = said is not None and said.by == "rule"
    return post.authors[0].name if by_rule and len(post.authors) == 1 else ""


def describe(visit: Visit, knowledge: Knowledge) -> None:
    """Write the record."""
    if visit.reading is None:
        return
    own = knowledge.rendering.sources(visit.page, visit.ref)
    responses = (*visit.reading.parts, *visit.extras)
    others = (source_record(page, extra.ref, extra.role) for extra, page in responses)
    record = structs.replace(
        visit.reading.record,
        screenshot=knowledge.rendering.screenshot(visit.page.url),
        sources=(*own, *others),
    )
    if visit.page.url in knowledge.threads.full:
        record = with_unasked_pages(record)
    found = visit.reading.found
    visit.record = with_count(record, found.stated if found else None)


Stage = Callable[[Visit, Knowledge], None]
FIRST_LOOK: tuple[Stage, ...] = (look, weigh)
"""What can be done with a page before there are rules."""
STAGES: tuple[Stage, ...] = (*FIRST_LOOK, read, note, describe)


def go_through(visit: Visit, knowledge: Knowledge, stages: Sequence[Stage] = STAGES) -> Visit:
    """One page through the stages."""
    for stage in stages:
        stage(visit, knowledge)
    return visit


def text_digest(page: Page) -> str:
    """The same for pages that say the same to a reader, wherever their links lead."""
    body = view_of(page).tree.body
    return _digest(node_text(body)) if body else ""


def may_be_post(evidence: Evidence, own_type: bool) -> bool:
    """Whether it is worth extracting: lists and machinery, known by their address or their own
    word, are not.
    """
    is_told = evidence.in_feed or evidence.is_numbered
    return is_told or (evidence.kind is None and (own_type or not evidence.says_other))


def fits(post: Post) -> bool:
    """Whether the blog's rules found the article."""
    provenance: Mapping[str, Any] = post.provenance
    source = provenance.get("text") or provenance.get("html")
    return bool(source and source.by == "rule")


def is_marked_as_post(facts: PageFacts) -> bool:
    """Whether a page says by its own words that it is a post."""
    return bool(facts.ld_types & POST_TYPES or facts.body_classes & POST_CLASSES)


def _says_other(facts: PageFacts) -> bool:
    """Whether the platform marks the page as something else than a post: a list, a static page, a
    type of its own.
    """
    classes = facts.body_classes
    if classes & POST_CLASSES:
        return False
    if classes & OTHER_CLASSES or _says_page(facts):
        return True
    types = [name for name in classes if name.startswith("single-") and "format" not in name]
    return "single" in classes and bool(types)


def _says_page(facts: PageFacts) -> bool:
    """Whether the platform marks the page as one of the blog's own that is no post."""
    classes = facts.body_classes
    is_marked = bool(classes & PAGE_CLASSES) or any(PAGE_ID.match(name) for name in classes)
    return is_marked and not classes & (POST_CLASSES | OTHER_CLASSES)


def _declared(facts: PageFacts) -> frozenset[str]:
    """What the page calls itself, each word with its voice."""
    types = {f"ld:{name}" for name in facts.ld_types}
    return frozenset(types | ({f"og:{facts.og_type.lower()}"} if facts.og_type else set()))


def _kind(url: str, knowledge: Knowledge) -> str | None:
    key = url_key(url)
    if mark_of(url):
        # What a page has of a post is one, whatever the page is.
        return None
    if key in knowledge.sharing:
        return SHARING
    kind = "part" if key in knowledge.parts.joined else other_kind(url)
    is_title = kind in MAY_BE_TITLE and knowledge.pattern.matches(url)
    is_posts = is_title or knowledge.pattern.is_code(url)
    return None if is_posts or kind in knowledge.pattern.allowed else kind


def _post_links(links: Iterable[str], url: str, knowledge: Knowledge) -> int:
    """How many other posts of the blog these lead to."""
    own_site = [link for link in links if same_site(link, url)]
    keys = {url_key(link) for link in own_site if knowledge.pattern.matches(link)}
    return len(keys - {url_key(url)})
