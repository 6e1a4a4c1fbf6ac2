"""The place of a post, as its feed entry gives it."""

from __future__ import annotations

from blogforever.model import Entry, Geo

_POLE = 90.0
_DATE_LINE = 180.0


def geo_of(entry: Entry) -> Geo | None:
    """Latitude and longitude of an entry, where both are there and are a place on earth."""
    try:
        place = Geo(float(entry.extra.get("latitude", "")), float(entry.extra.get("longitude", "")))
    except ValueError:
        return None
    # Not a number compares with nothing, so that it is no place.
    return place if abs(place.latitude) <= _POLE and abs(place.longitude) <= _DATE_LINE else None
