"""Right answers with markup of their own: formulas in LaTeX, tags, code, symbols."""

from __future__ import annotations

import pytest

from factprobe.api import grade_answers

CASES: dict[str, tuple[list[str], list[str]]] = {
    r"\frac{1}{2}": (
        [
            r"\frac{1}{2}",
            r"$\frac{1}{2}$",
            r"\boxed{\frac{1}{2}}",
            r"The answer is $\boxed{\frac{1}{2}}$.",
            "1/2",
            "½",
            r"\dfrac{1}{2}",
            r"\tfrac12",
        ],
        [
            r"\boxed{\frac{1}{3}}",
            r"\frac{2}{1}",
            r"-\frac{1}{2}",
            r"\frac{11}{2}",
            r"\frac{1}{20}",
            r"We have $1 + 2 = 3$, so the answer is \boxed{\frac{1}{3}}.",
            r"We have $1 + 2 = 3$, so it is $\frac{1}{3}$.",
            r"Since $\frac{1}{2}$ of them are red, the probability is $\boxed{\frac{1}{4}}$.",
        ],
    ),
    r"\dfrac{1}{2}": ([r"\frac{1}{2}"], []),
    r"\frac12": ([r"$\frac{1}{2}$"], []),
    r"-\frac{1}{2}": ([r"-\frac{1}{2}", r"\frac{-1}{2}"], [r"\frac{1}{2}"]),
    r"3\frac{1}{2}": ([r"$3\frac{1}{2}$", "3 1/2"], ["31/2"]),
    r"\frac{a+b}{c}": ([r"$\frac{a+b}{c}$", "(a+b)/c"], [r"$a+\frac{b}{c}$"]),
    r"\frac{\sqrt{3}}{2}": (
        [r"\boxed{\frac{\sqrt{3}}{2}}", "√3/2", r"Thus $\sin x = \frac{\sqrt{3}}{2}$."],
        [r"\boxed{\frac{\sqrt{2}}{3}}", r"\boxed{\frac{\sqrt{3}}{4}}"],
    ),
    r"\frac{3}{5}": ([r"\frac{3}{5} \text{ cm}"], []),
    r"\frac{x}{2}": ([r"$\frac{x}{2}$"], [r"$\frac{2}{x}$"]),
    r"\frac{2x}{3}": ([r"$\frac{2x}{3}$"], []),
    r"\frac{3}{2x}": ([], [r"$\frac{3}{2}x$"]),
    r"\frac{\frac{1}{2}}{3}": ([r"$\frac{\frac{1}{2}}{3}$"], []),
    r"\frac{14}{3}": (
        [
            r"\[\boxed{\frac{14}{3}}\]",
            r"\(\frac{14}{3}\)",
            r"The final answer is \(\frac{14}{3}\). I hope it is correct.",
        ],
        [],
    ),
    r"\sqrt{2}": (
        [r"$\sqrt{2}$", r"\sqrt2", "√2", "sqrt(2)"],
        ["2", r"2\sqrt{2}", r"\sqrt{3}", r"\sqrt{2}+1", r"\sqrt[3]{2}"],
    ),
    r"2\sqrt{2}": ([r"\boxed{2\sqrt{2}}", r"2 \sqrt{2}"], [r"\boxed{\sqrt{2}}"]),
    r"\sqrt[3]{2}": ([r"\sqrt[3]{2}"], [r"\sqrt{2}"]),
    r"3\sqrt{13}": ([r"$3 \sqrt{13}$"], [r"13\sqrt{3}"]),
    r"1+\sqrt{5}": ([r"$1 + \sqrt{5}$"], [r"$1 - \sqrt{5}$"]),
    r"\sqrt{x+1}": ([r"$\sqrt{x+1}$"], [r"$\sqrt{x}+1$"]),
    "(3,4)": ([r"\boxed{(3,4)}", "$(3, 4)$"], [r"\boxed{(4,3)}", r"\boxed{[3,4]}"]),
    r"\left( 3, \frac{\pi}{2} \right)": (
        [r"$\boxed{\left( 3, \frac{\pi}{2} \right)}$", r"$\left(3,\frac{\pi}{2}\right)$", "(3, π/2)"],
        [r"\boxed{(2, \frac{\pi}{3})}", r"\boxed{(3, \frac{\pi}{4})}"],
    ),
    r"(-\infty, 2) \cup (3, \infty)": ([r"$(-\infty,2)\cup(3,\infty)$"], [r"$(-\infty,2]\cup(3,\infty)$"]),
    r"(-\infty, 2)": ([], [r"$(-\infty, 2]$"]),
    r"[0, \infty)": ([r"\boxed{[0,\infty)}"], [r"\boxed{(0,\infty)}"]),
    r"(-\infty, \infty)": ([r"$(-\infty, \infty)$"], []),
    r"\{1, 2, 3\}": ([r"$\{1,2,3\}$", r"\boxed{\{1,2,3\}}"], [r"\boxed{\{1,2,4\}}"]),
    r"\{1\frac{1}{2},2\}": ([r"$\{1\frac{1}{2}, 2\}$"], []),
    r"\pi": ([r"$\pi$", r"The area is $\pi$.", "pi"], [r"$2\pi$", r"$\frac{\pi}{2}$"]),
    r"2\pi": ([r"So it is $\boxed{2\pi}$.", "2 π"], [r"$12\pi$", "$2$"]),
    r"36\pi": ([r"$36 \pi$ cm"], []),
    r"\frac{\pi}{2}": ([r"$\frac{\pi}{2}$"], [r"$\frac{\pi}{3}$"]),
    r"\frac{2\pi}{3}": ([r"$\frac{2\pi}{3}$", "2π/3"], [r"$\frac{\pi}{3}$"]),
    r"\text{A}": ([r"\boxed{\text{A}}", r"\boxed{A}"], [r"\boxed{\text{B}}"]),
    r"\text{(C)}": ([r"\boxed{\text{(C)}}", "(C)"], ["(D)"]),
    r"\text{Monday}": (["Monday"], [r"\boxed{\text{Tuesday}}"]),
    r"\text{even}": ([r"The function is \boxed{\text{even}}."], [r"\boxed{\text{odd}}"]),
    r"\text{Evelyn}": ([r"$\boxed{\text{Evelyn}}$"], []),
    r"\mathbf{C}": ([r"\boxed{C}"], []),
    r"12\text{ cm}": ([r"\boxed{12\text{ cm}}", "12 cm"], [r"\boxed{13\text{ cm}}"]),
    r"12\text{ cm}^2": ([r"\boxed{12\text{ cm}^2}"], []),
    r"12 \mbox{ inches}": (["$12$ inches"], []),
    r"5\,\text{m/s}": (["5 m/s"], []),
    r"5\text{ degrees}": ([r"5^\circ"], []),
    r"90^\circ": ([r"\boxed{90^\circ}", "90°", "90 degrees", r"\boxed{90}"], [r"\boxed{80^\circ}"]),
    "90": ([r"\boxed{90^\circ}"], []),
    r"90^{\circ}": (["90°"], []),
    r"10\%": (["10%", r"\boxed{10\%}", "10 percent"], [r"\boxed{20\%}"]),
    r"\$5": (["$5", r"\$5", r"\boxed{\$5}", "5 dollars"], [r"\boxed{\$6}", "5 €"]),
    r"\$18.90": ([r"\boxed{\$18.90}", "18.90"], []),
    "$5": ([r"\boxed{\$5}"], ["£5"]),
    r"\$1{,}250": (["$1,250"], []),
    "1,000": ([r"\boxed{1{,}000}"], []),
    "1{,}000": (["1000"], []),
    r"10,\!000": ([r"\boxed{10,000}", "10000"], ["1000"]),
    r"10,\!080": ([r"\boxed{10,\!080}"], []),
    r"1\,000\,000": (["1,000,000"], []),
    "x^2+1": (["$x^2+1$"], []),
    "x^2+2x+1": ([r"\boxed{x^2 + 2x + 1}"], [r"\boxed{x^2 + 2x - 1}"]),
    "x^{2}+1": (["$x^2+1$"], []),
    "2x^3 - 5x": (["$2x^{3}-5x$"], []),
    "p - q": ([r"$\boxed{p - q}$"], [r"$\boxed{q - p}$"]),
    "6r^2-4r-24": ([r"\boxed{6r^2 - 4r - 24}"], []),
    "(x+2)(x-3)": (["$(x + 2)(x - 3)$"], ["$(x - 2)(x + 3)$"]),
    "-x^2+1": ([], ["$x^2+1$"]),
    "x^{10}": (["$x^{10}$"], ["$x^{1}$"]),
    "2^{10}": (["$2^{10}$"], ["2^1"]),
    "x^{n+1}": (["$x^{n+1}$"], ["$x^n+1$"]),
    "e^{-x}": (["$e^{-x}$"], []),
    r"\ln 2": ([r"$\ln 2$"], [r"$\ln 3$"]),
    r"\log_2 3": ([r"$\log_2 3$"], [r"$\log_3 2$"]),
    r"\sin x": ([r"$\sin x$"], [r"$\cos x$"]),
    "5!": (["5!"], []),
    "x_1": (["$x_1$"], []),
    "a_n = 2n+1": (["$a_n=2n+1$"], []),
    r"\frac{n(n+1)}{2}": ([r"$\frac{n(n+1)}{2}$"], [r"$\frac{n(n-1)}{2}$"]),
    r"1.2 \times 10^3": ([r"$1.2\times10^3$"], [r"$1.2\times10^4$"]),
    r"3 \pm \sqrt{2}": ([r"$3\pm\sqrt{2}$"], [r"$3+\sqrt{2}$"]),
    "2 + 3i": (["$2+3i$"], ["$2-3i$"]),
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}": (
        [r"\boxed{\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}}", r"$\begin{pmatrix}1&2\\3&4\end{pmatrix}$"],
        [r"\boxed{\begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}}"],
    ),
    r"\begin{pmatrix} -1 \\ 3 \end{pmatrix}": (
        [r"\boxed{\begin{pmatrix} -1 \\ 3 \end{pmatrix}}"],
        [r"\boxed{\begin{pmatrix} 1 \\ 3 \end{pmatrix}}"],
    ),
    r"\begin{pmatrix} \frac{1}{2} \\ 3 \end{pmatrix}": ([r"\boxed{\begin{pmatrix} 1/2 \\ 3 \end{pmatrix}}"], []),
    "x = 3": ([r"\boxed{x=3}"], [r"\boxed{x=4}"]),
    "3": (["$x = 3$"], []),
    "y = 2x + 3": (["$y=2x+3$"], ["$y=2x-3$"]),
    r"x \leq 5": ([r"$x\le 5$", "x ≤ 5"], [r"$x \geq 5$"]),
    "x<5": (["$x < 5$"], ["$x > 5$"]),
    "3, 5, 7": ([r"\boxed{3, 5, 7}"], [r"\boxed{3, 5, 8}"]),
    "3,5,7": ([r"\boxed{3, 5, 7}"], []),
    r"\frac{1}{2}, 3": ([r"\boxed{\frac{1}{2}, 3}"], [r"\boxed{\frac{1}{3}, 2}"]),
    "1,-2": ([r"\boxed{1,-2}"], [r"\boxed{-1,2}"]),
    r"\sqrt{2}, -\sqrt{2}": ([r"\boxed{\sqrt{2}, -\sqrt{2}}"], []),
    "x^2 + y^2 = 1": (["$x^2+y^2=1$"], []),
    r"\frac{x^2}{4}+\frac{y^2}{9}=1": (
        [r"$\frac{x^2}{4} + \frac{y^2}{9} = 1$"],
        [r"$\frac{x^2}{9} + \frac{y^2}{4} = 1$"],
    ),
    "-3": ([r"\boxed{-3}"], [r"\boxed{3}"]),
    "0.5": ([r"\boxed{.5}"], []),
    "2516_8": ([r"\boxed{2516_8}"], [r"\boxed{2517_8}"]),
    "1011_2": (["$1011_{2}$"], []),
    r"\overline{AB}": ([r"$\overline{AB}$"], []),
    r"\infty": ([r"$\infty$"], [r"$-\infty$"]),
    r"-\infty": ([r"$-\infty$"], []),
    r"\emptyset": ([r"$\emptyset$"], []),
    r"\text{undefined}": (["undefined"], []),
    "|x|": (["$|x|$"], []),
    r"\lfloor x \rfloor": ([r"$\lfloor x \rfloor$"], []),
    r"11\sqrt2": ([r"$11\sqrt{2}$"], []),
    r"\left(\frac{3}{5},\frac{8}{3}\right]": (
        [r"\boxed{\left(\frac{3}{5}, \frac{8}{3}\right]}"],
        [r"\boxed{\left[\frac{3}{5}, \frac{8}{3}\right]}"],
    ),
    "#### 8": (["The answer is 8."], []),
    "3+5 = <<3+5=8>>8\n#### 8": (["8", "3 + 5 = 8\n#### 8"], ["9"]),
    "Nat sold 48/2 = <<48/2=24>>24 clips.\nShe sold 48+24 = <<48+24=72>>72 clips in all.\n#### 72": (
        ["In May she sold 24. The answer is 72."],
        ["In May she sold 24. The answer is 24."],
    ),
    "#### 1,080": (["1080"], []),
    "<div>": (
        ["<div>", "The <div> tag.", "`<div>`", "div", "<answer><div></answer>", "```html\n<div>\n```"],
        ["The <span> tag.", "<span>", "</div>"],
    ),
    "<br>": (["Use `<br>`."], []),
    "<a>": (["The <a> tag."], ["<b>"]),
    "<b>Paris</b>": (["Paris", "<b>Paris</b>"], ["Lyon"]),
    "the <b> tag": ([], ["The <i> tag"]),
    "git rebase -i": (
        ["git rebase -i", "`git rebase -i`", "Use `git rebase -i HEAD~3`."],
        ["git rebase", "git rebase -p"],
    ),
    "O(n log n)": (["O(n log n)", "It is O(n log n).", r"$O(n \log n)$"], ["O(n)", "O(log n)", "O(n^2 log n)"]),
    "O(n)": (["O(n)", "It is O(n).", "$O(n)$ time"], ["It is O(n^2)", "O(n log n)", "O(log n)", "O(n!)", "O(n+m)"]),
    "O(n^2)": (["O(n^2)", "O(n²)"], ["O(n^2 log n)", "O(n)"]),
    "O(1)": (["O(1)"], ["O(1/n)", "O(n)"]),
    "$O(n)$": (["O(n)"], []),
    "f(x)": (["f(x)"], ["f(x+1)"]),
    "O(log n)": (["O(log n)"], ["O(n log n)", "O(log log n)"]),
    "v1.2": (["v1.2", "It is v1.2.", "version v1.2, released later"], ["v1.2.3", "v1.20", "v11.2"]),
    "1.2.3": (["1.2.3", "It is 1.2.3."], ["1.2.3.4"]),
    "2.3": ([], ["1.2.3"]),
    "Python 3.1": (["Python 3.1", "Python 3.1."], []),
    "127.0.0.1": ([], ["127.0.0.10"]),
    "std::vector<int>": (
        ["std::vector<int>", "`std::vector<int>`", "A std::vector<int> is used."],
        ["std::vector<double>", "std::vector"],
    ),
    "&nbsp;": (["&nbsp;", "Use &nbsp; here."], ["&amp;"]),
    "&lt;": (["&lt;"], ["&gt;"]),
    "AT&amp;T": (["AT&T"], []),
    "AT&T": (["AT&amp;T"], []),
    "<think>": (["<think>"], []),
    "__init__": (["__init__", "The __init__ method"], []),
    '{"a": 1}': (['{"a": 1}', '```json\n{"a": 1}\n```'], []),
    "**kwargs": (["**kwargs"], []),
    "`ls`": (["ls", "`ls`"], []),
    "**Paris**": (["Paris"], ["Lyon"]),
    "🍎": (["🍎", "It is 🍎!", "The answer is 🍎."], ["It is 🍏!", "🍏", "It is 🍎🍌."]),
    "→": (["→", "The sign →."], ["←"]),
    "==": (["Use ==."], ["Use ===.", "Use =."]),
    "===": (["Use `===`."], []),
    "!": (["!"], ["I know it!"]),
    ".": ([], ["I do not know."]),
    "...": ([], ["Well..."]),
    "-": ([], ["well-known"]),
    "&&": (["Use &&."], []),
    "||": (["Use `||`."], ["Use |."]),
    "♥": (["I like ♥"], []),
    "∞": (["∞", "It is ∞."], []),
    "%": (["Use %."], []),
    "🍎🍌": (["🍎🍌", "It is 🍎🍌."], []),
    r"C:\temp": ([r"C:\temp", r"In C:\temp."], []),
    r"C:\Users\pi": ([r"C:\Users\pi"], []),
    r"\n": ([r"\n", r"Use \n."], [r"\t"]),
    r"\d+": ([r"\d+"], []),
    r"^\d{3}$": ([r"^\d{3}$"], []),
    "$HOME": (["$HOME", "Use $HOME."], []),
    "$PATH": ([], ["$HOME"]),
}
"""Right answers, each with replies that give it and replies that do not."""


