"""Comments that somebody looks for: by words in them and by who wrote them; and posts that were found, each with what
was said below it.

Words and names of comments stand in the index of their posts. So the posts in which they may be are gone through,
newest first, and what fits is picked out of each; a page ends where it is full, or where many posts were read in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from blogforever.archive.exporters import blogs_by_id
from blogforever.archive.reading import HIGHLIGHT, sought_terms
from blogforever.dates import moment_key
from blogforever.dom import tokenise
from blogforever.export.excerpt import beginning, snippet
from blogforever.export.postpage import NOT_SHOWN
from blogforever.export.table import found_comment_lines
from blogforever.records import CommentRecord, PostRecord, read_post
from blogforever.storage.browsing import COMMENTED, CommentPlace, CommentQuery, FoundPlace, PostPlace
from blogforever.storage.searches import PostSearch
from blogforever.store.folder import ArchiveFolder
from blogforever.store.indexes import TERM, SoughtWords, Term, folded_words, sought_words
from blogforever.wording import printable

from .browsing import CommentsShown, ShownComment, browse_comments, search_posts
from .lists import as_table
from .output import MOST_IN_TABLE, FoundWords, split_marks

# Posts that are read together, and for one page at most: who looks for what is rare goes on from where it ended.
READ_TOGETHER, MOST_READ = 50, 500
# Letters of a comment in a list, and around what was found in it.
TEASER, AROUND = 500, 200
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class PickedPlace:
    """Where a page ended: behind which post, and how many rows of the next one it has."""

    post: PostPlace | None = None
    shown: int = 0


@dataclass(frozen=True, slots=True)
class FoundComments:
    """Some comments that fit, and where the next page begins."""

    items: tuple[ShownComment, ...]
    next: PickedPlace | None = None


def says_of_comments(search: PostSearch) -> bool:
    """Whether a search asks for more than a blog and a time, by which comments stand in order."""
    return replace(search, blog="", since="", until="") != PostSearch()


def found_comments(archive: ArchiveFolder, search: PostSearch, after: PickedPlace | None, limit: int) -> FoundComments:
    """The comments that fit a search: `words` stand in the comment or its author's name, `author` wrote the comment,
    and it was written in the time; everything else is said of its post.
    """
    name = " ".join(tokenise(search.author))
    if search.author and not name:
        return FoundComments(())
    sought = sought_words(search.words) if search.words.strip() else SoughtWords(())
    by = SoughtWords((Term(tuple(name.split())),)) if name else SoughtWords(())
    wanted = " ".join([*(term[0] for term in TERM.finditer(search.words) if not term["no"]), *_quoted(name)])
    unusual = tuple(dict.fromkeys((*search.unusual, COMMENTED)))
    # A comment is newer than its post, but a post may have no day, or have got a later one since.
    posts = replace(search, words=wanted, author="", since="", until="", unusual=unusual)

    def fits(comment: CommentRecord) -> bool:
        who = comment.author.name or ""
        return _in_time(comment, search) and _holds(who, by) and _holds(f"{who} {comment.text}", sought)

    def pick(post: PostRecord) -> list[ShownComment]:
        newest = sorted(shown_comments(post), key=lambda one: moment_key(one.published), reverse=True)
        return [ShownComment(post, one) for one in newest if fits(one)]

    items, place = picked(archive, posts, after, limit, pick)
    return FoundComments(tuple(items), place)


def listed_comments(
    archive: ArchiveFolder, search: PostSearch, after: PickedPlace | CommentPlace | None, limit: int
) -> FoundComments | CommentsShown:
    """A page of the comments of a search: those that fit, or the newest where it says nothing of comments."""
    if says_of_comments(search):
        return found_comments(archive, search, after if isinstance(after, PickedPlace) else None, limit)
    place = after if isinstance(after, CommentPlace) else None
    return browse_comments(archive, CommentQuery(search.blog, place, limit, search.since, search.until))


def comment_table(archive: ArchiveFolder, search: PostSearch) -> Iterator[bytes]:
    """All comments of a search as CSV, piece by piece, up to what a table holds."""
    found = ((one.post, one.comment) for one in islice(_searched_comments(archive, search), MOST_IN_TABLE))
    return as_table(found_comment_lines(found, blogs_by_id(archive)))


def _searched_comments(archive: ArchiveFolder, search: PostSearch) -> Iterator[ShownComment]:
    page = listed_comments(archive, search, None, READ_TOGETHER)
    yield from page.items
    while page.next is not None:
        page = listed_comments(archive, search, page.next, READ_TOGETHER)
        yield from page.items


def shown_comments(post: PostRecord) -> list[CommentRecord]:
    """The comments of a post that people may see."""
    return [one for one in post.comments if one.status not in NOT_SHOWN]


def picked(
    archive: ArchiveFolder,
    search: PostSearch,
    after: PickedPlace | None,
    limit: int,
    pick: Callable[[PostRecord], Sequence[Row]],
) -> tuple[list[Row], PickedPlace | None]:
    """What is picked out of the posts of a search, newest first, so many at most; and where the next page begins."""
    begun = after or PickedPlace()
    place: PostPlace | FoundPlace | None = begun.post
    rows, behind, left_out = list[Row](), begun.post, begun.shown
    for _ in range(MOST_READ // READ_TOGETHER):
        page = search_posts(archive, search, best_first=False, after=place, limit=READ_TOGETHER)
        for post in map(read_post, page.lines):
            of_post = pick(post)[left_out:]
            room = limit - len(rows)
            rows += of_post[:room]
            if len(of_post) > room:
                return rows, PickedPlace(behind, left_out + room)
            behind, left_out = PostPlace(moment_key(post.published), post.id), 0
        place = page.next
        if not isinstance(place, PostPlace):
            return rows, None
        if len(rows) >= limit:
            break
        behind = place
    return rows, PickedPlace(behind)


def comment_words(comment: CommentRecord, words: str) -> tuple[FoundWords, ...]:
    """The text of a comment in a list, with what was looked for marked in it."""
    text = printable(comment.text)
    terms = sought_terms(words)
    return split_marks(snippet(text, terms, HIGHLIGHT, AROUND)) if terms else (FoundWords(beginning(text, TEASER)),)


def _quoted(name: str) -> list[str]:
    return [f'"{name}"'] if name else []


def _in_time(comment: CommentRecord, search: PostSearch) -> bool:
    """Whether it was written in the time that is asked for; what has no date is before nothing."""
    moment = moment_key(comment.published)
    is_since = moment >= moment_key(search.since) if search.since else True
    return is_since and (not search.until or "" < moment < moment_key(search.until))


def _holds(said: str, sought: SoughtWords) -> bool:
    """Whether a text has all of these words, and none of those."""
    words = f" {' '.join(folded_words(tokenise(said)))} "
    is_there = all(_in_a_row(term, words) for term in sought.wanted)
    return is_there and not any(_in_a_row(term, words) for term in sought.unwanted)


def _in_a_row(term: Term, words: str) -> bool:
    wanted = " ".join(folded_words(term.words))
    return f" {wanted}{'' if term.is_beginning else ' '}" in words
