"""Measure how many grades each rule, word list, function and module of the grading decides.

Each is taken away in a process of its own: a rule leaves its evaluator's list; a word list of the language packs holds
only a word that no text has; a function returns its neutral value (False, None, nothing, or its first argument where
that has the type of the result); of a module all functions that other modules import do. The grades are compared with
those of the whole program on (a) the replies of `read.jsonl` and a seeded sample of the respondent's replies, whose
truth is known, (b) the cases of `tests/evaluators/replies`, (c) the true/false and list replies of (a), graded
without a graph, (d) replies that people judged, to the first half of the questions of each human set, and (e) the
replies of `found.jsonl` and the cases of `tests/evaluators/answers`, both without a graph. The models are not trained
again: what feeds a feature is measured with the weights that it was trained with.

WORK is the folder that `shared/respondent/run.sh` made. The graphs of `read.jsonl` are read from WORK/read/KG, where
`factprobe step=extract kg=KG output_dir=WORK/read/KG` puts them; replies about graphs that are not there are left out.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import inspect
import json
import os
import pickle
import pkgutil
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from factprobe.records import Question, RelationSummary, Response

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data"))
EVALUATORS = ("binary_answer", "multi_choices", "single_answer", "multiple_answer", "open_answer")
NO_GRAPH = ("binary_answer", "multiple_answer")
"""Question types that rules of their own grade where there is no graph."""
NO_WORD = "zqxzq"
"""A word that no reply has."""
PACKAGES = ("factprobe.evaluators", "factprobe.reading")
LEFT_OUT = ("judge", "llm_facteval", "language", "ranking", "grading", "rule_errors")
"""Modules that are no step of the grading."""
GROUPS = {"a": ("respondent", "read"), "b": ("cases",), "c": ("no_graph",), "d": ("human",), "e": ("found",)}
EMPTY: dict[str, Callable[[], Any]] = {
    "bool": lambda: False,
    "int": lambda: 0,
    "str": lambda: "",
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "Iterator": lambda: iter(()),
    "Collection": tuple,
    "Sequence": tuple,
    "Iterable": tuple,
}


class Reply(NamedTuple):
    """A reply with what is true of it."""

    group: str
    """`respondent`, `read`, `cases`, `no_graph`, `human` or `found`."""
    world: Any
    """Relation that it is about."""
    question: Question
    response: Response
    verdicts: frozenset[str]
    """The right verdicts."""
    counts: tuple[int, int] | None
    """True and false positives of a list; None where they are not known."""


class Found(NamedTuple):
    """Grade of a reply."""

    verdict: str
    counts: tuple[int, int] | None
    rule: str

    def agrees(self, reply: Reply) -> bool:
        """Return whether the verdict and the counts, where they are known, are those of the truth."""
        return self.verdict in reply.verdicts and (reply.counts is None or self.counts == reply.counts)


class Ablation(NamedTuple):
    """One thing to take away."""

    kind: str
    name: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="the folder of run.sh")
    parser.add_argument("--sample", type=int, default=4_000, help="replies of the respondent; 0 for all")
    parser.add_argument("--human", type=int, default=3_000, help="replies that people judged; 0 for all")
    parser.add_argument("--cases", type=int, default=0, help="cases of the tests; by default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", default=["rule", "list", "function", "module"])
    parser.add_argument("--only", nargs="+", help="names of what is taken away")
    parser.add_argument("--together", action="store_true", help="take away all that --only names at once")
    parser.add_argument("--output", type=Path, help="JSON Lines of the table")
    parser.add_argument("--agreement", action="store_true", help="only the agreement with the truth, by type")
    options = parser.parse_args()

    summaries, replies = load(options.work, options.sample, options.seed)
    tested = in_fork(cases)
    replies += in_fork(found_cases)
    replies += Random(options.seed).sample(tested, options.cases) if options.cases else tested
    replies += in_fork(lambda: human(options.human, options.seed))
    print(f"{len(replies):,} replies", file=sys.stderr)
    start = time.monotonic()
    base, lists, called, patterns = in_fork(lambda: measured_base(summaries, replies))
    keep_compiled(patterns)
    print(f"graded in {time.monotonic() - start:.1f} s", file=sys.stderr)
    show_agreement(replies, base)
    if options.agreement:
        return
    wanted = set(options.only or ())
    table: list[dict[str, Any]] = []
    todo = [Ablation("list", name) for name in lists] if "list" in options.kinds else []
    run(todo, wanted, options, summaries, replies, base, table)
    import_all()
    todo = [one for one in (*rules(), *functions(called), *modules()) if one.kind in options.kinds]
    run(todo, wanted, options, summaries, replies, base, table)
    print_table(table)


def run(
    todo: list[Ablation],
    wanted: set[str],
    options: argparse.Namespace,
    summaries: dict[Any, RelationSummary],
    replies: list[Reply],
    base: list[Found],
    table: list[dict[str, Any]],
) -> None:
    """Take away each, or all together, and add a row for each."""
    todo = [one for one in todo if not wanted or one.name in wanted]
    groups = [todo] if options.together else [[one] for one in todo]
    start = time.monotonic()
    for number, group in enumerate(filter(None, groups), start=1):
        found = in_fork(partial(without, group, summaries, replies))
        row: dict[str, Any] = {"name": " ".join(one.name for one in group), "kind": group[0].kind}
        row |= compared(replies, base, found) if found else {"error": True}
        table.append(row)
        if options.output:
            with options.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        if number % 10 == 0:
            each = (time.monotonic() - start) / number
            print(f"{number} of {len(groups)}, {each:.1f} s each: {row}", file=sys.stderr, flush=True)


def in_fork(work: Callable[[], Any]) -> Any:
    """Return what a function returns in a process of its own; None where that fails."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        gc.disable()
        try:
            data = pickle.dumps(work())
        except BaseException as error:
            print(f"failed: {type(error).__name__}: {error}", file=sys.stderr)
            data = pickle.dumps(None)
        with os.fdopen(writer, "wb") as out:
            out.write(data)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    os.waitpid(child, 0)
    return pickle.loads(data)


