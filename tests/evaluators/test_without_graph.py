"""Replies to questions of which no graph is known, as people grade them."""

from __future__ import annotations

import pytest

import factprobe
from tests.tables import for_each_row

PLANETS = ("Which planet is closest to the sun?", ["Mercury", "Venus", "Earth", "Mars"], "Mercury")
CAPITAL = ("What is the capital of Australia?", ["Sydney", "Canberra", "Melbourne", "Perth"], "Canberra")
EQUATION = ("Solve 2x = 8.", ["2", "3", "4", "8"], "4")
COINS = ("A coin is tossed twice: what is the probability of two heads?", ["1/2", "1/3", "1/4", "3/4"], "1/4")
MEDIAN = ("What is the median of 9, 3, 5, 1, 7?", ["3", "5", "7", "9"], "5")
SINE = ("What is the derivative of sin x?", ["cos x", "-cos x", "sin x", "-sin x"], "cos x")
ALL = ("Which are capitals?", ["Rome", "Oslo", "All of the above"], "All of the above")
NONE = ("Which are capitals?", ["Milan", "Bergen", "None of the above"], "None of the above")
TEN = ("Which?", ["Munich", "Ulm", "Paris", "Sofia", "Moscow", "Warsaw", "Rome", "Oslo", "Bonn", "Kiel"], "Bonn")
AIRBUS = ("Which of them makes the A320?", ["Ferrari", "Nokia", "Airbus", "Boeing"], "Airbus")
DONOR = (
    "Which blood type is the universal donor?",
    ["A positive", "AB positive", "O negative", "B negative"],
    "O negative",
)
SKIN = ("Which is made in the skin?", ["Vitamin A", "Vitamin B", "Vitamin C", "Vitamin D"], "Vitamin D")
METALS = (
    "Why do metals feel colder than wood?",
    ["Metals have a lower temperature", "Metals conduct heat away from the hand faster", "Wood produces heat"],
    "Metals conduct heat away from the hand faster",
)
SLAVERY = (
    "Which amendment abolished slavery?",
    ["First Amendment", "Tenth Amendment", "Thirteenth Amendment"],
    "Thirteenth Amendment",
)
SISTINE = ("Who painted the ceiling?", ["Raphael", "Leonardo da Vinci", "Michelangelo"], "Michelangelo")
SEASONS = (
    "What causes the seasons?",
    ["The distance between Earth and Sun", "The tilt of Earth's axis", "The rotation of Earth on its axis"],
    "The tilt of Earth's axis",
)
SUPPLY = (
    "Which follows a rise in supply?",
    ["Price and quantity both rise", "Price rises and quantity falls", "Price falls and quantity rises"],
    "Price falls and quantity rises",
)
VALVE = (
    "What does it do?",
    ["Stop flow from the ventricle to the atrium", "Stop flow from the aorta to the ventricle", "Pump blood"],
    "Stop flow from the ventricle to the atrium",
)
WAR = ("Which was it?", ["World War I", "World War II", "Korean War"], "World War II")
GUINEA = ("Which is it?", ["Guinea", "Papua New Guinea", "Niger"], "Guinea")
NERVE = ("Which nerve serves vision?", ["Olfactory nerve (CN I)", "Optic nerve (CN II)"], "Optic nerve (CN II)")
SEXES = ("Which is it?", ["Lion (male)", "Lion (female)", "Tiger"], "Lion (male)")
SKY = (
    "Which is so?",
    ["Air scatters blue light more", "The sun emits only blue light"],
    "The sun emits only blue light",
)
PERCENT = ("What is 15% of 80?", ["8", "10", "12", "15"], "12")
COLOURS = ("Which are colours?", ["Red", "Green", "Blue", "All of the above"], "All of the above")
PRIMES = ("Which is prime?", ["21", "27", "33", "None of the above"], "None of the above")
MAMMAL = ("Which of these is not a mammal?", ["Dolphin", "Bat", "Penguin", "Whale"], "Penguin")
JELLYFISH = ("Where does a jellyfish live that hasn't been caught?", ["sea", "tank", "jar"], "sea")
ROWS = "| A. Sydney | {} |\n| B. Canberra | {} |\n| C. Melbourne | Incorrect |\n| D. Perth | Incorrect |"
TABLE = f"| Option | Verdict |\n|---|---|\n{ROWS}"


