"""Choice of the facts to ask about, and of wrong answers."""
