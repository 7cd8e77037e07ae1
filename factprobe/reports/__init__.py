"""Reports on scores: tables for the terminal, files, and one web page."""
