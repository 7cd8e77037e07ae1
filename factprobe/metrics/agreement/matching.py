"""Matching of several raters' labels by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from factprobe.config import LabelSource
from factprobe.errors import ConfigError, DataError, UnknownNameError, format_list
from factprobe.inputs.base import is_number
from factprobe.metrics.agreement.raters import RaterLabel, Ratings

Record = Mapping[str, Any]

_LABELS = ("label", "verdict")
_NO_LABEL = "failed"
"""Verdict on a question without a reply; it is read as no label."""


def match_ratings(
    sources: Mapping[str, LabelSource], records: Mapping[str, Sequence[Record]], gold: str | None = None
) -> dict[str, Ratings]:
    """Return each rater's labels by item; `sources` names the keys of the records for id, label and probability.

    Items are matched by id if all raters' records have ids, and by order if none have. Raise an error if there are
    fewer than two raters, `gold` is not one of them, a record cannot be used, or the items do not match.
    """
    if len(sources) < 2:
        example = "'labels={human: labels.jsonl, rules: outputs/trex/grades/template/smollm2}' gold=human"
        raise ConfigError(f"{len(sources) or 'no'} rater is named", where="labels", hint=f"name two or more: {example}")
    if gold is not None and gold not in sources:
        raise UnknownNameError("rater", gold, sources)
    fields = {name: _RaterRecords(name, source, records[name]) for name, source in sources.items()}
    with_ids = [name for name, found in fields.items() if found.id]
    if with_ids and len(with_ids) < len(fields):
        without = next(name for name in fields if name not in with_ids)
        what = f"the records of {without} have no id, those of {with_ids[0]} have"
        raise DataError(what, where=sources[without].path, hint=f"name its key: labels.{without}.id")
    sizes = {name: len(records[name]) for name in sources}
    if not with_ids and len({*sizes.values()}) > 1:
        what = f"records without an id are matched by their order, but there are {_format_sizes(sizes)}"
        raise DataError(what, where="labels", hint="give each record an id")
    ratings = {name: found.ratings() for name, found in fields.items()}
    if with_ids and not set.intersection(*(set(rated) for rated in ratings.values())):
        raise DataError(f"{_format_sizes(sizes)} have no id in common", where="labels")
    return ratings


class _RaterRecords:
    def __init__(self, name: str, source: LabelSource, records: Sequence[Record]) -> None:
        self._name, self._source, self._records = name, source, records
        if not records:
            raise DataError("holds no records", where=source.path, hint=f"set labels.{name} to a file that has some")
        self._keys = dict.fromkeys(key for record in records for key in record)
        self.id = self._find_key("id", ("question_id", "id"))
        self.label = self._find_key("label", _LABELS)
        self.probability = self._find_key("probability", ("probability", "p(Hallucination)"))
        self.annotators = self._find_key("annotators", ("labels",))
        if not (self.label or self.probability):
            raise self._missing_key_error(f"neither {' nor '.join(_LABELS)}", "label")
        self._renamed = {_normalise_label(label): _normalise_label(target) for label, target in source.map.items()}

    def _find_key(self, field: str, defaults: Iterable[str]) -> str | None:
        named = getattr(self._source, field)
        if named is not None and named not in self._keys:
            raise self._missing_key_error(f"no {named!r}", field)
        return named or next((key for key in defaults if key in self._keys), None)

    def _missing_key_error(self, what: str, field: str) -> DataError:
        hint = f"set labels.{self._name}.{field} to one of its keys: {format_list(self._keys)}"
        return DataError(f"the records of {self._name} have {what}", where=self._source.path, hint=hint)

    def ratings(self) -> Ratings:
        """Return the rater's labels by the item's id, or else its number from 1."""
        ratings: dict[str, RaterLabel] = {}
        for number, record in enumerate(self._records, 1):
            where = f"{self._source.path}, record {number}"
            item = record.get(self.id) if self.id else number
            if item is None or str(item) in ratings:
                raise DataError("has no id" if item is None else f"has the id {item} of an earlier one", where=where)
            labels = record.get(self.annotators) or () if self.annotators else ()
            if not isinstance(labels, list | tuple):
                raise DataError("the annotators' labels are no list", where=where)
            several = tuple(label for value in labels if (label := self._parse_label(value, where)) is not None)
            label = self._parse_label(record.get(self.label), where) if self.label else None
            probability = record.get(self.probability) if self.probability else None
            if probability is not None and not is_number(probability):
                raise DataError(f"a probability is {probability!r:.40}, not a number", where=where)
            ratings[str(item)] = RaterLabel(label, None if probability is None else float(probability), several)
        return ratings

    def _parse_label(self, value: object, where: str) -> str | None:
        if value is None:
            return None
        if isinstance(value, list | dict):
            raise DataError(f"a label is {value!r:.40}, not a word or number", where=where)
        text = self._renamed.get(_normalise_label(value), _normalise_label(value))
        return None if text in ("", _NO_LABEL) else text


def _normalise_label(label: object) -> str:
    """Return a label as folded text, so that `True`, `true` and `"TRUE"` are equal."""
    return str(label).strip().casefold()


def _format_sizes(sizes: Mapping[str, int]) -> str:
    return format_list([f"{size} of {name}" for name, size in sizes.items()])
