"""What a comment says, without what stands around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape

from selectolax.lexbor import LexborNode

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import (
    BODY,
    FRAGMENT,
    LABELS,
    META,
    SURE_BODY,
    has_token,
)
from blogforever.dom import tokenise
from blogforever.extract.clean import clean_node


class TextFinder:
    """Finds the text of each comment."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def fill(self, draft: CommentDraft, refrains: set[str]) -> None:
        """Write the text and the mark-up of a comment."""
        tree, item = self.context.tree, draft.item
        excluded = set(item.nested)
        bodies = self._bodies(draft)
        if not bodies:
            bodies = item.tops
            excluded |= self._meta(draft)
        else:
            excluded |= {n for i in bodies for n in range(i + 1, tree.last[i]) if self._is_aside(n)}
        if draft.kind in ("pingback", "trackback") and self._words(bodies, excluded, item) <= {
            "pingback",
            "trackback",
            "from",
        }:
            bodies, excluded = item.tops, set(item.nested) | {n for n in own_places(tree, item) if self._is_aside(n)}
        hidden = {tree.nodes[i].mem_id for i in excluded} | self._loose_labels(draft, bodies, excluded, refrains)
        hidden |= {mark for i in excluded if tree.tags[i] == "a" for mark in _signs_beside(tree.nodes[i])}
        parts = [clean_node(tree.nodes[i], self.context.url, hidden) for i in bodies if i not in excluded]
        draft.text = "\n\n".join(part.text for part in parts if part.text)
        draft.html = "\n".join(part.html for part in parts if part.html)
        if bodies is item.tops:
            cut = _line_length(draft)
            draft.text, draft.html = draft.text[cut:], without_start(draft.html, draft.text[:cut])

    def _words(self, bodies: Sequence[int], excluded: set[int], item: CommentItem) -> set[str]:
        """The words that are left of a comment."""
        tree = self.context.tree
        spans = [(tree.start[n], tree.end[n]) for n in excluded]
        found: set[str] = set()
        for n in self.context.own_texts(item):
            _parent, first, stop, _text = tree.texts[n]
            inside = any(tree.start[i] <= first < tree.end[i] for i in bodies)
            if inside and not any(a <= first < b for a, b in spans):
                found.update(tree.words[first:stop])
        return found

    def _bodies(self, draft: CommentDraft) -> list[int]:
        """Elements named as a comment's text that hold neither its author nor its date."""
        tree = self.context.tree
        known = (i for i in own_places(tree, draft.item) if i in self.context.by_rule.text and tree.count(i))
        if told := next((i for i in known if not self._holds_meta(draft, i)), None):
            return [told]
        found: list[int] = []
        sure: list[int] = []
        until = -1
        for i in own_places(tree, draft.item):
            if not tree.count(i):
                continue
            classes = tree.classes(i)
            named = "text" in (tree.attributes(i).get("itemprop") or "").split() or has_token(classes, BODY)
            if not named or self._holds_meta(draft, i):
                continue
            if i in draft.item.tops and len(draft.item.tops) == 1:
                continue
            if has_token(classes, SURE_BODY):
                sure.append(i)
            if i >= until:
                found.append(i)
                until = tree.last[i]
        return sure[:1] or found

    def _holds_meta(self, draft: CommentDraft, i: int) -> bool:
        """Whether an element holds the author or the date of a comment."""
        places = (draft.name_place, draft.date_place)
        return any(place is not None and i <= place < self.context.tree.last[i] for place in places)

    def _is_aside(self, i: int) -> bool:
        """Whether an element inside a comment's text is a control, or only links to the comment, as headings may."""
        tree = self.context.tree
        classes = tree.classes(i)
        if has_token(classes, _CONTROLS) or tree.tags[i] == "form":
            return True
        if tree.tags[i] == "a" and FRAGMENT.search(tree.attributes(i).get("href") or ""):
            words = tree.words[tree.start[i] : tree.end[i]]
            return bool(words) and all(word in LABELS for word in words)
        if tree.tags[i] in ("h2", "h3", "h4", "h5") and tree.last[i] == i + 2 and tree.tags[i + 1] == "a":
            return FRAGMENT.search(tree.attributes(i + 1).get("href") or "") is not None
        return False

    def _meta(self, draft: CommentDraft) -> set[int]:
        """Elements of a comment that hold its author, date or controls, not its text."""
        tree, item = self.context.tree, draft.item
        known = Counter(tokenise(f"{draft.name} {draft.date_text}"))
        found: set[int] = set()
        until = -1
        for i in own_places(tree, item):
            spread = len(item.tops) > 1
            if i < until or (i in item.tops and not (spread and (self._is_pure(i, known) or tree.tags[i] in _TITLES))):
                continue
            count = tree.count(i)
            holds = self._holds_meta(draft, i)
            classes = tree.classes(i)
            named = has_token(classes, META) and not has_token(classes, BODY)
            pure = holds and self._is_pure(i, known)
            if (
                self._is_aside(i)
                or pure
                or (named and count <= LONGEST_LABEL and not self._holds_text(i))
                or i == draft.date_place
                or (tree.tags[i] in _TITLES and self._begins_the_text(i, item))
            ):
                found.add(i)
                until = tree.last[i]
        return found

    def _begins_the_text(self, i: int, item: CommentItem) -> bool:
        """Whether a title only says what the text begins with."""
        tree, count = self.context.tree, self.context.tree.count(i)
        title = tree.words[tree.start[i] : tree.end[i]]
        return 0 < count <= LONGEST_LABEL and any(
            n >= tree.last[i] and tree.words[tree.start[n] : tree.start[n] + count] == title and tree.count(n) >= count
            for n in own_places(tree, item)
        )

    def _is_pure(self, i: int, known: Counter[str]) -> bool:
        """Whether an element holds only the name, the date and what stands between them."""
        tree = self.context.tree
        words = tree.words[tree.start[i] : tree.end[i]]
        if not 0 < len(words) <= LONGEST_LABEL:
            return False
        left = Counter(words) - known
        for n in range(i + 1, tree.last[i]):  # links to a place on the page are controls
            if left and tree.tags[n] == "a" and (tree.attributes(n).get("href") or "").startswith("#"):
                left -= Counter(tree.words[tree.start[n] : tree.end[n]])
        return all(word in LABELS or word.isdigit() for word in left)

    def _holds_text(self, i: int) -> bool:
        """Whether paragraphs of a comment's text stand in an element named after what it begins with."""
        tree = self.context.tree
        return any(
            has_token(tree.classes(n), BODY) or (tree.tags[n] == "p" and tree.count(n) > 12)
            for n in range(i + 1, tree.last[i])
        )

    def _loose_labels(
        self, draft: CommentDraft, bodies: Sequence[int], excluded: set[int], refrains: set[str]
    ) -> set[int]:
        """Text nodes that are labels ("says:", "on", "Reply"), by their words or because every comment has them."""
        tree = self.context.tree
        found: set[int] = set()
        known = LABELS | set(tokenise(f"{draft.name} {draft.date_text}"))
        own = self.context.own_texts(draft.item)
        place = draft.name_place if draft.name_place is not None else draft.date_place
        edge = tree.end[place] if place is not None else -1
        for n in own:
            parent, first, stop, text = tree.texts[n]
            short = " ".join(text.split())
            if n == draft.date_text_place or (short in refrains and self._stands_apart(n, draft.item, own, refrains)):
                found |= self._text_ids(parent, text)
            elif parent in draft.item.tops or parent == tree.parents[place or 0]:
                near = abs(first - edge) <= 2 + len(draft.date_text.split()) + 4
                if stop - first <= 8 and near and all(w in known or w.isdigit() for w in tree.words[first:stop]):
                    found |= self._text_ids(parent, text)
        return found

    def _stands_apart(self, n: int, item: CommentItem, own: Sequence[int], refrains: set[str]) -> bool:
        """Whether a text that every comment has is none of the words of a paragraph, nor all that the comment says."""
        tree = self.context.tree
        place = tree.texts[n][0]
        while tree.tags[place] in _RUNNING and place not in item.tops:
            place = tree.parents[place]
        if item.tops != [place] and tree.count(place) > LONGEST_LABEL:
            return False
        return not all(" ".join(tree.texts[n][3].split()) in refrains for n in own)

    def _text_ids(self, parent: int, text: str) -> set[int]:
        nodes = self.context.tree.nodes[parent].iter(include_text=True)
        return {node.mem_id for node in nodes if node.tag == "-text" and node.text_content == text}

    def refrains(self, drafts: Sequence[CommentDraft]) -> set[str]:
        """Short texts that stand in most comments: labels, not words of readers."""
        if len(drafts) < 3:
            return set()
        seen: Counter[str] = Counter()
        for draft in drafts:
            own = {" ".join(self.context.tree.texts[n][3].split()) for n in self.context.own_texts(draft.item)}
            seen.update(text for text in own if len(text) <= 40)
        return {text for text, count in seen.items() if count >= 3 and count >= 0.6 * len(drafts)}


