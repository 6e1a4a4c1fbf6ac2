"""Walk the use case of 2011 from end to end: filters, a blog by hand, pings, sources, output, XML, a file by FTP.

    python tools/usecase.py [--hosts 60] [--data DIR]

Needs ../shared/lab/webbox and Chromium. Everything a person does is done in the portal, in a real browser; what a
repository does, by a real FTP client: it fetches a file, deletes it, and asks for it again by its number. Prints what
was seen, with bytes a post beside the 40 kB of 2011, and exits with 1 where a step cannot be done.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ftplib import FTP_TLS
from io import BytesIO
from pathlib import Path
from ssl import CERT_REQUIRED, create_default_context

from lxml import etree
from playwright.sync_api import Page, sync_playwright

from blogforever.export.spiderxml import schema_text
from blogforever.render.chromium import find_browser
from labblog import free_ports
from webbox import BOX, SERVICES, Box, ServiceUnderTest

# Two filters as in 2011: a platform by its addresses, and words.
FILTERS = (("BlogSpot", "*blogspot.com*", "wildcards"), ("WordPress", "wordpress", "words"))
ACCOUNT, SECRET = "repository", "one correct horse"
SPEED = 600
# Bytes of XML that a post had in 2011: about 1 GB for 25,000.
IN_2011 = 40_000
# Seconds that each step may take.
PATIENCE = 600.0
# Sources and files that must have come by pings.
ENOUGH_SOURCES, ENOUGH_FILES = 3, 5


class Walk:
    """A person at the portal, and a repository at the FTP server."""

    def __init__(self, page: Page, home: str, ftp: FTP_TLS) -> None:
        self._page, self._home, self._ftp = page, home, ftp

    def go(self, path: str) -> Page:
        """Open a screen."""
        self._page.goto(self._home + path)
        return self._page

    def let_somebody_fetch(self) -> None:
        """The first account: from now on files are made."""
        page = self.go("/outbox")
        page.fill("form[action='/outbox/accounts'] [name=name]", ACCOUNT)
        page.fill("form[action='/outbox/accounts'] [name=password]", SECRET)
        page.click("form[action='/outbox/accounts'] button")

    def set_filters(self) -> None:
        """Two filters, then pings of unknown blogs are listened to."""
        for name, pattern, kind in FILTERS:
            page = self.go("/filters")
            form = page.locator("form[action='/filters']").filter(has=page.locator("button[value=keep]"))
            form.locator("[name=name]").fill(name)
            form.locator("[name=pattern]").fill(pattern)
            form.locator("[name=kind]").select_option(kind)
            form.locator("button[value=keep]").click()
            page.get_by_text(name, exact=True).first.wait_for()
        page = self.go("/pings")
        for button in ("Turn on", "Track new blogs"):
            wanted = page.get_by_role("button", name=button).first
            if wanted.count():
                wanted.click()

    def add_by_hand(self, url: str) -> None:
        """One blog, pasted."""
        page = self.go("/add")
        page.fill("[name=text]", url)
        page.get_by_role("button", name="See what would happen").click()
        page.locator("main form button.main").first.click()

    def sources(self) -> int:
        """How many blogs are listed."""
        return self.go("/sources").locator("main tbody tr").count()

    def output(self) -> int:
        """How many posts and comments are shown."""
        return self.go("/output?view=together").locator("main tbody tr").count()

    def xml_of(self, post: str) -> str:
        """A post as XML, by the link in its page."""
        page = self.go(f"/posts/{post}")
        place = page.locator(f"a[href$='/posts/{post}.xml']").first.get_attribute("href")
        answer = page.goto(f"{self._home}{place}")
        return answer.text() if answer else ""

    def log_in(self, port: int) -> None:
        """As a repository does."""
        self._ftp.connect("127.0.0.1", port)
        self._ftp.login(ACCOUNT, SECRET)
        self._ftp.prot_p()

    def files(self) -> list[str]:
        """What waits for the repository."""
        return sorted(name for name in self._ftp.nlst() if name.endswith(".xml"))

    def fetch(self, name: str) -> bytes:
        """A file."""
        taken = BytesIO()
        self._ftp.retrbinary(f"RETR {name}", taken.write)
        return taken.getvalue()

    def delete(self, name: str) -> None:
        """It is safe elsewhere."""
        self._ftp.delete(name)


def until(is_so: Callable[[], object], what: str) -> None:
    """Wait for it."""
    last = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > last:
            raise SystemExit(f"waited in vain: {what}")
        time.sleep(1)
    print(f"seen: {what}", flush=True)


def walk(person: Walk, ftp_port: int, by_hand: str) -> None:
    """Every step of the use case."""
    person.let_somebody_fetch()
    person.set_filters()
    print(f"set: {' and '.join(name for name, _, _ in FILTERS)}", flush=True)
    person.add_by_hand(by_hand)
    until(lambda: person.sources() >= ENOUGH_SOURCES, f"{ENOUGH_SOURCES} sources or more, one by hand, others by pings")
    until(lambda: person.output() > 0, "posts in the output")
    person.log_in(ftp_port)
    until(lambda: len(person.files()) >= ENOUGH_FILES, "files for the repository")
    name = person.files()[0]
    post = name.removesuffix(".xml").rpartition("-")[2]
    if f"<Id>{post}</Id>" not in person.xml_of(post):
        raise SystemExit("the post is not shown as XML")
    print(f"read: post {post} as XML", flush=True)
    first = person.fetch(name)
    person.delete(name)
    if name in person.files():
        raise SystemExit("a deleted file is still there")
    before = int(name.partition("-")[0]) - 1
    person.fetch(f"again/{before}")
    until(lambda: any(post in other for other in person.files()), "the deleted file once more, by its number")
    again = next(other for other in person.files() if post in other)
    is_same = person.fetch(again) == first
    print(f"fetched, deleted, fetched again ({'the same' if is_same else 'edited meanwhile'}): {again}")
    weigh(person)


def weigh(person: Walk) -> None:
    """Check every file that waits by the schema, and tell how large they are."""
    schema = etree.XMLSchema(etree.fromstring(schema_text().encode()))
    sizes = []
    for name in person.files():
        data = person.fetch(name)
        schema.assertValid(etree.fromstring(data))
        sizes.append(len(data))
    mean = sum(sizes) / len(sizes)
    print(f"{len(sizes)} files, all valid; {mean:,.0f} bytes a post with its comments (2011: {IN_2011:,})")


@contextmanager
def browsing() -> Iterator[Page]:
    """A page of a real browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser.new_page()
        finally:
            browser.close()


