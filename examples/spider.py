"""A spider of your own with webstencil behind it.

    python examples/spider.py https://example.com/ --out pages.jsonl --store site.db

It follows links as it likes, here all of the start page's host, and yields one item a page. The
add-on gives each item the areas of its page and its main text; few pages are rendered.

An item is exported when its page came, often before its site was known as a whole. So when the
spider has closed, the results of all pages are written again, now with templates, to the file that
`--results` names; a line and an item have the same `url`.
"""

import argparse
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response

from webstencil import Settings, open_output, open_store


class ExampleSpider(scrapy.Spider):
    """Visits a host and keeps titles; areas and content come by themselves."""

    name = "example"

    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield scrapy.Request(self.start_url)

    def parse(self, response: Response) -> Iterator[dict[str, str] | scrapy.Request]:
        yield {"url": response.url, "title": response.css("title::text").get("")}
        for link in response.css("a::attr(href)").getall():
            url = response.urljoin(link)
            if urlsplit(url).netloc == urlsplit(self.start_url).netloc:
                yield scrapy.Request(url)


def export_results(store_path: str, out: str) -> None:
    """Write the result of each page as the store has it: its site is known now."""
    with open_store(store_path) as store:
        learner = Settings().learner  # of the segmenter that the add-on uses
        open_output(out, known=lambda: store.results(learner)).close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--out", default="pages.jsonl")
    parser.add_argument("--results", default="results.jsonl")
    parser.add_argument("--store", default="site.db")
    parser.add_argument("--delay", type=float, default=0.5)
    asked = parser.parse_args()
    process = AsyncCrawlerProcess(
        {
            "ADDONS": {"webstencil.crawl.addon.WebstencilAddon": 500},
            "WEBSTENCIL_STORE": asked.store,
            "FEEDS": {asked.out: {"format": "jsonlines", "overwrite": True}},
            "DOWNLOAD_DELAY": asked.delay,
            "ROBOTSTXT_OBEY": True,
            "USER_AGENT": "my-spider (+https://example.com/about-my-spider)",
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        }
    )
    process.crawl(ExampleSpider, start_url=asked.url)
    process.start()
    export_results(asked.store, asked.results)


if __name__ == "__main__":
    main()
