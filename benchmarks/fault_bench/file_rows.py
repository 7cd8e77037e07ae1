"""The rows about files that someone broke, changed or wrote: each run says so or makes them anew, and ends well."""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from speed import ROOT

from fault_bench.attempt import EXAM, Attempt, hold, records
from tests.growth import FEW

_RUN = [*EXAM, "model=scripted"]
_DEEP = b"[" * 50_000


def _line(change: Callable[[Random, bytes], bytes]) -> Callable[[Random, bytes], bytes]:
    """A change of one line."""

    def changed(draw: Random, content: bytes) -> bytes:
        lines = content.splitlines(keepends=True) or [b"\n"]
        number = draw.randrange(len(lines))
        lines[number] = change(draw, lines[number])
        return b"".join(lines)

    return changed


def _flipped(draw: Random, content: bytes) -> bytes:
    """With a few other bytes."""
    found = bytearray(content)
    for _ in range(draw.randint(1, 5)):
        if found:
            found[draw.randrange(len(found))] = draw.randrange(256)
    return bytes(found)


_CHANGES: dict[str, Callable[[Random, bytes], bytes]] = {
    "cut off": lambda draw, content: content[: draw.randrange(len(content) or 1)],
    "empty": lambda *_: b"",
    "other bytes": _flipped,
    "a line twice": _line(lambda _, line: line + line),
    "a line less": _line(lambda *_: b""),
    "a broken line": _line(lambda _, line: line[: len(line) // 2] + b"\n"),
    "a list": _line(lambda *_: b"[1, 2]\n"),
    "null": _line(lambda *_: b"null\n"),
    "a deep line": _line(lambda *_: _DEEP + b"\n"),
    "a deep value": _line(lambda *_: b'{"question_id": ' + _DEEP + b"\n"),
    "a number too large": _line(lambda _, line: line.replace(b"1", b"1" + b"9" * 400)),
    "no UTF-8": _line(lambda _, line: b"\xff\xfe" + line),
    "UTF-16": lambda _, content: content.decode().encode("utf-16"),
    "byte-order mark and CRLF": lambda _, content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
    "NaN": _line(lambda _, line: line.replace(b"null", b"NaN").replace(b'"Paris"', b"NaN")),
    "byte-order marks": lambda _, content: b"\xef\xbb\xbf" * 2 + content.replace(b"\n", b"\n\xef\xbb\xbf"),
    "a long blank line": _line(lambda _, line: line + b" " * 1_000_000 + b"\n"),
    "NULs": lambda _, content: content + bytes(4096),
    "another thing": lambda draw, _: b"PK\x03\x04" + draw.randbytes(3000),
}


def _change(attempt: Attempt, path: Path) -> None:
    path.write_bytes(_CHANGES[attempt.random.choice(list(_CHANGES))](attempt.random, path.read_bytes()))


def _broken(pattern: str) -> Callable[[Attempt], None]:
    """The row of a file of a finished run: each step ends well or names the file; without it, all is made anew."""

    def play(attempt: Attempt) -> None:
        attempt.copy_exam()
        path = attempt.random.choice(sorted(attempt.root.glob(pattern)))
        _change(attempt, path)
        for step in attempt.random.sample(("generate", "answer", "evaluate", "report", "compare"), 2):
            attempt.run(f"step={step}", *_RUN)
        ended = attempt.run("step=all", *_RUN, codes=(0, 2))
        if ended.code:
            hold(path.name in ended.last, f"{path.name} is broken, and the last line is {ended.last}")
            path.unlink()
            attempt.run("step=all", *_RUN, codes=(0,))
        attempt.check_answered("scripted")

    return play


def _data(attempt: Attempt) -> None:
    """The graph's own data."""
    data = attempt.folder / "data"
    shutil.copytree(ROOT / "kgs" / "trex", data)
    _change(attempt, attempt.random.choice([data / "P36.jsonl", data / "relations.jsonl"]))
    for strict in ("false", "true"):
        ended = attempt.run("step=all", *_RUN, f"kg.data_dir={data}", f"strict={strict}", codes=(0, 2))
        named = "data/" in ended.last or "unknown relation" in ended.last
        hold(not ended.code or named, f"the last line is {ended.last}")


def _nothing(attempt: Attempt) -> None:
    """A graph in which there is no fact."""
    data = attempt.folder / "data"
    shutil.copytree(ROOT / "kgs" / "trex", data)
    (data / "P36.jsonl").write_bytes(b"")
    attempt.run("step=all", *_RUN, f"kg.data_dir={data}", codes=(2,))


def _without_questions(attempt: Attempt) -> None:
    """An exam with a relation that has no question is an exam."""
    changes = ("relations=[P36,P527,P47]", "generator.question_types=[single_answer]")
    attempt.run("step=all", "kg=trex", "model=scripted", *changes, codes=(0,))


def _many_relations(attempt: Attempt) -> None:
    """Thousands of relations without data: one short line."""
    data = attempt.folder / "data"
    data.mkdir()
    [known] = [line for line in (ROOT / "kgs/trex/relations.jsonl").read_text().splitlines() if '"P36"' in line]
    shutil.copy(ROOT / "kgs/trex/P36.jsonl", data)
    others = (known.replace('"P36"', f'"P{number}"') for number in range(100_000, 103_000))
    (data / "relations.jsonl").write_text("\n".join([known, *others]) + "\n")
    attempt.run("step=extract", "kg=trex", f"kg.data_dir={data}", codes=(0,))


def _from_elsewhere(attempt: Attempt) -> None:
    """Questions and responses that someone wrote to the contract, without hashes, are graded as they are."""
    attempt.copy_exam("triplets", "questions", "responses", "manifest.json")
    path = attempt.root / "responses/template/scripted/P36.jsonl"
    kept = [{"question_id": one["question_id"], "response": one["response"]} for one in records(path)]
    attempt.random.shuffle(kept)
    mine = attempt.root / "responses/template/mine/P36.jsonl"
    mine.parent.mkdir()
    mine.write_text("\n".join(json.dumps({**one, "finish_reason": None, "usage": None, "error": None}) for one in kept))
    (attempt.root / "manifest.json").unlink()
    attempt.run("step=evaluate", *_RUN, "model.name=mine", codes=(0,))
    verdicts = [one["verdict"] for one in records(attempt.root / "grades/template/mine/P36.jsonl")]
    hold(len(verdicts) == len(attempt.texts) and "failed" not in verdicts, f"{verdicts}")


def _other_facts(attempt: Attempt) -> None:
    """Questions about other facts than those extracted since are not graded by these."""
    attempt.copy_exam()
    data = attempt.folder / "data"
    shutil.copytree(ROOT / "kgs" / "trex", data)
    lines = (data / "P36.jsonl").read_bytes().splitlines(keepends=True)
    (data / "P36.jsonl").write_bytes(b"".join(lines[len(lines) // 2 :]))
    attempt.run("step=extract", *_RUN, f"kg.data_dir={data}", codes=(0,))
    attempt.run("step=evaluate", *_RUN, f"kg.data_dir={data}", codes=(2,))
    attempt.run("step=all", *_RUN, f"kg.data_dir={data}", codes=(0,))


def _other_settings(attempt: Attempt) -> None:
    """A shard with other settings over a finished run is refused or set aside, not mixed in."""
    attempt.copy_exam()
    ended = attempt.run("step=answer", *_RUN, "shard=0/2", "model.repeat=1", codes=(0, 2))
    graded = ended if ended.code else attempt.run("step=evaluate", *_RUN, codes=(0, 2))
    if not graded.code:
        folder = attempt.root / "responses/template/scripted"
        hashes = {
            one["settings_hash"]
            for path in folder.rglob("*.jsonl")
            if path.parent.name != "superseded"
            for one in records(path)
        }
        hold(len(hashes) == 1, f"{len(hashes)} settings among the responses that were graded")


def _other_questions(attempt: Attempt) -> None:
    """Grades of questions that were made anew since are not counted among those of the new ones."""
    attempt.copy_exam()
    attempt.run("step=generate", *_RUN, "seed=7", codes=(0,))
    for step in ("answer", "evaluate"):
        attempt.run(f"step={step}", *_RUN, "model.name=other", codes=(0,))
    ended = attempt.run("step=report", *_RUN, codes=(0,))
    hold("questions that were made anew" in ended.err, "the report says nothing of the grades that it leaves out")
    with (attempt.root / "scores.csv").open(newline="") as file:
        counted = {row["model"]: int(row["questions"]) for row in csv.DictReader(file) if row["level"] == "total"}
    hold(counted["scripted"] < counted["other"], f"{counted} questions are counted")


def _bomb(attempt: Attempt) -> None:
    """A small compressed table of one long row, or of one row many times over, is refused."""
    path = attempt.folder / "facts.csv.gz"
    piece = attempt.random.choice((b"x", b"France,capital,Paris\n")) * 50_000
    with gzip.open(path, "wb") as file:
        file.write(b"subject,relation,object\nFrance,capital,")
        file.writelines(piece for _ in range(400 * 50_000 // len(piece) * 10))
    ended = attempt.run("step=extract", "kg=csv", f"kg.source={path}", codes=(2,))
    hold("unpacks to more than" in ended.last, f"the last line is {ended.last}")


def _repeated(attempt: Attempt) -> None:
    """Replies that repeat a fragment to the end of what is read are graded, and so are odd fields."""
    asked = {"question": "Where was Albert Einstein born?", "answers": "Ulm"}
    replies = [(fragment * 40_000)[:40_000] for fragment in attempt.random.sample(FEW, 6)]
    lines = [json.dumps({**asked, "response": reply}) for reply in replies]
    odd = attempt.random.choice(("NaN", "1" * 400, "[]", "1.5"))
    lines.insert(1, json.dumps({**asked, "response": "ODD"}).replace('"ODD"', odd))
    (attempt.folder / "log.jsonl").write_text("\n\ufeff".join(lines))
    attempt.run("step=grade", "input=log.jsonl", codes=(0,))
    rules = [one["rule"] for one in records(attempt.folder / "outputs/log/grades.jsonl")]
    hold(len(rules) >= len(replies) and "rule_error" not in rules, f"{rules}")


ROWS: dict[str, Callable[[Attempt], None]] = {
    "a bomb of gzip": _bomb,
    "replies that repeat": _repeated,
    "broken triplets": _broken("triplets/P36.jsonl"),
    "a broken summary": _broken("triplets/*summary.json"),
    "broken questions": _broken("questions/template/*.jsonl"),
    "broken responses": _broken("responses/template/scripted/*.jsonl"),
    "broken grades": _broken("grades/template/scripted/*.jsonl"),
    "a broken manifest": _broken("manifest.json"),
    "broken data": _data,
    "data without a fact": _nothing,
    "relations without questions": _without_questions,
    "3,000 relations without data": _many_relations,
    "responses from elsewhere": _from_elsewhere,
    "facts that changed": _other_facts,
    "a shard with other settings": _other_settings,
    "questions made anew": _other_questions,
}
