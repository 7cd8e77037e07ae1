"""How well token probabilities of SmolLM2 tell replaced spans from untouched ones, on texts that step=perturb makes.

The paragraphs are LAMA's evidences, at least five sentences about one subject; no masked model with weights comes in a
package, so one of two layers is trained here first, on the evidences of other subjects. A replaced span is taken for a
hallucination and an untouched one for none, though nobody has looked whether what was put there may be true as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from factprobe.models.providers.llama_cpp import LlamaCppSettings, SmolLM2

DATA = Path(os.environ.get("FACTPROBE_DATA", Path(__file__).parents[2] / "shared/data"))
SENTENCES, VOCABULARY, LENGTH, BATCH = 5, 8_000, 256, 32
SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def evidences() -> dict[str, list[str]]:
    """The sentences about each subject, in the order of the files."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((DATA / "lama/TREx").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            for evidence in record.get("evidences", ()):
                sentence = evidence["masked_sentence"].replace("[MASK]", evidence["obj_surface"])
                if sentence not in found[record["sub_uri"]] and 40 < len(sentence) < 300:
                    found[record["sub_uri"]].append(sentence)
    return found


def trained(sentences: Sequence[str], steps: int, seed: int, folder: Path) -> str:
    """A small BERT, trained for so many steps to fill 15 % of the tokens; says how it did."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    made = BertWordPieceTokenizer(lowercase=False)
    made.train_from_iterator(sentences, vocab_size=VOCABULARY, show_progress=False)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made._tokenizer, model_max_length=LENGTH, **SPECIAL)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=512,
        max_position_embeddings=LENGTH,
    )
    model = BertForMaskedLM(config).train()
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3)
    losses = []
    for batch in islice(_batches(sentences, tokenizer, seed), steps):
        ids = batch["input_ids"]
        chosen = (torch.rand(ids.shape) < 0.15) & (ids > len(SPECIAL) - 1)
        labels = ids[chosen]
        batch["input_ids"] = ids.masked_fill(chosen, tokenizer.mask_token_id)
        states = model.bert(**batch).last_hidden_state[chosen]  # the output layer is the largest by far
        loss = torch.nn.functional.cross_entropy(model.cls(states), labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    last = losses[-50:]
    return f"masked model: {steps:,} steps of {BATCH} sentences, loss {sum(last) / len(last):.2f} at the end"


def _batches(
    sentences: Sequence[str], tokenizer: PreTrainedTokenizerFast, seed: int
) -> Iterator[dict[str, torch.Tensor]]:
    rng = Random(seed)
    while True:
        chosen = rng.sample(sentences, BATCH)
        yield dict(tokenizer(chosen, padding=True, truncation=True, max_length=64, return_tensors="pt"))


def run(*arguments: str) -> None:
    """A command of factprobe, which must do."""
    subprocess.run([sys.executable, "-m", "factprobe", *arguments], check=True)


def bench(paragraphs: int, steps: int, candidates: int, seed: int, folder: Path) -> None:
    """Makes the texts, has them judged, and prints the figures."""
    subjects = evidences()
    usable = sorted(subject for subject, sentences in subjects.items() if len(sentences) >= SENTENCES)
    chosen = Random(seed).sample(usable, paragraphs)
    others = [sentence for subject in sorted(subjects.keys() - {*chosen}) for sentence in subjects[subject]]
    print(trained(others, steps, seed, folder / "masked"), flush=True)
    texts = [{"id": subject, "text": " ".join(subjects[subject][:SENTENCES])} for subject in chosen]
    (folder / "raw.jsonl").write_text("\n".join(map(json.dumps, texts)), encoding="utf-8")
    weights = SmolLM2.file(LlamaCppSettings(backend="smollm2"))
    run(
        "step=perturb",
        f"input={folder}/raw.jsonl",
        f"output={folder}/made.jsonl",
        f"output_dir={folder}/made",
        f"perturb.masked={folder}/masked",
        f"perturb.candidates={candidates}",
        "perturb.controls=true",
        "model=transformers",
        f"model.model={weights}",
        "model.device=cpu",
        f"seed={seed}",
    )
    records = [json.loads(line) for line in (folder / "made.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = [{**record, "hallucination": int(record["perturbed"])} for record in records]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)), encoding="utf-8")
    for reduction in ("mean", "min"):
        detector = ["detector=hades_token_probability", f"detector.reduction={reduction}"]
        target = f"output={folder}/gold.{reduction}.jsonl"
        run("step=detect", f"input={folder}/gold.jsonl", *detector, target, f"output_dir={folder}/{reduction}")
    files = ",".join(f"{folder}/gold.{reduction}.jsonl" for reduction in ("mean", "min"))
    run("step=evaluate_detector", f"predictions=[{files}]", f"input={folder}/gold.jsonl", f"output_dir={folder}/found")
    for row in json.loads((folder / "found/detection.json").read_text(encoding="utf-8")):
        if row["measure"] in ("roc_auc", "pr_auc") and row["estimate"] is not None and row["consensus"] == "all":
            print(f"{row['detector']}: {row['measure']} {row['estimate']:.3f} ({row['low']:.3f} to {row['high']:.3f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paragraphs", type=int, default=100)
    parser.add_argument("--steps", type=int, default=2_000, help="of the masked model's training")
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where all files go; by default they are removed at the end")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        place = options.folder or Path(temporary)
        bench(options.paragraphs, options.steps, options.candidates, options.seed, place)
