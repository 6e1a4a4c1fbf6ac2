"""Alembic migrations of the archive's database."""
