"""The walk through a whole blog, from its address to a statement of how complete it is."""
