"""A demo site: a small town's newspaper with a shop, written into a folder from a seed."""

from research.demo.demo_site import DemoSite, build

__all__ = ["DemoSite", "build"]
