"""BlogForever keeps whole blogs: give it an address, it keeps every post."""

from blogforever.discover.feed import parse_feed
from blogforever.errors import BadInput, BlogForeverError, FeedError, RulesError
from blogforever.extract.post import extract_post
from blogforever.extract.segment import segment_page
from blogforever.learn.learner import learn_rules
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.model import Author, Entry, Feed, Moment, Page, Post, Provenance, Rule, Rules, Template

__all__ = [
    "Author",
    "BadInput",
    "BlogForeverError",
    "Entry",
    "Feed",
    "FeedError",
    "Moment",
    "Page",
    "Post",
    "Provenance",
    "Rule",
    "Rules",
    "RulesError",
    "Template",
    "dump_rules",
    "extract_post",
    "learn_rules",
    "load_rules",
    "parse_feed",
    "segment_page",
]
