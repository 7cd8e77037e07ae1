"""Replies that models gave, mutated, through every evaluator: none makes a rule fail, and none takes long.

FACTPROBE_FUZZ=500 tries as many hundreds of them as it says.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from functools import cache, reduce
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from factprobe.evaluators import Evaluator, evaluators
from factprobe.reading.names.index import EntityIndex
from factprobe.records import Grade
from tests.evaluators import worlds as w
from tests.evaluators.replies import load
from tests.evaluators.test_any_text import holds
from tests.evaluators.worlds import Asked

ROUNDS = int(os.environ.get("FACTPROBE_FUZZ", "3"))
REPLIES = 100
"""Number of replies of a round."""
LONGEST = 20_000
"""Characters; for more, which take as much longer, there are tests of their own."""
PATIENCE = 1_000
"""As many times as long as half of all replies one may take."""

PARTS = w.World("[X] has [Y] parts.", {"a bike": ["7"], "a car": ["8"], "a van": ["8.5 million"]})
DIED = w.World("[X] died on [Y].", {"Max Born": ["5 January 1970"], "Bach": ["28 July 1750"], "Plato": ["348 BC"]})
YEARS = w.World("[X] was founded in [Y].", {"Rome": ["1950", "1951"], "Bonn": ["1952"]})
CHOICE = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Washington, D.C.", "Paris")
DATES = w.choose(w.YEAR, "Isaac Stern", "1882", "1920", "1 May 1920", "192", "A")
TRUE = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
SINGLE = [w.ask_object(w.BORN, "Albert Einstein"), w.ask_subject(w.BORN, "Washington, D.C.")]
VALUES = [w.ask_object(PARTS, "a bike"), w.ask_object(DIED, "Bach"), w.ask_object(w.YEAR, "Isaac Stern")]
SETS = [w.ask_object(w.SPEAKS, "Switzerland"), w.ask_subject(w.SPEAKS, "French"), w.ask_object(YEARS, "Rome")]
ASKED: dict[str, list[Asked]] = {
    "binary_answer": [TRUE, w.true_or_false(w.YEAR, "Isaac Stern", "1882"), w.true_or_false(DIED, "Plato", "348 BC")],
    "multi_choices": [CHOICE, DATES],
    "ranked": [CHOICE],
    "single_answer": [*SINGLE, *VALUES],
    "multiple_answer": SETS,
    "open_answer": [*SINGLE, *VALUES],
    "llm_facteval_binary": [TRUE],
    "llm_facteval_choices": [CHOICE],
    "llm_facteval_short": [SINGLE[0], SETS[0]],
}
"""The questions that every evaluator is tried with, beside the reply's own."""


def test_every_evaluator_is_tried() -> None:
    assert set(ASKED) == set(evaluators.names())


WORD_MARKS = ["**", "__", "`", "*", '"', "'", "“", "”", "«", "\\boxed{", "$", "<b>", "</b>", "&amp;", "[1]", "^2^"]
BRACKETS = [*"()[]{}<>", "((", "))", "[[", "{{", "<think>", "</think>", "（", "】"]
DASHES = ["-", "–", "—", "−", "-", " - ", " – ", "--", "/", ".", ",", ":", " to ", "..", "…", "~", "\n- ", "\n1. "]
FIGURES = [
    "7",
    "8",
    "1950",
    "1951",
    "52",
    "1,920",
    "1.5",
    "0",
    "-3",
    "44 BC",
    "5 May 1950",
    "1950s",
    "٣",
    "²",
    "½",
    "Ⅳ",
]
FIGURES += [
    "9" * 400,
    "1e9",
    "5th",
    "twenty",
    "3/4",
    "20%",
    "1st",
    "XIV",
    "00",
    "1950-01-02",
    "31.12.99",
    "24:61",
    "10.100.200.1",
]
OTHERS = [
    "не",
    "Берлин",
    "ベルリン",
    "柏林",
    "برلين",
    "ברלין",
    "เบอร์ลิน",
    "दिल्ली",
    "서울",
    "İ",
    "ß",
    "ﬁ",
    "\u0301",
    "\u200d",
]
OTHERS += ["\u202e", "\0", "🤷🏽", "🇩🇪", "ǅ", "ŉ", "\ufdfa", "𝐔𝐥𝐦", "\x85", "\u2028", "\x1c", "\u3000", "\r"]
TALK = ["not", "no,", "or", "and", "but", "A)", "B.", "(C)", "correct", "incorrect", "Answer:", "I don't know", "wait,"]
TALK += ["neither", "both", "the first", "all of the above", "Ulm", "French", "1920", "it", "He", "?", "Albert"]

