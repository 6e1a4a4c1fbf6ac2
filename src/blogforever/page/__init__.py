"""One page, read once: its text, its tree and its columns, for all who look at it."""
