(* The spectrum of the wave packet of width 1/2 sampled at the integers, and its standard deviation over a period: what the
   claim on the uncertainty bound gives a number for. About its frequency w the spectrum is the series
   1 + 2 (e^{-2} cos t + e^{-8} cos 2t + e^{-18} cos 3t + ...); its first three terms have integrals in closed form, and the rest
   is smaller than 4 e^{-18}. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Calculus PositiveDefinite SampledUncertainty.
Open Scope R_scope.

Lemma half_series : Rabs (/ 2) < 1 /\ ex_series (fun n => (/ 2) ^ n) /\ Series (fun n => (/ 2) ^ n) = 2.
Proof.
  assert (H : Rabs (/ 2) < 1) by (rewrite Rabs_pos_eq; lra).
  split; [exact H|]. split; [now apply ex_series_geom | rewrite Series_geom by exact H; field].
Qed.

(* A series whose terms are at most c / 2^n. *)
Lemma dominated (a : nat -> R) c : (forall n, Rabs (a n) <= c * (/ 2) ^ n) -> ex_series a /\ Rabs (Series a) <= 2 * c.
Proof.
  intros H. destruct half_series as (_ & E & V).
  assert (EM : ex_series (fun n => c * (/ 2) ^ n)) by (apply (ex_series_scal_l (V := R_NormedModule)), E).
  assert (EA : ex_series (fun n => Rabs (a n))).
  { apply (ex_series_le (K := R_AbsRing) (V := R_CompleteNormedModule) (fun n => Rabs (a n)) (fun n => c * (/ 2) ^ n));
      [|exact EM]. intros n. change (Rabs (Rabs (a n)) <= c * (/ 2) ^ n). rewrite Rabs_Rabsolu. apply H. }
  split; [exact (ex_series_Rabs _ EA)|]. eapply Rle_trans; [exact (Series_Rabs _ EA)|].
  apply Rle_trans with (Series (fun n => c * (/ 2) ^ n)).
  - apply Series_le; [|exact EM]. intros n. split; [apply Rabs_pos | apply H].
  - rewrite (Series_scal_l c (fun n => (/ 2) ^ n)), V. lra.
Qed.

(* --- the spectrum ---------------------------------------------------------------------- *)

Definition sample (n : nat) : R := exp (- (2 * INR n ^ 2)).
Definition spectrum (t : R) : R := 1 + 2 * Series (fun n => sample (S n) * cos (INR (S n) * t)).
Definition first_terms (t : R) : R := 1 + 2 * (exp (- 2) * cos t + exp (- 8) * cos (2 * t)).

Lemma sample_bound n : INR (S n) * sample (S n) <= 1 * (/ 2) ^ n.
Proof.
  set (m := INR (S n)). assert (Hm : 1 <= m) by (unfold m; rewrite S_INR; generalize (pos_INR n); lra).
  rewrite Rmult_1_l. eapply Rle_trans; [|apply half_power].
  apply Rle_trans with (exp (m - 1) * exp (- (2 * m ^ 2))).
  - apply Rmult_le_compat_r; [left; apply exp_pos|]. generalize (exp_ineq1_le (m - 1)). lra.
  - rewrite <- exp_plus. apply exp_monotone. unfold m in *. rewrite S_INR in *. nra.
Qed.

Lemma sample_pos n : 0 < sample n.
Proof. apply exp_pos. Qed.

Lemma term_bound n t : Rabs (sample (S n) * cos (INR (S n) * t)) <= 1 * (/ 2) ^ n.
Proof.
  eapply Rle_trans; [|apply sample_bound]. rewrite Rabs_mult, (Rabs_pos_eq (sample _)) by (left; apply sample_pos).
  rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply sample_pos|].
  apply Rle_trans with 1; [apply Rabs_le, COS_bound | rewrite S_INR; generalize (pos_INR n); lra].
Qed.

Lemma cos_lipschitz x y : Rabs (cos x - cos y) <= Rabs (x - y).
Proof.
  destruct (MVT_gen cos y x (fun z => - sin z)) as [c [_ ->]].
  - intros. apply is_derive_Reals, derivable_pt_lim_cos.
  - intros. apply continuity_cos.
  - rewrite Rabs_mult. rewrite <- (Rmult_1_l (Rabs (x - y))) at 2. apply Rmult_le_compat_r; [apply Rabs_pos|].
    rewrite Rabs_Ropp. apply Rabs_le, SIN_bound.
