"""Which pages are written: those of a template, of a type."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

import click

from webstencil.errors import SettingsError
from webstencil.site.type_votes import PageType

template_option = click.option(
    "--template", metavar="NAME_OR_NUMBER", help="Write only pages of this template of their site."
)
type_option = click.option(
    "--type",
    "page_type",
    type=click.Choice([one.value for one in PageType]),
    help="Write only pages of this type.",
)


@dataclass(frozen=True, slots=True)
class WantedPages:
    """Which pages are written: those of a template, of a type, or all."""

    template: str | None = None  # name or number
    page_type: str | None = None

    @property
    def are_all(self) -> bool:
        """Return whether no page is left out."""
        return self.template is None and self.page_type is None

    def take(
        self, template: str | None, page_type: str | None, name_of: Callable[[int], str | None]
    ) -> bool:
        """Return whether a page is wanted; `name_of` names the templates of its site."""
        if self.page_type not in (None, page_type):
            return False
        if self.template is None:
            return True
        number = int(self.template) if self.template.isdecimal() else None
        return template is not None and (
            template == self.template or (number is not None and template == name_of(number))
        )

    def __str__(self) -> str:
        words = (("template", self.template), ("type", self.page_type))
        return " and ".join(f"{name} {value}" for name, value in words if value is not None)


ALL_PAGES = WantedPages()


def refuse_unwanted(
    wanted: WantedPages, known: Iterable[tuple[str | None, str | None]]
) -> NoReturn:
    """Say that no page was wanted, and which templates and types there are."""
    templates, types = (sorted(filter(None, one)) for one in map(set, zip(*known, strict=True)))
    raise SettingsError(
        f"no page has the {wanted}; there are the templates {', '.join(templates) or 'none'}, and "
        f"the types {', '.join(types) or 'none'}"
    )
