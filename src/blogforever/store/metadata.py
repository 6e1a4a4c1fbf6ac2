"""What all tables of an archive's database belong to, and which version of them this is."""

from __future__ import annotations

from sqlalchemy import MetaData

HEAD = "0040"
metadata = MetaData()
