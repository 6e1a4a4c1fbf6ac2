"""Tests of the learn stage."""
