"""Main content against gold: pages, scores, and the elements that were lost.

Pages have their content from people, in one file, or by a selector, in folders of sites. They are
extracted alone, in stream order, and after all siblings were seen.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import TypeVar

from webstencil.api import parsed
from webstencil.content.choose import page_heading
from webstencil.content.extractor import Content, MainContent
from webstencil.content.model import ContentModel
from webstencil.content.run_features import look
from webstencil.content.runs import flatten
from webstencil.errors import SourceError
from webstencil.evaluate.floors import Measured, corpus_digest
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    LabelledSite,
    LeftOut,
    evenly_spread,
    labelled_site,
    nobody,
    read_page,
    read_rows,
    readable_page,
    row_body,
)
from webstencil.evaluate.scores import WordScore, compare_words, words_in
from webstencil.evaluate.tables import Evaluated, ScoreTable, grouped, mean_row, score_table
from webstencil.markup import Element, Markup, Node, Text, text
from webstencil.model import Page, RawPage
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel

SELECTED = "selected"  # the set of pages whose gold a selector gives
ARTICLES = 30  # pages taken of each site
OTHERS = 30  # pages of other kinds that a site's pages come with
LEAST_WORDS = 30  # a page with less selected text has no content to be found
NO_PAGES = (REDIRECT, "feed")  # parts of labels


@dataclass(frozen=True, slots=True)
class ContentGold:
    """A page and its main content; a sibling that is not scored has none."""

    set: str
    site: str  # unique over all sets
    name: str
    body: bytes
    gold: str | None
    page_type: str = ""  # if it is known
    address: str = ""  # its URL, if it is known and counts
    heading: str = ""  # of the page, if a selector leaves it out: it counts neither for nor against

    @property
    def url(self) -> str:
        """Return the URL, a made-up one if none is known."""
        return self.address or f"http://{self.site.replace('/', '.')}/{self.name}"


def read_gold(
    path: Path, selectors: Path | None = None, left_out: LeftOut = nobody
) -> list[ContentGold]:
    """Read labelled pages from a file of rows, or from the folder of a site."""
    if path.is_dir():
        return list(_selected(labelled_site(path, selectors), left_out))
    if not path.is_file() or not path.name.endswith(ROWS_ENDING):
        raise SourceError(f"{path} is neither the folder of a site nor a {ROWS_ENDING} file")
    return list(_by_hand(path, left_out))


def _by_hand(path: Path, left_out: LeftOut) -> Iterator[ContentGold]:
    for row in read_rows(path, ("set", "site", "id", "html", "gold")):
        site = f"{row['set']}/{row['site']}"
        kind = row.get("page_type") or ""
        address = (row.get("url") or "") if kind else ""  # siblings of the older sets have none
        name = str(row["id"])
        page = ContentGold(row["set"], site, name, row_body(row), row["gold"], kind, address)
        if readable_page(RawPage(page.url, page.body), left_out) is not None:
            yield page


def _selected(site: LabelledSite, left_out: LeftOut) -> Iterator[ContentGold]:
    """Read pages of a site: those with content, spread evenly, and others as their siblings."""
    labels = dict(site.labels)
    others = [
        path
        for path in site.paths(articles=False)
        if not any(word in labels[path] for word in NO_PAGES)
    ]
    found = list(_with_gold(site, left_out))
    yield from (found[index] for index in evenly_spread(len(found), ARTICLES))
    for index in evenly_spread(len(others), OTHERS):
        raw = read_page(site.folder, others[index])
        if readable_page(raw, left_out) is not None:
            yield ContentGold(SELECTED, site.name, others[index], raw.body, None)


def _with_gold(site: LabelledSite, left_out: LeftOut) -> Iterator[ContentGold]:
    paths = site.paths(articles=True)
    for index in evenly_spread(
        len(paths), 3 * ARTICLES
    ):  # more than are taken: some have no content
        raw = read_page(site.folder, paths[index])
        page = readable_page(raw, left_out)
        tops = page.markup.select(site.content)[:1] if page else []
        gold = text(tops)
        if page is not None and len(words_in(gold)) >= LEAST_WORDS:
            heading = heading_outside(page, tops[0])
            yield ContentGold(SELECTED, site.name, paths[index], raw.body, gold, heading=heading)


def heading_outside(page: Page, top: Node) -> str:
    """Return the heading of a page if it is outside of a node, else nothing."""
    runs, title = flatten(page.markup), page.markup.titles()
    run = page_heading(runs, look(runs, title), title)
    inside = run < 0 or top in list(runs.nodes(run)[0].ancestors)
    return "" if inside else runs.texts[run]


def content_corpus(pages: Sequence[ContentGold]) -> str:
    """Return a digest of pages and gold, so that a change of them is noticed."""
    return corpus_digest(
        piece
        for page in pages
        for piece in (page.body, (page.gold or "").encode("utf-8", "surrogatepass"))
    )


ALL_BY_HAND = "all by hand"
ALL_TYPED = "all types"
ALL_SELECTED = "mean of selected"
SINGLE_PAGE, IN_STREAM, ALL_SEEN = "single page", "stream", "all seen"
OWN_WAYS = (SINGLE_PAGE, IN_STREAM, ALL_SEEN)
CONTENT_STEPS = 1000  # a floor is F1, rounded down to 1/1000: nothing in it is random
OUTLINES_KEPT = 4_096  # cached

Given = TypeVar("Given", str, bytes)  # what an extractor takes
Way = Callable[[Sequence[ContentGold]], Iterable[tuple[ContentGold, str, float]]]


@dataclass(frozen=True, slots=True)
class ContentScore:
    """The score of a method on a page."""

    method: str
    set: str
    site: str
    name: str
    score: WordScore
    seconds: float  # processor time of parsing and extracting
    page_type: str = ""  # if it is known


@dataclass(frozen=True, slots=True)
class SetRow:
    """The mean score of a method on a set of pages."""

    method: str
    set: str
    pages: int
    score: WordScore
    milliseconds: float  # processor time with parsing: median of a page
    mean_milliseconds: float  # the same, mean of a page


TIME_COLUMNS = (
    *("set", "method", "P=score.precision:.3f", "R=score.recall:.3f", "F1=score.f1:.3f"),
    *("ms/page: median=milliseconds:.1f", "mean=mean_milliseconds:.1f"),
)


def run_single(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract each page as if it were the only one."""
    for page in pages:
        if page.gold is not None:
            yield _timed(page, SiteModel(), model)


