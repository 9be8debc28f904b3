"""Commands whose modules are imported when they are called.

Help and shell completion need only names and sentences; a command needs only its own libraries.
Some commands are research code, which a clone of the repository has and the wheel has not.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click

from webstencil.cli.config_file import give_options
from webstencil.errors import WebstencilError

PACKAGE = "webstencil"


class LazyCommand(click.Command):
    """A command with a name and a help text; the rest is imported when it is called."""

    def __init__(self, name: str, target: str, summary: str) -> None:
        """Take the `module:attribute` of the command and the first paragraph of its help."""
        super().__init__(name, help=summary)
        self._module, _, self._attribute = target.partition(":")

    @property
    def is_installed(self) -> bool:
        """Return whether the module is there; research code may be missing."""
        package, *names = self._module.split(".")
        if package == PACKAGE:
            return True
        spec = find_spec(package)  # not of the module itself, which would import its package
        folders = spec.submodule_search_locations if spec else None
        return any(Path(folder, *names).with_suffix(".py").is_file() for folder in folders or ())

    def load(self) -> click.Command:
        """Import the command."""
        command: click.Command = getattr(import_module(self._module), self._attribute)
        return command


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and shows whole sentences in its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands that can be run here."""
        return [
            name
            for name in super().list_commands(ctx)
            if not isinstance(known := self.commands[name], LazyCommand) or known.is_installed
        ]

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
        """Find the command, import it, and give it its options from the configuration file."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, LazyCommand):
            if not command.is_installed:
                raise WebstencilError(missing_words(ctx, command.name or ""))
            command = command.load()
        if ctx.default_map and name is not None and command is not None:
            give_options(ctx, self, name, command)
        return name, command, rest


def missing_words(ctx: click.Context, name: str) -> str:
    """Say what to do about a command that the package does not include."""
    group = ctx.info_name if ctx.parent else None
    return (
        f"`{' '.join(filter(None, (group, name)))}` is research code that the package does not "
        "include: run it from a clone of the repository"
    )
