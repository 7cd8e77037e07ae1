"""Retrievers of references for texts that come without."""

from factprobe.retrievers.base import Retriever as Retriever
from factprobe.retrievers.base import retrievers as retrievers
