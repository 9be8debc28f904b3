"""The settings of a segmenter: the fields of its dataclass, with their ranges and meanings.

@dataclass(frozen=True, slots=True)
class VIPS:
    pdoc: int = setting(6, "permitted degree of coherence", low=1, high=10)

    def __post_init__(self) -> None:
        check(self)
"""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import TypeAlias, TypeVar, get_type_hints

from webstencil.errors import SettingsError

Value: TypeAlias = bool | int | float | str
TypedValue = TypeVar("TypedValue", bool, int, float, str)

BOOLEAN_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a segmenter, for display."""

    name: str
    type: type[Value]
    default: Value
    meaning: str
    low: float | None = None  # smallest value of a number
    high: float | None = None  # largest value of a number
    choices: tuple[str, ...] = ()  # of a text

    @property
    def range(self) -> str:
        """Return the allowed values in words."""
        if self.type is bool:
            return "true or false"
        if self.choices:
            return " or ".join(self.choices)
        return f"{self.low:g}..{self.high:g}" if self.low is not None else "any text"

    def allows(self, value: object) -> bool:
        """Return whether the setting may have this value."""
        if self.type is float and type(value) is int:
            return self._in_range(value)
        if type(value) is not self.type:
            return False
        if isinstance(value, str):
            return not self.choices or value in self.choices
        return isinstance(value, bool) or (isinstance(value, int | float) and self._in_range(value))

    def _in_range(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def setting(
    default: TypedValue,
    meaning: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Iterable[str] = (),
) -> TypedValue:
    """Make a dataclass field with its meaning and its range, both ends included."""
    return field(
        default=default,
        metadata={"meaning": meaning, "low": low, "high": high, "choices": tuple(choices)},
    )


def settings_of(segmenter: type) -> tuple[Setting, ...]:
    """List the settings of a segmenter, in field order."""
    if not is_dataclass(segmenter):
        return ()
    types = get_type_hints(segmenter)
    return tuple(
        Setting(name=entry.name, type=types[entry.name], default=entry.default, **entry.metadata)
        for entry in fields(segmenter)
        if entry.default is not MISSING
    )


def check(segmenter: object) -> None:
    """Raise a `SettingsError` for the first setting with a value that is not allowed."""
    for known in settings_of(type(segmenter)):
        value: object = getattr(segmenter, known.name)
        if not known.allows(value):
            raise SettingsError(_refusal(known, value))


def read_settings(segmenter: type, texts: Iterable[str]) -> dict[str, Value]:
    """Parse `key=value` texts as settings of a segmenter, typed by its fields."""
    known = {entry.name: entry for entry in settings_of(segmenter)}
    values: dict[str, Value] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise SettingsError(f"a setting is written name=value, not {text!r}")
        if name not in known:
            raise SettingsError(f"there is no setting {name!r}; there are {', '.join(known)}")
        if name in values:
            raise SettingsError(f"{name} is given twice")
        values[name] = _read_value(known[name], value)
    return values


def _read_value(known: Setting, text: str) -> Value:
    try:
        value: Value = BOOLEAN_WORDS[text.lower()] if known.type is bool else known.type(text)
    except (ValueError, KeyError) as error:
        raise SettingsError(_refusal(known, text)) from error
    if not known.allows(value):
        raise SettingsError(_refusal(known, value))
    return value


def _refusal(known: Setting, value: object) -> str:
    whole = "a whole number " if known.type is int and not isinstance(value, int) else ""
    return f"{known.name} must be {whole}{known.range}, not {value}"
