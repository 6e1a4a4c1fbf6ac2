"""The screens of the portal: where each is, who may see it, and which addresses show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fastapi import APIRouter

from blogforever.storage.people import Scope

from .visitors import Visitor


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen. `label` and `group` are marked words (`N_`) that templates translate."""

    path: str
    label: str
    routes: Callable[[], APIRouter]
    group: str = ""
    """Under which heading the menu has it; empty: it is not in the menu."""
    icon: str = ""
    """Its picture: a name of `icon` in macros.html."""
    scope: Scope = "read"
    walk: tuple[str, ...] = ()
    """Addresses at which the browser tests look at it and `make shots` takes its picture, as the
    sample archive has them: `{blog}`, `{post}` and so on stand for what is there
    (tests/portal/sample.py). Empty: its path.
    """

    def is_for(self, visitor: Visitor) -> bool:
        """Whether somebody may see it."""
        return visitor.may(self.scope)

    def holds(self, path: str) -> bool:
        """Whether a path belongs to this screen."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it is looked at."""
        return self.walk or (self.path,)


def in_groups(screens: Iterable[Screen]) -> list[tuple[str, list[Screen]]]:
    """The screens of the menu under their headings, in their order."""
    groups: dict[str, list[Screen]] = {}
    for screen in screens:
        if screen.group:
            groups.setdefault(screen.group, []).append(screen)
    return list(groups.items())
