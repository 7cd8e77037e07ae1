"""Graphs that are kept in memory."""
