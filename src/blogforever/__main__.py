"""`python -m blogforever`."""

from .cli import main

main()
