"""A known blog brought up to date: what to look at again, and what was found."""
