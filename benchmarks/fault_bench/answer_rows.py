"""The rows about what a model says: whatever it is, it is graded, and that takes no time to speak of."""

from __future__ import annotations

from collections.abc import Callable

from fault_bench.attempt import MODEL, Attempt, hold, records
from fault_bench.calls import to
from tests.models.server import completion, endpoint

_ANSWERS = {
    "of one mark for ever": "a: " * 70_000,
    "of one clause for ever": "the first option is " * 5_000,
    "of years": "1950-1951-1952",
    "of a range": "7-8",
    "that is a formula": '=cmd|"/c calc"!A1',
    "of control codes": "\x1b[2J\x1b]0;Paris\x07\0\x9b31m\u2028\u202eParis",
    "that is HTML": "</script><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}{% raw %}",
    "of 1 MB": "Paris " * 170_000,
    "of digits": "9" * 5_000,
    "of brackets": "(" * 20_000,
    "of white space": " \n\t" * 100_000 + "Paris",
    "of commas": "Paris, " * 30_000,
    "of letters that fold to others": "İ. İnönü, ı. ſmith of ﬁne ﬀ. ẞ",
    "of half characters": "Paris \ud800",
}
"""What a model may say; each is an answer, and grading it takes no time to speak of."""

_GRAPHS = (
    ("kg=trex", "relations=[P36,P527]"),
    ("kg=google_re", "relations=null"),
    ("kg=umls", "relations=null"),
    ("kg=bear", "relations=null"),
)


def _row(text: str) -> Callable[[Attempt], None]:
    def play(attempt: Attempt) -> None:
        graph = attempt.random.choice(_GRAPHS)
        with endpoint(lambda _: (200, completion(text))) as server:
            run = [one for one in to(server.base_url) if not one.startswith(("kg=", "relations=", "limit="))]
            attempt.run("step=all", *graph, "limit=2", "output_dir=out", *run, codes=(0,))
        names = [
            [
                one["question_id"]
                for path in sorted((attempt.folder / "out" / part).rglob("*.jsonl"))
                for one in records(path)
            ]
            for part in ("questions/template", f"grades/template/{MODEL}")
        ]
        hold(names[0] and names[0] == names[1], f"{len(names[1])} grades of {len(names[0])} questions")

    return play


ROWS = {f"the answer {name}": _row(text) for name, text in _ANSWERS.items()}
