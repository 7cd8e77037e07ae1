"""The answer within a reply: reasoning, fields, Markdown, tags and LaTeX around it."""
