r"""Formulas and numbers in LaTeX as plain text: \frac{1}{2} is 1/2, 8{,}849 is 8,849, \pi is π, H_2SO_4 is H2SO4."""

from __future__ import annotations

import re
import unicodedata

from factprobe.reading.language import vocabulary

_SYMBOLS: dict[str, str] = dict(
    re.findall(
        r"(\w+)=(\S*)",
        "times=× cdot=· div=÷ ast=* pm=± mp=∓ approx=≈ le=≤ leq=≤ leqslant=≤ ge=≥ geq=≥ geqslant=≥ ne=≠ neq=≠ "
        "lt=< gt=> infty=∞ cup=∪ cap=∩ setminus=∖ in=∈ emptyset=∅ varnothing=∅ to=→ rightarrow=→ leftarrow=← degree=° "
        "circ=° mid=| vert=| lvert=| rvert=| lfloor=⌊ rfloor=⌋ lceil=⌈ rceil=⌉ langle=⟨ rangle=⟩ lbrace={ rbrace=} "
        "prime=′ ldots=… cdots=… dots=… left= right= big= Big= bigl= bigr= Bigl= Bigr= displaystyle= limits= ",
    )
)
_FUNCTIONS = vocabulary("function_of_numbers") - {"sqrt"}
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_ARGUMENT = r"\s*(?:\{([^{}]{1,120})\}|(\w))"
_FRACTION = re.compile(rf"\\[dtc]?frac{_ARGUMENT}{_ARGUMENT}")
_ROOT = re.compile(rf"\\sqrt\s*(?:\[(\w{{1,3}})\])?{_ARGUMENT}")
_SCRIPT = re.compile(r"([\^_])\{([^{}]{1,120})\}")
_WORDS = re.compile(r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:rm|bf|it|sf|bb)|mbox|hbox|emph|operatorname)\s*\{([^{}]*)\}")
_DEGREE = re.compile(r"(?<!\s)\s*\^\s*(?:°|\{\s*°\s*\})")
_MATRIX = re.compile(
    r"\\begin\{(?:[bBp]?(?:small)?matrix|array)\}(?:\{[^{}]*\})?((?:[^\\]|\\(?!(?:begin|end)\{))*+)\\end\{[A-Za-z]+\}"
)
_COMMA = re.compile(r"(?<=\d)(?:\{,\}|,?\\[,!;: ])(?=\d{3}(?!\d))")
_GAP = re.compile(r"(?<!\\)\\(?:[,;: ]|q?quad(?![A-Za-z]))")
_INLINE = re.compile(r"\\[(\[]([^\\]{0,300})\\[)\]]")
_PROSE = re.compile(r"[^\d=^+*/√π°]*[^\W\d_]{3}[^\d=^+*/√π°]*")
"""Prose in brackets that Markdown has escaped; not a formula."""
_DOLLAR = re.compile(r"(?<!\\)\$")
_ESCAPE = re.compile(r"\\([_*.#()\[\]!{}%&$-])")
_ATOM = re.compile(r"\d+(?:\.\d+)?|[^\W_]|[A-Za-z]{4,}|\([^()]*\)")
"""Expression that needs no brackets as a denominator or under a root; two or three letters may be a product and need
them."""
_RAISED = re.compile(r"\^[-+−]?(?:\d+|[^\W_])|_\w+")
"""Superscript or subscript that needs no brackets."""
_SUM = re.compile(r".[-+−±/<>=≤≥,;]")
_DEEPEST = 8
"""Maximal depth of nested braces that are resolved."""
_BRACE = re.compile(r"(?P<box>\\(?:boxed|fbox)\s*\{)|\\[{}]|[{}]")
_SUBSCRIPTED = re.compile(r"(?<!\w)(?:(?:[A-Z][a-z]?|[()])(?:_(?:[1-9]\d?|\{[1-9]\d?\}))?){2,}(?![A-Za-z_\d])")
"""Chemical formula with subscripts; codes such as NM_005157 do not match."""

_POWER_OF_TEN = re.compile(r"([×x*·⋅]\s?10)([⁻⁺]?[⁰¹²³⁴-⁹]{1,2})")


