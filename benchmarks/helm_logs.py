"""Let HELM make two logs of its tutorial, grade them, and compare the grades with those that are known to be right."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import factprobe

HELM = """
from dataclasses import replace
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.executor import ExecutionSpec
from helm.benchmark.run_specs.simple_run_specs import get_simple_mcqa_run_spec, get_simple_short_answer_qa_run_spec
from helm.benchmark.runner import Runner
from helm.common.authentication import Authentication

register_builtin_configs_from_helm_package()
runner = Runner(ExecutionSpec(None, Authentication(""), "env", 1), "out", "s", False, False, False, False, False)
for spec, last in ((get_simple_mcqa_run_spec(), "B B A"), (get_simple_short_answer_qa_run_spec(), "Odd Odd Even")):
    model = {"model": "simple/model1", "model_deployment": "simple/model1"}  # says the rarest word of the last line
    sizes = {"max_eval_instances": 2, "max_train_instances": 1}
    adapter = replace(spec.adapter_spec, output_prefix=last, **model, **sizes)
    name = f"{spec.name}:model=simple_model1"
    runner.run_one(replace(spec, name=name, adapter_spec=adapter, metric_specs=[]))
"""
EXPECTED = {
    ("simple_mcqa", "multi_choices", "id60", "correct"),
    ("simple_mcqa", "multi_choices", "id38", "correct"),
    ("simple_short_answer_qa", "single_answer", "id60", "correct"),
    ("simple_short_answer_qa", "single_answer", "id38", "correct"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", type=Path, help="the interpreter of an environment with crfm-helm")
    python = parser.parse_args().python.absolute()
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-c", HELM], cwd=folder, check=True, timeout=600)
        for log in Path(folder).glob("out/runs/s/*/scenario_state.json"):
            graded = factprobe.grade_answers(log)
            [cell] = [row for row in graded.scores if row.level == "cell"]
            found |= {(cell.relation, cell.question_type, grade.id, grade.verdict) for grade in graded}
    for row in sorted(found):
        print(*row)
    if found != EXPECTED:
        raise SystemExit(f"expected {sorted(EXPECTED)}")


if __name__ == "__main__":
    main()
