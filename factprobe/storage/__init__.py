"""Storage: reading and writing of records, the layout of output folders, and locks between processes."""

from factprobe.storage.appending import append_line, repair_last_line
from factprobe.storage.atomic_files import (
    NO_ROOM,
    locate_disk_errors,
    open_without_links,
    remove_temporary_files,
    whole_file,
)
from factprobe.storage.csv_files import csv_rows, flat_records, write_csv
from factprobe.storage.folder_copies import copy_folder
from factprobe.storage.json_files import (
    UNREADABLE,
    Lines,
    decode_json,
    file_hash,
    read_json,
    read_list,
    short_hash,
    why_unreadable,
    write_json,
    write_lines,
)
from factprobe.storage.layout import SUPERSEDED, GradedFolder, Layout, inside, is_made, jsonl_files, safe_name
from factprobe.storage.opening import COMPRESSED, RATIO, binary_kind, most_unpacked, open_utf8, strip_bom, to_utf8
from factprobe.storage.problems import DeferredProblems, Problems, SilentProblems
from factprobe.storage.spool import Spool, spool

__all__ = [
    "COMPRESSED",
    "NO_ROOM",
    "RATIO",
    "SUPERSEDED",
    "UNREADABLE",
    "DeferredProblems",
    "GradedFolder",
    "Layout",
    "Lines",
    "Problems",
    "SilentProblems",
    "Spool",
    "append_line",
    "binary_kind",
    "copy_folder",
    "csv_rows",
    "decode_json",
    "file_hash",
    "flat_records",
    "inside",
    "is_made",
    "jsonl_files",
    "locate_disk_errors",
    "most_unpacked",
    "open_utf8",
    "open_without_links",
    "read_json",
    "read_list",
    "remove_temporary_files",
    "repair_last_line",
    "safe_name",
    "short_hash",
    "spool",
    "strip_bom",
    "to_utf8",
    "whole_file",
    "why_unreadable",
    "write_csv",
    "write_json",
    "write_lines",
]