def verdict(question: str, answer: str, reply: str, **more: object) -> str:
    (found,) = factprobe.grade_answers([{"question": question, "answers": [answer], "response": reply, **more}])
    return found.verdict


WIDE = [
    "答案：B",
    "答案是B。",
    "**答案：B**",
    "正确答案：B",
    "故答案为：B",
    "故选：B",
    "故选B。",
    "我选择B",
    "正解：B",
    "答え：B",
    "答えはBです。",
    "【B】",
    "【答案】B",
    "정답은 B입니다.",
    "답은 B입니다.",
    "悉尼是最大的城市，但不是首都。\n答案：B",
    "答案：B\n解析：A是最大的城市。",
]
"""The second option in Chinese, Japanese and Korean."""

NEXT = "Which option fills the blank?\n____ is the capital of Norway.\nA) Oslo\nB) Rome\nC) Bonn\nD) Bern\n\nA) Oslo"
"""Further text that a model writes."""

Options = tuple[str, list[str], str]

OPTIONS: list[tuple[Options, str, str]] = [
    (CAPITAL, "It's not C. The correct answer is B.", "correct"),
    (CAPITAL, "I ruled out C. The answer is B.", "correct"),
    (CAPITAL, "We can eliminate D. The remaining best choice is B.", "correct"),
    (PLANETS, "The order is Mercury, Venus, Earth, Mars.\n\n**A. Mercury**", "correct"),
    (PLANETS, "The order is Mercury, Venus, Earth, Mars.\n\nSo the correct choice is:\n\n**A. Mercury**", "correct"),
    (PLANETS, "The order is Mercury, Venus, Earth, Mars. That corresponds to option A.", "correct"),
    (PLANETS, "The order is Mercury, Venus, Earth, Mars. It is not option A.", "incorrect"),
    (PLANETS, "Venus.\n\n**A. Mercury**", "incorrect"),
    (PLANETS, "The answer is Venus.\n\nA", "incorrect"),
    (PLANETS, "Venus is closest to the sun.\n\nA", "incorrect"),
    (PLANETS, "A\n\nThe answer is Venus.", "incorrect"),
    (EQUATION, "2x = 8, so x = 8/2 = 4.\n\n**C) 4**", "correct"),
    (EQUATION, "2x = 8, so x = 8/2 = 4.\n\nC", "correct"),
    (EQUATION, "2x = 8, so x = 8/2 = 4.\n\n(C) 4", "correct"),
    (EQUATION, "2x = 8; x = 8/2 = 4. Option C.", "correct"),
    (EQUATION, "2x = 8; x = 8/2 = 4. Option D.", "incorrect"),
    (EQUATION, "**C**\n\n2x = 14 - 6 = 8, so x = 8/2 = 4.", "correct"),
    (EQUATION, "**C**\n\n2x = 14 - 6 = 8, so x = 8.", "incorrect"),
    (COINS, "Each toss has probability 1/2.\n\n**C) 1/4**", "correct"),
    (COINS, "C) 1/4\n\nEach toss has 1/2, so 1/2 × 1/2 = 1/4.", "correct"),
    (MEDIAN, "B. Sorted: 1, 3, 5, 7, 9. The middle is 5.", "correct"),
    (MEDIAN, "B. Sorted: 1, 3, 5, 7, 9. The middle is 7.", "incorrect"),
    (SINE, "d/dx sin x = cos x.\n\n**A. cos x**", "correct"),
    (SINE, "d/dx sin x = cos x. This matches option A.", "correct"),
    (SINE, "By d/dx sin x = cos x, it is option A.", "correct"),
    (SINE, "d", "incorrect"),
    (SINE, "D/A", "incorrect"),
    (AIRBUS, "A) Ferrari\n\nThe correct answer is C) Airbus.", "correct"),
    (AIRBUS, "A) Ferrari\n\nThe answer is C.", "correct"),
    (AIRBUS, "A)\n\nThe final answer is Airbus.", "correct"),
    (AIRBUS, "C) Airbus\n\nThe correct option is A) Ferrari.", "incorrect"),
    (AIRBUS, "A) Ferrari\n\nThe correct answer is C or D.", "incorrect"),
    (AIRBUS, "A) Ferrari\n\nThe correct answer is D. The correct option is C.", "incorrect"),
    (AIRBUS, "A) Ferrari\n\nAnother option is C) Airbus.", "incorrect"),
    (AIRBUS, "A) Ferrari\n\nIf it were planes, the answer would be C) Airbus.", "incorrect"),
    (AIRBUS, "C) Airbus\n\nThe correct answer is D) Airbus.", "correct"),
    (DONOR, "Type O negative blood, because it lacks A, B and Rh antigens.", "correct"),
    (DONOR, "A, B and AB are not universal; O negative is.", "correct"),
    (DONOR, "A, B or AB.", "unparsed"),
    (DONOR, "It's C.", "correct"),
    (DONOR, "B", "incorrect"),
    (DONOR, "C. It has neither A nor B antigens.", "correct"),
    (DONOR, "Option C, because it has no A, B or D antigens.", "correct"),
    (SKIN, "It's D.", "correct"),
    (SKIN, "Vitamin D. A and C must come from food.", "correct"),
    (METALS, "Because they conduct heat away from your hand faster.", "correct"),
    (METALS, "They conduct heat away from the hand more slowly.", "unparsed"),
    (METALS, "It's not because they conduct heat away from the hand faster.", "unparsed"),
    (METALS, "Because wood conducts heat away from the hand faster.", "unparsed"),
    (METALS, "Their temperature is lower.", "incorrect"),
    (METALS, "I don't know whether they conduct heat away from the hand faster.", "abstained"),
    (SLAVERY, "The 13th Amendment, ratified in 1865, did it.", "correct"),
    (SLAVERY, "The 10th Amendment did it.", "incorrect"),
    (SLAVERY, "It wasn't the 13th Amendment.", "unparsed"),
    (SISTINE, "The answer is Michelangelo Buonarroti.", "correct"),
    (SISTINE, "Leonardo DiCaprio", "unparsed"),
    (SEASONS, "They are caused by the 23.5° tilt of Earth's rotational axis.", "correct"),
    (SEASONS, "The rotation of Earth around its axis.", "incorrect"),
    (SEASONS, "The axis.", "unparsed"),
    (SUPPLY, "The price falls while the quantity sold rises.", "correct"),
    (SUPPLY, "The price rises while the quantity sold falls.", "incorrect"),
    (SUPPLY, "The price falls while the quantity sold falls.", "unparsed"),
    (VALVE, "It stops flow into the atrium from the ventricle.", "correct"),
    (VALVE, "It stops flow from the atrium to the ventricle.", "unparsed"),
    (WAR, "The Second World War.", "correct"),
    (WAR, "The First World War.", "incorrect"),
    (GUINEA, "Guinea-Bissau", "unparsed"),
    (GUINEA, "Equatorial Guinea", "unparsed"),
    (NERVE, "The optic nerve.", "correct"),
    (NERVE, "CN II", "correct"),
    (NERVE, "CN I", "incorrect"),
    (SEXES, "The lion.", "unparsed"),
    (SKY, "Blue light is scattered.", "unparsed"),
    (PERCENT, "0.15 × 80 = 12", "correct"),
    (COLOURS, "Red, green and blue.", "correct"),
    (COLOURS, "Red and blue.", "incorrect"),
    (COLOURS, "All three of them.", "correct"),
    (PRIMES, "None of them: 21 = 3 · 7, 27 = 3 · 9, 33 = 3 · 11.", "correct"),
    (MAMMAL, "The bat isn't a mammal.", "incorrect"),
    (MAMMAL, "Dolphins, bats and whales.", "incorrect"),
    (MAMMAL, "The penguin isn't the answer.", "incorrect"),
    (MAMMAL, "The dolphin is not a fish, so it's the penguin.", "correct"),
    (MAMMAL, "A. Dolphin. The penguin isn't a mammal.", "incorrect"),
    (MAMMAL, "It's not the penguin.", "incorrect"),
    (JELLYFISH, "The sea isn't.", "incorrect"),
    (CAPITAL, "B ✅", "correct"),
    (CAPITAL, "B ✔", "correct"),
    (CAPITAL, "Answer: B ✅", "correct"),
    (CAPITAL, "B ❌", "incorrect"),
    (CAPITAL, "A. Sydney ❌\nB. Canberra ✅", "correct"),
    (CAPITAL, "A ❌ B ✅", "correct"),
    (CAPITAL, "A ✅ B ❌", "incorrect"),
    (CAPITAL, TABLE.format("Incorrect", "Correct"), "correct"),
    (CAPITAL, TABLE.format("Correct", "Incorrect"), "incorrect"),
    (CAPITAL, TABLE.format("❌", "✅"), "correct"),
    (CAPITAL, TABLE.format("east | Incorrect", "east | **Correct**"), "correct"),
    (ALL, "All of these.", "correct"),
    (ALL, "Rome", "incorrect"),
    (ALL, "Not all of these.", "incorrect"),
    (NONE, "None of these.", "correct"),
    (NONE, "None.", "correct"),
    (NONE, "Milan", "incorrect"),
    (TEN, "I choose I.", "correct"),
    (TEN, "I choose A, I think.", "incorrect"),
    (CAPITAL, f"B) Canberra\n\n{NEXT}", "correct"),
    (CAPITAL, f"C\n\n{NEXT}", "incorrect"),
    (CAPITAL, "Which is it?\nA) Sydney\nB) Canberra\nC) Melbourne\nD) Perth\n\nA) Sydney", "incorrect"),
    *((CAPITAL, reply, "correct") for reply in WIDE),
    (CAPITAL, "答案：A", "incorrect"),
    (CAPITAL, "答えはわかりません。", "abstained"),
]