# Replies


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def load(work: Path, size: int, seed: int) -> tuple[dict[Any, RelationSummary], list[Reply]]:
    """Return the summaries by graph and relation, and the replies of the respondent and of `read.jsonl`."""
    truths = {(line["persona"], line["prompt"]): line for line in lines(work / "truth.jsonl")}
    replies = []
    for kg in sorted((work / "o").iterdir()):
        questions = {
            question.question_id: question
            for path in sorted(kg.glob("questions/*/*.jsonl"))
            for question in map(msgspec.json.Decoder(Question).decode, path.read_bytes().splitlines())
        }
        for path in sorted(kg.glob("responses/*/*/*.jsonl")):
            for response in map(msgspec.json.Decoder(Response).decode, path.read_bytes().splitlines()):
                if response.failed:
                    continue
                question = questions[response.question_id]
                truth = truths[path.parent.name.split("--")[-1], question.prompts[-1].content]
                verdicts = truth["truth"].replace("none", "unparsed").split("|")
                is_list = question.question_type == "multiple_answer" and truth["stance"] == "answer"
                counts = (truth["tp"], truth["fp"]) if is_list and truth["questions"] == 1 else None
                world = ("o", kg.name, question.relation)
                replies.append(Reply("respondent", world, question, response, frozenset(verdicts), counts))
    if size and size < len(replies):
        replies = Random(seed).sample(replies, size)
    for line in lines(DATA / "replies" / "read.jsonl"):
        question = msgspec.convert(line["question"], Question)
        response = Response(question.question_id, line["response"], line["finish_reason"], None, None)
        counts = (len(line["given"]), line["wrong"]) if "given" in line else None
        world = ("read", line["kg"], question.relation)
        replies.append(Reply("read", world, question, response, frozenset([line["verdict"]]), counts))
    summaries = {}
    for where, kg, relation in {reply.world for reply in replies}:
        path = work / where / kg / "triplets" / f"{relation}.summary.json"
        if path.exists():
            summaries[where, kg, relation] = msgspec.json.decode(path.read_bytes(), type=RelationSummary)
    missing = {reply.world[1:] for reply in replies if reply.world not in summaries}
    if missing:
        print(f"left out, because there is no graph: {sorted(missing)}", file=sys.stderr)
    replies = [reply for reply in replies if reply.world in summaries]
    return summaries, replies + [without_graph(reply) for reply in replies if reply.question.question_type in NO_GRAPH]


def without_graph(reply: Reply) -> Reply:
    """Return a reply to the same question as a user asks it, of which no graph knows anything."""
    statement = reply.question.statement
    bare = statement.text if statement else ""
    question = replace(reply.question, statement=None, shown="", denied=None, bare=bare)
    return reply._replace(group="no_graph", question=question, counts=None)


