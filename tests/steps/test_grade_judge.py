"""step=grade with a judge: what the rules leave open, under numbers, with votes, limits and faults."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.inputs.replies import json_lines
from tests.models.server import Endpoint, completion, endpoint, fault

ASKED = {"question": "Who wrote Emma?", "answers": ["Jane Austen"]}
ROWS: list[dict[str, Any]] = [
    {**ASKED, "id": "emma", "system": "a", "response": "Jane Austen"},
    {**ASKED, "id": "emma", "system": "b", "response": "It was Jane, I think."},
    {**ASKED, "id": "emma", "system": "c", "response": ""},
    {**ASKED, "id": "emma", "system": "d", "response": "Who wrote Emma?"},
    {**ASKED, "id": "emma", "system": "e", "response": None},
]
OPEN = [1, 3]
"""Indices of the replies that go to the judge: the model is unsure of one, the other has no answer."""


class Judged:
    """A log, and a judge on loopback that says what a test sets, by the reply that it is shown."""

    def __init__(self, factprobe: CommandLine, server: Endpoint) -> None:
        self.factprobe, self.server = factprobe, server
        url = f"judge.base_url={server.base_url}"
        self.command = ["step=grade", "input=log.jsonl", "model@judge=openai", "judge.model=critic", url]
        (factprobe.folder / "log.jsonl").write_text(json_lines(ROWS), encoding="utf-8")

    def grade(self, *more: str) -> str:
        code, out, err = self.factprobe(*self.command, *more)
        assert code == 0, err
        return out

    @property
    def grades(self) -> list[tuple[str, str, str]]:
        lines = (self.factprobe.folder / "outputs/log/grades.jsonl").read_text().splitlines()
        return [(found["id"], found["verdict"], found["rule"]) for found in map(json.loads, lines)]


def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion("RIGHT" if "It was Jane" in body["messages"][-1]["content"] else "wrong.")


def test_the_judge_decides_what_the_rules_leave_open(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        judged = Judged(factprobe, server)
        assert factprobe("step=grade", "input=log.jsonl").code == 0
        rules = judged.grades
        out = judged.grade()
        found = judged.grades
        assert [found[number] for number in OPEN] == [("emma", "correct", "judge"), ("emma", "incorrect", "judge")]
        assert [one for number, one in enumerate(found) if number not in OPEN] == [rules[0], rules[2], rules[4]]
        assert "2 (40.0 %) by the judge critic, asked about 2" in out
        assert len(server.requests) == 2
        folder = factprobe.folder / "outputs/log/judgments/critic"
        asked = [json.loads(line) for line in (folder / "questions/answers.jsonl").read_text().splitlines()]
        assert [request["question_id"] for request in asked] == ["2", "4"]
        assert sorted(path.name for path in folder.iterdir()) == ["0", "questions"]
        counts = json.loads((folder.parents[1] / "manifest.json").read_text())["grade"]["counts"]
        assert (counts["judge"]["open"], counts["judge"]["judged"]) == (2, 2)
        again = (folder.parents[1] / "grades.jsonl").read_bytes()
        judged.grade()
        assert len(server.requests) == 2, "nothing is asked twice"
        assert (folder.parents[1] / "grades.jsonl").read_bytes() == again


def test_a_dry_run_asks_nothing(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        judged = Judged(factprobe, server)
        out = judged.grade("dry_run=true")
        assert "2 calls" in out
        assert "nothing is left to ask" not in out
        assert not server.requests
        assert not (factprobe.folder / "outputs/log/grades.jsonl").exists()


def test_rules_of_answers_without_a_graph_may_be_named(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        judged = Judged(factprobe, server)
        judged.grade("judge_rules=[reference.initials]")
        assert not server.requests
        judged.grade("judge_rules=[reference.exact]")
        assert judged.grades[0] == ("emma", "incorrect", "judge")
        judged.grade("judge_rules=[model]")
        assert [rule for *_, rule in judged.grades].count("judge") == 1
        line = factprobe.fails(*judged.command, "judge_rules=[unsur]")
        assert "unknown verdict or rule 'unsur'; did you mean 'unsure'?" in line


@pytest.mark.parametrize(("mending", "code"), [(False, 3), (True, 0)])
def test_a_judge_that_fails(factprobe: CommandLine, mending: bool, code: int) -> None:
    def fails(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return says(body) if mending and "It was Jane" in body["messages"][-1]["content"] else (400, fault("no"))

    with endpoint(fails) as server:
        judged = Judged(factprobe, server)
        ended = factprobe(*judged.command, "judge.max_retries=0")
        assert ended.code == code
        assert "critic" in ended.err
        if mending:
            assert judged.grades[1][2] == "judge"
            assert judged.grades[3][2] != "judge", "the rules' verdict stays"
        else:
            assert not (factprobe.folder / "outputs/log/grades.jsonl").exists()