Qed.

Lemma spectrum_lipschitz t u : Rabs (spectrum t - spectrum u) <= 4 * Rabs (t - u).
Proof.
  destruct (dominated _ _ (fun n => term_bound n t)) as [Et _]. destruct (dominated _ _ (fun n => term_bound n u)) as [Eu _].
  set (wave := fun u n => sample (S n) * cos (INR (S n) * u)).
  change (ex_series (wave t)) in Et. change (ex_series (wave u)) in Eu.
  replace (spectrum t - spectrum u) with (2 * (Series (wave t) - Series (wave u))) by (unfold spectrum, wave; ring).
  rewrite <- Series_minus by assumption. rewrite Rabs_mult, (Rabs_pos_eq 2) by lra.
  replace (4 * Rabs (t - u)) with (2 * (2 * Rabs (t - u))) by ring. apply Rmult_le_compat_l; [lra|].
  apply (dominated (fun n => wave t n - wave u n) (Rabs (t - u))). intros n. unfold wave.
  rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq (sample _)) by (left; apply sample_pos).
  apply Rle_trans with (sample (S n) * (INR (S n) * Rabs (t - u))).
  - apply Rmult_le_compat_l; [left; apply sample_pos|]. eapply Rle_trans; [apply cos_lipschitz|].
    rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq (INR _)) by apply pos_INR. lra.
  - generalize (sample_bound n) (Rabs_pos (t - u)). intros B D. apply (Rmult_le_compat_r _ _ _ D) in B. lra.
Qed.

Lemma spectrum_cont : cont spectrum.
Proof.
  intros t Q [eps HQ]. assert (He := cond_pos eps). assert (He4 : 0 < eps / 4) by lra.
  exists (mkposreal _ He4). intros u Hu. apply HQ. change (Rabs (spectrum u - spectrum t) < eps).
  change (Rabs (u - t) < eps / 4) in Hu. eapply Rle_lt_trans; [apply spectrum_lipschitz|]. lra.
Qed.

Lemma spectrum_even t : spectrum (- t) = spectrum t.
Proof. unfold spectrum. do 2 f_equal. apply Series_ext. intros n. now rewrite <- Ropp_mult_distr_r, cos_neg. Qed.

Lemma spectrum_near t : Rabs (spectrum t - first_terms t) <= 4 * exp (- 18).
Proof.
  destruct (dominated _ _ (fun n => term_bound n t)) as [E _]. unfold spectrum, first_terms.
  rewrite (Series_incr_1 _ E). assert (E1 := proj1 (ex_series_incr_1 _) E). rewrite (Series_incr_1 _ E1).
  assert (S1 : sample 1 = exp (- 2)) by (unfold sample; f_equal; cbn [INR]; ring).
  assert (S2 : sample 2 = exp (- 8)) by (unfold sample; f_equal; cbn [INR]; ring).
  rewrite S1, S2. replace (INR 1 * t) with t by (cbn [INR]; ring). replace (INR 2 * t) with (2 * t) by (cbn [INR]; ring).
  set (rest := Series _). replace (_ - _) with (2 * rest) by ring. rewrite Rabs_mult, (Rabs_pos_eq 2) by lra.
  replace (4 * exp (- 18)) with (2 * (2 * exp (- 18))) by ring. apply Rmult_le_compat_l; [lra|].
  apply (dominated (fun n => sample (S (S (S n))) * cos (INR (S (S (S n))) * t))). intros n.
  rewrite Rabs_mult, (Rabs_pos_eq (sample _)) by (left; apply sample_pos).
  apply Rle_trans with (sample (S (S (S n))) * 1).
  - apply Rmult_le_compat_l; [left; apply sample_pos | apply Rabs_le, COS_bound].
  - rewrite Rmult_1_r. apply Rle_trans with (exp (- 18) * exp (- INR n)).
    + unfold sample. rewrite <- exp_plus. apply exp_monotone. rewrite !S_INR. generalize (pos_INR n). nra.
    + apply Rmult_le_compat_l; [left; apply exp_pos | apply half_power].
