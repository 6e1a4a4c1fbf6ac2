"""Is it an edit? Two captures of a post compared under the same rules, so that a theme or a rule is
none.

Where both pages are in one theme, the contents the rules find are compared. Where the theme
changed, the rules do not find the same parts, so the words themselves are looked for: an article
whose words all stand on the other page, in the same company, was not edited, wherever the new theme
draws its borders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from blogforever.discover.pagefacts import read_facts
from blogforever.dom import node_text, tokenise
from blogforever.extract.content import Content, letters, media_names
from blogforever.model import Page, Post
from blogforever.page.view import view_of
from blogforever.similarity import shingle_marks

from .facts import changed_on_page, in_words

Judgement = Literal["same", "edit", "revision", "replaced", "closed"]
Read = Callable[[Page], Post]
SAME_THEME = 0.6
"""Share of the class names and ids two pages of one theme have in common, at least."""
REPLACED = 0.25
"""An article with less of the earlier one's words in it is another article."""
# A word or two at a border lose their company without anybody having touched them; a share of long
# texts.
FEW_WORDS, FEW_OF_MANY = 8, 20
# A feed may cut a text anywhere near its end, and add words of its own there.
CUT_CHARACTERS, CUT_SHARE = 40, 0.75
AS_EMPTY = 0.85
"""A page this much like the answer to an address that cannot exist is that answer."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found; `sure` where the blog itself announced it or nothing differs."""

    judgement: Judgement
    sure: bool = True
    kept: float = 1.0
    reason: str = ""
    only_facts: bool = False
    """Whether title, text and pictures are as they were, and only what is said beside them differs.
    """


class Capture:
    """One capture of a post's page, read by the rules that now apply.

    Whatever reading raises is raised here.
    """

    def __init__(self, page: Page, read: Read) -> None:
        self.page = page
        # Without the feed's help: that has its own history.
        self.post: Post = read(page)

    @cached_property
    def content(self) -> Content:
        """What the author made of it."""
        post = self.post
        return Content(letters(post.title or ""), letters(post.text), media_names(m.url for m in post.media))

    @cached_property
    def words(self) -> list[str]:
        """The words of the article."""
        return tokenise(self.post.text)

    @cached_property
    def page_words(self) -> list[str]:
        """All words of the page, its title's among them."""
        body = view_of(self.page).tree.body
        return tokenise(f"{self.post.title or ''} {node_text(body) if body else ''}")

    @cached_property
    def marks(self) -> frozenset[str]:
        """The class names and ids of the page: its theme."""
        return frozenset(read_facts(self.page).words)

    @property
    def rule(self) -> tuple[str, str]:
        """By which way, and which rule, the article was found."""
        found = self.post.provenance.get("html")
        return (found.by, found.rule) if found else ("", "")


def judge(old: Capture, new: Capture, announced: bool) -> Verdict:
    """Whether the author changed the post between the two captures.

    `announced` says that the blog says so.
    """
    if old.content == new.content:
        return Verdict("same")
    if new.post.visibility and not old.post.visibility:
        return Verdict("closed", True, 0.0, "not everybody may read it any more")
    kept = share_kept(old.words, new.words)
    same_rule = old.rule == new.rule and old.rule[0] == "rule"
    if same_rule and same_theme(old, new):
        return _in_one_theme(old, new, announced, kept)
    return _across_themes(old, new, announced, kept)


def judge_facts(old: Capture, new: Capture, announced: bool) -> Verdict:
    """The same for two captures with one content: who, when, and under which words."""
    changed = changed_on_page(old.post, new.post)
    if not changed or not same_theme(old, new):
        return Verdict("same")
    return Verdict("edit", announced, reason=in_words(changed), only_facts=True)


def _across_themes(old: Capture, new: Capture, announced: bool, kept: float) -> Verdict:
    """The words decide: the rules do not find the same parts on both pages."""
    lost, added = missing_words(old, new), missing_words(new, old)
    if not lost and not added and not _media_changed(old, new):
        return Verdict("revision", True, kept, "the theme or the rules changed, the words did not")
    if kept < REPLACED and len(lost) > FEW_WORDS:
        return Verdict("replaced", False, kept, "most of its words are gone")
    if announced:
        return Verdict("edit", True, kept, "announced")
    return Verdict("revision", False, kept, "read in another way; nothing was announced")


def _in_one_theme(old: Capture, new: Capture, announced: bool, kept: float) -> Verdict:
    same_words = (old.content.title, old.content.text) == (new.content.title, new.content.text)
    if same_words and not _media_changed(old, new):
        return Verdict("same", True, kept, "the same pictures under other names")
    if kept < REPLACED and len(old.words) > FEW_WORDS:
        return Verdict("replaced", False, kept, "most of its words are gone")
    return Verdict("edit", announced, kept, "announced" if announced else "found by looking again")


def share_kept(old: Sequence[str], new: Sequence[str]) -> float:
    """How much of the old words stand in the new text in the same company."""
    return sum(shingle_marks(old, new)) / len(old) if old else 1.0


def alike(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a text is mostly another one's."""
    return bool(old and new) and share_kept(old, new) >= 1 - REPLACED


def same_theme(old: Capture, new: Capture) -> bool:
    """Whether two pages share most of their class names and ids."""
    if not old.marks and not new.marks:
        return True
    fewer = min(len(old.marks), len(new.marks))
    return fewer > 0 and len(old.marks & new.marks) >= SAME_THEME * fewer


def missing_words(of: Capture, on: Capture) -> list[str]:
    """Words of one capture's article and title that the other's page has not at all, or in other
    company only.
    """
    article = [*tokenise(of.post.title or ""), *of.words]
    there = set(on.page_words)
    lost = [word for word in article if word not in there]
    if lost:
        return lost
    marks = shingle_marks(of.words, on.page_words)
    moved = [word for word, mark in zip(of.words, marks, strict=True) if not mark]
    few = max(FEW_WORDS, len(of.words) // FEW_OF_MANY)
    return moved if len(moved) > few else []


def _media_changed(old: Capture, new: Capture) -> bool:
    """Whether a picture came or went.

    One that stands in both pages' bytes only changed its place.
    """
    gone, come = old.content.media - new.content.media, new.content.media - old.content.media
    taken_away = any(not _named_in(new.page, name) for name in gone)
    return taken_away or any(not _named_in(old.page, name) for name in come)


def _named_in(page: Page, name: str) -> bool:
    """Whether a file of this name stands in a page's bytes, in an address: short names are words of
    the page, too.
    """
    file = re.escape(name.encode())
    in_address = rb"(?:/|%2f)" + file + rb"|[\"'=(, ]" + file + rb"[-_.@]"
    return re.search(in_address, page.content.lower()) is not None


def same_text_told(old: str, new: str) -> bool:
    """Whether a feed's text is the same or was only cut shorter or given whole."""
    shorter, longer = sorted((letters(old).rstrip(".…"), letters(new).rstrip(".…")), key=len)
    begun = max(len(shorter) - CUT_CHARACTERS, int(len(shorter) * CUT_SHARE))
    return longer.startswith(shorter[:begun])


def as_empty(text: str, empty: list[str]) -> bool:
    """Whether these are the words that stand at an address where nothing can be."""
    words = text.split()
    return bool(words) and min(share_kept(words, empty), share_kept(empty, words)) >= AS_EMPTY


def came_by(post: Post, name: str) -> str:
    """Which way a field of a reading came; empty where there is none."""
    found = post.provenance.get(name)
    return found.by if found else ""
