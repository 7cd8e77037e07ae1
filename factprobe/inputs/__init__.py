"""Readers of users' files: replies in tables and other tools' logs (registry `inputs`), and texts to check."""

from factprobe.inputs.base import Input as Input
from factprobe.inputs.base import Record as Record
from factprobe.inputs.base import inputs as inputs
from factprobe.inputs.question_kind import Match as Match
from factprobe.inputs.record_values import plain as plain
from factprobe.inputs.records import as_records as as_records
from factprobe.inputs.records import given_records as given_records
from factprobe.inputs.records import read_answered as read_answered
from factprobe.inputs.reply_files import ReplyFiles as ReplyFiles
from factprobe.inputs.rows import AnsweredQuestion as AnsweredQuestion
from factprobe.inputs.skipped import Reason as Reason
from factprobe.inputs.skipped import SkippedRecords as SkippedRecords
