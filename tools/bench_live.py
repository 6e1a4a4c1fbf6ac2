"""What one open page with live progress costs the service: processor time of a poll, as a share of the time between.

Asks for each part that a page swaps by itself, on an archive with a job under way; prints milliseconds and per cent of
a core, and fails where one page costs a hundredth of a core or more.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from blogforever import clock  # noqa: E402
from blogforever.archive.opening import open_archive  # noqa: E402
from blogforever.service.standing import Standing  # noqa: E402
from blogforever.storage.following import FollowedQuery  # noqa: E402
from blogforever.storage.work import NewJob  # noqa: E402
from blogforever.web.app import make_app  # noqa: E402
from server.samplearchive import hash_cheaply, sample_archive  # noqa: E402
from server.visitor import PortalClient  # noqa: E402

# Parts that pages ask for by themselves, with the seconds between two polls (hx-trigger of their templates).
PARTS = {"/running": 3, "/system/now": 2, "/sources/{blog}/now": 2, "/batches/{batch}/now": 2, "/exports/now": 3}
POLLS = 200
# Share of a core that one open page may cost.
MOST = 0.01


def main() -> int:
    """Command line."""
    hash_cheaply()
    with tempfile.TemporaryDirectory() as folder:
        archive_folder = sample_archive(Path(folder))
        with open_archive(archive_folder, writing=True) as archive:
            store = archive.store
            blog = store.followed.page(FollowedQuery(limit=1)).items[0].id
            store.jobs.put(NewJob("update", blog), clock.stamp())
            store.jobs.take("bench", {"update": 1}, clock.stamp())
            batch = store.sources.batches(None, 1)[0].id
            standing = Standing(archive)
            client = PortalClient(make_app(standing, "1"), standing, "viewer")
            shares = {part: share_of(client, part.format(blog=blog, batch=batch), PARTS[part]) for part in PARTS}
    return int(max(shares.values()) >= MOST)


def share_of(client: PortalClient, path: str, seconds: int) -> float:
    """The share of a core that a page costs which asks for this part every so many seconds."""
    client.page(path)
    begun = time.process_time()
    for _ in range(POLLS):
        client.get(path)
    cost = (time.process_time() - begun) / POLLS
    print(f"{path:60} {cost * 1000:6.1f} ms every {seconds} s   {cost / seconds:7.3%} of a core")
    return cost / seconds


if __name__ == "__main__":
    sys.exit(main())
