(* The statements of kernel.positive-definite as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions PositiveDefinite Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_1 : Statements.kernel_positive_definite_ours_1.
Proof.
  intros w s d Hs. rewrite K_same. unfold K. rewrite Cconj_mult, Cconj_R, cis_conj.
  replace (w * - d) with (- (w * d)) by ring. replace ((- d) ^ 2) with (d ^ 2) by ring. reflexivity.
Qed.

(* A real kernel is printed before the weights. *)
Lemma form_printed N (a : nat -> C) (f : nat -> nat -> R) :
  Csum N (fun k => Csum N (fun j => RtoC (f j k) * a j * Cconj (a k))%C) = form N a (fun j k => RtoC (f j k)).
Proof. apply Csum_ext; intros k _. apply Csum_ext; intros j _. complex_ring. Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_2 : Statements.kernel_positive_definite_ours_2.
Proof.
  intros w s N x a Hs _ [Distinct Some]. rewrite K_same, (form_printed N a (fun j k => fst (K (x j - x k) w s))).
  destruct (positive_definite N x a w s Hs) as (I & _ & Q). destruct (positive_definite_real_part N x a w s Hs) as (IR & _ & QR).
  split; (split; [symmetry; assumption | auto]).
Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_3 : Statements.kernel_positive_definite_ours_3.
Proof. intros w s N x a Hs _. rewrite K_same. destruct (positive_definite N x a w s Hs) as (I & Q & _). now split. Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_4 : Statements.kernel_positive_definite_ours_4.
Proof.
  intros w s N x a Hs _. rewrite K_same, (form_printed N a (fun j k => fst (K (x j - x k) w s))).
  destruct (positive_definite_real_part N x a w s Hs) as (I & Q & _). now split.
Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_5 : Statements.kernel_positive_definite_ours_5.
Proof. intros w N x a _. rewrite carrier_same. destruct (carrier_semidefinite N x a w) as [I Q]. now split. Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_6 : Statements.kernel_positive_definite_ours_6.
Proof.
  intros w N x a _. rewrite (form_printed N a (fun j k => cos (w * (x j - x k)))).
  destruct (carrier_semidefinite_real_part N x a w) as [I Q]. now split.
Qed.
