"""Runs the migrations on the connection that database.py hands over."""

from alembic import context

from blogforever.store.dialects import migrating

connection = context.config.attributes["connection"]
context.configure(connection=connection, render_as_batch=True)
with context.begin_transaction(), migrating():
    context.run_migrations()
