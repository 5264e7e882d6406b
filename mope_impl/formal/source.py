"""``proofs/theories/Statements.v``: the named functions, and every statement that a formal proof is asked for."""

from __future__ import annotations

import mope_theory as mt

from .statements import Proposition, definitions, propositions

HEAD = """\
(* The statements of the claims, printed from mope_theory: do not edit. `make proofs` writes this file anew, and a theorem of
   Claims*.v proves each of them or the build fails. The members of a conjunction are numbered from 1. Where there is no
   proposition a comment says what it would take. *)
From Coq Require Import Reals ZArith.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language.
Open Scope R_scope.
"""


def asked() -> tuple[Proposition, ...]:
    """Every member of the statements of the claims that ask for a formal proof."""
    return tuple(p for claim in mt.claims() if "formal" in claim.requires for p in propositions(claim))


def source() -> str:
    """The text of the file."""
    parts, claim = [HEAD, definitions()], ""
    for proposition in asked():
        if proposition.claim != claim:
            claim = proposition.claim
            parts.append(f"(* --- {claim} --- *)")
        parts.append(proposition.source)
    return "\n\n".join(part.rstrip() for part in parts) + "\n"
