"""Options of the published content extractors."""

import click

from webstencil.paper.content import SHARE

share_option = click.option(
    "--share",
    type=click.FloatRange(0.0, 1.0, max_open=True),
    default=SHARE,
    show_default=True,
    help="ce and fastce: a block on more than this share of the other pages is not content.",
)
published_tags_option = click.option(
    "--published-tags",
    is_flag=True,
    help="ce and fastce: only the block tags of the paper, none of later HTML.",
)
