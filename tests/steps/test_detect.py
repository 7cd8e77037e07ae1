"""step=detect and step=evaluate_detector on the command line: what is written, resuming, and the published figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from factprobe.records import HALLUCINATION, NOT_HALLUCINATION
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint, fault

RECORDS: list[dict[str, Any]] = [
    {"hyp": f"out {n}", "src": f"in {n}", "tgt": "", "ref": "either", "model": "", "task": task}
    for n, task in enumerate(("DM", "PG", "MT", "DM"))
]
GOLD = [{**record, "labels": [HALLUCINATION] * n + [NOT_HALLUCINATION] * (5 - n)} for n, record in enumerate(RECORDS)]
ASKING = ["detector.model=openai", "detector.model.model=critic", "detector.model.max_retries=0"]


def read(factprobe: CommandLine, name: str) -> Any:
    return json.loads((factprobe.folder / name).read_text(encoding="utf-8"))


def write(factprobe: CommandLine, name: str, records: Any) -> None:
    (factprobe.folder / name).write_text(json.dumps(records), encoding="utf-8")


def figures(factprobe: CommandLine, name: str) -> dict[tuple[str, ...], tuple[int, float]]:
    rows = read(factprobe, f"outputs/{name}/detection.json")
    return {(r["detector"], r["task"], r["consensus"], r["measure"]): (r["items"], r["estimate"]) for r in rows}


class TestDetect:
    def test_samples_are_drawn_one_by_one_and_never_paid_twice(self, factprobe: CommandLine) -> None:
        said: dict[str, int] = {}

        def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            """The first sample of each item votes, but of the second item none has a label."""
            item = next(n for n in "0123" if f"out {n}" in body["messages"][-1]["content"])
            said[item] = said.get(item, 0) + 1
            label = HALLUCINATION if said[item] <= 1 else NOT_HALLUCINATION
            return 200, completion("hm" if item == "1" else label)

        write(factprobe, "val.json", RECORDS)
        with endpoint(says) as server:
            command = ["step=detect", "input=val.json", "detector.samples=2", *ASKING]
            command += [f"detector.model.base_url={server.base_url}", "detector.model.max_concurrency=1"]
            code, out, err = factprobe(*command)
            assert code == 0, err
            assert len(server.requests) == 4 * 2 + 2
            assert "4 texts, 0 Hallucination, 4 Not Hallucination, by shroom (critic); 3 ties; 2 samples without" in out
            found = read(factprobe, "val.detected.json")
            assert [one["p(Hallucination)"] for one in found] == [0.5, 0, 0.5, 0.5]
            assert found[0] == {
                **RECORDS[0],
                "label": NOT_HALLUCINATION,
                "p(Hallucination)": 0.5,
                "detection": {"detector": "shroom (critic)", "votes": 1, "samples": 2, "tie": True},
            }
            assert found[1]["detection"] == {
                "detector": "shroom (critic)",
                "samples": 2,
                "unparsed": 2,
                "reasons": ["the reply names no label"],
            }
            counts = read(factprobe, "outputs/val/manifest.json")["detect"]["counts"]
            assert (counts["items"], counts["ties"], counts["unparsed"]) == (4, 3, 2)
            before = (factprobe.folder / "val.detected.json").read_bytes()
            assert factprobe(*command).code == 0
            assert factprobe(*command, "output_dir=outputs/other").code == 0, "from the cache"
            assert len(server.requests) == 10
            assert (factprobe.folder / "val.detected.json").read_bytes() == before

    def test_the_submission_format_and_a_dry_run(self, factprobe: CommandLine) -> None:
        write(factprobe, "test.json", [{**record, "id": n} for n, record in enumerate(RECORDS)])
        with endpoint(lambda _: (200, completion(HALLUCINATION))) as server:
            command = ["step=detect", "input=test.json", "detector.samples=3", *ASKING, "output=sent.json"]
            command += [f"detector.model.base_url={server.base_url}", "output_format=submission"]
            assert "12 calls to critic are left to make" in factprobe(*command, "dry_run=true").out
            assert not server.requests
            assert factprobe(*command).code == 0
        assert read(factprobe, "sent.json") == [
            {"id": n, "label": HALLUCINATION, "p(Hallucination)": 1.0} for n in range(4)
        ]

    def test_a_failed_call_marks_that_item_only_and_is_made_up_for(self, factprobe: CommandLine) -> None:
        broken = ["out 2"]

        def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            fails = any(text in str(body) for text in broken)
            return (400, fault("no")) if fails else (200, completion('{"verdict": "factual", "reason": ["so"]}'))

        write(factprobe, "val.json", GOLD)
        with endpoint(says) as server:
            command = ["step=detect", "detector=judge", "input=val.json", *ASKING]
            command += [f"detector.model.base_url={server.base_url}"]
            out = factprobe(*command).out
            assert ", by judge (critic); 1 without a verdict, most often: there is no reply" in out
            assert [one["label"] for one in read(factprobe, "val.detected.json")].count(None) == 1
            assert factprobe(*command, "fail_on_missing=true").code == 4
            broken.clear()
            assert factprobe(*command, "fail_on_missing=true").code == 0
        found = read(factprobe, "val.detected.json")
        assert [one["detection"]["detector"] for one in found] == ["judge (critic)"] * 4
        assert [one["label"] for one in found] == [NOT_HALLUCINATION] * 4
        assert found[3]["labels"] == GOLD[3]["labels"]
        assert factprobe("step=evaluate_detector", "predictions=val.detected.json").code == 0
        assert figures(factprobe, "val.detected")["detected", "all", "all", "accuracy"] == (4, 0.75)

    @pytest.mark.slow
    def test_examples_come_from_texts_without_labels(self, factprobe: CommandLine) -> None:
        pool = [{**RECORDS[0], "hyp": f"pool {n}", "src": f"of {n}"} for n in range(3)]
        write(factprobe, "pool.json", pool)
        write(factprobe, "val.json", RECORDS[:1])

        def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            text = body["messages"][-1]["content"]
            return 200, completion(HALLUCINATION if "pool 1" in text else NOT_HALLUCINATION)

        with endpoint(says) as server:
            command = ["step=detect", "input=val.json", "detector.samples=2", "detector.unlabelled=pool.json", *ASKING]
            ended = factprobe(*command, f"detector.model.base_url={server.base_url}")
            assert ended.code == 0, ended.err
            last = server.requests[-1]["messages"]
        assert [one["content"] for one in last if one["role"] == "assistant"] == [HALLUCINATION, NOT_HALLUCINATION]
        assert "pool 1" in last[1]["content"]
        folder = factprobe.folder / "outputs/val/asked/detector=shroom/critic/responses"
        assert sorted(path.name for path in folder.iterdir()) == ["classify.jsonl", "unlabelled.jsonl"]

    def test_examples_by_an_embedder_behind_an_endpoint_which_is_asked_once(self, factprobe: CommandLine) -> None:
        pool = [{**RECORDS[0], "hyp": f"pool {n}", "src": f"of {n}"} for n in range(3)]
        write(factprobe, "pool.json", pool)
        write(factprobe, "val.json", RECORDS[:1])

        def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            if "input" in body:
                return 200, {"data": [{"embedding": [1.0, float(len(body["input"]))]}]}
            return 200, completion(HALLUCINATION if "pool 1" in str(body["messages"][-1]) else NOT_HALLUCINATION)

        with endpoint(says) as server:
            embedder = f"{{backend: openai, model: e, base_url: '{server.base_url}'}}"
            command = ["step=detect", "input=val.json", "detector.samples=2", "detector.unlabelled=pool.json", *ASKING]
            command += [f"detector.model.base_url={server.base_url}", f"detector.embedder={embedder}"]
            ended = factprobe(*command)
            assert ended.code == 0, ended.err
            assert sum("input" in body for body in server.requests) == 3
            asked = len(server.requests)
            assert factprobe(*command).code == 0
            assert len(server.requests) == asked
        kept = read(factprobe, "outputs/val/unlabelled.json")
        assert {one["detection"]["detector"] for one in kept} == {"shroom (critic)"}
        assert {one["hyp"]: one["p(Hallucination)"] for one in kept} == {"pool 0": 0, "pool 1": 1, "pool 2": 0}
        assert [one.get("selected") for one in kept].count(None) == 0
        assert factprobe.fails(*command, "detector.embedder={backend: nobody}").endswith(
            "unknown embedder 'nobody'; known: minilm, openai, sentence_transformers, wordllama"
        )

    @pytest.mark.parametrize(
        ("arguments", "what"),
        [
            ([], "input: no file is named"),
            (["input=none.json"], "none.json: cannot be read"),
            (["input=val.json", "output=val.json"], "output: is the input"),
            (["input=val.json", "detector=nonsense"], "unknown detector 'nonsense'"),
            (["input=val.json", "detector.temperature=1"], "unknown setting 'detector.temperature'"),
            (["input=val.json", "detector.model.temperature=0"], "detector.samples: 20 samples at temperature 0"),
            (["input=val.json", "detector.unlabelled=none.json"], "none.json: cannot be read"),
            (["input=odd.json", "detector.model=scripted"], "item #1: unknown task 'QA'"),
            (["input=bare.json", "detector.model=scripted"], "item #1: has no task"),
            (["input=broken.json"], "broken.json, record 2: has no text under hyp, output or response"),
        ],
    )
    def test_what_is_wrong_is_said_in_a_line(self, factprobe: CommandLine, arguments: list[str], what: str) -> None:
        write(factprobe, "val.json", RECORDS)
        write(factprobe, "odd.json", [{"hyp": "x", "task": "QA"}])
        write(factprobe, "bare.json", [{"output": "x"}])
        write(factprobe, "broken.json", [RECORDS[0], {}])
        assert what in factprobe.fails("step=detect", *arguments)


class TestEvaluate:
    @pytest.mark.shared
    def test_the_published_predictions_give_the_published_figures(self, factprobe: CommandLine, data: Path) -> None:
        name = "val.model-agnostic.gpt-4-0125-preview.predictions"
        code, out, err = factprobe("step=evaluate_detector", f"predictions={data}/shroom/{name}.json")
        assert code == 0, err
        expected = {
            ("gpt-4-0125-preview", "all", "accuracy"): (499, 0.8136),
            ("gpt-4-0125-preview", "all", "spearman_rho"): (499, 0.6966),
            ("gpt-4-0125-preview", "low", "accuracy"): (145, 0.6207),
            ("gpt-4-0125-preview", "low", "cohen_kappa"): (145, 0.2378),
            ("gpt-4-0125-preview", "high", "accuracy"): (171, 0.8538),
            ("gpt-4-0125-preview", "high", "cohen_kappa"): (171, 0.7009),
            ("gpt-4-0125-preview", "high", "spearman_rho"): (171, 0.7341),
            ("gpt-4-0125-preview", "unanimous", "accuracy"): (183, 0.9290),
            ("gpt-4-0125-preview", "unanimous", "cohen_kappa"): (183, 0.8562),
            ("gpt-4-0125-preview", "unanimous", "spearman_rho"): (183, 0.8852),
            ("annotators", "all", "fleiss_kappa"): (499, 0.3728),
            ("gpt-4-0125-preview", "all", "fleiss_kappa"): (499, 0.4051),
        }
        found = figures(factprobe, name)
        rounded = {key: found[key[0], "all", *key[1:]] for key in expected}
        assert {key: (items, round(value, 4)) for key, (items, value) in rounded.items()} == expected
        assert "0.814" in out
        assert "task PG (125)" in out
        assert found["majority class", "PG", "all", "accuracy"] == (125, 0.64)

    def test_several_detectors_on_the_same_items(self, factprobe: CommandLine) -> None:
        write(factprobe, "gold.json", GOLD)
        write(factprobe, "a.json", [{"label": HALLUCINATION}] * 4)
        write(factprobe, "b.json", [{"p(Hallucination)": n / 4} for n in range(4)])
        command = ["step=evaluate_detector", "predictions=[a.json,b.json]", "input=gold.json", "output_dir=outputs/x"]
        code, out, err = factprobe(*command)
        assert code == 0, err
        found = figures(factprobe, "x")
        assert found["a", "all", "all", "accuracy"] == (4, 0.25)
        assert found["b", "all", "all", "spearman_rho"] == (4, 1.0)
        assert found["b", "all", "all", "roc_auc"] == (4, 1.0)
        assert ("a", "all", "all", "roc_auc") not in found
        assert "evaluate_detector: 2 detectors on 4 items" in out
        first = (factprobe.folder / "outputs/x/detection.json").read_bytes()
        assert factprobe(*command).code == 0
        assert (factprobe.folder / "outputs/x/detection.json").read_bytes() == first

    @pytest.mark.parametrize(
        ("arguments", "what"),
        [
            ([], "predictions: no file is named"),
            (["predictions=other.json"], "input: is not set, and no file beside predictions has it in its name"),
            (["predictions=none.json", "input=gold.json"], "none.json: cannot be read"),
            (["predictions=other.json", "input=gold.json"], "1 predictions do not match 4 labelled items"),
            (["predictions=[gold.json,sub/gold.json]", "input=gold.json"], "two files have the same name"),
            (["predictions=other.json", "input=val.json"], "has neither label nor p(Hallucination) nor labels"),
        ],
    )
    def test_what_is_wrong_is_said_in_a_line(self, factprobe: CommandLine, arguments: list[str], what: str) -> None:
        write(factprobe, "gold.json", GOLD)
        write(factprobe, "val.json", RECORDS)
        write(factprobe, "other.json", [{"label": HALLUCINATION}])
        (factprobe.folder / "sub").mkdir()
        write(factprobe, "sub/gold.json", GOLD)
        assert what in factprobe.fails("step=evaluate_detector", *arguments)


def test_predictions_of_the_first_items_are_evaluated_with_the_same_limit(factprobe: CommandLine) -> None:
    write(factprobe, "val.json", GOLD)
    assert factprobe("step=detect", "detector=judge", "detector.model=scripted", "input=val.json", "limit=2").code == 0
    command = ["step=evaluate_detector", "predictions=val.detected.json"]
    assert "limit= sets the number of labelled items" in factprobe.fails(*command)
    assert "1 detector on 2 items" in factprobe(*command, "limit=2").out


def test_what_people_gave_no_probabilities_for_is_no_remark(factprobe: CommandLine) -> None:
    write(factprobe, "gold.json", [{"hyp": "It is in Ulm.", "label": HALLUCINATION}])
    write(factprobe, "a.json", [{"label": HALLUCINATION, "p(Hallucination)": 1.0}])
    out = factprobe("step=evaluate_detector", "predictions=a.json", "input=gold.json").out
    assert "1 detector on 1 item →" in out
    assert "of 0 of" not in out


def test_what_is_left_out_is_counted(factprobe: CommandLine) -> None:
    write(factprobe, "gold.json", [{**record, "id": n} for n, record in enumerate(GOLD)])
    write(factprobe, "a.json", [{"id": n, "label": HALLUCINATION, "p(Hallucination)": 1.0} for n in (0, 1, 7)])
    code, out, err = factprobe("step=evaluate_detector", "predictions=a.json", "input=gold.json", "output_dir=x")
    assert code == 0, err
    assert "warning: a: 2 of 4 labelled items have no prediction, 1 predictions are of no labelled item" in out
    [fewer] = [line for line in out.splitlines() if line.startswith("a: ")]
    assert "Brier" in fewer
    assert "accuracy" not in fewer
    assert fewer.endswith("of 2 of 4 items")


def test_what_is_wrong_with_labels_and_predictions_is_told_in_the_report_too(factprobe: CommandLine) -> None:
    votes = [HALLUCINATION] * 4 + [NOT_HALLUCINATION]
    gold = [{"id": n, "hyp": "a", "src": f"of {n % 3}", "label": HALLUCINATION, "labels": votes} for n in range(4)]
    write(factprobe, "val.json", [{**gold[0], "label": NOT_HALLUCINATION}, *gold[1:3], {**gold[3], "labels": []}])
    said = [{"id": n, "label": HALLUCINATION, "p(Hallucination)": 1.0} for n in range(4)]
    asked = {"samples": 5, "votes": 5, "unparsed": 2}
    write(factprobe, "val.a.json", [{**said[0], "detection": asked}, {"id": 1, "label": None}, *said[2:]])
    code, out, err = factprobe("step=evaluate_detector", "predictions=val.a.json", "output_dir=x")
    assert code == 0, err
    page = (factprobe.folder / "x/detection.html").read_text()
    for line in (
        "warning: labels that contradict the annotators or p(Hallucination) of the same item: 1 of 4, first of item 0",
        "warning: labels that contradict the label of another item with the same texts: 2 of 4, first of item 0",
        "warning: a: 1 of 4 predictions have no label, which counts as wrong",
        "warning: a: 2 of 5 samples had no clean label, and are no vote",
        "a: ROC AUC, PR AUC, Brier, Brier skill, ECE of 3 of 4 items",
        "no spread: whatever items are drawn of these, the figure is the same; of few, that says little",
    ):
        assert line in out
        assert f"<li>{line}</li>" in page
    counts = read(factprobe, "x/manifest.json")["evaluate_detector"]["counts"]
    assert (counts["contradicted"], counts["labelled_twice"]) == (1, 2)


@pytest.mark.slow
def test_a_model_is_watched_as_it_writes(factprobe: CommandLine) -> None:
    write(factprobe, "asked.json", [{"question": "What is the capital of France?"}])
    command = ["step=watch", "input=asked.json", "detector.model.max_tokens=8", "detector.mark_below=1"]
    code, out, err = factprobe(*command)
    assert code == 0, err
    [found] = read(factprobe, "asked.watched.json")
    assert found["detection"]["detector"] == "hades_token_probability (smollm2)"
    marked = [found["output"][start:end] for start, end in found["detection"]["spans"]]
    assert len(marked) == 8
    assert all(f"[{token}]" in out and token == token.strip() for token in marked)
    assert "watch: 1 reply, 8 tokens marked" in out


def test_what_cannot_be_watched_is_refused(factprobe: CommandLine) -> None:
    write(factprobe, "asked.json", [{"question": "What is the capital of France?"}])
    write(factprobe, "empty.json", [{"output": "x"}])
    assert "has no text under src, input or question" in factprobe.fails("step=watch", "input=empty.json")
    wrong = factprobe.fails("step=watch", "input=asked.json", "detector=judge")
    assert "detector: watches no model; set detector=hades_token_probability" in wrong
    other = factprobe.fails("step=watch", "input=asked.json", "model=scripted")
    assert "model: is set, but what is watched is the detector's own model; name it with detector.model=NAME" in other


def test_marked_spans_are_written_and_measured_beside_the_baselines(factprobe: CommandLine) -> None:
    texts = [("EN", "He was born in Lyon.", "Where was he born?", 15, 19), ("FI", "Vuonna 1912.", "Milloin?", 7, 11)]
    gold = [
        {
            "id": f"val-{language}",
            "lang": language,
            "model_input": asked,
            "model_output_text": text,
            "hard_labels": [[start, end]],
            "soft_labels": [{"start": start, "end": end, "prob": 1.0}],
        }
        for language, text, asked, start, end in texts
    ]
    write(factprobe, "val.json", gold)
    code, out, err = factprobe("step=detect", "detector=span_features", "input=val.json", "output=val.marked.json")
    assert code == 0, err
    marked = read(factprobe, "val.marked.json")
    assert [one["detection"]["detector"] for one in marked] == ["span_features"] * 2
    assert all(one["hard_labels"] and one["soft_labels"] for one in marked)
    code, out, err = factprobe("step=evaluate_detector", "predictions=val.marked.json", "output_dir=outputs/val")
    assert code == 0, err
    assert "names and numbers" in out
    rows = read(factprobe, "outputs/val/detection.json")
    assert {row["language"] for row in rows} == {"all", "EN", "FI"}
    found = {(row["detector"], row["language"], row["measure"]): row["estimate"] for row in rows}
    assert found["mark all", "EN", "iou"] == 0.2
    assert found["names and numbers", "FI", "iou"] == 4 / 11
    assert found["marked", "FI", "iou"] > found["mark all", "FI", "iou"]


@pytest.mark.parametrize(
    ("model", "fault"),
    [
        (("detector.model=llama_cpp", "detector.model.path=nowhere.gguf"), "no such GGUF file"),
        (("detector.model=openai", "detector.model.model=m"), "OPENAI_API_KEY is not set"),
    ],
)
def test_samples_in_every_record_want_no_model(
    factprobe: CommandLine, model: tuple[str, ...], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    item = {"id": "a", "task": "DM", "src": "Where is Ulm?", "hyp": "In Spain"}
    run = ("step=detect", "detector=selfcheck", "input=val.json", *model)
    write(factprobe, "val.json", [{**item, "samples": ["In Germany", "Germany", "in germany"]}])
    assert factprobe(*run).code == 0
    [found] = read(factprobe, "val.detected.json")
    assert found["label"] == HALLUCINATION
    write(factprobe, "val.json", [item])
    assert fault in factprobe.fails(*run, code=2)
