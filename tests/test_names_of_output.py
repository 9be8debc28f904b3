"""What `--out` and other names of files mean: the end of a name decides, or is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from reading import read_json_lines

from research.support.web_server import Reply, pages, serving
from webstencil.cli.main import main

STORY = "<title>{0}</title><article><h1>{0}</h1><p>{1}</p><a href=../{0}.html>more</a></article>"
WORDS = "It was a bright cold day in April, and the clocks were striking thirteen, said {0}. " * 3
CARDS = "".join(f"<li><a href={n}.html>Offer {n}</a> <b>£{n}.00</b></li>" for n in range(9))


def run(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a site of eight stories and three lists."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "site"
    (folder / "news").mkdir(parents=True)
    for name in "abcdefgh":
        (folder / "news" / f"{name}.html").write_text(STORY.format(name, WORDS.format(name)))
    for name in "xyz":
        (folder / f"{name}.html").write_text(f"<title>{name}</title><ul class=shop>{CARDS}</ul>")
    return Path("site")


def is_json(text: str) -> bool:
    return json.loads(text)["kind"] == "content"


READS: dict[str, Callable[[str], bool]] = {
    "a.txt": lambda text: text.startswith("a\n"),
    "a.md": lambda text: text.startswith("# a"),
    "a.html": lambda text: "<h1>a</h1>" in text,
    "a.json": is_json,
    "a.jsonl": is_json,
    "a.xml": lambda text: text.startswith("<?xml"),
}


@pytest.mark.parametrize("name", READS)
def test_the_end_of_a_name_is_the_format_of_one_page(site: Path, name: str) -> None:
    """A file is written, no folder of that name."""
    done = run("extract", site / "news" / "a.html", "--out", name)

    assert done.exit_code == 0, done.output
    assert READS[name](Path(name).read_text())


@pytest.mark.parametrize(
    ("command", "out", "said"),
    [
        ("extract", "z.csv", "nothing is written as .csv; let the name end in .md, .txt, .html"),
        ("extract", "z.xlsx", "nothing is written as .xlsx"),
        ("extract", "z.json --format md", "z.json ends as json, and the format is md"),
        ("extract", "z.md", "z.md would have one page, and there may be several; name a folder"),
        ("run", "z.csv", "nothing is written as .csv; let the name end in .jsonl, .jsonl.gz"),
        ("run", "z.txt", "nothing is written as .txt"),
        ("run", "z.jsonl --format md", "z.jsonl ends as jsonl, and the format is md"),
        ("run", "- --format md", "--format md makes a folder; only jsonl goes to a pipe"),
        ("survey", "", ""),
    ],
)
def test_ends_that_promise_something_else_are_refused(
    site: Path, command: str, out: str, said: str
) -> None:
    """Before any work, in one sentence that says what to do."""
    store = ("--store", "s.db") if command == "run" else ()
    words = ("--html", "z.txt") if command == "survey" else ("--out", *out.split())
    done = run(command, site, *store, *words)

    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert (said or "z.txt: what --html writes ends in .html or .htm") in done.output
    assert not list(Path().glob("z.*"))


def test_a_name_without_an_end_is_a_folder(site: Path) -> None:
    """Of any format; a folder that is there is one, whatever it is called."""
    Path("v1.2").mkdir()
    for out in ("texts", "v1.2"):
        assert run("extract", site, "--out", out).exit_code == 0
        assert len(list(Path(out).rglob("*.md"))) == 11

    assert run("extract", site, "--format", "jsonl", "--out", "lines").exit_code == 0
    assert len(read_json_lines(Path("lines/results.jsonl"))) == 11


def test_names_of_drawings_and_json_end_as_what_they_are(site: Path) -> None:
    """A page that is named by mistake is not overwritten."""
    page = site / "x.html"
    before = page.read_text()
    for option in ("--json", "--png", "--svg"):
        done = run("segment", site / "news" / "a.html", option, page)
        assert done.exit_code == 2
        assert f"what {option} writes ends in .{option[2:]}" in done.output

    assert page.read_text() == before


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_content_goes_to_a_pipe_under_its_names(site: Path, out: str) -> None:
    """`--out -` is as if there were none."""
    page = site / "news" / "a.html"

    assert run("extract", page, "--out", out).output == run("extract", page).output != ""


@pytest.mark.browser
@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_results_go_to_a_pipe(site: Path, out: str) -> None:
    """Nothing but JSON lines, as in a file; the summary is on stderr."""
    piped = run("run", site, "--store", "s.db", "--out", out)
    run("run", site, "--store", "s.db", "--out", "r.jsonl")

    assert piped.exit_code == 0
    assert piped.stdout == Path("r.jsonl").read_text()
    assert "pages rendered" in piped.stderr


@pytest.mark.parametrize(
    ("form", "line"),
    [("txt", "==> {} <=="), ("md", "<!-- {} -->"), ("html", "<!-- {} -->")],
)
def test_many_pages_on_the_screen_are_told_apart(site: Path, form: str, line: str) -> None:
    """By a line before each; a page alone has none."""
    many = run("extract", site / "news", "--base-url", "http://a.org/", "--format", form).stdout
    alone = run("extract", site / "news" / "a.html", "--format", form).stdout

    assert [line.format(f"http://a.org/{name}.html") in many for name in "abcdefgh"] == [True] * 8
    assert "http://localhost" not in alone.split("more")[0]
    assert not alone.startswith(("==>", "<!--"))


def test_a_page_on_standard_input_has_items() -> None:
    """As it has content; --base-url is its URL."""
    page = "<title>Rain</title><link rel=canonical href=rain><p>It rains in Rome."
    told = json.loads(
        run("items", "-", "--json", "--base-url", "http://a.org/b", given=page).stdout
    )

    assert {item["kind"]: item["text"] for item in told}["canonical"] == "http://a.org/rain"


@pytest.mark.browser
def test_a_page_on_standard_input_is_segmented(site: Path) -> None:
    """`--json` alone prints the areas, with a name it writes them, `--format csv` has all rows."""
    page = (site / "news" / "a.html").read_text()
    printed = run("segment", "-", "--json", given=page).stdout
    run("segment", "-", "--json", "a.json", given=page)
    table = run("segment", "-", "--format", "csv", given=page).stdout

    assert json.loads(printed) == json.loads(Path("a.json").read_text())
    assert table.splitlines()[0] == 'area,in,kind,"left, top, width x height",text'
    assert "bright cold day" in table


@pytest.mark.parametrize("command", ["extract", "items"])
def test_nothing_tells_where_a_page_is_on_this_machine(site: Path, command: str) -> None:
    """Links of a single file are absolute by its name alone."""
    here = Path.cwd()
    for words in ([], ["--json"]):
        told = run(command, here / site / "news" / "a.html", *words).output
        assert "a" in told
        assert str(here.resolve()) not in told


def test_pages_of_a_template_or_a_type_are_written(site: Path) -> None:
    """By the name of the template or its number; rows tell it; what there is not is told."""
    lines = [
        json.loads(line)
        for line in run("extract", site, "--format", "jsonl").stdout.split("\n")
        if line
    ]
    names = {line["url"].split("/")[-1][0]: line["template"] for line in lines}
    stories, lists = names["a"], names["x"]
    by_name = run("extract", site, "--template", stories, "--format", "jsonl").stdout
    by_number = run("extract", site, "--template", "1", "--format", "jsonl").stdout
    head = run("extract", site, "--template", lists, "--metadata").stdout
    none = run("extract", site, "--template", "nope")

    assert stories != lists
    assert by_name == by_number
    assert by_name.count("\n") == 8
    assert head.count(f"template: {json.dumps(lists, ensure_ascii=False)}") == 3
    assert none.exit_code == 2
    assert "no page has the template nope; there are the templates" in none.output
    assert stories in none.output


@pytest.mark.browser
def test_a_run_writes_pages_of_a_template_or_a_type(site: Path) -> None:
    """Of all that the store has; later runs without the option write all again."""
    run("run", site, "--store", "s.db", "--out", "all.jsonl")
    every = read_json_lines(Path("all.jsonl"))
    run("run", site, "--store", "s.db", "--out", "some.jsonl", "--template", "1")
    typed = run("run", site, "--store", "s.db", "--out", "-", "--type", "article")
    none = run("run", site, "--store", "s.db", "--out", "no.jsonl", "--type", "forum")

    some = read_json_lines(Path("some.jsonl"))
    assert len({line["template"] for line in some}) == 1
    assert 0 < len(some) < len(every) == 11
    assert [json.loads(line) for line in typed.stdout.splitlines()] == [
        line for line in every if line["type"] == "article"
    ]
    assert "no page has the type forum; there are the templates" in none.output


def test_a_crawl_of_a_folder_says_what_to_use(site: Path) -> None:
    """Not that a host of that name is unknown."""
    done = run("crawl", site, "--store", "s.db")

    assert done.exit_code == 2
    assert "site is a folder here; `webstencil run site` processes its pages" in done.output


def test_an_address_without_a_scheme_says_which_it_got(tmp_path: Path) -> None:
    """Before anything is fetched."""
    pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")
    done = run("crawl", "127.0.0.1:9", "--store", tmp_path / "s.db")

    assert done.output.startswith("taken as https://127.0.0.1:9\n")


def test_a_page_that_the_server_has_not_is_no_missing_file() -> None:
    """The status is told, and that a server said so."""
    with serving(pages({"/": Reply(b"x")})) as server:
        done = run("extract", f"{server.url}/nowhere")

    assert done.exit_code == 2
    assert f"{server.url}/nowhere cannot be fetched: the server answers 404" in done.output
