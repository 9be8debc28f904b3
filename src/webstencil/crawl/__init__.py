"""Pages of live sites: fetched politely by Scrapy in a process of its own, resumable.

Nothing is imported here: the fetching process needs no pipeline.
"""
