"""What people decide by hand: what is hidden or erased, which rules are locked, notes; kept in a journal (pure)."""
