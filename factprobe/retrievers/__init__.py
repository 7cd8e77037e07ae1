"""Retrievers: they find references for texts that have none."""

from factprobe.retrievers.base import Retriever as Retriever
from factprobe.retrievers.base import retrievers as retrievers
