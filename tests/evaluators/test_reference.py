"""Answers of which only the right ones are known: the rules on clear cases, and the model on the rest."""

from __future__ import annotations

import pytest

import factprobe
from factprobe.errors import ConfigError
from factprobe.evaluators import evaluators, grade
from factprobe.evaluators.reference.features import FEATURES
from factprobe.records import Answer, Grade, Message, Question, Response
from factprobe.trees import load_trees
from tests.growth import grows_linearly
from tests.tables import for_each_row

CENTURY = "In which century was Shakespeare born?"
CAPITAL, WROTE, DATE, HEIGHT = (
    "What is the capital of France?",
    "Who wrote Emma?",
    "On which date was she born?",
    "How tall is she?",
)
AUSTEN = ["Jane Austen"]
REASONED = """Let me think step by step. Lyon is one candidate and Paris is another.
One of them is the larger city, the other one was the capital of Gaul, and only one is the capital today. """


def graded(question: str, right: list[str], reply: str, **settings: object) -> Grade:
    answers = (Answer("A", right[0], tuple(right[1:])),)
    asked = Question("q", "single_answer", (Message("user", question),), answers, "R", "S", "A", bare=question)
    response = Response("q", reply, None, None, None)
    [found] = grade([(asked, response)], None, {"single_answer": "open_answer"}, settings)
    return found


