"""7 comments: page and feed -> one threaded list (pure)."""

from blogforever.comments.extracting import extract_comments

__all__ = ["extract_comments"]
