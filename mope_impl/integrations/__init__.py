"""Other libraries' models with encodings of this one; each module needs its library, and nothing else here loads it."""