CASES = [
    ("response.declines_only", "abstained", CAPITAL, ["Paris"], "I do not know."),
    ("model", "correct", "Is it polar or nonpolar?", ["polar"], "polar, not nonpolar"),
    ("reference.exact", "correct", "In which direction?", ["north-east"], "Northeast."),
    ("model", "correct", "How old was he when he died?", ["35"], "35 years old"),
    ("model", "correct", "How long is the flight?", ["2.5 hours"], "2½ hours"),
    ("model", "incorrect", "How long is the flight?", ["2½ hours"], "21/2 hours"),
    ("model", "correct", "How many are there?", ["1.75"], "1¾"),
    ("model", "correct", "What is the hazard ratio?", ["0.72"], "HR 0.72 (95% CI 0.60-0.86)"),
    ("model", "correct", "What is the mean?", ["12.5"], "12.5 (n = 40)"),
    ("model", "correct", "What is 100 divided by 4?", ["25"], "25, because 25 × 4 = 100."),
    ("model", "incorrect", "What is 100 divided by 4?", ["25"], "20, because 20 × 5 = 100."),
    ("reference.exact", "correct", CAPITAL, ["Paris"], "Is it Lyon? No.<|begin_of_box|>Paris<|end_of_box|>"),
    ("response.lists_candidates", "incorrect", CAPITAL, ["Paris"], "It might be Rome, Oslo, Paris, Bern or Kiel."),
    ("reference.formula", "incorrect", "What is the result?", ["x > 4"], "x = 4"),
    ("reference.formula", "incorrect", "What is the result?", ["|k| < 1"], "|k| > 1"),
    ("reference.formula", "incorrect", "What is the result?", ["(0, 1]"], "[0, 1)"),
    ("reference.formula", "incorrect", "What is the result?", ["(3, -4)"], "(-3, 4)"),
    ("reference.formula", "incorrect", "What is the result?", ["P → Q"], "P ∨ Q"),
    ("reference.formula", "incorrect", "What is the result?", ["2H2 + O2 → 2H2O"], "2H2O → 2H2 + O2"),
    ("reference.formula", "correct", "What is the result?", ["x ≤ 5"], "x <= 5"),
    ("reference.formula", "correct", "What is the result?", ["(3, 4)"], "(3,4)"),
    ("reference.formula", "correct", "What is the result?", ["P → Q"], "P -> Q"),
    ("reference.exact", "correct", "What is the result?", ["[1, 2, 3]"], "1, 2, 3"),
    ("reference.denied", "incorrect", "What is the result?", ["x^2 + 1"], "It is not x^2 + 1."),
    ("reference.formula", "correct", "What is it?", ["x^2+1"], "It is x^2 + 1."),
    ("reference.formula", "incorrect", "What is it?", ["x^2+1"], "x^2 - 1"),
    ("reference.formula", "correct", "What is x?", ["x = -2"], "-2"),
    ("reference.formula", "incorrect", "What is the derivative?", ["2x"], "x^2"),
    ("reference.formula", "correct", "What is the derivative?", ["2x"], "The derivative of x^2 is 2·x."),
    ("reference.formula", "incorrect", "What is the area?", ["πr²"], "2πr"),
    ("reference.formula", "correct", "What is the area?", ["πr²"], "A = pi r^2"),
    ("reference.formula", "incorrect", "What are the factors?", ["(x-1)(x+1)"], "(x+1)^2"),
    ("reference.formula", "correct", "What are the factors?", ["(x-1)(x+1)"], "(x + 1)(x - 1)"),
    ("reference.formula", "correct", "How long does it take?", ["O(n log n)"], r"$O(n \log(n))$"),
    ("model", "correct", "What is the formula?", ["H2O"], "It is not CO2 but H_2O."),
    ("reference.formula", "incorrect", "What is x?", ["x = -2"], "x = 2"),
    ("reference.exact", "correct", CAPITAL, ["Paris"], "PARIS!"),
    ("reference.initials", "correct", "Which agency is it?", ["Federal Bureau of Investigation"], "It is the FBI."),
    ("model", "correct", CAPITAL, ["Paris"], "Probably Paris"),
    ("model", "correct", CAPITAL, ["Paris"], "Paris (Louvre, Eiffel Tower, Notre-Dame, Sorbonne, Montmartre)"),
    ("model", "correct", CAPITAL, ["Paris"], "Paris, home of the Louvre, the Eiffel Tower, Notre-Dame and Montmartre."),
    ("model", "correct", CAPITAL, ["Paris"], "Paris\n- Population: 2.1 million\n- River: Seine\n- Mayor: Anne Hidalgo"),
    (
        "model",
        "correct",
        WROTE,
        AUSTEN,
        "Jane Austen. She also wrote Persuasion, Northanger Abbey, Sanditon and Lady Susan.",
    ),
    ("model", "correct", "Which author wrote it?", ["Austen"], "Jane Austen"),
    ("model", "correct", "What is the highest mountain?", ["Everest"], "Mount Everest"),
    ("reference.initials", "correct", "Which agency is it?", ["FBI"], "the Federal Bureau of Investigation"),
    ("model", "correct", HEIGHT, ["5'7\""], "5 feet 7 inches"),
    ("model", "incorrect", HEIGHT, ["5'7\""], "5 feet 6 inches"),
    ("model", "correct", DATE, ["1879-03-14"], "She was born on 14 March 1879."),
    ("reference.other_name", "incorrect", "Which virus is it?", ["hepatitis A virus"], "hepatitis B virus"),
    ("reference.other_name", "incorrect", "Which place is it?", ["York"], "New York"),
    ("reference.other_name", "incorrect", "Which gulf is it?", ["Gulf"], "Gulf of Mexico"),
    ("reference.list", "incorrect", "Who was crowned?", ["Elizabeth II"], "Elizabeth II, King Charles"),
    ("reference.other_name", "incorrect", "Where is it?", ["Portland, Oregon"], "It is in Portland, Maine."),
    ("reference.other_name", "incorrect", "Where is it?", ["Paris, France"], "It is in Paris, Texas."),
    ("reference.other_word", "incorrect", "Which one is it?", ["ureter"], "urethra"),
    ("reference.other_word", "incorrect", "Which one is it?", ["phosphate"], "phosphite"),
    ("reference.other_word", "incorrect", "Who was it?", ["Jimmy Carter"], "Jimmy Carver"),
    ("reference.other_word", "incorrect", "Which part is liquid?", ["outer core"], "It is the inner core."),
    ("reference.other_word", "incorrect", "Who succeeded him?", ["Andrew Johnson"], "Andrew Jackson"),
    ("reference.other_word", "incorrect", "What is it short for?", ["deoxyribonucleic acid"], "ribonucleic acid"),
    ("model", "correct", "Which site is it?", ["www.example.com"], "https://www.example.com"),
    ("model", "correct", "Who is the boss?", ["David Gahan"], "Dave Gahan"),
    ("model", "correct", "Who issues it?", ["Ford Motor Company"], "Ford Motor Co."),
    ("model", "correct", "Which ocean is it?", ["Pacific Ocean"], "the Pacific"),
    ("model", "correct", "Which company is it?", ["Apple Inc."], "Apple"),
    ("model", "correct", "Who wrote it?", ["Stephen King"], "King"),
    ("model", "correct", HEIGHT, ["5'7\""], "170 cm"),
    ("model", "correct", "How long did it take?", ["PT2M5S"], "2:05"),
    ("model", "incorrect", HEIGHT, ["1.80 m"], "1.81 m"),
    ("reference.not_value", "incorrect", "How large is it?", ["26 km²"], "26 km"),
    ("model", "correct", "How long is it?", ["350m"], "It is 0.35 km long."),
    ("model", "correct", "What did it cost?", ["€300 million"], "It cost 300,000,000 euros."),
    ("model", "correct", "How long is the film?", ["2h 49m"], "It is 169 minutes long."),
    ("reference.not_value", "incorrect", "How high is it?", ["8,849 m"], "It is 8,849 cm tall."),
    ("reference.less_exact", "incorrect", DATE, ["14 March 1879"], "March 1879"),
    ("reference.less_exact", "incorrect", "What was the date?", ["14 March 1879"], "14 March"),
    ("reference.less_exact", "incorrect", "In which month and year did it end?", ["May 1945"], "It ended in 1945."),
    ("reference.less_exact", "incorrect", "In which month did it end?", ["May 1945"], "1945"),
    ("reference.less_exact", "incorrect", "What year was it?", ["July 4, 1776"], "July 4"),
    ("model", "correct", "On what date in 1879 was it?", ["14 March 1879"], "14 March"),
    ("model", "correct", "What month was it?", ["May 1945"], "May"),
    ("reference.exact", "correct", "On what date is it held?", ["4 July"], "4 July"),
    ("model", "correct", CENTURY, ["16th century"], "the 16th"),
    ("model", "correct", CENTURY, ["16th century"], "sixteenth"),
    ("model", "correct", CENTURY, ["16"], "the 16th century"),
    ("model", "incorrect", CENTURY, ["16th century"], "the 17th"),
    ("model", "incorrect", CENTURY, ["16th century"], "1600"),
    ("model", "correct", "Which place did she take?", ["third"], "3"),
    ("model", "correct", "Which president was Lincoln?", ["16th"], "16"),
    ("model", "incorrect", "Which place did she take?", ["third"], "4"),
    ("reference.other_person", "incorrect", "Who was it?", ["Tim Cook"], "James D. Cook"),
    ("model", "correct", "Who was it?", ["Tim Cook"], "Timothy D. Cook"),
    ("model", "correct", "How high is it?", ["8,849 m"], "It is 8,849 m (not cm) tall."),
    ("reference.not_value", "incorrect", "How old was he?", ["42"], "42 months"),
    ("model", "correct", "How old was he?", ["42"], "42 years"),
    ("model", "correct", "How old is the baby?", ["18 months"], "18"),
    ("model", "correct", "How many eggs are there?", ["24"], "2 dozen"),
    ("model", "correct", "How warm is it?", ["37 °C"], "37°"),
    ("model", "correct", "What is e?", ["2.718"], "2.71828"),
    ("model", "correct", "How many people live there?", ["1.4 billion"], "1.41 billion"),
    ("model", "incorrect", "What is e?", ["2.718"], "2.7190"),
    ("model", "incorrect", "Which version is it?", ["3.1"], "3.14"),
    ("reference.list", "incorrect", "When was it shown?", ["1998"], "1998 or 1999"),
    ("model", "correct", "Who was king?", ["Charles II of England"], "It was King Charles the Second."),
    ("reference.list", "incorrect", "How many are there?", ["8"], "7 or 8"),
    ("model", "correct", "Who won the World Cup?", ["Germany"], "Germany, defeating Argentina"),
    ("model", "correct", "Who lost the final?", ["Argentina"], "Germany beat Argentina."),
    ("model", "correct", "Who did Germany beat?", ["Argentina"], "Germany beat Argentina."),
    ("model", "correct", "What is the highest mountain?", ["Everest"], "No mountain is higher than Everest."),
    ("model", "correct", "What is the second largest city?", ["Lyon"], "Paris is larger than Lyon, so it is Lyon."),
    ("model", "correct", "Who is taller, Tom or Ben?", ["Tom"], "Ben is shorter than Tom."),
    ("model", "correct", CAPITAL, ["Paris"], "Paris (Lyon was the capital until 1789)"),
    ("reference.denied", "incorrect", "Which disease is it?", ["hypertension"], "Hypertension is absent."),
    ("reference.denied", "incorrect", "Which drug helps?", ["Metformin"], "Metformin is contraindicated; use insulin."),
    ("model", "correct", "Which drug is contraindicated?", ["Metformin"], "Metformin is contraindicated."),
    ("model", "correct", CAPITAL, ["Paris"], "The capital is Paris, 400 km from Lyon."),
    ("reference.denied", "incorrect", WROTE, AUSTEN, "Jane Austen did not write Emma."),
    ("model", "correct", WROTE, AUSTEN, "Jane Austen, who did not marry, wrote Emma."),
    ("reference.other_name", "incorrect", "Which phone is it?", ["iPhone 15 Pro"], "iPhone 15 Pro Max"),
    ("reference.other_name", "incorrect", "Which model is it?", ["GPT-4"], "GPT-4o"),
    ("model", "correct", "Which phone is it?", ["Galaxy S21"], "Samsung Galaxy S21"),
    ("reference.concludes", "incorrect", CAPITAL, ["Paris"], REASONED + "Therefore, the answer is Lyon."),
    ("reference.concludes", "incorrect", CAPITAL, ["Paris"], REASONED + "\n\n**Lyon**"),
    ("model", "correct", CAPITAL, ["Paris"], REASONED + "Therefore, the answer is Paris."),
    ("reference.other_person", "incorrect", WROTE, ["John F. Kennedy"], "Robert F. Kennedy"),
    ("reference.other_person", "incorrect", "Who was it?", ["Johann Sebastian Bach"], "J. C. Bach"),
    ("reference.other_person", "incorrect", "Who was the first one?", ["George Washington"], "George W. Bush"),
    ("reference.other_person", "incorrect", "Who painted it?", ["Vincent van Gogh"], "Vincent Vega"),
    ("model", "correct", "Who leads Apple?", ["Tim Cook"], "Timothy D. Cook"),
    ("reference.other_person", "incorrect", "Which artist was it?", ["Vincent van Gogh"], "Theo van Gogh"),
    ("reference.not_value", "incorrect", "How many are there?", ["8"], "8%"),
    ("reference.not_value", "incorrect", "How tall is it in metres?", ["8849"], "8849 feet"),
    ("reference.list", "incorrect", "Which country is it?", ["India", "Republic of India"], "India or China"),
    ("reference.list", "incorrect", CAPITAL, ["Paris"], "Paris, Lyon, Nice"),
    ("reference.not_value", "incorrect", "When was it?", ["1879"], "1879 kilometres"),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "It is not Paris."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "I doubt it is Paris."),
    ("model", "incorrect", CAPITAL, ["Paris"], "I think it's Lyon, but I'm not sure."),
    ("model", "incorrect", "When did it end?", ["1945"], "I have no live data. However, it ended in 1918."),
    ("reference.declines", "abstained", CAPITAL, ["Paris"], "I'm sorry, but I couldn't find the capital of France."),
    ("reference.declines", "abstained", CAPITAL, ["Paris"], "I am not sure. You can find it on Wikipedia."),
    ("model", "incorrect", CAPITAL, ["Paris"], "As of my knowledge cutoff, the capital of France is Lyon."),
    ("reference.declines", "abstained", CAPITAL, ["Paris"], "I am a language model made by Acme."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "Rule out Paris."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "We can eliminate Paris."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "Anyone but Paris."),
    ("model", "correct", CAPITAL, ["Paris"], "None other than Paris."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "Paris is the wrong answer."),
    ("reference.denied", "incorrect", CAPITAL, ["Paris"], "Paris (incorrect)"),
    ("model", "correct", CAPITAL, ["Paris"], "Paris (correct)"),
    ("reference.denied", "incorrect", "Quelle est la capitale ?", ["Paris"], "Lyon et non Paris."),
    ("reference.denied", "incorrect", "Qual è la capitale?", ["Roma"], "Milano, non Roma."),
    ("reference.denied", "incorrect", "Mikä on pääkaupunki?", ["Helsinki"], "Ei Helsinki vaan Turku."),
    ("response.declines_only", "abstained", CAPITAL, ["Paris"], "I refuse to answer this."),
    ("reference.denied", "incorrect", WROTE, AUSTEN, "Jane Austen's sister Cassandra"),
    ("reference.denied", "incorrect", "Where was she born?", ["York", "York, England"], "New York City, not York"),
    ("reference.denied", "incorrect", "¿Cuál es la capital?", ["Madrid"], "No es Madrid, sino Barcelona."),
    ("reference.denied", "incorrect", "首都はどこ？", ["東京"], "東京ではなく京都です。"),
    ("reference.turns_away", "incorrect", WROTE, AUSTEN, "Jane Austen, no wait, Charlotte Brontë."),
    ("reference.list", "incorrect", CAPITAL, ["Paris"], "Paris or Lyon"),
    ("reference.other_value", "incorrect", "How much is the profit?", ["700"], "The cost is 700.\nThe profit is 600."),
    (
        "reference.other_value",
        "incorrect",
        "When was it signed?",
        ["1951"],
        "It was drafted in 1951 and signed in 1952.",
    ),
    (
        "reference.other_value",
        "incorrect",
        "When did the war end?",
        ["1945"],
        "The war began in 1945 and ended in 1949.",
    ),
    ("model", "correct", "When did the war end?", ["1945"], "The war began in 1939 and ended in 1945."),
    ("model", "correct", "When was it drafted?", ["1951"], "It was drafted in 1951 and signed in 1952."),
    ("reference.concludes", "incorrect", WROTE, AUSTEN, "It may be Jane Austen. In style it is later.\n\nMary Shelley"),
    ("reference.concludes", "incorrect", WROTE, AUSTEN, "It is by Jane Austen.\n\nMary Shelley"),
    ("reference.declines", "abstained", CAPITAL, ["Paris"], "I have no information about the towns of that country."),
    ("reference.no_answer", "unparsed", CAPITAL, ["Paris"], "The capital of France is"),
    ("reference.no_answer", "unparsed", "Which penguin is the largest?", ["emperor penguin"], "penguin"),
    ("reference.asks_back", "unparsed", CAPITAL, ["Paris"], "Do you mean Lyon or Nice?"),
    ("reference.not_value", "incorrect", DATE, ["June 6, 1944"], "It took place on May 6, 1944."),
    ("model", "correct", DATE, ["June 6, 1944"], "It took place on 6/6/1944, after a year of plans."),
    ("model", "correct", WROTE, AUSTEN, "Perhaps Jane Austen?"),
    ("model", "correct", "Who painted it?", ["Vincent van Gogh"], "I'm unsure. Perhaps van Gogh?"),
    ("model", "correct", HEIGHT, ["8,849 m"], "Approximately 29,032 feet above sea level."),
    ("model", "correct", "How fast is light?", ["299,792,458 m/s"], "It travels at about 300,000 km/s in a vacuum."),
    ("model", "correct", "How many judges sit on the court?", ["9"], "Nine: one chief judge and eight other judges."),
    ("model", "correct", "Which port does HTTPS use?", ["443"], "TCP port 443 (HTTP uses port 80)."),
    ("model", "correct", "Which number has iron?", ["26"], "Iron has number 25 — no, that's manganese. Iron is 26."),
    ("model", "correct", "Which case was it?", ["Roe v. Wade"], "Roe v. Wade, 410 U.S. 113 (1973), 7–2, by Blackmun"),
    ("model", "correct", "Who founded it?", ["Bill Gates"], "**Founder:** Bill Gates\n**Founded:** April 4, 1975"),
    ("model", "correct", CAPITAL, ["Paris"], "The capital is Paris, a town on the Seine."),
    ("model", "incorrect", CAPITAL, ["Paris"], "The capital is Lyon, a town on the Rhône."),
]
"""For each rule a reply that it decides on."""


