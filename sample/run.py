"""Runs the service with the sample blog followed, and says where to look; Ctrl-C ends it."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path

from serve import served

OUT = Path("out")
# Always the same, so that the next run knows the blog again; not the port after the service's own, which is that of
# archived pages.
PORT = 8149
SITE, ARCHIVE = OUT / "run-site", OUT / "run-archive"
COMMAND = str(Path(sys.executable).with_name("blogforever"))
# The blog is on this machine, and its only reader is this service.
FLAGS = ["--archive", str(ARCHIVE), "--allow-private", "--delay", "0"]


def tell(address: str, url: str) -> None:
    """Where to look, as soon as there is something."""
    here = f"--archive {ARCHIVE}"
    print(f"\nOpen {address} in a browser: the portal. The sample blog, {url}/, is harvested just now; see it come in.")
    print(f"  {address}sources                 the blogs that are followed, and how each stands")
    print(f"  {address}output                  every post, to read and to search")
    print(f"  {address}settings                the first password: until there is one, only this machine gets in")
    print(f"  {address}api/v1/openapi.json     the same for programs (blogforever token create NAME {here})")
    print(f"  blogforever add URL {here}      follow another blog, from the terminal")
    print("Ctrl-C ends it; the next make run goes on with the same archive.\n", flush=True)


def run(more: list[str]) -> int:
    """Serve until Ctrl-C; the exit code of the service."""
    with served(SITE, PORT) as url:
        command = [COMMAND, "serve", *FLAGS, *more]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:  # noqa: S603  # our own command
            # The service hears Ctrl-C itself, and ends in good order; we wait for it.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, lambda *_: service.terminate())
            assert service.stdout
            line = service.stdout.readline()
            if line:
                subprocess.run([COMMAND, "add", f"{url}/", "--archive", str(ARCHIVE)], check=True)  # noqa: S603  # as above
                tell(line.split()[-1], url)
            return service.wait()


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        sys.exit(f"Port {PORT}, where the sample blog is served, is taken: does another make run still go?")