Qed.

(* --- its integrals over a period ---------------------------------------------------------------------- *)

Lemma first_terms_bound t : Rabs (first_terms t) <= 2.
Proof.
  assert (X : exp (- 2) <= / 4).
  { replace (- 2) with (- INR 2) by (cbn [INR]; ring). eapply Rle_trans; [apply half_power | lra]. }
  assert (Y : exp (- 8) <= / 256).
  { replace (- 8) with (- INR 8) by (cbn [INR]; ring). eapply Rle_trans; [apply half_power | cbn; lra]. }
  assert (X0 := exp_pos (- 2)). assert (Y0 := exp_pos (- 8)). unfold first_terms.
  generalize (COS_bound t) (COS_bound (2 * t)). intros. apply Rabs_le. split; nra.
Qed.

Lemma square_near t : Rabs (spectrum t ^ 2 - first_terms t ^ 2) <= 20 * exp (- 18).
Proof.
  assert (N := spectrum_near t). assert (B := first_terms_bound t). set (d := exp (- 18)) in *.
  assert (Hd : 0 < d) by apply exp_pos. assert (Hd1 : d <= / 4).
  { apply Rle_trans with (exp (- INR 2)); [apply exp_monotone; cbn [INR]; lra|]. eapply Rle_trans; [apply half_power | lra]. }
  replace (spectrum t ^ 2 - first_terms t ^ 2) with
    ((spectrum t - first_terms t) * (spectrum t - first_terms t + 2 * first_terms t)) by ring.
  rewrite Rabs_mult. assert (S : Rabs (spectrum t - first_terms t + 2 * first_terms t) <= 5).
  { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, (Rabs_pos_eq 2) by lra. lra. }
  replace (20 * d) with (4 * d * 5) by ring. apply Rmult_le_compat; try apply Rabs_pos; assumption.
Qed.

Lemma RInt_near f g k a b : a <= b -> cont f -> cont g -> cont k -> (forall t, Rabs (f t - g t) <= k t) ->
  Rabs (RInt f a b - RInt g a b) <= RInt k a b.
Proof.
  intros Hab Cf Cg Ck H.
  assert (Up : RInt f a b <= RInt g a b + RInt k a b).
  { rewrite <- RInt_sum by assumption.
    apply RInt_le; [exact Hab | now apply integrable | apply integrable, cont_plus; assumption|].
    intros t _. generalize (proj1 (Rabs_le_between _ _) (H t)). lra. }
  assert (Down : RInt g a b <= RInt f a b + RInt k a b).
  { rewrite <- RInt_sum by assumption.
    apply RInt_le; [exact Hab | now apply integrable | apply integrable, cont_plus; assumption|].
    intros t _. generalize (proj1 (Rabs_le_between _ _) (H t)). lra. }
  apply Rabs_le. lra.
Qed.

