"""Replies to questions that are answered in words: names with their status, and whether an answer is attempted."""
