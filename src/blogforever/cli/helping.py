"""The help of commands with many options: by what one wants to do, not in one long list."""

from __future__ import annotations

import click

GROUPS: dict[str, tuple[str, ...]] = {
    "Archive and output": (
        "lists",
        "everything",
        "as_json",
        "archive",
        "database",
        "jsonl",
        "pages",
        "wait",
        "dry_run",
    ),
    "Messages": ("quiet", "verbose", "log_level", "log_format"),
    "What is kept": ("since", "requisites", "media", "screenshots", "render", "knowledge"),
    "How much": (
        "max_posts",
        "max_pages",
        "max_time",
        "max_total",
        "max_size",
        "max_media_size",
        "max_memory",
        "min_free",
        "cores",
    ),
    "Manners": ("contact", "delay", "concurrency", "timeout", "retries", "frontier"),
    "Network and log-ins": ("proxy", "source_address", "cookies", "insecure", "allow_private"),
    "Known blogs": ("full", "recheck", "brief", "late_comments", "moved_from", "apart", "accept_changes"),
    "Out of WARC files": ("replay", "reference"),
}
"""Headings in the help, and the options below each; what stands nowhere comes last."""
REST = "Further options"


class GroupedCommand(click.Command):
    """A command whose options stand under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each group under its heading, in the order of `GROUPS`."""
        flags = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        shown = {flag.name: record for flag in flags if (record := flag.get_help_record(ctx))}
        for heading, names in GROUPS.items():
            if rows := [shown.pop(name) for name in names if name in shown]:
                with formatter.section(heading):
                    formatter.write_dl(rows)
        with formatter.section(REST):
            formatter.write_dl(list(shown.values()))
