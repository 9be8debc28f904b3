"""Commands whose modules are imported when they are called, and the options that all have.

Help and shell completion need only names and sentences; a command needs only its own libraries.
Some commands are research code, which a clone of the repository has and the wheel has not.
"""

from collections.abc import Mapping
from datetime import date
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from webstencil.errors import SettingsError, WebstencilError

# Options from a file, as defaults of the commands (`docs/config.md`). Options on the command line
# win. A key that is not an option is an error, so typos are noticed.


FILE = Path("webstencil.toml")  # in the current folder
SHARED = ("base-url", "store")  # options with the same meaning everywhere
Table: TypeAlias = Mapping[str, Any]


def read_options(named: Path | None) -> dict[str, Any]:
    """Read the given file, or that of the current folder if there is one."""
    path = named or FILE
    if named is None and not path.is_file():
        return {}
    import tomllib  # noqa: PLC0415 - few users have this file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{path} is not a TOML file: {error}") from error


def give_options(ctx: click.Context, group: click.Group, name: str, command: click.Command) -> None:
    """Make the table of a command its defaults."""
    table = ctx.default_map or {}
    try:
        check_keys(table, group)
        given = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
        if isinstance(own := table.get(name), Mapping):  # a command may have the name of an option
            given |= own
        if not isinstance(command, click.Group):
            given = defaults(given, command, name)
    except SettingsError as error:
        raise SettingsError(f"{ctx.find_root().params.get('config') or FILE}: {error}") from error
    ctx.default_map = {name: given}


def check_keys(table: Table, group: click.Group) -> None:
    """Raise if a key in the table of a group is not one of its commands."""
    for key, value in table.items():
        if isinstance(value, Mapping) and key not in group.commands:
            raise SettingsError(f"there is no command {key}; there are {', '.join(group.commands)}")
        if not isinstance(value, Mapping) and key not in SHARED:
            raise SettingsError(
                f"{key} must be in the table of a command; only {' and '.join(SHARED)} need not"
            )


def defaults(given: Table, command: click.Command, name: str) -> dict[str, object]:
    """Return the options of a command by their names in Python."""
    options = {
        option.opts[-1].lstrip("-"): option
        for option in command.params
        if isinstance(option, click.Option) and option.expose_value
    }
    if unknown := given.keys() - options.keys() - set(SHARED):
        there = ", ".join(sorted(options))
        raise SettingsError(f"{name} has no option {min(unknown)}; it has {there}")
    known = {key: option for key, option in options.items() if key in given}
    return {str(option.name): typed(key, option, given[key]) for key, option in known.items()}


def typed(key: str, option: click.Option, value: object) -> object:
    """Return a value as on the command line; raise if the option cannot have it."""
    if isinstance(value, bool) != option.is_flag:
        wanted = "true or false" if option.is_flag else "a text or a number"
        raise SettingsError(f"{key} must be {wanted}, not {value!r}")
    if isinstance(value, list | dict) and not option.multiple:
        raise SettingsError(f"{key} takes one value, not {value!r}")
    said = value if option.is_flag else listed(value) if option.multiple else word(value)
    try:
        option.type_cast_value(click.Context(click.Command(None)), said)
    except click.BadParameter as error:
        raise SettingsError(f"{key}: {error.message}") from error
    return said


def listed(value: object) -> list[str]:
    """Write values as on the command line; pairs as `name=value`."""
    if isinstance(value, dict):
        return [f"{name}={word(one)}" for name, one in value.items()]
    return [word(one) for one in value] if isinstance(value, list) else [word(value)]


def word(value: object) -> str:
    """Write a value as on the command line."""
    return value.isoformat() if isinstance(value, date) else str(value)


# Options that all commands have: `--quiet`, and `--json` where `--format json` is.


QUIET, PIPED = "webstencil.quiet", "webstencil.piped"  # in the context of a command
FORMAT, TEXT, JSON = "--format", "text", "json"


def share_options(command: click.Command) -> None:
    """Give a command the options that all have, unless it has them."""
    own = {name: option for option in command.params for name in option.opts}
    if isinstance(command, click.Group) or "--quiet" in own or command.callback is None:
        return
    form, flag = own.get(FORMAT), own.get("--json")
    if form is None and isinstance(flag, click.Option) and flag.is_flag:
        kinds = click.Choice([TEXT, JSON])
        form = click.Option([FORMAT, "form"], type=kinds, default=TEXT, help="Output format.")
        command.params.append(form)
    elif flag is None and form is not None and JSON in getattr(form.type, "choices", ()):
        flag = click.Option(["--json", "as_json"], is_flag=True, help=f"Short for {FORMAT} {JSON}.")
        command.params.append(flag)
    words = "Print results, warnings and errors only, no progress and no notes."
    command.params.append(click.Option(["-q", "--quiet"], is_flag=True, help=words))
    callback, takes = command.callback, {one.name for one in own.values() if one.expose_value}

    @wraps(callback)
    def run(*given: object, **options: Any) -> object:
        click.get_current_context().meta[QUIET] = options.pop("quiet")
        if form is not None and flag is not None:
            agree_on_json(form, flag, options)
        return callback(*given, **{name: options[name] for name in options if name in takes})

    command.callback = run


def agree_on_json(form: click.Parameter, flag: click.Parameter, options: dict[str, Any]) -> None:
    """Let `--json` and `--format json` mean the same; refuse one with another format."""
    named, is_json = str(form.name), str(flag.name)
    if isinstance(options.get(is_json), bool) and named in options:
        given = click.get_current_context().get_parameter_source(named)
        if options[is_json] and options[named] != JSON and given is ParameterSource.COMMANDLINE:
            raise SettingsError(
                f"--json and {FORMAT} {options[named]} exclude each other; give one of them"
            )
        options[is_json] = options[is_json] or options[named] == JSON
        options[named] = JSON if options[is_json] else options[named]


def is_quiet() -> bool:
    """Return whether the user wants results, warnings and errors only."""
    return _is_noted(QUIET)


def is_piped() -> bool:
    """Return whether results take standard output, so that nothing else may go there."""
    return _is_noted(PIPED)


def _is_noted(what: str) -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(what))


PACKAGE = "webstencil"
INTERRUPTED = 130  # the exit code that shells give a program ended by Ctrl-C


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
        if command is not None:
            share_options(command)
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
