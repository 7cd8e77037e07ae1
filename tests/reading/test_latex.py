"""Formulas in LaTeX as plain text."""

from __future__ import annotations

from factprobe.reading.structure.latex import unboxed, without_latex
from tests.tables import for_each_row


@for_each_row(
    ("written", "plain"),
    [
        (r"\frac{\sqrt{3}}{2}", "√3/2"),
        (r"x^{10}", "x^10"),
        (r"90^{\circ}\text{C}", "90°C"),
        (r"12\,\text{cm}^2", "12 cm^2"),
        (r"\$5 and 10\%", "$5 and 10%"),
        (r"10,\!000", "10,000"),
        ("$500 / $1,200 and $7", "$500 / $1,200 and $7"),
        ("$500,$1,200", "$500,$1,200"),
        ("$x = 5$ and $5$ m", "x = 5 and 5 m"),
        ("$$8,849$$", "8,849"),
        (r"\(\frac{14}{3}\)", "14/3"),
        (r"C:\temp", r"C:\temp"),
    ],
)
def test_formulas_are_written_in_line(written: str, plain: str) -> None:
    assert without_latex(written) == plain


@for_each_row(
    ("written", "inside"),
    [
        (r"It is $\boxed{\frac{\sqrt{3}}{2}}$.", r"\frac{\sqrt{3}}{2}"),
        (r"\boxed{4}, so \boxed{5}", "4\n5"),
        (r"\boxed{4}. No, it is \boxed{5}", "5"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{\boxed{4}}", "4"),
        (r"\boxed{4", r"\boxed{4"),
    ],
)
def test_a_box_holds_braces(written: str, inside: str) -> None:
    assert unboxed(written) == inside
