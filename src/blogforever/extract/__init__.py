"""6 extract: rules + page -> post, each field with where it came from (pure)."""
