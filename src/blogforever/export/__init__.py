"""10 export: records as people and other programs read them: a static site, a table (pure)."""
