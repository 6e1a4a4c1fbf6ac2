"""How often somebody may ask for what costs much: so many times at once, then as often as his ration comes back."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

# People of whom is remembered what they have left; the longest unseen are forgotten, and have their
# whole ration again.
MOST_PEOPLE = 10_000


@dataclass(slots=True)
class Rations:
    """`most` at once, and one more every `seconds`; for each name by itself, from any thread."""

    most: int
    seconds: float
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, name: str, now: float | None = None) -> float:
        """Take one: 0 where there was one left, else the seconds until there will be."""
        moment = monotonic() if now is None else now
        with self._lock:
            left, since = self._left.pop(name, (float(self.most), moment))
            left = min(self.most, left + (moment - since) / self.seconds)
            has_one = left >= 1
            self._left[name] = (left - 1 if has_one else left, moment)
            if len(self._left) > MOST_PEOPLE:
                self._left.popitem(last=False)
        return 0.0 if has_one else (1 - left) * self.seconds

    def fill(self, name: str) -> None:
        """Give somebody his whole ration again."""
        with self._lock:
            self._left.pop(name, None)
