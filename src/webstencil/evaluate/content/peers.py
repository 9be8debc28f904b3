"""Other extractors to compare with; they are in the dependency group `bench`."""

from importlib import import_module

from webstencil.errors import SettingsError
from webstencil.evaluate.content.scores import Way, run_peer
from webstencil.markup import Markup, main_text, text

_STOPLIST = "English"  # of jusText, which does not detect the language


def peers() -> dict[str, Way]:
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
