"""Other extractors to compare with; they are in the dependency group `bench`."""

from collections.abc import Callable
from importlib import import_module

from webstencil.errors import SettingsError
from webstencil.evaluate.content import Way, run_peer
from webstencil.evaluate.metadata import MetadataGold
from webstencil.markup import Markup, main_text, text

_STOPLIST = "English"  # of jusText, which does not detect the language


def content_peers() -> dict[str, Way]:
    """Return the peers by name; raise `SettingsError` if one is not installed."""
    for module in ("trafilatura", "readability", "resiliparse", "justext"):
        try:
            import_module(module)
        except ImportError as error:
            raise SettingsError(
                f"--peers needs {module}: pip install trafilatura readability-lxml resiliparse "
                "justext (dependency group bench)"
            ) from error
    by_text = {
        "trafilatura": trafilatura,
        "trafilatura recall": trafilatura_recall,
        "readability-lxml": readability,
        "resiliparse": resiliparse,
        "jusText": justext,
    }
    ways = {name: run_peer(extract, decoded) for name, extract in by_text.items()}
    return {**ways, "turbohtml main_text": run_peer(main_text, bytes)}


def trafilatura(html: str) -> str:
    """Extract with trafilatura, without comments."""
    from trafilatura import extract

    return extract(html, include_comments=False) or ""


def trafilatura_recall(html: str) -> str:
    """Extract with trafilatura, in its mode that prefers too much to too little."""
    from trafilatura import extract

    return extract(html, include_comments=False, favor_recall=True) or ""


def readability(html: str) -> str:
    """Extract with readability-lxml."""
    from lxml.etree import LxmlError
    from readability import Document
    from readability.readability import Unparseable

    try:
        return text([Markup(Document(html).summary().encode(), "utf-8").root])
    except (LxmlError, Unparseable, ValueError):
        return ""


def resiliparse(html: str) -> str:
    """Extract with resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True, alt_texts=False))


def justext(html: str) -> str:
    """Extract with jusText."""
    from justext import get_stoplist
    from justext import justext as paragraphs
    from lxml.etree import LxmlError

    try:
        found = paragraphs(html, get_stoplist(_STOPLIST))
    except (LxmlError, ValueError):
        return ""
    return "\n".join(part.text for part in found if not part.is_boilerplate)


def decoded(body: bytes) -> str:
    """Decode a page as our own parser does, so that all read the same characters."""
    encoding = Markup(body).encoding
    try:
        return body.decode(encoding, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


# Other extractors of metadata to compare with; they are in the dependency group `bench`.


def metadata_peers() -> dict[str, Callable[[MetadataGold], dict[str, str]]]:
    """Return the peers by name; raise `SettingsError` if they are not installed."""
    try:
        import htmldate  # noqa: F401 - trafilatura comes with it
        import trafilatura  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            "--peers needs trafilatura: pip install trafilatura (dependency group bench)"
        ) from error
    return {"trafilatura": trafilatura_facts, "htmldate": htmldate_facts}


def trafilatura_facts(page: MetadataGold) -> dict[str, str]:
    """Extract with trafilatura; its date is htmldate's, of publication if it can tell."""
    from trafilatura.metadata import extract_metadata

    known = extract_metadata(decoded(page.body), default_url=page.url)
    told = {"title": known.title, "date": known.date, "author": known.author} if known else {}
    return {name: text for name, text in told.items() if text}


def htmldate_facts(page: MetadataGold) -> dict[str, str]:
    """Extract the date of publication with htmldate."""
    from htmldate import find_date

    found = find_date(decoded(page.body), url=page.url, original_date=True)
    return {"date": found} if found else {}
