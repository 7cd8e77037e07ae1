"""Texts in which a masked model replaced words, as in HaDes, and their annotation by people."""
