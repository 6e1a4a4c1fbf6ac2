"""What names and labels say: which elements are comments, and what around their text is none."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from typing import Literal

from blogforever.dom import tokenise
from blogforever.page.speech import words_of
from blogforever.page.vocabulary import alternatives, parts_of
from blogforever.wordlists import LivePattern, LiveWords, WordLists, are_words_added

# Words at the end of a class name that say which part of a comment an element is.
_CALLED_BY = 2
# What is done to a comment has its number, too: "edit-comment-12" is no comment.
_PREFIXES = (
    r"(?:(?!(?:reply|edit|delete|quote|report|like|vote|flag|form|add|new|no|to|respond|rate|share)[-_])"
    r"[a-z]{1,12}[-_]){0,3}"
)
_WHAT = r"(?:comments?|cmt|komentar|commentaire|kommentar|comentario|commento|pingback|trackback|IDComment|comEnt)"
NUMBERED = re.compile(
    rf"^(?:{_PREFIXES}{_WHAT}|(?:(?:li|div|dsq|isso|anchor|article|blog|entry|post|wp|a|media)[-_]){{0,3}}[cr])"
    r"[-_]?(?:(?:id|node)[-_]?)?(\d+|[0-9a-f]{8,})$",
    re.IGNORECASE,
)
"""An id that names one comment by its number."""
LETTERED = re.compile(r"^[cr]\d{1,7}$", re.IGNORECASE)
"""A number after one letter: many things are called so, so it counts only beside others."""
_LISTS = WordLists("blogforever.comments", "names.toml")


def _tokens(*names: str) -> LiveWords:
    """The words of some lists as pages are cut into words: signs of Chinese are one each."""
    return LiveWords(lambda: (token for name in names for word in _LISTS.now(name) for token in tokenise(word)))


ITEM = _LISTS.words("item")
LIST = _LISTS.words("list")
MARGIN = _LISTS.words("margin")
BODY = _LISTS.words("body")
SURE_BODY = _LISTS.words("sure_body")
"""Of the names for a comment's text those that are used for nothing else."""
META = _LISTS.words("meta")
NAME = _LISTS.words("name")
SURE_NAME = _LISTS.words("sure_name")
"""Of the names for a commenter's name those that are used for nothing else."""
NAME_PARTS = _LISTS.words("name_parts")
"""Words of longer class names that are those of a commenter's name."""
NOT_NAME = _LISTS.words("not_name")
"""What stands beside the name in an element that is named after it."""
ADDRESSES = _tokens("addresses")
"""What a link to the address that a commenter gave is called; it is no name."""
CONTROLS = _LISTS.words("controls")
COUNTED = _LISTS.words("counted")
"""What numbers beside a comment count, as parts of class names."""
ANSWERS = _LISTS.words("answers")
LABELS = _tokens("labels", "nobody", "addresses")
"""Words around a comment's text that are none of it."""
NOBODY = _tokens("nobody")
"""What stands in the place of a name that nobody gave."""
NAME_LABELS = _tokens("name_labels")
"""What stands beside a commenter's name and says that it is one."""
ANSWERING = _tokens("answering")
"""How the subject of an answer begins: "Re", "AW"."""
IN_ANSWER = _tokens("in_answer")
"""What a line says of a comment that answers somebody: "in reply to"."""
TO = _tokens("to")
"""Words beside these before the name."""
REPLYING = _LISTS.words("replying")
UNTITLED = _LISTS.words("untitled")
"""What systems write above a comment to which nobody gave a title."""
ACTS = _tokens("acts", "replying")
"""What is done to a comment, as links and buttons say it: never a name, and never a text."""
_SPEAKING = alternatives(r"""
    says|said|say|wrote|writes|commented|replied|responded|answered
    schreibt|schrieb|sagt|sagte|meint|meinte|dit|a dit|a écrit
    dijo|dice|escribió|disse|diz|escreveu|ha detto|scrive|ha scritto
    zegt|schreef|zei|mówi|pisze|napisał|säger|sa|skrev|skriver
    sanoo|kirjoitti|sanoi|szerint|írta|mengatakan|berkata|пишет|говорит|написал|сказал|писав|каже|рече|каза
    כתב/ה|כותב/ת|אמר/ה|כתבה?|אמרה?|قال|قالت|يقول|تقول|كتب|كتبت|گفت|گفته|نوشت|يكتب
    dedi ki|diyor ki|yazdı|spune|a spus|a scris|napsala?|řekla?|píše|napísala?|reče|rekao|είπε|λέει|έγραψε
""")
SAYS = re.compile(
    rf"(?<!\s)\s*+(?:[,:：]\s*+)?\b(?:{_SPEAKING}|op|said on|wrote on|says on|posted(?: on| at)?|on)\s*+[:：,.…]*+\s*+$"
    rf"|(?<!\s)\s++(?:(?:{_SPEAKING})\s++)?(?:(?:about|over|almost|less than)\s++)?(?:\d{{1,3}}|an?)\s++"
    r"(?:minute|hour|day|week|month|year)s?\s++later\s*+:?\s*+$"
    r"|(?<!\s)\s*+(?:(?:さん)?のコメント|(?<!名無し)(?<!通りすがり)さん|님의 (?:말|댓글)|的(?:评论|評論|留言)"
    r"|说道|说|より)\s*+[:：.…]*+\s*+$"
    r"|(?<![\s:：,|•·-])[\s:：,|•·-]++$",
    re.IGNORECASE,
)
SPOKE = re.compile(rf"\s*(?:(?:{_SPEAKING}|さん|님의 말|说道|说|より)\s*[:：,]|[:：])\s*\S", re.IGNORECASE)
"""What follows the name where a text begins with who speaks."""
SPEAKS = re.compile(rf"\w\s++(?:{_SPEAKING})\s*+[:：,…]?\s*+$", re.IGNORECASE)
"""How a line ends that says who speaks."""
BY = LivePattern(
    lambda: (
        r"^\W*(?:(?:posted|comment(?:ed)?|submitted|written|authored|left|added|reply|pingback|trackback|"
        rf"[^\W\d]{{2,12}}\s+(?:{words_of('by')})(?=\s*[:：])|"
        rf"from|{words_of('by')}|{words_of('writer')}|"
        rf"(?:{words_of('opening')}|{_LISTS.one_of('name_labels')})(?=\s*[:：])|"
        r"kommentar|commentaire|comentario|comentado|commento|rédigé|envoyé|publicado|"
        r"geschrieben|verfasst|reactie|"
        r"inviato|enviado|posté|name|послал|发表|发布|작성자)\b"
        rf"\s*(?:(?:#|n[°ºo]\.?\s?|nr\.?\s?)?\d+\s*)?(?:(?:{words_of('by')}|from|de)\b|:)?\s*[:：]?\s*)+"
    )
)
"""What leads to a commenter's name: "posted by", "Comment #3 from", "Autor:"."""
UNVERIFIED = re.compile(
    r"(?<!\s)\s*+[(\[](?:not verified|unverified|visitor|guest|member|nem ellenőrzött|"
    r"nicht überprüft|non vérifié|no verificado|"
    r"non verificato|niet gecontroleerd|não verificado|не проверено|ej verifierad|"
    r"ikke kontrollert|neověřeno|niezweryfikowany|ei varmistettu)[)\]]\s*$"
    r"|(?<!\s)\s++\[\s?[^\W\d_][^\[\]]{1,20}\]\s*$",
    re.IGNORECASE,
)
FRAGMENT = re.compile(
    r"#(?:[^#]*comment|c|r|dsq-|isso-|cmt)[-_]?\d+$|#comment|showComment=",
    re.IGNORECASE,
)
"""A link that leads to one comment."""
PINGBACK = re.compile(r"^\W*(pingback|trackback|ping|webmention)s?\b", re.IGNORECASE)
_COUNTS = WordLists("blogforever.discover", "counts.toml")


