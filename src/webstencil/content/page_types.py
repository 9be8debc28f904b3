"""What type a page is of, at the cost of parsing: a linear model over tokens and counts.

Tokens are words of the URL, of data for programs (JSON-LD, microdata, Open Graph), of the title, of
class names and of short texts; counts are those of `page_features`. `webstencil evaluate
train-types` fits their weights. A page that says nothing (an error, a login, an empty shell) is of
no type, and pages of one template vote (`site/type_votes.py`).
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from urllib.parse import unquote, urlsplit

import numpy as np

from webstencil.content.page_features import (
    PAGE_NUMBERS,
    WHOLE_NUMBER,
    WORD_OF_LETTERS,
    Array,
    Row,
    Tokens,
    block_tokens,
    numbers_of_page,
    run_tokens,
    short_words,
)
from webstencil.content.runs import TextRuns, flatten
from webstencil.markup import attribute
from webstencil.model import Page
from webstencil.site.type_votes import TYPES, PageType, has_vote, packed_types

# Units of text up to which a page says nothing of its own; outside links if it asks for a password
# and its title says so, or if its title tells an error. Chosen on such pages of 15 sites.
LITTLE, LITTLE_IN_FORM, LITTLE_IN_ERROR = 100, 700, 2_000
# Tokens that the model knows from which it is trusted; with fewer, the usual types count as well.
# Real pages have some hundred; made ones with a heading and a text about ten.
ENOUGH_TOKENS = 30
SAYS_NOTHING = "nothing"  # the only token of a page that says nothing
PASSWORD_FIELD = "input[type=password]"
FEW_TOKENS, MANY_TOKENS = 5, 0.2  # runs, share of the runs: from here on a token is told apart
MOST_PATH_PARTS = 6  # of a path, words in a part
LONGEST_META = 60  # characters of the name of a meta element
HOSTS_OF_FILES = ("localhost", "127.0.0.1", "")
TYPE_METAS = ("meta@og:type", "meta@generator")

MICRODATA = b"itemtype="

_TYPE = re.compile(rb'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,30})"')
_ITEM_TYPE = re.compile(rb'itemtype=["\']https?://schema\.org/([A-Za-z]{3,30})')
_LONG_NUMBER = re.compile(r"\d{4,}")
_YEAR_FOLDER = re.compile(r"/(?:19|20)\d\d/")
_ERROR_TITLE = re.compile(
    r"(?i)\b(404|not found|403 forbidden|forbidden|access denied|internal server error|"
    r"bad gateway|service unavailable|page introuvable|nicht gefunden|no encontrada)\b"
)
_LOGIN = re.compile(
    r"(?i)log[ -]?[io]n|sign[ -]?(?:in|up)|regist|account|password|anmeld|konto|passwort|connexion|"
    r"connecter|compte|iniciar ses|contrase|cuenta|entrar|acced|вход|登录|登錄|注册|ログイン"
)


CARD_TYPES = (PageType.COLLECTION, PageType.FORUM, PageType.LISTING)  # of cards or posts
LIKELY = 0.5  # 0..1, probability from which a page is of one of some types
_OF_CARDS = [TYPES.index(one) for one in CARD_TYPES]
UNSURE_TYPES: Row = (1 / len(TYPES),) * len(
    TYPES
)  # probabilities of types that nothing tells apart


@dataclass(frozen=True, slots=True)
class TypeWeights:
    """The weights of a linear model with one output for each of TYPES."""

    bias: Array
    tokens: Mapping[str, int]  # their rows of `weights`
    weights: Array
    numbers: Array  # of PAGE_NUMBERS
    usual: Row = ()  # how frequent the types are, for pages that say too little

    def shares_of(self, page: Page) -> Row:
        """Return the probability of each of TYPES for a page alone."""
        runs = flatten(page.markup)
        if not runs.texts:
            return UNSURE_TYPES
        tokens = page_tokens(page, runs, block_tokens(runs), run_tokens(runs))
        return self.shares(tokens, numbers_of_page(page, runs))

    def shares(self, tokens: Collection[str], numbers: Sequence[float]) -> Row:
        """Return the probability of each of TYPES, all the same if there is nothing to tell by."""
        if SAYS_NOTHING in tokens:
            return UNSURE_TYPES
        # sorted, since tokens come in any order, which changes the last digits of a sum
        rows = sorted([self.tokens[token] for token in tokens if token in self.tokens])
        odds = self.bias + self.weights[rows].sum(0) + np.array(numbers) @ self.numbers
        raised = np.exp(odds - odds.max())
        told = min(len(rows) / ENOUGH_TOKENS, 1.0) if self.usual else 1.0
        shares = told * raised / raised.sum() + (1 - told) * np.array(self.usual or UNSURE_TYPES)
        return tuple(shares.tolist())


def type_shares(page: Page) -> Row:
    """Return the probability of each of TYPES for a page alone."""
    return fitted_types().shares_of(page)


def vote_of(page: Page) -> bytes:
    """Return what a page says of the type of its template, nothing if it has no vote."""
    return packed_types(type_shares(page)) if has_vote(page.url) else b""


def says_nothing(page: Page, runs: TextRuns) -> bool:
    """Return whether a page is an empty shell, a login or an error."""
    whole = sum(runs.lengths)
    said = whole - sum(runs.links)
    if said > LITTLE_IN_ERROR:
        return False
    title = page.markup.title()
    if whole <= LITTLE or _ERROR_TITLE.search(title):
        return True
    asks = said <= LITTLE_IN_FORM and _LOGIN.search(title)
    return bool(asks and page.markup.select(PASSWORD_FIELD))


def page_tokens(
    page: Page, runs: TextRuns, blocks: Sequence[Tokens], texts: Sequence[Tokens]
) -> set[str]:
    """Return the tokens of a page; `blocks` and `texts` are those of its blocks and runs."""
    if says_nothing(page, runs):
        return {SAYS_NOTHING}
    found = set(url_tokens(_address(page)))
    found.update([f"j:{name}" for name in _linked_types(page.body)])
    if MICRODATA in page.body:
        found.update([f"i:{name.decode()}" for name in _ITEM_TYPE.findall(page.body)])
    for about, says in page.markup.metas():
        found.add(about[:LONGEST_META].lower())
        if about in TYPE_METAS:
            found.update([f"{about}:{word}" for word in short_words(says)])
    classes = attribute(page.markup.body, "class").lower()
    found.update([f"b:{word}" for word in WORD_OF_LETTERS.findall(classes)])
    found.update([f"tt:{word}" for word in WORD_OF_LETTERS.findall(page.markup.titles().lower())])
    found.update(_counted(runs, blocks, texts))
    return found


def _linked_types(body: bytes) -> Iterator[str]:
    """Yield the types in JSON-LD; a single character is found ten times as fast as a pattern."""
    place = body.find(b"@")
    while place >= 0:
        if found := _TYPE.match(body, place - 1):
            yield found[1].decode()
        place = body.find(b"@", place + 1)


def url_tokens(url: str) -> Iterator[str]:
    """Yield the tokens of a URL: of its host, its path and its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if not parts.scheme.startswith("http") or (parts.hostname or "") in HOSTS_OF_FILES:
        return
    yield from [f"uh:{label}" for label in (parts.hostname or "").split(".")[:-1]]
    path = unquote(parts.path).lower()
    names = [name for name in path.split("/") if name]
    yield f"ud:{min(len(names), MOST_PATH_PARTS - 1)}"
    for name in names[:-1]:
        yield f"us:{WHOLE_NUMBER.sub('0', name)}"
        yield from [f"us:{word}" for word in WORD_OF_LETTERS.findall(name)]
    if names:
        last = WHOLE_NUMBER.sub("0", names[-1])
        yield from [f"ul:{word}" for word in WORD_OF_LETTERS.findall(last)]
        yield f"uk:{min(last.count('-') + last.count('_'), MOST_PATH_PARTS)}"
        yield f"ux:{last.rpartition('.')[2] if '.' in last else ''}"
        if _LONG_NUMBER.search(names[-1]):
            yield "un:long"
        if _YEAR_FOLDER.search(path):
            yield "un:year"
    if parts.query:
        yield "uq:"
        yield from [f"uq:{word}" for word in WORD_OF_LETTERS.findall(parts.query.lower())[:4]]