LEAST_OPTIONS = 0.6
"""Minimal share of these replies with the expected verdict: many say an option in other words, or have formulas."""


def test_most_replies_with_options_get_their_verdict() -> None:
    found = [
        verdict(question, right, reply, choices=choices) == expected
        for (question, choices, right), reply, expected in OPTIONS
    ]
    assert sum(found) / len(found) >= LEAST_OPTIONS


@pytest.mark.parametrize(
    ("answer", "reply", "expected"),
    [
        ("vitamin D", "It is not vitamin C. It is vitamin D.", "correct"),
        ("vitamin C", "It is not vitamin C. It is vitamin D.", "incorrect"),
        ("hepatitis B", "Not hepatitis C. It is hepatitis B.", "correct"),
        ("Microsoft", "It wasn't Apple Inc. It was Microsoft.", "correct"),
        ("Hank Aaron", "Not Martin Luther King Jr. The answer is Hank Aaron.", "correct"),
        ("8", "答案是8。", "correct"),
        ("8", "答案是9。", "incorrect"),
        ("46", "答えは46です。", "correct"),
        ("北京", "答案是北京。", "correct"),
        ("J. R. R. Tolkien", "It is not J. R. R. Tolkien.", "incorrect"),
    ],
)
def test_answers_in_words(answer: str, reply: str, expected: str) -> None:
    assert verdict("Which is it?", answer, reply) == expected


