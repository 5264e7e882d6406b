(* The statement of learning.gradients as it is printed from mope_theory, member by member. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Learning Bridge.
From Mope Require Statements.
Open Scope R_scope.

Lemma differentiable f x l : is_Cderive f x l -> Cdifferentiable f x /\ Cderivative f x = l.
Proof.
  intros [D1 D2]. split.
  - split; eexists; eassumption.
  - apply injective_projections; apply is_derive_unique; assumption.
Qed.

(* claim: learning.gradients *)
Theorem learning_gradients_ours_1 : Statements.learning_gradients_ours_1.
Proof.
  intros w s b Hs. rewrite psi_same. replace (RtoC b * Ci * psi b w s)%C with (Ci * RtoC b * psi b w s)%C by complex_ring.
  apply differentiable, by_frequency, Hs.
Qed.

(* claim: learning.gradients *)
Theorem learning_gradients_ours_2 : Statements.learning_gradients_ours_2.
Proof. intros w s b Hs. rewrite psi_same. apply differentiable, by_width, Hs. Qed.

Lemma largest_gradient s : 0 < s -> 2 * exp (- (1)) / s = 2 / (exp 1 * s).
Proof. intros Hs. rewrite exp_Ropp. field. generalize (exp_pos 1); lra. Qed.

(* claim: learning.gradients *)
Theorem learning_gradients_ours_3 : Statements.learning_gradients_ours_3.
Proof.
  intros w s b Hs. rewrite psi_same, largest_gradient by exact Hs.
  destruct (differentiable _ _ _ (by_width b w s Hs)) as [D ->]. split; [exact D|].
  apply (width_gradient_bound b w s _ Hs (by_width b w s Hs)).
Qed.

(* claim: learning.gradients *)
Theorem learning_gradients_ours_4 : Statements.learning_gradients_ours_4.
Proof.
  intros w s b Hs Hb. rewrite psi_same, largest_gradient by exact Hs.
  destruct (differentiable _ _ _ (by_width b w s Hs)) as [D ->]. split; [exact D|].
  apply (width_gradient_bound b w s _ Hs (by_width b w s Hs)). rewrite Hb. apply Rmult_comm.
Qed.
