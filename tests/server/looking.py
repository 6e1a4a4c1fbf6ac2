"""What is wrong with a page that is open in a browser: what axe-core finds, and what is wider than a phone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from server.portalserver import NARROW, WIDE

AXE = (Path(__file__).parents[1] / "data/axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = """async ([tags, only]) => {
  const runOnly = only ? {type: "rule", values: only} : {type: "tag", values: tags}
  const found = await axe.run(document, {runOnly, resultTypes: ["violations"]})
  const places = (one) => one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")
  return found.violations.map((one) => `${one.id}: ${places(one)}`)
}"""
TOO_WIDE = """() => {
  const room = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= room) return []
  const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > room + 1)
  return wide.slice(-3).map((one) => `too wide: ${one.outerHTML.slice(0, 160)}`)
}"""


def wrong_at(page: Page, address: str) -> list[str]:
    """What is wrong with a page that is open, at each size and in each theme."""
    found = []
    for size, theme in ((WIDE, "light"), (WIDE, "dark"), (NARROW, "light"), (NARROW, "dark")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # one of the words it knows
        # What the colours do not change is looked at in one theme only.
        only = ["color-contrast"] if theme == "dark" else None
        wrong = page.evaluate(LOOK, [TAGS, only]) + (page.evaluate(TOO_WIDE) if size == NARROW else [])
        found += [f"{address} at {size[0]}, {theme}: {one}" for one in wrong]
    return found