Lemma multiple_of_pi k : cos (INR k * PI) = (-1) ^ k /\ sin (INR k * PI) = 0.
Proof.
  induction k as [|k [IH1 IH2]]; [cbn [INR pow]; rewrite Rmult_0_l, cos_0, sin_0; auto|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, neg_cos, neg_sin, IH1, IH2. cbn [pow]. split; ring.
Qed.

(* The square of the first terms as a sum of waves. *)
Definition c0 : R := 1 + 2 * exp (- 2) ^ 2 + 2 * exp (- 8) ^ 2.
Definition c1 : R := 4 * exp (- 2) + 4 * exp (- 2) * exp (- 8).
Definition c2 : R := 4 * exp (- 8) + 2 * exp (- 2) ^ 2.
Definition c3 : R := 4 * exp (- 2) * exp (- 8).
Definition c4 : R := 2 * exp (- 8) ^ 2.

Lemma first_terms_square t :
  first_terms t ^ 2 = c0 + c1 * cos t + c2 * cos (2 * t) + c3 * cos (3 * t) + c4 * cos (4 * t).
Proof.
  assert (C2 : cos (2 * t) = 2 * cos t ^ 2 - 1) by (rewrite cos_2a_cos; ring).
  assert (C3 : cos (3 * t) = 4 * cos t ^ 3 - 3 * cos t).
  { replace (3 * t) with (2 * t + t) by ring. rewrite cos_plus, C2, sin_2a. assert (S := cos_sin_one t).
    replace (2 * sin t * cos t * sin t) with (2 * cos t * sin t ^ 2) by ring.
    replace (sin t ^ 2) with (1 - cos t ^ 2) by lra. ring. }
  assert (C4 : cos (4 * t) = 2 * (2 * cos t ^ 2 - 1) ^ 2 - 1).
  { replace (4 * t) with (2 * (2 * t)) by ring. rewrite cos_2a_cos, C2. ring. }
  unfold first_terms, c0, c1, c2, c3, c4. rewrite C2, C3, C4. ring.
Qed.

Lemma first_terms_cont : cont (fun t => first_terms t ^ 2).
Proof. apply cont_derivable. intros t. unfold first_terms. auto_derive. exact I. Qed.

Lemma first_mass : RInt (fun t => first_terms t ^ 2) (- PI) PI = 2 * PI * c0.
Proof.
  set (F := fun t => c0 * t + c1 * sin t + c2 * (sin (2 * t) / 2) + c3 * (sin (3 * t) / 3) + c4 * (sin (4 * t) / 4)).
  rewrite (by_antiderivative F).
  - assert (Odd : F (- PI) = - F PI).
    { unfold F. rewrite <- !Ropp_mult_distr_r, !sin_neg. field. }
    assert (At : F PI = c0 * PI).
    { unfold F. rewrite sin_PI. assert (S2 := proj2 (multiple_of_pi 2)). assert (S3 := proj2 (multiple_of_pi 3)).
      assert (S4 := proj2 (multiple_of_pi 4)). cbn [INR] in S2, S3, S4. replace (1 + 1) with 2 in * by ring.
      replace (2 + 1) with 3 in * by ring. replace (3 + 1) with 4 in * by ring. rewrite S2, S3, S4. field. }
    rewrite Odd, At. real_equation. ring.
  - intros t. rewrite first_terms_square. unfold F. auto_derive; [exact I | field].
  - apply first_terms_cont.
Qed.

Lemma first_square : RInt (fun t => t ^ 2 * first_terms t ^ 2) (- PI) PI =
  c0 * (2 * PI ^ 3 / 3) + 4 * PI * (- c1 + c2 / 4 - c3 / 9 + c4 / 16).
Proof.
  set (A := fun m t => t ^ 2 * sin (m * t) / m + 2 * t * cos (m * t) / m ^ 2 - 2 * sin (m * t) / m ^ 3).
  set (F := fun t => c0 * (t ^ 3 / 3) + c1 * A 1 t + c2 * A 2 t + c3 * A 3 t + c4 * A 4 t).
  rewrite (by_antiderivative F).
  - assert (Odd : F (- PI) = - F PI).
    { unfold F, A. rewrite <- !Ropp_mult_distr_r, !sin_neg, !cos_neg. field. }
    assert (At : F PI = c0 * (PI ^ 3 / 3) + 2 * PI * (- c1 + c2 / 4 - c3 / 9 + c4 / 16)).
    { unfold F, A. rewrite Rmult_1_l, sin_PI, cos_PI. destruct (multiple_of_pi 2) as [C2 S2].
      destruct (multiple_of_pi 3) as [C3 S3]. destruct (multiple_of_pi 4) as [C4 S4]. cbn [INR] in C2, C3, C4, S2, S3, S4.
      replace (1 + 1) with 2 in * by ring. replace (2 + 1) with 3 in * by ring. replace (3 + 1) with 4 in * by ring.
      rewrite C2, S2, C3, S3, C4, S4. field. }
    rewrite Odd, At. real_equation. field.
  - intros t. rewrite first_terms_square. unfold F, A. auto_derive; [exact I | rewrite ?Rmult_1_l; field].
  - apply cont_mult; [apply cont_derivable; intros t; auto_derive; exact I | apply first_terms_cont].
Qed.

(* --- mass, mean and spread of the spectrum ---------------------------------------------------------------------- *)

Lemma density_cont : cont (fun t => spectrum t ^ 2).
Proof. apply cont_pow2, spectrum_cont. Qed.

Lemma pi_interval : - PI <= PI.
Proof. generalize PI_RGT_0. lra. Qed.

Lemma mass_enclosed : Rabs (RInt (fun t => spectrum t ^ 2) (- PI) PI - 2 * PI * c0) <= 2 * PI * (20 * exp (- 18)).
Proof.
  rewrite <- first_mass. eapply Rle_trans.
  - apply (RInt_near _ _ (fun _ => 20 * exp (- 18)) _ _ pi_interval density_cont first_terms_cont (cont_const _)).
    exact square_near.
  - rewrite RInt_const. unfold scal. cbn. unfold mult. cbn. lra.
Qed.

Lemma square_enclosed : Rabs (RInt (fun t => t ^ 2 * spectrum t ^ 2) (- PI) PI -
    (c0 * (2 * PI ^ 3 / 3) + 4 * PI * (- c1 + c2 / 4 - c3 / 9 + c4 / 16))) <= 2 * PI ^ 3 / 3 * (20 * exp (- 18)).
Proof.
  assert (Sq : cont (fun t : R => t ^ 2)) by (apply cont_derivable; intros; auto_derive; exact I).
  rewrite <- first_square. eapply Rle_trans.
  - apply (RInt_near _ _ (fun t => 20 * exp (- 18) * t ^ 2) _ _ pi_interval);
      try (apply cont_mult; try apply cont_const; try assumption).
    + apply density_cont.
    + apply first_terms_cont.
    + intros t. rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq (t ^ 2)) by apply pow2_ge_0. rewrite Rmult_comm.
      apply Rmult_le_compat_r; [apply pow2_ge_0 | apply square_near].
  - rewrite RInt_multiple by exact Sq. rewrite (by_antiderivative (fun t => t ^ 3 / 3)).
    + lra.
    + intros t. auto_derive; [exact I | field].
    + exact Sq.