def run_stream(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract the pages in order; each sees those of its site before it."""
    models: defaultdict[str, SiteModel] = defaultdict(SiteModel)
    for page in pages:
        if page.gold is not None:
            yield _timed(page, models[page.site], model)
        _add(models[page.site], page)


def run_seen(
    pages: Sequence[ContentGold], model: ContentModel | None = None
) -> Iterable[tuple[ContentGold, str, float]]:
    """Extract each page after all pages of its site were seen."""
    models: defaultdict[str, SiteModel] = defaultdict(SiteModel)
    for page in pages:
        _add(models[page.site], page)
    for page in pages:
        if page.gold is not None:
            yield _timed(page, models[page.site], model)


def _timed(
    page: ContentGold, siblings: SiteModel, model: ContentModel | None
) -> tuple[ContentGold, str, float]:
    """Extract a page; what its siblings say is counted before the time is taken."""
    extractor = MainContent(models=lambda _: siblings, model=model)
    _ = siblings.texts
    start = process_time()
    found = extractor.content(parsed_page(page)).text
    return page, found, process_time() - start


def _add(model: SiteModel, page: ContentGold) -> None:
    """Add a page to the model of its site, once."""
    known = _outlined(page)
    if known.url not in model:
        model.add(known)


@lru_cache(maxsize=OUTLINES_KEPT)
def _outlined(page: ContentGold) -> OutlinedPage:
    """Return a page as the models have it; each way has models of its own."""
    read = parsed_page(page)
    return OutlinedPage(read.url, outline(read))


def parsed_page(page: ContentGold) -> Page:
    """Parse a page as if it came from its URL."""
    return parsed(page.body, page.url)


def run_peer(extract: Callable[[Given], str], read: Callable[[bytes], Given]) -> Way:
    """Make a way of an extractor that sees one page at a time.

    `read` makes what it takes of the bytes of a page; a peer is not charged for that.
    """

    def run(pages: Sequence[ContentGold]) -> Iterable[tuple[ContentGold, str, float]]:
        for page in pages:
            if page.gold is not None:
                given = read(page.body)
                start = process_time()
                found = extract(given)
                yield page, found, process_time() - start

    return run


def all_text(body: bytes) -> str:
    """Return all text of a page: the baseline."""
    return text([Markup(body).root])


def score_content(
    pages: Sequence[ContentGold], methods: Mapping[str, Way]
) -> Iterable[ContentScore]:
    """Score the methods on all pages that have gold."""
    for name, run in methods.items():
        for page, found, seconds in run(pages):
            if page.gold is not None:
                score = compare_words(
                    words_in(without_heading(found, page.heading)), words_in(page.gold)
                )
                yield ContentScore(
                    name, page.set, page.site, page.name, score, seconds, page.page_type
                )


def without_heading(found: str, heading: str) -> str:
    """Return a text without its first line if that is a heading that the gold leaves out."""
    first, _, rest = found.lstrip().partition("\n")
    return rest if heading and " ".join(first.strip("# ").split()) == heading else found


def content_rows(scores: Iterable[ContentScore]) -> list[SetRow]:
    """Average the scores by set, and by site where a selector made the gold."""
    groups: defaultdict[tuple[str, str], list[ContentScore]] = defaultdict(list)
    for score in scores:
        selected = score.set == SELECTED
        if score.page_type:
            groups[score.method, f"{score.set}: {score.page_type}"].append(score)
            groups[score.method, ALL_TYPED].append(score)
            continue
        groups[score.method, score.site if selected else score.set].append(score)
        if not selected:
            groups[score.method, ALL_BY_HAND].append(score)
    rows = [_row(method, name, group) for (method, name), group in groups.items()]
    sites = {score.site for group in groups.values() for score in group if score.set == SELECTED}
    return [*rows, *_means(rows, sites)]


def _row(method: str, name: str, group: Sequence[ContentScore]) -> SetRow:
    spent = [score.seconds * 1000 for score in group]
    found = mean_row([score.score for score in group])
    return SetRow(method, name, len(group), found, median(spent), fmean(spent))


def _means(rows: Sequence[SetRow], sites: set[str]) -> Iterator[SetRow]:
    """Average over sites, each counting the same."""
    for of_sites in grouped((row for row in rows if row.set in sites), "method").values():
        pages = sum(row.pages for row in of_sites)
        yield replace(mean_row(of_sites, of_sites[0].method), set=ALL_SELECTED, pages=pages)


def held_content(rows: Iterable[SetRow]) -> dict[tuple[str, ...], float]:
    """Return the F1 of our own ways that may not fall, by way and set."""
    return {(row.method, row.set): row.score.f1 for row in rows if row.method in OWN_WAYS}


# What is missing from the content of a site's pages: elements by tag, by the site's selector.


COUNTED_ELEMENTS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "headings"),
    **dict.fromkeys(("li", "p", "pre", "table", "dt", "dd", "blockquote", "figcaption"), ""),
}
LOST_BELOW = 0.5  # of an element's text: with less it is lost


@dataclass(frozen=True, slots=True)
class Losses:
    """The elements inside the content selector of a site, and those that are missing."""

    site: str
    pages: int
    found: dict[str, int]  # elements by tag
    lost: dict[str, int]
    inside: int  # characters of the output inside the selector
    outside: int  # and outside of it
    headings: int = 0  # and of headings of pages outside of it, which count neither for nor against

    @property
    def precision(self) -> float:
        """Return the share of the output that is inside the selector."""
        return self.inside / (self.inside + self.outside or 1)

    @property
    def strict(self) -> float:
        """Return the same if headings outside of the selector are wrong."""
        return self.inside / (self.inside + self.outside + self.headings or 1)


def losses(folder: Path, selectors: Path | None = None, left_out: LeftOut = nobody) -> Losses:
    """Count what the content of a site's pages has lost; each page is compared with all others."""
    site = labelled_site(folder, selectors)
    model = SiteModel()
    for page in _articles(site, left_out):
        if page.url not in model:
            model.add(OutlinedPage(page.url, outline(page)))
    extractor = MainContent(models=lambda _: model)
    found, lost = Counter[str](), Counter[str]()
    inside = outside = headings = pages = 0
    for page in _articles(site, nobody):
        top = next(iter(page.markup.select(site.content)), None)
        if top is None:
            continue
        content = extractor.content(page)
        kept = _sizes(content)
        within = _count(top, kept, found, lost)
        heading = _heading_outside(content, top, kept)
        pages, inside, headings = pages + 1, inside + within, headings + heading
        outside += sum(kept.values()) - within - heading
    return Losses(site.name, pages, dict(found), dict(lost), inside, outside, headings)


def _articles(site: LabelledSite, left_out: LeftOut) -> Iterator[Page]:
    for path in site.paths(articles=True):
        page = readable_page(read_page(site.folder, path), left_out)
        if page is not None:
            yield page


def _sizes(content: Content) -> dict[Node, int]:
    """Return the characters of each text of the content."""
    nodes = [node for run in content.chosen for node in content.runs.nodes(run)]
    return {node: len(node.data.strip()) for node in nodes}


def _heading_outside(content: Content, top: Node, kept: dict[Node, int]) -> int:
    """Return the characters of the page's heading that are outside of a node."""
    nodes = content.runs.nodes(content.heading) if content.heading >= 0 else []
    return sum([kept.get(node, 0) for node in nodes if top not in list(node.ancestors)])


def _count(top: Node, kept: dict[Node, int], found: Counter[str], lost: Counter[str]) -> int:
    """Count the elements in a node, and those that are lost; return the characters kept in it."""
    for element in top.iter_elements(COUNTED_ELEMENTS):
        texts = list(_texts(element))
        whole = sum([len(text.data.strip()) for text in texts])
        if not whole:
            continue
        name = COUNTED_ELEMENTS[element.tag] or element.tag
        found[name] += 1
        lost[name] += sum([kept.get(text, 0) for text in texts]) < LOST_BELOW * whole
    return sum([kept.get(text, 0) for text in _texts(top)])


def _texts(node: Node) -> Iterable[Text]:
    return [one for one in node.descendants if isinstance(one, Text) and not _is_unread(one)]


def _is_unread(text: Text) -> bool:
    """Return whether a text is a mark of a heading, which no content has."""
    around = text.parent
    return isinstance(around, Element) and around.tag == "a" and len(text.data.strip()) < 2


# What is shown of both.


def content_tables(rows: Sequence[SetRow]) -> list[ScoreTable]:
    """Show F1 by set and method, then precision, recall and time over all pages."""
    methods = list(dict.fromkeys(row.method for row in rows))
    found = {(row.method, row.set): row for row in rows}
    cells = []
    for name, own in grouped(rows, "set").items():
        known = [found.get((method, name)) for method in methods]
        f1 = [f"{row.score.f1:.3f}" if row else "" for row in known]
        cells.append([name, str(own[0].pages), *f1])
    scores = ScoreTable("word F1, mean over pages", ("set", "pages", *methods), tuple(cells))
    whole = [row for row in rows if row.set in (ALL_TYPED, ALL_BY_HAND, ALL_SELECTED)]
    return [scores, time_table(whole)]


def time_table(rows: Sequence[SetRow]) -> ScoreTable:
    """Show precision, recall and time; others' times also as multiples of ours."""
    ours = {row.set: row for row in rows if row.method in OWN_WAYS}  # the last: after all siblings
    shown = score_table("", TIME_COLUMNS, rows)
    cells = []
    for row, known in zip(rows, shown.rows, strict=True):
        own, ratios = ours.get(row.set), ("", "")
        if own is not None and row.method not in OWN_WAYS:
            middle = f"{row.milliseconds / own.milliseconds:.1f}"
            ratios = (middle, f"{row.mean_milliseconds / own.mean_milliseconds:.1f}")
        cells.append([*known, *ratios])
    return ScoreTable("", (*shown.columns, "times ours", ""), tuple(cells))


def worst_pages(scores: Sequence[ContentScore], number: int) -> Iterator[str]:
    """Tell the worst pages of each set and method."""
    for (method, name), group in grouped(scores, "method", "set").items() if number else ():
        yield f"{method}, {name}:"
        for page in sorted(group, key=lambda one: (one.score.f1, one.name))[:number]:
            found = page.score
            yield (
                f"  {found.f1:.3f} P {found.precision:.2f} R {found.recall:.2f} "
                f"{page.site} {page.name}"
            )


def evaluate_content(
    pages: Sequence[ContentGold], ways: Mapping[str, Way], worst: int, left_out: Sequence[str]
) -> Evaluated:
    """Score ways to extract the content of pages."""
    scores = list(score_content(pages, ways))
    rows, corpus = content_rows(scores), content_corpus(pages)
    values = {
        "corpus": corpus,
        "rows": [asdict(row) for row in rows],
        "scores": [asdict(score) for score in scores],
        "left_out": list(left_out),
    }
    return Evaluated(
        [*content_tables(rows), *worst_pages(scores, worst)],
        values,
        measured=[Measured(corpus, held_content(rows))],
        left_out=left_out,
    )


def evaluate_losses(folders: Iterable[Path], selectors: Path | None) -> Evaluated:
    """Count what the content of sites has lost."""
    left_out: list[str] = []
    found = [losses(folder, selectors, left_out.append) for folder in folders]
    cells = [cell for one in found for cell in _loss_cells(one)]
    columns = ("site", "element", "elements", "lost", "share")
    values = [asdict(one) for one in found]
    return Evaluated([ScoreTable("", columns, tuple(cells))], values, left_out=left_out)


def _loss_cells(one: Losses) -> Iterator[tuple[str, ...]]:
    for name, number in sorted(one.found.items()):
        lost = one.lost.get(name, 0)
        yield one.site, name, str(number), str(lost), f"{100 * lost / number:.1f} %"
    yield one.site, f"precision on {one.pages} pages", "", "", f"{one.precision:.3f}"
    if one.headings:
        yield one.site, "the same, headings counted", "", "", f"{one.strict:.3f}"
