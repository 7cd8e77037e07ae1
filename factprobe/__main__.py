"""Entry point of the command line as `python -m factprobe`."""

import sys


def main() -> None:
    """Load and run the command line; exit quietly if Ctrl-C is pressed while it loads."""
    try:
        from factprobe.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
