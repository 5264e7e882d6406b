(* The statement of alias.nyquist as it is printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Alias Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: alias.nyquist *)
Theorem alias_nyquist_ours_1 : Statements.alias_nyquist_ours_1.
Proof. intros w s j k Hs. rewrite psi_same, Rplus_comm. apply (nyquist j k w s Hs). Qed.

(* claim: alias.nyquist *)
Theorem alias_nyquist_ours_2 : Statements.alias_nyquist_ours_2.
Proof. intros w s j Hs. rewrite psi_same. apply (nyquist j 0 w s Hs). Qed.
