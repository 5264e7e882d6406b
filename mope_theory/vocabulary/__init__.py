"""Named functions and sets that statements are written in, beyond the symbols of the encoding itself.

unknown functions and index sets (``functions``), figures as they are printed (``numerals``), spectra and deviations
(``spectra``), rounding to a format (``floating``), the gate (``gates``), the published recipe (``recipe``) and quantities
that only runs can give (``measured``).
"""
