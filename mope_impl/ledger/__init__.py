"""The ledger: claims, the evidence computed for them, and the verdicts that follow."""
from .cache import Cache, cache_folder
from .evidence import Evidence
from .ledger import LEVELS, LIMIT, Ledger, Row, verify
from .verdict import VERDICTS, knowledge, verdict

__all__ = [
    "LEVELS",
    "LIMIT",
    "VERDICTS",
    "Cache",
    "Evidence",
    "Ledger",
    "Row",
    "cache_folder",
    "knowledge",
    "verdict",
    "verify",
]