def cases() -> list[Reply]:
    """Return the cases of the tests; the world of each is its summary."""
    sys.path.insert(0, str(ROOT))
    from tests.evaluators.replies import load as load_cases
    from tests.evaluators.worlds import uri

    replies: list[Reply] = []
    worlds: dict[int, RelationSummary] = {}
    for case in load_cases():
        world = worlds.setdefault(id(case.asked.world), case.asked.world.summary())
        question = case.asked.question
        response = Response(question.question_id, case.reply, "stop", None, None)
        counts = (len({uri(name) for name in case.named}), case.wrong) if case.named is not None else None
        replies.append(Reply("cases", world, question, response, case.verdicts, counts))
    return replies


def human(size: int, seed: int) -> list[Reply]:
    """Return replies to the first half of the questions of each human set, with people's verdicts."""
    from agreement import asked, records

    right, wrong = frozenset(["correct"]), frozenset(["incorrect", "abstained", "unparsed"])
    replies = []
    for path in sorted((DATA / "humans").glob("*.jsonl")):
        for record in records(path, "first"):
            question, response = asked(record)
            question = replace(question, question_id=question.bare)
            verdicts = right if record["human"] == "correct" else wrong
            replies.append(Reply("human", None, question, response, verdicts, None))
    return Random(seed).sample(replies, size) if size and size < len(replies) else replies


def found_cases() -> list[Reply]:
    """Return the replies of `found.jsonl` and the cases of the tests without a graph."""
    sys.path.insert(0, str(ROOT))
    from factprobe.config import Columns
    from factprobe.inputs import SkippedRecords, read_answered
    from tests.evaluators import answers as answer_cases

    rows: list[tuple[Any, Any, frozenset[str]]] = [
        (record, "any", frozenset([record["right"]])) for record in lines(DATA / "replies" / "found.jsonl")
    ]
    for path in sorted(answer_cases.FOLDER.glob("*.jsonl")):
        rows += [(case.record, case.match, case.verdicts) for case in answer_cases.load(path)]
    replies = []
    for number, (record, match, verdicts) in enumerate(rows):
        [one] = read_answered([("record", record)], Columns(), match, SkippedRecords(strict=True), "the cases")
        question = replace(one.question, question_id=f"{number}")
        replies.append(Reply("found", None, question, one.response, verdicts, None))
    return replies


# Grading


def graded(summaries: dict[Any, RelationSummary], replies: list[Reply]) -> list[Found]:
    """Grade all replies with what is imported now."""
    from factprobe.evaluators.grading import Grader
    from factprobe.evaluators.rule_errors import RuleErrors

    faults = RuleErrors()
    graders: dict[Any, Grader] = {}
    found: list[Found] = []
    for reply in replies:
        key: Any = reply.world if isinstance(reply.world, tuple) else id(reply.world)
        key = reply.group if reply.group in ("no_graph", "human", "found") else key
        if key not in graders:
            names = {"single_answer": "open_answer"} if key in ("human", "found") else None
            summary = summaries.get(key) if isinstance(key, tuple) else None if key == reply.group else reply.world
            graders[key] = Grader(summary, names, None, faults)
        grade = graders[key].grade(reply.question, reply.response)
        is_list = reply.question.question_type == "multiple_answer"
        counts = (grade.true_positives, grade.false_positives) if is_list else None
        found.append(Found(grade.verdict, counts, grade.rule))
    return found


def measured_base(
    summaries: dict[Any, RelationSummary], replies: list[Reply]
) -> tuple[list[Found], list[str], set[str], list[tuple[str, int]]]:
    """Return the grades of the whole program, the lists, functions and patterns that it uses."""
    from factprobe.reading import language

    asked: dict[str, None] = {}
    find = language._values_of

    def listing(name: str) -> list[Any]:
        asked[name] = None
        return find(name)

    vars(language)["_values_of"] = listing
    compiled: dict[tuple[str, int], None] = {}
    compile_pattern = re.compile

    def compiling(pattern: Any, flags: int = 0) -> Any:
        if isinstance(pattern, str):
            compiled[pattern, int(flags)] = None
        return compile_pattern(pattern, flags)

    vars(re)["compile"] = compiling
    called: set[Any] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    found = graded(summaries, replies)
    sys.setprofile(None)
    return found, list(asked), {place(code) for code in called}, list(compiled)


