"""9 store: records in SQLite and bytes in WARC files; the only place that knows SQL and warcio."""
