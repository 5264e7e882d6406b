"""One package a backend: a printer, a configuration and a template, joined by ``emit(schedule) -> str``."""