def count_words(name: Literal["nouns", "none", "one", "answers"]) -> str:
    """The words for a comment, those that stand for none and for one before them, and those of the
    first that the blog itself answers with, as a group.
    """
    return f"(?:{_COUNTS.one_of(name)})"


# Scripts without spaces have no edge between two words, nor have words that end with a sign above
# or below a letter.
_EDGE = r"(?:\b|(?<=[\u0900-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]))"
_WHOSE = "(?:reader|user|visitor)(?:['’]?s['’]?)? |all |the |ihre |vos |この(?:ブログ)?記事(?:への|に対する)"
COUNTED_HAN = r"(?:已有|仅有|共有?|目前有|现有)?\s?(?:\d{1,6}|一)\s?(?:件の|条|條|則|则|篇)\s?"
"""How many comments there are, as Chinese and Japanese say it before their word."""
HEADING = LivePattern(
    lambda: (
        rf"^\W*(?:(?:\d[\d.,]*|{count_words('one')}|{count_words('none')})\s+|{COUNTED_HAN})?"
        rf"(?:{_WHOSE})?(?:{count_words('nouns')}){_EDGE}.{{0,160}}$"
        rf"|^.{{0,160}}\W\d[\d.,]*\s+(?:{count_words('nouns')})\W*$"
        r"|^what (?:people|others|readers) (?:say|said).{0,80}$"
    )
)
NOUN = LivePattern(lambda: rf"^\W*(?:{_WHOSE})?(?:{count_words('nouns')})\W*$")
"""A line that says nothing but "Comments", or "Reader comments"."""
ANSWER = LivePattern(lambda: count_words("answers"))
"""A word in a line inside a comment below which its blog answers: "Reply:", "The author's answer:".
"""
# Class names and ids: a theme uses a few hundred, the same ones on all pages of a blog.
_CACHED_TOKENS = 4096
_SIGNS = "comment coment komment koment pingback trackback webmention disqus dsq- h-cite feedback".split()
# Both begin with a plain sign: such a pattern is sought ten times faster.
_MARKED = re.compile(r"""=(?:(?<=id=|me=)["']?[cr]\d|(?<=data-role=)["']?post|(?<=href=)["']?#[a-z_-]{1,30}\d)""")
_COUNTED = LivePattern(
    lambda: rf">[^\w>]*(?:\d+\s+|{COUNTED_HAN})?(?:{_WHOSE})?(?:{count_words('nouns')}){_EDGE}", re.NOFLAG
)
_ANSWERED = LivePattern(lambda: rf">\s*+(?:{'|'.join(map(re.escape, REPLYING))})\s*+<", re.NOFLAG)
# The words before it are bounded, so that a comment which speaks of comments is no invitation.
INVITATION = LivePattern(
    lambda: (
        r"^\W*(?:(?:leave|add|post|write|be the first|join|no|0|\d+|one|skip|click|view|show|see|"
        r"load|more|"
        r"older|newer|read|login|log in|"
        r"sign in|your|schreib\w*|hinterlass\w*|kein\w*|laisser|aucun|ajouter|deja|dejar|ningún|sin|"
        r"lascia|nessun\w*|geen|plaats|brak|"
        rf"нет|sem|nenhum|deixe)\W+)?(?:\w+\W+){{0,3}}(?:{count_words('nouns')})\b\W*(?:\w+\W*){{0,3}}$"
    )
)


