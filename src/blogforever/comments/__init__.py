"""7 comments: page and feed -> one threaded list (pure)."""

from typing import TYPE_CHECKING

from blogforever.later import later

if TYPE_CHECKING:
    from blogforever.comments.extracting import extract_comments, read_comments
    from blogforever.comments.feeding import answered_post, feed_comments
    from blogforever.comments.learning import learn_comment_rules, learn_own_rules
    from blogforever.comments.merging import keep_comments, merge_comments
    from blogforever.comments.overlap import without_comments
    from blogforever.comments.paging import comment_pages
    from blogforever.comments.stated import stated_on
    from blogforever.comments.vanishing import Shown, shows_empty_list

__getattr__ = later(
    __name__,
    {
        "extracting": ("extract_comments", "read_comments"),
        "feeding": ("answered_post", "feed_comments"),
        "learning": ("learn_comment_rules", "learn_own_rules"),
        "merging": ("keep_comments", "merge_comments"),
        "overlap": ("without_comments",),
        "paging": ("comment_pages",),
        "stated": ("stated_on",),
        "vanishing": ("Shown", "shows_empty_list"),
    },
)

__all__ = [
    "Shown",
    "answered_post",
    "comment_pages",
    "extract_comments",
    "feed_comments",
    "keep_comments",
    "learn_comment_rules",
    "learn_own_rules",
    "merge_comments",
    "read_comments",
    "shows_empty_list",
    "stated_on",
    "without_comments",
]
