"""Signs of spam that other blogs give: the same texts in many places, pings without posts. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from blogforever.wording import N_

from .prints import Twin
from .values import Sign

# Copied posts that are needed to speak of copies, and their share of all that were compared.
LEAST_COPIES, COPIED = 3, 0.4
# Other blogs that have as many of its texts, in the same template, before all are taken for one
# network.
LEAST_HOSTS = 2
# Pings below which nothing is said, and the share of them that must have told of something new.
ENOUGH_PINGS, TRUE_PINGS = 20, 0.1
SHOWN = 3


def copy_signs(twins: Sequence[Twin], compared: int, alike: Collection[str]) -> list[Sign]:
    """What twins of a blog's posts say; so many of its posts were compared, and these other blogs
    are `alike`: made by the same template.
    """
    least = max(LEAST_COPIES, COPIED * compared)
    return [sign for sign in (_network(twins, least, alike), _copies(twins, least)) if sign]


def _network(twins: Sequence[Twin], least: float, alike: Collection[str]) -> Sign | None:
    shared = Counter(other for _, other in {(twin.post, twin.other) for twin in twins})
    hosts = sorted(other for other, number in shared.items() if number >= least and other in alike)
    if len(hosts) < LEAST_HOSTS:
        return None
    says = N_(f"{len(hosts)} other blogs have its texts, in the same template: {', '.join(hosts[:SHOWN])}")
    return Sign("one of a network", says, "spam", 0.9)


def _copies(twins: Sequence[Twin], least: float) -> Sign | None:
    """Texts that were elsewhere before. Who was copied had them first."""
    later = {(twin.post, twin.other) for twin in twins if twin.is_later}
    copied = {post for post, _ in later}
    if len(copied) < least:
        return None
    first = Counter(other for _, other in later).most_common(SHOWN)
    says = N_(f"{len(copied)} of its posts were elsewhere before: {', '.join(other for other, _ in first)}")
    return Sign("copies", says, "spam", 0.85)


def ping_signs(heard: int, with_news: int) -> list[Sign]:
    """What looks that pings asked for say: so many, and so many that brought something."""
    if heard < ENOUGH_PINGS or with_news > TRUE_PINGS * heard:
        return []
    says = N_(f"of its last {heard} pings {with_news} told of something new")
    return [Sign("pings for nothing", says, "spam", 0.6)]
