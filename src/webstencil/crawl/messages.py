"""The settings of a crawl, and the messages between its two processes."""

from dataclasses import dataclass, field
from pathlib import Path

from webstencil.errors import SettingsError
from webstencil.model import Resource
from webstencil.network import USER_AGENT
from webstencil.store.postgres import PostgresDatabase

PAGE, FAILED, GONE = "page", "failed", "gone"  # what became of a page that was fetched
NEXT_SITE = ""  # as the start of a crawl: the first site that is not visited yet


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """Where a crawl ends."""

    pages: int = 100_000  # of one site
    depth: int = 100  # links from the start page
    seconds: float | None = None  # after which it stops and can be resumed
    page_bytes: int = 20_000_000  # unpacked
    resource_bytes: int = 20_000_000  # unpacked
    chain: int = 50  # URLs of one shape, each found only through the one before

    def __post_init__(self) -> None:
        for name in ("pages", "page_bytes", "resource_bytes", "chain"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} must be 1 or more, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Manners:
    """How a crawl treats servers."""

    user_agent: str = USER_AGENT
    robots: bool = True  # obey robots.txt and the robots meta element
    delay: float = 0.5  # s between two pages of a host at least; 0: no delay
    connections: int = 8  # at once to a host
    timeout: float = 30.0  # s for one answer
    retries: int = 2  # after temporary errors
    allow_private: bool = False  # request from private machines, too

    def __post_init__(self) -> None:
        if self.delay < 0 or self.timeout <= 0 or self.connections < 1 or self.retries < 0:
            raise SettingsError(f"a delay, time or number is out of range in {self}")


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """A crawl of a site, and of others that it links to."""

    start: str  # URL of the first page; NEXT: the first site that is not visited yet
    frontier: Path
    sites: int = 1  # visited in all
    limits: CrawlLimits = CrawlLimits()
    manners: Manners = Manners()
    warc: Path | None = None  # archives all answers
    login: tuple[str, str] = field(default=("", ""), repr=False)  # user and password of the start
    scripts: bool = False  # pages are what their scripts make of them
    store: Path | PostgresDatabase | None = None  # tells which pages have a result
    learner: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page was fetched; it has to be settled."""

    number: int
    url: str
    body: bytes
    charset: str | None
    queued: int  # pages known and not visited yet


@dataclass(frozen=True, slots=True)
class Gone:
    """A page of an earlier visit does not exist any more."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class Spared:
    """A page is unchanged since it was fetched last, says its server."""

    url: str
    queued: int  # pages known and not visited yet


@dataclass(frozen=True, slots=True)
class Settled:
    """A page's result is saved, or it has none."""

    number: int
    outcome: str
    links: tuple[str, ...] = ()  # that its scripts wrote


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """A page that is rendered needs a resource; it will need the others soon."""

    url: str
    soon: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceReply:
    """A resource; None if it cannot be fetched."""

    url: str
    resource: Resource | None


@dataclass(frozen=True, slots=True)
class Visited:
    """A site's visit is over, or stopped; the outcomes of its URLs."""

    site: str
    why: str
    complete: bool
    left: int  # URLs that are known and were not visited
    tally: tuple[tuple[str, int], ...]  # outcome and count, most frequent first
    noticed: tuple[tuple[str, int], ...]  # links that were not followed, by reason


@dataclass(frozen=True, slots=True)
class Finished:
    """The crawl is over; resources are still fetched."""


@dataclass(frozen=True, slots=True)
class CrawlBroken:
    """The crawl cannot continue."""

    why: str


Said = Fetched | Spared | Gone | ResourceReply | Visited | Finished | CrawlBroken