@pytest.mark.parametrize(
    ("side", "replies"),
    [
        ("correct", "对 对。 是 是的 真 참 答案：对"),
        ("incorrect", "假 否 不是 否。"),
    ],
)
def test_labels(side: str, replies: str, subtests: pytest.Subtests) -> None:
    question = "Is this statement correct or incorrect? Statement: Lyon is the capital of France."
    for reply in replies.split():
        with subtests.test(reply):
            assert verdict(question, side, reply, question_type="binary_answer") == "correct"


@pytest.mark.parametrize(
    ("side", "reply"),
    [
        ("correct", "correct\n\nStatement: Oslo is the capital of Spain.\nAnswer: incorrect"),
        ("incorrect", "Statement: Lyon is the capital of France.\nAnswer: incorrect"),
        ("incorrect", "Let me check:\n\nStatement: Lyon is the capital of France.\nAnswer: incorrect"),
    ],
)
def test_a_statement_that_the_model_went_on_to_write_is_not_judged(side: str, reply: str) -> None:
    question = "Is this statement correct or incorrect? Statement: Lyon is the capital of France."
    assert verdict(question, side, reply, question_type="binary_answer") == "correct"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"verdict": "incorrect", "correct_answer": "Paris"}', "incorrect"),
        ('{"statement": "Lyon is the capital of France.", "is_correct": false}', "incorrect"),
        ('{"truth_value": true}', "correct"),
        ('{"label": "supported"}', "correct"),
        ("True/False: True", "correct"),
        ("True/False: False", "incorrect"),
        ("True/False", None),
        ("True answer: False", "incorrect"),
        ("#### True", "correct"),
        ("Supported.", "correct"),
        ("Not supported.", "incorrect"),
        ("Fact.", "correct"),
        ("Precisely.", "correct"),
        ("Correct would be Paris.", "incorrect"),
        ("Correct would be Lyon.", "correct"),
        ("Lyon is correct.", "correct"),
        ("That is correct.", "correct"),
        ("It should be Paris instead of Lyon.", "incorrect"),
        ("It should be Paris, not Lyon.", "incorrect"),
        ("Not Lyon but Paris.", "incorrect"),
        ("Not only Lyon but Paris.", None),
        ("Rome is not France.", None),
        ("Lyon is not the capital of France.", "incorrect"),
        ("They can't.", "incorrect"),
        ("They don't.", "incorrect"),
        ("They can.", "correct"),
    ],
)
def test_sides(reply: str, expected: str | None) -> None:
    for side in ("correct", "incorrect"):
        found = verdict("Lyon is the capital of France.", side, reply, question_type="binary_answer")
        assert found == ("unparsed" if expected is None else "correct" if side == expected else "incorrect")


