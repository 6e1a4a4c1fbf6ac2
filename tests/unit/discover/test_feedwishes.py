"""What feeds say about when to come again."""

from __future__ import annotations

import pytest

from blogforever.discover.feedwishes import FeedWishes, entry_count, feed_wishes

ITEM = b"<item><title>One</title><description>&lt;ttl&gt; <ttl>5</ttl></description></item>"


def rss(head: bytes = b"", tail: bytes = b"", items: int = 2) -> bytes:
    return b"<rss version='2.0'><channel>" + head + ITEM * items + tail + b"</channel></rss>"


@pytest.mark.parametrize(
    ("feed", "wishes"),
    [
        (rss(), FeedWishes()),
        (rss(b"<ttl> 60 </ttl>"), FeedWishes(ttl=3600)),
        (rss(tail=b"<ttl>1</ttl>"), FeedWishes(ttl=60)),
        (rss(b"<sy:updatePeriod>\n hourly </sy:updatePeriod>"), FeedWishes(update_period=3600)),
        (
            rss(b"<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>"),
            FeedWishes(update_period=21_600),
        ),
        (rss(b"<sy:updateFrequency>0</sy:updateFrequency>"), FeedWishes()),
        (rss(b"<sy:updatePeriod>never</sy:updatePeriod>"), FeedWishes()),
        (
            rss(b"<skipHours><hour>3</hour><hour>24</hour><hour>1</hour><hour>99</hour></skipHours>"),
            FeedWishes(skip_hours=(0, 1, 3)),
        ),
        (
            rss(b"<skipDays><day>Sunday</day><day>monday</day><day>Sunday</day><day>Doomsday</day></skipDays>"),
            FeedWishes(skip_days=("sunday", "monday")),
        ),
        (b'{"version": "https://jsonfeed.org/version/1.1"}', FeedWishes()),
        (b"", FeedWishes()),
    ],
)
def test_wishes_are_read_from_what_stands_outside_the_entries(feed: bytes, wishes: FeedWishes) -> None:
    assert feed_wishes(feed) == wishes


def test_entries_are_counted_without_reading_them() -> None:
    assert entry_count(rss(items=7)) == 7
    assert entry_count(b"<feed><entry><id>1</id></entry><entry xml:lang='en'/></feed>") == 2
    assert entry_count(b"<itemised><items/></itemised>") == 0
