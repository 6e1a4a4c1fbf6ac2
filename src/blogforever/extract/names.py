"""Names of people as blogs write them, told from "posted by", placeholders and addresses."""

from __future__ import annotations

import re
from functools import lru_cache

from blogforever.elements import word_set
from blogforever.page.speech import DONE_BY, OF_ANY_GENDER, words_of
from blogforever.page.vocabulary import alternatives, parts_of
from blogforever.urls import host_of
from blogforever.wordlists import LivePattern

_BY = LivePattern(
    lambda: (
        "^(?:"
        + alternatives(rf"""
        (?:posted|published|written|created|submitted|added|shared|words|story|text)\s*(?:by|:)\s*
        (?:author|article|by|post author)\s*(?:by|:)\s*
        (?:{DONE_BY}|{words_of("by")}|about|kirjoittanut|napisał|lähettänyt)(?:\s*[:：]\s*|\s+)
        (?:{words_of("writer")}|文)(?:\s*[:：]\s*|\s+)
        [-–—|•·@✍:：]\s*
    """)
        + ")+"
    )
)
# "More posts by Ada Quill": what leads to all that somebody wrote, up to the name.
_MORE_BY = LivePattern(lambda: rf"^.*\s(?:{words_of('by')})\s+")
# Characters of a by-line in which a name ends.
_LONGEST_LINE = 300
# By-lines that are remembered.
_REMEMBERED = 4096
# Characters and words of a name; of one written as people's are, at least and at most.
_LONGEST_NAME = 60
_MOST_WORDS = 6
_FEWEST_PERSONAL, _MOST_PERSONAL = 2, 4
_TAIL = re.compile(
    r"\s*(?:[|•·,;(\[]|\s[-–—@]\s|\b(?:posted|published|says|said|views?|comments?|on|at)\b"
    r"|\b(?:in|le|am|el|il|op|den|um|à|a las|alle|alle ore|às|kl|om|في|в)\s+(?=.*\d)|\b\d{1,4}\b).*$",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"^\+|https?:|www\.|@\w+\.|[<>{}=#]|\b\d{4,}\b|\.(?:com|org|net|html?)\b|\b(?:picture|avatar|photo)$", re.IGNORECASE
)
# A web or mail address, in brackets or not.
_ADDRESS = re.compile(r"https?://|\w@\w|^[<(\[]?(?:mailto:|www\.)", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    alternatives(r"""
        john doe|jane doe|your name|author|author name|name|unknown|anonymous|none|null|undefined
        wordpress|ghost|hexo|hugo|jekyll|blogger|user|test|guest|me|about|about me|contact|home|default
        disqus|facebook|twitter|google|feedburner|github|creative commons|octopress|pelican|movable type|typepad
        about the author|more posts|view all posts|the authors?(?: .*)?|(?:more|all|other)\b.* (?:this|the) authors?
        permalink|comments|reply|leave a comment|no comments
        未知|佚名|匿名|无名氏|網路|网络|网络整理|网络转载|互联网
    """)
)

# Where blogs keep what they say of somebody who writes: an address that goes on behind the name may be another list,
# some names are those of doors, and a program without a number or a name behind it tells nobody.
_PERSON_PAGE = re.compile(
    r"/(?:authors?|profile|autor|auteur)/|[?&](?:author|author_?id|member_?id)="
    r"|/(?:users?|people|members?|membres?|mitglieder|writers?|contributors?|bloggers?)/"
    r"(?!(?:\w{0,4}log[_-]?(?:in|out)|sign[_-]?(?:in|up|out)|\w{0,4}regist(?:er|ration)?|join|new|edit|search|index|account"
    r"|(?:lost|forgot|reset)?[_-]?(?:password|passwd)|forgot)(?:\.\w+)?/?(?:[?#]|$)|[^/?#]+\.(?:php|aspx?|jsp|cgi)(?:#|$))"
    r"[^/?#]+/?(?:[?#]|$)",
    re.IGNORECASE,
)
# What leads to a name, where a template shows it without one.
_LEAD = LivePattern(
    lambda: rf"(?:(?:posted|published|written) )?(?:{words_of('opening')}|{words_of('writer')}|authors){OF_ANY_GENDER}"
)
# What parts the names of several people.
_AND = re.compile(r" ?[,;&/、，] ?| (?:and|und|et|y|e|en|och|og|ja|i|и|dan|ve|with|mit|avec|con|com) ", re.IGNORECASE)
_AUTHOR_WORDS = word_set("""
    author authors byline autor auteur autore fn postauthor authorname writer creator nick nickname authornick ljuser
    poster entryposter
""")
# Sites are published and created, too, by who has nothing to do with the post.
_DONE_BY = frozenset((done, "by") for done in ("posted", "written", "submitted"))

# Words that stand before a writer, and within names.
_PARTICLES = word_set("von van af av da de di du")

# Letters of a site's name that tell it from people's; of how many letters of what is called after
# it each is one, as of "Bluesky" those of "bsky" are.
_SITE_LETTERS, _ONE_LETTER_OF = 4, 2
_BLOG_WORD = re.compile(
    r"\b(?:blog|journal|notes?|diary|news|magazine|weekly|daily|project|the|and|of|my|our|house|home|team|group|studio)\b",
    re.IGNORECASE,
)