@pytest.mark.parametrize(("reply", "expected"), [("28", "correct"), ("Town 27", "correct"), ("27", "incorrect")])
def test_options_after_the_26th_are_chosen_by_number_or_text(reply: str, expected: str) -> None:
    towns = [f"Town {number}" for number in range(30)]
    [grade] = factprobe.grade_answers(
        [{"question": "Which one?", "choices": towns, "answers": [towns[27]], "response": reply}]
    )
    assert grade.verdict == expected


def test_wrong_choice_of_what_the_question_offers_is_an_answer() -> None:
    asked = {"question": "Which country is larger, Peru or Chile?", "answers": ["Peru"]}
    replies = ["Chile", "The answer is Chile.", "Peru", "It is", "Which country is larger?"]
    found = factprobe.grade_answers([{**asked, "response": reply} for reply in replies])
    assert [grade.verdict for grade in found] == ["incorrect", "incorrect", "correct", "unparsed", "unparsed"]


@for_each_row(
    ("reply", "expected"),
    [
        ("Although many people think Melbourne is the capital, the statement is true.", "correct"),
        ("Although many people think so, the statement is false.", "incorrect"),
        ("While it sounds plausible, this is incorrect.", "incorrect"),
        ("Although it may seem surprising, it's false.", "incorrect"),
        ("Contrary to what many think, the statement is true.", "correct"),
        ("Contrary to popular belief, this is false.", "incorrect"),
        ("While some would say Melbourne, Perth or Sydney, the statement is correct.", "correct"),
    ],
)
def test_a_concession_before_the_judgment_takes_no_side(reply: str, expected: str) -> None:
    asked = {"question": "True or false: Canberra is the capital of Australia.", "answers": ["true"]}
    (grade,) = factprobe.grade_answers([{**asked, "response": reply}])
    assert grade.verdict == expected
