"""Certificates are looked at: whose is not valid is remembered, with the reason, and gets nothing
of the operator's.

A connection is first made as browsers make it: only to who can show that he is who he says. Where
that fails, the page is still worth keeping: it is fetched once more without the check, and without
cookies and passwords.
"""

from __future__ import annotations

import os
import ssl
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import certifi
from OpenSSL import SSL
from OpenSSL.crypto import X509
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet.abstract import isIPAddress, isIPv6Address
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer  # type: ignore[import-untyped]  # zope has no types

from blogforever.errors import UsageError

from .policy import Policies

CERTIFICATE = "certificate"
"""Where a request says why the certificate of its server is not valid."""
CERTIFICATE_FOUND = "certificate_found"
"""Where it says what the WARC is told of that."""
NAMED = "SSL_CERT_FILE"
"""The variable in which people name the authorities they trust."""
HTTPS_PORT = 443
WRONG_NAME = "it is for another name"
REASONS = {
    2: "its issuer is not known",
    9: "not valid yet",
    10: "expired",
    18: "self-signed",
    19: "its issuer is not trusted",
    20: "its issuer is not known",
    21: "its issuer is not known",
    23: "revoked",
}
"""The codes of OpenSSL (x509_vfy.h) that servers of blogs really show."""


class Certificates:
    """The servers whose certificate was found not valid, and why.

    `insecure` trusts them all the same; a policy trusts one of them.
    """

    def __init__(self, insecure: bool = False, policies: Policies | None = None) -> None:
        named = os.environ.get(NAMED)
        if named and not Path(named).is_file():
            raise UsageError(f"{NAMED} names {named}, which is no file.")
        self._insecure, self._policies = insecure, policies or Policies(())
        self._problems: dict[tuple[str, int], str] = {}

    def problem(self, url: str) -> str | None:
        """Why the certificate of this address's server is not valid.

        None where nothing speaks against it.
        """
        parts = urlsplit(url)
        if parts.scheme != "https":
            return None
        return self._problems.get(((parts.hostname or "").lower(), parts.port or HTTPS_PORT))

    def distrusts(self, url: str) -> bool:
        """Whether nothing of the operator's own may go there."""
        return self.problem(url) is not None and self.trusted_by(url) is None

    def trusted_by(self, url: str) -> str | None:
        """Who said that this server may be trusted whatever its certificate is; None: nobody."""
        policy = self._policies.of(url)
        if policy and policy.insecure:
            return f"a policy: {policy.note}"
        return "--insecure" if self._insecure else None

    def found(self, url: str) -> str | None:
        """What the WARC says beside an answer that came although the certificate is not valid."""
        problem, trusted_by = self.problem(url), self.trusted_by(url)
        if problem is None:
            return None
        return f"not valid ({problem})" + (f", trusted by {trusted_by}" if trusted_by else "")

    def note(self, host: str, port: int, reason: str) -> None:
        """What is wrong with a certificate; what was found first stays, for there may be more."""
        self._problems.setdefault((host.lower(), port), reason)


@implementer(IPolicyForHTTPS)
class Connections:
    """How connections are made: with a look at the certificate where there is somebody to tell,
    else without.
    """

    def __init__(self, told: Certificates | None = None) -> None:
        self._told = told

    @cached_property
    def _context(self) -> SSL.Context:
        """Made with the first connection: reading the authorities takes longer than an update of an
        unchanged blog.
        """
        return _context(trusting=self._told is None)

    def creatorForNetloc(self, hostname: bytes, port: int) -> _Connection:
        """As Twisted's IPolicyForHTTPS wants it."""
        return _Connection(self._context, hostname.decode("ascii"), port, self._told)


@implementer(IOpenSSLClientConnectionCreator)
class _Connection:
    """One connection to one host."""

    def __init__(self, context: SSL.Context, host: str, port: int, told: Certificates | None) -> None:
        self._context, self._host, self._port, self._told = context, host.strip("[]"), port, told

    def clientConnectionForTLS(self, _protocol: object) -> SSL.Connection:
        """As Twisted's IOpenSSLClientConnectionCreator wants it."""
        connection = SSL.Connection(self._context, None)
        if not is_number(self._host):
            connection.set_tlsext_host_name(self._host.encode("ascii"))
        if self._told is None:
            connection.set_verify(SSL.VERIFY_NONE)
        else:
            check = partial(self._check, self._told)
            connection.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, check)
        return connection

    def _check(
        self, told: Certificates, _connection: SSL.Connection, certificate: X509, error: int, depth: int, good: int
    ) -> bool:
        """OpenSSL's verdict on one certificate of the chain, and ours on the name in the last one."""
        reason = None if good else REASONS.get(error, f"OpenSSL refuses it, error {error}")
        if good and depth == 0 and not _names(certificate, self._host):
            reason = WRONG_NAME
        if reason:
            told.note(self._host, self._port, reason)
        return reason is None


def _names(certificate: X509, host: str) -> bool:
    """Whether a certificate is for this host."""
    try:
        wanted = IPAddress_ID(host) if is_number(host) else DNS_ID(host.rstrip("."))
        verify_service_identity(extract_patterns(certificate), [wanted], [])
    except Exception:  # a certificate that cannot even be read, or a host no certificate can name
        return False
    return True


def is_number(host: str) -> bool:
    """Whether a host is an IP address and has no name."""
    return isIPAddress(host) or isIPv6Address(host)


def _context(trusting: bool) -> SSL.Context:
    """One for all connections: Twisted asks for each request, and reading the authorities takes
    milliseconds.
    """
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_min_proto_version(SSL.TLS1_2_VERSION)
    # As Scrapy has it: old servers that do not know the safe way to renegotiate are spoken to, too.
    context.set_options(SSL.OP_NO_COMPRESSION | SSL.OP_LEGACY_SERVER_CONNECT)
    context.set_mode(SSL.MODE_RELEASE_BUFFERS)
    if not trusting:
        _load_authorities(context)
    return context


def _load_authorities(context: SSL.Context) -> None:
    """Those of SSL_CERT_FILE and SSL_CERT_DIR, else the system's.

    A system that has none gets Mozilla's.
    """
    context.set_default_verify_paths()
    paths: Any = ssl.get_default_verify_paths()
    if not (paths.cafile or paths.capath):
        context.load_verify_locations(certifi.where())