def _address(page: Page) -> str:
    """Return the URL of a page; if it was read from a file, the one that it declares."""
    try:
        host = urlsplit(page.url).hostname or "" if page.url.startswith("http") else ""
    except ValueError:
        return ""
    return page.markup.canonical() if host in HOSTS_OF_FILES else page.url


def _counted(runs: TextRuns, blocks: Sequence[Tokens], texts: Iterable[Tokens]) -> set[str]:
    """Return the tokens of blocks and runs, told apart by the number of their runs."""
    alike: defaultdict[Tokens, int] = defaultdict(int)  # runs in blocks with the same tokens
    for start, end, tokens in zip(runs.starts, runs.ends, blocks, strict=True):
        alike[tokens] += end - start
    counts = Counter(chain.from_iterable(texts))
    for tokens, times in alike.items():
        for token in tokens:
            counts[token] += times
    many = MANY_TOKENS * len(runs)
    found = set(counts)
    found.update([f"*{token}" for token, count in counts.items() if count > many])
    found.update([f"+{token}" for token, count in counts.items() if FEW_TOKENS < count <= many])
    return found


def has_cards(types: Row) -> bool:
    """Return whether a page is made of cards or posts, by the probabilities of TYPES."""
    return sum([types[place] for place in _OF_CARDS]) > LIKELY


@lru_cache(maxsize=1)
def fitted_types() -> TypeWeights:
    """Read the weights that come with the package."""
    file = files("webstencil.content").joinpath("models", "page_types.json")
    return type_weights_of(json.loads(file.read_text()))


def type_weights_of(known: Mapping[str, Mapping[str, Sequence[float]]]) -> TypeWeights:
    """Return weights as they were written."""
    tokens, numbers = known["tokens"], known["numbers"]
    return TypeWeights(
        np.array(known["bias"]["bias"]),
        dict(zip(tokens, range(len(tokens)), strict=True)),
        np.array(list(tokens.values())).reshape(-1, len(TYPES)),
        np.array([numbers[name] for name in PAGE_NUMBERS]),
        tuple(known["bias"].get("usual", ())),
    )
