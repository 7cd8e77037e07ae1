"""True or false: who grades the replies, and what the rules ask of one."""
