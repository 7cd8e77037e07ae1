"""Published probing sets: LAMA, BioLAMA and BEAR."""
