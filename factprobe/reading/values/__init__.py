"""Dates, numbers and quantities in a text."""
