"""Results that other settings or fewer extractors made: their pages are processed again.

What all results of a learner depend on is noted in the store before a job starts, so that a killed
job continues with the pages that are left.
"""

from collections.abc import Collection

from webstencil.protocols import Store
from webstencil.settings import Settings

SETTINGS = "settings of all pages"  # what the store keeps their fingerprint under
ITEMS = "extractors of all pages"  # what the store keeps their names under


def redo_if_settings_changed(store: Store, settings: Settings) -> int:
    """Let all pages be processed again if their results have another fingerprint; return how many.

    A store without a note is one of default settings.
    """
    usual = Settings(settings.segmenter, settings.mode).fingerprint
    noted = (store.blobs.kept(settings.learner, SETTINGS) or usual.encode()).decode()
    if noted == settings.fingerprint:
        return 0
    pages = store.results.redo(settings.learner)
    store.blobs.keep(settings.learner, SETTINGS, settings.fingerprint.encode())
    return pages


def redo_pages_without(items: Collection[str], store: Store, learner: str) -> int:
    """Let all pages be processed again unless all have these items; return how many."""
    wanted = set(items)
    had = set((store.blobs.kept(learner, ITEMS) or b"").decode().split())
    pages = store.results.redo(learner) if wanted - had else 0
    have = wanted if wanted - had else wanted & had
    if have != had:
        store.blobs.keep(learner, ITEMS, " ".join(sorted(have)).encode())
    return pages
