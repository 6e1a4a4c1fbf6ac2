"""Every option once: its name, its default and its help, as fields of one frozen dataclass. Reads
nothing itself.

The command line makes a flag of each field, `cli.configfile` reads the same names from the
environment (`BLOGFOREVER_MAX_PAGES`) and from `blogforever.toml` (`max-pages`): flag > environment
> file > default. A new field needs nothing else; the reference page is printed from this table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from .errors import UsageError

Render = Literal["auto", "always", "never"]
Frontier = Literal["knn", "bfs"]
LogFormat = Literal["text", "json"]
Requisites = Literal["page", "none"]
Obedience = Literal["obey", "ignore"]
DEFAULT_ARCHIVE = Path("blogforever-archive")
BYTES = "BYTES"
"""What stands for the value of options that are sizes."""
SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*([kmgt]?)(i?b)?", re.IGNORECASE)
UNITS = "kmgt"
# What a database can be asked for, and some thirty years in seconds: nobody means more.
MOST = {int: 2**63 - 1, float: 10**9}
WANTED = {bool: ": write yes or no", int: ": write a whole number, 0 or more", float: ": write a number, 0 or more"}


def option(default: Any, help_text: str, **more: Any) -> Any:
    """A field of the option table: default, help, and where it applies a metavar, choices or
    `many`; `of` is the command it belongs to, where that is one only: `crawl`, `serve` or `worker`.
    """
    return field(default=default, metadata={"help": help_text, **more})


@dataclass(frozen=True, slots=True)
class Policy:
    """What is settled with one source: a `[[policy]]` of blogforever.toml.

    Ignoring robots.txt, or a certificate that is not valid, needs a note.

    `blog` is a host, a host with its port, or `*.host` for
    all names below it; with `https://` before it, that alone.
    """

    blog: str
    robots: Obedience = "obey"
    note: str = ""
    delay: float | None = None
    concurrency: int | None = None
    cookies: str | None = None
    user: str | None = None
    password: str | None = None
    insecure: bool = False
    """Whether it may have them although its certificate is not valid; needs a note, too."""


@dataclass(frozen=True, slots=True)
class WayOut:
    """A way out to the internet, for some services: a `[[way]]` of blogforever.toml.

    `services` are names of services (blogger), hosts, or `*.host` for all names below one. Without a proxy or a source
    address it is the usual way of the machine.
    """

    services: tuple[str, ...] = ()
    proxy: str = ""
    source_address: str = ""


@dataclass(frozen=True, slots=True)
class Stages:
    """The five stages of a page's way: `[stages]` of blogforever.toml.

    Each is on, off, or `package.module:name`.
    """

    render: str = "on"
    extract: str = "on"
    comments: str = "on"
    media: str = "on"
    back_end: str = "on"


# ruff: noqa: RUF009  `option` makes a field, as dataclasses.field does
@dataclass(frozen=True, slots=True)
class Config:
    """What a person can set; one field is one option."""

    archive: Path = option(DEFAULT_ARCHIVE, "Folder that keeps everything.", metavar="DIR")
    database: str = option(
        "",
        "Keep the records in a database of PostgreSQL instead of the folder: postgresql://user@host/name; the folder"
        " remembers it.",
        metavar="URL",
    )
    blobs: str = option(
        "",
        "Keep WARC files, indexes, rules and journal in this store, and in the folder only what is written or read now:"
        " s3://bucket/prefix, or file:///some/folder; the folder remembers it.",
        metavar="URL",
    )
    jsonl: str | None = option(
        None, "Also write the records of this run here, one JSON line each.", metavar="FILE|-", of="crawl"
    )
    pages: bool = option(
        False,
        "With --jsonl, also write the blog's own pages that are no posts (About, Contact); they are always kept.",
        of="crawl",
    )
    replay: tuple[str, ...] = option(
        (),
        "Take every response from these .warc, .warc.gz, .arc.gz or .wacz files, or a folder of them, and keep it.",
        metavar="PATH",
        many=True,
        of="crawl",
    )
    reference: bool = option(
        False,
        "With --replay, only point to the records in those files; they are not copied into the archive.",
        of="crawl",
    )
    render: Render = option(
        "auto",
        "When to draw pages in a browser.",
        choices=("auto", "always", "never"),
    )
    screenshots: bool = option(
        False,
        "Also keep a picture of every post's page, drawn in a browser.",
    )
    max_posts: int = option(
        0, "Stop after so many new posts of each blog; 0 is no limit. The next crawl goes on.", metavar="N"
    )
    max_pages: int = option(0, "Stop after so many pages; 0 is no limit.", metavar="N")
    max_time: float = option(0.0, "Stop after so many seconds; 0 is no limit.", metavar="S")
    max_total: int = option(0, "Stop after so many bytes of pages; 0 is no limit.", metavar=BYTES)
    min_free: int = option(
        100_000_000,
        "Stop when fewer bytes than this are free on the disk.",
        metavar=BYTES,
    )
    since: str = option("", "Only posts published or changed since this day.", metavar="DATE", of="crawl")
    full: bool = option(False, "Walk a known blog as a whole again instead of bringing it up to date.", of="crawl")
    recheck: float = option(
        0.05,
        "Share of a known blog's old posts to look at again in an update, once a day at most; 1 is all, each time.",
        metavar="SHARE",
    )
    brief: bool = option(
        False,
        "Ask for the feed alone where everything else was asked for within three days, as long as it goes on from known"
        " posts.",
        of="crawl",
    )
    late_comments: bool = option(
        False,
        "Look for late comments on a known blog, and nothing else: in its comment feed, or under its newest posts.",
        of="crawl",
    )
    moved_from: str = option(
        "", "The known blog (id, address, host or title) that is found at this address now.", metavar="BLOG", of="crawl"
    )
    apart: bool = option(
        False, "Keep a blog of its own, even where its posts are those of a blog that is gone.", of="crawl"
    )
    accept_changes: bool = option(
        False, "Take over what a frozen blog shows, though a large part of it changed or vanished.", of="crawl"
    )
    wait: bool = option(True, "Wait while another command writes the same blog, or the whole archive.")
    dry_run: bool = option(False, "Only say what a crawl would take; keep nothing.", of="crawl")
    frontier: Frontier = option(
        "knn", "Which pages come first: those that promise posts, or those met first.", choices=("knn", "bfs")
    )
    delay: float = option(
        1.0,
        "Seconds between two requests to one service (or host).",
        metavar="S",
    )
    concurrency: int = option(2, "Requests to one service (or host) at the same time.", metavar="N")
    timeout: float = option(60.0, "Seconds one page may take.", metavar="S")
    max_size: int = option(32 * 1024 * 1024, "Bytes one page may have, unpacked.", metavar=BYTES)
    retries: int = option(
        2,
        "How often a page that failed for the moment is asked again.",
        metavar="N",
    )
    requisites: Requisites = option(
        "page", "Also keep what pages load: pictures, CSS, fonts, scripts.", choices=("page", "none")
    )
    media: bool = option(False, "Also keep audio, video, enclosures and linked documents.")
    max_media_size: int = option(
        256 * 1024 * 1024,
        "Bytes one audio, video or document may have.",
        metavar=BYTES,
    )
    contact: str = option(
        "",
        "Address or URL that site owners find in the user agent.",
        metavar="WHO",
    )
    proxy: str = option("", "Fetch through this HTTP proxy.", metavar="URL")
    source_address: str = option("", "Fetch from this IP address, of several that the machine has.", metavar="IP")
    cookies: str = option(
        "",
        "Cookies of your own log-in, a cookies.txt file as browsers export it.",
        metavar="FILE",
    )
    insecure: bool = option(
        False,
        "Send cookies and passwords also where a site's certificate is not valid.",
    )
    allow_private: bool = option(False, "Also fetch from private and loopback addresses.")
    quiet: bool = option(False, "Say only what went wrong: no progress, and nothing of what went well.", of="crawl")
    log_level: str = option(
        "warning",
        "How much is logged.",
        choices=("debug", "info", "warning", "error"),
    )
    log_format: LogFormat = option(
        "text",
        "Log lines for people or for machines.",
        choices=("text", "json"),
    )
    host: str = option("127.0.0.1", "Address at which the service answers.", metavar="HOST", of="serve")
    port: int = option(8150, "Port at which the service answers; 0 is any that is free.", metavar="N", of="serve")
    replay_port: int = option(
        0,
        "Port at which archived pages are shown, apart from the service's own; 0 is the one after --port.",
        metavar="N",
        of="serve",
    )
    replay_web: str = option(
        "",
        "Folder with ui.js and sw.js of ReplayWeb.page, to show archived pages there with their scripts, too.",
        metavar="DIR",
        of="serve",
    )
    replay_url: str = option(
        "",
        "Address at which people outside reach that port, where a proxy stands before it.",
        metavar="URL",
        of="serve",
    )
    public_url: str = option(
        "",
        "Address at which people reach the service, where another server (https) stands before it.",
        metavar="URL",
        of="serve",
    )
    workers: int = option(1, "Processes that harvest and update blogs.", metavar="N", of="serve")
    updates: int = option(200, "Updates of known blogs under way at a time, in each worker.", metavar="N", of="serve")
    harvests: int = option(16, "First harvests under way at a time, in each worker.", metavar="N", of="serve")
    ftp_port: int = option(
        0,
        "Port at which repositories fetch files by FTP, once somebody has an account there; 0 is none.",
        metavar="N",
        of="serve",
    )
    ftp_passive_ports: str = option(
        "", "Ports for the data of FTP, as 60000-60100; any free one where none are said.", metavar="N-N", of="serve"
    )
    ftp_address: str = option(
        "",
        "IP address that FTP clients are told for data, where they reach the service by another.",
        metavar="IP",
        of="serve",
    )
    ftp_certificate: str = option(
        "",
        "File with certificate and key (PEM) for FTP; one is made where none is given.",
        metavar="FILE",
        of="serve",
    )
    ftp_plain: bool = option(
        False,
        "Let FTP clients of other machines log in without encryption, too: others can read their passwords.",
        of="serve",
    )
    public_try: bool = option(False, "Let anybody use the screen Try it, without a log-in.", of="serve")
    cores: int = option(
        0,
        "Cores that the service, its workers and their browsers may use together; 0 is all.",
        metavar="N",
        of="serve",
    )
    max_memory: int = option(
        1024 * 1024 * 1024,
        "Bytes of memory a worker may use; one that uses more is replaced when its jobs are done. 0 is no limit.",
        metavar=BYTES,
        of="serve",
    )
    silence: float = option(
        30.0,
        "Seconds without a sign of life after which a worker on another machine is taken for dead, and its jobs go to"
        " others.",
        metavar="S",
        of="serve",
    )
    queue: tuple[str, ...] = option(
        (),
        "Take only jobs of this kind: harvest, update, render, analyse, export or reread; several times for several.",
        metavar="NAME",
        many=True,
        of="worker",
    )
    slots: int = option(0, "Jobs of all kinds at a time; 0 is as many as of each kind.", metavar="N", of="worker")
    policy: tuple[Policy, ...] = option(
        (),
        "What is settled with single sources, in blogforever.toml.",
        table=True,
    )
    way: tuple[WayOut, ...] = option(
        (),
        "Other ways out to the internet for some services, in blogforever.toml.",
        table=True,
    )
    knowledge: tuple[str, ...] = option(
        (),
        "Also use platforms, comment systems and words of this folder; repeat it for several, the last counts most.",
        metavar="DIR",
        many=True,
    )
    stages: Stages = option(
        Stages(),
        "The five stages, on, off or of your own, in blogforever.toml.",
        table=True,
    )


def options() -> tuple[Field[Any], ...]:
    """The table, in the order it is shown."""
    return fields(Config)


def for_service(config: Config) -> Config:
    """The same without what belongs to a single crawl; a service that reads the same file has no use for it."""
    usual: dict[str, Any] = {o.name: o.default for o in options() if o.metadata.get("of") == "crawl"}
    return replace(config, **usual)


def make_config(values: Mapping[str, Any]) -> Config:
    """A checked Config; unknown names and impossible values are a UsageError."""
    table = {o.name: o for o in options()}
    unknown = sorted(set(values) - set(table))
    if unknown:
        raise UsageError(f"There is no option called {unknown[0]!r}.")
    return Config(**{name: read_value(table[name], value) for name, value in values.items()})


def read_value(option_field: Field[Any], value: Any) -> Any:
    """One value as its option wants it, whether it comes as text or already typed."""
    name = option_field.name.replace("_", "-")
    choices = option_field.metadata.get("choices")
    if choices and value not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    if isinstance(option_field.default, Stages):
        return value if isinstance(value, Stages) else read_stages(value)
    if option_field.metadata.get("table") or option_field.metadata.get("many"):
        return _read_several(name, value, bool(option_field.metadata.get("table")))
    if option_field.metadata.get("metavar") == BYTES and isinstance(value, str):
        value = size_of(name, value)
    try:
        return _convert(option_field.default, value)
    except (TypeError, ValueError, OverflowError) as error:
        wanted = WANTED.get(type(option_field.default), "")
        raise UsageError(f"{name} cannot be {value!r}{wanted}.") from error


def _read_several(name: str, value: Any, is_table: bool) -> tuple[Any, ...]:
    if not isinstance(value, str | list | tuple):
        raise UsageError(f"{name} cannot be {value!r}: write a list.")
    if not is_table:
        return tuple(map(str, [value] if isinstance(value, str) else value))
    read = read_way if name == "way" else read_policy
    return tuple(part if isinstance(part, Policy | WayOut) else read(part) for part in value)


def size_of(name: str, text: str) -> str:
    """A size as people write it, in bytes: `32M` and `32MiB` by 1024, `32MB` by 1000, as most programs have it."""
    found = SIZE.fullmatch(text.strip().replace("_", ""))
    if found is None:
        raise UsageError(f"{name} cannot be {text!r}: write a size in bytes, or as 500k, 32M or 1.5G.")
    number, unit, ending = found.groups()
    base = 1000 if (ending or "").lower() == "b" else 1024
    return str(int(float(number) * base ** (UNITS.index(unit.lower()) + 1 if unit else 0)))


def shown_option(option_field: Field[Any]) -> str:
    """The default of an option as help shows it; nothing where there is none."""
    default: Any = option_field.default
    if default in (None, (), "", False, 0):
        return ""
    is_size = option_field.metadata.get("metavar") == BYTES and isinstance(default, int)
    mebibytes, rest = divmod(int(default), 1024**2) if is_size else (0, 0)
    return f"{mebibytes}M" if mebibytes and not rest else str(default)


def read_policy(values: Any) -> Policy:
    """One `[[policy]]`, checked."""
    names = [f.name for f in fields(Policy)]
    is_policy = isinstance(values, Mapping) and not set(values) - set(names)
    if not is_policy or not str(values.get("blog", "")).strip():
        raise UsageError(f"A policy has a blog and some of {', '.join(names[1:])}, not {values!r}.")
    if values.get("robots", "obey") not in ("obey", "ignore"):
        raise UsageError(
            f"The policy for {values['blog']} has robots = {values['robots']!r}; obey and ignore are known."
        )
    policy = Policy(**values)
    _refuse_unfounded(policy)
    for name in ("delay", "concurrency"):
        number = values.get(name, 0)
        if not isinstance(number, int | float) or not 0 <= number <= MOST[float]:
            raise UsageError(f"The policy for {policy.blog} cannot have {number!r} as its {name}.")
    return policy


def read_way(values: Any) -> WayOut:
    """One `[[way]]`, checked."""
    names = [f.name.replace("_", "-") for f in fields(WayOut)]
    given = (
        {str(name).replace("-", "_"): value for name, value in values.items()} if isinstance(values, Mapping) else {}
    )
    services = given.get("services")
    is_list = isinstance(services, list) and all(isinstance(name, str) and name.strip() for name in services)
    if set(given) - {f.name for f in fields(WayOut)} or not services or not is_list:
        raise UsageError(f"A way has services, a list, and some of {', '.join(names[1:])}, not {values!r}.")
    address = str(given.get("source_address", ""))
    return WayOut(tuple(name.strip().lower() for name in services), str(given.get("proxy", "")), address)


NEEDED = ("extract", "back_end")
"""Stages that a crawl cannot do without."""
_OWN_STAGE = re.compile(r"[\w.]+:[\w.]+")


def read_stages(values: Any) -> Stages:
    """The `[stages]`, checked; what they name is looked for when a crawl begins."""
    names = [f.name for f in fields(Stages)]
    if not isinstance(values, Mapping) or set(values) - set(names):
        raise UsageError(f"The stages are {', '.join(names)}, not {values!r}.")
    for name, value in values.items():
        if value == "off" and name in NEEDED:
            raise UsageError(f"The stage {name} can be replaced, but not switched off.")
        if not _is_stage(value):
            raise UsageError(f"The stage {name} is on, off or package.module:name, not {value!r}.")
    return Stages(**values)


def _is_stage(value: object) -> bool:
    """Whether a value switches a stage or names one of one's own."""
    return value in ("on", "off") or (isinstance(value, str) and _OWN_STAGE.fullmatch(value) is not None)


