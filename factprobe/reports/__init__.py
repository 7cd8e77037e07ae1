"""Reports: scores for people, as a terminal table, files and one web page."""
