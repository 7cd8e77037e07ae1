"""Export of exams as tasks or data sets of other tools: inspect_ai, lm-evaluation-harness, Hugging Face datasets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from factprobe.records import Question
from factprobe.storage import whole_file, write_lines

DATA = "exam.jsonl"
"""Name of the file of questions."""
_FILES = {"inspect": ("exam.py",), "lm_eval": ("factprobe_{kg}.yaml", "utils.py"), "hf": ("README.md",)}
"""Names of the other files of each format."""

_INSPECT_TASK = '''"""Exam of factprobe for inspect_ai: inspect eval exam.py --model openai/gpt-4o-mini."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.solver import generate

from factprobe.integrations.inspect_ai import answer_scorer


@task
def exam() -> Task:
    questions = json_dataset(str(Path(__file__).with_name("{data}")), name={name!r})
    return Task(dataset=questions, solver=generate(), scorer=answer_scorer())
'''
_LM_EVAL_TASK = """# Exam of factprobe: lm_eval --include_path FOLDER --tasks {task} --model hf ...
task: {task}
custom_dataset: !function utils.load
test_split: test
output_type: generate_until
doc_to_text: prompt
doc_to_target: "{{{{ answers | map('first') | join('; ') }}}}"
process_results: !function utils.grade
generation_kwargs:
  until: []
  max_gen_toks: 256
  do_sample: false
metric_list:
  - metric: factprobe_acc
    aggregation: mean
    higher_is_better: true
  - metric: factprobe_abstained
    aggregation: mean
    higher_is_better: false
metadata:
  version: 1.0
"""
_LM_EVAL_UTILS = '''"""Data and metric of the exam."""

from pathlib import Path

import datasets

from factprobe.integrations.lm_eval import grade  # noqa: F401  # the task names it


def load(**_: object) -> dict[str, datasets.Dataset]:
    """Return the questions of the exam."""
    path = str(Path(__file__).with_name("{data}"))
    return {{"test": datasets.load_dataset("json", data_files=path, split="train")}}
'''
_CARD = """---
pretty_name: {name}
task_categories:
- question-answering
size_categories:
- {size}
configs:
- config_name: default
  data_files:
  - split: test
    path: {data}
---

# {name}

Questions that factprobe made from the facts of the knowledge graph {kg}: {counts}.

| field | content |
|---|---|
| `id` | id of the question: subject, object, relation, question type and form |
| `question` | text of the last message |
| `messages` | chat messages with `role` and `content` |
| `prompt` | the messages as one text |
| `answers` | right answers, each a list of its names; `correct` or `incorrect` for `binary_answer` |
| `choices` | options of `multi_choices` |
| `question_type` | `binary_answer`, `multi_choices`, `single_answer` or `multiple_answer` |
| `relation` | id of the relation in the graph |

The facts and their licence are those of the graph. `factprobe.grade_answers` grades replies in a column `response`.
"""
_STEPS = ("1K", "10K", "100K", "1M", "10M", "100M")
"""Ends of the size categories of a dataset card on the Hugging Face Hub, each ten times the one before."""


def _size_category(rows: int) -> str:
    """Return the size category of a dataset with this number of rows, as dataset cards have it: `1K<n<10K`."""
    place = max(len(str(rows)) - 3, 0)
    return f"{_STEPS[place - 1]}<n<{_STEPS[place]}" if place else f"n<{_STEPS[0]}"


def exam_files(format_: str, kg: str) -> tuple[str, ...]:
    """Return the names of the files of an exam in a format."""
    return (*(name.format(kg=kg) for name in _FILES[format_]), DATA)


def exam_rows(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield the questions as rows that `factprobe.grade_answers` reads; count others by reason in `left_out`."""
    for question in questions:
        if not question.answers:
            left_out["have no right answer"] += 1
        elif question.cloze:
            left_out["rank statements by likelihood"] += 1
        else:
            yield _question_row(question)


def _question_row(question: Question) -> dict[str, Any]:
    messages = [{"role": message.role, "content": message.content} for message in question.prompts]
    return {
        "id": question.question_id,
        "question": messages[-1]["content"],
        "messages": messages,
        "prompt": "\n\n".join(message["content"] for message in messages),
        "answers": _answer_names(question),
        "choices": list(question.choices),
        "question_type": question.question_type,
        "relation": question.relation,
    }


def _answer_names(question: Question) -> list[list[str]]:
    """Return the names of each right answer; for a question with options, only the text of the option."""
    if isinstance(question.answers, str):
        return [[question.answers]]
    return [[answer.label, *(() if question.choices else answer.aliases)] for answer in question.answers]


def write_inspect(folder: Path, kg: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write a task of inspect_ai (`exam.py`) and its samples, and return the number of samples.

    All right answers of a `multiple_answer` question are required; the scorer reads them from the sample's metadata.
    """
    with whole_file(folder / "exam.py") as file:
        file.write(_INSPECT_TASK.format(data=DATA, name=kg).encode())
    return write_lines(folder / DATA, map(_inspect_sample, rows))


def _inspect_sample(row: Mapping[str, Any]) -> dict[str, Any]:
    record = {name: row[name] for name in ("question", "answers", "choices", "question_type")}
    return {
        "id": row["id"],
        "input": row["messages"],
        "target": [names[0] for names in row["answers"]],
        "metadata": {"relation": row["relation"], "factprobe": record},
    }


def write_lm_eval(folder: Path, kg: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write a task of lm-evaluation-harness that factprobe grades, and its data; return the number of documents."""
    task = f"factprobe_{kg}"
    files = {f"{task}.yaml": _LM_EVAL_TASK.format(task=task), "utils.py": _LM_EVAL_UTILS.format(data=DATA)}
    for name, text in files.items():
        with whole_file(folder / name) as file:
            file.write(text.encode())
    return write_lines(folder / DATA, rows)


def write_hf(folder: Path, kg: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write a folder that `datasets.load_dataset` reads, with a dataset card, and return the number of rows."""
    types: Counter[str] = Counter()

    def count_types() -> Iterator[Mapping[str, Any]]:
        for row in rows:
            types[row["question_type"]] += 1
            yield row

    total = write_lines(folder / DATA, count_types())
    counts = ", ".join(f"{count:,} of the type `{name}`" for name, count in types.items())
    size = _size_category(total)
    with whole_file(folder / "README.md") as file:
        card = _CARD.format(name=f"{kg} exam", kg=kg, counts=counts or "none", size=size, data=DATA)
        file.write(card.encode())
    return total


EXAM_WRITERS: dict[str, Callable[[Path, str, Iterable[Mapping[str, Any]]], int]] = {
    "inspect": write_inspect,
    "lm_eval": write_lm_eval,
    "hf": write_hf,
}
"""Function that writes an exam into a folder, for each format."""
