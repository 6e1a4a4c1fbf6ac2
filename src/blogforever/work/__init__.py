"""Carries jobs out: how a worker takes them, runs many at once, and ends; knows no blogs."""
