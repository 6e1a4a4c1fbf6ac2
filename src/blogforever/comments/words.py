"""What names and labels say: which elements are comments, and what around their text is none."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from blogforever.dom import tokenise
from blogforever.elements import word_set
from blogforever.page.speech import BY_WORDS, WRITER_WORDS
from blogforever.page.vocabulary import alternatives
from blogforever.wordlists import WordLists

# What is done to a comment has its number, too: "edit-comment-12" is no comment.
_PREFIXES = (
    r"(?:(?!(?:reply|edit|delete|quote|report|like|vote|flag|form|add|new|no|to|respond|rate|share)[-_])"
    r"[a-z]{1,12}[-_]){0,3}"
)
_WHAT = r"(?:comments?|cmt|komentar|commentaire|kommentar|comentario|commento|pingback|trackback|IDComment)"
NUMBERED = re.compile(
    rf"^(?:{_PREFIXES}{_WHAT}|(?:(?:li|div|dsq|isso|anchor|article|blog|entry|post|wp|a|media)[-_]){{0,3}}[cr])"
    r"[-_]?(?:id[-_]?)?(\d+|[0-9a-f]{8,})$",
    re.IGNORECASE,
)
"""An id that names one comment by its number."""
LETTERED = re.compile(r"^[cr]\d{1,7}$", re.IGNORECASE)
"""A number after one letter: many things are called so, so it counts only beside others."""
_LISTS = WordLists("blogforever.comments", "names.toml")
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
NOT_NAME = _LISTS.words("not_name")
"""What stands beside the name in an element that is named after it."""
CONTROLS = _LISTS.words("controls")
ANSWERS = _LISTS.words("answers")
_LABELS = word_set("""
    says said say wrote writes on at by the am pm a an posted comment comments commented from
    permalink link reply replied
    to in edit quote report abuse delete like likes of utc gmt est pst edt pdt cet cest st nd rd th
    schreibt schrieb sagt sagte meint meinte am um uhr von kommentar antworten zitieren
    dit a écrit le à par répondre commentaire de du rédigé
    dijo dice escribió el las los en por responder comentario disse diz escreveu em às responda
    ha detto scrive scritto il alle di da rispondi commento
    zegt schreef zei op om door reageer antwoorden reactie
    mówi pisze napisał dnia o odpowiedz komentarz
    säger sa skrev den kl av svara skriver kommentoi sanoo kirjoitti klo vastaa
    szerint írta válasz berkata mengatakan pada pukul balas oleh
    пишет говорит написал сказал в ответить комментарий к
    said さん より いわく 返信 コメント 年 月 日 時 分 에 님의 말 답글 说道 说 回复 评论 于
    guest visitor anonymous user author website www homepage number no nr n
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
""")
LABELS = frozenset(token for label in _LABELS for token in tokenise(label))
_SPEAKING = alternatives(r"""
    says|said|say|wrote|writes|commented|replied
    schreibt|schrieb|sagt|sagte|meint|meinte|dit|a dit|a écrit
    dijo|dice|escribió|disse|diz|escreveu|ha detto|scrive|ha scritto
    zegt|schreef|zei|mówi|pisze|napisał|säger|sa|skrev|skriver
    sanoo|kirjoitti|sanoi|szerint|írta|mengatakan|berkata|пишет|говорит|написал|сказал
