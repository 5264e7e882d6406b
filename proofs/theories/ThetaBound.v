(* The claim on the theta number: it is at least 4 s sqrt pi e^{-pi^2 s^2}, a number that is positive however small.

   At z = -1 the form of L consecutive positions is L times a mean of the partial alternating sums, so that over L it tends to
   the theta number. It is also an integral: of the Fejer kernel, the squared modulus of 1 + e^{it} + ... + e^{i(L-1)t}, about
   t = x - pi, against the Gaussian e^{-s^2 x^2}. The kernel gathers about t = 0, with 2 pi L of area in every period: near
   x = pi and near x = -pi it sees the values e^{-pi^2 s^2} of the Gaussian, and what it sees elsewhere is not negative. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Calculus Gauss Correlation Uncertainty PositiveDefinite EigenvalueFloor.
Open Scope R_scope.

(* --- sums ---------------------------------------------------------------------- *)

Lemma Rsum_first n f : Rsum (S n) f = f 0%nat + Rsum n (fun i => f (S i)).
Proof. induction n as [|n IH]; [cbn; ring|]. cbn [Rsum] in *. rewrite IH. ring. Qed.

Lemma Rsum_reversed n f : Rsum n (fun i => f (n - S i)%nat) = Rsum n f.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite Rsum_first. cbn [Rsum]. rewrite <- IH.
  replace (S n - 1)%nat with n by lia. ring_simplify. f_equal.
Qed.

(* The diagonals of a square of numbers that depend on j - k. *)
Lemma Rsum_square L g : (forall x, g (- x) = g x) ->
  Rsum L (fun k => Rsum L (fun j => g (INR j - INR k))) = Rsum L (fun D => g 0 + 2 * Rsum D (fun i => g (INR (S i)))).
Proof.
  intros Even. induction L as [|L IH]; [reflexivity|]. cbn [Rsum]. rewrite <- IH, Rsum_plus.
  assert (Edge : Rsum L (fun k => g (INR L - INR k)) = Rsum L (fun i => g (INR (S i)))).
  { rewrite <- (Rsum_reversed L (fun i => g (INR (S i)))). apply Rsum_ext. intros k Hk.
    rewrite <- minus_INR by lia. do 2 f_equal. lia. }
  rewrite (Rsum_ext L (fun j => g (INR j - INR L)) (fun k => g (INR L - INR k))).
  - rewrite Edge, Rminus_eq_0. ring.
  - intros j _. rewrite <- Even. f_equal. ring.
Qed.

Lemma cont_Rsum n (f : nat -> R -> R) : (forall i, cont (f i)) -> cont (fun x => Rsum n (fun i => f i x)).
Proof. intros H. induction n as [|n IH]; cbn [Rsum]; [apply cont_const | now apply cont_plus]. Qed.

Lemma RInt_Rsum n (f : nat -> R -> R) a b : (forall i, cont (f i)) ->
  RInt (fun x => Rsum n (fun i => f i x)) a b = Rsum n (fun i => RInt (f i) a b).
Proof.
  intros H. induction n as [|n IH]; cbn [Rsum].
  - rewrite RInt_const. unfold scal. cbn. unfold mult. cbn. real_equation. ring.
  - rewrite RInt_sum, IH by (try apply cont_Rsum; apply H). reflexivity.
Qed.

Lemma line_Rsum n (f : nat -> R -> R) l : (forall i, is_integral (f i) (l i)) ->
  is_integral (fun x => Rsum n (fun i => f i x)) (Rsum n l).
Proof.
  intros H. induction n as [|n IH]; cbn [Rsum]; [|now apply line_plus].
  replace 0 with (0 * l 0%nat) by ring. apply (line_ext (fun x => 0 * f 0%nat x)); [intros; ring | apply line_scal, H].
Qed.

(* --- the Fejer kernel ---------------------------------------------------------------------- *)

Definition fejer (L : nat) (t : R) : R := Rsum L (fun k => Rsum L (fun j => cos ((INR j - INR k) * t))).

Lemma fejer_cont L : cont (fejer L).
Proof. apply cont_Rsum. intros k. apply cont_Rsum. intros j. apply cont_derivable. intros t. auto_derive. exact I. Qed.

Lemma fejer_square L t : fejer L t = Cmod (Csum L (fun j => cis (INR j * t))) ^ 2.
Proof.
  assert (F := form_square L (fun _ => RtoC 1) (fun j => cis (INR j * t))).
  cbv beta in F.
  rewrite (Csum_ext L (fun j => Cmult 1 (cis (INR j * t))) (fun j => cis (INR j * t))) in F by (intros; apply Cmult_1_l).
  apply (f_equal fst) in F. cbn [fst RtoC] in F. rewrite <- F. unfold form, fejer. rewrite Csum_re. apply Rsum_ext. intros k _.
  rewrite Csum_re. apply Rsum_ext. intros j _. rewrite cis_conj, <- cis_plus.
  replace ((INR j - INR k) * t) with (INR j * t + - (INR k * t)) by ring. unfold cis, Cconj, Cmult, RtoC. cbn [fst snd]. ring.
Qed.

Lemma fejer_nonneg L t : 0 <= fejer L t.
Proof. rewrite fejer_square. apply pow2_ge_0. Qed.

Lemma fejer_period L t : fejer L (t - 2 * PI) = fejer L t.
Proof.
  apply Rsum_ext. intros k _. apply Rsum_ext. intros j _.
  assert (P := cis_period ((INR j - INR k) * (t - 2 * PI)) (Z.of_nat j - Z.of_nat k)).
  apply (f_equal fst) in P. cbn [fst cis] in P.
  rewrite <- P. f_equal. rewrite minus_IZR, <- !INR_IZR_INZ. ring.
Qed.

(* Away from 0 it stays bounded, since (1 + e^{it} + ... + e^{i(L-1)t}) (1 - e^{it}) = 1 - e^{iLt}. *)
Lemma geometric L t : Cmult (Csum L (fun j => cis (INR j * t))) (Cminus 1 (cis t)) = Cminus 1 (cis (INR L * t)).
Proof.
  induction L as [|L IH]; [cbn [Csum INR]; rewrite Rmult_0_l, cis_0; complex_ring|].
  cbn [Csum]. rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, cis_plus.
  transitivity (Cplus (Cmult (Csum L (fun j => cis (INR j * t))) (Cminus 1 (cis t)))
                      (Cmult (cis (INR L * t)) (Cminus 1 (cis t))));
    [complex_ring|]. rewrite IH. complex_ring.
Qed.

Lemma chord t : Cmod (Cminus 1 (cis t)) ^ 2 = 2 - 2 * cos t.
Proof.
  rewrite Cmod_sq. unfold cis, Cminus, Cplus, Copp, RtoC. cbn [fst snd]. generalize (cos_sin_one t). intros. nra.
Qed.

Lemma fejer_far L d t : 0 < d < PI -> d <= t <= PI -> fejer L t <= 2 / (1 - cos d) /\ fejer L (- t) <= 2 / (1 - cos d).
Proof.
  intros Hd Ht. assert (Cos : cos d < 1) by (rewrite <- cos_0; apply cos_decreasing_1; lra).
  assert (Cost : cos t <= cos d) by (apply cos_decr_1; lra).
  assert (B : forall u, cos u = cos t -> fejer L u <= 2 / (1 - cos d)).
  { intros u Eu. apply (Rmult_le_reg_r (1 - cos d)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (fejer L u * (1 - cos u)); [apply Rmult_le_compat_l; [apply fejer_nonneg | lra]|].
    replace (fejer L u * (1 - cos u)) with (/ 2 * (Cmod (Csum L (fun j => cis (INR j * u))) * Cmod (Cminus 1 (cis u))) ^ 2)
      by (rewrite Rpow_mult_distr, <- fejer_square, chord; field).
    rewrite <- Cmod_mult, geometric, chord. generalize (COS_bound (INR L * u)). lra. }
  split; apply B; [reflexivity | apply cos_neg].
Qed.

(* Every period has the area 2 pi L: of the waves only the constant ones are left. *)
Lemma wave_period j k : RInt (fun t => cos ((INR j - INR k) * t)) (- PI) PI = if Nat.eq_dec j k then 2 * PI else 0.
Proof.
  destruct (Nat.eq_dec j k) as [->|Ne].
  - rewrite (RInt_ext _ (fun _ => 1)) by (intros; rewrite Rminus_eq_0, Rmult_0_l; apply cos_0).
    rewrite RInt_const. unfold scal. cbn. unfold mult. cbn. real_equation. ring.
  - assert (D : INR j - INR k <> 0) by (intros E; apply Ne, INR_eq; lra).
    assert (Z : sin ((INR j - INR k) * PI) = 0).
    { apply sin_eq_0_1. exists (Z.of_nat j - Z.of_nat k)%Z. now rewrite minus_IZR, <- !INR_IZR_INZ. }
    rewrite (by_antiderivative (fun t => sin ((INR j - INR k) * t) / (INR j - INR k))).
    + rewrite Z, <- Ropp_mult_distr_r, sin_neg, Z. real_equation. field. exact D.
    + intros t. auto_derive; [exact I | field; exact D].
    + apply cont_derivable. intros t. auto_derive. exact I.
Qed.

Lemma fejer_area L : RInt (fejer L) (- PI) PI = 2 * PI * INR L.
Proof.
  assert (C : forall j k, cont (fun t => cos ((INR j - INR k) * t))).
  { intros. apply cont_derivable. intros. auto_derive. exact I. }
  unfold fejer. rewrite (RInt_Rsum L (fun k t => Rsum L (fun j => cos ((INR j - INR k) * t)))) by (intros; now apply cont_Rsum).
  rewrite (Rsum_ext L _ (fun _ => 2 * PI)), Rsum_const; [real_equation; ring|]. intros k Hk.
  rewrite (RInt_Rsum L (fun j t => cos ((INR j - INR k) * t))) by (intros; apply C).
  rewrite (Rsum_ext L _ (fun j => if Nat.eq_dec j k then 2 * PI else 0)) by (intros; apply wave_period).
  clear C. revert k Hk. induction L as [|L IH]; intros k Hk; [lia|]. cbn [Rsum]. destruct (Nat.eq_dec L k) as [->|Ne].
  - rewrite (Rsum_ext k _ (fun _ => 0)), Rsum_const; [ring|]. intros j Hj. destruct (Nat.eq_dec j k); [lia | reflexivity].
  - rewrite IH by lia. ring.
Qed.

Lemma fejer_near L d : 0 < d < PI -> 2 * PI * INR L - 4 * PI / (1 - cos d) <= RInt (fejer L) (- d) d.
Proof.
  intros Hd. assert (C := fejer_cont L). assert (A := fejer_area L).
  rewrite (RInt_split _ _ (- d) _ C), (RInt_split _ (- d) d _ C) in A. set (B := 2 / (1 - cos d)).
  assert (Cos : cos d < 1) by (rewrite <- cos_0; apply cos_decreasing_1; lra).
  assert (HB : 0 < B) by (apply Rdiv_lt_0_compat; lra).
  assert (Tail : forall a b, a <= b -> b - a <= PI -> (forall t, a < t < b -> fejer L t <= B) -> RInt (fejer L) a b <= PI * B).
  { intros a b Hab Hlen Hle. apply Rle_trans with (RInt (fun _ => B) a b).
    - apply RInt_le; [exact Hab | apply integrable, C | apply integrable, cont_const | exact Hle].
    - rewrite RInt_const. unfold scal. cbn. unfold mult. cbn. nra. }
  assert (T1 : RInt (fejer L) d PI <= PI * B) by (apply Tail; [lra | lra | intros t Ht; apply (fejer_far L d t Hd); lra]).
  assert (T2 : RInt (fejer L) (- PI) (- d) <= PI * B).
  { apply Tail; [lra | lra|]. intros t Ht. rewrite <- (Ropp_involutive t). apply (fejer_far L d (- t) Hd). lra. }
  replace (4 * PI / (1 - cos d)) with (2 * (PI * B)) by (unfold B; field; lra). lra.
Qed.

(* --- the form of L positions at z = -1, as a sum and as an integral ---------------------------------------- *)

Section Bound.
Variable s : R.
Hypothesis Hs : 0 < s.

(* The entries: (-1)^d e^{-d^2/4s^2} at an integer d. *)
Let entry (d : R) : R := exp (- (d ^ 2 / (4 * s ^ 2))) * cos (PI * d).
Let partial (D : nat) : R := entry 0 + 2 * Rsum D (fun i => entry (INR (S i))).
Let weighted (L : nat) (x : R) : R := fejer L (x - PI) * exp (- (s ^ 2 * x ^ 2)).

Let scale_pos : 0 < sqrt PI / s.
Proof. apply Rdiv_lt_0_compat; [apply sqrt_lt_R0, PI_RGT_0 | exact Hs]. Qed.

Lemma weighted_integral L : is_integral (weighted L) (sqrt PI / s * Rsum L partial).
Proof.
  assert (Even : forall d, entry (- d) = entry d).
  { intros d. unfold entry. rewrite <- Ropp_mult_distr_r, cos_neg. do 3 f_equal. unfold Rdiv. f_equal. ring. }
  unfold partial. rewrite <- (Rsum_square L entry Even), <- Rsum_scal.
  apply (line_ext (fun x => Rsum L (fun k => Rsum L (fun j => cos ((INR j - INR k) * (x - PI)) * exp (- (s ^ 2 * x ^ 2)))))).
  { intros x. unfold weighted. rewrite (Rmult_comm (fejer L (x - PI))). unfold fejer. rewrite <- Rsum_scal.
    apply Rsum_ext. intros k _. rewrite <- Rsum_scal. apply Rsum_ext. intros; ring. }
  apply (line_Rsum L (fun k x => Rsum L (fun j => cos ((INR j - INR k) * (x - PI)) * exp (- (s ^ 2 * x ^ 2))))). intros k.
  rewrite <- Rsum_scal. apply (line_Rsum L (fun j x => cos ((INR j - INR k) * (x - PI)) * exp (- (s ^ 2 * x ^ 2)))). intros j.
  assert (H := gaussian_wave 0 (/ s) (- (PI * (INR j - INR k))) (INR j - INR k) (Rinv_0_lt_compat _ Hs)).
  replace (sqrt PI / s * entry (INR j - INR k)) with
    (/ s * sqrt PI * exp (- (((INR j - INR k) * / s) ^ 2 / 4)) * cos ((INR j - INR k) * 0 + - (PI * (INR j - INR k)))).
  - apply (line_ext _ _ _) with (2 := H). intros x. rewrite Rmult_comm. f_equal; [f_equal; ring|].
    f_equal. field. lra.
  - unfold entry. rewrite Rmult_0_r, Rplus_0_l, cos_neg.
    replace (((INR j - INR k) * / s) ^ 2 / 4) with ((INR j - INR k) ^ 2 / (4 * s ^ 2)) by (field; lra). unfold Rdiv. ring.
Qed.

(* It is at least what is gathered about pi and - pi. *)
Lemma gathered L d : 0 < d < PI ->
  2 * exp (- (s ^ 2 * (PI + d) ^ 2)) * (2 * PI * INR L - 4 * PI / (1 - cos d)) <= sqrt PI / s * Rsum L partial.
Proof.
  intros Hd. set (e := exp (- (s ^ 2 * (PI + d) ^ 2))). assert (He : 0 < e) by apply exp_pos.
  assert (C : cont (weighted L)).
  { apply cont_mult; [|apply cont_derivable; intros x; auto_derive; exact I].
    intros x. apply (continuous_comp (fun x => x - PI) (fejer L)); [|apply fejer_cont].
    apply (ex_derive_continuous (fun x => x - PI)). auto_derive. exact I. }
  assert (Nonneg : forall x, 0 <= weighted L x).
  { intros x. apply Rmult_le_pos; [apply fejer_nonneg | left; apply exp_pos]. }
  assert (B := window_below _ _ (- PI - d) (PI + d) C Nonneg (weighted_integral L) ltac:(generalize PI_RGT_0; lra)).
  rewrite (RInt_split _ _ (- PI + d) _ C), (RInt_split _ (- PI + d) (PI - d) _ C) in B.
  assert (M := RInt_nonneg _ (- PI + d) (PI - d) C Nonneg ltac:(lra)).
  assert (Near : forall c, (c = PI \/ c = - PI) -> e * RInt (fejer L) (- d) d <= RInt (weighted L) (c - d) (c + d)).
  { intros c Hc.
    assert (S : RInt (fejer L) (- d) d = RInt (fun x => fejer L (x - c)) (c - d) (c + d)).
    { assert (E := RInt_comp_lin (V := R_CompleteNormedModule) (fejer L) 1 (- c) (c - d) (c + d)).
      replace (1 * (c - d) + - c) with (- d) in E by ring. replace (1 * (c + d) + - c) with d in E by ring.
      rewrite <- E by apply integrable, fejer_cont. apply RInt_ext. intros x _.
      change (1 * fejer L (1 * x + - c) = fejer L (x - c)). rewrite !Rmult_1_l. reflexivity. }
    assert (Cc : cont (fun x => fejer L (x - c))).
    { intros x. apply (continuous_comp (fun x => x - c) (fejer L)); [|apply fejer_cont].
      apply (ex_derive_continuous (fun x => x - c)). auto_derive. exact I. }
    rewrite S, <- RInt_multiple by exact Cc.
    apply RInt_le; [lra | apply integrable, cont_mult; [apply cont_const | exact Cc] | apply integrable, C|].
    intros x Hx. unfold weighted. replace (fejer L (x - PI)) with (fejer L (x - c)).
    - rewrite Rmult_comm. apply Rmult_le_compat_l; [apply fejer_nonneg|]. unfold e.
      apply exp_monotone, Ropp_le_contravar, Rmult_le_compat_l; [apply pow2_ge_0|].
      destruct Hc as [->| ->]; nra.
    - destruct Hc as [->| ->]; [reflexivity|]. rewrite <- (fejer_period L (x - - PI)). f_equal. ring. }
  assert (N1 := Near PI (or_introl eq_refl)). assert (N2 := Near (- PI) (or_intror eq_refl)).
  assert (F := Rmult_le_compat_l e _ _ (Rlt_le _ _ He) (fejer_near L d Hd)). lra.
Qed.

(* --- the limits ---------------------------------------------------------------------- *)

Lemma mean_limit (theta : R) : is_lim_seq partial theta -> is_lim_seq (fun L => Rsum (S L) partial / INR (S L)) theta.
Proof.
  intros H. apply is_lim_seq_Reals in H. apply Cesaro_1 in H. apply is_lim_seq_Reals in H. apply is_lim_seq_incr_1 in H.
  eapply is_lim_seq_ext; [|exact H]. intros n. cbv beta. f_equal. cbn [pred].
  induction n as [|n IH]; [cbn; ring|]. cbn [sum_f_R0]. rewrite IH. reflexivity.
Qed.

Lemma window_bound (theta d : R) : is_lim_seq partial theta -> 0 < d < PI ->
  4 * PI * exp (- (s ^ 2 * (PI + d) ^ 2)) <= sqrt PI / s * theta.
Proof.
  intros H Hd. set (e := exp _). set (B := 4 * PI / (1 - cos d)).
  apply (is_lim_seq_le (fun L => 2 * e * (2 * PI - B * / INR (S L))) (fun L => sqrt PI / s * (Rsum (S L) partial / INR (S L)))
           (Finite _) (Finite _)).
  - intros L. assert (HL : 0 < INR (S L)) by (apply lt_0_INR; lia).
    apply (Rmult_le_reg_r (INR (S L))); [exact HL|].
    replace (2 * e * (2 * PI - B * / INR (S L)) * INR (S L)) with (2 * e * (2 * PI * INR (S L) - B)) by (field; lra).
    replace (sqrt PI / s * (Rsum (S L) partial / INR (S L)) * INR (S L)) with (sqrt PI / s * Rsum (S L) partial) by (field; lra).
    now apply gathered.
  - replace (4 * PI * e) with (2 * e * (2 * PI - B * 0)) by ring. apply (is_lim_seq_scal_l _ _ (Finite _)).
    apply is_lim_seq_minus'; [apply is_lim_seq_const|]. apply (is_lim_seq_scal_l _ _ (Finite 0)).
    apply (is_lim_seq_incr_1 (fun n => / INR n)). apply (is_lim_seq_inv _ p_infty); [apply is_lim_seq_INR | discriminate].
  - apply (is_lim_seq_scal_l _ _ (Finite _)), mean_limit, H.
Qed.

(* The window may be as narrow as one likes. *)
Lemma narrow_bound (theta : R) : is_lim_seq partial theta -> 4 * PI * exp (- (s ^ 2 * PI ^ 2)) <= sqrt PI / s * theta.
Proof.
  intros H. assert (HPI := PI_RGT_0). assert (H3 := PI_4).
  apply (is_lim_seq_le (fun n => 4 * PI * exp (- (s ^ 2 * (PI + (/ 2) ^ S n) ^ 2)))
           (fun _ => sqrt PI / s * theta) (Finite _) (Finite _)).
  - intros n. apply window_bound; [exact H|]. split; [apply pow_lt; lra|].
    apply Rle_lt_trans with (/ 2); [|generalize PI2_1; lra]. cbn [pow]. rewrite <- (Rmult_1_r (/ 2)) at 3.
    apply Rmult_le_compat_l; [lra|]. rewrite <- (pow1 n). apply pow_incr. lra.
  - apply (is_lim_seq_continuous (fun x => 4 * PI * exp (- (s ^ 2 * x ^ 2)))).
    + apply continuity_pt_filterlim, (ex_derive_continuous (fun x => 4 * PI * exp (- (s ^ 2 * x ^ 2)))). auto_derive. exact I.
    + replace (Finite PI) with (Finite (PI + 0)) by (f_equal; ring). apply is_lim_seq_plus'; [apply is_lim_seq_const|].
      apply (is_lim_seq_incr_1 (fun n => (/ 2) ^ n)), is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
  - apply is_lim_seq_const.
Qed.

Lemma partial_theta n : partial n = 1 + 2 * Rsum n (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2)))).
Proof.
  assert (Sign : forall i, cos (PI * INR i) = (-1) ^ i).
  { induction i as [|i IH]; [cbn [INR pow]; rewrite Rmult_0_r; apply cos_0|].
    rewrite S_INR, Rmult_plus_distr_l, Rmult_1_r, neg_cos, IH. cbn [pow]. ring. }
  unfold partial, entry. f_equal.
  - rewrite Rmult_0_r, cos_0. replace (0 ^ 2 / (4 * s ^ 2)) with 0 by (field; lra). rewrite Ropp_0, exp_0. ring.
  - f_equal. apply Rsum_ext. intros i _. rewrite Sign. apply Rmult_comm.
Qed.
End Bound.

(* claim: kernel.positive-definite *)
Theorem theta_bound (s theta : R) : 0 < s ->
  is_lim_seq (fun n => 1 + 2 * Rsum n (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2))))) theta ->
  4 * s * sqrt PI * exp (- (PI ^ 2 * s ^ 2)) <= theta.
Proof.
  intros Hs H. assert (HPI := PI_RGT_0). assert (Hq : 0 < sqrt PI) by (apply sqrt_lt_R0, HPI).
  apply (is_lim_seq_ext _ _ _ (fun n => eq_sym (partial_theta s Hs n))) in H. apply narrow_bound in H; [|exact Hs].
  apply (Rmult_le_reg_l (sqrt PI / s)); [now apply Rdiv_lt_0_compat|]. eapply Rle_trans; [|exact H]. right.
  replace (PI ^ 2 * s ^ 2) with (s ^ 2 * PI ^ 2) by ring. set (e := exp _).
  replace (4 * PI * e) with (4 * (sqrt PI * sqrt PI) * e) by (rewrite sqrt_sqrt; lra). field. lra.
Qed.
