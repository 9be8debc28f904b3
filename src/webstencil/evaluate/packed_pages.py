"""Pages with their outlines as bytes: a site of any size fits into memory, as it would not else."""

from dataclasses import dataclass

from webstencil.site.site_model import OutlinedPage, decode_outline, encode_outline


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page as a store keeps it."""

    url: str
    digest: bytes  # of the page's bytes
    body: bytes  # the outline, 1 to 5 kB

    def unpacked(self) -> OutlinedPage:
        """Return the page as a model has it."""
        return OutlinedPage(self.url, decode_outline(self.body), self.digest)


def packed(page: OutlinedPage) -> PackedPage:
    """Return a page as a store keeps it."""
    return PackedPage(page.url, page.digest, encode_outline(page.outline))
