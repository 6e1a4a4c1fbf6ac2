from __future__ import annotations

from blogforever.learn.inertquery import InertQuery

ROOT = "https://blog.example/news/"


def test_a_parameter_is_dropped_only_when_several_values_gave_the_same_page() -> None:
    inert = InertQuery()
    for n in range(3):
        inert.observe(f"{ROOT}?visit={n}&p=1", "same")
        assert inert.strip(f"{ROOT}?visit=9&p=1") == f"{ROOT}?visit=9&p=1"
    inert.observe(f"{ROOT}?visit=3&p=1", "same")
    assert inert.strip(f"{ROOT}?visit=9&p=1") == f"{ROOT}?p=1"
    assert inert.strip(f"{ROOT}?visit=9") == ROOT


def test_one_page_that_differs_proves_that_it_counts() -> None:
    inert = InertQuery()
    for n in range(9):
        inert.observe(f"{ROOT}?p={n}", "same" if n else "other")
    for n in range(9):
        inert.observe(f"{ROOT}?p={n}", "same")
    assert inert.strip(f"{ROOT}?p=20") == f"{ROOT}?p=20"


def test_the_same_address_again_proves_nothing() -> None:
    inert = InertQuery()
    for _ in range(9):
        inert.observe(f"{ROOT}?v=1", "same")
    assert not inert.is_inert("v")
    inert.observe("https://[broken?v=1", "same")
