"""What tells sites that publish dated things and are no blogs: papers, sources of programs, profiles, offers, shows."""

from __future__ import annotations

import re
from collections.abc import Container

from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.pagefacts import PageFacts, read_facts
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import host_of, is_http, path_of
from blogforever.wordlists import WordLists

from .values import Answer

_LISTS = WordLists("blogforever.analyse", "words.toml")
SECTIONS = _LISTS.words("section")
PROFILE_HOSTS, CODE_HOSTS = _LISTS.words("profile_host"), _LISTS.words("code_host")
FORGES, SHOWS = _LISTS.words("forge"), _LISTS.words("show")
# Sections of a paper that it must have: two or three of these a blog may have as subjects.
FEWEST_SECTIONS = 5
# Folders of an address of a section: /sport, /news/sport, /en/sport.
DEEPEST_SECTION = 2
LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z]{2})?")
FILE_END = re.compile(r"(?:^index)?\.(?:html?|php|aspx?|jsp|stm|shtml)$|^index\.[a-z]+$")
# Types of what others offer or have written, which no blog is made of.
OTHER_TYPES = frozenset({"JobPosting", "ScholarlyArticle", "EventSeries", "RealEstateListing", "MusicAlbum", "Movie"})
# Marks for those who collect papers: a journal's or a repository's.
PAPER = "meta[name='citation_journal_title' i], meta[name='citation_arxiv_id' i], meta[name='citation_pdf_url' i]"
FORGE = "meta[name='go-import'], meta[property='og:site_name'], meta[name='author'], meta[name='keywords']"
PLAYERS = "audio, iframe[src*='podcast' i], iframe[src*='libsyn.com'], iframe[src*='buzzsprout.com']"
# Recordings that are a show, and directories of shows that lead to one.
RECORDINGS = 3
MOST_METAS, MOST_LINKS = 20, 2000


def sort_answers(tree: LexborHTMLParser, facts: PageFacts, front: Page) -> dict[str, Answer]:
    """What the front page tells of these sorts."""
    return {
        "news sections": len(_sections(facts, front.url)) >= FEWEST_SECTIONS,
        "profile host": _is_of(front.url, PROFILE_HOSTS),
        "code host": _is_of(front.url, CODE_HOSTS) or _is_forge(tree),
        "other marks": marks_others(front),
        "show": len(tree.css(PLAYERS)[:RECORDINGS]) >= RECORDINGS and _leads_to_shows(facts),
    }


def marks_others(page: Page) -> bool:
    """Whether a page marks what it shows as something that no blog is made of."""
    is_marked = bool(read_facts(page).ld_types & OTHER_TYPES)
    return is_marked or view_of(page).tree.css_first(PAPER) is not None


def _sections(facts: PageFacts, url: str) -> set[str]:
    """The sections of a paper that a page leads to, in folders of its own or on hosts beside it."""
    own = _domain(url)
    return {
        name for link in facts.links[:MOST_LINKS] if is_http(link) and _domain(link) == own for name in _section(link)
    }


def _section(url: str) -> set[str]:
    """The section that an address is the front page of."""
    folders = [folder for one in path_of(url).lower().split("/") if (folder := FILE_END.sub("", one))]
    if not folders:
        return {host_of(url).split(".")[0]} & SECTIONS
    *above, last = folders
    is_front = len(above) < DEEPEST_SECTION and all(one in SECTIONS or LANGUAGE.fullmatch(one) for one in above)
    return {last} & SECTIONS if is_front else set()


def _domain(url: str) -> str:
    """The end of a host that a paper and its sections share."""
    return ".".join(host_of(url).split(".")[-2:])


def _is_of(url: str, hosts: Container[str]) -> bool:
    """Whether an address is on one of these hosts."""
    host = host_of(url).removeprefix("www.")
    return host in hosts or host.partition(".")[2] in hosts


def _is_forge(tree: LexborHTMLParser) -> bool:
    """Whether a page is of a place where sources of programs lie: it says how to fetch them, or names its maker."""
    for node in tree.css(FORGE)[:MOST_METAS]:
        name = node.attributes.get("name")
        words = set(re.split(r"[^a-z]+", (node.attributes.get("content") or "").lower()))
        says_how_to_fetch = name == "go-import" and "git" in words
        names_its_maker = name != "author" and len(words) == 1 and words & FORGES
        if says_how_to_fetch or names_its_maker:
            return True
    return False


def _leads_to_shows(facts: PageFacts) -> bool:
    """Whether a page leads to a directory of shows, where one subscribes to its own."""
    return any(_is_of(link, SHOWS) for link in facts.links[:MOST_LINKS])
