"""Writer of reports as self-contained web pages, without network access, libraries, or data in scripts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from factprobe.collection.report_data import Sample
from factprobe.collection.vocabulary import counted
from factprobe.question_types import type_label
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.records import VERDICTS
from factprobe.reports.document import Bars, Block, Curve, CurvePlot, Document, Figure, Table
from factprobe.storage import whole_file

if TYPE_CHECKING:
    from jinja2 import Environment

MAX_TEXT_LENGTH = 4000
"""Maximum length of a text on the page in characters; longer texts are cut, since a reply may have megabytes."""
MAX_TABLE_ROWS = 2000
"""Maximum number of rows of a table or plot on the page; further rows are omitted, with a note."""

_CLIPPED_TEXT, _CLIPPED_LINES = 600, 12
_BOLD = re.compile(r"(?<![\w*])\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?![\w*])")
_BREAK = re.compile(r"([_.-])")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def page(document: Document) -> str:
    """Return a report as an HTML page; equal reports give equal text.

    All data are escaped, so that they are never read as markup. The page's Content-Security-Policy allows nothing but
    the template's style and script, by their hashes.
    """
    return _environment().get_template("page.html.j2").render(document=document, verdicts=VERDICTS)


def write_page(path: Path, document: Document) -> None:
    """Write a report to a file as an HTML page; equal reports give equal bytes."""
    with whole_file(path) as file:
        file.write(page(document).encode())


@cache
def _environment() -> Environment:
    """Return the Jinja environment of the templates; it escapes all values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        runs=lambda blocks: [(kind, list(group)) for kind, group in groupby(blocks, _block_kind)],
        shown=_format_figure,
        left_out=_left_out,
        first_rows=lambda plot: plot.rows[:MAX_TABLE_ROWS],
        sections=lambda table: table.sections(MAX_TABLE_ROWS),
        series_classes=_series_classes,
        percent=lambda share: f"{share:z.1%}",
        thousands=lambda count: f"{count:,}",
        capitalised=lambda head: head[:1].upper() + head[1:] if len(head) > 1 else head,  # ρ and other symbols stay
        type_label=type_label,
        counted=counted,
        reply_text=lambda text: _add_markup(text, _BOLD, r"<b>\1</b>"),
        breakable=lambda name: _add_markup(name, _BREAK, r"\1<wbr>"),
        reasoning=_split_reasoning,
        length_of_bar=lambda share, least=0: f"{min(max((share - least) / (1 - least), 0), 1):.3%}",
        axis_ticks=axis_ticks,
        across=lambda share: f"{44 + 266 * share:.2f}",
        up=lambda share, least=0: f"{268 - 258 * (share - least) / (1 - least):.2f}",
        radius=lambda share: f"{3 + 7 * share**0.5:.2f}",
        agreement=_agreement_class,
        is_long=lambda text: len(text) > _CLIPPED_TEXT or text.count("\n") > _CLIPPED_LINES,
        csp_hash=lambda text: "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode(),
    )
    return environment


def _block_kind(block: Block) -> str:
    """Return the class name of a block, or `pair` for narrow plots, which are shown side by side."""
    is_narrow = isinstance(block, CurvePlot) or (isinstance(block, Bars) and not block.is_wide)
    return "pair" if is_narrow else type(block).__name__


def _format_figure(value: str | Figure) -> str:
    """Return a figure as text, with `%` after a percentage."""
    if isinstance(value, str):
        return value
    return value.text + ("%" if value.unit == "percent" and value.value is not None else "")


def _left_out(block: Table | Bars) -> str:
    """Return a note that the page omits rows of a long table or plot; empty if it has all."""
    rows: Sequence[object] = block.rows
    if len(rows) <= MAX_TABLE_ROWS:
        return ""
    return f"The first {MAX_TABLE_ROWS:,} of {len(rows):,} rows; {block.file} has them all."


def _series_classes(series: Sequence[str | Curve]) -> list[str]:
    """Return the CSS class that colours each name of a legend, or each curve."""
    places = [at if isinstance(one, str) or one.series is None else one.series for at, one in enumerate(series)]
    return [f"s{place % 8}" for place in places]


def _agreement_class(sample: Sample) -> str:
    """Return `agree` if the rules of all tools agree whether an answer is correct, else `disagree`."""
    right = {sample.verdict == "correct", *(verdict == "correct" for _, verdict in sample.compat)}
    return "agree" if len(right) == 1 else "disagree"


def _make_printable(value: object) -> object:
    """Prepare a value for the template: cut a long text, and replace unprintable characters by visible ones."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    text = value if len(value) <= MAX_TEXT_LENGTH else value[:MAX_TEXT_LENGTH] + "…"
    return _UNPRINTABLE.sub(
        lambda sign: chr(0x2400 + ord(sign[0])) if sign[0] < " " else "\N{REPLACEMENT CHARACTER}",
        text.replace("\r\n", "\n"),
    )


def _add_markup(text: str, pattern: re.Pattern[str], replacement: str) -> Markup:
    """Return a text as escaped HTML, with the matches of a pattern replaced by markup such as `<b>`."""
    return Markup(pattern.sub(replacement, str(escape(_make_printable(text)))))  # escaped before


def axis_ticks(least: float) -> list[float]:
    """Return the ticks of an axis from `least` to 1, in steps of 0.25, or of 0.5 if it begins at -1 or below."""
    step = 0.25 if least > -1 else 0.5
    return [least + step * at for at in range(round((1 - least) / step) + 1)]


def _split_reasoning(reply: str) -> tuple[str, str]:
    """Return the reasoning at the beginning of a reply (empty if there is none), and the rest."""
    rest = without_reasoning(reply)
    if not rest or not reply.rstrip().endswith(rest.strip()) or rest.strip() == reply.strip():
        return "", reply
    return reply.rstrip()[: -len(rest.strip())].strip(), rest.strip()
