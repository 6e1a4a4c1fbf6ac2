"""A reading with no text, or far less, never takes the place of a better one: rules can go wrong
for a whole blog.

Authors shorten their posts, too. Who did it, the page tells: where it still shows the words that
were kept, the reading is at fault and the text stays; where they are gone, it is an edit. An empty
text is one only where the blog itself announces it, for a page that shows nothing is more often out
of order.
"""

from __future__ import annotations

from msgspec.structs import replace

from blogforever.dom import node_text, tokenise
from blogforever.extract.bodies import DOUBTFUL
from blogforever.learn.samples import html_texts
from blogforever.learn.teacher import looks_whole
from blogforever.model import Entry, Page, Rules
from blogforever.page.view import view_of
from blogforever.records import PostRecord

from .versions import share_kept

# Less than this of the words that were kept: revisions and better rules take away less, wrong rules
# nearly all.
FAR_LESS = 0.25
HALF = 0.5
"""A reading with less of the words may be right, but why it took the place of the other one is
written down.
"""
# So much of the kept words on the page says that it shows the text. An author's edit leaves fewer
# of them.
STILL_THERE = 0.75
SAME = 0.9
"""So much in common makes a reading the text the feed has whole."""
# So few words may be a caption or a button: they vouch for nothing.
FEW_WORDS = 8
EMPTY = "it reads as empty now, and nothing announces that its author took the text away"
CLOSED = "less than half of its words: not everybody may read them any more"
CUT_DOWN = "less than half of its words: its page no longer shows the others"
READ_SHORTER = "less than half of its words, read in another way"
SHORTER = "it reads as far shorter now, though its page still shows the words"


def why_kept(
    old: PostRecord,
    new: PostRecord,
    page: Page | None,
    rules: Rules | None,
    entry: Entry | None = None,
    announced: bool = False,
) -> str:
    """Why the text of a record must stay, where a new reading has none or far less; empty where it
    may go.

    Without a `page` the reading is one of the same bytes, so that no author can have shortened it.
    """
    before, after = tokenise(old.text), tokenise(new.text)
    if not is_far_less(old, new) or _is_vouched_for(old, new, after, rules, entry):
        return ""
    still_shown = page is None or share_kept(before, _words(page)) >= STILL_THERE
    if still_shown:
        return SHORTER if after else EMPTY
    explained = after or new.media or announced
    return "" if explained else EMPTY


def why_shorter(old: PostRecord, new: PostRecord, page: Page | None = None) -> str:
    """Why a reading with less than half of the words took the place of the one that was kept; empty
    for any other.
    """
    before, after = tokenise(old.text), tokenise(new.text)
    if len(after) >= HALF * len(before):
        return ""
    if new.extra.visibility:
        return CLOSED
    still_shown = page is None or share_kept(before, _words(page)) >= STILL_THERE
    return READ_SHORTER if still_shown else CUT_DOWN


def is_far_less(old: PostRecord, new: PostRecord) -> bool:
    """Whether a new reading has none of the words that were kept, or few of them."""
    before, after = len(tokenise(old.text)), len(tokenise(new.text))
    return after < FAR_LESS * before


def with_text_of(old: PostRecord, new: PostRecord) -> PostRecord:
    """A new reading with the text, the pictures and the links that were kept."""
    provenance = {name: way for name, way in new.provenance.items() if name != "html"}
    if old.text_source:
        provenance["html"] = old.text_source
    return replace(
        new,
        text=old.text,
        html=old.html,
        media=old.media,
        links=old.links,
        kind=old.kind,
        provenance=provenance,
    )


def is_bare(record: PostRecord) -> bool:
    """Whether a post was kept, but nothing that could be read of it.

    What not everybody may read is not asked for.
    """
    if record.extra.visibility:
        return False
    if not record.text.strip() and not record.media:
        return True
    return record.text_source is not None and record.text_source.confidence < DOUBTFUL


def _is_vouched_for(
    old: PostRecord, new: PostRecord, after: list[str], rules: Rules | None, entry: Entry | None
) -> bool:
    """Whether a short reading is surely right: a person's rule, a rule in the place of a guess, or
    the whole feed.
    """
    if new.extra.visibility or _is_locked(new, rules):
        return True
    if len(after) < FEW_WORDS:
        return False
    is_rule_for_guess = _is_guessed(old) and _is_found_by_rule(new)
    return is_rule_for_guess or _is_text_of_feed(after, entry)


def _is_text_of_feed(words: list[str], entry: Entry | None) -> bool:
    if entry is None or not looks_whole(entry):
        return False
    fed = tokenise(" ".join(html_texts(entry.html)))
    return bool(fed) and min(share_kept(fed, words), share_kept(words, fed)) >= SAME


def _is_locked(record: PostRecord, rules: Rules | None) -> bool:
    xpath = record.text_source.rule if record.text_source else None
    articles = [template.article for template in (rules.templates if rules else ())]
    return any(article.locked and article.xpath == xpath for article in articles)


def _is_guessed(record: PostRecord) -> bool:
    return record.text_source is not None and record.text_source.by in ("generic", "semantic")


def _is_found_by_rule(record: PostRecord) -> bool:
    source = record.text_source
    return source is not None and source.by == "rule" and source.confidence >= DOUBTFUL


def _words(page: Page) -> list[str]:
    body = view_of(page).tree.body
    return tokenise(node_text(body)) if body else []
