(* ALiBi's weight e^{-m|d|} is a mixture of Gaussian kernels over their variance v, which has a Gamma(1/2) law of rate m^2/2.

   Of e^{-a^2 v - b^2/v} / sqrt v there is an antiderivative in v: where x = a sqrt v and y = b / sqrt v,
   e^{2ab} e^{-(x + y)^2} = e^{-2ab} e^{-(x - y)^2} = e^{-x^2 - y^2}, and of the derivatives of x + y and x - y the part of y
   cancels. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Calculus Gauss.
Open Scope R_scope.

Section Mixture.
Variables a b : R.
Hypothesis Ha : 0 < a.
Hypothesis Hb : 0 <= b.

Definition outer (v : R) : R := a * sqrt v + b / sqrt v.
Definition inner (v : R) : R := a * sqrt v - b / sqrt v.
Definition antiderivative (v : R) : R := exp (2 * a * b) * area (outer v) + exp (- (2 * a * b)) * area (inner v).
Definition integrand (v : R) : R := a * exp (- (b ^ 2 / v)) * exp (- (a ^ 2 * v)) / sqrt v.

Lemma antiderivative_derive v : 0 < v -> is_derive antiderivative v (integrand v).
Proof.
  intros Hv. assert (Hr := sqrt_lt_R0 v Hv). assert (Hv2 : v = sqrt v ^ 2) by (rewrite pow2_sqrt; lra).
  assert (D1 : is_derive outer v (a / (2 * sqrt v) - b / (2 * sqrt v ^ 3))).
  { unfold outer. auto_derive; [repeat split; lra | field; lra]. }
  assert (D2 : is_derive inner v (a / (2 * sqrt v) + b / (2 * sqrt v ^ 3))).
  { unfold inner. auto_derive; [repeat split; lra | field; lra]. }
  assert (E1 : exp (2 * a * b) * gauss (outer v) = exp (- (b ^ 2 / v)) * exp (- (a ^ 2 * v))).
  { unfold gauss, outer. rewrite <- !exp_plus. f_equal. revert Hv2. generalize (sqrt v) Hr. intros r Pr ->. field. lra. }
  assert (E2 : exp (- (2 * a * b)) * gauss (inner v) = exp (- (b ^ 2 / v)) * exp (- (a ^ 2 * v))).
  { unfold gauss, inner. rewrite <- !exp_plus. f_equal. revert Hv2. generalize (sqrt v) Hr. intros r Pr ->. field. lra. }
  replace (integrand v) with
    (exp (2 * a * b) * ((a / (2 * sqrt v) - b / (2 * sqrt v ^ 3)) * gauss (outer v)) +
     exp (- (2 * a * b)) * ((a / (2 * sqrt v) + b / (2 * sqrt v ^ 3)) * gauss (inner v))).
  - apply (is_derive_plus (fun v => exp (2 * a * b) * area (outer v)) (fun v => exp (- (2 * a * b)) * area (inner v)));
      apply is_derive_scal; apply (is_derive_comp area); try assumption; apply area_derive.
  - transitivity (a / (2 * sqrt v) * (exp (2 * a * b) * gauss (outer v) + exp (- (2 * a * b)) * gauss (inner v)) -
                  b / (2 * sqrt v ^ 3) * (exp (2 * a * b) * gauss (outer v) - exp (- (2 * a * b)) * gauss (inner v))); [ring|].
    rewrite E1, E2. unfold integrand. field. lra.
Qed.

(* --- the two ends ---------------------------------------------------------------------------------------------------------- *)

Lemma sqrt_to_infinity : filterlim sqrt to_infinity to_infinity.
Proof.
  intros Q [M HM]. exists (Rmax M 0 ^ 2). intros v Hv. apply HM. apply Rle_lt_trans with (Rmax M 0); [apply Rmax_l|].
  rewrite <- (sqrt_pow2 (Rmax M 0)) by apply Rmax_r. apply sqrt_lt_1_alt. split; [apply pow2_ge_0 | exact Hv].
Qed.

(* Both arguments grow with v, since b / sqrt v <= b from v = 1 on. *)
Lemma outer_to_infinity : filterlim outer to_infinity to_infinity.
Proof.
  intros Q [M HM]. destruct (sqrt_to_infinity (fun r => M / a < r)) as [v0 H0]; [now exists (M / a)|].
  exists (Rmax v0 0). intros v Hv. apply HM. assert (v0 < v) by (eapply Rle_lt_trans; [apply Rmax_l | exact Hv]).
  assert (0 < v) by (eapply Rle_lt_trans; [apply Rmax_r | exact Hv]). specialize (H0 v H).
  assert (0 <= b / sqrt v) by (apply Rmult_le_pos; [exact Hb | left; apply Rinv_0_lt_compat, sqrt_lt_R0; assumption]).
  apply (Rmult_lt_compat_l a) in H0; [|exact Ha]. replace (a * (M / a)) with M in H0 by (field; lra). unfold outer. lra.
Qed.

Lemma inner_to_infinity : filterlim inner to_infinity to_infinity.
Proof.
  intros Q [M HM].
  destruct (sqrt_to_infinity (fun r => Rmax 1 ((M + b) / a) < r)) as [v0 H0]; [exists (Rmax 1 ((M + b) / a)); auto|].
  exists v0. intros v Hv. apply HM. specialize (H0 v Hv).
  assert (H1 : 1 < sqrt v) by (eapply Rle_lt_trans; [apply Rmax_l | exact H0]).
  assert (H2 : (M + b) / a < sqrt v) by (eapply Rle_lt_trans; [apply Rmax_r | exact H0]).
  assert (b / sqrt v <= b * 1) by (apply Rmult_le_compat_l; [exact Hb | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  apply (Rmult_lt_compat_l a) in H2; [|exact Ha]. replace (a * ((M + b) / a)) with (M + b) in H2 by (field; lra).
  unfold inner. lra.
Qed.

Lemma lim_plus_scaled (f g : R -> R) (F : (R -> Prop) -> Prop) (p q k l : R) :
  Filter F -> filterlim f F (locally k) -> filterlim g F (locally l) ->
  filterlim (fun v => p * f v + q * g v) F (locally (p * k + q * l)).
Proof.
  intros HF Hf Hg.
  apply (filterlim_comp_2 (G := locally (p * k)) (H := locally (q * l)) (fun v => p * f v) (fun v => q * g v) Rplus).
  - exact (filterlim_comp _ _ _ f (Rmult p) _ _ _ Hf (filterlim_scal_r (V := R_NormedModule) p k)).
  - exact (filterlim_comp _ _ _ g (Rmult q) _ _ _ Hg (filterlim_scal_r (V := R_NormedModule) q l)).
  - exact (filterlim_plus (V := R_NormedModule) (p * k) (q * l)).
Qed.

Lemma antiderivative_at_infinity :
  filterlim antiderivative to_infinity (locally (exp (2 * a * b) * (sqrt PI / 2) + exp (- (2 * a * b)) * (sqrt PI / 2))).
Proof.
  apply lim_plus_scaled; [typeclasses eauto | |].
  - exact (filterlim_comp _ _ _ outer area _ _ _ outer_to_infinity area_lim).
  - exact (filterlim_comp _ _ _ inner area _ _ _ inner_to_infinity area_lim).
Qed.

(* At 0 the sum b / sqrt v decides, if there is one: the arguments part to the two ends, and the areas are opposite. *)
Lemma sqrt_to_zero : filterlim sqrt down_to_zero down_to_zero.
Proof.
  intros Q [eps HQ]. assert (He := cond_pos eps). exists (mkposreal (eps ^ 2) (pow_lt _ 2 He)). intros v Hball Hv.
  apply HQ; [|apply sqrt_lt_R0, Hv]. apply Rabs_def2 in Hball. unfold minus, plus, opp in Hball. cbn in Hball.
  change (Rabs (sqrt v - 0) < eps). rewrite Rminus_0_r, Rabs_pos_eq by apply sqrt_pos.
  rewrite <- (sqrt_pow2 eps) by lra. apply sqrt_lt_1_alt. cbn. lra.
Qed.

Lemma inverse_root : filterlim (fun v => / sqrt v) down_to_zero to_infinity.
Proof. exact (filterlim_comp _ _ _ sqrt Rinv _ _ _ sqrt_to_zero filterlim_Rinv_0_right). Qed.

Lemma small_root : down_to_zero (fun v => 0 < sqrt v < 1).
Proof.
  apply (sqrt_to_zero (fun r => 0 < r < 1)). exists (mkposreal 1 Rlt_0_1). intros r Hball Hr. apply Rabs_def2 in Hball.
  unfold minus, plus, opp in Hball. cbn in Hball. lra.
Qed.

Lemma outer_at_zero : 0 < b -> filterlim outer down_to_zero to_infinity.
Proof.
  intros Hb' Q [M HM]. unfold filtermap.
  apply (filter_imp (fun v => 0 < sqrt v < 1 /\ M / b < / sqrt v)).
  - intros v [[H0 H1] H]. apply HM. apply (Rmult_lt_compat_l b) in H; [|exact Hb'].
    replace (b * (M / b)) with M in H by (field; lra). unfold outer, Rdiv. nra.
  - apply filter_and; [apply small_root | apply inverse_root; now exists (M / b)].
Qed.

Lemma inner_at_zero : 0 < b -> filterlim inner down_to_zero to_minus_infinity.
Proof.
  intros Hb' Q [M HM]. unfold filtermap.
  apply (filter_imp (fun v => 0 < sqrt v < 1 /\ (a - M) / b < / sqrt v)).
  - intros v [[H0 H1] H]. apply HM. apply (Rmult_lt_compat_l b) in H; [|exact Hb'].
    replace (b * ((a - M) / b)) with (a - M) in H by (field; lra). unfold inner, Rdiv. nra.
  - apply filter_and; [apply small_root | apply inverse_root; now exists ((a - M) / b)].
Qed.

Lemma antiderivative_at_zero :
  filterlim antiderivative down_to_zero (locally (exp (2 * a * b) * (sqrt PI / 2) + exp (- (2 * a * b)) * - (sqrt PI / 2))).
Proof.
  destruct (Rle_lt_or_eq_dec 0 b Hb) as [Pos|Zero].
  - apply lim_plus_scaled; [typeclasses eauto | |].
    + exact (filterlim_comp _ _ _ outer area _ _ _ (outer_at_zero Pos) area_lim).
    + exact (filterlim_comp _ _ _ inner area _ _ _ (inner_at_zero Pos) area_lim_left).
  - (* b = 0: both arguments tend to 0, where the area is 0 *)
    replace (exp (2 * a * b) * (sqrt PI / 2) + exp (- (2 * a * b)) * - (sqrt PI / 2)) with
      (exp (2 * a * b) * area 0 + exp (- (2 * a * b)) * area 0).
    2:{ rewrite <- Zero, Rmult_0_r, Ropp_0, exp_0. unfold area. rewrite RInt_point. unfold zero. cbn. ring. }
    assert (L : filterlim (fun v => area (a * sqrt v)) down_to_zero (locally (area 0))).
    { apply (filterlim_comp _ _ _ (fun v => a * sqrt v) area _ (locally (a * 0))).
      - apply (filterlim_comp _ _ _ sqrt (Rmult a) _ (locally 0)); [|exact (filterlim_scal_r (V := R_NormedModule) a 0)].
        apply (filterlim_filter_le_2 (G := down_to_zero)); [apply filter_le_within | apply sqrt_to_zero].
      - rewrite Rmult_0_r. apply (ex_derive_continuous area). eexists. apply area_derive. }
    apply lim_plus_scaled; [typeclasses eauto | |]; (eapply filterlim_ext; [|exact L]); intros v; cbv beta;
      unfold outer, inner; rewrite <- Zero; unfold Rdiv; rewrite Rmult_0_l; f_equal; ring.
Qed.

(* --- the integral ------------------------------------------------------------------------------------------------------------ *)

Lemma integrand_cont v : 0 < v -> continuous integrand v.
Proof.
  intros Hv. assert (Hr := sqrt_lt_R0 v Hv). apply (ex_derive_continuous integrand). unfold integrand. auto_derive.
  repeat split; lra.
Qed.

Lemma mixture : is_RInt_gen integrand down_to_zero to_infinity (sqrt PI * exp (- (2 * a * b))).
Proof.
  replace (sqrt PI * exp (- (2 * a * b))) with
    (exp (2 * a * b) * (sqrt PI / 2) + exp (- (2 * a * b)) * (sqrt PI / 2) -
     (exp (2 * a * b) * (sqrt PI / 2) + exp (- (2 * a * b)) * - (sqrt PI / 2))) by field.
  assert (Inside : filter_prod down_to_zero to_infinity (fun ends => forall v, Rmin (fst ends) (snd ends) <= v -> 0 < v)).
  { apply (Filter_prod _ _ _ (fun l => 0 < l) (fun r => 0 < r)).
    - exists (mkposreal 1 Rlt_0_1). auto.
    - exists 0. auto.
    - intros l r Hl Hr v Hv. cbn [fst snd] in Hv. eapply Rlt_le_trans; [|exact Hv]. now apply Rmin_glb_lt. }
  apply (is_RInt_gen_ext (Derive antiderivative)).
  { revert Inside. apply filter_imp. intros ends H v Hv. apply is_derive_unique, antiderivative_derive, H. lra. }
  apply is_RInt_gen_Derive.
  - revert Inside. apply filter_imp. intros ends H v Hv. eexists. apply antiderivative_derive, H, (proj1 Hv).
  - revert Inside. apply filter_imp. intros ends H v Hv. assert (Pv := H v (proj1 Hv)).
    apply (continuous_ext_loc _ integrand); [|apply integrand_cont, Pv].
    exists (mkposreal v Pv). intros y Hy. apply Rabs_def2 in Hy. unfold minus, plus, opp in Hy. cbn in Hy.
    symmetry. apply is_derive_unique, antiderivative_derive. lra.
  - apply antiderivative_at_zero.
  - apply antiderivative_at_infinity.
Qed.
End Mixture.

(* v = 2 s^2 runs over the variances: e^{-d^2/2v} is the kernel of the width s without a frequency.

   claim: limit.alibi *)
Theorem alibi_mixture d m : 0 < m ->
  is_RInt_gen (fun v => exp (- (d ^ 2 / (2 * v))) * (m / sqrt (2 * PI) * / sqrt v * exp (- (m ^ 2 * v / 2))))
              down_to_zero to_infinity (exp (- (m * Rabs d))).
Proof.
  intros Hm. assert (HPI : 0 < sqrt PI) by (apply sqrt_lt_R0, PI_RGT_0). assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (S2 : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  assert (H := mixture (m / sqrt 2) (Rabs d / sqrt 2) ltac:(apply Rdiv_lt_0_compat; assumption)
                 ltac:(apply Rmult_le_pos; [apply Rabs_pos | left; apply Rinv_0_lt_compat, H2])).
  replace (2 * (m / sqrt 2) * (Rabs d / sqrt 2)) with (m * Rabs d) in H.
  2:{ replace (2 * (m / sqrt 2) * (Rabs d / sqrt 2)) with (2 / sqrt 2 ^ 2 * (m * Rabs d)) by (field; lra). rewrite S2. field. }
  apply (is_RInt_gen_scal _ (/ sqrt PI)) in H.
  replace (exp (- (m * Rabs d))) with (scal (/ sqrt PI) (sqrt PI * exp (- (m * Rabs d)))).
  - refine (is_RInt_gen_ext _ _ _ _ H). apply filter_forall. intros ends v _.
    change (/ sqrt PI * integrand (m / sqrt 2) (Rabs d / sqrt 2) v =
            exp (- (d ^ 2 / (2 * v))) * (m / sqrt (2 * PI) * / sqrt v * exp (- (m ^ 2 * v / 2)))).
    unfold integrand, Rdiv. rewrite !Rpow_mult_distr, pow2_abs, !pow_inv, S2, sqrt_mult_alt, !Rinv_mult, !Rmult_assoc by lra.
    replace (m ^ 2 * (/ 2 * v)) with (m ^ 2 * (v * / 2)) by ring. ring.
  - change (/ sqrt PI * (sqrt PI * exp (- (m * Rabs d))) = exp (- (m * Rabs d))). field. lra.
Qed.
