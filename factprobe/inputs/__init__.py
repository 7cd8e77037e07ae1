"""Readers of replies with questions and right answers, from tables and other tools' logs, in the registry `inputs`."""

from factprobe.inputs.base import Input, Record, inputs
from factprobe.inputs.kinds import Match
from factprobe.inputs.record_values import plain
from factprobe.inputs.records import as_records, read_answered
from factprobe.inputs.reply_files import Replies
from factprobe.inputs.rows import AnsweredQuestion
from factprobe.inputs.skipped import Reason, Skipped

__all__ = [
    "AnsweredQuestion",
    "Input",
    "Match",
    "Reason",
    "Record",
    "Replies",
    "Skipped",
    "as_records",
    "inputs",
    "plain",
    "read_answered",
]
