"""1 source: which blogs, as a person gives them."""
