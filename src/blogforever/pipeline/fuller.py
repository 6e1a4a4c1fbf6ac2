"""A reading with no text, or far less, never takes the place of a better one: rules can go wrong for a whole blog.

Authors shorten their posts, too. Who did it, the page tells: where it still shows the words that were kept, the
reading is at fault and the text stays; where they are gone, it is an edit. An empty text is one only where the blog
itself announces it, for a page that shows nothing is more often out of order.
"""

from __future__ import annotations

from blogforever.dom import node_text, parse_page, tokenise
from blogforever.extract.bodies import DOUBTFUL
from blogforever.learn.samples import html_texts
from blogforever.learn.teacher import looks_whole
from blogforever.model import Entry, Page, Rules
from blogforever.protocols import Record

from .versions import share_kept

FAR_LESS = 0.25
"""Less than this of the words that were kept: revisions and better rules take away less, wrong rules nearly all."""
STILL_THERE = 0.75
"""So much of the kept words on the page says that it shows the text; an author's edit leaves fewer of them."""
SAME = 0.9
FEW_WORDS = 8
BODY = ("text", "html", "media", "links", "kind")
EMPTY = "it reads as empty now, and nothing announces that its author took the text away"
SHORTER = "it reads as far shorter now, though its page still shows the words"


def why_kept(
    old: Record,
    new: Record,
    page: Page | None,
    rules: Rules | None,
    entry: Entry | None = None,
    announced: bool = False,
) -> str:
    """Why the text of a record must stay, where a new reading has none or far less; empty where it may go.

    Without a `page` the reading is one of the same bytes, so that no author can have shortened it.
    """
    before, after = tokenise(old.get("text") or ""), tokenise(new.get("text") or "")
    if not is_far_less(old, new) or _is_vouched_for(old, new, after, rules, entry):
        return ""
    if page is None or share_kept(before, _words(page)) >= STILL_THERE:
        return SHORTER if after else EMPTY
    return "" if after or new.get("media") or announced else EMPTY


def is_far_less(old: Record, new: Record) -> bool:
    """Whether a new reading has none of the words that were kept, or few of them."""
    before, after = len(tokenise(old.get("text") or "")), len(tokenise(new.get("text") or ""))
    return after < FAR_LESS * before


def with_text_of(old: Record, new: Record) -> Record:
    """A new reading with the text, the pictures and the links that were kept."""
    came = (old.get("provenance") or {}).get("html")
    provenance = {name: said for name, said in (new.get("provenance") or {}).items() if name != "html"}
    return new | {name: old.get(name) for name in BODY} | {"provenance": provenance | ({"html": came} if came else {})}


def sentence(count: int) -> str:
    """What a summary says of posts whose text was not replaced."""
    return (
        f"{count:,} post{' keeps its' if count == 1 else 's keep their'} text: read again,"
        f" {'it has' if count == 1 else 'they have'} none or far less, and no edit explains that."
    )


def is_bare(record: Record) -> bool:
    """Whether a post was kept, but nothing that could be read of it; what not everybody may read is not asked for."""
    if (record.get("extra") or {}).get("visibility"):
        return False
    empty = not (record.get("text") or "").strip() and not record.get("media")
    return empty or _came(record).get("confidence", 1.0) < DOUBTFUL


def _is_vouched_for(old: Record, new: Record, after: list[str], rules: Rules | None, entry: Entry | None) -> bool:
    """Whether a short reading is surely right: a person's rule, a rule in the place of a guess, or the whole feed."""
    if (new.get("extra") or {}).get("visibility") or _is_locked(new, rules):
        return True
    if len(after) < FEW_WORDS:
        return False
    guessed, found = _came(old).get("by") in ("generic", "semantic"), _came(new)
    if guessed and found.get("by") == "rule" and found.get("confidence", 0) >= DOUBTFUL:
        return True
    told = tokenise(" ".join(html_texts(entry.html))) if entry and looks_whole(entry) else []
    return bool(told) and min(share_kept(told, after), share_kept(after, told)) >= SAME


def _is_locked(record: Record, rules: Rules | None) -> bool:
    xpath = _came(record).get("rule")
    return any(t.article.locked and t.article.xpath == xpath for t in (rules.templates if rules else ()))


def _came(record: Record) -> Record:
    return (record.get("provenance") or {}).get("html") or {}


def _words(page: Page) -> list[str]:
    body = parse_page(page).body
    return tokenise(node_text(body)) if body else []
