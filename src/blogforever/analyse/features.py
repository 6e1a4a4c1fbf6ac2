"""What is asked of a site: yes, no, or not known. Questions of structure first, so that no language
is at an advantage.

Every question has a name and a sentence that is true where the answer is yes; rules and tree ask
nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from blogforever.discover.feedlinks import feed_links
from blogforever.discover.pagefacts import read_facts
from blogforever.learn.urlpattern import has_date
from blogforever.model import Feed, Moment, Page
from blogforever.page.view import view_of
from blogforever.urls import host_of, page_key, same_site, site_root

from .agreeing import agreement
from .fronts import front_answers
from .items import is_article, items_of
from .looking import MOST, holds_recordings
from .pace import comes_fast
from .root import is_single
from .sorts import marks_others
from .values import Answer, SeenHost

Answers = Mapping[str, Answer]

QUESTIONS: Mapping[str, str] = {
    "dated items": "its front page lists at least two dated items",
    "newest first": "the items of its front page stand in the order of time, newest first",
    "items dated": "most items of its front page have dates",
    "dated lines": "most of its front page is text below lines that are only a date, newest first",
    "several days": "the items of its front page are of several days",
    "front fast": "the items of its front page came faster than three a day",
    "items fill": "the items of its front page hold much of its text",
    "comment links": "its front page leads to the comments on several posts",
    "tag links": "its front page marks several links as tags or categories",
    "marked entries": "several parts of its front page are marked as entries",
    "blog host": "its host is one of a service for blogs",
    "blog address": "its host or folder is called a blog",
    "says blog": "it calls itself a blog or its parts posts",
    "blog program": "a blogging program made it",
    "prices": "prices stand on its pages",
    "many prices": "prices stand all over its front page",
    "product marks": "it marks what it shows as products",
    "cart": "it has a cart or a checkout",
    "shop program": "a shop program made it",
    "thread table": "rows of topics with numbers of replies stand on it",
    "forum marks": "it marks what it shows as threads of a forum",
    "forum links": "its links have the addresses of topics and members",
    "forum program": "a forum program made it",
    "board": "it shows itself as a forum in several ways",
    "docs program": "a program for documentation made it",
    "contents beside": "a table of contents of many own pages stands beside its text",
    "heading anchors": "its headings lead to themselves",
    "code": "program code stands on its front page",
    "wiki program": "a wiki program made it",
    "news marks": "it calls itself a medium for news",
    "news sections": "it has pages for many of the sections that media for news have",
    "profile host": "its host is one of a service for profiles",
    "code host": "the sources of programs lie on its host",
    "other marks": "it marks what it shows as job offers, papers or works of others",
    "show": "several recordings stand on its front page, which leads to directories of shows",
    "company marks": "it calls itself an organisation or a business",
    "contact facts": "it tells a postal address or telephone numbers",
    "telephone": "a telephone number stands on its front page",
    "office pages": "it has pages on services, products, careers or prices",
    "business": "it shows itself as a business in several ways",
    "mostly links": "most words of its front page are links",
    "links elsewhere": "most of its links lead to many other sites",
    "few words": "its front page has hardly any text",
    "one page": "its front page links to no other page of it",
    "parked words": "its words are those of a domain that is for sale or not yet used",
    "newsletter marks": "a newsletter service made it",
    "social marks": "it is a profile on a social network",
    "sections": "its front page shows more than forty items or names several feeds",
    "feed": "it has a feed with entries",
    "feed dated": "most entries of its feed have dates",
    "feed own": "most entries of its feed are pages of it",
    "feed fast": "its feed brings more than twenty entries a day",
    "feed authors": "more than five people write in its feed",
    "feed sound": "most entries of its feed are recordings",
    "feed titled": "most entries of its feed have titles",
    "feed texts": "the entries of its feed have texts",
    "feed spread": "its feed covers more than a week",
    "feed of others": "its feed brings together what many write on other sites",
    "idle feed": "its feed has hardly an entry, and none stands on its front page",
    "feed beside": "its front page shows no entry of its feed",
    "blog beside": "it is there for something else, and its front page shows nothing of its feed",
    "on front": "its front page leads to the newest entries of its feed",
    "titles agree": "its pages have the titles that its feed tells",
    "dates agree": "its pages show the dates that its feed tells",
    "is feed": "the address answers with a feed",
    "only feed": "only a feed of it could be seen, no page",
    "comment feed": "it has a feed of comments",
    "dated article": "the page is one dated text",
    "dated address": "its address has a date",
    "log-in form": "the page asks for a password",
    "says post": "the page says that it is one post or article",
    "page lists": "the page lists at least three dated items in the order of time",
    "neighbours": "the page leads to a next or previous one",
    "comments": "readers can comment on its pages, or do",
    "dated addresses": "addresses of its posts, or of pages it links to, have dates",
}
MOST_WRITERS = 5
# Sites whose entries make a feed that brings them together.
FEWEST_SITES = 3
# Characters of an entry that is more than a headline.
TEXT = 120
A_WEEK = 7
# What shows a business, and how much of it is more than a blogger's own address.
OF_BUSINESS, SEVERAL = ("contact facts", "telephone", "office pages", "company marks"), 2
# What shows a forum; one of these a blog may have, or seem to have.
OF_BOARD = ("thread table", "forum marks", "forum links", "forum program")
# What a site is there for that has a blog as one of its parts.
OF_ELSE = ("docs program", "product marks", "office pages", "company marks")
# What the front page of a blog has, even where its feed is of another time or of another host.
OF_BLOGS = ("says blog", "comment links", "blog host", "blog address", "blog program", "newest first")
# Feeds of several sections, beside that of the whole.
SECTION_FEEDS = 3


def answers_of(seen: SeenHost) -> dict[str, Answer]:
    """The answer to each question."""
    found: dict[str, Answer] = dict.fromkeys(QUESTIONS)
    front = seen.front
    if front is not None:
        found |= front_answers(front, seen.posts)
        if len([link for link in feed_links(front) if link.role in ("posts", "category")]) > SECTION_FEEDS:
            found["sections"] = True
    if seen.feed is not None:
        found |= _feed_answers(seen.feed, front)
    elif front is not None:
        found["feed"] = False
    found |= agreement(seen)
    found |= taken_together(found)
    found["only feed"] = front is None
    found["is feed"] = seen.is_feed
    found["comment feed"] = seen.comment_feed is not None or (_names_comment_feed(front) if front else None)
    if seen.page is not None:
        found |= _page_answers(seen.page)
        found["other marks"] = bool(found["other marks"]) or marks_others(seen.page)
    return found


def taken_together(found: Answers) -> dict[str, Answer]:
    """The answers that several others give together."""
    is_business = _number(found, OF_BUSINESS) >= SEVERAL
    is_else = is_business or _number(found, OF_ELSE) > 0
    return {
        "business": is_business,
        "board": _number(found, OF_BOARD) >= SEVERAL,
        "blog beside": found["feed beside"] is True and is_else and not _number(found, OF_BLOGS),
    }


def _number(found: Answers, names: tuple[str, ...]) -> int:
    """How many of these questions were answered with yes."""
    return sum(found[name] is True for name in names)


def _names_comment_feed(front: Page) -> bool:
    return any(link.role == "comments" for link in feed_links(front))


def _page_answers(page: Page) -> dict[str, Answer]:
    """What the very page tells that was asked for."""
    facts = read_facts(page)
    listed = items_of(page)
    return {
        "dated article": None if page_key(page.url) == page_key(site_root(page.url)) else is_article(page),
        "log-in form": view_of(page).tree.css_first("input[type='password']") is not None,
        "dated address": has_date(page.url),
        "says post": is_single(facts) or facts.og_type == "article",
        "page lists": bool(listed["newest first"] and listed["items fill"]),
        "neighbours": view_of(page).tree.css_first("[rel~='next'], [rel~='prev']") is not None,
    }


def _feed_answers(feed: Feed, front: Page | None) -> dict[str, Answer]:
    """What the feed alone tells."""
    entries = feed.entries
    if not entries:
        return {"feed": False}
    site = front.url if front else feed.link or feed.url
    return {
        "feed": True,
        "feed own": _most([same_site(entry.url, site) for entry in entries]),
        "feed of others": _brings_together(feed, site),
        "feed authors": len({author.name for entry in entries for author in entry.authors}) > MOST_WRITERS,
        "feed sound": holds_recordings(feed),
        "feed titled": _most([bool(entry.title) for entry in entries]),
        "feed texts": _most([len(entry.html or entry.summary_html) > TEXT for entry in entries]),
        **_times_of(feed),
    }


def _brings_together(feed: Feed, site: str) -> bool:
    """Whether most entries are of other sites, which come again and again: who links to what he found links to ever
    other ones.
    """
    hosts = Counter(host_of(entry.url) for entry in feed.entries if not same_site(entry.url, site))
    again = sum(number for number in hosts.values() if number > 1)
    return len(hosts) >= FEWEST_SITES and again >= MOST * len(feed.entries)


def _times_of(feed: Feed) -> dict[str, Answer]:
    """What the dates of a feed tell."""
    moments = [entry.published or entry.updated for entry in feed.entries]
    days = sorted(moment.day for moment in moments if moment)
    return {
        "feed dated": _most([moment is not None for moment in moments]),
        "feed fast": _is_fast(feed),
        "feed spread": (days[-1] - days[0]).days > A_WEEK if len(days) > 1 else None,
    }


def _is_fast(feed: Feed) -> Answer:
    """Whether entries come faster than people write; not known of a short feed, nor without times
    of day.
    """
    moments = [entry.published or entry.updated for entry in feed.entries]
    return comes_fast([datetime.fromisoformat(moment.iso[:19]) for moment in moments if moment and _has_time(moment)])


def _has_time(moment: Moment) -> bool:
    return moment.precision in ("second", "minute")


def _most(tests: list[bool]) -> bool:
    return sum(tests) >= MOST * len(tests)
