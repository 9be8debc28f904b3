"""Read and write HTML: the only package that imports the parser, turbohtml."""

from turbohtml import Comment, Element, Node, Text, parse_fragment

from webstencil.markup.mathml import mathml_of, tex_of
from webstencil.markup.nodes import (
    above,
    attribute,
    called,
    children,
    closest,
    common_ancestor,
    descendants,
    described,
    fitting_line,
    identifier,
    leaf_text,
    leaves_after,
    leaves_before,
    length,
    line,
    line_end,
    ordinal,
    parent,
    selector,
    strings,
    take_out,
    text,
    text_leaves,
    xpath,
)
from webstencil.markup.parsed_page import ElementTable, Markup, stamp, tag, whole_table
from webstencil.markup.source import bare_parse, main_text, scripts

__all__ = [
    "Comment", "Element", "ElementTable", "Markup", "Node", "Text", "above", "attribute",
    "bare_parse", "called", "children", "closest", "common_ancestor", "descendants", "described",
    "fitting_line", "identifier", "leaf_text", "leaves_after",
    "leaves_before", "length", "line", "line_end", "main_text", "mathml_of", "ordinal", "parent",
    "parse_fragment", "scripts", "selector", "stamp", "strings", "tag", "take_out", "tex_of",
    "text", "text_leaves", "whole_table", "xpath",
]  # fmt: skip
