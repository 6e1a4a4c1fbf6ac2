"""Blog programs nobody here was made for, built with posts of known truth."""
