"""Other extractors of metadata to compare with; they are in the dependency group `bench`."""

from collections.abc import Callable

from webstencil.errors import SettingsError
from webstencil.evaluate.content.peers import decoded
from webstencil.evaluate.metadata_gold import MetadataGold


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
