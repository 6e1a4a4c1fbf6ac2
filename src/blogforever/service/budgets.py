"""How the budgets of services stand that all workers share: on one machine in a file, on many in their database."""

from __future__ import annotations

from blogforever.fetch.turns import AskedService, asked_services
from blogforever.store.inside import LOCKS, TURNS
from blogforever.store.turntable import read_budgets

from .standing import Standing

__all__ = ["AskedService", "asked_by_all"]
SERVICE = "service:"
"""How the budget of a service with many names is called."""
# Budgets that are looked at: those that rest, then those that were asked last.
MOST = 1000


def asked_by_all(standing: Standing) -> list[AskedService]:
    """The known services that any worker asked, on any machine: when, and for how long they rest."""
    shared = read_budgets(standing.archive.engine, MOST)
    if shared is None:
        return asked_services(standing.archive.folder / LOCKS / TURNS)
    services = [one for one in shared if one.key.startswith(SERVICE)]
    return [AskedService(one.key.removeprefix(SERVICE), one.asked, one.rests) for one in services]
