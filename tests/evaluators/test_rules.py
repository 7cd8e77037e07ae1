"""Invariants of all rules, and their tables in the docs."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import factprobe.evaluators
from factprobe.evaluators import Evaluator, Judgment, Rule, evaluators, rule
from factprobe.evaluators.answered_questions import _FOUND_NONE
from factprobe.evaluators.judge import JUDGED, UNSURE
from factprobe.evaluators.ranking import has_rank
from factprobe.evaluators.rules.shared import CUT_OFF, OUTDATED
from factprobe.reading.names.index import EntityIndex
from factprobe.records import VERDICTS
from tests.command_line import ROOT
from tests.evaluators import worlds as w
from tests.tables import for_each_row

LADDERS: dict[str, tuple[Rule, ...]] = {
    "Every response": Evaluator.opening,
    "True or false": evaluators.get("binary_answer").rules,
    "Options": evaluators.get("multi_choices").rules,
    "One answer in words": evaluators.get("single_answer").rules,
    "One answer in words, without a graph": evaluators.get("open_answer").rules,
    "A set of answers in words": evaluators.get("multiple_answer").rules,
    "A ranking": (has_rank,),
}
"""The rules of each table, in the order in which they are asked."""
RULES = list({id(one): one for rules in LADDERS.values() for one in rules}.values())


def table(title: str, rules: tuple[Rule, ...]) -> list[str]:
    rows = [f"| `{one.name}` | {', '.join(one.verdicts)} | {one.says} |" for one in rules]
    return [f"## {title}", "", "| rule | verdict | the reply … |", "|---|---|---|", *rows, ""]


def test_the_tables_of_rules_are_made_of_the_rules() -> None:
    """Put what the failure shows between the two comments."""
    expected = [line for title, rules in LADDERS.items() for line in table(title, rules)]
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    found = re.search(r"^<!-- rules -->\n\n(.*?)^<!-- /rules -->$", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    assert found[1].splitlines() == expected, "\n".join(expected)


@for_each_row("one", RULES)
def test_a_rule_says_what_the_reply_does_and_which_verdicts_it_gives(one: Rule) -> None:
    assert one.says[0].isupper()
    assert one.says[-1] == "."
    assert one.verdicts
    assert set(one.verdicts) <= set(VERDICTS)


def all_rules() -> list[Rule]:
    """Return the rules of all evaluators that factprobe registers, those of several evaluators repeatedly."""
    classes = [evaluators.get(name) for name in evaluators.names()]
    own = [cls for cls in classes if cls.__module__.startswith("factprobe.")]  # other tests register some, too
    return [one for cls in own for one in (*cls.opening, *cls.rules)]


def test_each_id_belongs_to_one_rule_and_each_rule_has_one_id() -> None:
    ids, functions = defaultdict(set), defaultdict(set)
    for one in all_rules():
        ids[one.decide].add(one.name)
        functions[one.name].add(one.decide)
    assert [found for found in ids.values() if len(found) > 1] == []
    assert {name: found for name, found in functions.items() if len(found) > 1} == {}


PREFIXES = {"response", "true_false", "options", "single", "reference", "set", "ranked"}


def test_an_id_begins_with_the_question_type() -> None:
    names = {one.name for one in all_rules()}
    assert [name for name in names if not re.fullmatch(r"[a-z_]+\.[a-z_]+", name)] == []
    assert {name.partition(".")[0] for name in names} == PREFIXES


def test_lists_of_rule_ids_name_rules() -> None:
    names = {one.name for one in all_rules()}
    assert {*JUDGED} - {*VERDICTS, UNSURE} < names
    assert {*_FOUND_NONE, *OUTDATED, CUT_OFF} < names


PROMPT_READERS = {"judge.py", "llm_facteval.py"}
"""A model judges what was asked in the words that it was asked in; LLM-facteval is defined so."""
MODULES = {
    str(path.relative_to(base)): path
    for base in [Path(factprobe.evaluators.__file__).parent]
    for path in sorted(base.rglob("*.py"))
}


@for_each_row("name", sorted(MODULES.keys() - PROMPT_READERS))
def test_no_rule_reads_a_prompt(name: str) -> None:
    code = MODULES[name].read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(code)) if "prompts" in code or "content" in code else ()
    assert not any(isinstance(node, ast.Attribute) and node.attr in ("prompts", "content") for node in nodes)


ULM = w.ask_object(w.BORN, "Albert Einstein")


@rule("shout", "incorrect")
def shouts(reading: object, _: object) -> Judgment | None:
    """Shouts."""
    return Judgment("incorrect", wrong=1) if getattr(reading, "reply", "").isupper() else None


@rule("short", "unparsed", "correct")
def is_short(reading: object, _: object) -> Judgment | None:
    """Is short, and says nothing of its own name."""
    return Judgment("unparsed", "very_short") if len(getattr(reading, "reply", "")) < 5 else None


class Ladder(Evaluator):
    """Two rules."""

    rules = (shouts, is_short)


@for_each_row(
    ("reply", "name"),
    [("ULM", "shout"), ("Ulm", "very_short"), ("In Ulm", "no_rule"), ("", "response.empty"), ("...", "very_short")],
)
def test_the_first_rule_that_bears_on_a_reply_decides(reply: str, name: str) -> None:
    assert Ladder(EntityIndex()).grade(ULM.question, w.response(ULM, reply)).rule == name


def test_rules_apply_under_their_condition_only() -> None:
    def is_upper(reading: object) -> bool:
        return getattr(reading, "reply", "").isupper()

    @rule("quiet", "correct", when=is_upper)
    def never(_: object, __: object) -> Judgment | None:
        """Never is."""
        return None

    @rule("loud", "incorrect", when=is_upper)
    def is_loud(_: object, __: object) -> Judgment | None:
        """Is loud."""
        return Judgment("incorrect", wrong=1)

    class Loud(Evaluator):
        """Two rules with a condition before two without, and one with it again."""

        rules = (never, is_loud, shouts, is_short, is_loud)

    loud = Loud(EntityIndex())
    replies = ("ULM", "Ulm", "In Ulm")
    names = [loud.grade(ULM.question, w.response(ULM, text)).rule for text in replies]
    assert names == ["loud", "very_short", "no_rule"]
    readings = [Loud.reading_type(EntityIndex(), ULM.question, text) for text in replies]
    assert [is_loud(reading, ULM.question) is not None for reading in readings] == [True, False, False]


class Own(Ladder):
    """A judge of its own before the rules."""

    def judge(self, question: object, reply: str) -> Judgment:
        return Judgment("correct", "own") if reply == "ULM" else super().judge(question, reply)  # type: ignore[arg-type]


def test_a_subclass_may_judge_itself_and_ask_the_rules() -> None:
    own = Own(EntityIndex())
    assert [own.grade(ULM.question, w.response(ULM, text)).rule for text in ("ULM", "NO", "Ulm")] == [
        "own",
        "shout",
        "very_short",
    ]


def test_a_rule_is_asked_like_the_function_that_it_is_made_of() -> None:
    reading = Ladder.reading_type(EntityIndex(), ULM.question, "ULM")
    assert shouts(reading, ULM.question) == Judgment("incorrect", wrong=1)
    assert is_short(reading, ULM.question) is not None
