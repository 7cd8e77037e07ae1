"""Questions with replies of the shapes that models give, about names that are published: what `grading.py` times."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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
from factprobe.templating import Template

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data"))
BUNDLED = ROOT / "kgs"
KINDS = ("single_answer", "multiple_answer", "binary_answer", "multi_choices")
SET = 3
"""Right answers of a question that has several."""
RELATION = Relation("P1", "[X] was born in [Y].")
SYSTEM = {
    "single_answer": "You fill the blank in a sentence. Reply with the missing words only, no explanation.",
    "multiple_answer": "You list everything that fills the blank in a sentence. Reply with the answers only.",
    "binary_answer": 'You check statements of fact. Reply with a single word, "correct" or "incorrect".',
    "multi_choices": "You answer multiple-choice questions. Reply with the letter and the text of one option.",
}
SINGLE = (
    ("{right}",),
    ("{right}.",),
    ("{who} was born in {right}.", "The answer is {right}."),
    (
        "{who} was born in {right}, where the family had lived for generations, and later moved to {other}.",
        "The answer is {right}. It is known for its long history and is often mentioned together with {other}.",
    ),
    (
        "I don't know",
        "I'm not sure where {who} was born.",
        "I'm sorry, but I do not have reliable information about the birthplace of {who}.",
    ),
    ("{slip}", "{slip}.", "{who} was born in {slip}."),
    ("I think it was {right}, but I'm not certain.", "Probably {right}.", "It might be {other}, though I am not sure."),
    ("{other}", "{who} was born in {other}."),
    ("{other}. No, wait, it is {right}.", "{other} – sorry, I meant {right}."),
    ("**{right}**", "- {other}\n- {third}", "Answer: **{right}**", "{other}, {third}"),
)
"""The ten shapes of a reply to a question with one answer, each in some wordings; all shapes are as frequent."""
MULTIPLE = (
    ("{right}, {right2}, {right3}", "{right}, {right2} and {right3}"),
    ("{right}, {right2}, {right3}.",),
    ("{right}, {other}", "{right} and {other}"),
    ("- {right}\n- {right2}\n- {right3}", "1. {right}\n2. {right2}\n3. {unknown}"),
    ("I don't know", "I'm sorry, but I do not have reliable information about {who}."),
    ("{right}, {slip}, {right3}", "{slip}"),
    ("I think {right} and {right2}, but I'm not certain.", "Probably {right}."),
    ("{other}", "{other}, {third}"),
    ("{other}, {right2}. No, wait, {right} and {right2}.", "{right}, {right2}, and possibly {unknown}"),
    ("**{right}**, **{right2}**, **{right3}**", "* **{right}**: well known\n* **{other}**: less so"),
)
BINARY = (
    ("correct", "incorrect"),
    ("Correct.", "Incorrect."),
    ("The statement is correct.", "This statement is incorrect."),
    ("Incorrect. {who} was born in {other}, not in {right}.", "Correct. {who} was indeed born in {right}."),
    ("I don't know", "I cannot verify where {who} was born."),
    ("corect", "Incorect."),
    ("Probably correct, but I'm not certain.", "I believe that it is incorrect."),
    ("No, {who} was born in {other}.", "{who} was born in {other}."),
    ("Correct. No, wait, it is incorrect.",),
    ("**Incorrect**", "Answer: **correct**"),
)
CHOICES = (
    ("{letter}", "{right}"),
    ("{letter}.", "{right}."),
    ("The answer is {letter}) {right}.", "{who} was born in {right}."),
    ("{letter}) {right}. It is not {other}, where the family only moved later.",),
    ("I don't know", "None of the options is right."),
    ("{slip}", "{letter}) {slip}"),
    ("I think it is {letter}) {right}, but I'm not certain.", "Probably {right}."),
    ("{wrong}) {other}", "{other}"),
    ("{wrong}) {other}. No, wait, {letter}) {right}.",),
    ("**{letter}) {right}**", "- {letter}"),
)
_MIDDLE = 0.2
"""Share of the names that are made which have a name in the middle."""
SHAPES = dict(zip(KINDS, (SINGLE, MULTIPLE, BINARY, CHOICES), strict=True))


class Name(NamedTuple):
    """A name with its aliases."""

    label: str
    aliases: tuple[str, ...] = ()


def published() -> list[Name]:
    """The people, places and works of LAMA's T-REx and Google-RE and of BEAR, where they lie, else of the graphs here.

    In an order that hangs on nothing but the names.
    """
    folders = (PUBLISHED / "lama" / "TREx", PUBLISHED / "lama" / "Google_RE", PUBLISHED / "bear")
    if not all(folder.is_dir() for folder in folders):
        folders = (BUNDLED / "trex", BUNDLED / "google_re", BUNDLED / "bear")
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.jsonl") if path.stem != "relations"):
        for line in path.read_text(encoding="utf-8").splitlines():
            fact = json.loads(line)
            for end in ("sub", "obj"):
                label = fact.get(f"{end}_label") or fact.get(end)
                if label and not any(c.isdigit() for c in label):
                    aliases = tuple(fact.get(f"{end}_aliases") or ())
                    found[label] = found.get(label) or tuple(dict.fromkeys(a for a in aliases if a and a != label))
    names = [Name(label, found[label]) for label in sorted(found)]
    random.Random(0).shuffle(names)
    return names


def names(count: int) -> list[Name]:
    """As many names: those that are published, then the beginnings of some with the endings of others."""
    found = published()[:count]
    parts = [name.label.rsplit(" ", 1) for name in found if " " in name.label]
    rng, taken = random.Random(count), {name.label for name in found}
    while len(found) < count:
        middle = f"{rng.choice(parts)[0]} " if rng.random() < _MIDDLE else ""
        label = f"{rng.choice(parts)[0]} {middle}{rng.choice(parts)[1]}"
        if label not in taken:
            taken.add(label)
            found.append(Name(label))
    return found


def slip(rng: random.Random, name: str) -> str:
    """A name as it is misspelt: two letters exchanged, one left out, doubled or taken for another."""
    at = rng.randrange(1, max(len(name) - 1, 2))
    letter = rng.choice("aeinrst")
    before, here, behind = name[:at], name[at : at + 1], name[at + 1 :]
    exchanged = f"{behind[:1]}{here}{behind[1:]}"
    return before + rng.choice((exchanged, behind, here + here + behind, letter + behind))


class World:
    """A relation in which each of the subjects has one object, or some of them.

    Args:
        objects: what is asked for.
        subjects: what it is asked of, as many.
        each: how many objects a subject has.
    """

    def __init__(self, objects: Sequence[Name], subjects: Sequence[Name], each: int = 1) -> None:
        self.objects, self.subjects, self.each = objects, subjects, each
        count = len(objects)

        def around(i: int, side: str, step: int) -> list[str]:
            return [f"{side}{(i + k * step) % count}" for k in range(each)]

        self.summary = RelationSummary(
            RELATION,
            NodeSummary(
                {
                    f"O{i}": ObjectNode(name.label, f"O{i}", around(i, "S", -1), name.aliases)
                    for i, name in enumerate(objects)
                },
                {
                    f"S{i}": SubjectNode(name.label, f"S{i}", around(i, "O", 1), name.aliases)
                    for i, name in enumerate(subjects)
                },
            ),
        )

    def answered(self, kind: str, count: int) -> Iterator[tuple[Question, Response]]:
        """A question of a type about each of the first subjects, as many as are wanted, with a reply."""
        rng = random.Random(kind)
        template = Template(RELATION, "the benchmark")
        for i in range(count):
            right = [Answer(f"O{k}", *self.objects[k]) for k in ((i + k) % len(self.objects) for k in range(self.each))]
            others = [rng.choice(self.objects).label for _ in range(3)]
            who, shown = self.subjects[i].label, rng.choice((right[0].label, others[0]))
            choices = tuple(rng.sample((right[0].label, *others), 4)) if kind == "multi_choices" else ()
            is_true = shown == right[0].label
            form = {"binary_answer": "binary_correct" if is_true else "binary_obj_incorrect"}.get(kind, "ask_object")
            form = "multi_choices_obj" if choices else form
            statement = template.fill(who, shown) if kind == "binary_answer" else template.fill(who, "____", "object")
            told = "".join(f"\n{'ABCD'[n]}) {choice}" for n, choice in enumerate(choices))
            identity = f"S{i}:O{i}:P1:{kind}:{form}"
            reply = rng.choice(rng.choice(SHAPES[kind])).format(
                who=who,
                right=right[0].label,
                right2=right[-2 % len(right)].label,
                right3=right[-1].label,
                other=others[0],
                third=others[1],
                unknown=slip(rng, others[2][::-1].capitalize()),
                slip=slip(rng, right[0].label),
                letter="ABCD"[choices.index(right[0].label)] if choices else "",
                wrong="ABCD"[choices.index(others[0])] if choices else "",
            )
            question = Question(
                identity,
                kind,
                (Message("system", SYSTEM[kind]), Message("user", f"{statement.text}{told}")),
                ("correct" if is_true else "incorrect") if kind == "binary_answer" else tuple(right),
                RELATION.relation,
                f"S{i}",
                f"O{i}",
                choices,
                statement=statement,
                shown="" if kind != "binary_answer" else f"O{i}" if is_true else "",
            )
            yield question, Response(identity, reply, "stop", None, None)


def worlds(asked: int, entities: int, each: int = 1) -> Iterator[World]:
    """Relations of so many entities a side, as many as there are questions for, each about one of its subjects."""
    count = max(asked, entities)
    every = names(2 * count)
    objects, subjects = every[:count], every[count:]
    for start in range(0, asked, entities):
        end = start + entities
        yield World(objects[start:end], subjects[start:end], each)