_COLON = re.compile(r"[:：]")
# "Anna K.": the full stop behind a last name of one letter is a part of the name.
_INITIAL = re.compile(r"[^\W\d_]{2} [^\W\d_]$")


def clean_name(text: str) -> str | None:
    """The person's name in a by-line; None when it cannot be one."""
    line = " ".join(text.split())
    return _remembered_name(line) if len(line) <= _LONGEST_LINE else _read_name(line)


@lru_cache(maxsize=_REMEMBERED)
def _remembered_name(line: str) -> str | None:
    """The same, read once: a blog has few authors, and they stand on page after page."""
    return _read_name(line)


def _read_name(line: str) -> str | None:
    shown = _without_address(_behind_more(_BY.sub("", line)))
    name = shown.strip(" .,:;|-–—·•~/\\\"'")
    if _INITIAL.search(name) and f"{name}." in shown:
        name += "."
    is_short = len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS
    if not is_short or _NOT_A_NAME.search(name):
        return None
    return name if any(c.isalpha() for c in name) else None


def _behind_more(text: str) -> str:
    """A name without what leads to all posts of who has it; "Otto von Berg" is a name."""
    if len(text) > _LONGEST_LINE:
        return text
    name = _MORE_BY.sub("", text)
    before = text[: len(text) - len(name)].split()
    says_more = len(before) > 1 and (before[-1].casefold() not in _PARTICLES or before[-2].islower())
    return name if says_more and looks_personal(name) else text


def _without_address(name: str) -> str:
    """A name without the address that many heads give behind it: "Ada Quill <ada@blog.example>"."""
    words = name.split()
    while len(words) > 1 and _ADDRESS.search(words[-1]):
        words.pop()
    return " ".join(words)


def clean_names(text: str) -> tuple[str, ...]:
    """The people a by-line names, each of several only where all are written as people's names are."""
    line = _BY.sub("", " ".join(text[:_LONGEST_LINE].split()))
    parts = [part for part in _AND.split(line) if part]
    if len(parts) > 1 and all(map(looks_personal, parts)):
        names = [clean_name(part) for part in parts]
    else:
        names = [clean_name(text)]
    return tuple(dict.fromkeys(filter(None, names)))


def is_author_mark(token: str) -> bool:
    """Whether a class name, an id or a word of mark-up calls an element an author's name."""
    parts = parts_of(token)
    if not parts:
        return False
    is_name = parts[-1] in _AUTHOR_WORDS or (parts[-1] == "name" and not _AUTHOR_WORDS.isdisjoint(parts))
    return is_name or says_by(token)


def says_by(token: str) -> bool:
    """Whether a class name says that the post is by who is named there: "posted-by" stands in no text."""
    return parts_of(token)[-2:] in _DONE_BY


def speaks_of_author(token: str) -> bool:
    """Whether a class name or an id is of something about the author, as a box with a portrait is."""
    return any(part.startswith("author") or part in _AUTHOR_WORDS for part in parts_of(token))


def leads_to_person(href: str) -> bool:
    """Whether an address is that of the page about somebody who writes."""
    return _PERSON_PAGE.search(href) is not None


def cut_tail(text: str) -> str:
    """A by-line's text without what follows the name: place, date, number of comments."""
    return _TAIL.sub("", text[:_LONGEST_LINE])


def has_byline_word(text: str) -> bool:
    """Whether the text begins as by-lines do."""
    return bool(_BY.match(text))


def is_placeholder(name: str) -> bool:
    """Whether a template left its own words where a name belongs."""
    return _PLACEHOLDER.fullmatch(name.casefold().strip(" .:")) is not None or leads_to_name(name)


def leads_to_name(text: str) -> bool:
    """Whether a text is but the word that stands before a name: "Authors", "글쓴이:"."""
    return _LEAD.fullmatch(text.strip(" .:：")) is not None


def looks_personal(name: str) -> bool:
    """Whether a name is written as people's names are.

    Those are a few capitalised words, none of them a word that blogs are called by, and none a label.
    """
    words = name.split()
    if not _FEWEST_PERSONAL <= len(words) <= _MOST_PERSONAL or _BLOG_WORD.search(name) or _COLON.search(name):
        return False
    return all(word[:1].isupper() for word in words)


def is_named_after_site(name: str, link: str, page: str) -> bool:
    """Whether a link is called as the other site it leads to, "Goodreads", or "Bluesky" for
    bsky.app: it leads to somebody's account there, whose name that is not.
    """
    site = _site_name(link)
    return len(site) >= _SITE_LETTERS and site != _site_name(page) and _abbreviates(site, name)


def _site_name(url: str) -> str:
    """The word that a site is called by in its addresses: the last before "com"."""
    return "".join(host_of(url).split(".")[-2:-1])


def _abbreviates(word: str, name: str) -> bool:
    """Whether a word is made of letters of a name, the first and the last among them, in their order."""
    letters = [letter for letter in name.casefold() if letter.isalnum()]
    if not letters or (letters[0], letters[-1]) != (word[0], word[-1]) or len(letters) > _ONE_LETTER_OF * len(word):
        return False
    left = iter(letters)
    return all(letter in left for letter in word)
