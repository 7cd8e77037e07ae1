"""The command line: entry point, help, sweeps."""
