"""Replies of anyone's, with their questions and right answers: tables and the logs of other tools, behind the registry
`inputs`."""

from factprobe.inputs.base import Input, Record, inputs
from factprobe.inputs.files import Replies
from factprobe.inputs.kinds import Match
from factprobe.inputs.records import answered, as_records
from factprobe.inputs.rows import Answered
from factprobe.inputs.skipped import Reason, Skipped
from factprobe.inputs.values import plain

__all__ = [
    "Answered",
    "Input",
    "Match",
    "Reason",
    "Record",
    "Replies",
    "Skipped",
    "answered",
    "as_records",
    "inputs",
    "plain",
]
