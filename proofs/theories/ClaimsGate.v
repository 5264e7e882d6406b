(* The statements of gate.causal-form as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra.
From Mope Require Statements.
Open Scope R_scope.

(* The two outputs are one expression in the rows of X and in those of Y. Go down both at once: under the sign of a sum
   its index is bounded, and every row that is met stands at a position that the query sees, where X and Y agree. *)
Ltac same_rows agree :=
  match goal with
  | |- ?a = ?a => reflexivity
  | |- Rsum _ _ = Rsum _ _ => apply Rsum_ext; intros; same_rows agree
  | |- ?x ?k ?i = ?y ?k ?i => apply agree; lia
  | |- _ => f_equal; same_rows agree
  end.

(* claim: gate.causal-form *)
Theorem gate_causal_form_ours_1 : Statements.gate_causal_form_ours_1.
Proof. intros N Wq Wk Wv u beta alpha tau D H HN HD HH X Y t Ht agree i Hi. same_rows agree. Qed.

(* claim: gate.causal-form *)
Theorem gate_causal_form_ours_2 : Statements.gate_causal_form_ours_2.
Proof. intros N Wq Wk Wv u beta alpha tau D H HN HD HH X Y t Ht agree i Hi. same_rows agree. Qed.

(* The first energy is its own mean.

   claim: gate.causal-form *)
Theorem gate_causal_form_ours_3 : Statements.gate_causal_form_ours_3.
Proof. intros e. cbn [Rsum]. unfold Rdiv. replace (e 0%nat - (0 + e 0%nat)) with 0 by ring. apply Rmult_0_l. Qed.

(* Two energies are half their difference from their mean, and so is their standard deviation.

   claim: gate.causal-form *)
Theorem gate_causal_form_ours_4 : Statements.gate_causal_form_ours_4.
Proof.
  intros e. cbn [Rsum]. set (a := e 1%nat - e 0%nat). intros Ha.
  replace (e 1%nat - (0 + e 0%nat + e 1%nat) / 2) with (a / 2) by (unfold a; field).
  replace (0 + (e 0%nat - (0 + e 0%nat + e 1%nat) / 2) ^ 2 + (a / 2) ^ 2) with (a ^ 2 / 2) by (unfold a; field).
  rewrite <- sqrt_mult_alt by lra. replace (2 * (a ^ 2 / 2)) with (Rsqr a) by (unfold Rsqr; field). rewrite sqrt_Rsqr_abs.
  rewrite Rmax_right by lra. unfold Rabs in *. destruct (Rcase_abs a) as [Neg|Pos].
  - rewrite sign_eq_m1 by exact Neg. field. lra.
  - rewrite sign_eq_1 by lra. field. lra.
Qed.
