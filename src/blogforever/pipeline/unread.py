"""A handler around a crawl that notes of which addresses nothing was had, though something may have been captured."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.protocols import Answer, Ask, PageHandler
from blogforever.urls import url_key

BAD_STATUS = 400


class Unread:
    """Passes everything on to the crawl.

    `failed` says why, by the keys of what was asked for and what led there.
    """

    def __init__(self, handler: PageHandler) -> None:
        self.start, self.idle = handler.start, handler.idle
        self._handler = handler
        self.failed: dict[str, str] = {}

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """What the crawl asks next; an address that failed at first and came later was had."""
        names = [url_key(url) for url in (answer.ask.url, *answer.ask.chain)]
        if answer.page is None or answer.status >= BAD_STATUS:
            reason = answer.failure.reason if answer.failure else f"status {answer.status}"
            self.failed |= dict.fromkeys(names, reason)
        else:
            for name in names:
                self.failed.pop(name, None)
        return self._handler.handle(answer)