def _signs_beside(node: LexborNode) -> list[int]:
    """The strokes and dots that part a link from the next one."""
    beside = (node.prev, node.next)
    return [n.mem_id for n in beside if n is not None and n.is_text_node and not _WORD.search(n.text_content or "")]


def _line_length(draft: CommentDraft) -> int:
    """How much of a text is the rest of the line about the comment, which it runs into: "(2 May): ", "wrote: "."""
    text, end = draft.text, 0
    start = text.find(draft.date_text) if draft.date_text else -1
    if start >= 0 and not any(c.isalnum() for c in text[:start]):
        end = start + len(draft.date_text)
    elif draft.name_place is None:
        return 0
    end += len(text[end:]) - len(text[end:].lstrip(_SIGNS))
    return end if end < len(text) else 0


def without_start(html: str, start: str) -> str:
    """Mark-up without the characters it begins with; tags stay."""
    left = sum(not c.isspace() for c in start)
    kept: list[str] = []
    for part in _PARTS.finditer(html):
        if not left:
            return "".join(kept) + html[part.start() :].lstrip()
        if part[0].startswith("<"):
            kept.append(part[0])
        elif not part[0].isspace():
            left -= min(left, len(unescape(part[0])))
    return "".join(kept)


_WORD = re.compile(r"\w")
_SIGNS = " \t\n)]:：,;.–—|-"
_PARTS = re.compile(r"<[^<>]*>|&[#\w]{1,32};|.", re.DOTALL)
_TITLES = frozenset({"h2", "h3", "h4", "h5", "h6"})
_RUNNING = frozenset({"a", "abbr", "b", "cite", "code", "em", "i", "kbd", "small", "span", "strong", "tt", "u", "var"})
_CONTROLS = frozenset(
    "reply replylink commentreply commentreplylink commentactions commentedit editlink commenteditlink links buttons"
    " sharedaddy likes commentlikes karma vote votes voting rating commentnumber respond commentrespond"
    " commentawaitingmoderation itemcontrol blogadmin seemore commentlikeslink commentscore flag report"
    " screenreadertext visuallyhidden hidden commentlink permalink commentpermalink cbuttons commentfooter".split()
)
