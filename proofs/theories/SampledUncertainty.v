(* The claim on the uncertainty bound where the positions are integers: there it fails. A narrow packet is almost one sample,
   and its spectrum has no more than a period to spread over. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions PositiveDefinite.
Open Scope R_scope.

(* --- a deviation on an interval is at most its length ---------------------------------------------------------------------- *)

Section Interval.
Variables (g : R -> R) (a b : R).
Hypothesis Hab : a <= b.
Hypothesis g_nonneg : forall x, 0 <= g x.
Hypothesis g_integrable : ex_RInt g a b.

Let mass := RInt g a b.
Let mean := RInt (fun x => x * g x) a b / mass.

Lemma mean_inside : ex_RInt (fun x => x * g x) a b -> 0 < mass -> a <= mean <= b.
Proof.
  intros Hm Hpos. unfold mean.
  assert (Scaled : forall c, ex_RInt (fun x => c * g x) a b).
  { intros c. exact (ex_RInt_scal (V := R_NormedModule) g a b c g_integrable). }
  assert (Value : forall c, RInt (fun x => c * g x) a b = c * mass).
  { intros c. apply (RInt_scal (V := R_CompleteNormedModule)), g_integrable. }
  split; apply (Rmult_le_reg_r mass); try exact Hpos; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- Value by lra;
    (apply RInt_le; [exact Hab | auto | auto |]); intros x Hx; apply Rmult_le_compat_r; auto; lra.
Qed.

Lemma deviation_inside : ex_RInt (fun x => x * g x) a b -> ex_RInt (fun x => (x - mean) ^ 2 * g x) a b ->
  sqrt (RInt (fun x => (x - mean) ^ 2 * g x) a b / mass) <= b - a.
Proof.
  intros Hm Hs. rewrite <- (sqrt_pow2 (b - a)) by lra. apply sqrt_le_1_alt.
  assert (Hmass : 0 <= mass) by (apply RInt_ge_0; auto).
  destruct (Rle_lt_or_eq_dec 0 mass Hmass) as [Hpos|Zero].
  - destruct (mean_inside Hm Hpos) as [Hl Hr]. apply (Rmult_le_reg_r mass); [exact Hpos|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace ((b - a) ^ 2 * mass) with (RInt (fun x => (b - a) ^ 2 * g x) a b)
      by (apply (RInt_scal (V := R_CompleteNormedModule)), g_integrable).
    apply RInt_le; [exact Hab | exact Hs | exact (ex_RInt_scal (V := R_NormedModule) g a b _ g_integrable) |].
    intros x Hx. apply Rmult_le_compat_r; [auto|]. nra.
  - rewrite <- Zero. unfold Rdiv. rewrite Rinv_0, Rmult_0_r. apply pow2_ge_0.
Qed.
End Interval.

(* --- series over the integers ---------------------------------------------------------------------- *)

Lemma Rseries_odd f : (forall j : Z, f (- j)%Z = - f j) -> Rsummable f -> Rseries f = 0.
Proof.
  intros Odd [H1 H2]. unfold Rseries. rewrite (Series_incr_1 _ H1).
  rewrite (Series_ext (fun n => f (- Z.of_nat n - 1)%Z) (fun n => - f (Z.of_nat (S n)))).
  - rewrite Series_opp. change (Z.of_nat 0) with 0%Z. assert (Z0 := Odd 0%Z). change (- 0)%Z with 0%Z in Z0. lra.
  - intros n. rewrite <- Odd. f_equal. lia.
Qed.

Lemma Rseries_even f : (forall j : Z, f (- j)%Z = f j) -> Rsummable f ->
  Rseries f = f 0%Z + 2 * Series (fun n => f (Z.of_nat (S n))).
Proof.
  intros Even [H1 H2]. unfold Rseries. rewrite (Series_incr_1 _ H1).
  rewrite (Series_ext (fun n => f (- Z.of_nat n - 1)%Z) (fun n => f (Z.of_nat (S n)))).
  - change (Z.of_nat 0) with 0%Z. ring.
  - intros n. rewrite <- Even. f_equal. lia.
Qed.

(* e^{-k} <= 2^{-k}. *)
Lemma half_power k : exp (- INR k) <= (/ 2) ^ k.
Proof.
  induction k as [|k IH]; [cbn; rewrite Ropp_0, exp_0; lra|].
  rewrite S_INR. replace (- (INR k + 1)) with (- (1) + - INR k) by ring.
  rewrite exp_plus. cbn [pow]. apply Rmult_le_compat; try (left; apply exp_pos); [|exact IH].
  rewrite exp_Ropp. apply Rinv_le_contravar; [lra|]. generalize (exp_ineq1_le 1). lra.
Qed.

(* --- the narrow packet ---------------------------------------------------------------------- *)

(* |psi(n)|^2 at the width 1/4. *)
Definition energy (n : nat) : R := exp (- (16 * INR n ^ 2)).

Lemma energy_terms n : INR (S n) ^ 2 * energy (S n) <= (/ 2) ^ 14 * (/ 2) ^ n.
Proof.
  set (m := INR (S n)). assert (Hm : 1 <= m) by (unfold m; rewrite S_INR; generalize (pos_INR n); lra).
  assert (E : m ^ 2 * energy (S n) <= exp (- (15 * m ^ 2))).
  { unfold energy. fold m. replace (- (16 * m ^ 2)) with (- m ^ 2 + - (15 * m ^ 2)) by ring. rewrite exp_plus, <- Rmult_assoc.
    rewrite <- (Rmult_1_l (exp (- (15 * m ^ 2)))) at 2. apply Rmult_le_compat_r; [left; apply exp_pos|].
    rewrite exp_Ropp. apply (Rmult_le_reg_r (exp (m ^ 2))); [apply exp_pos|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by (apply Rgt_not_eq, exp_pos). generalize (exp_ineq1_le (m ^ 2)). lra. }
  eapply Rle_trans; [exact E|]. rewrite <- Rdef_pow_add. eapply Rle_trans; [|apply half_power].
  assert (H : - (15 * m ^ 2) <= - INR (14 + n)).
  { rewrite plus_INR. replace (INR 14) with 14 by (cbn; ring). unfold m in *. rewrite S_INR in *. nra. }
  destruct H as [H|<-]; [left; now apply exp_increasing | lra].
Qed.

Lemma narrow_packet w j : Cmod (psi (IZR j) w (1 / 4)) ^ 2 = exp (- (16 * IZR j ^ 2)).
Proof.
  rewrite psi_mod. replace (exp (- (IZR j ^ 2 / (2 * (1 / 4) ^ 2))) ^ 2) with
    (exp (- (IZR j ^ 2 / (2 * (1 / 4) ^ 2))) * exp (- (IZR j ^ 2 / (2 * (1 / 4) ^ 2)))) by ring.
  rewrite <- exp_plus. f_equal. field.
Qed.

(* Its position has a deviation of at most 1/64. *)
Lemma narrow_deviation w :
  let f := fun j : Z => Cmod (psi (IZR j) w (1 / 4)) ^ 2 in
  let mean := Rseries (fun j => IZR j * f j) / Rseries f in
  Rsummable f -> Rsummable (fun j => IZR j * f j) -> Rsummable (fun j => (IZR j - mean) ^ 2 * f j) ->
  sqrt (Rseries (fun j => (IZR j - mean) ^ 2 * f j) / Rseries f) <= 1 / 64.
Proof.
  intros f mean H0 H1 H2.
  assert (Value : forall j, f j = exp (- (16 * IZR j ^ 2))) by (intros; apply narrow_packet).
  assert (Even : forall j, f (- j)%Z = f j).
  { intros j. rewrite !Value, opp_IZR. do 3 f_equal. ring. }
  assert (Mean : mean = 0).
  { unfold mean. rewrite Rseries_odd; [unfold Rdiv; ring | | exact H1]. intros j. rewrite Even, opp_IZR. ring. }
  rewrite Mean in *.
  assert (Mass : 1 <= Rseries f).
  { rewrite Rseries_even by assumption. rewrite (Value 0%Z). replace (- (16 * IZR 0 ^ 2)) with 0 by (cbn; ring). rewrite exp_0.
    assert (0 <= Series (fun n => f (Z.of_nat (S n)))); [|lra].
    apply Rle_trans with (Series (fun n => 0 * f (Z.of_nat (S n)))); [rewrite Series_scal_l; lra|]. apply Series_le.
    - intros n. rewrite Value. assert (E := exp_pos (- (16 * IZR (Z.of_nat (S n)) ^ 2))). lra.
    - apply (ex_series_incr_1 (fun n => f (Z.of_nat n))), H0. }
  assert (Geometric : Rabs (/ 2) < 1) by (rewrite Rabs_pos_eq; lra).
  assert (Square : Rseries (fun j => (IZR j - 0) ^ 2 * f j) <= (1 / 64) ^ 2).
  { rewrite Rseries_even; [| |exact H2].
    - assert (S : Series (fun n => (IZR (Z.of_nat (S n)) - 0) ^ 2 * f (Z.of_nat (S n))) <= (/ 2) ^ 14 * (/ (1 - / 2))).
      { rewrite <- (Series_geom (/ 2) Geometric), <- Series_scal_l. apply Series_le.
        - intros n. rewrite Value, <- INR_IZR_INZ, Rminus_0_r. split; [|apply energy_terms].
          apply Rmult_le_pos; [apply pow2_ge_0 | left; apply exp_pos].
        - apply (ex_series_scal_l (V := R_NormedModule)), ex_series_geom, Geometric. }
      replace (IZR 0 - 0) with 0 by (cbn; ring). lra.
    - intros j. rewrite Even, opp_IZR. f_equal. ring. }
  rewrite <- (sqrt_pow2 (1 / 64)) by lra. apply sqrt_le_1_alt. apply (Rmult_le_reg_r (Rseries f)); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

(* Whatever its spectrum is, the product with a deviation on a period stays below 1/2.

   claim: uncertainty.bound *)
Theorem bound_fails_on_integers w (spectrum : R -> C) (left : R) :
  let f := fun j : Z => Cmod (psi (IZR j) w (1 / 4)) ^ 2 in
  let g := fun x => Cmod (spectrum x) ^ 2 in
  let mean_f := Rseries (fun j => IZR j * f j) / Rseries f in
  let mean_g := RInt (fun x => x * g x) left (left + 2 * PI) / RInt g left (left + 2 * PI) in
  Rsummable f -> Rsummable (fun j => IZR j * f j) -> Rsummable (fun j => (IZR j - mean_f) ^ 2 * f j) ->
  ex_RInt g left (left + 2 * PI) -> ex_RInt (fun x => x * g x) left (left + 2 * PI) ->
  ex_RInt (fun x => (x - mean_g) ^ 2 * g x) left (left + 2 * PI) ->
  sqrt (Rseries (fun j => (IZR j - mean_f) ^ 2 * f j) / Rseries f) *
  sqrt (RInt (fun x => (x - mean_g) ^ 2 * g x) left (left + 2 * PI) / RInt g left (left + 2 * PI)) < 1 / 2.
Proof.
  intros f g mean_f mean_g F0 F1 F2 G0 G1 G2. assert (HPI := PI_RGT_0). assert (HPI4 := PI_4).
  set (x := sqrt _). set (y := sqrt _). assert (DF : x <= 1 / 64) by exact (narrow_deviation w F0 F1 F2).
  assert (DG : y <= left + 2 * PI - left).
  { apply (deviation_inside g left (left + 2 * PI)); try assumption; [lra | intros; apply pow2_ge_0]. }
  assert (0 <= x) by apply sqrt_pos. assert (0 <= y) by apply sqrt_pos. nra.
Qed.
