"""`python -m factprobe` is the command `factprobe`."""

from factprobe.cli import main

main()
