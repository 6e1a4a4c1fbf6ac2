"""Takes a picture of every screen of the portal, for docs/howto/portal.md or to look at: from the sample blog and,
where ../shared/lab is, from made-up blogs of eight languages.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import Page  # noqa: E402

from blogforever.portal.routes import SCREENS  # noqa: E402
from blogforever.service.desk import desk_of  # noqa: E402
from blogforever.service.schedules import Many, look_now  # noqa: E402
from blogforever.storage.following import FollowedQuery  # noqa: E402
from blogforever.store.folder import ArchiveFolder  # noqa: E402
from labblog import free_ports  # noqa: E402
from server.livedin import WHO, live_in  # noqa: E402
from server.portalserver import NARROW, WIDE, ServedPortal, chromium, served_portal  # noqa: E402
from server.samplearchive import carry_out, harvest, served_sample  # noqa: E402
from webbox import BOX, Box  # noqa: E402

PICTURES = ROOT / "docs/pictures"
SIZES = {"wide": WIDE, "narrow": NARROW}
THEMES = ("light", "dark")
USUAL = ("wide", "light")
# Which screens the documentation shows in another way, too.
OTHERWISE = {"/": ("narrow", "dark"), "/posts/{post}": ("narrow", "light")}
# What the documentation shows; other pictures are taken only where all are asked for.
SHOWN = (ROOT / "docs/howto/portal.md").read_text(encoding="utf-8")
# Made-up blogs to choose from, and rhythms of those that have few posts.
BOX_BLOGS, QUIET = 200, ("rare", "monthly", "weekly", "silent")
# What the author of the sample blog writes instead, in the newest post.
EDITED = ("Ours has seven.", "Ours has seven, or eight if the elder counts.")
# A picture of a long page ends here: nobody scrolls through it in the documentation.
TALLEST = 1300


def name_of(path: str) -> str:
    """What the picture of a path is called."""
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-") or "home"


def variants(address: str, everything: bool) -> Iterator[tuple[str, str]]:
    """Sizes and themes: for the documentation wide and light, of few screens more; to look at them all each way."""
    for size in SIZES:
        for theme in THEMES:
            if everything or (size, theme) in (USUAL, OTHERWISE.get(address)):
                yield size, theme


def take(page: Page, portal: ServedPortal, path: str, to: Path, everything: bool) -> None:
    """The pictures of one screen."""
    places = portal.places()
    name, address = name_of(path), path.format(**places)
    for size, theme in variants(path, everything):
        suffix = f"-{size}-{theme}" if everything or (size, theme) != USUAL else ""
        if not everything and f"{name}{suffix}.png" not in SHOWN:
            continue
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # words it knows
        page.goto(portal.url + address)
        page.wait_for_load_state("networkidle")
        tall = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
        page.set_viewport_size({"width": width, "height": max(height, tall)})
        page.screenshot(path=to / f"{name}{suffix}.png")


def many_blogs(folder: Path, has_box: bool) -> Path:
    """An archive of the sample blog, whose newest post was changed since, in a service that people use; and, out of
    the web in a box, of made-up blogs in eight languages.
    """
    archive = folder / "archive"
    if has_box:
        harvest_box(folder / "box", archive)
    with served_sample(folder / "site") as url:
        harvest(archive, [f"{url}/"])
        change(folder / "site")

        def use(opened: ArchiveFolder) -> None:
            live_in(opened)
            followed = opened.store.followed.page(FollowedQuery()).items
            look_now(desk_of(opened, WHO), Many(tuple(blog.id for blog in followed if blog.url.startswith(url))))

        carry_out(archive, use)
    return archive


def harvest_box(folder: Path, archive: Path) -> None:
    """Blogs of the web in a box into the archive."""
    box = Box(folder, free_ports(3), ["--blogs", str(BOX_BLOGS), "--fresh", "--paused"])
    try:
        os.environ["SSL_CERT_FILE"] = str(box.data / "ca.pem")
        harvest(archive, chosen(box.blogs()), proxy=f"http://127.0.0.1:{box.port}")
    finally:
        box.stop()


def change(site: Path) -> None:
    """Let the author change a sentence of the newest post, wherever it stands."""
    for path in (*site.rglob("*.html"), *site.rglob("*.xml")):
        text = path.read_text(encoding="utf-8")
        if EDITED[0] in text:
            path.write_text(text.replace(*EDITED), encoding="utf-8")


def chosen(blogs: Iterable[dict[str, Any]]) -> list[str]:
    """One blog of each language that is small and answers well, and one that died."""
    found: dict[str, str] = {}
    for blog in blogs:
        is_well = not (blog["faulty"] or blog["slow"] or blog["crawl_delay"]) and blog["rhythm"] in QUIET
        if blog["class"] == "blog" and is_well:
            found.setdefault(blog["language"], blog["url"])
        elif blog["class"] == "dead":
            found.setdefault("dead", blog["url"])
    return list(found.values())


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=PICTURES, help="the folder of the pictures")
    parser.add_argument("--all", action="store_true", help="wide and narrow, light and dark")
    parser.add_argument("--sample", action="store_true", help="the sample blog only, also where the box is here")
    parser.add_argument("--only", default="", help="only addresses that begin so")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        archive = many_blogs(Path(folder), has_box=BOX.is_dir() and not given.sample)
        with served_portal(archive) as portal, chromium() as browser:
            context = browser.new_context(locale="en-GB", timezone_id="UTC", device_scale_factor=1)
            page = context.new_page()
            if not given.only:
                take(page, portal, "/login", given.to, given.all)
            portal.log_in(context, "admin")
            for path in (path for screen in SCREENS for path in screen.addresses):
                if path != "/login" and path.startswith(given.only):
                    take(page, portal, path, given.to, given.all)
            context.close()
    print(f"{len(list(given.to.glob('*.png')))} pictures in {given.to}")


if __name__ == "__main__":
    main()
