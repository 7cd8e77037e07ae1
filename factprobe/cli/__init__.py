"""The command line: the settings, the sweeps, the help."""
