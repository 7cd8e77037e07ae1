"""The step `agree`: graders, judges and human labels on the same items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from factprobe.config import LabelSource
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.metrics.raters import Rated, Ratings, agreements
from factprobe.reports.agreement import agreement_table
from factprobe.steps.base import Done, Run, Step
from factprobe.storage import Lines, Problems, open_utf8, read_json, write_csv, write_json

Record = Mapping[str, Any]

_IDS = ("question_id", "id")
_LABELS = ("label", "verdict")
_PROBABILITIES = ("probability", "p(Hallucination)")
_ANNOTATORS = ("labels",)
_NO_LABEL = "failed"
"""The verdict on a question that got no reply."""
_STRICT = Problems(True, "mend it: a line left out would put labels beside those of other items")


def agree(this: Run) -> Done:
    """Compares the raters that `labels` names.

    Raises:
        ConfigError: fewer than two are named, or `gold` is none of them.
        DataError: a file cannot be used, or its items do not match the others'.
    """
    config = this.config
    sources = {
        name: LabelSource(path=source) if isinstance(source, str) else source
        for name, source in (config.labels or {}).items()
    }
    files = {name: files_of(name, source) for name, source in sources.items()}
    records = {name: read_records(paths) for name, paths in files.items()}
    ratings = matched(sources, records, config.gold)
    rows = agreements(ratings, config.gold, config.seed)
    write_csv(this.layout.agreement_csv, rows)
    write_json(this.layout.agreement_json, rows)
    print(agreement_table(rows))
    inputs = [path for paths in files.values() for path in paths]
    counts = {name: len(rated) for name, rated in ratings.items()}
    return Done(f"{len(ratings)} raters → {this.layout.agreement_json}", inputs, {"items": counts})


def matched(
    sources: Mapping[str, LabelSource], records: Mapping[str, Sequence[Record]], gold: str | None = None
) -> dict[str, Ratings]:
    """What each rater says of each item.

    Items are matched by their ids where every rater's records have them, by their order where none has.

    Args:
        sources: where in a record its id, label and so on are, for each rater.
        records: the records of each rater.
        gold: checked to be one of the raters.

    Raises:
        ConfigError: fewer than two raters, or `gold` is none of them.
        DataError: a record cannot be used, or the items do not match.
    """
    if len(sources) < 2:
        mend = (
            "name two or more: 'labels={human: labels.jsonl, rules: outputs/trex/grades/template/smollm2}' gold=human"
        )
        raise ConfigError(f"{len(sources) or 'no'} rater is named", where="labels", mend=mend)
    if gold is not None and gold not in sources:
        raise UnknownNameError("rater", gold, sources)
    fields = {name: _Fields(name, source, records[name]) for name, source in sources.items()}
    with_ids = [name for name, found in fields.items() if found.id]
    if with_ids and len(with_ids) < len(fields):
        lacking = next(name for name in fields if name not in with_ids)
        what = f"the records of {lacking} have no id, those of {with_ids[0]} have"
        raise DataError(what, where=sources[lacking].path, mend=f"name its key: labels.{lacking}.id")
    sizes = {name: len(records[name]) for name in sources}
    if not with_ids and len({*sizes.values()}) > 1:
        what = f"records without an id are matched by their order, but there are {_listed(sizes)}"
        raise DataError(what, where="labels", mend="give each record an id")
    ratings = {name: found.ratings() for name, found in fields.items()}
    if with_ids and not set.intersection(*(set(rated) for rated in ratings.values())):
        raise DataError(f"{_listed(sizes)} have no id in common", where="labels")
    return ratings


class _Fields:
    """Under which keys of a rater's records what stands."""

    def __init__(self, name: str, source: LabelSource, records: Sequence[Record]) -> None:
        self._name, self._source, self._records = name, source, records
        self._keys = dict.fromkeys(key for record in records for key in record)
        self.id = self._find("id", _IDS)
        self.label = self._find("label", _LABELS)
        self.probability = self._find("probability", _PROBABILITIES)
        self.annotators = self._find("annotators", _ANNOTATORS)
        if not (self.label or self.probability):
            raise self._lacks(f"neither {' nor '.join(_LABELS)}", "label")
        self._renamed = {_text(label): _text(meant) for label, meant in source.map.items()}

    def _find(self, field: str, defaults: Iterable[str]) -> str | None:
        named = getattr(self._source, field)
        if named is not None and named not in self._keys:
            raise self._lacks(f"no {named!r}", field)
        return named or next((key for key in defaults if key in self._keys), None)

    def _lacks(self, what: str, field: str) -> DataError:
        known = ", ".join(self._keys) or "none"
        mend = f"set labels.{self._name}.{field} to one of its keys: {known}"
        return DataError(f"the records of {self._name} have {what}", where=self._source.path, mend=mend)

    def ratings(self) -> Ratings:
        """What the rater says of each item, by id or number."""
        found: dict[str, Rated] = {}
        for number, record in enumerate(self._records, 1):
            where = f"{self._source.path}, record {number}"
            item = record.get(self.id) if self.id else number
            if item is None or str(item) in found:
                raise DataError("has no id" if item is None else f"has the id {item} of an earlier one", where=where)
            labels = record.get(self.annotators) or () if self.annotators else ()
            if not isinstance(labels, list | tuple):
                raise DataError("the annotators' labels are no list", where=where)
            several = tuple(label for given in labels if (label := self._label(given, where)) is not None)
            label = self._label(record.get(self.label), where) if self.label else None
            found[str(item)] = Rated(label, self._probability(record, where), several)
        return found

    def _label(self, value: object, where: str) -> str | None:
        if value is None:
            return None
        if isinstance(value, list | dict):
            raise DataError(f"a label is {value!r:.40}, not a word or number", where=where)
        text = self._renamed.get(_text(value), _text(value))
        return None if text in ("", _NO_LABEL) else text

    def _probability(self, record: Record, where: str) -> float | None:
        value = record.get(self.probability) if self.probability else None
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise DataError(f"a probability is {value!r:.40}, not a number", where=where)
        return float(value)


def _text(label: object) -> str:
    """A label as it is compared: the case does not matter, nor whether true or 1 is a word."""
    return str(label).strip().casefold()


def files_of(name: str, source: LabelSource) -> list[Path]:
    """The file of a rater, or those of a folder of grades.

    Raises:
        DataError: the folder holds none.
    """
    path = Path(source.path).expanduser()
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.jsonl"))
    if not found:
        mend = f"set labels.{name} to a file or to a folder such as grades/<generator>/<model>"
        raise DataError("holds no .jsonl file", where=path, mend=mend)
    return found


def read_records(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The records of files that are JSON lists or JSON Lines.

    Raises:
        DataError: one cannot be read or is broken.
    """
    records: list[dict[str, Any]] = []
    for path in paths:
        with open_utf8(path) as file:
            is_list = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        whole = read_json(path, list[dict[str, Any]]) if is_list else Lines(path, dict[str, Any], _STRICT)
        records.extend(whole)
    return records


def _listed(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{size} of {name}" for name, size in sizes.items())


STEP = Step(
    run=agree,
    makes=("agreement.csv", "agreement.json"),
    settings=("labels", "gold", "seed"),
)
