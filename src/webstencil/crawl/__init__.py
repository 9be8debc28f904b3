"""Pages of live sites: fetched politely by Scrapy in a process of its own, resumable."""

from webstencil.crawl.plan import CrawlPlan, Limits, Manners
from webstencil.crawl.run import CrawlOutcome, crawl
from webstencil.crawl.source import CrawlSource

__all__ = ["CrawlOutcome", "CrawlPlan", "CrawlSource", "Limits", "Manners", "crawl"]
