(* The statements of kernel.positive-definite as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions PositiveDefinite EigenvalueFloor ThetaBound Bridge.
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

(* --- the theta number, printed as a series over all integers -------------------------------------------------------- *)

Lemma sign_of_integer (n : nat) : powerRZ (-1) (- Z.of_nat n) = (-1) ^ n.
Proof.
  rewrite powerRZ_neg', <- pow_powerRZ. induction n as [|n IH]; cbn [pow]; [apply Rinv_1|]. rewrite Rinv_mult, IH. field.
Qed.

Lemma theta_printed s : 0 < s ->
  let term := fun j : Z => powerRZ (-1) j * exp (- (IZR j ^ 2 / (4 * s ^ 2))) in
  Rsummable term /\ is_theta s (Rseries term).
Proof.
  intros Hs term. set (tail := fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2)))).
  assert (Right : forall i, term (Z.of_nat (S i)) = tail i).
  { intros i. unfold term, tail. now rewrite <- pow_powerRZ, <- INR_IZR_INZ. }
  assert (Left : forall i, term (- Z.of_nat i - 1)%Z = tail i).
  { intros i. unfold term, tail. replace (- Z.of_nat i - 1)%Z with (- Z.of_nat (S i))%Z by lia.
    rewrite sign_of_integer, opp_IZR, <- INR_IZR_INZ. do 3 f_equal. unfold Rdiv. f_equal. ring. }
  assert (Origin : term 0%Z = 1).
  { unfold term. replace (IZR 0 ^ 2 / (4 * s ^ 2)) with 0 by (field; lra). rewrite Ropp_0, exp_0. cbn. ring. }
  assert (E : ex_series tail) by exact (theta_terms s Hs).
  assert (E1 : ex_series (fun n => term (Z.of_nat n))).
  { apply (ex_series_incr_1 (fun n => term (Z.of_nat n))). apply (ex_series_ext tail); [intros; now rewrite Right | exact E]. }
  assert (E2 : ex_series (fun n => term (- Z.of_nat n - 1)%Z)).
  { apply (ex_series_ext tail); [intros; now rewrite Left | exact E]. }
  split; [now split|]. unfold Rseries. rewrite (Series_incr_1 _ E1), (Series_ext _ tail Left).
  rewrite (Series_ext (fun k => term (Z.of_nat (S k))) tail Right). change (Z.of_nat 0) with 0%Z. rewrite Origin.
  replace (1 + Series tail + Series tail) with (1 + 2 * Series tail) by ring. exact (theta_by_series s Hs).
Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_7 : Statements.kernel_positive_definite_ours_7.
Proof.
  intros w s N z a Hs _ [Distinct Some]. rewrite K_same, (form_printed N a (fun j k => fst (K (IZR (z j) - IZR (z k)) w s))).
  destruct (theta_printed s Hs) as [Sum Theta].
  destruct (eigenvalue_floor N z a w s _ Hs Theta (fun j k Hj Hk => Distinct j Hj k Hk) Some) as [F FR].
  destruct (positive_definite N (fun j => IZR (z j)) a w s Hs) as (I & _).
  destruct (positive_definite_real_part N (fun j => IZR (z j)) a w s Hs) as (IR & _).
  split; (split; [exact Sum|]); (split; [symmetry; assumption | assumption]).
Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_8 : Statements.kernel_positive_definite_ours_8.
Proof.
  intros s Hs. destruct (theta_printed s Hs) as [Sum Theta]. split; [exact Sum|].
  replace (4 * sqrt PI * s) with (4 * s * sqrt PI) by ring. exact (theta_bound s _ Hs Theta).
Qed.