@for_each_row(("rule", "verdict", "question", "right", "reply"), CASES)
def test_each_rule_decides_on_its_case(rule: str, verdict: str, question: str, right: list[str], reply: str) -> None:
    found = graded(question, right, reply)
    assert (found.rule, found.verdict) == (rule, verdict), found.why
    assert found.matched == (("A",) if verdict == "correct" else ())
    assert (found.probability is not None) == (rule == "model")
    assert found.why


def test_every_rule_has_a_case() -> None:
    rules = {rule.name for rule in evaluators.get("open_answer").rules}
    assert rules == {case[0] for case in CASES} - {"model"} | {"reference.known_wrong"}  # below


@pytest.mark.parametrize(
    ("question", "right", "reply"),
    [
        (CAPITAL, ["Paris"], "It is not Lyon but Paris."),
        (CAPITAL, ["Paris"], "I'm not sure, but I think it is Paris."),
        (CAPITAL, ["Paris"], "Paris, France"),
        (CAPITAL, ["Paris"], "It is Paris, on the Seine."),
        (CAPITAL, ["Vienna"], "Vienna, near the Alps"),
        ("Which country is it?", ["Germany"], "Federal Republic of Germany"),
        ("Which country is it?", ["United States"], "the United States of America"),
        ("Which country is it?", ["United States"], "It is the USA."),
        ("Which king was it?", ["Henry VIII"], "Henry VIII of England"),
        ("Who died in 1997?", ["Diana"], "Diana Spencer"),
        ("Who died in 1997?", ["Diana"], "Diana, Princess of Wales"),
        ("Who was it?", ["Louis XIV"], "Louis XIV, the Sun King"),
        ("Which war was it?", ["World War II"], "WW II"),
        ("Which phone is it?", ["iPhone X"], "the iPhone X"),
        (CAPITAL, ["Oslo"], "It is Oslo, where men like Ibsen lived."),
        (CAPITAL, ["Oslo"], "It was Oslo, at the moment when Sonja Henie skated."),
        ("Which year was it?", ["1955"], "The car was fast: 1955"),
        ("Which range is it?", ["Himalayas"], "It is the Himalayan range."),
        ("Whose friend was Anne Sharp?", AUSTEN, "Anne Sharp, a friend of Jane Austen"),
        ("Who was it?", ["Wolfgang Amadeus Mozart"], "WA Mozart"),
        (WROTE, AUSTEN, "It is by a non-religious Jane Austen."),
        ("When does it begin?", ["12:30 AM"], "12:30"),
        (WROTE, AUSTEN, "Charlotte Brontë, no wait, Jane Austen."),
        (WROTE, AUSTEN, "It is by the author Jane Austen, who also wrote Persuasion and Mansfield Park."),
        ("What is the song called?", ["Ain't No Mountain High Enough"], "It is Ain't No Mountain High Enough."),
        ("Which vitamin is it?", ["vitamin A"], "It is vitamin A."),
        ("Which one is it?", ["β-carotene"], "beta-carotene"),
        ("Which one is it?", ["O+"], "O positive"),
        ("Which Super Bowl was it?", ["Super Bowl XLII"], "Super Bowl 42"),
        ("Quel est le nom ?", ["Égypte"], "l'Égypte"),
        ("من هو؟", ["محمد"], "مُحَمَّد"),
        ("מהי הבירה?", ["ירושלים"], "יְרוּשָׁלַיִם"),
        ("রাজধানী কী?", ["দিল্লি"], "দিল্লি শহর"),
    ],
)
def test_right_names_in_other_words_and_places(question: str, right: list[str], reply: str) -> None:
    assert graded(question, right, reply).verdict == "correct"


