(* The statement of definition.envelope as it is printed from mope_theory, member by member. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: definition.envelope *)
Theorem definition_envelope_published_1 : Statements.definition_envelope_published_1.
Proof. intros w s b Hs. rewrite psi_same. apply (envelope b 0 0 w s Hs). Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_published_2 : Statements.definition_envelope_published_2.
Proof. intros w s b Hs. rewrite psi_same. apply (envelope b 0 0 w s Hs). Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_published_3 : Statements.definition_envelope_published_3.
Proof. intros w s Hs. rewrite psi_same. apply (envelope 0 0 0 w s Hs). Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_published_4 : Statements.definition_envelope_published_4.
Proof. intros w s b Hs. rewrite psi_same. apply (envelope b 0 0 w s Hs). Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_published_5 : Statements.definition_envelope_published_5.
Proof. intros w s m n Hs. rewrite psi_same. apply (envelope 0 m n w s Hs). Qed.

(* The printed half-width has the square root split: sqrt 2 s sqrt (ln 2) = s sqrt (2 ln 2). *)
Lemma half_width_printed s : sqrt 2 * s * sqrt (ln 2) = s * sqrt (2 * ln 2).
Proof. rewrite sqrt_mult_alt by lra. ring. Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_ours_1 : Statements.definition_envelope_ours_1.
Proof. intros w s b Hs. rewrite psi_same, half_width_printed. apply half_width, Hs. Qed.

(* claim: definition.envelope *)
Theorem definition_envelope_ours_2 : Statements.definition_envelope_ours_2.
Proof. intros w s b Hs. rewrite psi_same, half_width_printed. apply half_width, Hs. Qed.
