"""7 comments: page and feed -> one threaded list (pure)."""

from blogforever.comments.extracting import extract_comments, read_comments
from blogforever.comments.feeding import answered_post, feed_comments
from blogforever.comments.learning import learn_comment_rules
from blogforever.comments.merging import keep_comments, merge_comments
from blogforever.comments.overlap import without_comments
from blogforever.comments.paging import comment_pages
from blogforever.comments.vanishing import Shown

__all__ = [
    "Shown",
    "answered_post",
    "comment_pages",
    "extract_comments",
    "feed_comments",
    "keep_comments",
    "learn_comment_rules",
    "merge_comments",
    "read_comments",
    "without_comments",
]
