"""`python -m factprobe` is the command `factprobe`."""

import sys


def main() -> None:
    """Load and run the command line; Ctrl-C while it loads is no error."""
    try:
        from factprobe.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
