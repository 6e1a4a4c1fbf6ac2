"""BlogForever keeps whole blogs: give it an address, it keeps every post."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blogforever.errors import BadInput, BlogForeverError, FeedError, RulesError
from blogforever.later import later

if TYPE_CHECKING:
    from blogforever.archive.public import Archive
    from blogforever.discover.feed import parse_feed
    from blogforever.errors import ArchiveError, UsageError
    from blogforever.extract.post import extract_post
    from blogforever.extract.segment import segment_page
    from blogforever.learn.learner import learn_rules
    from blogforever.learn.rulefile import dump_rules, load_rules
    from blogforever.media.requisites import Needed
    from blogforever.model import (
        Author,
        Comment,
        Entry,
        Failure,
        Feed,
        Moment,
        Page,
        Post,
        Provenance,
        Rule,
        Rules,
        Template,
    )
    from blogforever.protocols import BackEnd, Drawing, Renderer
    from blogforever.records import BlogRecord, CommentRecord, FailureRecord, PageRecord, PostRecord

PLACES = {
    "archive.public": ("Archive",),
    "discover.feed": ("parse_feed",),
    "errors": ("ArchiveError", "UsageError"),
    "extract.post": ("extract_post",),
    "extract.segment": ("segment_page",),
    "learn.learner": ("learn_rules",),
    "learn.rulefile": ("dump_rules", "load_rules"),
    "media.requisites": ("Needed",),
    "model": (
        *("Author", "Comment", "Entry", "Failure", "Feed", "Moment"),
        *("Page", "Post", "Provenance", "Rule", "Rules", "Template"),
    ),
    "protocols": ("BackEnd", "Drawing", "Renderer"),
    "records": ("BlogRecord", "CommentRecord", "FailureRecord", "PageRecord", "PostRecord"),
}
"""Names that are loaded when somebody asks for them, by their modules.

Who learns and extracts needs neither a database nor records; and every command is a process that
begins with this module, whatever it does.
"""
__getattr__ = later(__name__, PLACES)

__all__ = [
    "Archive",
    "ArchiveError",
    "Author",
    "BackEnd",
    "BadInput",
    "BlogForeverError",
    "BlogRecord",
    "Comment",
    "CommentRecord",
    "Drawing",
    "Entry",
    "Failure",
    "FailureRecord",
    "Feed",
    "FeedError",
    "Moment",
    "Needed",
    "Page",
    "PageRecord",
    "Post",
    "PostRecord",
    "Provenance",
    "Renderer",
    "Rule",
    "Rules",
    "RulesError",
    "Template",
    "UsageError",
    "dump_rules",
    "extract_post",
    "learn_rules",
    "load_rules",
    "parse_feed",
    "segment_page",
]
