"""Formulas in LaTeX as plain text."""

from __future__ import annotations

import pytest

from factprobe.reading.latex import without_subscripts


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("H_2SO_4", "H2SO4"),
        ("C_{12}H_{22}O_{11}", "C12H22O11"),
        ("Ca(OH)_2", "Ca(OH)2"),
        ("NM_005157.4:c.756G>C", "NM_005157.4:c.756G>C"),
        ("NP_005148.2:p.Q252H", "NP_005148.2:p.Q252H"),
        ("NP_1234", "NP_1234"),
        ("snake_2", "snake_2"),
    ],
)
def test_only_the_figures_of_a_formula_come_in_line(written: str, plain: str) -> None:
    assert without_subscripts(written) == plain
