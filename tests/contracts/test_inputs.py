"""What every registered format of replies does."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.inputs import AnsweredQuestion, ReplyFiles, inputs
from factprobe.storage import Problems
from tests.inputs.replies import CASES, ROWS

every_format = pytest.mark.parametrize("name", sorted(CASES))


@pytest.fixture
def path(name: str, tmp_path: Path) -> Path:
    """A file of the format."""
    path = tmp_path / CASES[name].name
    path.parent.mkdir(exist_ok=True)
    CASES[name].write(path)
    return path


def test_every_registered_format_has_a_case() -> None:
    assert sorted(CASES) == inputs.names()


@every_format
def test_it_is_told_by_name_and_content_and_gives_every_reply(name: str, path: Path) -> None:
    replies, problems = ReplyFiles([str(path)]), Problems(strict=True)
    found = list(replies.read(problems))
    assert [reply.id for reply in found] == [row["id"] for row in ROWS]
    assert [reply.question.bare for reply in found] == [row["question"] for row in ROWS]
    assert [reply.response.response for reply in found] == [row["response"] for row in ROWS]
    answers = [reply.question.answers for reply in found if not isinstance(reply.question.answers, str)]
    assert [list(right.names()) for [right] in answers] == [row["answers"] for row in ROWS]
    assert {reply.system for reply in found} == {CASES[name].system}
    assert list(replies.read(problems)) == found, "a second pass reads something else"


@every_format
def test_its_count_is_that_of_its_records_or_none(name: str, path: Path) -> None:
    copy = path.with_name(f"copy-{path.name}")
    copy.write_bytes(path.read_bytes())
    assert ReplyFiles([str(path), str(copy)]).count() in (2 * len(ROWS), None)
    assert (ReplyFiles([str(path)]).count() is None) == (name in ("helm", "inspect"))
    replies = ReplyFiles([str(path)])
    path.write_bytes(b"\x89PNG")
    replies.count()  # whatever is wrong, the reading says it


@every_format
def test_a_file_that_is_not_of_the_format_is_one_line(name: str, path: Path, tmp_path: Path) -> None:
    other = tmp_path / f"other{path.suffix}"
    other.write_bytes(b'\x89PNG\r\n\x1a\n"\xff')
    with pytest.raises(DataError, match="other") as error:
        list(ReplyFiles([str(other)], input_format=name).read(Problems()))
    assert "\n" not in str(error.value)


@every_format
def test_a_cut_file_gives_no_other_replies(name: str, path: Path) -> None:
    whole = {reply.id: reply for reply in ReplyFiles([str(path)]).read(Problems())}
    content = path.read_bytes()
    for size in range(0, len(content), max(len(content) // 20, 1)):
        path.write_bytes(content[:size])
        found: list[AnsweredQuestion] = []
        with suppress(DataError):
            found.extend(ReplyFiles([str(path)], input_format=name).read(Problems()))
        assert all(whole[reply.id] == reply for reply in found[:-1])  # a CSV may end anywhere in its last line
