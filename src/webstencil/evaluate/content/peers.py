"""Other extractors to compare with; they are in the dependency group `bench`."""

from collections.abc import Callable
from importlib import import_module

from webstencil.errors import SettingsError
from webstencil.markup import Markup, main_text, text

_STOPLIST = "English"  # of jusText, which does not detect the language


def peers() -> dict[str, Callable[[bytes], str]]:
    """Return the peers by name; raise `SettingsError` if one is not installed."""
    for module in ("trafilatura", "readability", "resiliparse", "justext"):
        try:
            import_module(module)
        except ImportError as error:
            raise SettingsError(
                f"--peers needs {module}: pip install trafilatura readability-lxml resiliparse "
                "justext (dependency group bench)"
            ) from error
    return {
        "trafilatura": trafilatura,
        "trafilatura recall": trafilatura_recall,
        "readability-lxml": readability,
        "resiliparse": resiliparse,
        "jusText": justext,
        "turbohtml main_text": main_text,
    }


def trafilatura(body: bytes) -> str:
    """Extract with trafilatura, without comments."""
    from trafilatura import extract

    return extract(decoded(body), include_comments=False) or ""


def trafilatura_recall(body: bytes) -> str:
    """Extract with trafilatura, in its mode that prefers too much to too little."""
    from trafilatura import extract

    return extract(decoded(body), include_comments=False, favor_recall=True) or ""


def readability(body: bytes) -> str:
    """Extract with readability-lxml."""
    from lxml.etree import LxmlError
    from readability import Document
    from readability.readability import Unparseable

    try:
        return text([Markup(Document(decoded(body)).summary().encode(), "utf-8").root])
    except (LxmlError, Unparseable, ValueError):
        return ""


def resiliparse(body: bytes) -> str:
    """Extract with resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(decoded(body), main_content=True, alt_texts=False))


def justext(body: bytes) -> str:
    """Extract with jusText."""
    from justext import get_stoplist
    from justext import justext as paragraphs
    from lxml.etree import LxmlError

    try:
        found = paragraphs(decoded(body), get_stoplist(_STOPLIST))
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