def keep_compiled(patterns: list[tuple[str, int]]) -> None:
    """Compile all patterns once, for the processes that are forked from this one."""
    compile_pattern = re.compile
    compiled = {key: compile_pattern(*key) for key in patterns}
    vars(re)["compile"] = lambda pattern, flags=0: (
        (compiled.get((pattern, int(flags))) if isinstance(pattern, str) else None) or compile_pattern(pattern, flags)
    )


def place(code: Any) -> str:
    """Return where a function stands."""
    return f"{code.co_filename}:{code.co_firstlineno}"


def import_all() -> None:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not set(module.name.split(".")) & set(LEFT_OUT) - {"grading", "faults"}:
                importlib.import_module(module.name)


def without(group: list[Ablation], summaries: dict[Any, RelationSummary], replies: list[Reply]) -> list[Found]:
    """Grade without some things, in a process of its own."""
    take_away = {"list": without_list, "rule": without_rule, "function": without_function, "module": without_module}
    for kind, name in group:
        take_away[kind](name)
    return graded(summaries, replies)


# What is taken away


def without_list(name: str) -> None:
    """Empty a list; to be called before the modules are imported that ask for it."""
    from factprobe.reading import language

    find = language._values_of

    def emptied(asked: str) -> list[Any]:
        found = find(asked)
        if asked != name:
            return found
        return [dict.fromkeys(one, NO_WORD) if isinstance(one, dict) else NO_WORD for one in found]

    vars(language)["_values_of"] = emptied


def rules() -> Iterator[Ablation]:
    from factprobe.evaluators.base import Evaluator, evaluators

    for one in Evaluator.opening:
        yield Ablation("rule", f"opening/{one.decide.__name__}")
    for name in EVALUATORS:
        for one in evaluators.get(name).rules:
            yield Ablation("rule", f"{name}/{one.decide.__name__}")


def without_rule(name: str) -> None:
    from factprobe.evaluators.base import Evaluator, evaluators
    from factprobe.evaluators.rules.base import Rule

    owner, _, function = name.partition("/")
    cls = Evaluator if owner == "opening" else evaluators.get(owner)
    for attribute in dir(cls):  # `rules`, and the groups of an evaluator that decides by several
        found = getattr(cls, attribute)
        if isinstance(found, tuple) and found and all(isinstance(one, Rule) for one in found):
            setattr(cls, attribute, tuple(one for one in found if one.decide.__name__ != function))


def steps() -> Iterator[tuple[str, ModuleType, type | None, str, Any]]:
    """Yield the functions of the grading: the name, the module, the class if any, the attribute and the function."""
    for module in [*sys.modules.values()]:
        full = getattr(module, "__name__", "")
        if not full.startswith(PACKAGES) or set(full.split(".")) & set(LEFT_OUT):
            continue
        short = full.removeprefix("factprobe.")
        for attribute, value in [*vars(module).items()]:
            if getattr(value, "__module__", None) != full:
                continue
            if isinstance(value, type):
                for name, method in [*vars(value).items()]:
                    if function_of(method) and not name.startswith("__"):
                        yield f"{short}.{attribute}.{name}", module, value, name, method
            elif function_of(value):
                yield f"{short}.{attribute}", module, None, attribute, value


def function_of(value: Any) -> FunctionType | None:
    """Return the plain function in a function, a property or a cache."""
    value = getattr(value, "func", None) or getattr(value, "fget", None) or value
    value = inspect.unwrap(value) if callable(value) else value
    return value if isinstance(value, FunctionType) and value.__module__.startswith("factprobe") else None


def neutral(function: FunctionType, *, is_method: bool) -> Callable[..., Any] | None:
    """Return a function with the neutral result; None where there is none."""
    notes = function.__annotations__
    result = str(notes.get("return", ""))
    first = [*notes.items()][:1]
    if first and first[0][0] != "return" and first[0][1] == result and result != "bool":
        place = int(is_method)
        return lambda *given, **named: given[place] if len(given) > place else named[first[0][0]]
    if result.endswith("| None"):
        return lambda *_, **__: None
    make = EMPTY.get(result.partition("[")[0])
    return make and (lambda *_, **__: make())


def functions(called: set[str]) -> Iterator[Ablation]:
    for name, _, cls, _, value in steps():
        function = function_of(value)
        if function and is_called(function, called) and neutral(function, is_method=cls is not None):
            yield Ablation("function", name)


def is_called(function: FunctionType, called: set[str]) -> bool:
    return place(function.__code__) in called


