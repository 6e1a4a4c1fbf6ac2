"""The tables of what is kept against spam. `schema` names them all."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, String, Table, Text, text

from .metadata import metadata

# Numbers of the texts of the newest posts of followed blogs: the same where texts are.
textprints = Table(
    "textprints",
    metadata,
    Column("blog", String, primary_key=True),
    Column("post", String, primary_key=True),
    Column("print", Integer, primary_key=True),
    Column("published", String, nullable=False),
    Index("textprints_by_print", "print", "published"),
    Index("textprints_by_post", "post"),
)

templates = Table(
    "templates",
    metadata,
    Column("blog", String, primary_key=True),
    Column("print", Integer, nullable=False),
)

# Who is likely spam: `signs` is JSON, `decided` is empty until a person has looked.
suspicions = Table(
    "suspicions",
    metadata,
    Column("blog", String, primary_key=True),
    Column("at", String, nullable=False),
    Column("likelihood", Float, nullable=False),
    Column("signs", Text, nullable=False),
    Column("decided", String, nullable=False),
    Column("by", String, nullable=False),
    Index("suspicions_undecided", "blog", sqlite_where=text("decided = ''")),
)