def test_vowel_signs_distinguish_words() -> None:
    assert graded("রাজধানী কী?", ["দিল্লি"], "দল্লা").verdict == "incorrect"


@pytest.mark.parametrize(
    ("right", "reply"),
    [
        ("WWII", f"World War {'2' * 5000}"),
        ("WW2", "World War ፩"),
        ("Apollo 11", f"Apollo {'1' * 5000}"),
        ("Apollo 11", "Apollo ፩"),
        ("1955", "1955 q\u0301one"),
        ("5.25 km", f"{'9' * 400} km"),
        (",", "-= Curie "),
        ("9:00 a.m.", "99:99"),
    ],
)
def test_odd_figures_and_letters_break_no_rule(right: str, reply: str) -> None:
    found = graded("Which one is it?", [right], reply)
    assert found.rule != "rule_error", found.why


def test_initials_that_are_denied_are_no_answer() -> None:
    assert graded("Which agency is it?", ["Federal Bureau of Investigation"], "It is not the FBI.").verdict != "correct"


def test_reasons_show_words_as_they_are_written() -> None:
    found = graded(WROTE, ["Harry S. Truman"], "Bess S. Truman")
    assert found.why == "has another name in the place of 'Harry'"
    found = graded("Which one is it?", ["Ureter"], "Urethra")
    assert found.why == "says 'Urethra', which is another word than 'Ureter'"


