"""Extractors for a job over a store; pages that were done without them are done again."""

from collections.abc import Sequence

from webstencil.pipeline.extractors import make_extractors
from webstencil.protocols import Extractor, Store

KEPT_AS = "extractors of all pages"  # what the store keeps their names under


def extractors_for(
    names: Sequence[str], store: Store, made_by: str
) -> tuple[tuple[Extractor, ...], int]:
    """Make extractors; return them, and how many pages the job will do again for their items."""
    return make_extractors(names, store), redo_pages_without(set(names), store, made_by)


def redo_pages_without(wanted: set[str], store: Store, made_by: str) -> int:
    """Let all pages be done again, unless all were done with the wanted extractors.

    It is noted before the job: one that is killed goes on with the pages that are left.
    """
    had = set((store.kept(made_by, KEPT_AS) or b"").decode().split())
    pages = store.redo(made_by) if wanted - had else 0
    have = wanted if wanted - had else wanted & had
    if have != had:
        store.keep(made_by, KEPT_AS, " ".join(sorted(have)).encode())
    return pages
