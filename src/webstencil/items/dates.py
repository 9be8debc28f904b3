"""Find a date in a short text, in the forms of people and of programs."""

import re
from dataclasses import dataclass
from datetime import date

# Beginnings of names: English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish,
# Czech, Turkish, Indonesian, Finnish, Russian, Ukrainian, Greek. "lis" is Polish here, and "mar" no
# Finnish month.
MONTHS = (
    ("jan", "jän", "gen", "ene", "sty", "led", "oca", "tammi", "янв", "січ", "ιαν"),
    ("feb", "fév", "fev", "lut", "úno", "şub", "helmi", "фев", "лют", "φεβ"),
    ("mar", "mär", "maa", "mrt", "bře", "maalis", "мар", "бер", "μαρ", "μάρ"),
    ("apr", "avr", "abr", "kwi", "dub", "nis", "huhti", "апр", "кві", "απρ"),
    ("may", "mai", "mag", "mei", "maj", "kvě", "touko", "май", "мая", "тра", "μαΐ", "μάι"),
    ("jun", "juin", "giu", "cze", "červn", "haz", "kesä", "июн", "чер", "ιουν", "ιούν"),
    ("jul", "juil", "lug", "lip", "červe", "tem", "heinä", "июл", "лип", "ιουλ", "ιούλ"),
    ("aug", "aoû", "ago", "sie", "srp", "ağu", "agu", "elo", "авг", "сер", "αυγ", "αύγ"),
    ("sep", "set", "wrz", "zář", "eyl", "syys", "сен", "вер", "σεπ"),
    ("oct", "okt", "ott", "out", "paź", "říj", "eki", "loka", "окт", "жов", "οκτ"),
    ("nov", "lis", "kas", "marras", "ноя", "νοε", "νοέ"),
    ("dec", "dez", "déc", "dic", "gru", "pro", "ara", "joulu", "des", "дек", "гру", "δεκ"),
)
_MONTH_NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
_MONTH = rf"(?P<name>(?:{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})[^\W\d_]*)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª|°)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ENGLISH = (  # in full or abbreviated
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    "Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DIGIT = re.compile(r"\d")
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<month>\d\d?)-(?P<day>\d\d?)(?!\d)",
        rf"\b{_YEAR}[/.] ?(?P<month>\d\d?)[/.] ?(?P<day>\d\d?)\b",
        rf"{_YEAR} ?[年년] ?(?P<month>\d\d?) ?[月월] ?(?P<day>\d\d?) ?[日일]",
        rf"(?P<day>\d\d?) tháng (?P<month>\d\d?)(?:,| năm)? {_YEAR}",
        rf"\b(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?{_YEAR}\b",
        rf"\b{_DAY}[\s-]+(?:de\s+|of\s+)?{_MONTH}(?:\s+de)?,?[\s-]+{_YEAR}\b",
        rf"\b{_MONTH}\s+{_DAY}(?:,\s*|\s+){_YEAR}\b",
        rf"\b{_YEAR}[\s-]+{_MONTH}[\s-]+(?P<day>\d\d?)\b",
        rf"\b(?P<one>\d\d?)(?P<sign>[/-])(?P<two>\d\d?)(?P=sign){_YEAR}\b",
        rf"\b{_ENGLISH}\b\.?\s+{_DAY}(?!\d)|\b\d\d?\s+{_ENGLISH}\b",
    )
)


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date in a text."""

    written: str  # as in the text
    iso: str  # YYYY-MM-DD; empty without a year, or if it is ambiguous


def find_date(text: str, *, day_first: bool | None = None) -> DateFound | None:
    """Return the first date of a text in the surest form, None if there is none.

    `day_first` tells what 3/4/2020 means; None leaves it open.
    """
    if not _DIGIT.search(text):
        return None
    for pattern in PATTERNS if _ANY_YEAR.search(text) else PATTERNS[-1:]:  # without a year
        for found in pattern.finditer(text):
            iso = _iso(found.groupdict(), day_first)
            if iso is not None:
                return DateFound(found[0], iso)
    return None


def _iso(parts: dict[str, str], day_first: bool | None) -> str | None:
    """Return a date as YYYY-MM-DD; None if there is no such day, empty if it is ambiguous."""
    if "one" in parts:
        return _slashed(parts, day_first)
    if "year" not in parts:
        return ""
    month = _month(parts["name"]) if "name" in parts else int(parts["month"])
    return _written(int(parts["year"]), month, int(parts["day"]))


def _slashed(parts: dict[str, str], day_first: bool | None) -> str | None:
    """Read 3/4/2020, which may be in March or in April."""
    year, one, two = int(parts["year"]), int(parts["one"]), int(parts["two"])
    if day_first is not None:
        month, day = (two, one) if day_first else (one, two)
        if known := _written(year, month, day):
            return known
    ways = {_written(year, one, two), _written(year, two, one)} - {None}
    return (ways.pop() if len(ways) == 1 else "") if ways else None


def _month(name: str) -> int:
    lower = name.lower()
    return next(
        _MONTH_NUMBERS[lower[:size]] for size in (6, 5, 4, 3) if lower[:size] in _MONTH_NUMBERS
    )


def _written(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