""")
SAYS = re.compile(
    rf"(?<!\s)\s*+(?:[,:：]\s*+)?\b(?:{_SPEAKING}|op|said on|wrote on|says on|on)\s*+[:：,.…]*+\s*+$"
    r"|(?<!\s)\s*+(?:さん|님의 말|说道|说|より)\s*+[:：.…]*+\s*+$|(?<![\s:：,|•·-])[\s:：,|•·-]++$",
    re.IGNORECASE,
)
SPOKE = re.compile(rf"\s*(?:(?:{_SPEAKING}|さん|님의 말|说道|说|より)\s*[:：,]|[:：])\s*\S", re.IGNORECASE)
"""What follows the name where a text begins with who speaks."""
SPEAKS = re.compile(rf"\w\s++(?:{_SPEAKING})\s*+[:：,…]?\s*+$", re.IGNORECASE)
"""How a line ends that says who speaks."""
BY = re.compile(
    r"^\W*(?:(?:posted|comment(?:ed)?|submitted|written|left|added|reply|pingback|trackback|"
    rf"from|{BY_WORDS}|{WRITER_WORDS}|"
    r"kommentar|commentaire|comentario|comentado|commento|rédigé|envoyé|publicado|"
    r"geschrieben|verfasst|reactie|"
    r"inviato|enviado|posté|name|послал|发表|发布|작성자)\b"
    rf"\s*(?:#?\d+\s*)?(?:{BY_WORDS}|from|de|:)?\s*[:：]?\s*)+",
    re.IGNORECASE,
)
"""What leads to a commenter's name: "posted by", "Comment #3 from", "Autor:"."""
UNVERIFIED = re.compile(
    r"(?<!\s)\s*+[(\[](?:not verified|unverified|visitor|guest|member|nem ellenőrzött|"
    r"nicht überprüft|non vérifié|no verificado|"
    r"non verificato|niet gecontroleerd|não verificado|не проверено|ej verifierad|"
    r"ikke kontrollert|neověřeno|niezweryfikowany|ei varmistettu)[)\]]\s*$",
    re.IGNORECASE,
)
FRAGMENT = re.compile(
    r"#(?:[^#]*comment|c|r|dsq-|isso-|cmt)[-_]?\d+$|#comment|showComment=",
    re.IGNORECASE,
)
"""A link that leads to one comment."""
WITHDRAWN = re.compile(
    r"^\W*"
    + alternatives(r"""
        (?:(?:this|the) )?(?:comment|message|reply|response)?\s?(?:was |is |has been )?(?:deleted|removed|withdrawn)
        (?:dieser )?kommentar (?:wurde |ist )?(?:.{0,40} )?(?:gelöscht|entfernt)
        (?:ce )?commentaire (?:a été |est )?(?:supprimé|effacé|retiré)
        (?:este )?comentario (?:ha sido |fue )?(?:eliminado|borrado|suprimido)
        (?:este )?comentário (?:foi )?(?:removido|excluído|apagado|eliminado)
        (?:questo )?commento (?:è stato )?(?:eliminato|rimosso|cancellato)
        (?:deze )?reactie (?:is |werd )?(?:.{0,40} )?verwijderd
        (?:этот )?комментарий (?:был )?удал[её]н|(?:ten )?komentarz został usunięty
        (?:此|该|這則|此則)?(?:评论|評論|留言)(?:已被?|被)(?:.{0,10})?(?:删除|刪除)
        このコメントは.{0,20}削除|삭제된 댓글
    """)
    + r"(?:(?: by| vom?| von| par| por| dal?| door)\b.{0,60})?\W*$",
    re.IGNORECASE,
)
"""What is shown in the place of a comment that was taken back."""
PINGBACK = re.compile(r"^\W*(pingback|trackback|ping|webmention)s?\b", re.IGNORECASE)
_COUNTS = tomllib.loads((files("blogforever.discover") / "data" / "counts.toml").read_text("utf-8"))
COUNT_WORD = f"(?:{'|'.join(_COUNTS['nouns'])})"
NO_COUNT = f"(?:{'|'.join(_COUNTS['none'])})"
ONE_COUNT = f"(?:{'|'.join(_COUNTS['one'])})"
# Scripts without spaces have no edge between two words.
_EDGE = r"(?:\b|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]))"
HEADING = re.compile(
    rf"^\W*(?:(?:\d[\d.,]*|one|no|un|uno|ein|eine|une|een)\s+)?"
    rf"(?:reader |user |all |the |ihre |vos |visitor )?(?:{COUNT_WORD}){_EDGE}.{{0,160}}$"
    rf"|^.{{0,160}}\W\d[\d.,]*\s+(?:{COUNT_WORD})\W*$"
    r"|^what (?:people|others|readers) (?:say|said).{0,80}$",
    re.IGNORECASE,
)
ANSWER = re.compile("|".join(_COUNTS["answers"]), re.IGNORECASE)
"""A word in a line inside a comment below which its blog answers: "Reply:", "The author's answer:"."""
# Class names and ids: a theme uses a few hundred, the same ones on all pages of a blog.
_CACHED_TOKENS = 4096
_SIGNS = "comment coment komment koment pingback trackback webmention disqus dsq- h-cite".split()
# Both begin with a plain sign: such a pattern is sought ten times faster.
_MARKED = re.compile(r"""=(?:(?<=id=|me=)["']?[cr]\d|(?<=data-role=)["']?post)""")
_COUNTED = re.compile(rf">[^\w>]*(?:\d+\s+)?(?:{COUNT_WORD}){_EDGE}")
# The words before it are bounded, so that a comment which speaks of comments is no invitation.
INVITATION = re.compile(
    r"^\W*(?:(?:leave|add|post|write|be the first|join|no|0|\d+|one|skip|click|view|show|see|"
    r"load|more|"
    r"older|newer|read|login|log in|"
    r"sign in|your|schreib\w*|hinterlass\w*|kein\w*|laisser|aucun|ajouter|deja|dejar|ningún|sin|"
    r"lascia|nessun\w*|geen|plaats|brak|"
    rf"нет|sem|nenhum|deixe)\W+)?(?:\w+\W+){{0,3}}(?:{COUNT_WORD})\b\W*(?:\w+\W*){{0,3}}$",
    re.IGNORECASE,
)


def may_hold_comments(html: str) -> bool:
    """Whether the source of a page has anything that pages with comments have."""
    low = html.lower()
    # Plain words first: they are sought much faster than the patterns.
    if any(sign in low for sign in _SIGNS):
        return True
    return bool(_MARKED.search(low) or _COUNTED.search(low))


# One or two letters that a theme puts before all of its names: "js-comment", "lf_comment", "u-comment".
_PREFIX = re.compile(r"^(?!no[-_])[a-z]{1,2}[-_]+(?=[a-z]{3})", re.IGNORECASE)


@lru_cache(maxsize=_CACHED_TOKENS)
def letters(token: str) -> str:
    """A class name or id without its signs: "comment__Body-text" is "commentbodytext"."""
    return "".join(c for c in token.casefold() if c.isalpha())


@lru_cache(maxsize=_CACHED_TOKENS)
def joined(token: str) -> str:
    """The letters of a class name or id, without the prefix of all blocks of WordPress."""
    return letters(token).removeprefix("wpblock")


def has_token(tokens: list[str], words: frozenset[str]) -> bool:
    """Whether one of the class names is among the words."""
    return any(joined(token) in words for token in tokens)


def is_item(classes: list[str]) -> bool:
    """Whether one of the class names is that of a comment, with or without the letters of a system before it."""
    return has_token(classes, ITEM) or has_token([_PREFIX.sub("", token) for token in classes], ITEM)
