"""One option of several: who grades the replies, and what the rules ask of one."""
