"""A spider of your own with webstencil behind it.

    python examples/spider.py https://example.com/ --out pages.jsonl --store site.db

It follows links as it likes, here all of the start page's host, and yields one item a page. The
add-on gives each item the areas of its page and its main text; few pages are rendered.
"""

import argparse
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--out", default="pages.jsonl")
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


if __name__ == "__main__":
    main()
