"""Export of results in the schema of Every Eval Ever (version 0.3.0), with a folder for each model.

The folder is `data/<benchmark>/<developer>/<model>/`, as in the store of that project. It has a file with the accuracy
in total and by question type, and one with the graded replies as JSON Lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import UUID

from factprobe.collection.current import GradedResponse
from factprobe.records import Score, join_messages
from factprobe.storage import safe_name, write_json, write_lines

_SCHEMA = "0.3.0"
_UNKNOWN = "unknown"
_SOURCE = {
    "source_name": "factprobe",
    "source_type": "evaluation_run",
    "source_organization_name": _UNKNOWN,
    "evaluator_relationship": "third_party",
}
_METRIC = {
    "evaluation_description": "Share of replies that give a right answer.",
    "metric_id": "accuracy",
    "metric_name": "Accuracy",
    "metric_kind": "accuracy",
    "metric_unit": "proportion",
    "lower_is_better": False,
    "score_type": "continuous",
    "min_score": 0.0,
    "max_score": 1.0,
}


def write_results(
    root: Path, kg: str, model: str, scores: Sequence[Score], replies: Iterable[GradedResponse], timestamp: int
) -> int:
    """Write the results of one model below `root`/data, and return the number of graded replies.

    The model's name has the developer before a slash if it is known; `timestamp` is in seconds since 1970.
    """
    developer, _, name = model.rpartition("/")
    benchmark, model_id = f"factprobe_{safe_name(kg)}", f"{developer or _UNKNOWN}/{name}"
    evaluation = f"{benchmark}/{model_id}/{timestamp}"
    folder = Path("data", benchmark, safe_name(developer or _UNKNOWN), safe_name(name))
    uuid = UUID(bytes=blake2b(evaluation.encode(), digest_size=16).digest(), version=4)
    samples = folder / f"{uuid}_samples.jsonl"
    ids = {"schema_version": _SCHEMA, "evaluation_id": evaluation, "model_id": model_id}
    total = write_lines(root / samples, (_sample_record(ids, kg, reply) for reply in replies))
    details = {"deployment_type": _UNKNOWN, "model_availability": _UNKNOWN}
    aggregate = {
        "schema_version": _SCHEMA,
        "evaluation_id": evaluation,
        "retrieved_timestamp": str(timestamp),
        "source_metadata": _SOURCE,
        "eval_library": {"name": "factprobe", "version": version("factprobe")},
        "model_info": {"name": model, "id": model_id, "additional_details": details},
        "evaluation_results": list(_accuracy_results(kg, model, scores)),
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": samples.as_posix(),
            "hash_algorithm": "sha256",
            "checksum": sha256((root / samples).read_bytes()).hexdigest(),
            "total_rows": total,
        },
    }
    write_json(root / folder / f"{uuid}.json", aggregate)
    return total


def _accuracy_results(kg: str, model: str, scores: Iterable[Score]) -> Iterator[dict[str, Any]]:
    """Yield the accuracy of a model in total and by question type, for each generator."""
    for row in scores:
        is_exported = (row.model, row.average) == (model, "micro") and row.level in ("total", "question_type")
        if not is_exported or row.accuracy is None:
            continue
        counts = {name: str(getattr(row, name)) for name in ("correct", "incorrect", "abstained", "unparsed", "failed")}
        yield {
            "evaluation_result_id": f"{row.generator}/{row.question_type}",
            "evaluation_name": _result_name(kg, row.question_type if row.level == "question_type" else ""),
            "source_data": {"dataset_name": kg, "source_type": "other"},
            "metric_config": _METRIC,
            "score_details": {
                "score": row.accuracy,
                "details": {**counts, "generator": row.generator},
                "uncertainty": {
                    "confidence_interval": {
                        "lower": row.accuracy_low,
                        "upper": row.accuracy_high,
                        "confidence_level": 0.95,
                        "method": "clustered by subject entity",
                    },
                    "num_samples": row.questions - row.failed,
                },
            },
        }


def _result_name(kg: str, question_type: str) -> str:
    return f"{kg} ({question_type})" if question_type else kg


def _sample_record(ids: Mapping[str, str], kg: str, reply: GradedResponse) -> dict[str, Any]:
    """Return a graded reply in the schema's form for single samples."""
    question, response, grade = reply
    text, answers = response.response or "", question.answers
    is_correct = grade.verdict == "correct"
    return {
        **ids,
        "evaluation_name": _result_name(kg, question.question_type),
        "sample_id": question.question_id,
        "interaction_type": "single_turn",
        "input": {
            "raw": question.prompts[-1].content,
            "formatted": join_messages(question.prompts),
            "reference": [answers] if isinstance(answers, str) else [answer.label for answer in answers],
            **({"choices": list(question.choices)} if question.choices else {}),
        },
        "output": {"raw": [text]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": grade.answer,
                "extraction_method": grade.rule,
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": float(is_correct), "is_correct": is_correct},
        "metadata": {"verdict": grade.verdict, "why": grade.why, "relation": question.relation},
    }