def _refuse_unfounded(policy: Policy) -> None:
    """What a policy passes over needs a note that the WARC can keep."""
    if not isinstance(policy.insecure, bool):
        raise UsageError(f"The policy for {policy.blog} has insecure = {policy.insecure!r}; true and false are known.")
    ignored = {"robots.txt": policy.robots == "ignore", "its certificate": policy.insecure}
    for what, is_ignored in ignored.items():
        if is_ignored and not policy.note.strip():
            raise UsageError(f"The policy for {policy.blog} ignores {what} and needs a note that says by what right.")


def _convert(default: Any, value: Any) -> Any:
    """A value of the type that the default has."""
    if value is None or default is None:
        return value
    if isinstance(default, bool):
        return _truth(value)
    if isinstance(default, int | float):
        return _number(type(default), value)
    return type(default)(value)


def _number(kind: type[int | float], value: Any) -> int | float:
    """A number that somebody can mean: a file may also say `inf`, `nan`, 2.7 pages or true."""
    number = kind(value)
    is_other = isinstance(value, bool) or (isinstance(value, float) and number != value)
    if is_other or not 0 <= number <= MOST[kind]:
        raise ValueError("no such number")
    return number


def _truth(value: Any) -> bool:
    """Yes or no, as people write it in files and in the environment."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(word)