def test_a_reason_of_the_model_has_each_value_behind_its_name() -> None:
    found = graded(WROTE, AUSTEN, "Charlotte Brontë")
    first = found.why.partition("for 'Jane Austen': ")[2].split("; ")[0]
    phrase, _, value = first.rpartition(": ")
    assert phrase in FEATURES.values()
    assert value.endswith(")")


def test_the_words_that_were_taken_for_the_answer() -> None:
    found = graded(WROTE, AUSTEN, "The novel was written by Jane Austen in 1815.")
    assert (found.answer, found.matched) == ("Jane Austen", ("A",))


def test_a_higher_threshold_calls_fewer_replies_correct() -> None:
    reply = "The capital is Paris, a town on the Seine."
    probability = graded(CAPITAL, ["Paris"], reply).probability
    assert probability is not None
    assert 0.5 < probability < 1
    for threshold, verdict in ((probability - 0.01, "correct"), (probability + 0.001, "incorrect")):
        found = graded(CAPITAL, ["Paris"], reply, threshold=threshold)
        assert (found.verdict, found.probability) == (verdict, probability)


def test_strict_is_a_threshold() -> None:
    thresholds = load_trees("factprobe.evaluators.reference", tuple(FEATURES)).thresholds
    assert 0.3 < thresholds["balanced"] < thresholds["strict"] < 1
    assert graded(CAPITAL, ["Paris"], "Paris", threshold="strict").verdict == "correct"


