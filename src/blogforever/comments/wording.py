"""What a comment says, without what stands around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from blogforever.comments.briefs import brief_texts, parts_about
from blogforever.comments.buttons import is_button, is_row_of_controls, only_asks_for_answer
from blogforever.comments.cleaning import clean_author
from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.labelled import is_label_of_part
from blogforever.comments.replied import AnsweredLines
from blogforever.comments.trimming import line_length, signs_beside, without_start
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import (
    ACTS,
    ANSWERING,
    BODY,
    CONTROLS,
    COUNTED,
    FRAGMENT,
    LABELS,
    SURE_BODY,
    has_token,
    is_called,
    is_meta,
)
from blogforever.dom import tokenise
from blogforever.elements import is_inline
from blogforever.extract.clean import clean_node

_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TITLES = frozenset({"h2", "h3", "h4", "h5", "h6"})
_LINKING_TITLES = _TITLES - {"h6"}
_SUBJECTS = _TITLES | frozenset({"dt", "strong", "b", "span"})
_PARAGRAPHS = frozenset({"p", "blockquote", "pre"})
_RUNNING = frozenset("a abbr b cite code em i kbd small span strong tt u var".split())
_LINKBACK_WORDS = frozenset({"pingback", "trackback", "from"})
# Words of a paragraph that is surely what a comment says, even in an element named after its head.
_SURE_PARAGRAPH = 12
# Words of "has written:".
_SAYING = 2
# Words of a loose label such as "on … at … said:".
_LONGEST_LOOSE = 8
# Words that may stand between a loose label and the name or date, besides those of the date.
_LABEL_REACH = 6
# A text is a refrain if it is no longer than this, and stands in so many comments and in this share
# of them. A lower share takes out greetings of readers, a higher one leaves labels in the text that
# some comments lack.
_LONGEST_REFRAIN = 40
_FEWEST_REFRAINS = 3
_REFRAIN_SHARE = 0.6


@dataclass(frozen=True)
class _Body:
    """Elements with a comment's text, and those in them that are none of it."""

    elements: Sequence[int]
    excluded: set[int]
    is_whole_comment: bool = False


