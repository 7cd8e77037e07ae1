"""What the pages call the settings, and errors in their words."""

from __future__ import annotations

import re

from factprobe.errors import DataError, FactprobeError, MissingExtraError

FIELDS = {
    "claim_extractor": "Claims by",
    "retriever": "Found by",
    "checker": "Checked by",
    "aggregator": "Summed up by",
    "kg": "Graph",
}
"""The field in which a visitor chooses what a group of settings names."""

_ELSEWHERE = re.compile(r"\b\w+(?:\.\w+)*=|\bcommand\b|\benvironment\b|\bserver\b")
"""What is not done on a page: settings, commands."""


def in_words_of_the_page(error: FactprobeError, group: str | None = None) -> str:
    """An error as a visitor can mend it, who has a page and no command line.

    Args:
        error: it.
        group: the key of `FIELDS` where another choice may help, where there is one.
    """
    where, mend = "" if error.where is None else f"{error.where}: ", error.mend or ""
    mends = [mend]
    if isinstance(error, DataError | MissingExtraError) or _ELSEWHERE.search(mend):
        choice = f"choose another one under “{FIELDS[group]}”" if group else ""
        mends = [choice, mend and f"where the app is started: {mend}"]
    told = "; ".join(filter(None, (f"{where}{error.what}", ", or ".join(filter(None, mends)))))
    return " ".join(told.split())