def without_function(name: str) -> None:
    for found, _, cls, attribute, value in steps():
        if found == name:
            take_function_away(cls, attribute, value)


def take_function_away(cls: type | None, attribute: str, value: Any) -> None:
    function = function_of(value)
    by = neutral(function, is_method=cls is not None) if function else None
    if by is None:
        return
    if cls is None:
        for module in [*sys.modules.values()]:
            if getattr(module, "__name__", "").startswith("factprobe"):
                for name, held in [*vars(module).items()]:
                    if held is value:
                        setattr(module, name, by)
    elif isinstance(value, FunctionType):
        setattr(cls, attribute, by)
    elif isinstance(value, staticmethod | classmethod):
        setattr(cls, attribute, staticmethod(by))
    else:
        setattr(cls, attribute, property(by))


def modules() -> Iterator[Ablation]:
    names = {name: module for name, module, cls, _, value in steps() if is_imported(module, cls, value)}
    yield from (Ablation("module", name) for name in dict.fromkeys(module.__name__ for module in names.values()))


def is_imported(module: ModuleType, cls: type | None, value: Any) -> bool:
    """Return whether another module imports a function of a module."""
    others = [m for m in sys.modules.values() if getattr(m, "__name__", "").startswith("factprobe") and m is not module]
    return cls is None and any(held is value for other in others for held in vars(other).values())


def without_module(name: str) -> None:
    for _, module, cls, attribute, value in [*steps()]:
        if module.__name__ == name and is_imported(module, cls, value):
            take_function_away(cls, attribute, value)


# Results


def compared(replies: list[Reply], base: list[Found], found: list[Found]) -> dict[str, Any]:
    """Count the replies whose grade changes, and those that lose or gain agreement with the truth."""
    row: dict[str, Any] = {}
    for name, groups in GROUPS.items():
        pairs = [trio for trio in zip(replies, base, found, strict=True) if trio[0].group in groups]
        changed = [trio for trio in pairs if trio[1][:2] != trio[2][:2]]
        row[f"{name}_replies"] = len(pairs)
        row[f"{name}_changed"] = len(changed)
        row[f"{name}_lost"] = sum(old.agrees(reply) and not new.agrees(reply) for reply, old, new in changed)
        row[f"{name}_gained"] = sum(new.agrees(reply) and not old.agrees(reply) for reply, old, new in changed)
    row["errors"] = sum(new.rule == "rule_error" for new in found)
    return row


def show_agreement(replies: list[Reply], found: list[Found]) -> None:
    """Print the agreement with the truth by group and type."""
    groups = defaultdict(list)
    for reply, one in zip(replies, found, strict=True):
        for kind in (reply.question.question_type, "all"):
            groups[reply.group, kind].append((reply, one))
    print("| replies | type | n | verdict | right or not | with counts |\n|---|---|---|---|---|---|")
    for (group, kind), pairs in sorted(groups.items()):
        verdict = sum(one.verdict in reply.verdicts for reply, one in pairs) / len(pairs)
        right = sum(is_right_or_not(reply, one) for reply, one in pairs)
        counts = sum(one.agrees(reply) for reply, one in pairs) / len(pairs)
        print(f"| {group} | {kind} | {len(pairs):,} | {verdict:.4%} | {right / len(pairs):.4%} | {counts:.4%} |")


def is_right_or_not(reply: Reply, found: Found) -> bool:
    """Return whether the grade calls right what is right, and nothing else."""
    return found.verdict in reply.verdicts or ("correct" in reply.verdicts) == (found.verdict == "correct")


def print_table(table: list[dict[str, Any]]) -> None:
    """Print the table as Markdown, most changes first."""
    heads = "".join(f" changes on ({group}) | lost | gained |" for group in GROUPS)
    print(f"\n| name | kind |{heads} errors |\n{'|---' * (3 + 3 * len(GROUPS))}|")
    for row in sorted(table, key=lambda row: -row.get("a_changed", 1 << 30)):
        if "error" in row:
            print(f"| {row['name']} | {row['kind']} | cannot be taken away | | | | | | |")
            continue
        share = row["a_changed"] / row["a_replies"]
        numbers = (row[f"{group}_{what}"] for group in GROUPS for what in ("changed", "lost", "gained"))
        counts = " | ".join(map(str, [*[*numbers][1:], row["errors"]]))
        print(f"| {row['name']} | {row['kind']} | {share:.2%} | {counts} |")


if __name__ == "__main__":
    main()
