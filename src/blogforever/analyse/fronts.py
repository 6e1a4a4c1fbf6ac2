"""What the front page of a site shows by its structure: dated items, prices, threads, contents, links elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from blogforever.discover.blocked import diagnose
from blogforever.discover.pagefacts import PageFacts, looks_like_html, read_facts
from blogforever.discover.platform import detect_platform
from blogforever.learn.urlpattern import has_date
from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.urls import host_of, page_key, path_of, same_site
from blogforever.wordlists import WordLists

from .datelines import is_diary
from .items import items_of
from .root import BLOG_FOLDERS, is_persons
from .rows import TOPICS, has_topics
from .sorts import sort_answers
from .values import Answer

_LISTS = WordLists("blogforever.analyse", "words.toml")
CART_WORDS = _LISTS.words("cart")
PROGRAMS = {kind: _LISTS.words(kind) for kind in ("documentation", "forum", "shop", "wiki")}
TOPIC_ADDRESSES, OFFICE = _LISTS.words("topic"), _LISTS.words("office")
BLOG_HOSTS = _LISTS.words("host")
NEWSLETTERS, NETWORKS = _LISTS.words("newsletter"), _LISTS.words("social")
PARKED = [phrase.replace("-", " ") for phrase in _LISTS.in_order("parked")]
# Platforms that make any kind of site, or another than blogs; those left are for blogs.
ANY_SITE = frozenset(
    "drupal joomla plone squarespace webflow weebly wix docusaurus astro gatsby eleventy hugo wordpress"
    " jekyll pelican substack".split()
)
BLOG_TYPES = frozenset({"Blog", "BlogPosting"})
SHOP_TYPES = frozenset({"Product", "Offer", "AggregateOffer", "Store", "OnlineStore"})
FORUM_TYPES = frozenset({"DiscussionForumPosting", "QAPage"})
NEWS_TYPES = frozenset({"NewsMediaOrganization", "NewsArticle", "Newspaper"})
COMPANY_TYPES = frozenset({"LocalBusiness", "Corporation", "Restaurant", "ProfessionalService", "MedicalBusiness"})
PRODUCTS = "[itemtype$='/Product'], [data-product-id], [data-product_id], .product, .product_pod, li.product"
THREADS = "[itemtype*='DiscussionForumPosting'], tr.topic, li.topic, .topic-list-item, .threadbit, .structItem--thread"
NEWS_MARKS = "[itemtype$='/NewsArticle'], [itemtype$='NewsMediaOrganization']"
ENTRIES = "article, .hentry, .h-entry, [itemtype$='BlogPosting'], .post, .blog-post, .post-outer"
OWN_ANCHORS = "h1 > a[href^='#'], h2 > a[href^='#'], h3 > a[href^='#'], a.headerlink, a.anchor"
ADDRESSES = (
    "address:not(.author):not(.vcard):not(article *), a[href^='tel:'], [itemprop='address'], [itemprop='telephone'],"
    " .vcard .adr, .h-adr"
)
COMMENTS = "textarea[name*='comment' i], #comments, .comments, #respond, #disqus_thread, .comment-list, [data-comments]"
COMMENT_LINKS = "a[href*='#comment' i], a[href*='#respond' i], a[href*='#disqus' i]"
TAG_LINKS = "a[rel~='tag'], a[rel~='category']"
PHONE = re.compile(
    r"\+\d{1,3}[ (./-]{1,2}[\d ()./-]{6,16}\d|\(\d{2,5}\) ?\d{3,4}[ .-]\d{2,4}"
    r"|\b\d{3}[.-]\d{3}[.-]\d{4}\b|\b0\d{2,4}[ /-]\d{5,8}\b"
)
PRICE = re.compile(
    r"(?:[$€£¥₹₽₩₴₺]|\b(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CZK|HUF|BRL|R\$|kr|zł|Kč|руб)\b)\s?\d{1,6}(?:[.,]\d{2,3}){0,4}"
    r"|\d{1,6}(?:[.,]\d{2,3}){0,4}\s?(?:[€£¥₹₽₩₴₺]|\b(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|CZK|HUF|BRL|kr|zł|Kč|руб|円|元)\b)"
)
# What is looked through of a page, so that no page costs more than it tells.
MOST_ROWS, MOST_NODES, MOST_TEXT = 400, 400, 200_000
# Prices of a shop's page: one price may stand in any text. So many stand in no text at all.
PRICES, MANY_PRICES = 3, 8
# Own pages that a table of contents beside the text names, and which share of all own links that
# is.
CONTENTS, CONTENTS_SHARE = 12, 0.5
FEW_WORDS = 90
# Links to own pages with a date in their addresses: those of posts.
DATED = 3
# Links elsewhere of a list of links, to how many hosts, and their share of all.
LINKS_ELSEWHERE, HOSTS_ELSEWHERE, SHARE_ELSEWHERE = 15, 8, 0.7
ENTRIES_MARKED = 2
# Links of a sort that are more than one by chance.
FEW = 2
# Share of the words that stand in links, from which on a page is there to lead on, not to be read.
MOSTLY = 0.6
ANCHORS = 2


def front_answers(front: Page, posts: Sequence[Page]) -> dict[str, Answer]:
    """What the front page tells, with the pages below it where there are some."""
    if not looks_like_html(front):
        return {}
    view, facts = view_of(front), read_facts(front)
    tree = view.tree
    text = " ".join(piece[3] for piece in view.texts)[:MOST_TEXT]
    return {
        **items_of(front),
        **_programs(tree, front),
        **_said(tree, facts),
        **_linked(facts, front),
        **sort_answers(tree, facts, front),
        "dated lines": is_diary(view),
        "blog host": _is_blog_host(front.url),
        "blog address": _is_called_blog(front.url),
        "marked entries": _count(tree, ENTRIES) >= ENTRIES_MARKED,
        **_priced(text),
        "product marks": bool(facts.ld_types & SHOP_TYPES) or _count(tree, PRODUCTS) > 0,
        "cart": _has_cart(tree, facts),
        "thread table": has_topics(view) and not is_persons(front.url),
        "forum links": sum(map(_leads_to_topic, facts.links)) >= TOPICS,
        "comment links": len({node.attributes.get("href") for node in tree.css(COMMENT_LINKS)[:MOST_NODES]}) >= FEW,
        "tag links": _count(tree, TAG_LINKS) >= FEW,
        "mostly links": view.links(0) >= MOSTLY * len(view.words) if view.words else None,
        "telephone": PHONE.search(text) is not None,
        "office pages": _names_office(facts, front.url),
        "contents beside": _has_contents(tree, facts, front.url),
        "heading anchors": _count(tree, OWN_ANCHORS) >= ANCHORS,
        "code": tree.css_first("pre") is not None,
        "contact facts": tree.css_first(ADDRESSES) is not None,
        "few words": len(view.words) < FEW_WORDS,
        "parked words": _is_parked(front, text, len(view.words)),
        "comments": any(view_of(page).tree.css_first(COMMENTS) is not None for page in posts) if posts else None,
    }


def _is_blog_host(url: str) -> bool:
    """Whether a host is one of a service that gives everybody a blog."""
    host = host_of(url)
    return any(host.endswith(f".{service}") for service in BLOG_HOSTS)


def _is_called_blog(url: str) -> bool:
    """Whether a host or the folder of a page is called a blog."""
    folder = path_of(url).lower().strip("/").rpartition("/")[2]
    return host_of(url).split(".")[0] in BLOG_FOLDERS or folder in BLOG_FOLDERS


def _priced(text: str) -> dict[str, Answer]:
    """How many prices stand on a page."""
    found = PRICE.findall(text)
    return {"prices": len(set(found)) >= PRICES, "many prices": len(found) >= MANY_PRICES}


def _leads_to_topic(url: str) -> bool:
    """Whether an address is one that makers of forums give to topics, boards and members."""
    parts = urlsplit(url)
    return bool(TOPIC_ADDRESSES & set(re.split(r"[/.?=&;]+", f"{parts.path}?{parts.query}".lower())))


def _names_office(facts: PageFacts, url: str) -> bool:
    """Whether a site has several of the pages that those of companies have, by their addresses."""
    own = [link for link in facts.links if same_site(link, url)]
    return len({word for link in own for word in OFFICE & set(re.split(r"[/.?=&_]+", path_of(link).lower()))}) >= FEW


def _count(tree: LexborHTMLParser, selector: str) -> int:
    return len(tree.css(selector)[:MOST_NODES])


def _programs(tree: LexborHTMLParser, front: Page) -> dict[str, Answer]:
    """Who made the page, by what it says of itself and what it loads."""
    platform = detect_platform(tree, front.headers)
    maker = " ".join(
        (node.attributes.get("content") or "").lower() for node in tree.css('meta[name="generator" i]')[:5]
    )
    loaded = " ".join(_loaded(tree))
    words = f"{maker} {loaded} {_body_words(tree)}"
    return {
        "blog program": platform is not None and platform.key not in ANY_SITE,
        "docs program": _names(words, PROGRAMS["documentation"]),
        "forum program": _names(words, PROGRAMS["forum"]),
        "shop program": _names(words, PROGRAMS["shop"]),
        "wiki program": _names(words, PROGRAMS["wiki"]),
        "newsletter marks": any(host in loaded for host in NEWSLETTERS),
        "social marks": _is_profile(tree, words),
    }


def _loaded(tree: LexborHTMLParser) -> Iterable[str]:
    for node in tree.css("link[href], script[src]")[:MOST_NODES]:
        yield (node.attributes.get("href") or node.attributes.get("src") or "").lower()[:300]


def _body_words(tree: LexborHTMLParser) -> str:
    names = (node.attributes for node in tree.css("html, body, #content, #wrapper")[:5])
    return " ".join(f"{one.get('class') or ''} {one.get('id') or ''}".lower()[:500] for one in names)


def _names(words: str, programs: Set[str]) -> bool:
    """Whether one of these names stands there as a word."""
    found = set(re.split(r"[^a-z0-9.]+|\.(?=css|js|min)", words))
    return bool(found & programs)


def _is_profile(tree: LexborHTMLParser, words: str) -> bool:
    """Whether a page is somebody's on a network: it says so, and speaks a network's protocol or is
    made by one.
    """
    says_profile = tree.css_first("meta[property='og:type'][content='profile']") is not None
    speaks = tree.css_first("link[type='application/activity+json']") is not None
    return says_profile and (speaks or _names(words, NETWORKS))


def _said(tree: LexborHTMLParser, facts: PageFacts) -> dict[str, Answer]:
    """What a page says of itself to machines."""
    classes = facts.body_classes
    types = facts.ld_types
    return {
        "says blog": bool(types & BLOG_TYPES or facts.og_type == "blog" or classes & {"blog", "single-post"})
        or tree.css_first("[itemtype$='/Blog'], [itemtype$='/BlogPosting'], .h-feed, .hfeed") is not None,
        "forum marks": bool(types & FORUM_TYPES) or len(tree.css(THREADS)[:TOPICS]) >= TOPICS,
        "news marks": bool(types & NEWS_TYPES) or tree.css_first(NEWS_MARKS) is not None,
        "company marks": bool(types & COMPANY_TYPES) or bool("Organization" in types and not types & BLOG_TYPES),
    }


def _linked(facts: PageFacts, front: Page) -> dict[str, Answer]:
    """Where its links lead."""
    own = [link for link in facts.links if same_site(link, front.url)]
    others = [link for link in facts.links if not same_site(link, front.url)]
    hosts = {host_of(link) for link in others}
    is_directory = len(others) >= LINKS_ELSEWHERE and len(hosts) >= HOSTS_ELSEWHERE
    pages = {page_key(link) for link in own} - {page_key(front.url)}
    return {
        "links elsewhere": is_directory and len(others) >= SHARE_ELSEWHERE * len(facts.links),
        "one page": not pages,
        "dated addresses": sum(map(has_date, own)) >= DATED,
    }


def _has_cart(tree: LexborHTMLParser, facts: PageFacts) -> bool:
    """Whether something leads to a cart: a link or a form whose address has such a folder."""
    forms = [node.attributes.get("action") or "" for node in tree.css("form[action]")[:MOST_NODES]]
    for url in (*facts.links, *forms):
        if CART_WORDS & set(re.split(r"[/.?=&_]+", path_of(url).lower() if "://" in url else url.lower())):
            return True
    return tree.css_first("[class*='add-to-cart' i], [class*='addtocart' i], [name='add-to-cart']") is not None


def _has_contents(tree: LexborHTMLParser, facts: PageFacts, url: str) -> bool:
    """Whether a list of own pages beside the text has most of the page's own links, undated, in one
    navigation.
    """
    own = sum(same_site(link, url) for link in facts.links)
    largest = 0
    for node in tree.css("nav, aside, [role='navigation'], .sidebar, .toc, .toctree-wrapper")[:MOST_ROWS]:
        inside = len(node.css("li a[href]")[:MOST_NODES])
        largest = max(largest, inside)
    return largest >= CONTENTS and largest >= CONTENTS_SHARE * own


def _is_parked(front: Page, text: str, words: int) -> bool:
    """Whether a page is known for one of a domain for sale, or is short and speaks as those do."""
    found = diagnose(front)
    if found is not None and found.reason == "parked":
        return True
    folded = " ".join(text.casefold().split())
    return words < 2 * FEW_WORDS and any(phrase in folded for phrase in PARKED)
