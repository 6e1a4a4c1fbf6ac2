"""Subscriptions at hubs, and what these delivered, in the database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields

from blogforever.storage.following import WatchedAddress
from blogforever.storage.pushes import (
    OPEN_TO_PUSHES,
    REMEMBERED_DELIVERIES,
    Delivery,
    Subscription,
    SubscriptionState,
)

from .followed import watched_address
from .rows import Rows, upsert, written

FIND = "SELECT * FROM subscriptions WHERE id = :one"
OF_BLOG = "SELECT * FROM subscriptions WHERE blog = :blog ORDER BY created DESC, id"
PAGE = """SELECT * FROM subscriptions WHERE blog IN
  (SELECT DISTINCT blog FROM subscriptions WHERE blog > :after ORDER BY blog LIMIT :limit)
ORDER BY blog, created DESC, id
"""
DUE = "SELECT * FROM subscriptions WHERE next_try <= :now ORDER BY next_try, id LIMIT :limit"
COUNTS = "SELECT state, count(*) AS number FROM subscriptions GROUP BY state"
STATES = ", ".join(f"'{state}'" for state in OPEN_TO_PUSHES)
# Blogs that are looked at when somebody tells of them.
LISTENS = f"SELECT 1 FROM followed WHERE id = {{blog}} AND paused = 0 AND state IN ({STATES})"  # noqa: S608  our own words
ADDRESS = ", ".join(field.name for field in fields(WatchedAddress)) + ", whole"
UNMET = f"""SELECT {ADDRESS} FROM (
  SELECT *, row_number() OVER (PARTITION BY blog ORDER BY hub = '', last_look DESC NULLS LAST, url) AS place
  FROM watched AS own WHERE (hub <> '' OR cloud <> '') AND kind = 'posts' AND EXISTS ({LISTENS.format(blog="own.blog")})
  AND NOT EXISTS (SELECT 1 FROM subscriptions AS asked WHERE asked.blog = own.blog AND asked.wanted = 'subscribe')
) AS offered WHERE place = 1 ORDER BY blog LIMIT :limit
"""  # noqa: S608  our own words
FORSAKEN = f"""SELECT * FROM subscriptions AS own WHERE wanted = 'subscribe' AND NOT (
  EXISTS ({LISTENS.format(blog="own.blog")})
  AND EXISTS (SELECT 1 FROM watched WHERE watched.blog = own.blog AND watched.topic = own.topic
    AND (own.hub IN (watched.hub, watched.cloud)
      OR replace(' ' || watched.spares || ' ', ' ' || own.hub || ' ', '') <> ' ' || watched.spares || ' '))
) ORDER BY id LIMIT :limit
"""  # noqa: S608  our own words
OVER = "state = 'ended' AND next_try IS NULL AND coalesce(asked, created) < :before"
FORGET_DELIVERIES = f"DELETE FROM deliveries WHERE subscription IN (SELECT id FROM subscriptions WHERE {OVER})"  # noqa: S608  our own words
FORGET = f"DELETE FROM subscriptions WHERE {OVER}"  # noqa: S608  our own words
ADD = """INSERT INTO deliveries (subscription, blog, at, digest, type, body)
VALUES (:subscription, :blog, :at, :digest, :type, :body) ON CONFLICT DO NOTHING RETURNING id
"""
TRIM = """DELETE FROM deliveries WHERE subscription = :subscription AND id <=
  (SELECT id FROM deliveries WHERE subscription = :subscription ORDER BY id DESC LIMIT 1 OFFSET :kept)
"""
WAITING = "SELECT * FROM deliveries WHERE blog = :blog AND length(body) > 0 ORDER BY id DESC LIMIT 1"
USED = "UPDATE deliveries SET body = :nothing WHERE blog = :blog AND id <= :last AND length(body) > 0"


class SqlSubscriptions:
    """The subscriptions of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, one: Subscription) -> None:
        """A new subscription."""
        self._keep(one)

    def change(self, one: str, edit: Callable[[Subscription], Subscription]) -> Subscription | None:
        """What a subscription is after an edit; None where there is none."""
        with self._rows.lock, self._rows.transaction():
            before = self.find(one)
            if before is None:
                return None
            after = edit(before)
            self._keep(after)
            return after

    def _keep(self, one: Subscription) -> None:
        row = asdict(one)
        self._rows.write(upsert("subscriptions", *row), **written(row))

    def find(self, one: str) -> Subscription | None:
        """The subscription with this id."""
        row = self._rows.find(FIND, one=one)
        return Subscription(**row._mapping) if row else None

    def of_blog(self, blog: str) -> list[Subscription]:
        """Those of a followed blog, newest first."""
        return [Subscription(**row._mapping) for row in self._rows.find_all(OF_BLOG, blog=blog)]

    def page(self, limit: int, after: str = "") -> list[Subscription]:
        """Those of so many blogs, by their names, from one on."""
        return [Subscription(**row._mapping) for row in self._rows.find_all(PAGE, limit=limit, after=after)]

    def due(self, now: str, limit: int) -> list[Subscription]:
        """Those that something is to be asked for, the longest due first."""
        return [Subscription(**row._mapping) for row in self._rows.find_all(DUE, now=now, limit=limit)]

    def unmet(self, limit: int) -> list[WatchedAddress]:
        """Feeds that offer to tell us, and nobody asked them; of each blog one."""
        return [watched_address(row) for row in self._rows.find_all(UNMET, limit=limit)]

    def forsaken(self, limit: int) -> list[Subscription]:
        """Those that are wanted, and should not be any more."""
        return [Subscription(**row._mapping) for row in self._rows.find_all(FORSAKEN, limit=limit)]

    def counts(self) -> dict[SubscriptionState, int]:
        """How many there are in each state."""
        return {row.state: row.number for row in self._rows.find_all(COUNTS)}

    def forget(self, before: str) -> int:
        """Drop those that were over before then, with their deliveries."""
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(FORGET_DELIVERIES, {"before": before})
            return connection.exec_driver_sql(FORGET, {"before": before}).rowcount


class SqlDeliveries:
    """What hubs delivered, in an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, delivery: Delivery) -> bool:
        """Keep it; False where the subscription brought the very same before."""
        row = asdict(delivery)
        del row["id"]
        with self._rows.transaction():
            is_new = self._rows.write(ADD, **written(row)) is not None
            self._rows.write(TRIM, subscription=delivery.subscription, kept=REMEMBERED_DELIVERIES)
            return is_new

    def waiting(self, blog: str) -> Delivery | None:
        """The newest delivery for a followed blog whose body no look has used."""
        row = self._rows.find(WAITING, blog=blog)
        return Delivery(**row._mapping) if row else None

    def used(self, blog: str, last: int) -> None:
        """The bodies for this blog up to this delivery are not needed any more."""
        self._rows.write(USED, blog=blog, last=last, nothing=b"")