Qed.

Lemma moment_is_zero : RInt (fun t => t * spectrum t ^ 2) (- PI) PI = 0.
Proof.
  assert (C : cont (fun t => t * spectrum t ^ 2)).
  { apply cont_mult; [apply cont_derivable; intros; auto_derive; exact I | apply density_cont]. }
  assert (M := mirrored_window (fun t => t * spectrum t ^ 2) (- PI) PI C). rewrite Ropp_involutive in M.
  assert (E : RInt (fun x => - x * spectrum (- x) ^ 2) (- PI) PI = -1 * RInt (fun t => t * spectrum t ^ 2) (- PI) PI).
  { rewrite <- RInt_multiple by exact C. apply RInt_ext. intros x _. rewrite spectrum_even. real_equation. ring. }
  rewrite E in M. lra.
Qed.

(* --- the transform of the samples ---------------------------------------------------------------------- *)

Lemma sampled_packet (j : Z) w xi : Cmult (psi (IZR j) w (1 / 2)) (cis (- (IZR j * xi))) =
  (exp (- (2 * IZR j ^ 2)) * cos (IZR j * (xi - w)), - (exp (- (2 * IZR j ^ 2)) * sin (IZR j * (xi - w)))).
Proof.
  unfold psi. replace (- (IZR j ^ 2 / (2 * (1 / 2) ^ 2))) with (- (2 * IZR j ^ 2)) by field.
  transitivity (Cmult (cis (- (IZR j * (xi - w)))) (RtoC (exp (- (2 * IZR j ^ 2))))).
  - replace (- (IZR j * (xi - w))) with (w * IZR j + - (IZR j * xi)) by ring. rewrite cis_plus. complex_ring.
  - unfold cis. rewrite cos_neg, sin_neg. complex_ring.
Qed.

Lemma summable_by_halves f :
  (forall n, f (- Z.of_nat n - 1)%Z = f (Z.of_nat (S n)) \/ f (- Z.of_nat n - 1)%Z = - f (Z.of_nat (S n))) ->
  (forall n, Rabs (f (Z.of_nat (S n))) <= 1 * (/ 2) ^ n) -> Rsummable f.
Proof.
  intros Sym B. split.
  - apply (ex_series_incr_1 (fun n => f (Z.of_nat n))). apply (dominated (fun n => f (Z.of_nat (S n))) 1 B).
  - apply (dominated (fun n => f (- Z.of_nat n - 1)%Z) 1). intros n.
    destruct (Sym n) as [-> | ->]; [apply B | rewrite Rabs_Ropp; apply B].
