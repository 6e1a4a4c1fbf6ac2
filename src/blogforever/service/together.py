"""Posts and comments together, in the order of time: everything that came out, as the weblog spider listed it."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever.dates import moment_key
from blogforever.export.excerpt import beginning
from blogforever.records import PostRecord, read_post
from blogforever.storage.browsing import USUAL_PAGE, CommentPlace, CommentQuery, PostPlace, PostQuery
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from blogforever.wording import printable

from .browsing import ShownComment, browse_comments, browse_posts
from .commentsearch import PickedPlace, picked, shown_comments

# Letters of a text in a row.
TEASER = 160


@dataclass(frozen=True, slots=True)
class OutputRow:
    """A post or a comment: when, its id, its address, and what it belongs to: a blog, or the post
    or comment that it answers.
    """

    moment: str
    published: str | None
    kind: str
    id: str
    parent: str
    url: str
    text: str
    post: str


@dataclass(frozen=True, slots=True)
class TogetherPlace:
    """Where a page ended, among the posts and among the comments."""

    post: PostPlace | None = None
    comment: CommentPlace | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """Some of both, and where the next page begins."""

    items: tuple[OutputRow, ...]
    next: TogetherPlace | PickedPlace | None = None


def browse_together(
    archive: ArchiveFolder, blog: str = "", after: TogetherPlace | None = None, limit: int = USUAL_PAGE
) -> Together:
    """The posts and comments of all blogs, or of one, newest first; where both came at once, posts
    come first.
    """
    begun = after or TogetherPlace()
    posts = browse_posts(archive, PostQuery(blog=blog, after=begun.post, limit=limit))
    comments = browse_comments(archive, CommentQuery(blog, begun.comment, limit))
    # What is older than the end of one of the pages waits for what comes behind that.
    ends = [place.moment for place in (posts.next, comments.next) if isinstance(place, PostPlace | CommentPlace)]
    both = [*map(_post_row, map(read_post, posts.lines)), *map(_comment_row, comments.items)]
    ready = [row for row in both if row.moment >= max(ends, default="")]
    shown = sorted(ready, key=lambda row: row.moment, reverse=True)[:limit]
    if len(shown) == len(both) and not ends:
        return Together(tuple(shown))
    behind_post = posts.next if isinstance(posts.next, PostPlace) else None
    return Together(tuple(shown), _place_behind(shown, both, begun, TogetherPlace(behind_post, comments.next)))


def found_together(archive: ArchiveFolder, search: PostSearch, after: PickedPlace | None, limit: int) -> Together:
    """The posts that a search finds, newest first, each with what was said below it."""

    def rows_of(post: PostRecord) -> list[OutputRow]:
        return [_post_row(post), *(_comment_row(ShownComment(post, one)) for one in shown_comments(post))]

    rows, place = picked(archive, search, after, limit, rows_of)
    return Together(tuple(rows), place)


def _place_behind(
    shown: list[OutputRow], both: list[OutputRow], begun: TogetherPlace, ends: TogetherPlace
) -> TogetherPlace:
    """Behind the last of each that was shown; where all were, or all are hidden, behind the end of
    the page.
    """
    post, comment = begun.post, begun.comment
    posts, comments = ([row for row in shown if (row.kind == "post") is is_post] for is_post in (True, False))
    if posts:
        post = PostPlace(posts[-1].moment, posts[-1].id)
    if comments:
        comment = CommentPlace(comments[-1].moment, comments[-1].post, comments[-1].id)
    if len(posts) == sum(row.kind == "post" for row in both):
        post = ends.post or post
    if len(comments) == sum(row.kind != "post" for row in both):
        comment = ends.comment or comment
    return TogetherPlace(post, comment)


def _post_row(post: PostRecord) -> OutputRow:
    text = beginning(printable(post.title or post.text), TEASER)
    moment = moment_key(post.published)
    return OutputRow(moment, post.published, "post", post.id, post.blog, post.url, text, post.id)


def _comment_row(shown: ShownComment) -> OutputRow:
    comment, post = shown.comment, shown.post
    return OutputRow(
        moment=moment_key(comment.published),
        published=comment.published,
        kind="comment",
        id=comment.id,
        parent=comment.parent or post.id,
        url=comment.url or post.url,
        text=beginning(printable(comment.text), TEASER),
        post=post.id,
    )
