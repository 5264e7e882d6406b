"""Records of finished runs, the statistics over them, and what the rules of the claims make of them. Loads no torch."""
from .record import DIGITS, SCHEMA, Record, RecordError, config_hash, place

__all__ = ["DIGITS", "SCHEMA", "Record", "RecordError", "config_hash", "place"]
