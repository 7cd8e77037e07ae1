"""Analysis of replies with answers in words: names with their assertion status, and attempts at an answer."""
