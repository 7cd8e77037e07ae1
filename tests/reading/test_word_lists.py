"""Words of a language stand in its pack: no module that reads text holds a list of them, nor compares with one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import factprobe
from factprobe.records import Verdict
from tests.tables import for_each_row

PACKAGE = Path(factprobe.__file__).parent
ROOMS = ("reading", "evaluators", "checkers", "detectors", "text.py")
ALLOWED = {
    ("checkers/llm.py", "LlmChecker"): "placeholders of a wording",
    ("checkers/llm.py", "_check_claims"): "placeholders of a wording",
    ("detectors/hades/classical.py", "FeatureDetector"): "what is counted",
    ("detectors/hades/training.py", "HeadTrainer"): "keys of a file",
    ("detectors/spans/features.py", "*"): "names of features",
    ("detectors/spans/span_judge.py", "*"): "placeholders of a wording and a key of JSON",
    ("detectors/hades/transformer.py", "TransformerDetector"): "what is counted, and names of settings",
    ("detectors/hades/transformer.py", "_memory_hint"): "the name of a device",
    ("detectors/hades/trained.py", "TrainedDetector"): "names of settings",
    ("checkers/verdicts.py", "_LABEL_AS_VERB"): "the only label whose sentence may begin with the claim",
    ("detectors/hallucination.py", "Hallucination"): "names of settings",
    ("detectors/hallucination.py", "_check_texts"): "names of settings",
    ("detectors/judge.py", "*"): "placeholders of a wording, and the keys of a reply",
    ("detectors/selfcheck.py", "SelfCheckDetector"): "placeholders of a wording",
    ("detectors/shroom.py", "ShroomDetector"): "placeholders of a wording",
    ("detectors/shroom.py", "ShroomSettings"): "a name in a registry",
    ("detectors/shroom.py", "_prompt_values"): "placeholders of a wording",
    ("evaluators/entities/features.py", "*"): "names of features",
    ("evaluators/grading.py", "Grader"): "types of questions",
    ("evaluators/rule_errors.py", "RuleErrors"): "what is said about an error",
    ("evaluators/judge.py", "JudgePrompt"): "placeholders of a prompt",
    ("evaluators/judge.py", "JUDGE_LABELS"): "what the judge may say, as its prompt has it",
    ("evaluators/judge.py", "RULE"): "a name of a rule",
    ("evaluators/judge.py", "UNSURE"): "a name in a setting",
    ("evaluators/reference/evaluator.py", "ReferenceEvaluator"): "names of thresholds",
    ("evaluators/reference/features.py", "*"): "names of features",
    ("reading/tokenisation/tokens.py", "UMLAUTS"): "letters that are written as two",
    ("evaluators/reference/reference_reading.py", "_ARABIC_ARTICLE"): "an article that is written with its word",
    ("evaluators/options/features.py", "FEATURES"): "names of features",
    ("evaluators/options/features.py", "_features"): "names of features",
    ("evaluators/options/option_mentions.py", "_is_option"): "endings of verbs and nouns",
    ("evaluators/options/option_mentions.py", "_join_mentions"): "how a mention names an option",
    ("evaluators/question_linking.py", "_NAMESPACE"): "schemes of IRIs",
    ("evaluators/places.py", "MaskedReply"): "statuses of a mention",
    ("evaluators/true_false/features.py", "*"): "names of features and kinds of mentions",
    ("evaluators/true_false/statement_reading.py", "*"): "kinds of cues",
    ("evaluators/llm_facteval.py", "*"): "defined by LLM-facteval",
    ("reading/verdict_replies.py", "KEYS"): "keys of JSON that the prompts name",
    ("reading/tokenisation/tokens.py", "_ROMAN"): "numerals",
    ("reading/tokenisation/tokens.py", "_words"): "the endings of contractions",
    ("reading/tokenisation/tokens.py", "key_of"): "the endings of contractions",
    ("reading/structure/reasoning.py", "_BLOCK"): "special tokens of models",
    ("reading/structure/reasoning.py", "FINAL"): "the beginning of a channel",
    ("reading/structure/reasoning.py", "_LAST_BLOCK"): "special tokens of models",
    ("reading/structure/reasoning.py", "_MARK"): "special tokens of models",
    ("reading/structure/reasoning.py", "_CHANNEL"): "special tokens of models",
    ("reading/structure/reasoning.py", "_REASONING"): "special tokens of models",
    ("reading/structure/fields.py", "answer_of_json"): "the JSON value null",
    ("reading/structure/reasoning.py", "TOKEN"): "special tokens of models",
    ("reading/structure/reasoning.py", "_OWN_TURN"): "special tokens of models",
    ("reading/structure/reasoning.py", "_TURNS"): "special tokens of models",
    ("reading/language/__init__.py", "_FIRST"): "the code of a language",
    ("reading/structure/latex.py", "*"): "commands of LaTeX",
    ("reading/names/fuzzy.py", "_ALIKE"): "letters that sound alike",
    ("reading/values/value_parsing.py", "_DURATION_UNITS"): "names of units",
    ("reading/values/value_parsing.py", "_PARTS"): "names of groups in a pattern",
    ("reading/values/value_parsing.py", "_PARSERS"): "names of groups in a pattern",
    ("text.py", "greek_name"): "names in Unicode",
    ("text.py", "_ARTICLES"): "what counts as the same name is settled below the packs, which are normalised by it",
    ("text.py", "_MAY_BE_BRITISH"): "parts of words, to look for all of `_SPELLINGS` only where one may be",
    ("text.py", "_NO_ARTICLE"): "what counts as the same name is settled below the packs, which are normalised by it",
    ("text.py", "_LETTER_REPLACEMENTS"): "letters that Unicode does not take apart",
    ("text.py", "_SPELLINGS"): "what counts as the same name is settled below the packs, which are normalised by it",
}
"""Where words may stand, and why."""

_NO_LISTS = {"__all__", "__slots__"}
_NUMERAL = re.compile("[ivxlcdm]+")
_NO_WORDS = re.compile(r"\(\?P?[<=!]*\w*[>):]?|\[(?:\\.|[^\]\\])*\]|\\[ux][0-9a-f]{2,4}|\\.")
"""What has letters in a regular expression and is no word: names of groups, flags, classes of letters, escapes."""


def states_in(code: str) -> Iterator[frozenset[str]]:
    """The names of states that a module's `Literal` types list, also by the names of others."""
    named: dict[str, frozenset[str]] = {}
    for node in ast.walk(ast.parse(code)) if "Literal[" in code else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Literal["):
            values = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
            states = frozenset(value for value in values if isinstance(value, str))
            named[ast.unparse(node.targets[0])] = states.union(
                *[named.get(n.id, ()) for n in ast.walk(node.value) if isinstance(n, ast.Name)]
            )
            yield named[ast.unparse(node.targets[0])]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            values = [n.value for n in ast.walk(node.slice) if isinstance(n, ast.Constant)]
            yield frozenset(value for value in values if isinstance(value, str))


@cache
def all_states() -> set[frozenset[str]]:
    """The code's own words: a list of some of one type's is no list of a language's."""
    return {states for path in PACKAGE.rglob("*.py") for states in states_in(path.read_text(encoding="utf-8"))}


def is_word(text: str) -> bool:
    """Whether a text is a lower-case word, and neither a numeral nor a verdict."""
    word = text.strip()
    is_lower = word.isalpha() and word == word.lower() and len(word) > 1
    return is_lower and not _NUMERAL.fullmatch(word) and word not in get_args(Verdict)


def text_of(node: ast.AST) -> str:
    """The text of a string as far as it is written out; a space stands for each inserted value."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return " " if isinstance(node, ast.FormattedValue) else ""


def listed_in(node: ast.AST) -> list[str]:
    """The words that an expression lists: a collection, a table, comparisons, a text that is split, a pattern."""
    parts: list[ast.AST] = []
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        parts = [*node.elts]
    elif isinstance(node, ast.Dict):
        parts = [key for key in node.keys if key is not None]
    elif isinstance(node, ast.BoolOp):
        parts = [
            side for test in node.values if isinstance(test, ast.Compare) for side in (test.left, *test.comparators)
        ]
    elif isinstance(node, ast.Call):
        return _listed_in_call(node, ast.unparse(node.func))
    elif isinstance(node, ast.Constant | ast.JoinedStr):
        found = re.search(r"([^\W\d_]{2,})[)?]*\|[(?:]*([^\W\d_]{2,})", _plain(text_of(node)))
        return [*found.groups()] if found else []
    return [text_of(part) for part in parts if is_word(text_of(part))]


def _listed_in_call(node: ast.Call, called: str) -> list[str]:
    if called.startswith("re."):  # a single word of a pattern is one too many
        return 2 * [word for part in node.args for word in re.findall(r"[^\W\d_]{2,}", _plain(text_of(part)))]
    parts = [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr == "split" else []
    parts = node.args if called in ("frozenset", "set", "listed", "words") else parts
    return [word for part in parts for word in text_of(part).split() if is_word(word)]


_CONTRACTION = re.compile(r"[a-z]*['’][a-z]*")
_OF_TEXTS = {
    *("count", "find", "index", "rfind", "rindex", "startswith", "endswith"),
    *("partition", "rpartition", "removeprefix", "removesuffix", "replace", "sub", "subn"),
}
"""Methods that look for a text in another, or put one there."""


def alone_in(node: ast.AST) -> Iterator[ast.AST]:
    """What an expression compares with, looks for, puts in or chooses between, and what a name is bound to."""
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_TEXTS:
        yield from node.args
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Lambda):
        yield node.body
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Set | ast.List):
        yield from node.elts
    elif isinstance(node, ast.Dict):
        yield from node.values
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        yield from (node.elt, *(loop.iter for loop in node.generators))


def single_words(code: str) -> Iterator[tuple[str, list[str]]]:
    """The single words and contractions that a module compares with or writes, each with its place."""
    own = set().union(*all_states())
    for statement in ast.parse(code).body:
        place = _bound(statement)
        slots = {id(n) for a in ast.walk(statement) if _bound(a) in _NO_LISTS for n in ast.walk(a)}
        for node in ast.walk(statement):
            parts = alone_in(node) if id(node) not in slots else ()
            words = {text_of(part).strip() for of in parts for part in _flat(of)}
            yield from ((place, [word]) for word in words if (is_word(word) or _contracts(word)) and word not in own)


def _flat(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Tuple | ast.List):
        for part in node.elts:
            yield from _flat(part)
    else:
        yield node


def _contracts(word: str) -> bool:
    return len(word) > 1 and _CONTRACTION.fullmatch(word) is not None


def _plain(pattern: str) -> str:
    pattern = re.sub(r"\[([A-Z])([a-z])\]", lambda f: f[2] if f[1].lower() == f[2] else f[0], pattern)  # [Nn]o
    return _NO_WORDS.sub(lambda found: "(" if found[0].startswith("(") else "\\", pattern)


def word_lists(code: str) -> Iterator[tuple[str, list[str]]]:
    """The lists of words in a module, each with the name that it is bound to or the function that it stands in."""
    for statement in ast.parse(code).body:
        place = _bound(statement)
        if place in _NO_LISTS:
            continue
        docstrings = {id(n.value) for n in ast.walk(statement) if isinstance(n, ast.Expr)}
        slots = {id(n) for a in ast.walk(statement) if _bound(a) in _NO_LISTS for n in ast.walk(a)}
        for node in ast.walk(statement):
            words = listed_in(node) if id(node) not in docstrings | slots else []
            if len(words) > 1 and not any(states.issuperset(words) for states in all_states()):
                yield place, words


@cache
def all_words(path: Path) -> list[tuple[str, list[str]]]:
    """The words in a module, in lists and alone."""
    code = path.read_text(encoding="utf-8")
    return [*word_lists(code), *single_words(code)]


def _bound(node: ast.AST) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return ast.unparse(targets[0]) if isinstance(targets[0], ast.Name) else ""


def modules() -> list[Path]:
    rooms = [PACKAGE / room for room in ROOMS]
    return sorted(path for room in rooms for path in (room.rglob("*.py") if room.is_dir() else [room]) if path.exists())


def unexplained(path: Path) -> Iterator[tuple[str, list[str]]]:
    name = path.relative_to(PACKAGE).as_posix()
    for place, words in all_words(path):
        if not {(name, place), (name, "*")} & ALLOWED.keys():
            yield place, words


@for_each_row("path", modules())
def test_no_module_holds_words_of_a_language(path: Path) -> None:
    assert list(unexplained(path)) == []


def test_every_exception_is_one() -> None:
    found = set()
    for path in modules():
        name = path.relative_to(PACKAGE).as_posix()
        found |= {key for place, _ in all_words(path) for key in ((name, place), (name, "*"))}
    assert ALLOWED.keys() <= found


@for_each_row(
    "code",
    [
        '_LINKS = frozenset({"and", "or"})',
        '_LINKS = ("and", "or")',
        '_CUTS = listed("before after until")',
        '_CUTS = frozenset("before after until".split())',
        '_MONTHS = {"january": 1, "february": 2}',
        '_NOT = re.compile(r"\\b(?:not|never)\\b")',
        '_NOT = re.compile(rf"\\b(?:{OTHERS}|never)\\b")',
        '_LEAD = re.compile(r"^the\\s+", re.I)',
        '_NOT = r"\\b(?:not|never)\\b"',
        '_ANSWER = r"answers?|replies"',
        'def f(word):\n    return word in ("maybe", "perhaps")',
        'def f(word):\n    return word == "maybe" or word == "perhaps"',
        'def f(text):\n    return text.endswith((" it", " he"))',
        'def f(text):\n    return re.search("yes", text)',
        "class A:\n    WORDS = ['ja', 'nein']",
        '_WORDS = ["да", "нет"]',
    ],
)
def test_a_list_of_words_is_seen(code: str) -> None:
    assert list(word_lists(code))


@for_each_row(
    "code",
    [
        '"""What and or not is."""',
        'def f():\n    """One or another."""\n    raise ValueError("no such thing, or another")',
        '_ROMAN = ("ii", "iii", "iv")',
        '_LETTER = re.compile(r"\\(?(?P<letter>[A-Za-z])\\)|(?i:x)\\b")',
        '_BULLET = re.compile(r"^[ \\t]*(?:[-*+]|\\d{1,2}[.)])", re.MULTILINE)',
        "_NOT = re.compile(rf\"\\b(?:{phrases('not')})\\b\")",
        '_LINKS = vocabulary("link_and", "link_or")',
        'class A:\n    __slots__ = ("words", "lines")',
        '__all__ = ["grade", "rule"]',
        'def f():\n    return "correct", "label"',
        'def f(verdict):\n    return verdict in ("correct", "incorrect")',
        'def f(api):\n    return api in ("chat", "completions")',
    ],
)
def test_what_is_no_list_of_words(code: str) -> None:
    assert list(word_lists(code)) == []


@for_each_row(
    "code",
    [
        'def f(word):\n    return word == "however"',
        'def f(words):\n    return words[-1:] == ["yes"]',
        'def f(gap):\n    return gap not in ([], ["the"])',
        'def f(text):\n    return " but " in text',
        'def f(text):\n    return text.rpartition(" but ")[2]',
        'def f(text):\n    return text.replace("&", " and ")',
        'def f(word):\n    return word.endswith("ly")',
        'def f(text):\n    return any(part in text for part in (" would ", "\'d "))',
        'def f(text):\n    return f"statement {text}" in text',
        'def f(text):\n    return [f"not {line}" for line in text]',
        'def f(text):\n    return _X.sub(lambda found: "true" if found else "false", text)',
        'def f(words):\n    return words - {"of"}',
        'def f(text):\n    return text.removeprefix("\'s")',
        '_GENITIVE = ("\'s", "’s")',
        '_TURNS = "however"',
        '_SIGNS = {"✓": "true"}',
    ],
)
def test_a_single_word_is_seen(code: str) -> None:
    assert list(single_words(code))


@for_each_row("pattern", ["\\\\bno,?\\\\s+", "\\\\b([Nn]o)\\\\."])
def test_a_single_word_of_a_pattern_is_seen(pattern: str) -> None:
    assert list(word_lists(f'_NO = re.compile("{pattern}")'))


@for_each_row(
    "code",
    [
        'def f(verdict):\n    return verdict == "correct"',
        'def f(labels):\n    return labels.how == "judged"',
        'def f(text):\n    """however"""\n    return text.replace("•", " ")',
        'def f(word):\n    return word in vocabulary("turns")',
        'class A:\n    __slots__ = ("words", "lines")',
        '_ROMAN = "ii"',
        '_QUOTES = "\'’"',
    ],
)
def test_what_is_no_single_word(code: str) -> None:
    assert list(single_words(code)) == []