Qed.

Lemma sample_Z n : exp (- (2 * IZR (Z.of_nat (S n)) ^ 2)) = sample (S n).
Proof. unfold sample. now rewrite <- INR_IZR_INZ. Qed.

Lemma left_half n t :
  IZR (- Z.of_nat n - 1) ^ 2 = IZR (Z.of_nat (S n)) ^ 2 /\ IZR (- Z.of_nat n - 1) * t = - (IZR (Z.of_nat (S n)) * t).
Proof. replace (- Z.of_nat n - 1)%Z with (- Z.of_nat (S n))%Z by lia. rewrite opp_IZR. split; ring. Qed.

Lemma real_part_sum t :
  let f := fun j : Z => exp (- (2 * IZR j ^ 2)) * cos (IZR j * t) in Rsummable f /\ Rseries f = spectrum t.
Proof.
  intros f. assert (S : Rsummable f).
  { apply summable_by_halves.
    - intros n. left. unfold f. destruct (left_half n t) as [-> ->]. now rewrite cos_neg.
    - intros n. unfold f. rewrite sample_Z, <- INR_IZR_INZ. apply term_bound. }
  split; [exact S|]. rewrite Rseries_even; [| |exact S].
  - unfold spectrum, f. f_equal.
    + replace (IZR 0) with 0 by reflexivity. replace (- (2 * 0 ^ 2)) with 0 by ring. rewrite exp_0, Rmult_0_l, cos_0. ring.
    + f_equal. apply Series_ext. intros n. now rewrite sample_Z, <- INR_IZR_INZ.
  - intros j. unfold f. rewrite opp_IZR. replace (- IZR j * t) with (- (IZR j * t)) by ring. rewrite cos_neg.
    replace ((- IZR j) ^ 2) with (IZR j ^ 2) by ring. reflexivity.
Qed.

Lemma imaginary_part_sum t :
  let f := fun j : Z => - (exp (- (2 * IZR j ^ 2)) * sin (IZR j * t)) in Rsummable f /\ Rseries f = 0.
Proof.
  intros f. assert (S : Rsummable f).
  { apply summable_by_halves.
    - intros n. right. unfold f. destruct (left_half n t) as [-> ->]. rewrite sin_neg. ring.
    - intros n. unfold f. rewrite sample_Z, <- INR_IZR_INZ, Rabs_Ropp. eapply Rle_trans; [|apply sample_bound].
      rewrite Rabs_mult, (Rabs_pos_eq (sample _)) by (left; apply sample_pos). rewrite Rmult_comm.
      apply Rmult_le_compat_r; [left; apply sample_pos|].
      apply Rle_trans with 1; [apply Rabs_le, SIN_bound | rewrite S_INR; generalize (pos_INR n); lra]. }
  split; [exact S|]. apply Rseries_odd; [|exact S].
  intros j. unfold f. rewrite opp_IZR. replace (- IZR j * t) with (- (IZR j * t)) by ring. rewrite sin_neg.
  replace ((- IZR j) ^ 2) with (IZR j ^ 2) by ring. ring.
Qed.

(* --- the deviation over the period about w ---------------------------------------------------------------------- *)

Lemma RInt_shifted g c a b : cont g -> RInt (fun x => g (x - c)) (a + c) (b + c) = RInt g a b.
Proof.
  intros C. assert (E := RInt_comp_lin (V := R_CompleteNormedModule) g 1 (- c) (a + c) (b + c)).
  replace (1 * (a + c) + - c) with a in E by ring. replace (1 * (b + c) + - c) with b in E by ring.
  rewrite <- E by apply integrable, C. apply RInt_ext. intros x _. change (g (x - c) = 1 * g (1 * x + - c)).
  rewrite !Rmult_1_l. reflexivity.
Qed.

(* The ratio that is the square of the deviation. *)
Definition variance : R := RInt (fun t => t ^ 2 * spectrum t ^ 2) (- PI) PI / RInt (fun t => spectrum t ^ 2) (- PI) PI.