Mutation = Callable[[random.Random, str], str]


def cut(chance: random.Random, text: str) -> str:
    """A piece of it."""
    start, end = sorted(chance.randrange(len(text) + 1) for _ in "12")
    return chance.choice([text[:end], text[start:], text[start:end]])


def doubled(chance: random.Random, text: str) -> str:
    """A piece of it several times over."""
    piece = cut(chance, text)
    joint = chance.choice(["", " ", "\n", ", ", " or ", ". ", "\n\n"])
    return text + joint.join([piece] * chance.choice([1, 2, 2, 3, 30]))


def shuffled(chance: random.Random, text: str) -> str:
    """Its lines, sentences, words or letters in another order."""
    parts = text.split(joint) if (joint := chance.choice(["\n", ". ", ", ", " ", " ", ""])) else list(text)
    chance.shuffle(parts)
    return joint.join(parts)


def strewn(*pieces: list[str]) -> Mutation:
    """Makes a mutation that puts pieces into a text, or in the place of what stands there."""
    known = [piece for several in pieces for piece in several]

    def strew(chance: random.Random, text: str) -> str:
        for _ in range(chance.choice([1, 1, 2, 3, 8])):
            at = chance.randrange(len(text) + 1)
            behind = at + chance.choice([0, 0, 0, 1, 5])
            between = chance.choice(["", "", " "])
            text = f"{text[:at]}{between}{chance.choice(known)}{between}{text[behind:]}"
        return text

    return strew


def joined(chance: random.Random, text: str) -> str:
    """Its words, or figures, with other signs than blanks between them."""
    words = text.split()[: chance.choice([2, 4, 40])] if chance.random() < 0.5 else chance.choices(FIGURES, k=3)
    joints = chance.choices(DASHES, k=1 if chance.random() < 0.5 else 4)
    return "".join(word + chance.choice(joints) for word in words) + chance.choice(["", "?", chance.choice(FIGURES)])


def wrapped(chance: random.Random, text: str) -> str:
    """Within brackets, marks, code or JSON."""
    quoted = json.dumps(text)
    whole = [f"({text})", f"[{text}]", f"{{{text}}}", f"**{text}**", f"```\n{text}\n```", f"\\boxed{{{text}}}", quoted]
    whole += [
        f'{{"answer": {quoted}}}',
        f'{{"answer": [{quoted}, null, {{"a": 1}}]}}',
        f"<think>{text}</think>",
        f"> {text}",
    ]
    return chance.choice([*whole, f"{text} {chance.choice(whole)}", f"Q: {text}\nA: {text}", f"- {text}\n- {text}"])