def run(given: argparse.Namespace) -> int:
    """The box, the service, and the walk."""
    shutil.rmtree(given.data, ignore_errors=True)
    given.data.mkdir(parents=True)
    box_port = free_ports(6)
    port, ftp_port = box_port + 3, box_port + 5
    options = ["--blogs", str(given.hosts), "--speed", str(SPEED), "--fresh", "--services", SERVICES]
    box = Box(given.data / "box", box_port, [*options, "--endpoint", f"http://127.0.0.1:{port}/RPC2"])
    flags = ["--delay", "0.1", "--ftp-port", str(ftp_port)]
    service = ServiceUnderTest(box, given.data / "archive", port, flags, given.data / "service.log")
    try:
        service.start()
        by_hand = next(blog["url"] for blog in box.blogs() if blog["class"] == "blog" and not blog["pings"])
        context = create_default_context(cafile=str(given.data / "archive/ftp.pem"))
        context.check_hostname, context.verify_mode = False, CERT_REQUIRED
        with browsing() as page, FTP_TLS(context=context, timeout=PATIENCE) as ftp:  # noqa: S321  encrypted
            walk(Walk(page, f"http://127.0.0.1:{port}", ftp), ftp_port, by_hand)
        print(f"the service ended with {service.stop()}")
        return 0
    finally:
        if service.process and service.process.poll() is None:
            service.stop()
        box.stop()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=60, help="made-up hosts in the box")
    parser.add_argument("--data", type=Path, default=Path("out/usecase"), help="where box, archive and logs are")
    given = parser.parse_args()
    given.data = given.data.resolve()
    if not BOX.is_dir():
        raise SystemExit(f"there is no box in {BOX}")
    # Who ends this ends the box and the service, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