def unboxed(text: str) -> str:
    """Return the content of the last box, together with boxes joined to it by "and" or a comma."""
    boxes = _boxes(text) if "\\" in text else []
    if not boxes:
        return text
    first = len(boxes) - 1
    while first > 0 and len(text[boxes[first - 1][2] : boxes[first][0]].strip(" ,;&$\n")) <= 3:
        first -= 1
    return "\n".join(text[start + len(opening) : end - 1] for start, opening, end in boxes[first:])


def _boxes(text: str) -> list[tuple[int, str, int]]:
    """Return the boxes of a text from left to right as start, opening and end; of nested boxes only the inner one."""
    found: list[tuple[int, str, int]] = []
    opened: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text):
        if brace["box"] or brace[0] == "{":
            opened.append(brace)
        elif brace[0] == "}" and opened:
            start = opened.pop()
            if start["box"] and not (found and found[-1][0] > start.start()):
                found.append((start.start(), start[0], brace.end()))
    return found


def without_latex(text: str) -> str:
    """Convert LaTeX commands to the symbols they print, and remove the delimiters of formulas."""
    text = plain_formulas(text)
    if "\\" in text:
        text = _INLINE.sub(lambda found: found[0] if _PROSE.fullmatch(found[1]) else found[1], text)
    signs = text.count("$") - text.count("\\$")
    if signs > 1 or (signs and _COMMAND.search(text)):
        text = _DOLLAR.sub("", text)
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


def plain_formulas(text: str) -> str:
    """Convert the LaTeX commands in numbers and formulas to the symbols they print."""
    text = _COMMA.sub(",", text)
    if "\\" in text:
        text = _COMMAND.sub(_symbol, _GAP.sub(" ", text.replace("\\!", "")))
    before = ""
    for _ in range(_DEEPEST):  # innermost braces first
        if text == before or not ("{" in text or "\\" in text):
            break
        before, text = text, _SCRIPT.sub(_script, _WORDS.sub(r"\1", _DEGREE.sub("°", text)))
        text = _MATRIX.sub(_matrix, _FRACTION.sub(_fraction, _ROOT.sub(_root, text)))
    return _DEGREE.sub("°", text)


def without_subscripts(text: str) -> str:
    """Write the subscripts of chemical formulas inline (H_2O as H2O)."""
    return _SUBSCRIPTED.sub(lambda found: re.sub("[_{}]", "", found[0]) if "_" in found[0] else found[0], text)


def with_powers(text: str) -> str:
    """Write superscripts of powers of ten with a caret (6.65 × 10³ as 6.65 × 10^3)."""
    return _POWER_OF_TEN.sub(lambda found: f"{found[1]}^{unicodedata.normalize('NFKC', found[2])}", text)


def _symbol(found: re.Match[str]) -> str:
    name = found[1]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    if name in _FUNCTIONS:
        behind = found.string[found.end() : found.end() + 1]
        return f"{name} " if behind.isalnum() or behind == "\\" else name
    try:
        return unicodedata.lookup(f"GREEK {'SMALL' if name.islower() else 'CAPITAL'} LETTER {name.upper()}")
    except KeyError:
        return found[0]


def _fraction(found: re.Match[str]) -> str:
    """Write a fraction inline, separated from a whole number before it (3 1/2, (a+b)/c, 3/(2x))."""
    above, below = (found[1] or found[2]).strip(), (found[3] or found[4]).strip()
    above = f"({above})" if _SUM.search(above) else above
    below = below if _ATOM.fullmatch(below) else f"({below})"
    return f"{' ' * _is_glued(found)}{above}/{below}"


def _root(found: re.Match[str]) -> str:
    under = (found[2] or found[3]).strip()
    if found[1] in (None, "2"):
        return f"√{under}" if _ATOM.fullmatch(under) else f"√({under})"
    return f"{'·' * _is_glued(found)}({under})^(1/{found[1]})"


def _is_glued(found: re.Match[str]) -> bool:
    return found.string[max(found.start() - 1, 0) : found.start()].isalnum()


def _script(found: re.Match[str]) -> str:
    plain = f"{found[1]}{found[2].strip()}"
    return plain if _RAISED.fullmatch(plain) else f"{found[1]}({found[2]})"


def _matrix(found: re.Match[str]) -> str:
    """Write a matrix inline, with commas between columns and semicolons between rows."""
    rows = [", ".join(cell.strip() for cell in row.split("&")) for row in found[1].split("\\\\")]
    return f"({'; '.join(row for row in rows if row)})"
