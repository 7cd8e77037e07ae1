"""step=annotate: rounds with people's labels in the queue."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.command_line import CommandLine

POOL = [
    {
        "id": f"s{n}",
        "replaced": f"{n} the town lies ==={'in 1999' if n % 2 else 'far off'}=== then",
        "hallucination": -1,
    }
    for n in range(24)
]


def read(factprobe: CommandLine, name: str) -> Any:
    return json.loads((factprobe.folder / name).read_text(encoding="utf-8"))


def label(factprobe: CommandLine) -> list[str]:
    """Has four people label the queue: what lies in 1999 is hallucinated; of the first span two say otherwise."""
    queue = read(factprobe, "pool.queue.json")
    for number, record in enumerate(queue):
        right = int("1999" in record["replaced"])
        record["annotators"] = [right] * 4 if number else [0, 1, 0, 1, 0, 1]
    (factprobe.folder / "pool.queue.json").write_text(json.dumps(queue))
    return [record["id"] for record in queue]


def test_rounds_go_on_until_the_pool_is_empty(factprobe: CommandLine) -> None:
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, POOL)))
    command = ["step=annotate", "input=pool.jsonl", "annotate.batch=8", "annotate.easy=0", "output_dir=outputs/pool"]
    code, out, err = factprobe(*command)
    assert code == 0, err
    assert "0 spans agreed on, 0 of them hallucinated; 0 disputed; 8 to label" in out
    first = (factprobe.folder / "pool.queue.json").read_bytes()
    assert factprobe(*command).code == 0
    assert (factprobe.folder / "pool.queue.json").read_bytes() == first, "nobody has labelled anything"
    asked = label(factprobe)
    assert "7 spans agreed on" in factprobe(*command).out
    agreed = [json.loads(line) for line in (factprobe.folder / "pool.agreed.jsonl").read_text().splitlines()]
    assert {record["hallucination"] for record in agreed} == {0, 1}
    queue = read(factprobe, "pool.queue.json")
    assert len(queue) == 8
    assert not {record["id"] for record in queue} & {*asked}
    assert sum("1999" in record["replaced"] for record in queue) in (3, 4, 5), "the detector keeps them balanced"
    assert (factprobe.folder / "outputs/pool/detector/hades.json").is_file()
    for _ in range(3):
        label(factprobe)
        out = factprobe(*command).out
    assert "0 to label" in out
    assert "21 spans agreed on" in out
    assert "3 disputed" in out
    assert factprobe("step=train", "input=pool.agreed.jsonl", "output=lr").code == 0


def test_what_is_wrong_is_said_in_a_line(factprobe: CommandLine) -> None:
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, POOL)))
    wrong = factprobe.fails("step=annotate", "input=pool.jsonl", "detector=hades_token_probability")
    assert "detector: learns nothing" in wrong
    (factprobe.folder / "pool.queue.json").write_text('[{"id": "s1", "annotators": [3]}]')
    assert "has annotators that are not a list of 0 and 1" in factprobe.fails("step=annotate", "input=pool.jsonl")


@pytest.mark.parametrize("ids", [range(24), [None] * 24])
def test_what_is_agreed_on_is_not_asked_about_again_whatever_its_id_is(factprobe: CommandLine, ids: list[Any]) -> None:
    pool = [{**record, "id": name} for record, name in zip(POOL, ids, strict=True)]
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, pool)))
    command = ["step=annotate", "input=pool.jsonl", "annotate.batch=8", "annotate.easy=0"]
    assert factprobe(*command).code == 0
    first = label(factprobe)
    assert factprobe(*command).code == 0
    assert not {*first} & {*label(factprobe)}


def test_what_the_detector_is_sure_of_is_told(factprobe: CommandLine) -> None:
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, POOL)))
    command = ["step=annotate", "input=pool.jsonl", "annotate.batch=12", "annotate.easy=0.49"]
    assert "sure" not in factprobe(*command).out
    label(factprobe)
    assert (
        "0 to label; of the 12 left the detector is sure, annotate.easy=0 asks about them too"
        in factprobe(*command).out
    )


def test_wrong_settings_and_records_are_told(factprobe: CommandLine) -> None:
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, POOL)))
    command = ["step=annotate", "input=pool.jsonl"]
    assert "annotate.least: is 7, more than annotate.most=6" in factprobe.fails(*command, "annotate.least=7")
    queue = factprobe.folder / "pool.queue.json"
    queue.write_text('[{"annotators": [1]}]')
    assert "pool.queue.json: record 1 has no id" in factprobe.fails(*command)
    queue.write_text('[{"id": "s1"}, {"id": "s2"}, {"id": "s1"}]')
    assert "pool.queue.json: record 3 repeats the id 's1'" in factprobe.fails(*command)
    queue.unlink()
    (factprobe.folder / "pool.agreed.jsonl").write_text('{"replaced": "a ===b=== c", "hallucination": 1}')
    assert "pool.agreed.jsonl: record 1 has no id" in factprobe.fails(*command)


ANNOTATE = ["step=annotate", "input=pool.jsonl", "annotate.batch=8", "annotate.easy=0", "output_dir=outputs/pool"]
FILES = ("pool.queue.json", "pool.agreed.jsonl", "pool.disputed.jsonl")


def write_pool(factprobe: CommandLine, records: list[dict[str, Any]]) -> None:
    (factprobe.folder / "pool.jsonl").write_text("\n".join(map(json.dumps, records)))


def without_ids(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in record.items() if name != "id"} for record in records]


def read_lines(factprobe: CommandLine, name: str) -> list[Any]:
    return [json.loads(line) for line in (factprobe.folder / name).read_text().splitlines()]


def test_records_without_ids_are_known_by_their_text_in_any_order(factprobe: CommandLine) -> None:
    pool = without_ids(POOL)
    write_pool(factprobe, [*pool, pool[0]])
    assert factprobe(*ANNOTATE).code == 0
    label(factprobe)
    write_pool(factprobe, [{"replaced": "a new ===text=== stands here", "hallucination": -1}, *reversed(pool), pool[0]])
    for _ in range(4):
        assert factprobe(*ANNOTATE).code == 0
        label(factprobe)
    done = [record for name in FILES[1:] for record in read_lines(factprobe, name)]
    assert sorted(record["replaced"] for record in done) == sorted(
        ["a new ===text=== stands here", *(record["replaced"] for record in [*pool, pool[0]])]
    )
    assert all(record["hallucination"] == ("1999" in record["replaced"]) for record in read_lines(factprobe, FILES[1]))


def test_records_that_an_earlier_version_numbered_are_known_by_their_text(factprobe: CommandLine) -> None:
    pool = without_ids(POOL)
    write_pool(factprobe, pool[1:])
    queue = [{**record, "id": f"#{number}", "annotators": []} for number, record in enumerate(pool[:8], 1)]
    queue[0]["annotators"] = [0, 0, 0, 0]
    (factprobe.folder / "pool.agreed.jsonl").write_text(json.dumps({**queue[0], "hallucination": 0}) + "\n")
    (factprobe.folder / "pool.queue.json").write_text(json.dumps(queue))
    assert factprobe(*ANNOTATE).code == 0
    assert {record["replaced"] for record in read(factprobe, "pool.queue.json")} >= {
        record["replaced"] for record in pool[1:8]
    }
    write_pool(factprobe, pool)
    for _ in range(4):
        label(factprobe)
        assert factprobe(*ANNOTATE).code == 0
    done = [record["replaced"] for name in FILES[1:] for record in read_lines(factprobe, name)]
    assert sorted(done) == sorted(record["replaced"] for record in pool)


@pytest.mark.parametrize("has_ids", [False, True])
def test_labels_of_other_texts_are_refused(factprobe: CommandLine, has_ids: bool) -> None:
    others = [{**record, "replaced": f"another {record['replaced']}"} for record in POOL]
    pools = (POOL, others) if has_ids else (without_ids(POOL), without_ids(others))
    write_pool(factprobe, pools[0])
    assert factprobe(*ANNOTATE).code == 0
    for _ in range(2):
        before = {name: (factprobe.folder / name).read_bytes() for name in FILES}
        write_pool(factprobe, pools[1])
        line = factprobe.fails(*ANNOTATE)
        assert "pool.queue.json" in line
        assert "pool.jsonl" in line
        assert {name: (factprobe.folder / name).read_bytes() for name in FILES} == before
        write_pool(factprobe, pools[0])
        label(factprobe)
        assert factprobe(*ANNOTATE).code == 0
    (factprobe.folder / "pool.queue.json").unlink()
    write_pool(factprobe, pools[1])
    assert (factprobe(*ANNOTATE).code == 0) is not has_ids


def test_no_file_of_the_user_is_replaced(factprobe: CommandLine) -> None:
    write_pool(factprobe, POOL)
    mine = factprobe.folder / "outputs/pool/detector/hades.json"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    for _ in range(2):
        assert "has detector/hades.json, which step=annotate would write over" in factprobe.fails(*ANNOTATE)
    assert mine.read_text() == "mine"
    mine.unlink()
    mine = factprobe.folder / "mine.json"
    mine.write_text(json.dumps(POOL))
    assert "mine.json: is no queue of step=annotate" in factprobe.fails(*ANNOTATE, "output=mine.json")
    assert json.loads(mine.read_text()) == POOL
    assert factprobe(*ANNOTATE).code == 0
    label(factprobe)
    assert factprobe(*ANNOTATE).code == 0
    assert (factprobe.folder / "outputs/pool/detector/hades.json").exists()
