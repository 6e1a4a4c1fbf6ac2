"""What is fetched before it is known of which blog: held until then, then kept with it.

An address that was fetched to find a blog's home is not fetched again by the crawl of that blog.
"""

from __future__ import annotations

import os
import pickle
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from tempfile import TemporaryFile
from types import TracebackType

from blogforever.model import Page
from blogforever.protocols import Exchange, Recorder, Ref, ResponseReader
from blogforever.store.spare import SpareFolder
from blogforever.store.warc import WarcWriter
from blogforever.store.warcreader import WarcReader


class Known:
    """Responses that lie somewhere, by their addresses; what is not among them may be where an
    earlier reader looks.
    """

    def __init__(self, places: Mapping[str, Ref], reader: ResponseReader, other: ResponseReader | None = None) -> None:
        self._places, self._reader, self._other = places, reader, other
        self._own = set(places.values())

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """Where the response to this very address lies."""
        return self._places.get(url) or (self._other.find(url, exact) if self._other else None)

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response."""
        reader = self._reader if self._other is None or ref in self._own else self._other
        return reader.response(ref)


class Scouted:
    """Exchanges by the name of what they were made for; gone with everything in it when it is left."""

    def __init__(self) -> None:
        self._desk: _Desk | None = None
        self._places: defaultdict[str, dict[str, Ref]] = defaultdict(dict)
        self._offsets: defaultdict[str, list[int]] = defaultdict(list)

    def __enter__(self) -> Scouted:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._desk is not None:
            self._desk.clear()

    def recorder(self, name: str) -> Recorder:
        """A function that holds an exchange under this name."""
        return partial(self._hold, name)

    def _hold(self, name: str, exchange: Exchange) -> Ref:
        # An update of a blog that is known by its address scouts nothing, and needs no folder for it.
        desk = self._desk = self._desk or _Desk()
        ref = self._places[name][exchange.url] = desk.writer.write(exchange)
        self._offsets[name].append(desk.put_down(exchange))
        return ref

    def reader(self, name: str | None = None) -> ResponseReader:
        """What is held under a name, or nothing."""
        return Known(self._places[name] if name else {}, self)

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """Nothing by its address alone: only who says for what it was fetched finds it."""
        return None

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one response that is held."""
        assert self._desk is not None, "only what was written can be read"
        return self._desk.reader.response(ref)

    def rename(self, old: str, new: str) -> None:
        """What was held under one name belongs to another."""
        if old != new:
            self._places[new] |= self._places.pop(old, {})
            self._offsets[new] += self._offsets.pop(old, [])

    def names(self) -> set[str]:
        """Under which names something is held."""
        return {name for name, offsets in self._offsets.items() if offsets}

    def hand_over(self, names: Iterable[str], record: Recorder) -> dict[str, Ref]:
        """Write what is held under these names where it belongs; where each address lies now."""
        found: dict[str, Ref] = {}
        for name in names:
            for offset in self._offsets.pop(name, []):
                assert self._desk is not None, "what has a place was put there"
                exchange = self._desk.take_up(offset)
                found[exchange.url] = record(exchange)
        return found


class _Desk:
    """Where exchanges lie for a while: to be read as pages, and as they are to be handed over."""

    def __init__(self) -> None:
        self._folder = SpareFolder()
        root = self._folder.path
        self.writer, self.reader = WarcWriter(root / "warc", root, {}), WarcReader((), root)
        self._spool = TemporaryFile()  # noqa: SIM115  closed with the rest

    def put_down(self, exchange: Exchange) -> int:
        """Keep an exchange: where it lies."""
        offset = self._spool.seek(0, os.SEEK_END)
        pickle.dump(exchange, self._spool)
        return offset

    def take_up(self, offset: int) -> Exchange:
        """The exchange that lies there."""
        self._spool.seek(offset)
        exchange: Exchange = pickle.load(self._spool)  # noqa: S301  our own file, which nobody else can open
        return exchange

    def clear(self) -> None:
        """Remove everything."""
        self.writer.close()
        self._spool.close()
        self._folder.remove()
