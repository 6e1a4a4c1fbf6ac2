"""Use cases of the service: what follows blogs day by day; they give values, and faces make the words."""
