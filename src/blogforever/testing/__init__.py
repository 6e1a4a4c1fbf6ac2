"""What tests need in place of disk, network, browser and clock: a store in memory, a fetcher and a
renderer that answer from what they were given, a clock that stands still.
"""

from .fakes import FakeClock, FakeFetcher, FakeRenderer, FakeReply
from .memorystore import MemoryStore

__all__ = ["FakeClock", "FakeFetcher", "FakeRenderer", "FakeReply", "MemoryStore"]
