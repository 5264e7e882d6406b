"""The ledger: claims, the evidence computed for them, and the verdicts that follow."""
from .evidence import Evidence
from .ledger import LEVELS, Ledger, Row, verify
from .verdict import VERDICTS, knowledge, verdict

__all__ = ["LEVELS", "VERDICTS", "Evidence", "Ledger", "Row", "knowledge", "verdict", "verify"]
