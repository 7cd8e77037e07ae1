"""Runs factprobe from a checkout: `python run.py step=all kg=trex model=smollm2`."""

from factprobe.__main__ import main

if __name__ == "__main__":
    main()
