"""Blog programs on loopback that are driven through a blog's life, and the story that drives them."""
