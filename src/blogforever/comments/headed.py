"""Comments below a heading, known by the lines about them, or because they repeat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from blogforever.comments.alone import is_alone_above_field
from blogforever.comments.announcing import (
    announcements,
    closes_list,
    counts_from_above,
    is_in_article,
    links_elsewhere,
)
from blogforever.comments.answersalike import with_answers_alike
from blogforever.comments.dated import LONGEST_LABEL, has_date, is_label
from blogforever.comments.datedlines import groups_by_dated_lines, leave_many_words
from blogforever.comments.forms import places_to_write
from blogforever.comments.margins import is_margin
from blogforever.comments.setin import boxes_of_answers, lists_in_list
from blogforever.comments.stated import read_count, says_none
from blogforever.comments.undated import most_frequent, undated_runs
from blogforever.comments.words import INVITATION, SPEAKS, SPOKE
from blogforever.elements import HEADINGS, is_inline
from blogforever.page.view import PageView

_TITLES = frozenset({*HEADINGS, "b", "strong", "dt"})
_NAMES = frozenset({"b", "strong", "cite", "em", "i", "a", "h3", "h4", "h5", "h6", "span"})
_ENDS = frozenset({"form", "footer", "nav", "aside"})
_WRAPPERS = frozenset({"ol", "ul", "div", "section"})
_TEXTS = frozenset({"p", "blockquote"})
# One of a kind does not repeat.
_FEW = 2
# Elements that are enough to see what all of them are: dates of thousands take long to look for.
_SAMPLE = 40
# Words of a commenter's name; a longer one is a stressed sentence at the head of a text.
_LONGEST_NAME = 8
# Words of a name that is a heading and links to its person; a longer one is the title of a post.
_LONGEST_LINKED_NAME = 4
# Elements at the head of a comment among which its name is looked for: boxes around it, empty ones
# before it.
_NAME_DEPTH = 8
# Words of an element that holds nothing but a date.
_BARE_DATE = 3
# Share of the words below a heading that whole comments hold. Names, dates and titles beside the
# texts would be more than what is left.
_NEARLY_ALL = 0.9
# Elements of a comment before its first answer; it bounds the work on boxes in boxes.
_MOST_IN_COMMENT = 60
# Elements around a heading behind which its comments are looked for: themes wrap a heading in a box
# or two. With more, what follows a heading in the side bar counts.
_LEVELS = 3


def groups_below_heading(tree: PageView) -> list[list[int]]:
    """The elements of each comment below the first heading or label that announces some."""
    for i, stated in announcements(tree):
        groups = _groups_after(tree, i, stated)
        if groups and (_is_headed_otherwise(tree, i, groups[0][0]) or counts_from_above(tree, i, groups)):
            continue
        if groups and _are_believed(tree, i, groups, stated):
            return groups
    return []


def _groups_after(tree: PageView, line: int, stated: int | None) -> list[list[int]]:
    """The elements of each comment behind a line, or behind a remark on how to comment that
    follows it.
    """
    following = _after(tree, line)
    filled = _filled(tree, following)
    if filled and says_none(tree, filled[0]):
        return []
    if len(filled) > 1 and tree.tags[filled[-1]] != tree.tags[filled[-2]] and closes_list(tree, filled[-1]):
        following = filled = filled[:-1]
    groups = _runs_in(tree, following, filled, stated)
    if len(filled) != _FEW or tree.tags[filled[0]] != "p" or has_date(tree, filled[0]):
        return groups
    if tree.count(filled[0]) > LONGEST_LABEL:
        return groups
    behind = comment_runs(tree, filled[1:], stated)
    return behind if len(behind) >= _FEW or not groups else groups


def _runs_in(tree: PageView, following: Sequence[int], filled: Sequence[int], stated: int | None) -> list[list[int]]:
    """The comments in elements below a line; where these seem to hold one or none, those in the first of them."""
    groups = comment_runs(tree, following, stated)
    return groups if len(groups) >= _FEW else _in_first_of(tree, filled, stated) or groups


def _in_first_of(tree: PageView, filled: Sequence[int], stated: int | None) -> list[list[int]]:
    """The comments in the first of several elements below a line, if each is dated: what follows it is about something
    else.
    """
    groups = comment_runs(tree, filled[:1], stated) if len(filled) > 1 else []
    are_dated = all(any(has_date(tree, i) for i in group) for group in groups)
    return groups if len(groups) >= _FEW and are_dated else []


def _are_believed(tree: PageView, line: int, groups: Sequence[Sequence[int]], stated: int | None) -> bool:
    """Whether what repeats below a heading, or a mere line, that speaks of comments is some.
    "Discussion" may stand in an article, too, above those who discuss.
    """
    if tree.tags[line] not in HEADINGS:
        return _confirm(tree, groups, stated)
    is_proven = len(groups) == stated or _are_quoted(tree, groups) or (len(groups) >= _FEW and are_signed(tree, groups))
    return is_proven or not is_in_article(tree, line)


def _is_headed_otherwise(tree: PageView, heading: int, first: int) -> bool:
    """Whether another heading of its rank stands between one that announces comments and the first
    of what repeats below it: that is about other posts, and comments there are none.
    """
    rank = tree.tags[heading]
    between = (n for n in range(tree.last[heading], first) if tree.tags[n] in HEADINGS and tree.count(n))
    return rank in HEADINGS and any(tree.tags[n] <= rank for n in between)


def _confirm(tree: PageView, groups: Sequence[Sequence[int]], stated: int | None) -> bool:
    """Whether there are as many comments as a mere label says; a single one must be dated, too.

    A line without a number is believed where it is followed by quotations that begin with a name
    and a date: so are comments of an older system kept in the text of a post. Or where a line with
    a date is all that each of them has beside a text, and there are several, or a field to write in
    below.
    """
    if any(_leads_to_post(tree, i) for group in groups for i in group):
        return False
    if stated is None:
        return _are_proven(tree, groups)
    if len(groups) != stated:
        return _is_thread_of(tree, groups, stated)
    return stated > 1 or any(has_date(tree, i) for i in groups[0])


def _is_thread_of(tree: PageView, groups: Sequence[Sequence[int]], stated: int) -> bool:
    """Whether the only element and the answers in it are so many."""
    is_one = len(groups) == 1 and len(groups[0]) == 1
    return is_one and len(with_answers_alike(tree, groups[0], stated)) == stated


def _are_proven(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether comments below a line without a number are quotations, or signed and several or above
    a field.
    """
    if _are_quoted(tree, groups):
        return True
    are_several, asks = len(groups) >= _FEW, _asks_below(tree, groups)
    return (are_several and asks) or ((are_several or asks) and are_signed(tree, groups))


