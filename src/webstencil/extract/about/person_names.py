"""Names of people: where they begin and end in a line, and what looks like one."""

import re
from functools import lru_cache

from webstencil.extract.about.reading import one_line
from webstencil.extract.dates import find_date

LONGEST = 80  # characters of a name
LONGEST_LIST = 300  # characters of several names
TEXTS_KEPT = 256  # a page has a name in several elements
# "by" in the languages of the data, before a name
BY = (
    r"(?:(?:(?:posted|written|published|created|story|words|text|article|report(?:ed|ing)?|post|"
    r"reviewed|started|asked|authored|submitted|shared|updated|edited|last updated)\s+)?by"
    r"|(?:geschrieben |verfasst |ein beitrag |text |artikel )?von"
    r"|(?:publié |écrit |rédigé |proposé )?par|(?:escrito |publicado )?por"
    r"|(?:geschreven |geplaatst )?door|(?:skrevet |skriven )?av|(?:skrevet )?af"
    r"|kirjoittanut|yazan|oleh)(?![\w-])"
    r"|(?:scritto |pubblicato )?da(?= [A-Z])|di(?= [A-Z])"
    r"|(?:authors?|autor(?:in|en|es)?|auteurs?|autore|text|words|yazar|автор)(?=\s*:)"
    r"|author(?=\s+(?-i:[A-Z]))"
    r"|作者[:：]?|文[/／:：]|記者|著者[:：]?"
)
BEGIN = re.compile(rf"(?i)^\W*(?:{BY})\W*\s*")
ONLY_BY = re.compile(rf"(?i)^\W*(?:{BY})\W*$")
WITHIN = re.compile(r"(?i)\b(?:written|posted|published|story|words|reported)?\s*by:?\s+(?=[A-Z])")
WRITTEN_BY = re.compile(r"(?i)\b(?:written|authored|reported)\s+by:?\s+(?=[A-Z])")
# What ends a name in a line.
ENDING = re.compile(
    r"(?i)\s+(?:on|in|at|am|le|el|il|op|den|for|updated|published|posted|reviewed|last|is|was|has|"
    r"wrote|writes|said|says|minutes?|min read|read|©|and updated|under|von der|um)\b.*"
    r"|\s*[|·•—–⋅/].*|\s+-\s.*|\s*\([^)]*\)?\W*$|\s*[:;].*|(?:\s+|,\s*)\d.*|\s+https?:.*"
)
RANK = r"(?:senior|staff|associate|contributing|guest|freelance|chief|managing|lead|vice)"
WORK = (
    r"(?:editor|writer|contributor|reporter|author|correspondent|columnist|journalist|staff writer|"
    r"content marketing|founder|ceo|cto|director|manager|redakteur\w*|autor\w*|attorney|lawyer|"
    r"educators?|specialist|analyst|professor|engineer|consultant|strategist|coach|researcher|"
    r"president|producer|photographer|expert)\b"
)
ROLE = re.compile(rf"(?i),[^,]*\b{WORK}.*|\s+(?:{RANK}\s+)*{WORK}.*|\s+{RANK}\s+\w+\s+{WORK}.*")
NO_NAME = re.compile(
    r"(?i)https?:|www\.|^(?:default|using|the way|archives?)\b|"
    r"^(?:author|authors|user|unknown|none|null|undefined|by|share|follow|view|"
    r"read more|more|comments?|home|about|login|sign(?: in| up)?|subscribe|posts?|find|website|"
    r"reply|twitter|facebook|linkedin|youtube|instagram|e-?mail|"
    r"profile|page\..*|\W*|\d+)$|[<>{}=]|\.(?:jpg|png|html?)\b|^[^(]*\)"
)
GENERIC = re.compile(
    r"(?i)^(?:\w*admin\w*|editor|staff|guest|anonymous|member|webmaster)$|@[\w-]+\.\w"
)
STOP = re.compile(
    r"(?i)\b(?:the|about|all|posts?|views?|more|read|how|what|why|your|you|our|this|is|are|to|with|"
    r"from|for|follow|contact|best|new|guide|top|news|blog|home|page|table|contents|article|"
    r"minutes?|comments?|share|reading|time|ago|last|updated|published|level|rank|joined|topics?|"
    r"replies|reply|thread|forum|services?|products?|free|online|get|see|learn|sign|log|search)\b"
)
BETWEEN = " |·•⋅—–,-"  # between a name and a date
# What stands before a date.
DATED = re.compile(
    r"(?i)\b(?:published|posted|updated|last|written|on|date|am|vom|le|veröffentlicht|publié|"
    r"mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[:,.]?"
)


ELIDED = re.compile(r"[dlo]['\u2019](?=[^\W\d_])")  # d'Antras
TEAM = re.compile(
    r"(?i)\b(?:team|staff|editors?|editorial|redaktion|rédaction|redacción|redazione|redactie|"
    r"newsroom|desk|contributors?|group|wg)$"
)


@lru_cache(TEXTS_KEPT)
def looks_like_name(text: str) -> bool:
    """Return whether a text is two to five words with capitals, and none that names never have."""
    words = text.split()
    if not 2 <= len(words) <= 5:
        return False
    if not all(word[:1].isupper() or word in PARTICLES or ELIDED.match(word) for word in words):
        return False
    return STOP.search(text) is None


PARTICLES = frozenset(
    (
        "van",
        "von",
        "de",
        "der",
        "den",
        "di",
        "da",
        "del",
        "della",
        "la",
        "le",
        "du",
        "dos",
        "e",
        "y",
    )
)


@lru_cache(TEXTS_KEPT)
def cleaned(text: str) -> str:
    """Return a name without "by", dates, roles and signs.

    >>> cleaned("Written by Ann Lee on May 3, 2021")
    'Ann Lee'
    """
    words = one_line(text)[: 2 * LONGEST_LIST]
    words = BEGIN.sub("", without_date(words))
    words = ENDING.sub("", words)
    words = ROLE.sub("", words)
    return words.strip(" ,.;:*@\"'|-–—·•")


def without_date(text: str) -> str:
    """Return what a line with a date has before it, else behind it.

    >>> without_date("May 3, 2021 · Ann Lee"), without_date("Ann Lee, May 3, 2021")
    ('Ann Lee', 'Ann Lee')
    """
    date = find_date(text)
    if date is None:
        return text
    before, _, after = text.partition(date.written)
    before = DATED.sub("", before).strip(BETWEEN)
    return before if len(before) > 1 else after.strip(BETWEEN)


def plain(text: str) -> str:
    """Return a name as told, without "by" and signs around it.

    >>> plain("By the Centre for Rain")
    'the Centre for Rain'
    """
    return BEGIN.sub("", one_line(text)[:LONGEST_LIST]).strip(" ,.;:*@\"'|-–—·•")


def turned(name: str) -> str:
    """Return a cited name with the family name at its end."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name.strip()
