(* The statement of phase.rope-angle as it is printed from mope_theory. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Phase Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: phase.rope-angle *)
Theorem phase_rope_angle_published : Statements.phase_rope_angle_published.
Proof.
  intros w s m n Hs. rewrite psi_same, Cexp_turn, <- Cmult_assoc, P_same, <- (rope_angle m n w s Hs).
  unfold Cdiv, Rdiv. rewrite Rmult_1_l, RtoC_inv, Cmult_comm; [reflexivity|].
  rewrite P_mod by exact Hs. apply Rgt_not_eq, exp_pos.
Qed.