Lemma mass_positive : 0 < RInt (fun t => spectrum t ^ 2) (- PI) PI.
Proof.
  assert (M := mass_enclosed). apply Rabs_le_between in M. assert (HPI := PI_RGT_0).
  assert (H : 1 <= c0) by (unfold c0; generalize (pow2_ge_0 (exp (- 2))) (pow2_ge_0 (exp (- 8))); lra).
  assert (B : exp (- 18) <= / 64).
  { apply Rle_trans with (exp (- INR 6)); [apply exp_monotone; cbn [INR]; lra|].
    eapply Rle_trans; [apply half_power | cbn; lra]. }
  nra.
Qed.

Lemma period_deviation w :
  let g := fun xi => spectrum (xi - w) ^ 2 in
  let mean := RInt (fun xi => xi * g xi) (w - PI) (w + PI) / RInt g (w - PI) (w + PI) in
  cont g /\ RInt (fun xi => (xi - mean) ^ 2 * g xi) (w - PI) (w + PI) / RInt g (w - PI) (w + PI) = variance.
Proof.
  intros g mean. assert (D := density_cont).
  assert (C : cont g).
  { intros x. apply (continuous_comp (fun x => x - w) (fun t => spectrum t ^ 2)); [|apply D].
    apply (ex_derive_continuous (fun x => x - w)). auto_derive. exact I. }
  split; [exact C|].
  assert (Shift : forall h, cont h -> RInt (fun x => h (x - w)) (w - PI) (w + PI) = RInt h (- PI) PI).
  { intros h Ch. rewrite <- (RInt_shifted h w (- PI) PI Ch). f_equal; ring. }
  assert (Id : cont (fun t : R => t)) by (apply cont_derivable; intros; auto_derive; exact I).
  assert (Sq : cont (fun t : R => t ^ 2)) by (apply cont_derivable; intros; auto_derive; exact I).
  assert (Mass := Shift _ D). change (RInt g (w - PI) (w + PI) = RInt (fun t => spectrum t ^ 2) (- PI) PI) in Mass.
  assert (P := mass_positive).
  assert (Mean : mean = w).
  { unfold mean. rewrite Mass.
    replace (RInt (fun xi => xi * g xi) (w - PI) (w + PI)) with (w * RInt (fun t => spectrum t ^ 2) (- PI) PI); [field; lra|].
    transitivity (RInt (fun t => t * spectrum t ^ 2 + w * spectrum t ^ 2) (- PI) PI).
    - rewrite RInt_sum, moment_is_zero, RInt_multiple; [real_equation; ring | exact D | now apply cont_mult |].
      apply cont_mult; [apply cont_const | exact D].
    - rewrite <- (Shift (fun t => t * spectrum t ^ 2 + w * spectrum t ^ 2)).
      + apply RInt_ext. intros x _. unfold g. real_equation. ring.
      + apply cont_plus; apply cont_mult; try apply cont_const; assumption. }
  rewrite Mean, Mass. unfold variance. f_equal. exact (Shift (fun t => t ^ 2 * spectrum t ^ 2) (cont_mult _ _ Sq D)).
Qed.

(* --- what the claim says of it ------------------------------------------------------------------------------------------ *)

(* The transform of the samples exists at every xi, and is the spectrum about w. *)
Lemma transform w xi :
  let term := fun j : Z => Cmult (psi (IZR j) w (1 / 2)) (cis (- (IZR j * xi))) in
  Rsummable (fun j => fst (term j)) /\ Rsummable (fun j => snd (term j)) /\
  Rseries (fun j => fst (term j)) = spectrum (xi - w) /\ Rseries (fun j => snd (term j)) = 0.
Proof.
  intros term.
  assert (Re : (fun j => fst (term j)) = (fun j => exp (- (2 * IZR j ^ 2)) * cos (IZR j * (xi - w)))).
  { apply FunctionalExtensionality.functional_extensionality. intros j. unfold term. now rewrite sampled_packet. }
  assert (Im : (fun j => snd (term j)) = (fun j => - (exp (- (2 * IZR j ^ 2)) * sin (IZR j * (xi - w))))).
  { apply FunctionalExtensionality.functional_extensionality. intros j. unfold term. now rewrite sampled_packet. }
  rewrite Re, Im. destruct (real_part_sum (xi - w)) as [S1 ->]. destruct (imaginary_part_sum (xi - w)) as [S2 ->]. auto.
Qed.
