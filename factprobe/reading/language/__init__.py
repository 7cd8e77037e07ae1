"""What is particular to a language: a pack of words and phrases for each."""
