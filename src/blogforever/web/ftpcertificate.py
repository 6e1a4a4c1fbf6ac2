"""The certificate of the FTP server: one that somebody gives, or one of its own, made once and kept."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from blogforever import clock
from blogforever.errors import ArchiveError, UsageError

FILE = "ftp.pem"
# Only who runs the service may read the key in it.
MODE = 0o600
VALID = timedelta(days=5 * 365)
# Certificates that begin now are not yet valid for clocks that are behind.
BEHIND = timedelta(days=1)
# A certificate that ends sooner is replaced when the service starts.
SOON = timedelta(days=30)


def certificate_file(folder: Path, given: str, host: str) -> Path:
    """The file with certificate and key: the one that is given, else our own, which is made where
    there is none.
    """
    path = Path(given) if given else folder / FILE
    if given and not path.is_file():
        raise UsageError(
            f"There is no certificate {given}; --ftp-certificate names a PEM file with certificate and key."
        )
    if not given and not _is_good(path):
        _make(path, host)
    return path


def fingerprint_of(path: Path) -> str:
    """The SHA-256 of a certificate, by which a client knows it again; UsageError where there is
    none in the file.
    """
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} holds no certificate that can be read.") from error
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _is_good(path: Path) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return False
    return certificate.not_valid_after_utc > clock.system() + SOON


def _make(path: Path, host: str) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host[:64] or "blogforever")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(clock.system() - BEHIND).not_valid_after(clock.system() + VALID)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    certificate = builder.sign(key, hashes.SHA256())
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE), "wb") as file:
            file.write(certificate.public_bytes(Encoding.PEM) + secret)
        beside.replace(path)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be written: {error.strerror or error}.") from error
