"""A server, a crawl to kill, processes to look at: for tests and benches."""
