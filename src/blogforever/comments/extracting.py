"""extract_comments: a page in, its comments out, each with its author, date, text and the comment it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from blogforever.comments.answering import framed, tie_answers
from blogforever.comments.dating import decide_dates
from blogforever.comments.identity import comment_id
from blogforever.comments.items import CommentItem, find_items
from blogforever.comments.reading import CommentReader
from blogforever.comments.stated import stated_count
from blogforever.comments.systems import find_rule_places
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import may_hold_comments
from blogforever.dom import decode, parse
from blogforever.learn.pagetree import PageTree
from blogforever.model import Author, Comment, CommentKind, CommentRules, Moment, Page, Post
from blogforever.urls import url_key


@dataclass(frozen=True, slots=True)
class ShownComments:
    """What a page shows below its post: comments in its order, and how many it says there are."""

    comments: tuple[Comment, ...] = ()
    stated: int | None = None


def extract_comments(page: Page, post: Post | None = None, rules: Sequence[CommentRules] = ()) -> tuple[Comment, ...]:
    """The comments a page shows, in its order: by the blog's comment rules where they fit, else by what marks them."""
    return read_comments(page, post, rules).comments


def read_comments(page: Page, post: Post | None = None, rules: Sequence[CommentRules] = ()) -> ShownComments:
    """The comments of a page as `extract_comments` gives them, with the number the page states."""
    html = decode(page.content, page.headers)
    if not rules and not may_hold_comments(html):
        return ShownComments()
    tree = PageTree(parse(html))
    stated = stated_count(tree)
    by_rule = find_rule_places(tree, rules)
    items = find_items(tree, by_rule)
    if not items:
        return ShownComments(stated=stated)
    tie_answers(tree, items, by_rule)
    languages = [post.language] if post and post.language else []
    drafts = CommentReader(PageContext(tree, page.url, languages, page.captured, by_rule)).drafts(items)
    after = post.published.day if post and post.published else None
    moments = decide_dates(drafts, languages, page.captured, after, by_rule.format)
    drawn = enumerate(zip(drafts, moments, strict=True))
    told = {n: (d, m) for n, (d, m) in drawn if _is_comment(d, m, denied=stated == 0)}
    inside = framed(tree, [items[n].tops[0] for n in told])
    found = zip(_comments(told, items, page.url, post), inside, strict=True)
    return ShownComments(tuple(replace(comment, sources=("frame",)) if i else comment for comment, i in found), stated)


def _is_comment(draft: CommentDraft, moment: Moment | None, denied: bool) -> bool:
    """Whether somebody said something: a text, and a name or a date; both where the page says that there is none."""
    if not draft.text:
        return False
    if denied and not draft.item.number:
        return bool(draft.name and moment)
    return bool(draft.name or moment)


def _comments(
    told: Mapping[int, tuple[CommentDraft, Moment | None]], items: Sequence[CommentItem], url: str, post: Post | None
) -> tuple[Comment, ...]:
    key = url_key(post.url if post else url)
    authors = {author.name.casefold() for author in post.authors} if post else set()
    ordinals: Counter[str] = Counter()
    ids = {
        n: comment_id(key, draft.item.number, draft.name, draft.date_text, ordinals) for n, (draft, _) in told.items()
    }
    found: list[Comment] = []
    for position, (n, (draft, moment)) in enumerate(told.items()):
        parent = draft.item.parent
        while parent is not None and parent not in ids:
            parent = items[parent].parent
        found.append(
            Comment(
                id=ids[n],
                text=draft.text,
                html=draft.html,
                native_id=draft.item.number,
                url=draft.url,
                author=Author(draft.name, draft.uri) if draft.name else None,
                avatar=draft.avatar,
                published=moment,
                parent=None if parent is None else ids[parent],
                position=position,
                kind=cast(CommentKind, draft.kind),
                by_post_author=_is_author(draft, authors),
            )
        )
    return tuple(found)


def _is_author(draft: CommentDraft, authors: set[str]) -> bool:
    marked = {"bypostauthor", "by-node-author", "by-post-author", "comment-by-author"}
    return bool(marked.intersection(draft.classes)) or (bool(draft.name) and draft.name.casefold() in authors)
