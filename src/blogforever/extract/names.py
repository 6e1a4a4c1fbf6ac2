"""Names of people as blogs write them: freed of "posted by", and told from placeholders and addresses."""

from __future__ import annotations

import re

from blogforever.extract.vocabulary import alternatives

_BY = re.compile(
    "^(?:"
    + alternatives(r"""
        (?:posted|published|written|created|submitted|added|shared|words|story|text)\s*(?:by|:)\s*
        (?:author|article|by|post author)\s*(?:by|:)\s*
        (?:by|von|par|por|pubblicato da|publié par|publicado por|escrito por|geschrieben von)(?:\s*[:：]\s*|\s+)
        (?:verfasst von|ditulis oleh|oleh|da|di|door|av|af|автор|kirjoittanut|skrevet av)(?:\s*[:：]\s*|\s+)
        (?:skriven av|napisał|scritto da|inviato da|author|lähettänyt|diposkan oleh)(?:\s*[:：]\s*|\s+)
        (?:rédigé par|écrit par|autor|auteur|autore|作者|文|投稿者|글쓴이|作成者)(?:\s*[:：]\s*|\s+)
        [-–—|•·@✍:：]\s*
    """)
    + ")+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:[|•·,;(\[]|\s[-–—@]\s|\b(?:on|at|in|le|am|el|il|op|den|posted|published|says|said|views?|comments?|\d)\b).*$",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(r"https?:|www\.|@\w+\.|[<>{}=#]|\d{3,}|\.(?:com|org|net|html?)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    alternatives(r"""
        john doe|jane doe|your name|author|author name|name|unknown|anonymous|none|null|undefined
        wordpress|ghost|hexo|hugo|jekyll|blogger|user|test|guest|me|about|about me|contact|home|default
        the author|about the author|more posts|view all posts
        permalink|comments|reply|leave a comment|no comments
    """)
)


def clean_name(text: str) -> str | None:
    """The person's name in a by-line; None when it cannot be one."""
    name = _BY.sub("", " ".join(text.split())).strip(" .,:;|-–—·•~/\\\"'")
    if not name or len(name) > 60 or len(name.split()) > 6 or _NOT_A_NAME.search(name):
        return None
    return name if any(c.isalpha() for c in name) else None


def cut_tail(text: str) -> str:
    """A by-line's text without what follows the name: place, date, number of comments."""
    return _TAIL.sub("", text)


def has_byline_word(text: str) -> bool:
    """Whether the text begins as by-lines do."""
    return bool(_BY.match(text))


def is_placeholder(name: str) -> bool:
    """Whether a template left its own words where a name belongs."""
    return _PLACEHOLDER.fullmatch(name.casefold().strip(" .:")) is not None