@pytest.mark.parametrize("answer", CASES)
def test_an_answer_with_markup_is_told_from_others(answer: str) -> None:
    right, wrong = CASES[answer]
    asked = [{"question": "Compute.", "answers": [answer], "response": reply} for reply in (*right, *wrong)]
    correct = [
        reply["response"]
        for reply, found in zip(asked, grade_answers(asked), strict=True)
        if found.verdict == "correct"
    ]
    assert correct == right


def test_the_answer_that_is_matched_is_named_as_the_question_has_it() -> None:
    asked = {"question": "Compute.", "answers": [r"\frac{1}{2}"], "response": "1/2"}
    assert grade_answers([asked])[0].matched == (r"\frac{1}{2}",)


def test_options_with_markup_are_chosen_by_their_text() -> None:
    options = [r"$\frac{1}{2}$", r"$\frac{1}{3}$", r"$\sqrt{2}$"]
    for reply, expected in ((r"\boxed{\frac{1}{3}}", "correct"), ("1/2", "incorrect"), ("B", "correct")):
        asked = {"question": "Which?", "answers": [options[1]], "choices": options, "response": reply}
        assert grade_answers([asked])[0].verdict == expected


@pytest.mark.parametrize(("answer", "reply"), [("🍎", "🍎 🍏."), ("==", "`=` `==`"), ("∞", "∞ ∞")])
def test_a_reply_of_nothing_but_several_symbols_is_read(answer: str, reply: str) -> None:
    [found] = grade_answers([{"question": "Which?", "answers": [answer], "response": reply}])
    assert (found.verdict, found.rule) == ("unparsed", "no_answer")
