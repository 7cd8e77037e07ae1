"""The records as they are on disk: the keys of the file contract, all of them, in every record."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from factprobe.question_types import QUESTION_TYPES
from factprobe.records import (
    RELATION_TYPES,
    VERDICTS,
    Answer,
    Entity,
    Evidence,
    Grade,
    GraphSummary,
    Message,
    NodeSummary,
    ObjectNode,
    PlainRequest,
    Question,
    Relation,
    RelationCount,
    RelationSummary,
    Response,
    SubjectNode,
    Triplet,
    Usage,
)

RELATION = Relation("P19", "[X] was born in [Y].")
RELATION_INFO = {
    "relation": "P19",
    "template": "[X] was born in [Y].",
    "label": "",
    "description": "",
    "type": "",
    "subject_symbol": "[X]",
    "object_symbol": "[Y]",
}
PROMPTS = (Message("user", "Where was Ada Lovelace born?"),)
QUESTION = ("Q7259:Q84:P19:N-1:ask_object", "single_answer", PROMPTS, (Answer("Q84", "London"),), "P19", "Q7259", "Q84")


def on_disk(record: msgspec.Struct) -> Any:
    """The JSON of a record, parsed; its round trip is tested on the way."""
    line = msgspec.json.encode(record)
    assert b"\n" not in line
    assert msgspec.json.decode(line, type=type(record)) == record
    return msgspec.json.decode(line)


def test_relation_has_every_key_of_the_contract() -> None:
    assert on_disk(RELATION).items() >= RELATION_INFO.items()
    assert list(on_disk(RELATION))[:7] == list(RELATION_INFO)


def test_triplet_without_extras_has_the_keys_of_the_contract_and_no_others() -> None:
    found = on_disk(Triplet("Ada Lovelace", "London", "Q84", "Q7259", RELATION))
    assert list(found) == ["subject_label", "object_label", "object_uri", "subject_uri", "relation_info"]
    assert (found["subject_uri"], found["object_uri"]) == ("Q7259", "Q84")
    assert (found["subject_label"], found["object_label"]) == ("Ada Lovelace", "London")
    assert found["relation_info"].items() >= RELATION_INFO.items()


def test_triplet_keeps_aliases_types_and_evidences() -> None:
    evidence = Evidence("Ada was born in [MASK].", judgments=("yes", "no"))
    triplet = Triplet("", "", "Q84", "Q7259", RELATION, ("Ada",), ("Londinium",), ("human",), ("city",), (evidence,))
    found = on_disk(triplet)
    assert found["subject_aliases"] == ["Ada"]
    assert found["object_aliases"] == ["Londinium"]
    assert found["subject_types"] == ["human"]
    assert found["object_types"] == ["city"]
    assert found["evidences"] == [{"masked_sentence": "Ada was born in [MASK].", "judgments": ["yes", "no"]}]
    assert triplet.subject == Entity("Q7259", "", ("Ada",), ("human",))
    assert triplet.object == Entity("Q84", "", ("Londinium",), ("city",))


def test_relation_summary() -> None:
    nodes = NodeSummary(
        {"Q84": ObjectNode("London", "Q84", ["Q7259"], ("Londinium",))}, {"Q7259": SubjectNode("Ada", "Q7259", ["Q84"])}
    )
    found = on_disk(RelationSummary(RELATION, nodes))
    assert list(found) == ["relation_info", "node_summary"]
    assert found["node_summary"] == {
        "objects": {
            "Q84": {
                "object_label": "London",
                "object_uri": "Q84",
                "subjects": ["Q7259"],
                "object_aliases": ["Londinium"],
            }
        },
        "subjects": {"Q7259": {"subject_label": "Ada", "subject_uri": "Q7259", "objects": ["Q84"]}},
    }
    assert nodes.objects["Q84"].entity == Entity("Q84", "London", ("Londinium",))
    assert nodes.subjects["Q7259"].entity == Entity("Q7259", "Ada")


def test_graph_summary() -> None:
    count = RelationCount("P19", "place of birth", "N-1", 3, 3, 2)
    found = on_disk(GraphSummary("trex", 1, 5, 3, (count,)))
    assert list(found)[:5] == ["kg", "num_relations", "num_entities", "num_facts", "relations"]
    assert found["relations"][0]["relation"] == "P19"


def test_question_has_every_key_of_the_contract() -> None:
    assert on_disk(Question(*QUESTION)) == {
        "question_id": "Q7259:Q84:P19:N-1:ask_object",
        "question_type": "single_answer",
        "prompts": [{"role": "user", "content": "Where was Ada Lovelace born?"}],
        "answers": [{"uri": "Q84", "label": "London"}],
        "relation": "P19",
        "subject_uri": "Q7259",
        "object_uri": "Q84",
    }
    assert Question(*QUESTION).form == "ask_object"


def test_fields_of_a_question_keep_their_order() -> None:
    first = ("question_id", "question_type", "prompts", "answers", "relation", "subject_uri", "object_uri")
    assert Question.__struct_fields__[:9] == (*first, "choices", "cloze")
    ranked = Question(*QUESTION, ("London", "Paris"), ("She was born in ", "."))
    assert list(on_disk(ranked))[:9] == [*first, "choices", "cloze"]


def test_plain_request_has_the_fields_of_a_request() -> None:
    assert on_disk(PlainRequest("1", PROMPTS)) == {
        "question_id": "1",
        "prompts": [{"role": "user", "content": "Where was Ada Lovelace born?"}],
    }
    ranked = Question(*QUESTION, ("London", "Paris"), ("She was born in ", "."))
    read = msgspec.json.decode(msgspec.json.encode(ranked), type=PlainRequest)
    assert read == PlainRequest(ranked.question_id, PROMPTS, ranked.choices, ranked.cloze)


def test_answer_has_aliases_only_where_the_graph_has_them() -> None:
    assert on_disk(Answer("Q84", "London")) == {"uri": "Q84", "label": "London"}
    assert on_disk(Answer("Q84", "London", ("Londinium",)))["aliases"] == ["Londinium"]
    assert on_disk(Answer("Q84", "")) == {"uri": "Q84", "label": ""}


@pytest.mark.parametrize("answer", ["correct", "incorrect"])
def test_binary_answer_is_a_string(answer: str) -> None:
    asked = replace(Question(*QUESTION), question_type="binary_answer", answers=answer)
    assert on_disk(asked)["answers"] == answer


def test_choices_are_there_for_multi_choices() -> None:
    found = on_disk(replace(Question(*QUESTION), question_type="multi_choices", choices=("Paris", "London")))
    assert found["choices"] == ["Paris", "London"]
    assert "choices" not in on_disk(Question(*QUESTION))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            Response("q", "London", "stop", Usage(7, 1), None),
            {
                "question_id": "q",
                "response": "London",
                "finish_reason": "stop",
                "usage": {"prompt_tokens": 7, "completion_tokens": 1},
                "error": None,
            },
        ),
        (
            Response("q", None, None, None, "timed out"),
            {"question_id": "q", "response": None, "finish_reason": None, "usage": None, "error": "timed out"},
        ),
    ],
    ids=["answered", "failed"],
)
def test_response_has_every_key_of_the_contract_even_when_it_is_null(
    response: Response, expected: dict[str, Any]
) -> None:
    assert on_disk(response) == expected


def test_grade_has_every_key_of_the_contract_even_when_it_is_zero() -> None:
    assert on_disk(Grade("q", "multiple_answer", "abstained", (), 0, 0, 0, "declines")) == {
        "question_id": "q",
        "question_type": "multiple_answer",
        "verdict": "abstained",
        "matched": [],
        "true_positives": 0,
        "false_positives": 0,
        "false_negatives": 0,
        "rule": "declines",
    }


def test_words_of_the_vocabulary() -> None:
    assert QUESTION_TYPES == ("binary_answer", "multi_choices", "single_answer", "multiple_answer")
    assert RELATION_TYPES == ("1-1", "N-1", "1-N", "N-M")
    assert VERDICTS == ("correct", "incorrect", "abstained", "unparsed", "failed")


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (Grade, b'{"question_id":"q"}'),
        (Relation, b'{"relation":"P19","template":"","type":"M-N"}'),
        (Triplet, b'{"subject_label":"a","object_label":"b","object_uri":"Q1","subject_uri":"Q2"}'),
        (Response, b'{"question_id":"q","response":"x"}'),
        (Message, b'{"role":"teacher","content":""}'),
    ],
)
def test_line_that_lacks_a_key_or_has_another_word_is_refused(record: type[msgspec.Struct], line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=record)


def test_keys_that_later_versions_add_are_read_over() -> None:
    line = b'{"uri":"Q84","label":"London","colour":"grey"}'
    assert msgspec.json.decode(line, type=Answer) == Answer("Q84", "London")


@pytest.mark.parametrize(
    ("entity", "names"),
    [
        (Entity("Q84", "London", ("Londinium", "LDN")), ("London", "Londinium", "LDN")),
        (Entity("Q84", "", ("Londinium",)), ("Londinium",)),
        (Entity("Q84", " ", ("", "\t")), ()),
        (Answer("Q84", "London", ("", "LDN")), ("London", "LDN")),
    ],
)
def test_names_are_those_that_are_not_empty(entity: Entity | Answer, names: tuple[str, ...]) -> None:
    assert entity.names() == names


@pytest.mark.parametrize("record", [RELATION, Answer("Q84", "London"), Usage(1, 2), Entity("Q84", "London")])
def test_records_are_frozen(record: msgspec.Struct) -> None:
    with pytest.raises(AttributeError, match="immutable"):
        setattr(record, record.__struct_fields__[0], "x")
    assert hash(record) == hash(msgspec.structs.replace(record))
