"""extract_comments: a page in, its comments out: author, date, text and what each answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from blogforever.comments.answering import framed, tie_answers
from blogforever.comments.dating import decide_dates
from blogforever.comments.finding import find_items
from blogforever.comments.identity import comment_id
from blogforever.comments.items import CommentItem
from blogforever.comments.lines import with_lines
from blogforever.comments.loose import are_loose, with_runs
from blogforever.comments.reading import CommentReader
from blogforever.comments.stated import stated_count
from blogforever.comments.systems import RulePlaces, find_rule_places, has_added_systems
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import is_item, may_hold_comments
from blogforever.dom import tokenise
from blogforever.model import Author, Comment, CommentKind, CommentRules, Moment, Page, Post
from blogforever.page.view import PageView, view_of
from blogforever.urls import host_of, url_key

# One alone says the same as itself.
_FEW = 2
_PINGS = frozenset({"trackback", "pingback"})
_BY_AUTHOR = frozenset({"bypostauthor", "by-node-author", "by-post-author", "comment-by-author"})


@dataclass(frozen=True, slots=True)
class ShownComments:
    """What a page shows below its post: comments in its order, and how many it says there are;
    `cut` says that a limit of ours left some of them unread.
    """

    comments: tuple[Comment, ...] = ()
    stated: int | None = None
    cut: bool = False


class _CommentPlaces(NamedTuple):
    """Where the comments of a page stand, by the blog's rules and by marks; `cut` as in `ShownComments`."""

    tree: PageView
    by_rule: RulePlaces
    items: list[CommentItem]
    cut: bool


class _DatedDraft(NamedTuple):
    """A comment whose date is decided."""

    draft: CommentDraft
    published: Moment | None


def extract_comments(
    page: Page,
    post: Post | None = None,
    rules: Sequence[CommentRules] = (),
) -> tuple[Comment, ...]:
    """The comments a page shows, in its order: by the blog's rules if they fit, else by marks."""
    return read_comments(page, post, rules).comments


def read_comments(
    page: Page,
    post: Post | None = None,
    rules: Sequence[CommentRules] = (),
) -> ShownComments:
    """The comments of a page as `extract_comments` gives them, with the number the page states."""
    tree = view_of(page)
    if not rules and not has_added_systems() and not may_hold_comments(tree.html):
        return ShownComments()
    stated = stated_count(tree)
    tree, by_rule, items, is_cut = _places(tree, rules, stated)
    if not items:
        return ShownComments(stated=stated)
    tie_answers(tree, items, by_rule)
    context = PageContext(tree, page.url, _languages(post), page.captured, by_rule)
    found = _found_comments(context, items, post, denied=stated == 0)
    comments = _comments(found, items, post.url if post else page.url, post)
    in_frame = framed(tree, [items[n].tops[0] for n in found])
    shown = []
    for comment, is_framed in zip(comments, in_frame, strict=True):
        shown.append(replace(comment, sources=("frame",)) if is_framed else comment)
    return ShownComments(tuple(shown), stated, is_cut)


def _places(tree: PageView, rules: Sequence[CommentRules], stated: int | None) -> _CommentPlaces:
    """Where a page has its comments; those of loose text are put into elements first, and so are
    the loose lines about them.
    """
    found = _places_in(tree, rules, stated)
    loose = with_runs(tree) if stated != 0 and are_loose(tree, found.items) else None
    if loose is not None:
        found = _places_in(loose.page, rules, stated, loose.cut)
    lined = with_lines(found.tree, found.items)
    return found if lined is None else _places_in(lined, rules, stated, found.cut)


def _places_in(
    tree: PageView, rules: Sequence[CommentRules], stated: int | None, is_cut: bool = False
) -> _CommentPlaces:
    """Where a page has its comments; `is_cut` as was known before."""
    by_rule = find_rule_places(tree, rules)
    found = find_items(tree, by_rule, stated=stated)
    return _CommentPlaces(tree, by_rule, found.items, is_cut or found.cut)


