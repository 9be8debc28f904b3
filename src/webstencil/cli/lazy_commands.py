"""Commands that are told without being loaded: the module of one is imported when it is called.

Help and shell completion need names and sentences only; a command needs its own libraries only.
"""

from importlib import import_module

import click

from webstencil.cli.config_file import give_options


class Later(click.Command):
    """A command of which name and help are known; the rest is loaded when it is called."""

    def __init__(self, name: str, place: str, told: str) -> None:
        """Name the command, its place (`module:attribute`) and the first paragraph of its help."""
        super().__init__(name, help=told)
        self._place = place

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self._place.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class ToldGroup(click.Group):
    """A group that tells what each of its commands does in a whole sentence, not in half a one."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first paragraph of each command's help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, " ".join((command.help or "").split("\n\n")[0].split()))
            for name, command in commands
            if command is not None
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, load it, and give it its options from the file."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, Later):
            command = command.load()
        if ctx.default_map and name is not None and command is not None:
            give_options(ctx, self, name, command)
        return name, command, rest
