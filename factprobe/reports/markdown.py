"""Writer of reports as Markdown, for a pull request or a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from factprobe.reports.document import Badge, Block, Cell, Document, Heading, Pair, Paragraph, Remark, Table, cell_text

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$])")


def markdown(document: Document) -> str:
    """Return a report as Markdown: headings, texts and tables, without plots; equal reports give equal text."""
    counts = ", ".join(f"{count:,} {name.lower()}" for name, count in document.totals)
    title = plain_markdown(f"{document.title}: {document.of}")
    return "\n".join([f"# {title}", *(["", counts] if counts else []), *markdown_lines(document.blocks), ""])


def markdown_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the Markdown lines of blocks, with an empty line before each; omit headings of empty sections."""
    heading, was_remark = None, False
    for block in blocks:
        match block:
            case Heading():
                heading = ["", f"## {plain_markdown(block.text)}"]
                continue
            case Table() if block.rows:
                lines = ["", f"### {plain_markdown(block.title)}"] if block.title else []
                lines += ["", *_table_lines(block)]
            case Remark():
                text = f"{block.lead}: {block.text}" if block.lead else block.text
                lines = [*([] if was_remark and not heading else [""]), f"- {plain_markdown(text)}"]
            case Paragraph(is_note=False):
                lines = ["", plain_markdown(block.text)]
            case _:
                continue
        yield from [*(heading or []), *lines]
        heading, was_remark = None, isinstance(block, Remark)


def _table_lines(table: Table) -> Iterator[str]:
    heads = [*table.names, *(column.head for column in table.columns)]
    yield f"| {' | '.join(map(plain_markdown, heads))} |"
    right = "---" if table.is_words else "---:"
    yield f"|{'|'.join('---' if at < len(table.names) else right for at in range(len(heads)))}|"
    for section, rows in table.sections():
        if section:
            yield f"| {' | '.join([f'**{plain_markdown(section)}**', *[''] * (len(heads) - 1)])} |"
        for row in (row for row in rows if not row.is_minor or table.level == "total"):
            yield f"| {' | '.join([*map(plain_markdown, row.names), *map(_format_cell, row.cells)])} |"


def _format_cell(cell: Cell) -> str:
    if isinstance(cell, Pair):
        return " / ".join(_format_cell(part) or "–" for part in cell)
    text = cell_text(cell, "", lambda figure: figure.in_line)
    return plain_markdown(text) if isinstance(cell, str | Badge) else text


def plain_markdown(text: str) -> str:
    """Escape the Markdown markup in a text."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
