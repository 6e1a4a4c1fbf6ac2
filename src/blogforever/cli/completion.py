"""blogforever completion."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "blogforever"
# The variable by which click knows that a shell asks for words.
ASKED_BY = "_BLOGFOREVER_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    """Print what lets a shell complete commands and options with the Tab key.

    \b
    blogforever completion bash >> ~/.bashrc
    blogforever completion zsh >> ~/.zshrc
    blogforever completion fish > ~/.config/fish/completions/blogforever.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells that are named above"
    click.echo(kind(click.get_current_context().find_root().command, {}, PROGRAM, ASKED_BY).source())
    return 0
