(* The claims on the relative kernel as an integral: two wave packets in overlap, and rotations averaged over frequencies. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel Calculus Gauss.
Open Scope R_scope.

(* A complex constant times a real integrand. *)
Lemma Cline_scal z f l : is_integral f l -> is_Cintegral (fun t => Cmult z (RtoC (f t))) (Cmult z (RtoC l)).
Proof.
  intros H. split; unfold Cmult, RtoC; cbn [fst snd].
  - replace (fst z * l - snd z * 0) with (fst z * l) by ring.
    apply (line_ext (fun t => fst z * f t)); [intros; ring | apply line_scal, H].
  - replace (fst z * 0 + snd z * l) with (snd z * l) by ring.
    apply (line_ext (fun t => snd z * f t)); [intros; ring | apply line_scal, H].
Qed.

Lemma Cline_ext f g l : (forall t, f t = g t) -> is_Cintegral f l -> is_Cintegral g l.
Proof.
  intros E [H1 H2].
  split; [apply (line_ext _ _ _) with (2 := H1) | apply (line_ext _ _ _) with (2 := H2)]; intros; now rewrite E.
Qed.

Lemma Cline_unique f k l : is_Cintegral f k -> is_Cintegral f l -> k = l.
Proof. intros [H1 H2] [H3 H4]. apply injective_projections; eapply line_unique; eassumption. Qed.

(* A Gaussian against e^{i(kx + f)}: both parts are waves. *)
Lemma gaussian_carrier c s k f : 0 < s ->
  is_Cintegral (fun x => Cmult (cis (k * x + f)) (RtoC (exp (- ((x - c) ^ 2 / s ^ 2)))))
               (Cmult (cis (k * c + f)) (RtoC (s * sqrt PI * exp (- ((k * s) ^ 2 / 4))))).
Proof.
  intros Hs. split; unfold cis, Cmult, RtoC; cbn [fst snd].
  - assert (H := gaussian_wave c s f k Hs). replace (cos (k * c + f) * _ - _) with
      (s * sqrt PI * exp (- ((k * s) ^ 2 / 4)) * cos (k * c + f)) by ring.
    apply (line_ext _ _ _) with (2 := H). intros. ring.
  - assert (H := gaussian_wave c s (f - PI / 2) k Hs).
    assert (Q : forall x, cos (k * x + (f - PI / 2)) = sin (k * x + f)).
    { intros x. rewrite <- cos_shift, <- cos_neg. f_equal. ring. }
    rewrite Q in H. replace (cos (k * c + f) * 0 + _) with (s * sqrt PI * exp (- ((k * s) ^ 2 / 4)) * sin (k * c + f)) by ring.
    apply (line_ext _ _ _) with (2 := H). intros. rewrite Q. ring.
Qed.

(* Completing the square leaves K(d) times one Gaussian about d/2.

   claim: kernel.cross-correlation *)
Theorem cross_correlation d w s : 0 < s ->
  is_Cintegral (fun t => Cmult (psi t w s) (Cconj (psi (t - d) w s))) (Cmult (RtoC (s * sqrt PI)) (K d w s)).
Proof.
  intros Hs. rewrite Cmult_comm.
  apply (Cline_ext (fun t => Cmult (K d w s) (RtoC (exp (- ((t - d / 2) ^ 2 / s ^ 2)))))).
  - intros t. fold (P t (t - d) w s). rewrite product by exact Hs. unfold K.
    rewrite <- Cmult_assoc, <- RtoC_mult, <- exp_plus. f_equal; [f_equal; ring|]. do 2 f_equal. field. lra.
  - apply Cline_scal, gaussian_integral, Hs.
Qed.

(* The frequency x is normal, with mean w and variance v = 1/(2 s^2).

   claim: kernel.frequency-mixture *)
Theorem frequency_mixture d w s : 0 < s ->
  let v := 1 / (2 * s ^ 2) in
  is_Cintegral (fun x => Cmult (cis (x * d)) (RtoC (exp (- ((x - w) ^ 2 / (2 * v))) / sqrt (2 * PI * v)))) (K d w s).
Proof.
  intros Hs v. assert (HPI := PI_RGT_0). assert (Hq : 0 < sqrt PI) by (apply sqrt_lt_R0; lra).
  assert (Hroot : sqrt (2 * PI * v) = sqrt PI / s).
  { unfold v. replace (2 * PI * (1 / (2 * s ^ 2))) with (PI / s ^ 2) by (field; lra).
    rewrite sqrt_div_alt, sqrt_pow2 by (try apply pow_lt; lra). reflexivity. }
  rewrite Hroot. assert (Hs' : 0 < / s) by (apply Rinv_0_lt_compat, Hs).
  assert (H := gaussian_carrier w (/ s) d 0 Hs').
  destruct H as [H1 H2]. apply (line_scal _ (s / sqrt PI)) in H1. apply (line_scal _ (s / sqrt PI)) in H2.
  assert (E : forall x, exp (- ((x - w) ^ 2 / (2 * v))) = exp (- ((x - w) ^ 2 / (/ s) ^ 2))).
  { intros x. do 2 f_equal. unfold v. field. lra. }
  assert (E' : exp (- ((d * / s) ^ 2 / 4)) = exp (- (d ^ 2 / (4 * s ^ 2)))) by (do 2 f_equal; field; lra).
  unfold cis, Cmult, RtoC in H1, H2. cbn [fst snd] in H1, H2. rewrite E', Rplus_0_r in H1, H2.
  split; unfold K, cis, Cmult, RtoC; cbn [fst snd]; set (e := exp (- (d ^ 2 / (4 * s ^ 2)))) in *.
  - replace (cos (w * d) * e - sin (w * d) * 0) with
      (s / sqrt PI * (cos (d * w) * (/ s * sqrt PI * e) - sin (d * w) * 0)) by (rewrite (Rmult_comm d w); field; lra).
    apply (line_ext _ _ _) with (2 := H1). intros x. rewrite E, Rplus_0_r, (Rmult_comm d x). field. lra.
  - replace (cos (w * d) * 0 + sin (w * d) * e) with
      (s / sqrt PI * (cos (d * w) * 0 + sin (d * w) * (/ s * sqrt PI * e))) by (rewrite (Rmult_comm d w); field; lra).
    apply (line_ext _ _ _) with (2 := H2). intros x. rewrite E, Rplus_0_r, (Rmult_comm d x). field. lra.
Qed.