def may_hold_comments(html: str) -> bool:
    """Whether the source of a page has anything that pages with comments have; what others call
    them can only be seen in the names of its elements.
    """
    if are_words_added("names"):
        return True
    # Plain words first, as most pages write them: they are sought much faster than the patterns, and
    # faster than a page is written in small letters.
    if _has_sign(html):
        return True
    low = html.lower()
    if _has_sign(low):
        return True
    return bool(_MARKED.search(low) or _COUNTED.search(low) or _ANSWERED.search(low))


def _has_sign(html: str) -> bool:
    return any(sign in html for sign in _SIGNS)


# One or two letters that a theme puts before all of its names: "js-comment", "lf_comment",
# "u-comment".
_PREFIX = re.compile(r"^(?!no[-_])[a-z]{1,2}[-_]+(?=[a-z]{3})", re.IGNORECASE)


# How themes call every other comment: "commentAlt", "comment_odd".
_IN_TURN = re.compile(r"[-_]?(?:alt|alternate|odd|even)$", re.IGNORECASE)


@lru_cache(maxsize=_CACHED_TOKENS)
def letters(token: str) -> str:
    """A class name or id without its signs: "comment__Body-text" is "commentbodytext"."""
    return "".join(c for c in token.casefold() if c.isalpha())


@lru_cache(maxsize=_CACHED_TOKENS)
def joined(token: str) -> str:
    """The letters of a class name or id, without the prefix of all blocks of WordPress."""
    return letters(token).removeprefix("wpblock")


@lru_cache(maxsize=_CACHED_TOKENS)
def _unprefixed(token: str) -> str:
    """The letters of a class name or id, without those that a theme puts before all of its names."""
    return joined(_PREFIX.sub("", token))


@lru_cache(maxsize=_CACHED_TOKENS)
def _out_of_turn(token: str) -> str:
    """The letters of a class name without the word for every other one."""
    return joined(_IN_TURN.sub("", token))


@lru_cache(maxsize=_CACHED_TOKENS)
def _last_words(token: str) -> str:
    """The last words of a class name or id."""
    return "".join(parts_of(token)[-_CALLED_BY:])


def has_token(tokens: list[str], words: Set[str]) -> bool:
    """Whether one of the class names is among the words."""
    return not words.isdisjoint(map(joined, tokens))


def is_called(tokens: list[str], words: Set[str]) -> bool:
    """Whether one of the class names is among the words, with or without the name of a system
    before it: "evo_comment_text" is "comment_text".
    """
    return has_token(tokens, words) or not words.isdisjoint(map(_last_words, tokens))


def is_meta(classes: list[str]) -> bool:
    """Whether one of the class names is that of a line about a comment, with or without the letters of a system
    before it.
    """
    return has_token(classes, META) or any(_unprefixed(token) in META for token in classes)


def is_item(classes: list[str]) -> bool:
    """Whether one of the class names is that of a comment, with or without the letters of a system
    before it, or the word for every other one behind it.
    """
    if has_token(classes, ITEM) or not ITEM.isdisjoint(map(_unprefixed, classes)):
        return True
    return not ITEM.isdisjoint(map(_out_of_turn, classes))
