"""What SmolLM2 is worth as a detector of hallucinations.

`shroom`: SHROOM-INDElab's classifier on all validation items of SHROOM's two tracks, beside the majority class. It
takes an hour or so on one core, and resumes where it stopped.

`perturbed`: how well its token probabilities tell replaced spans from untouched ones, on texts that step=perturb makes.
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

import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from factprobe.models.providers.llama_cpp import LlamaCppSettings, SmolLM2

DATA = Path(os.environ.get("FACTPROBE_DATA", Path(__file__).parents[2] / "shared/data"))
ALL = ("all", "all")
"""Every task, every level of consensus."""
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
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = BertForMaskedLM(config).train().to(device)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3)
    losses = []
    for some in islice(_batches(sentences, tokenizer, seed), steps):
        batch = {name: values.to(device) for name, values in some.items()}
        ids = batch["input_ids"]
        chosen = (torch.rand(ids.shape).to(device) < 0.15) & (ids > len(SPECIAL) - 1)
        labels = ids[chosen]
        batch["input_ids"] = ids.masked_fill(chosen, tokenizer.mask_token_id)
        states = model.bert(**batch).last_hidden_state[chosen]  # the output layer is the largest by far
        loss = torch.nn.functional.cross_entropy(model.cls(states), labels)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
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


def shroom(samples: int, limit: int | None, folder: Path) -> None:
    """Classifies the items of each track, and prints the figures beside those of the majority class."""
    for track in ("agnostic", "aware"):
        texts = json.loads((DATA / f"shroom/val.model-{track}.json").read_text(encoding="utf-8"))[:limit]
        place = folder / f"shroom-{len(texts)}" / track
        place.mkdir(parents=True, exist_ok=True)
        (place / "val.json").write_text(json.dumps(texts), encoding="utf-8")
        said = place / "val.smollm2.json"
        asked = ["detector=shroom", f"detector.samples={samples}", "detector.model.threads=1", f"output={said}"]
        run("step=detect", f"input={place}/val.json", *asked, f"output_dir={place}")
        run("step=evaluate_detector", f"predictions={said}", f"output_dir={place}/found")
        print(f"model-{track}, {len(texts):,} items, {samples} samples each:")
        show(
            place / "found/detection.json", ("accuracy", "balanced_accuracy", "f1", "spearman_rho", "roc_auc", "brier")
        )


def show(file: Path, measures: Sequence[str]) -> None:
    """Prints measures of all items, with their intervals."""
    for row in json.loads(file.read_text(encoding="utf-8")):
        if row["measure"] in measures and row["estimate"] is not None and (row["task"], row["consensus"]) == ALL:
            ends = f"{row['low']:.3f} to {row['high']:.3f}"
            print(f"  {row['detector']}: {row['measure']} {row['estimate']:.3f} ({ends})", flush=True)


def perturbed(paragraphs: int, steps: int, candidates: int, seed: int, masked: Path | None, folder: Path) -> None:
    """Makes the texts, has them judged, and prints the figures."""
    folder.mkdir(parents=True, exist_ok=True)
    subjects = evidences()
    usable = sorted(subject for subject, sentences in subjects.items() if len(sentences) >= SENTENCES)
    chosen = Random(seed).sample(usable, paragraphs)
    others = [sentence for subject in sorted(subjects.keys() - {*chosen}) for sentence in subjects[subject]]
    if masked is None:
        masked = folder / "masked"
        print(trained(others, steps, seed, masked), flush=True)
    texts = [{"id": subject, "text": " ".join(subjects[subject][:SENTENCES])} for subject in chosen]
    (folder / "raw.jsonl").write_text("\n".join(map(json.dumps, texts)), encoding="utf-8")
    weights = SmolLM2.file(LlamaCppSettings(backend="smollm2"))
    run(
        "step=perturb",
        f"input={folder}/raw.jsonl",
        f"output={folder}/made.jsonl",
        f"output_dir={folder}/made",
        f"perturb.masked={masked}",
        f"perturb.candidates={candidates}",
        "perturb.controls=true",
        "model=transformers",
        f"model.model={weights}",
        f"seed={seed}",
    )
    records = [json.loads(line) for line in (folder / "made.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = [{**record, "hallucination": int(record["perturbed"])} for record in records]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)), encoding="utf-8")
    detector = ["detector=hades_token_probability", f"output={folder}/gold.smollm2.jsonl"]
    run("step=detect", f"input={folder}/gold.jsonl", *detector, f"output_dir={folder}/detected")
    gold_file = [f"predictions={folder}/gold.smollm2.jsonl", f"input={folder}/gold.jsonl"]
    run("step=evaluate_detector", *gold_file, f"output_dir={folder}/found")
    print(f"{len(gold):,} spans of {len({record['id'].rpartition('-')[0] for record in gold}):,} paragraphs:")
    show(folder / "found/detection.json", ("roc_auc", "pr_auc", "accuracy"))


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("shroom", "perturbed"))
    parser.add_argument("--samples", type=int, default=5, help="of each item (shroom)")
    parser.add_argument("--limit", type=int, help="items of each track (shroom); by default all")
    parser.add_argument("--paragraphs", type=int, default=40, help="(perturbed)")
    parser.add_argument("--steps", type=int, default=1_000, help="of the masked model's training (perturbed)")
    parser.add_argument(
        "--masked", type=Path, help="the folder of a masked model; by default one is trained (perturbed)"
    )
    parser.add_argument("--candidates", type=int, default=5, help="of each paragraph (perturbed)")
    parser.add_argument("--seed", type=int, default=0, help="(perturbed)")
    parser.add_argument("--folder", type=Path, default=Path("outputs/detection"), help="where all files go")
    chosen = parser.parse_args()
    if chosen.what == "shroom":
        shroom(chosen.samples, chosen.limit, chosen.folder)
    else:
        made = chosen.folder / "perturbed"
        perturbed(chosen.paragraphs, chosen.steps, chosen.candidates, chosen.seed, chosen.masked, made)


if __name__ == "__main__":
    main()
