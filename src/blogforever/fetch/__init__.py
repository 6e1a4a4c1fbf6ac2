"""3 fetch: bytes off the network, or out of a WARC; the only place that knows Scrapy."""
