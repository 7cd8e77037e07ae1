"""Speed of grading: answers a second on one core, growth with the answers and with the entities of the relation."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from factprobe.evaluators import grade
from factprobe.records import (
    Answer,
    Message,
    NodeSummary,
    ObjectNode,
    Question,
    Relation,
    RelationSummary,
    Response,
    SubjectNode,
)

SYLLABLES = [consonant + vowel for consonant in "bdklmnrstv" for vowel in "aeo"]
ASKED = 1_000
"""Facts that are asked about, however large the relation."""
SYSTEM = Message("system", "You fill the blank in a sentence. Reply with the missing words only, no explanation.")


def name(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables)).capitalize()


class World:
    """A relation of people and towns, a third of the towns with names of two words, each with an alias."""

    def __init__(self, entities: int) -> None:
        rng = random.Random(entities)
        self.towns = [name(rng, 3) + ("" if i % 3 else f" {name(rng, 2)}") for i in range(entities)]
        self.people = [f"{name(rng, 2)} {name(rng, 3)}" for _ in range(entities)]
        objects = {
            f"O{i}": ObjectNode(town, f"O{i}", [f"S{i}"], (f"{town}ville",)) for i, town in enumerate(self.towns)
        }
        subjects = {f"S{i}": SubjectNode(who, f"S{i}", [f"O{i}"]) for i, who in enumerate(self.people)}
        self.summary = RelationSummary(Relation("P1", "[X] was born in [Y]."), NodeSummary(objects, subjects))

    def answered(self, count: int) -> Iterator[tuple[Question, Response]]:
        """Questions with replies of ten shapes: the bare name, sentences, a refusal, wrong names."""
        rng = random.Random(0)
        for i in range(count):
            number = i % min(len(self.towns), ASKED)
            town, who, other = self.towns[number], self.people[number], rng.choice(self.towns)
            answer = Answer(f"O{number}", town, (f"{town}ville",))
            prompts = (SYSTEM, Message("user", f"Fill the blank: {who} was born in ____."))
            identity = f"S{number}:O{number}:P1:single_answer:ask_object"
            replies = (town, f"{town}.", f"{town}ville", f"{who} was born in {town}.", "I don't know", other)
            replies += (f"**{other}**", f"Answer: {town}", f"{other}, {name(rng, 3)}", name(rng, 4))
            reply = Response(identity, rng.choice(replies), "stop", None, None)
            yield Question(identity, "single_answer", prompts, (answer,), "P1", f"S{number}", f"O{number}"), reply

    def others(self, kind: str, count: int) -> Iterator[tuple[Question, Response]]:
        """Questions of another type with the replies that most models give."""
        rng = random.Random(0)
        for i in range(count):
            number = i % min(len(self.towns), ASKED)
            town, who, other = self.towns[number], self.people[number], rng.choice(self.towns)
            answer, before = Answer(f"O{number}", town, (f"{town}ville",)), self.towns[number - 1]
            if kind == "binary_answer":
                form, choices, told = (
                    "binary_correct",
                    (),
                    f"Statement: {who} was born in {town}.\nCorrect or incorrect?",
                )
                replies = (
                    "correct",
                    "Incorrect.",
                    "The statement is incorrect.",
                    "Yes",
                    f"No, {who} was born in {other}.",
                )
            elif kind == "multi_choices":
                form, choices = "multi_choices_obj", (other, town, self.towns[number - 1], self.towns[number - 2])
                told = f"Which option fills the blank?\n{who} was born in ____.\nA) {other}\nB) {town}"
                replies = ("B", f"B) {town}", town, f"The answer is B) {town}.", f"A) {other}")
            else:
                form, choices, told = (
                    "ask_object",
                    (),
                    f"List every answer that fills the blank: {who} was born in ____.",
                )
                replies = (
                    f"{town}, {other}",
                    f"{town} and {other}",
                    f"- {town}\n- {name(rng, 3)}",
                    "I don't know",
                    town,
                )
            identity = f"S{number}:O{number}:P1:{kind}:{form}"
            right = (
                "correct"
                if kind == "binary_answer"
                else (answer, Answer(f"O{(number - 1) % len(self.towns)}", before, (f"{before}ville",)))
            )
            right = (answer,) if kind == "multi_choices" else right
            question = Question(
                identity, kind, (SYSTEM, Message("user", told)), right, "P1", f"S{number}", f"O{number}", choices
            )
            yield question, Response(identity, rng.choice(replies), "stop", None, None)


def seconds(world: World, answered: list[tuple[Question, Response]], runs: int) -> tuple[float, float]:
    """The best processor times of several runs: of the index with the first grade, and of an answer after it."""
    count = len(answered)
    first, rest = [], []
    for _ in range(runs):
        grades = grade(answered, world.summary)
        times = [time.process_time()]
        next(grades)
        times.append(time.process_time())
        assert sum(1 for _ in grades) == count - 1
        times.append(time.process_time())
        first.append(times[1] - times[0])
        rest.append((times[2] - times[1]) / count)
    return min(first), min(rest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    index, base = seconds(small := World(1_000), list(small.answered(20_000)), runs)
    print(f"{1 / base:8,.0f} answers a second on one core, 1,000 entities in the relation; the index {index:5.3f} s")
    for count in (5_000, 80_000):
        ratio = seconds(small, list(small.answered(count)), runs)[1] / base
        print(f"{count:8,} answers    {ratio:5.2f} times the time of an answer among 20,000")
    for entities in (100, 10_000, 100_000):
        index, each = seconds(world := World(entities), list(world.answered(20_000)), runs)
        print(f"{entities:8,} entities   {each / base:5.2f} times the time of 1,000; the index {index:5.3f} s")
    for kind in ("binary_answer", "multi_choices", "multiple_answer"):
        print(f"{1 / seconds(small, list(small.others(kind, 20_000)), runs)[1]:8,.0f} answers a second of type {kind}")


if __name__ == "__main__":
    main()