def _languages(post: Post | None) -> list[str]:
    """The language of the post, where it is known."""
    return [post.language] if post and post.language else []


def _found_comments(
    context: PageContext,
    items: Sequence[CommentItem],
    post: Post | None,
    denied: bool,
) -> dict[int, _DatedDraft]:
    """What is a comment, by its place among the items; `denied` where the page says it has none."""
    drafts = CommentReader(context).drafts(items)
    after = post.published.day if post and post.published else None
    form = context.by_rule.format
    moments = decide_dates(drafts, context.languages, context.captured, after, form)
    found = {}
    for n, (draft, moment) in enumerate(zip(drafts, moments, strict=True)):
        if _is_comment(draft, moment, denied) and not _asks_for_pings(context, draft):
            found[n] = _DatedDraft(draft, moment)
    return {} if _only_count(list(found.values())) else found


def _asks_for_pings(context: PageContext, draft: CommentDraft) -> bool:
    """Whether what is called a trackback has an address of the page's own host, and leads to no other: it says where
    to send some.
    """
    own = host_of(context.url)
    if draft.kind not in _PINGS or not own or f"//{own}" not in draft.text:
        return False
    tree = context.tree
    inside = (n for top in draft.item.tops for n in range(top, tree.last[top]) if tree.tags[n] == "a")
    linked = (host_of(context.absolute(tree.attribute(n, "href")) or "") for n in inside)
    return all(host in ("", own) for host in linked)


def _only_count(found: Sequence[_DatedDraft]) -> bool:
    """Whether several things without a day say the same but for a number: how often each reader was
    recommended.
    """
    if len(found) < _FEW or any(one.published or one.draft.item.number for one in found):
        return False
    said = [[word for word in tokenise(one.draft.text) if not word.isdecimal()] for one in found]
    has_numbers = all(len(words) < len(tokenise(one.draft.text)) for words, one in zip(said, found, strict=True))
    return has_numbers and all(words == said[0] for words in said)


def _is_comment(draft: CommentDraft, moment: Moment | None, denied: bool) -> bool:
    """Whether somebody said something: a text, and a name or a date; both where the page says that
    nobody did.

    What is numbered and named as a comment is one, even if neither can be read.
    """
    if not draft.text:
        return False
    number = draft.item.number
    if draft.item.is_blogs or (number and is_item(draft.classes)):
        return True
    if denied and not number:
        return bool(draft.name and moment)
    return bool(draft.name or moment)


def _comments(
    found: Mapping[int, _DatedDraft],
    items: Sequence[CommentItem],
    post_url: str,
    post: Post | None,
) -> list[Comment]:
    """The comments as records, each with an id of its own, and that of the comment it answers."""
    key = url_key(post_url)
    post_authors = {author.name.casefold() for author in post.authors} if post else set()
    ordinals: Counter[str] = Counter()
    ids: dict[int, str] = {}
    for n, (draft, _published) in found.items():
        ids[n] = comment_id(key, draft.item.number, draft.name, draft.date_text, ordinals)
    comments: list[Comment] = []
    for position, (n, (draft, published)) in enumerate(found.items()):
        parent = draft.item.parent
        while parent is not None and parent not in ids:
            parent = items[parent].parent
        comments.append(
            Comment(
                id=ids[n],
                text=draft.text,
                html=draft.html,
                native_id=draft.item.number,
                url=draft.url,
                author=Author(draft.name, draft.uri) if draft.name else None,
                avatar=draft.avatar,
                published=published,
                parent=None if parent is None else ids[parent],
                position=position,
                kind=cast(CommentKind, draft.kind),
                by_post_author=_is_by_author(draft, post_authors),
            )
        )
    return comments


def _is_by_author(draft: CommentDraft, post_authors: set[str]) -> bool:
    if draft.item.is_blogs or not _BY_AUTHOR.isdisjoint(draft.classes):
        return True
    return bool(draft.name) and draft.name.casefold() in post_authors
