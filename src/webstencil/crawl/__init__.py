"""Crawls of live sites, by Scrapy in a separate process; resumable.

Nothing is imported here: the fetching process needs no pipeline.
"""
