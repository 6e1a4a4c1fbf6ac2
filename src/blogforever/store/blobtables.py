"""The tables of what lies in a store of blobs. `schema` names them all."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Table, Text

from .metadata import metadata

# Every file of the archive that others must find: `machine` has it until it is `stored`, 1 or 0; of
# one that is `gone`, 1 or 0, the row stays, so that other machines drop their copies. `version`
# grows with every change of any.
blobs = Table(
    "blobs",
    metadata,
    Column("name", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("sha256", String, nullable=False),
    Column("machine", String, nullable=False),
    Column("since", String, nullable=False),
    Column("stored", Integer, nullable=False),
    Column("gone", Integer, nullable=False),
    Column("error", Text, nullable=False, server_default=""),
    Index("blobs_by_version", "version"),
    Index("blobs_waiting", "stored", "machine"),
)

# The small files that several machines write: journal and rules, as they are now.
texts = Table(
    "texts",
    metadata,
    Column("name", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("body", Text),
    Index("texts_by_version", "version"),
)
