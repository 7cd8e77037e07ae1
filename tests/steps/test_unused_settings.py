"""Settings that no step of a run uses: warnings, and checks that would not be made."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine


def test_settings_of_other_steps_are_warned_of(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    (factprobe.folder / "a.csv").write_text("question,answers,response\nWho?,Ada,Ada\n")
    grade = ["step=grade", "input=a.csv"]
    factprobe(*grade, "gold=a", "detector=judge", "limit=3", "seed=2", "relations=[zzz]")
    assert caplog.messages == [
        "detector: is not used by step=grade; it is a setting of step=detect, step=annotate, step=train, step=watch, "
        "step=study",
        "gold: is not used by step=grade; it is a setting of step=agree",
        "relations: is not used without a graph; name one with kg=",
    ]
    caplog.clear()
    factprobe(*grade, "match=all", "columns.id=id", "kg=trex", "relations=[P36]", "output_dir=other")
    assert not caplog.messages


def test_a_check_that_would_not_be_made_is_refused(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text("question,answers,response\nWho?,Ada,Ada\n")
    line = factprobe.fails("step=grade", "input=a.csv", "fail_below=0.8")
    assert "fail_below: is not used by step=grade; it is a setting of step=compare" in line
    assert "fail_if_worse" in factprobe.fails("step=all", "kg=trex", "model=scripted", "fail_if_worse=m")


def test_a_dry_run_or_cost_limit_that_would_not_work_is_refused(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.jsonl").write_text(
        '{"id": "1", "hyp": "Ada left.", "src": "", "tgt": "Ada left.", "task": "PG"}'
    )
    for step in ("export", "perturb", "annotate", "watch", "train"):
        assert "dry_run: is not used by" in factprobe.fails(f"step={step}", "input=a.jsonl", "kg=trex", "dry_run=true")
    assert "max_cost_usd: is not used by" in factprobe.fails("step=perturb", "input=a.jsonl", "max_cost_usd=1")
    detect = factprobe("step=detect", "detector=span_features", "input=a.jsonl", "dry_run=true")
    assert "nothing is left to ask" in detect.out
    assert [path.name for path in factprobe.folder.iterdir() if path.is_file()] == ["a.jsonl"]


def test_an_exam_uses_the_settings_of_its_steps(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert factprobe("step=all", "kg=trex", "model=scripted", "relations=[P36]", "limit=2", "samples=3").code == 0
    assert not caplog.messages
