"""Signs of spam in what a site writes: its address, its titles and words, where its links lead,
what its feed says.

Each is a sentence with a weight; none decides alone, and a person has the last word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import mul
from urllib.parse import urlsplit

from blogforever.dom import bounded, decode, node_text, parse, tokenise
from blogforever.model import Entry, Feed, Page
from blogforever.records import PostRecord
from blogforever.similarity import shingle_marks
from blogforever.urls import host_of, join, page_key, same_site
from blogforever.wording import N_
from blogforever.wordlists import WordLists

from .values import SeenHost, Sign

LIKELY = 0.8
"""How sure signs make us, all together, before somebody is asked to look."""
# Posts that are looked at, the newest; fewer than the least of them prove nothing.
MOST_POSTS, LEAST_POSTS = 40, 3
# Letters of a name that is no longer one word, and of a word that is looked for at its ends.
LONG_NAME, SHORTEST_WORD = 18, 3
# Words that sell in a name before it is taken for stuffed; in a long one a single one does.
STUFFED = 2
# Share of the titles that must sell, and how sure that makes us.
SELLING_TITLES, OPENLY_SELLS = 0.4, 0.6
# Words at the beginning of a note that stand for the title it has not: as many as a long title has.
OPENING = 10
# Words of all posts together below which their lengths say little.
ENOUGH_WORDS = 300
# The commonest words of any language are short: articles, pronouns, endings of sentences. Where the
# commonest ones are nearly as long as all, and no sentence ends, nobody speaks. (Languages that put
# their endings into the words have the one, but not the other.)
COMMONEST, AS_LONG, LONGEST_SENTENCE = 12, 0.9, 30
ENDS = re.compile(r"[.!?…。！？:;](?=\s|$)|\n")
# Characters of words on average below which a text is written without spaces.
UNSPACED = 1.6
# Share of the posts with a link that names who sent the reader, and of all links out that lead to
# one site.
WITH_LINK, TO_ONE = 0.6, 0.6
# Share of a feed's text that must stand on the page, and of the pages on which it does not.
ON_PAGE, PAGES_WITHOUT = 0.5, 0.5
PRICE = re.compile(r"[$€£¥₽]\s?\d|\d\s?(?:[€£¥₽]|USD|EUR|GBP|zł)|\d ?% (?:off|rabatt)", re.IGNORECASE)
NO_SITE = re.compile(r"^(?:www|blog|m)\.")
WORDS = WordLists("blogforever.analyse", "spam.toml")
SELLING = WORDS.words("selling")
AT_ENDS = sorted((word for word in SELLING if len(word) >= SHORTEST_WORD), key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class PlainPost:
    """A post as signs of spam are looked for in it."""

    url: str
    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()
    published: str = ""


class SpamSignals:
    """Looks for spam in an address as the analyser saw it."""

    def signs(self, seen: SeenHost) -> Iterable[Sign]:
        """What speaks for spam."""
        posts = posts_of_feed(seen.feed) if seen.feed else []
        yield from spam_signs(seen.url, posts)
        yield from _of_feed(seen)


def likelihood(signs: Iterable[Sign]) -> float:
    """How sure all of these make us together, as if none knew of another."""
    doubts: Iterable[float] = (1 - sign.weight for sign in signs if sign.kind == "spam")
    return 1 - reduce(mul, doubts, 1.0)


def spam_signs(url: str, posts: Sequence[PlainPost]) -> list[Sign]:
    """What an address and the posts there say, newest first."""
    posts = posts[:MOST_POSTS]
    found = (_of_address(url), _of_titles(posts), _of_words(posts), _of_links(url, posts))
    return [sign for sign in found if sign]


def posts_of_feed(feed: Feed) -> list[PlainPost]:
    """The posts of a feed, as far as it has them."""
    return [_plain(entry) for entry in feed.entries[:MOST_POSTS]]


def plain_post(record: PostRecord) -> PlainPost:
    """A post of the archive."""
    links = tuple(link.url for link in record.links)
    return PlainPost(record.url, record.title or "", record.text, links, record.published or "")


def _plain(entry: Entry) -> PlainPost:
    tree = parse(bounded(entry.html or entry.summary_html))
    links = (join(entry.url, link.attributes.get("href") or "") for link in tree.css("a[href]"))
    text = node_text(tree.root) if tree.root else ""
    published = entry.published.iso if entry.published else ""
    return PlainPost(entry.url, entry.title or "", text, tuple(link for link in links if link), published)


def _sign(name: str, says: str, weight: float) -> Sign:
    return Sign(name, says, "spam", weight)


def _of_address(url: str) -> Sign | None:
    """A name that is made of words that sell."""
    name = NO_SITE.sub("", host_of(url)).partition(".")[0]
    sold = [word for part in name.split("-") for word in _selling_ends(part)]
    is_long = len(name) >= LONG_NAME
    if not sold or (len(sold) < STUFFED and not is_long):
        return None
    return _sign("stuffed address", f"its address is made of words that sell: {', '.join(sold)}", 0.5)


def _selling_ends(part: str) -> Iterator[str]:
    """Words that sell, at the beginning and at the end of a part of a name."""
    part = part.strip("0123456789")
    first = next((word for word in AT_ENDS if part.startswith(word)), "")
    last = next((word for word in AT_ENDS if part.removeprefix(first).endswith(word)), "")
    yield from (word for word in (first, last) if word)


def _of_titles(posts: Sequence[PlainPost]) -> Sign | None:
    """Titles that name prices, or are made of words that sell; of notes without titles, their first words."""
    titles = [post.title for post in posts if post.title]
    if len(titles) >= LEAST_POSTS:
        selling = _selling(titles)
        says = N_(f"{len(selling)} of {len(titles)} titles name prices, or sell")
        return _sign("selling titles", says, OPENLY_SELLS) if selling else None
    notes = [" ".join(post.text.split()[:OPENING]) for post in posts if not post.title and post.text]
    selling = _selling(notes)
    says = N_(f"{len(selling)} of {len(notes)} posts without a title begin with prices, or with words that sell")
    return _sign("selling openings", says, OPENLY_SELLS) if selling else None


def _selling(texts: Sequence[str]) -> list[str]:
    """Those of these that sell; none where that is not enough of them."""
    selling = [text for text in texts if PRICE.search(text) or len(SELLING & {*tokenise(text)}) >= STUFFED]
    is_enough = len(texts) >= LEAST_POSTS and len(selling) >= SELLING_TITLES * len(texts)
    return selling if is_enough else []


def _of_words(posts: Sequence[PlainPost]) -> Sign | None:
    """Words in which nobody speaks: stuffed ones, without what holds sentences together."""
    words = Counter(word for post in posts for word in tokenise(post.text) if word.isalpha())
    if words.total() < ENOUGH_WORDS:
        return None
    common = words.most_common(COMMONEST)
    length, of_common = _mean_length(words.items()), _mean_length(common)
    is_spaced, are_long = length >= UNSPACED, of_common >= AS_LONG * length
    ends = sum(len(ENDS.findall(post.text)) for post in posts)
    if not is_spaced or not are_long or words.total() < LONGEST_SENTENCE * ends:
        return None
    shown = ", ".join(word for word, _ in common[:5])
    return _sign("no sentences", f"its texts are words without sentences; the commonest are {shown}", 0.7)


def _mean_length(words: Iterable[tuple[str, int]]) -> float:
    counted = list(words)
    return sum(len(word) * count for word, count in counted) / sum(count for _, count in counted)


def _of_links(url: str, posts: Sequence[PlainPost]) -> Sign | None:
    """Posts that mostly send readers on to one site, with a mark of who sent them."""
    out = [[link for link in post.links if not same_site(link, url)] for post in posts]
    marked = [{_site(link) for link in links if urlsplit(link).query} for links in out]
    site, sending = max(Counter(chain(*marked)).items(), key=lambda pair: pair[1], default=("", 0))
    if sending < max(LEAST_POSTS, WITH_LINK * len(posts)):
        return None
    sites = Counter(_site(link) for links in out for link in links)
    if sites[site] < TO_ONE * sites.total():
        return None
    says = N_(f"{sending} of {len(posts)} posts send readers to {site}, with a mark of who sent them")
    return _sign("links for sale", says, 0.5)


def _site(link: str) -> str:
    """The last two parts of a host: who sells has many names below one."""
    return ".".join(host_of(link).split(".")[-2:])


def _of_feed(seen: SeenHost) -> Iterator[Sign]:
    """A feed that is none, or tells of other posts than the pages show."""
    if seen.feed is None or not seen.feed.entries:
        yield _sign("no feed", "it has no valid feed", 0.1)
        return
    entries = {page_key(entry.url): entry for entry in seen.feed.entries}
    pairs = [(entries[key], page) for page in seen.posts if (key := page_key(page.url)) in entries]
    other = sum(not _is_on_page(entry, page) for entry, page in pairs)
    if len(pairs) >= LEAST_POSTS and other >= PAGES_WITHOUT * len(pairs):
        yield _sign("feed is another", f"on {other} of {len(pairs)} pages there is not what its feed says of them", 0.6)


def _is_on_page(entry: Entry, page: Page) -> bool:
    told = tokenise(_plain(entry).text) or tokenise(entry.title or "")
    tree = parse(bounded(decode(page.content, page.headers)))
    shown = tokenise(node_text(tree.root)) if tree.root else []
    marks = shingle_marks(told, shown)
    return not told or sum(marks) >= ON_PAGE * len(told)
