"""HTML in and out: the one folder that knows the parser, turbohtml."""

from turbohtml import Element, Node, Text

from webstencil.markup.nodes import (
    attribute,
    children,
    descendants,
    has_text,
    identifier,
    leaf_text,
    leaves_after,
    leaves_before,
    line,
    line_end,
    ordinal,
    parent,
    selector,
    strings,
    tag,
    take_out,
    text,
    text_leaves,
    xpath,
)
from webstencil.markup.numbering import Outline
from webstencil.markup.page import Markup
from webstencil.markup.source import (
    bare_parse,
    main_text,
    markdown,
    scripts,
    stamp,
    whole_outline,
)

__all__ = [
    "Element",
    "Markup",
    "Node",
    "Outline",
    "Text",
    "attribute",
    "bare_parse",
    "children",
    "descendants",
    "has_text",
    "identifier",
    "leaf_text",
    "leaves_after",
    "leaves_before",
    "line",
    "line_end",
    "main_text",
    "markdown",
    "ordinal",
    "parent",
    "scripts",
    "selector",
    "stamp",
    "strings",
    "tag",
    "take_out",
    "text",
    "text_leaves",
    "whole_outline",
    "xpath",
]
