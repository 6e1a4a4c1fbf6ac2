"""Where repositories fetch files by FTP, as people are told."""

from __future__ import annotations

from dataclasses import dataclass

from .hosts import EVERYWHERE

# The port that an FTP address need not name.
USUAL_PORT = 21


@dataclass(frozen=True, slots=True)
class FtpPlace:
    """The host and port of the FTP server, 0 where there is none; the SHA-256 of its certificate,
    by which a client knows it again; and whether others may log in unencrypted.
    """

    host: str = ""
    port: int = 0
    fingerprint: str = ""
    is_plain: bool = False

    def seen_from(self, name: str) -> str:
        """The address, for whoever calls the service by this name; empty where there is none."""
        if not self.port:
            return ""
        host = name if self.host in EVERYWHERE else self.host
        shown = f"[{host}]" if ":" in host else host
        return f"ftp://{shown}/" if self.port == USUAL_PORT else f"ftp://{shown}:{self.port}/"