class TextFinder:
    """Finds the text of each comment."""

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.shared: frozenset[int] = frozenset()
        """The elements with the texts of all comments, where what they all have in common shows them."""
        self.answered = AnsweredLines(frozenset(), frozenset(), {})
        """What only says whom comments answer."""
        self.numbers: frozenset[int] = frozenset()
        """The elements with a number that most comments have."""

    def fill(self, draft: CommentDraft, refrains: set[str]) -> None:
        """Write the text and the mark-up of a comment."""
        self._write(draft, self._body(draft), self._loose_labels(draft, refrains))
        if not draft.text:
            brief = brief_texts(self.context, draft, self._is_about)
            own = [i for i in brief if not self._is_said_by_most(i, refrains)]
            self._write(draft, _Body(own, {*draft.item.nested, *parts_about(self.context, own)}), set())

    def _write(self, draft: CommentDraft, body: _Body, labels: set[int]) -> None:
        """Write what stands in some elements, without the texts that are labels."""
        tree = self.context.tree
        hidden = {tree.nodes[i].mem_id for i in body.excluded} | labels
        for i in body.excluded:
            if tree.tags[i] == "a":
                hidden.update(signs_beside(tree.nodes[i]))
        texts, htmls = [], []
        for i in body.elements:
            if i not in body.excluded:
                part = clean_node(tree.nodes[i], self.context.url, hidden)
                texts.append(part.text)
                htmls.append(part.html)
        draft.text = "\n\n".join(filter(None, texts))
        draft.html = "\n".join(filter(None, htmls))
        if body.is_whole_comment:
            cut = line_length(draft)
            draft.html = without_start(draft.html, draft.text[:cut])
            draft.text = draft.text[cut:]

    def _is_about(self, i: int) -> bool:
        """Whether an element is about a comment by what it is called, or by what is done with it."""
        return self._is_aside(i) or self._is_named_as_meta(i) or is_label_of_part(self.context.tree, i)

    def _is_said_by_most(self, i: int, refrains: set[str]) -> bool:
        return " ".join(self.context.tree.text(i).split()) in refrains

    def _body(self, draft: CommentDraft) -> _Body:
        """The elements named as the text; else the comment without what is about it."""
        item = draft.item
        named = self._bodies(draft)
        if named:
            below = (n for i in named for n in range(i + 1, self.context.tree.last[i]))
            body = _Body(named, {*item.nested, *self._asides(below)})
        else:
            body = _Body(item.tops, {*item.nested, *self._meta(draft)}, is_whole_comment=True)
        if draft.kind not in ("pingback", "trackback"):
            return body
        if not self._words(body, item) <= _LINKBACK_WORDS:
            return body
        # All that another blog sent is its title: it was taken for the name, and is the text, too.
        asides = self._asides(own_places(self.context.tree, item))
        return _Body(item.tops, {*item.nested, *asides}, is_whole_comment=True)

    def _words(self, body: _Body, item: CommentItem) -> set[str]:
        """The words that are left of a comment."""
        tree = self.context.tree
        inside = [(tree.start[i], tree.end[i]) for i in body.elements]
        outside = [(tree.start[i], tree.end[i]) for i in body.excluded]
        words: set[str] = set()
        for n in self.context.own_texts(item):
            _parent, first, stop, _text = tree.texts[n]
            if not _is_within(first, inside) or _is_within(first, outside):
                continue
            words.update(tree.words[first:stop])
        return words

    # --- the elements named as the text

    def _bodies(self, draft: CommentDraft) -> list[int]:
        """Elements that a rule, their name, or what all comments have in common shows to be the text."""
        ruled = self._body_by_rule(draft)
        bodies = [ruled] if ruled is not None else self._named_bodies(draft)
        bodies = bodies or [i for i in own_places(self.context.tree, draft.item) if i in self.shared]
        return [*bodies, *self._further_paragraphs(draft, bodies)]

    def _named_bodies(self, draft: CommentDraft) -> list[int]:
        """Elements named as a comment's text that hold neither its author nor its date."""
        tree = self.context.tree
        named: list[int] = []
        sure: list[int] = []
        until = -1
        for i in own_places(tree, draft.item):
            if not tree.count(i) or not self._is_named_as_body(i):
                continue
            if draft.item.tops == [i] or self._holds_meta(draft, i):
                continue
            if has_token(tree.classes(i), SURE_BODY):
                sure.append(i)
            if i >= until:
                named.append(i)
                until = tree.last[i]
        return sure[:1] or named

    def _further_paragraphs(self, draft: CommentDraft, bodies: Sequence[int]) -> list[int]:
        """The paragraphs without a name right behind the one that is named the text: only the first got the name."""
        tree = self.context.tree
        further: list[int] = []
        if len(bodies) != 1 or tree.tags[bodies[0]] != "p":
            return further
        following, stop = tree.last[bodies[0]], tree.last[tree.parents[bodies[0]]]
        while following < stop and tree.tags[following] == "p" and not tree.attributes(following):
            if self._holds_meta(draft, following):
                break
            further.append(following)
            following = tree.last[following]
        return further

    def _body_by_rule(self, draft: CommentDraft) -> int | None:
        """The element that a rule names as the text."""
        ruled = self.context.by_rule.text
        if not ruled:
            return None
        tree = self.context.tree
        for i in own_places(tree, draft.item):
            if i in ruled and tree.count(i) and not self._holds_meta(draft, i):
                return i
        return None

    def _is_named_as_body(self, i: int) -> bool:
        """Whether its class or its microdata call an element the text."""
        tree = self.context.tree
        if "text" in tree.attribute(i, "itemprop").split():
            return True
        return is_called(tree.classes(i), BODY)

    def _holds_meta(self, draft: CommentDraft, i: int) -> bool:
        """Whether an element holds the author or the date of a comment."""
        last = self.context.tree.last[i]
        places = (draft.name_place, draft.date_place)
        return any(place is not None and i <= place < last for place in places)

    # --- what is no text

    def _asides(self, places: Iterable[int]) -> set[int]:
        """The elements of these that are not part of the text."""
        return {i for i in places if self._is_aside(i)}

    def _is_aside(self, i: int) -> bool:
        """Whether an element inside a comment's text is a control, or only links to the comment."""
        if i in self.answered.elements or self._is_called_control(i) or self._is_subject(i):
            return True
        if self._is_count(i) or is_button(self.context, i):
            return True
        is_line = is_row_of_controls(self.context, i) or only_asks_for_answer(self.context, i)
        return is_line or self._is_link_to_comment(i) or self._names_answered(i)

    def _is_called_control(self, i: int) -> bool:
        """Whether an element is called something to press; in a line with more words than a label
        has it is the rest of a long comment, hidden until somebody unfolds it.
        """
        tree = self.context.tree
        is_rest = is_inline(tree.tags[i]) and tree.count(i) > LONGEST_LABEL
        return tree.tags[i] == "form" or (has_token(tree.classes(i), CONTROLS) and not is_rest)

    def _names_answered(self, i: int) -> bool:
        """Whether an element is a line that only says whom a comment answers: "Reply @Ann:"."""
        tree = self.context.tree
        if not 0 < tree.count(i) <= _LONGEST_LOOSE or tree.tags[i] in _PARAGRAPHS:
            return False
        named = self._spoken_to(i)
        if not named:
            return False
        left = Counter(tree.words_of(i)) - Counter(word for n in named for word in tree.words_of(n))
        # In the line of a sentence a mere name is somebody who is spoken to.
        is_line = not is_inline(tree.tags[i]) or tree.blocks[tree.parents[i]]
        return (bool(left) or is_line) and ACTS.union(LABELS).issuperset(left)

    def _spoken_to(self, i: int) -> list[int]:
        """The links of an element to places on the page that are called as people are: "@Ann"."""
        tree = self.context.tree
        links = (n for n in range(i, tree.last[i]) if tree.tags[n] == "a" and tree.text(n).strip().startswith("@"))
        return [n for n in links if tree.attribute(n, "href").startswith("#")]

    def _is_count(self, i: int) -> bool:
        """Whether an element is but a number, called after what it counts: votes, likes."""
        tree = self.context.tree
        if i in self.numbers:
            return True
        is_number = tree.count(i) == 1 and tree.words[tree.start[i]].isdecimal()
        names = (word.casefold() for token in tree.classes(i) for word in _NAME_PARTS.findall(token))
        return is_number and not COUNTED.isdisjoint(names)

    def _is_link_to_comment(self, i: int) -> bool:
        """Whether an element is a link to the comment that says nothing else, or a title that is
        but one.
        """
        tree = self.context.tree
        if tree.tags[i] == "a" and self._links_to_comment(i):
            words = set(tree.words_of(i))
            is_alone = tree.count(tree.parents[i]) == tree.count(i)  # a number in a sentence is somebody's answer
            numbers = {word for word in words if word.isdecimal()} if is_alone else set()
            return bool(words) and words - LABELS <= numbers
        # A title that only links to the comment holds one element.
        if tree.tags[i] not in _LINKING_TITLES or tree.last[i] != i + 2:
            return False
        return tree.tags[i + 1] == "a" and self._links_to_comment(i + 1)

    def _links_to_comment(self, i: int) -> bool:
        """Whether an element leads to a comment of the page."""
        return FRAGMENT.search(self.context.tree.attribute(i, "href")) is not None

    def _meta(self, draft: CommentDraft) -> set[int]:
        """Elements of a comment that hold its author, date or controls, not its text."""
        tree = self.context.tree
        tops = draft.item.tops
        told = Counter(tokenise(f"{draft.name} {draft.date_text}"))
        meta: set[int] = set()
        until = -1
        for i in own_places(tree, draft.item):
            if i < until:
                continue
            if i in tops and not (len(tops) > 1 and self._may_be_about(i, told)):
                continue
            if self._is_meta(draft, i, told):
                meta.add(i)
                until = tree.last[i]
        return meta

    def _may_be_about(self, i: int, told: Counter[str]) -> bool:
        """Whether one of several elements of a comment may be only about it."""
        return self.context.tree.tags[i] in _TITLES or self._is_pure(i, told) or is_row_of_controls(self.context, i)

    def _is_meta(self, draft: CommentDraft, i: int, told: Counter[str]) -> bool:
        """Whether an element is about the comment: its date, its author, a control, a title."""
        if i == draft.date_place or self._is_aside(i) or is_label_of_part(self.context.tree, i):
            return True
        if self._holds_meta(draft, i) and (self._is_pure(i, told) or self._only_names(draft, i)):
            return True
        if self._is_named_as_meta(i) or self._names_first(draft, i):
            return True
        return self.context.tree.tags[i] in _TITLES and self._begins_the_text(i, draft.item)

    def _names_first(self, draft: CommentDraft, i: int) -> bool:
        """Whether a comment begins with a line that is but the name which stands below its text,
        too.
        """
        tree = self.context.tree
        is_below = draft.name_place is not None and draft.name_place >= tree.last[i]
        is_line = tree.start[i] == tree.start[draft.item.tops[0]] and not is_inline(tree.tags[i])
        return is_below and is_line and tree.words_of(i) == tokenise(draft.name) != []

    def _only_names(self, draft: CommentDraft, i: int) -> bool:
        """Whether an element holds the name, and else only what was taken off it."""
        return i == draft.name_place and clean_author(self.context.tree.text(i)) == draft.name

    def _is_subject(self, i: int) -> bool:
        """Whether an element is a line that only repeats what the post is called."""
        tree = self.context.tree
        is_line = tree.tags[i] in _SUBJECTS and 0 < tree.count(i) <= LONGEST_LABEL
        return is_line and self.context.is_subject(tree.text(i))

    def _is_named_as_meta(self, i: int) -> bool:
        """Whether the classes of an element call it a line about the comment, and it is one."""
        tree = self.context.tree
        classes = tree.classes(i)
        if not is_meta(classes) or is_called(classes, BODY):
            return False
        return tree.count(i) <= LONGEST_LABEL and not self._holds_text(i)

    def _begins_the_text(self, i: int, item: CommentItem) -> bool:
        """Whether a title only says what the text begins with."""
        tree = self.context.tree
        title = tree.words_of(i)
        count = len(title)
        if not 0 < count <= LONGEST_LABEL:
            return False
        for n in own_places(tree, item):
            if n < tree.last[i] or tree.count(n) < count:
                continue
            if tree.words[tree.start[n] : tree.start[n] + count] == title:
                return True
        return False

    def _is_pure(self, i: int, told: Counter[str]) -> bool:
        """Whether an element holds only the name, the date and what stands between them."""
        tree = self.context.tree
        words = tree.words_of(i)
        if not 0 < len(words) <= LONGEST_LABEL:
            return False
        left = Counter(words) - told
        for n in range(i + 1, tree.last[i]):
            if not left:
                break
            # Links to a place on the page are controls.
            if tree.tags[n] == "a" and tree.attribute(n, "href").startswith("#"):
                left -= Counter(tree.words_of(n))
        return _are_labels(left)

    def _holds_text(self, i: int) -> bool:
        """Whether a comment's text stands in an element that is named after its head."""
        tree = self.context.tree
        for n in range(i + 1, tree.last[i]):
            if tree.tags[n] == "p" and tree.count(n) > _SURE_PARAGRAPH:
                return True
            if has_token(tree.classes(n), BODY):
                return True
        return False

    # --- labels in plain text

    def _loose_labels(self, draft: CommentDraft, refrains: set[str]) -> set[int]:
        """Text nodes that are labels ("says:", "on", "Reply"), by their words or as refrains."""
        tree = self.context.tree
        told = frozenset(tokenise(f"{draft.name} {draft.date_text}"))
        own = self.context.own_texts(draft.item)
        labels: set[int] = set()
        for n in own:
            is_refrain = self._is_refrain(n, draft.item, own, refrains)
            is_about = n in (draft.date_text_place, draft.name_text_place) or n in self.answered.texts
            is_about = is_about or self._is_initial(draft, n)
            is_about = is_about or self._says_so(draft, n) or self._is_subject_beside_date(draft, n)
            if is_about or is_refrain or self._is_beside_meta(draft, n, told):
                parent, _first, _stop, text = tree.texts[n]
                labels |= self._text_ids(parent, text)
                labels.update(signs_beside(tree.nodes[parent]) if tree.tags[parent] == "a" else ())
        return labels

    def _is_initial(self, draft: CommentDraft, n: int) -> bool:
        """Whether a text is the first letter of the name, which is drawn where a picture is
        missing.
        """
        _parent, first, _stop, text = self.context.tree.texts[n]
        is_before = draft.name_place is not None and first < self.context.tree.start[draft.name_place]
        return is_before and len(text.strip()) == 1 and draft.name.casefold().startswith(text.strip().casefold())

    def _says_so(self, draft: CommentDraft, n: int) -> bool:
        """Whether a text is a word or two with a colon right behind the name, or right before it: "wrote:", "Sent by:"
        in any language.
        """
        tree, place = self.context.tree, draft.name_place
        parent, first, stop, text = tree.texts[n]
        is_before = place is not None and stop == tree.start[place] and draft.kind == "comment"
        touches = is_before or (place is not None and first == tree.end[place])
        is_beside = touches and parent not in draft.item.tops
        return is_beside and 0 < stop - first <= _SAYING and text.rstrip().endswith((":", "："))

    def _is_subject_beside_date(self, draft: CommentDraft, n: int) -> bool:
        """Whether a text is what the comment is about, right before the day: "Re: The gate"."""
        _parent, _first, stop, text = self.context.tree.texts[n]
        is_before = draft.date_place is not None and stop == self.context.tree.start[draft.date_place]
        return is_before and not ANSWERING.isdisjoint(tokenise(text)[:1]) and self.context.is_subject(text)

    def _is_beside_meta(self, draft: CommentDraft, n: int, told: Set[str]) -> bool:
        """Whether a text of label words stands beside the name, or else beside the date."""
        tree = self.context.tree
        parent, first, stop, _text = tree.texts[n]
        place = draft.date_place if draft.name_place is None else draft.name_place
        edge, around = -1, -1
        if place is not None:
            edge = tree.end[place]
            around = tree.parents[place]
        if parent != around and parent not in draft.item.tops:
            return False
        reach = _LABEL_REACH + len(draft.date_text.split())
        if stop - first > _LONGEST_LOOSE or abs(first - edge) > reach:
            return False
        return _are_labels(tree.words[first:stop], told)

    def _is_refrain(
        self,
        n: int,
        item: CommentItem,
        own: Sequence[int],
        refrains: set[str],
    ) -> bool:
        """Whether a text is a refrain, but neither part of a paragraph nor all of the comment."""
        if not refrains or self._line(n) not in refrains:
            return False
        tree = self.context.tree
        place = tree.texts[n][0]
        while tree.tags[place] in _RUNNING and place not in item.tops:
            place = tree.parents[place]
        if item.tops != [place] and tree.count(place) > LONGEST_LABEL:
            return False
        return not all(self._line(n) in refrains for n in own)

    def _line(self, n: int) -> str:
        """A text without its line breaks."""
        _parent, _first, _stop, text = self.context.tree.texts[n]
        return " ".join(text.split())

    def _text_ids(self, parent: int, text: str) -> set[int]:
        """The nodes of a text: of each that an element repeats word by word."""
        nodes = self.context.tree.nodes[parent].iter(include_text=True)
        return {node.mem_id for node in nodes if node.tag == "-text" and node.text_content == text}

    def refrains(self, drafts: Sequence[CommentDraft]) -> set[str]:
        """Short texts that stand in most comments: labels, not words of readers."""
        if len(drafts) < _FEWEST_REFRAINS:
            return set()
        seen: Counter[str] = Counter()
        for draft in drafts:
            own = {self._line(n) for n in self.context.own_texts(draft.item)}
            seen.update(text for text in own if len(text) <= _LONGEST_REFRAIN)
        fewest = max(_FEWEST_REFRAINS, _REFRAIN_SHARE * len(drafts))
        return {text for text, count in seen.items() if count >= fewest}


def _are_labels(words: Iterable[str], told: Set[str] = frozenset()) -> bool:
    """Whether words say nothing of their own: those told elsewhere, numbers of a date, and what stands around it."""
    return all(word in LABELS or word in told or word.isdigit() for word in words)


def _is_within(word: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a word lies in one of the spans."""
    return any(first <= word < stop for first, stop in spans)
