r"""Conversion of LaTeX to plain text: \text{Ulm} to Ulm, 8{,}849 to 8,849, \frac{1}{2} to 1/2."""

from __future__ import annotations

import re
import unicodedata

_SYMBOLS = {"times": "×", "cdot": "·", "approx": "≈", "circ": "°", "degree": "°", "pm": "±", "sqrt": "√"}
_COMMAND = re.compile(r"\\([A-Za-z]+)(?:\s(?=\s*\d))?")
_WORDS = re.compile(r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:rm|bf|it|sf|bb)|mbox|hbox|emph|operatorname)\s*\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]{1,120})\}|(\w))\s*(?:\{([^{}]{1,120})\}|(\w))")
_SCRIPT = re.compile(r"([\^_√])\{([^{}]{1,120})\}")
SUBSCRIPT = re.compile(r"(?<![^\W\d_A-Z]{2})(?:(?<=[^\W\d_])|(?<=[)\]]))_(?=\d{1,2}(?!\d))")
"""Pattern of the sign of a subscript after a symbol of one or two letters, or a bracket: H_2O, Na_2, Ca(OH)_2."""
_DEGREE = re.compile(r"(?<!\s)\s*\^\s*\{?\s*°\s*\}?")
_COMMA = re.compile(r"(?<=\d)(?:\{,\}|,?\\[,!;: ])(?=\d{3}(?!\d))")
_GAP = re.compile(r"(?<!\\)\\(?:[,;: ]|q?quad(?![A-Za-z]))")
_INLINE = re.compile(r"\\[(\[]([^\\]{0,300})\\[)\]]")
_FORMULA = re.compile(r"(?<!\\)(\$\$?)(?=[^\s$])([^$\n]{0,300}?)(?<=\S)\1(?![\d$])")
"""Pattern of a formula between dollar signs, as in Pandoc; amounts are no formulas ($5 and $6)."""
_ESCAPE = re.compile(r"\\([_*.#()\[\]!{}%&$-])")
_PLAIN = r"(?:[^{}\\]++|\\.)*+"
_BRACES = rf"\{{{_PLAIN}\}}"
_NESTED = rf"\{{{_PLAIN}(?:{_BRACES}{_PLAIN})*+\}}"
_BOX = re.compile(rf"\\(?:boxed|fbox)\s*\{{({_PLAIN}(?:{_NESTED}{_PLAIN})*+)\}}", re.DOTALL)
"""Pattern of a box, in which braces are nested twice at most."""
_POWER_OF_TEN = re.compile(r"([×x*·⋅]\s?10)([⁻⁺]?[⁰¹²³⁴-⁹]{1,2})")


def unboxed(text: str) -> str:
    r"""Return the content of the last `\boxed`, and of boxes joined to it by "and" or a comma; else the text."""
    boxes = [*_BOX.finditer(text)] if "\\" in text else []
    first = len(boxes) - 1
    while first > 0 and len(text[boxes[first - 1].end() : boxes[first].start()].strip(" ,;&$\n")) <= 3:
        first -= 1
    return "\n".join(unboxed(box[1]) for box in boxes[first:]) if boxes else text


def without_latex(text: str) -> str:
    """Convert LaTeX commands to the symbols they print, and remove the delimiters of formulas."""
    text = _WORDS.sub(r"\1", _COMMA.sub(",", text))
    text = _DEGREE.sub("°", _COMMAND.sub(lambda name: _SYMBOLS.get(name[1], name[0]), _GAP.sub(" ", text)))
    text = _FRACTION.sub(lambda match: f"{match[1] or match[2]}/{match[3] or match[4]}", _SCRIPT.sub(r"\1\2", text))
    return _ESCAPE.sub(r"\1", _FORMULA.sub(r"\2", _INLINE.sub(r"\1", text)))


def with_powers(text: str) -> str:
    """Replace superscripts of powers of ten by a caret (6.65 × 10^3 for 6.65 × 10³)."""
    return _POWER_OF_TEN.sub(lambda match: f"{match[1]}^{unicodedata.normalize('NFKC', match[2])}", text)
