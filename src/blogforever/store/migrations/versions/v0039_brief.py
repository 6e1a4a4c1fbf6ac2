"""Posts with hardly any text are chosen by that, too."""

import sqlalchemy as sa
from alembic import op

from blogforever.dates import moment_key
from blogforever.records import PostRecord
from blogforever.storage.browsing import BRIEF, is_brief
from blogforever.store.migrations.reading import batches_of_posts

revision = "0039"
down_revision = "0038"
DROPPED = sa.text("DELETE FROM facets WHERE kind = 'is' AND name = :name")
facets = sa.table("facets", *map(sa.column, ("kind", "name", "moment", "post")))


def upgrade() -> None:
    """Write it down for the posts that are there; an archive that comes from far below has it already."""
    downgrade()
    for records in batches_of_posts():
        _fill([record for record in records if is_brief(record)])


def _fill(records: list[PostRecord]) -> None:
    known = [{"moment": moment_key(record.published), "post": record.id} for record in records]
    if known:
        op.bulk_insert(facets, [{"kind": "is", "name": BRIEF, **one} for one in known])


def downgrade() -> None:
    """Drop it."""
    op.get_bind().execute(DROPPED, {"name": BRIEF})
