"""Graded replies that people can judge, from the files of `step=grade` or of a graph's exam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from factprobe.collection.current import graded_responses
from factprobe.collection.sampling import expected_answers
from factprobe.errors import DataError
from factprobe.evaluators.judge import RULE as JUDGED
from factprobe.inputs import ReplyFiles
from factprobe.inputs.labels import reply_hash
from factprobe.records import AnswerGrade, Grade, Question, Response, Verdict
from factprobe.storage import GradedFolder, Lines, Problems, SilentProblems, jsonl_files

Key = tuple[str, str]
"""System and id of a reply, which identify it in labels."""
Verdicts = Mapping[Key, str]
"""Verdicts of a judge by system and id; the system is empty if the judge's records name none."""

_THRESHOLD = 0.5
"""Minimum probability at which a grade of factprobe's model counts as `correct`."""
_HINT = "give step=label the input, columns, match and limit of step=grade, or run step=grade again"


class LabelCandidate(Struct, frozen=True, gc=False, kw_only=True):
    """Reply that may be drawn for labelling, without its texts."""

    id: str
    """Id of the reply, as in the grades."""
    system: str
    """System that gave the reply; empty if there is only one."""
    question: str
    """Identifier of the cluster: the subject of an exam's question, or the question itself for replies from files."""
    digest: str
    """Hash of question and reply."""
    prediction: float
    """Probability that the reply is correct; 1 or 0 according to the verdict if the grade has none."""
    is_contested: bool | None
    """True if the judge and the grader disagree; None if no judge has graded the reply."""

    @property
    def key(self) -> Key:
        """System and id."""
        return self.system, self.id


class GradedReply(Struct, frozen=True, gc=False, kw_only=True):
    """Reply with the texts that a person sees while judging it."""

    candidate: LabelCandidate
    question: str
    answers: tuple[str, ...]
    """Right answers; for a true/false statement, its right label."""
    response: str
    verdict: Verdict
    """Verdict of the grader."""
    why: str
    """Reason for the grade, in a few words."""


def answered_replies(
    replies: ReplyFiles, grades: Path, limit: int | None = None, judge_by_key: Verdicts | None = None
) -> Iterator[GradedReply]:
    """Yield the replies of `step=grade`, of which it read the first `limit`, that people can judge.

    Raises:
        DataError: A file cannot be read, or the grades are of other replies.
    """
    graded_replies = islice(replies.read(SilentProblems()), limit)
    graded = Lines(grades, AnswerGrade, Problems(True, "run step=grade again"))
    for reply, grade in zip_longest(graded_replies, graded):
        if reply is None or grade is None or (reply.id, reply.system) != (grade.id, grade.system):
            raise DataError("holds grades of other replies than the input", where=grades, hint=_HINT)
        if grade.verdict != "failed":
            question, key = reply.question, (reply.system, reply.id)
            item = _graded_reply(key, question, question.bare, reply.response, grade, judge_by_key or {})
            yield replace(item, question="\n".join([question.bare, *question.choices]), answers=_answer_names(question))


def _answer_names(question: Question) -> tuple[str, ...]:
    """Return all names of the right answers; for a true/false statement, its right label."""
    if isinstance(question.answers, str):
        return expected_answers(question)
    return tuple(name for answer in question.answers for name in answer.names())


def exam_replies(
    folder: GradedFolder, relations: Iterable[str], judge_by_key: Verdicts | None = None
) -> Iterator[GradedReply]:
    """Yield the replies of a model, with its folder of grades, to questions about relations that people can judge."""
    for relation in relations:
        if not folder.grades(relation).exists():
            continue
        for question, response, grade in graded_responses(folder, relation):
            if grade.verdict != "failed":
                key = folder.model, question.question_id
                yield _graded_reply(key, question, question.prompts[-1].content, response, grade, judge_by_key or {})


def _graded_reply(
    key: Key,
    question: Question,
    question_text: str,
    response: Response,
    grade: Grade | AnswerGrade,
    judge_by_key: Verdicts,
) -> GradedReply:
    system, name = key
    text = response.response or ""
    candidate = LabelCandidate(
        id=name,
        system=system,
        question=question.subject_uri,
        digest=reply_hash(question_text, text),
        prediction=float(grade.verdict == "correct") if grade.probability is None else grade.probability,
        is_contested=_is_contested(grade, judge_by_key.get(key, judge_by_key.get(("", name)))),
    )
    return GradedReply(
        candidate=candidate,
        question=question_text,
        answers=expected_answers(question),
        response=text,
        verdict=grade.verdict,
        why=grade.why,
    )


def judge_verdicts(path: Path) -> dict[Key, str]:
    """Read a judge's verdicts from a file or folder of grades; raise a `DataError` if it has none or is unreadable."""
    verdicts = {}
    for file in jsonl_files(path):
        for record in Lines(file, dict[str, Any], Problems()):
            name, verdict = record.get("id", record.get("question_id")), record.get("verdict")
            if name is not None and isinstance(verdict, str):
                verdicts[str(record.get("system") or ""), str(name)] = verdict
    if not verdicts:
        hint = "set label.judge to grades.jsonl of another run, or to a folder such as grades/<generator>/<model>"
        raise DataError("holds no verdicts", where=path, hint=hint)
    return verdicts


def _is_contested(grade: Grade | AnswerGrade, judge_verdict: str | None) -> bool | None:
    """Return whether judge and grader are known to disagree about a reply; None without a judge's verdict.

    Without `judge_verdict`, a grade that a judge decided is compared with the grader's probability, if it has one.
    """
    is_correct = grade.verdict == "correct"
    if judge_verdict is not None:
        return None if judge_verdict == "failed" else is_correct != (judge_verdict == "correct")
    if grade.rule != JUDGED:
        return None
    return grade.probability is not None and is_correct != (grade.probability >= _THRESHOLD)