def are_signed(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether each comment has one line with a date, and something else; a few may speak of a day in a second one."""
    counts: list[int] = []
    for group in groups:
        parts = list(group)
        while len(parts) == 1:
            parts = _filled(tree, tree.children(parts[0]))
        counts.append(sum(is_label(tree, i) for i in parts))
        if len(parts) < _FEW or not counts[-1]:
            return False
    return 2 * counts.count(1) > len(counts) or len(counts) == counts.count(1)


def _asks_below(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether a field to write in follows the comments."""
    places = (tree.place(field.parent) for field in tree.tree.css("textarea"))
    return any(place is not None and place > groups[-1][-1] for place in places)


def _leads_to_post(tree: PageView, i: int) -> bool:
    """Whether an element has a heading, longer than names are, that links to another page, as a
    post in a list has.
    """
    titles = (n for n in range(i, tree.last[i]) if tree.tags[n] in HEADINGS and tree.links(n) > _LONGEST_LINKED_NAME)
    return any(links_elsewhere(tree, n) for n in titles)


def _are_quoted(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    return all(len(group) == 1 and _is_quoted(tree, group[0]) for group in groups)


def _is_quoted(tree: PageView, i: int) -> bool:
    """Whether an element quotes somebody below a dated line of its own."""
    parts = _filled(tree, tree.children(i))
    return tree.tags[i] == "blockquote" and len(parts) >= _FEW and is_label(tree, parts[0])


def _after(tree: PageView, heading: int) -> list[int]:
    """The elements between a heading and the next of its rank, or the form."""
    place = heading
    fields = places_to_write(tree)
    for _level in range(_LEVELS):
        parent = tree.parents[place]
        if parent < 0:
            return []
        following: list[int] = []
        for sibling in tree.children(parent):
            if sibling <= place:
                continue
            if sibling in fields or _ends_section(tree, sibling, heading):
                # Behind a form in the heading's own box nothing is about comments.
                if _holds_form(tree, sibling):
                    return following
                break
            following.append(sibling)
        if any(map(tree.count, following)):
            return following
        place = parent
    return []


def _holds_form(tree: PageView, i: int) -> bool:
    return any(tree.tags[n] == "form" for n in range(i, tree.last[i]))


def _ends_section(tree: PageView, i: int, heading: int) -> bool:
    """Whether an element is no more below a heading: a margin, a form, the next heading of its rank
    or one that asks for comments; or the box of such a heading.
    """
    if tree.tags[i] in _ENDS or is_margin(tree, i):
        return True
    title = next((n for n in range(i, tree.last[i]) if tree.tags[n] in _TITLES and tree.count(n)), None)
    is_title = title is not None and tree.count(i) == tree.count(title)
    if is_title and _invites(tree, i):
        return True
    if tree.tags[heading] in HEADINGS:
        return is_title and title is not None and tree.tags[title] == tree.tags[heading]
    return _is_alike_line(tree, i, heading)


def _invites(tree: PageView, i: int) -> bool:
    """Whether a line asks for a comment; one that states how many there are does not."""
    text = " ".join(tree.text(i).split())
    return INVITATION.match(text) is not None and read_count(text) is None


def _is_alike_line(tree: PageView, i: int, heading: int) -> bool:
    """Whether an element is the next of lines that are no headings: of its tag below a number,
    which may stand above a text, too; else of its tag and name.
    """
    name = tree.attribute(heading, "class")
    is_same_tag = tree.tags[i] == tree.tags[heading]
    if read_count(tree.text(heading)) is not None:
        return is_same_tag
    return bool(name) and is_same_tag and tree.attribute(i, "class") == name


def comment_runs(tree: PageView, places: Sequence[int], stated: int | None) -> list[list[int]]:
    """Elements in runs of one comment each; a single one where that is the number stated."""
    inner = _unwrapped(tree, places)
    if _stand_among_words(tree, inner):
        return []
    groups = _between_rules(tree, inner)
    if groups:
        return [] if leave_many_words(tree, groups) else groups
    filled = [i for i in _filled(tree, inner) if not _is_table_head(tree, i)]
    answers = frozenset([*boxes_of_answers(tree, filled), *lists_in_list(tree, filled)])
    filled = [i for i in filled if i not in answers]
    groups = _runs_of(tree, filled) or _only_one(tree, places, filled, stated)
    groups = groups or undated_runs(tree, filled, stated)
    return groups if len(groups) == stated else _anywhere_stated(tree, filled, stated) or groups


def _is_table_head(tree: PageView, i: int) -> bool:
    """Whether an element is a row that says what stands in the columns of a table."""
    return tree.tags[i] == "tr" and all(tree.tags[n] == "th" for n in tree.children(i))


def _runs_of(tree: PageView, filled: list[int]) -> list[list[int]]:
    """Elements in runs by what they are: of one kind they repeat each other, of several kinds some
    are lines about the others.
    """
    repeated = _repeated(tree, filled)
    if len({tree.tags[i] for i in filled}) == 1:
        return repeated or groups_by_dated_lines(tree, filled)
    if _are_nearly_all(tree, repeated, filled) or _are_whole(tree, repeated):
        return repeated
    return groups_by_dated_lines(tree, filled) or repeated


def _are_whole(tree: PageView, groups: Sequence[Sequence[int]]) -> bool:
    """Whether several elements of one name are comments each, with a line and a text: all else is none."""
    names = {tree.attribute(i, "class") for group in groups for i in group}
    return len(groups) >= _FEW and len(names) == 1 and "" not in names and are_signed(tree, groups)


def _only_one(tree: PageView, places: Sequence[int], filled: list[int], stated: int | None) -> list[list[int]]:
    """The one comment of a page: with its answers in it, or where one is stated, or signed right
    above a field to write in.
    """
    if len(filled) == 1 and (_is_whole_thread(tree, filled[0]) or is_alone_above_field(tree, filled[0])):
        return [filled]
    return _single(tree, places) if stated == 1 else []


def _stand_among_words(tree: PageView, places: Sequence[int]) -> bool:
    """Whether words stand loose beside elements of which each is a line with a date: it is about
    them.
    """
    labels = [i for i in places if is_label(tree, i)]
    others = [i for i in _filled(tree, places) if i not in labels]
    if not labels or others:
        return False
    box = tree.parents[labels[0]]
    around = (tree.start[places[0]], tree.end[labels[-1]])
    return any(parent == box and around[0] <= first < around[1] for parent, first, _stop, _text in tree.texts)


def _anywhere_stated(tree: PageView, places: Sequence[int], stated: int | None) -> list[list[int]]:
    """Runs of one element each, where just so many as stated have one name, however deep they
    stand, and each is a line with a date and a text: answers stand in boxes beside what they
    answer.
    """
    if stated is None or stated < _FEW:
        return []
    groups = ([[i] for i in alike] for alike in _by_name(tree, places) if len(alike) == stated)
    return next((found for found in groups if _are_nearly_all(tree, found, places) and are_signed(tree, found)), [])


def _by_name(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """The elements with words that have a name, and those in them, by tag and name."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for i in (n for place in places for n in range(place, tree.last[place])):
        if tree.attribute(i, "class") and tree.count(i) > _BARE_DATE:
            found[tree.tags[i], tree.attribute(i, "class")].append(i)
    return list(found.values())


def _are_nearly_all(tree: PageView, groups: Sequence[Sequence[int]], places: Sequence[int]) -> bool:
    """Whether groups hold nearly all words: then nothing beside them is a part of a comment."""
    held = sum(tree.count(i) for group in groups for i in group)
    return held > _NEARLY_ALL * sum(map(tree.count, places))


def _filled(tree: PageView, places: Sequence[int]) -> list[int]:
    """The elements that hold words."""
    return [i for i in places if tree.count(i)]


def _unwrapped(tree: PageView, places: Sequence[int]) -> Sequence[int]:
    """What stands in the one box around all comments, or in the boxes around that."""
    while True:
        filled = _filled(tree, places)
        if len(filled) != 1 or tree.tags[filled[0]] in _TEXTS or _is_whole_thread(tree, filled[0]):
            return places
        box = filled[0]
        below = tree.children(box)
        has_loose_words = tree.count(box) > sum(map(tree.count, below))
        if not below or has_loose_words:
            return places
        # The line about a comment may be wrapped, too.
        if len(below) < _FEW and is_label(tree, box) and not _holds_blocks(tree, box):
            return places
        places = below


def _is_whole_thread(tree: PageView, i: int) -> bool:
    """Whether an element is a comment with its answers, and no list around one: the lists of
    answers are often called as that of the comments.
    """
    return _is_thread(tree, i) and not _is_list(tree, _filled(tree, tree.children(i)))


def _is_list(tree: PageView, parts: Sequence[int]) -> bool:
    """Whether the parts of an element are comments themselves: one with its answers, or several of
    one kind that are all dated.
    """
    if len(parts) < _FEW:
        return any(_is_thread(tree, i) for i in parts)
    kinds = {tree.tags[i] if tree.tags[i] == "li" else (tree.tags[i], tree.attribute(i, "class")) for i in parts}
    return len(kinds) == 1 and all(has_date(tree, i) for i in parts[:_SAMPLE])


def _is_thread(tree: PageView, i: int) -> bool:
    """Whether an element is a comment with its answers: behind a line with a date one stands in it
    that is called as it is, or is the item of a list, too.
    """
    name = tree.attribute(i, "class")
    inside = range(i + 1, min(tree.last[i], i + _MOST_IN_COMMENT)) if name or tree.tags[i] == "li" else ()
    answer = next((n for n in inside if tree.tags[n] == tree.tags[i] and tree.attribute(n, "class") == name), None)
    if answer is None or tree.start[answer] == tree.start[i]:
        return False
    return any(is_label(tree, n) for n in range(i + 1, answer) if tree.end[n] <= tree.start[answer])


def _holds_blocks(tree: PageView, box: int) -> bool:
    """Whether an element holds lines with a date and blocks beside them, or several such blocks:
    comments as short as a line.
    """
    parts = _filled(tree, tree.children(box))
    while len(parts) == 1:
        parts = _filled(tree, tree.children(parts[0]))
    labels = [i for i in parts if is_label(tree, i)]
    blocks = parts if len(labels) >= _FEW else [i for i in parts if i not in labels]
    return bool(labels) and any(not is_inline(tree.tags[i]) for i in blocks)


def _single(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """The element below a heading "1 comment", where it is dated or begins with a name."""
    filled = [i for i in places if tree.count(i) > _FEW]
    tags = [tree.tags[i] for i in filled[:2]]
    # Two of a kind are no single comment.
    if not filled or tags[1:] == tags[:1]:
        return []
    first = filled[0]
    while tree.tags[first] in _WRAPPERS and len(tree.children(first)) == 1:
        first = tree.children(first)[0]
    if has_date(tree, first) or _speaks(tree, first):
        return [[first]]
    return []


def _between_rules(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs between horizontal rules, where each has a line about its comment and a text."""
    runs: list[list[int]] = [[]]
    for i in places:
        if tree.tags[i] == "hr":
            runs.append([])
        elif tree.count(i):
            runs[-1].append(i)
    filled = [run for run in runs if run]
    if len(filled) < _FEW or not all(_is_whole_run(tree, run) for run in filled):
        return []
    return filled


def _is_whole_run(tree: PageView, run: Sequence[int]) -> bool:
    """Whether a run has one line about its comment, and something else."""
    return len(run) >= _FEW and sum(is_label(tree, i) for i in run) == 1


def _repeated(tree: PageView, places: Sequence[int]) -> list[list[int]]:
    """Runs of one element each: those of the most frequent tag, if all of them are comments."""
    alike = most_frequent(tree, places)
    if not alike:
        return []
    if len(alike) < _FEW and tree.tags[alike[0]] != "blockquote":
        return []
    return [[i] for i in _comments_of(tree, alike)]


def _comments_of(tree: PageView, alike: Sequence[int]) -> Sequence[int]:
    """Elements that all begin with a name that "says" something, or are all dated."""
    sample = alike[:_SAMPLE]
    if all(_speaks(tree, i) for i in sample):
        return alike
    dated_in_sample = sum(has_date(tree, i) for i in sample)
    if 2 * dated_in_sample <= len(sample):
        return []
    dated = []
    for i in alike:
        if tree.count(i) > _BARE_DATE and has_date(tree, i):
            dated.append(i)
    return dated if _are_the_comments(tree, dated, alike) else []


def _are_the_comments(tree: PageView, dated: Sequence[int], alike: Sequence[int]) -> bool:
    """Whether what has no date is something else: a form, or a line to subscribe."""
    others = set(alike).difference(dated)
    if not others:
        return True
    if len(dated) < _FEW:
        return False
    classes = {tuple(tree.classes(i)) for i in dated}
    return not any(tuple(tree.classes(i)) in classes for i in others)


def _speaks(tree: PageView, i: int) -> bool:
    """Whether an element begins with a short stressed name and a colon or a word like "says"."""
    text = tree.text(i)
    for n in range(i + 1, min(tree.last[i], i + _NAME_DEPTH)):
        if tree.start[n] != tree.start[i]:
            return False
        if tree.tags[n] not in _NAMES or not 0 < tree.count(n) <= _LONGEST_NAME:
            continue
        name = tree.text(n)
        colon = name.endswith((":", "："))
        if text.startswith(name) and SPOKE.match(text[len(name) - colon :]):
            return True
        if SPEAKS.search(name) and tree.count(n) < tree.count(i):
            return True
    return False


__all__ = ["are_signed", "comment_runs", "groups_below_heading"]