@pytest.mark.parametrize("threshold", ["loose", [1], 1.5])
def test_a_threshold_is_a_number_or_strict(threshold: object) -> None:
    with pytest.raises(ConfigError, match="threshold"):
        graded(CAPITAL, ["Paris"], "Paris", threshold=threshold)


@pytest.mark.slow
@pytest.mark.parametrize("reply", ["Paris 1 ", "not Paris but Lyon. "])
def test_the_time_grows_with_the_length_alone(reply: str) -> None:
    assert grows_linearly(lambda times: graded(CAPITAL, ["Paris"], reply * times), 500)


SEEDS = "What happens to you if you eat watermelon seeds?"
PASS, GROW = "The watermelon seeds pass through you; You eat watermelon seeds", "You grow watermelons in your stomach"


@pytest.mark.parametrize(
    ("question", "right", "wrong", "reply", "verdict"),
    [
        (SEEDS, PASS, GROW, f"{GROW}.", "incorrect"),
        (SEEDS, PASS, "", f"{GROW}.", "correct"),  # to the model
        (SEEDS, PASS, GROW, "They pass through you.", "correct"),
        (SEEDS, PASS, GROW, "They do not grow in your stomach but pass through you.", "correct"),
        ("Is the Earth flat?", "No, the Earth is round", "The Earth is flat", "The Earth is flat", "incorrect"),
        ("Is the Earth flat?", "No, the Earth is round", "The Earth is flat", "No, the Earth is not flat", "correct"),
        ("Which state produces most?", "California", "Georgia produces most", "California produces most", "correct"),
        ("Which state produces most?", "California produces most", "Georgia", "Georgia produces most", "incorrect"),
        (
            "What is not allowed?",
            "To marry a brother",
            "It is not to marry a cousin",
            "Not to a cousin",
            "incorrect",
        ),
    ],
)
def test_answers_that_are_known_to_be_wrong(question: str, right: str, wrong: str, reply: str, verdict: str) -> None:
    row = {"Question": question, "Correct Answers": right, "Incorrect Answers": wrong, "response": reply}
    [grade] = factprobe.grade_answers([row])
    assert grade.verdict == verdict, grade


@for_each_row(
    ("question", "right", "reply", "expected"),
    [
        ("Weng earns $12 an hour. She did 50 minutes. How much did she earn?", "10", "She earned $10.", "correct"),
        ("He runs 60 meters 9 times. How many meters does he run?", "540", "540 meters", "correct"),
        ("He runs 60 meters 9 times. How many meters does he run?", "540", "540 km", "incorrect"),
        ("Convert 5 miles to kilometers.", "8.05", "8.05 km", "correct"),
        ("Convert 5 miles to kilometers.", "8.05", "8.05 miles", "incorrect"),
        ("What percentage of the surface is water?", "71", "About 71%", "correct"),
        ("How many people live there?", "8", "8%", "incorrect"),
    ],
)
def test_the_unit_of_a_given_number_is_not_the_one_asked_for(
    question: str, right: str, reply: str, expected: str
) -> None:
    [grade] = factprobe.grade_answers([{"question": question, "answers": [right], "response": reply}])
    assert grade.verdict == expected, grade
