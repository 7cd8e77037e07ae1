"""Analysis of replies with answers in words: names with their assertion status, and whether an answer is attempted."""
