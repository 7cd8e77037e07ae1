"""Judge: a model that is asked for a verdict on replies on which the rules or models of factprobe are unsure.

The judged reply may contain instructions to the judge. Therefore it stands between two lines made of its hash, which do
not occur in it, and the judge is told to follow nothing between them; a model may do so all the same. The judge's reply
counts only if it has exactly one of the verdicts outside quotations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from factprobe.components.prompts import Prompt, fence, load_prompt
from factprobe.config.step_types import JudgePromptConfig
from factprobe.evaluators import rule_errors
from factprobe.question_types import get_kind_or_default
from factprobe.reading.structure.cleaning import clean
from factprobe.reading.verdict_replies import read_judge
from factprobe.records import Grade, PlainRequest, Question, Response, Verdict

UNSURE = "unsure"
"""Word in `judge_rules` that stands for all grades whose probability lies in `UNSURE_BAND`."""
UNSURE_BAND = 0.2, 0.8
"""Lowest and highest probability at which a grade is unsure."""
JUDGED = ("unparsed", "options.similar", "single.misspelt", "set.misspelt", UNSURE)
"""Default of `judge_rules`: replies without an answer, misspelt names, and unsure grades."""
RULE = "judge"
"""Rule id of grades that the judge decided."""
JUDGE_LABELS: dict[str, Verdict] = {
    "right": "correct",
    "wrong": "incorrect",
    "declined": "abstained",
    "unclear": "unparsed",
}
"""Verdicts by the words with which a judge may reply; none of them can answer a question."""
_MAX_REPLY = 4_000
"""Maximum number of characters of a reply that the judge is shown; of a longer one, beginning and end."""
_CUT = "\n[...]\n"
_TRIMMED = " \t\r\n\"'`*."


def is_open(grade: Grade, judged: Collection[str] = JUDGED) -> bool:
    """Return whether a reply goes to the judge, given its grade.

    A reply on which a rule raised an error never does, since another reading may fail as well.

    Args:
        grade: Grade by an evaluator.
        judged: Verdicts and rule ids whose grades go to the judge; `unsure` adds those in `UNSURE_BAND`.
    """
    if grade.rule == rule_errors.RULE:
        return False
    low, high = UNSURE_BAND
    is_unsure = grade.probability is not None and low <= grade.probability <= high
    return grade.rule in judged or grade.verdict in judged or (is_unsure and UNSURE in judged)


class JudgePrompt:
    """Prompt of the judge about a reply.

    Args:
        config: Wording; by default that of `conf/prompts/judge.yaml`.

    Raises:
        ConfigError: A placeholder is missing.
    """

    def __init__(self, config: JudgePromptConfig | None = None) -> None:
        self._config = config or load_prompt("judge", JudgePromptConfig)
        needed = "question", "key", "fence", "reply"
        self._prompt = Prompt("messages", self._config.messages, needed, (), "judge_prompt")

    def request(self, question: Question, response: Response) -> PlainRequest | None:
        """Return the request about a reply; its id is the question's id. None for an empty reply."""
        reply = clean(response.response or "")
        if not reply:
            return None
        if len(reply) > _MAX_REPLY:
            reply = reply[: _MAX_REPLY // 2] + _CUT + reply[-_MAX_REPLY // 2 :]
        asked, key = question.prompts[-1].content, self._key(question)
        values = {"question": asked, "key": key, "fence": fence(reply), "reply": reply}
        return PlainRequest(question.question_id, self._prompt.fill(values))

    def _key(self, question: Question) -> str:
        if isinstance(question.answers, str):
            return self._config.statement_key.replace("{answer}", question.answers)
        if not question.answers:
            return self._config.no_answer_key
        names = [" = ".join(answer.names()) for answer in question.answers]
        if not get_kind_or_default(question.question_type).is_set:
            return " or ".join(names)
        listed = "\n".join(f"- {name}" for name in names)
        return self._config.set_key.replace("{count}", str(len(names))).replace("{answers}", listed)


def open_requests(
    graded: Iterable[tuple[Question, Response, Grade]], prompt: JudgePrompt, judged: Collection[str] = JUDGED
) -> Iterator[PlainRequest]:
    """Yield the requests to the judge about the replies that go to it."""
    requests = (prompt.request(question, response) for question, response, grade in graded if is_open(grade, judged))
    return (request for request in requests if request is not None)


def votes_of(replies: Iterable[tuple[PlainRequest, Response | None]]) -> dict[str, list[Verdict | None]]:
    """Return the verdict of each reply of the judge by question id, None if it has none; a request may have several."""
    votes: dict[str, list[Verdict | None]] = {}
    for request, response in replies:
        votes.setdefault(request.question_id, []).append(vote(response, request.prompts[-1].content))
    return votes


def final_grades(
    graded: Iterable[tuple[Question, Response, Grade]], votes: Mapping[str, Sequence[Verdict | None]]
) -> Iterator[Grade]:
    """Yield the final grades, in which decisions of the judge replace decisions of evaluators."""
    for question, _, grade in graded:
        verdicts = votes.get(grade.question_id)
        yield grade if verdicts is None else decided(question, verdicts, grade)


def vote(response: Response | None, shown: str = "") -> Verdict | None:
    """Return the verdict in a reply of the judge; None if there is none.

    Apart from reasoning, the reply has to be one word of `JUDGE_LABELS`; or its last code block, or the verdict in a
    JSON object, has to be this word.

    Args:
        response: Response of the judge.
        shown: Text of the request; objects and blocks that are quoted from it do not count.
    """
    if response is None or response.failed or response.response is None:
        return None
    reply = read_judge(response.response, [shown])
    if verdict := reply.verdict(JUDGE_LABELS):
        return verdict[0]
    alone = reply.text if (block := reply.fenced([shown])) is None else block
    return JUDGE_LABELS.get(alone.strip(_TRIMMED).lower())


def decided(question: Question, votes: Sequence[Verdict | None], grade: Grade) -> Grade:
    """Return the grade by the judge if more than half of its votes agree, else that by the evaluator.

    The judge does not judge single items, so that a set that it calls wrong counts as one wrong answer and no right
    one. If its verdict is that of the evaluator, the counts stay. A vote is None for a reply without a verdict.
    """
    [(verdict, count)] = Counter(votes).most_common(1) or [(None, 0)]
    if verdict is None or 2 * count <= len(votes):
        return grade
    if verdict == grade.verdict:
        return replace(grade, rule=RULE)
    right = 1 if isinstance(question.answers, str) else len(question.answers)
    is_correct = verdict == "correct"
    right_uris = () if isinstance(question.answers, str) else tuple(sorted(answer.uri for answer in question.answers))
    return replace(
        grade,
        verdict=verdict,
        rule=RULE,
        matched=right_uris if is_correct else (),
        true_positives=right if is_correct else 0,
        false_positives=int(verdict == "incorrect" or (verdict == "unparsed" and right == 1)),
        false_negatives=0 if is_correct else right,
        planted=grade.planted and verdict == "incorrect",
    )
