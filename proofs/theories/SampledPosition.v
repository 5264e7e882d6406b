(* The wave packet of width 1/2 sampled at the integers: the standard deviation of the position, as a ratio of two series that
   are enclosed by their first terms. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions PositiveDefinite SampledUncertainty SampledSpectrum.
Open Scope R_scope.

Definition weight (n : nat) : R := exp (- (4 * INR n ^ 2)).
Definition total : R := Series (fun n => weight (S n)).
Definition squares : R := Series (fun n => INR (S n) ^ 2 * weight (S n)).

Lemma weight_bound n : INR (S n) ^ 2 * weight (S n) <= exp (- (3 * INR (S n) ^ 2)).
Proof.
  unfold weight. set (m := INR (S n)). apply Rle_trans with (exp (m ^ 2) * exp (- (4 * m ^ 2))).
  - apply Rmult_le_compat_r; [left; apply exp_pos|]. generalize (exp_ineq1_le (m ^ 2)). lra.
  - rewrite <- exp_plus. apply exp_monotone. lra.
Qed.

Lemma weight_half n : INR (S n) ^ 2 * weight (S n) <= 1 * (/ 2) ^ n.
Proof.
  eapply Rle_trans; [apply weight_bound|]. rewrite Rmult_1_l. eapply Rle_trans; [|apply half_power]. apply exp_monotone.
  rewrite S_INR. generalize (pos_INR n). nra.
Qed.

Lemma one_le_S n : 1 <= INR (S n).
Proof. rewrite S_INR. generalize (pos_INR n). lra. Qed.

Lemma total_enclosed : Rabs (total - exp (- 4)) <= 2 * exp (- 16).
Proof.
  assert (B : forall n, Rabs (weight (S n)) <= 1 * (/ 2) ^ n).
  { intros n. rewrite Rabs_pos_eq by (left; apply exp_pos). eapply Rle_trans; [|apply weight_half].
    rewrite <- (Rmult_1_l (weight (S n))) at 1. apply Rmult_le_compat_r; [left; apply exp_pos|]. generalize (one_le_S n). nra. }
  destruct (dominated _ _ B) as [E _]. unfold total. rewrite (Series_incr_1 _ E).
  replace (weight 1) with (exp (- 4)) by (unfold weight; f_equal; cbn [INR]; ring).
  set (rest := Series _). replace (_ - _) with rest by ring.
  apply (dominated (fun n => weight (S (S n)))). intros n. rewrite Rabs_pos_eq by (left; apply exp_pos).
  apply Rle_trans with (exp (- 16) * exp (- INR n)).
  - unfold weight. rewrite <- exp_plus. apply exp_monotone. rewrite !S_INR. generalize (pos_INR n). nra.
  - apply Rmult_le_compat_l; [left; apply exp_pos | apply half_power].
Qed.

Lemma squares_series : ex_series (fun n => INR (S n) ^ 2 * weight (S n)).
Proof.
  apply (dominated (fun n => INR (S n) ^ 2 * weight (S n)) 1). intros n. rewrite Rabs_pos_eq; [apply weight_half|].
  apply Rmult_le_pos; [apply pow2_ge_0 | left; apply exp_pos].
Qed.

Lemma squares_enclosed : Rabs (squares - (exp (- 4) + 4 * exp (- 16))) <= 2 * exp (- 27).
Proof.
  assert (E := squares_series). unfold squares. rewrite (Series_incr_1 _ E). assert (E1 := proj1 (ex_series_incr_1 _) E).
  rewrite (Series_incr_1 _ E1).
  replace (INR 1 ^ 2 * weight 1) with (exp (- 4)) by (unfold weight; cbn [INR]; replace (- (4 * 1 ^ 2)) with (- 4) by ring; ring).
  replace (INR 2 ^ 2 * weight 2) with (4 * exp (- 16))
    by (unfold weight; cbn [INR]; replace (- (4 * (1 + 1) ^ 2)) with (- 16) by ring; ring).
  set (rest := Series _). replace (_ - _) with rest by ring.
  apply (dominated (fun n => INR (S (S (S n))) ^ 2 * weight (S (S (S n))))). intros n.
  rewrite Rabs_pos_eq by (apply Rmult_le_pos; [apply pow2_ge_0 | left; apply exp_pos]).
  eapply Rle_trans; [apply weight_bound|]. apply Rle_trans with (exp (- 27) * exp (- INR n)).
  - rewrite <- exp_plus. apply exp_monotone. rewrite !S_INR. generalize (pos_INR n). nra.
  - apply Rmult_le_compat_l; [left; apply exp_pos | apply half_power].
Qed.

Lemma position_deviation w :
  let f := fun j : Z => Cmod (psi (IZR j) w (1 / 2)) ^ 2 in
  let mean := Rseries (fun j => IZR j * f j) / Rseries f in
  Rsummable f /\ Rsummable (fun j => IZR j * f j) /\ Rsummable (fun j => (IZR j - mean) ^ 2 * f j) /\
  Rseries (fun j => (IZR j - mean) ^ 2 * f j) / Rseries f = 2 * squares / (1 + 2 * total).
Proof.
  intros f mean.
  assert (Value : forall j, f j = exp (- (4 * IZR j ^ 2))).
  { intros j. unfold f. rewrite psi_mod. replace (- (IZR j ^ 2 / (2 * (1 / 2) ^ 2))) with (- (2 * IZR j ^ 2)) by field.
    set (e := exp (- (2 * IZR j ^ 2))). replace (e ^ 2) with (e * e) by ring. unfold e. rewrite <- exp_plus. f_equal. ring. }
  assert (At : forall n, f (Z.of_nat (S n)) = weight (S n)) by (intros n; rewrite Value, <- INR_IZR_INZ; reflexivity).
  assert (Even : forall j, f (- j)%Z = f j) by (intros j; rewrite !Value, opp_IZR; do 3 f_equal; ring).
  assert (Left : forall n, f (- Z.of_nat n - 1)%Z = f (Z.of_nat (S n))) by (intros n; rewrite <- Even; f_equal; lia).
  assert (Small : forall n c, 0 <= c <= INR (S n) ^ 2 -> c * weight (S n) <= 1 * (/ 2) ^ n).
  { intros n c Hc. eapply Rle_trans; [|apply weight_half]. apply Rmult_le_compat_r; [left; apply exp_pos | apply Hc]. }
  assert (L := one_le_S).
  assert (F0 : Rsummable f).
  { apply summable_by_halves; intros n; [left; apply Left|]. rewrite At, Rabs_pos_eq by (left; apply exp_pos).
    rewrite <- (Rmult_1_l (weight (S n))). apply Small. specialize (L n). nra. }
  assert (F1 : Rsummable (fun j => IZR j * f j)).
  { apply summable_by_halves; intros n.
    - right. rewrite Left. replace (- Z.of_nat n - 1)%Z with (- Z.of_nat (S n))%Z by lia. rewrite opp_IZR. ring.
    - rewrite At, <- INR_IZR_INZ, Rabs_pos_eq by (apply Rmult_le_pos; [apply pos_INR | left; apply exp_pos]).
      apply Small. specialize (L n). nra. }
  assert (Mean : mean = 0).
  { unfold mean. rewrite Rseries_odd; [unfold Rdiv; ring | | exact F1]. intros j. rewrite Even, opp_IZR. ring. }
  assert (F2 : Rsummable (fun j => (IZR j - mean) ^ 2 * f j)).
  { rewrite Mean. apply summable_by_halves; intros n.
    - left. rewrite Left. replace (- Z.of_nat n - 1)%Z with (- Z.of_nat (S n))%Z by lia. rewrite opp_IZR. ring.
    - rewrite At, <- INR_IZR_INZ, Rminus_0_r, Rabs_pos_eq by (apply Rmult_le_pos; [apply pow2_ge_0 | left; apply exp_pos]).
      apply weight_half. }
  split; [exact F0|]. split; [exact F1|]. split; [exact F2|]. rewrite Mean in *.
  rewrite (Rseries_even f Even F0), Rseries_even; [| |exact F2].
  - f_equal.
    + replace (IZR 0 - 0) with 0 by (cbn; ring). unfold squares.
      rewrite (Series_ext _ (fun n => INR (S n) ^ 2 * weight (S n))); [ring|].
      intros n. now rewrite At, <- INR_IZR_INZ, Rminus_0_r.
    + rewrite (Value 0%Z). replace (- (4 * IZR 0 ^ 2)) with 0 by (cbn; ring). rewrite exp_0. do 2 f_equal.
      unfold total. now apply Series_ext.
  - intros j. rewrite Even, opp_IZR. f_equal. ring.
Qed.
