"""Notices that somebody published something: read from every form they come in, and chosen by filters."""
