"""Certificates for servers on loopback: one that the test's own authority vouches for, and some nobody should take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

import trustme

HOST = "127.0.0.1"
VALID, EXPIRED, WRONG_NAME, SELF_SIGNED, STRANGER = "valid", "expired", "wrong name", "self-signed", "stranger's"


class Authority:
    """Vouches for servers; `file` is what SSL_CERT_FILE has to name."""

    def __init__(self, folder: Path) -> None:
        self._ca, self._folder = trustme.CA(), folder
        self.file = folder / "authority.pem"
        self._ca.cert_pem.write_to_path(str(self.file))

    def context(self, kind: str, host: str = HOST) -> SSLContext:
        """What a server needs to show such a certificate."""
        context = SSLContext(PROTOCOL_TLS_SERVER)
        if kind == SELF_SIGNED:
            self._self_signed(context)
        else:
            self._leaf(kind, host).configure_cert(context)
        return context

    def _leaf(self, kind: str, host: str) -> trustme.LeafCert:
        if kind == EXPIRED:
            return self._ca.issue_cert(host, not_after=datetime.now(UTC) - timedelta(days=1))
        if kind == WRONG_NAME:
            return self._ca.issue_cert("another.example")
        return (trustme.CA() if kind == STRANGER else self._ca).issue_cert(host)

    def _self_signed(self, context: SSLContext) -> None:
        """The certificate of an authority nobody knows, shown by a server itself."""
        own, file = trustme.CA(), self._folder / "self-signed.pem"
        file.write_bytes(own.private_key_pem.bytes() + own.cert_pem.bytes())
        context.load_cert_chain(file)