GREEK = str.maketrans("abeghikmnoprstuxyzABEHIKMNOPTXYZ", "αβεγηικμνοπρστυχυζΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
CYRILLIC = str.maketrans("abcehikmoprtuxyABCEHKMOPTX", "аbсеhікмоpртuхуАВСЕНКМОРТХ")
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
BOLD = {ord("a") + n: 0x1D41A + n for n in range(26)} | {ord("0") + n: 0x1D7CE + n for n in range(10)}
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def transcribed(chance: random.Random, text: str) -> str:
    """In capitals, or in the letters of another script."""
    if chance.random() < 0.3:
        return chance.choice([text.upper(), text.lower(), text.title(), text.swapcase(), text[::-1]])
    return text.translate(chance.choice([GREEK, CYRILLIC, WIDE, BOLD, ARABIC]))


MUTATIONS: list[Mutation] = [cut, doubled, shuffled, joined, wrapped, transcribed]
MUTATIONS += [strewn(DASHES), strewn(FIGURES), strewn(BRACKETS, WORD_MARKS), strewn(OTHERS), strewn(TALK)]


class Reply(NamedTuple):
    """A reply, with the question that it was given to."""

    asked: Asked
    text: str


@cache
def replies(data: Path) -> list[Reply]:
    """All that are at hand."""
    found = [Reply(case.asked, case.reply) for case in [*load(), *load(limits=True)]]
    for path in sorted((data / "humans").glob("*.jsonl")):
        chance = random.Random(path.name)
        lines = chance.sample(path.read_text(encoding="utf-8").splitlines(), 1_500)
        for start in range(0, len(lines), 20):
            found += answered(chance, [json.loads(line) for line in lines[start : start + 20]])
    return found


def answered(chance: random.Random, records: list[dict[str, Any]]) -> Iterator[Reply]:
    """Replies to questions without a graph, each put in some form as one about a relation of a few such questions."""
    right = {record["question"]: list(dict.fromkeys(record["answers"])) for record in records}
    names = {question: answers[0] for question, answers in right.items()}
    labels = list(dict.fromkeys(names.values()))
    one = w.World(
        "[X]: [Y].", {question: [label] for question, label in names.items()}, {v[0]: v[1:] for v in right.values()}
    )
    several = w.World("[X]: [Y].", right)
    for record in records:
        question = record["question"]
        options = {names[question], *chance.choices(labels, k=3)}
        asked = [w.ask_object(one, question), w.ask_subject(one, names[question]), w.ask_object(several, question)]
        asked += [w.true_or_false(one, question, chance.choice(labels)), w.choose(one, question, *sorted(options))]
        yield Reply(chance.choice(asked), record["response"])


def mutated(data: Path, round_number: int) -> Iterator[Reply]:
    """The replies of a round; each was changed in up to three ways."""
    chance = random.Random(f"round {round_number}")
    known = replies(data)
    for asked, said in chance.choices(known, k=REPLIES):
        changes = chance.choices(MUTATIONS, k=chance.choice([1, 1, 2, 3]))
        text = reduce(lambda text, change: change(chance, text), changes, said)
        text = text if chance.random() < 0.8 else f"{text}{chance.choice(known).text}"
        yield Reply(asked, text[:LONGEST])


class Try(NamedTuple):
    """A reply with what grades it."""

    evaluator: Evaluator
    reply: Reply

    def grade(self) -> Grade:
        return self.evaluator.grade(self.reply.asked.question, w.response(self.reply.asked, self.reply.text))

    def seconds(self) -> float:
        start = time.thread_time()
        self.grade()
        return time.thread_time() - start


@cache
def built(name: str, at: int) -> Evaluator:
    return evaluators.get(name)(EntityIndex(ASKED[name][at].world.summary()))


def tries(reply: Reply) -> Iterator[Try]:
    for name, several in ASKED.items():
        yield from (Try(built(name, at), Reply(asked, reply.text)) for at, asked in enumerate(several))
    own = evaluators.get(reply.asked.question.question_type)(EntityIndex(reply.asked.world.summary()))
    yield Try(own, reply)
    from_elsewhere = replace(reply.asked.question, statement=None, shown="")
    yield Try(own, Reply(reply.asked._replace(question=from_elsewhere), reply.text))


@pytest.mark.parametrize("round_number", range(ROUNDS))
@pytest.mark.slow
def test_a_mutated_reply_is_graded(round_number: int, data: Path) -> None:
    took = []
    for reply in mutated(data, round_number):
        for one in tries(reply):
            start = time.thread_time()
            try:
                found = one.grade()
                took.append((time.thread_time() - start, one))
                msgspec.json.encode(found)
                if "llm_facteval" not in type(one.evaluator).__module__:
                    holds(one.reply.asked, found)
            except Exception as error:
                error.add_note(
                    f"{type(one.evaluator).__name__}, {one.reply.asked.question.question_id}: {reply.text!r}"
                )
                raise
    limit = PATIENCE * median(seconds for seconds, _ in took)
    slow = [one for seconds, one in took if seconds > limit]
    assert [ascii(one.reply.text) for one in slow if min(one.seconds() for _ in range(3)) > limit] == []
