"""Checks of what rendering needs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

from webstencil.errors import BrowserMissing
from webstencil.render import browser, chromium
from webstencil.render.browser import SYSTEM_FOLDERS, Browser, count_fonts

INSTALL = "run `webstencil browser install`"
REQUIREMENT = re.compile(r"([\w.-]+).*;.*\bextra == ['\"]([\w-]+)['\"]")


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check."""

    name: str
    ok: bool
    detail: str
    fix: str = ""  # what to do if not ok and the detail does not say
    optional: bool = False  # most users do not need it


def checks() -> tuple[Check, ...]:
    """Check everything that can be missing; the browser is started for it, and ended."""
    return (*_browser_checks(), *_extra_checks())


def _browser_checks() -> Iterator[Check]:
    try:
        found = browser.find_browser()
    except BrowserMissing as error:
        yield Check("browser", False, str(error))
        return
    yield Check("browser", True, f"{found.path} (from {found.origin})")
    yield from _start_checks(found)
    yield _font_check(found)


def _start_checks(found: Browser) -> Iterator[Check]:
    try:
        running = chromium.start(found)
    except BrowserMissing as error:
        yield Check("browser starts", False, str(error))
        return
    confinement, version = running.confinement, running.version
    running.close()
    yield Check("browser starts", True, version)
    yield Check(
        "sandbox",
        confinement.sandbox,
        "on" if confinement.sandbox else "off: this system refuses it",
        "allow user namespaces, for example in the container's seccomp profile",
    )
    offline = "a network of its own, which is empty" if confinement.offline else "flags and proxy"
    yield Check("offline", True, f"the browser is kept off the network by {offline}")


def _font_check(found: Browser) -> Check:
    if found.fonts is not None:
        return Check("fonts", True, f"{count_fonts(found.fonts)} of ours in {found.fonts}")
    count = sum(count_fonts(folder) for folder in SYSTEM_FOLDERS)
    detail = f"{count} of this machine's; layouts depend on them" if count else "none"
    return Check("fonts", count > 0, detail, INSTALL)


def _extra_checks() -> Iterator[Check]:
    """Check the optional packages; a missing one is no fault."""
    for requirement in metadata.requires("webstencil") or ():
        named = REQUIREMENT.match(requirement)
        if named and named.group(2) != "all":
            yield _extra_check(*named.groups())


def _extra_check(package: str, extra: str) -> Check:
    try:
        detail = f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        fix = f"`pip install 'webstencil[{extra}]'` brings it"
        return Check(f"extra {extra}", False, f"{package} is not installed", fix, optional=True)
    return Check(f"extra {extra}", True, detail, optional=True)
