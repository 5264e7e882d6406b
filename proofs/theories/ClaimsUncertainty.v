(* The statements of uncertainty.equality as they are printed from mope_theory, member by member: standard deviations of the
   wave packet and of its transform, about their means, both as ratios of integrals. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Calculus Gauss Correlation Admissibility Uncertainty
  SampledUncertainty Bridge ClaimsAdmissibility.
From Mope Require Statements.
Open Scope R_scope.

(* What is printed of the deviation of a weight f: that its three integrals exist, and that it is dev. *)
Definition has_deviation (f : R -> R) (dev : R) : Prop :=
  let mass := Rintegral f to_minus_infinity to_infinity in
  let moment := Rintegral (fun x => x * f x) to_minus_infinity to_infinity in
  Rintegrable f to_minus_infinity to_infinity /\
  Rintegrable (fun x => x * f x) to_minus_infinity to_infinity /\
  Rintegrable (fun x => (x - moment / mass) ^ 2 * f x) to_minus_infinity to_infinity /\
  sqrt (Rintegral (fun x => (x - moment / mass) ^ 2 * f x) to_minus_infinity to_infinity / mass) = dev.

Lemma deviation_printed f mean dev : is_deviation f mean dev -> has_deviation f dev.
Proof.
  intros (mass & moment & square & H0 & H1 & H2 & _ & Hm & Hd). unfold has_deviation.
  apply line_value in H0 as [I0 ->]. apply line_value in H1 as [I1 ->]. rewrite <- Hm.
  apply line_value in H2 as [I2 ->]. rewrite <- Hd. repeat split; assumption.
Qed.

Section WavePacket.
Variables w s : R.
Hypothesis Hs : 0 < s.

Lemma amplitude : has_deviation (fun b => Cmod (psi b w s)) s.
Proof. eapply deviation_printed, (amplitude_widths w s _ Hs (psi_hat_same w s Hs)). Qed.
Lemma spectral_amplitude : has_deviation (fun xi => Cmod (Statements.psi_hat xi w s)) (1 / s).
Proof. eapply deviation_printed, (amplitude_widths w s _ Hs (psi_hat_same w s Hs)). Qed.
Lemma energy : has_deviation (fun b => Cmod (psi b w s) ^ 2) (s / sqrt 2).
Proof. eapply deviation_printed, (energy_widths w s _ Hs (psi_hat_same w s Hs)). Qed.
Lemma spectral_energy : has_deviation (fun xi => Cmod (Statements.psi_hat xi w s) ^ 2) (1 / (s * sqrt 2)).
Proof. eapply deviation_printed, (energy_widths w s _ Hs (psi_hat_same w s Hs)). Qed.
End WavePacket.

Lemma sqrt_2 : 0 < sqrt 2 /\ sqrt 2 * sqrt 2 = 2.
Proof. split; [apply sqrt_lt_R0 | apply sqrt_sqrt]; lra. Qed.

(* The published deviations are sqrt 2 times too large, for every frequency and width.

   claim: uncertainty.equality *)
Theorem published_width_fails w s : 0 < s -> ~ has_deviation (fun b => Cmod (psi b w s) ^ 2) s.
Proof.
  intros Hs (_ & _ & _ & D). rewrite (proj2 (proj2 (proj2 (energy w s Hs)))) in D. destruct sqrt_2 as [P S].
  apply (Rmult_eq_compat_r (sqrt 2)) in D. replace (s / sqrt 2 * sqrt 2) with s in D by (field; lra). nra.
Qed.

(* claim: uncertainty.equality *)
Theorem published_spectral_width_fails w s : 0 < s -> ~ has_deviation (fun xi => Cmod (Statements.psi_hat xi w s) ^ 2) (/ s).
Proof.
  intros Hs (_ & _ & _ & D). rewrite (proj2 (proj2 (proj2 (spectral_energy w s Hs)))) in D. destruct sqrt_2 as [P S].
  apply (Rmult_eq_compat_r (s * sqrt 2)) in D. replace (1 / (s * sqrt 2) * (s * sqrt 2)) with 1 in D by (field; lra).
  replace (/ s * (s * sqrt 2)) with (sqrt 2) in D by (field; lra). nra.
Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_published_1_false : ~ Statements.uncertainty_equality_published_1.
Proof. intros H. apply (published_width_fails 0 1 Rlt_0_1). assert (D := H 0 1 Rlt_0_1). rewrite psi_same in D. exact D. Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_published_2_false : ~ Statements.uncertainty_equality_published_2.
Proof. intros H. apply (published_spectral_width_fails 0 1 Rlt_0_1). exact (proj2 (H 0 1 Rlt_0_1)). Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_ours_1 : Statements.uncertainty_equality_ours_1.
Proof. intros w s Hs. rewrite psi_same. exact (amplitude w s Hs). Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_ours_2 : Statements.uncertainty_equality_ours_2.
Proof.
  intros w s Hs. rewrite psi_same. split; [intros xi; apply psi_hat_exists, Hs|].
  replace (/ s) with (1 / s) by (field; lra). exact (spectral_amplitude w s Hs).
Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_ours_3 : Statements.uncertainty_equality_ours_3.
Proof.
  intros w s Hs. rewrite psi_same. replace (sqrt 2 * s / 2) with (s / sqrt 2); [exact (energy w s Hs)|].
  destruct sqrt_2 as [P S]. rewrite <- S at 3. field. lra.
Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_ours_4 : Statements.uncertainty_equality_ours_4.
Proof.
  intros w s Hs. rewrite psi_same. split; [intros xi; apply psi_hat_exists, Hs|].
  replace (sqrt 2 / (2 * s)) with (1 / (s * sqrt 2)); [exact (spectral_energy w s Hs)|].
  destruct sqrt_2 as [P S]. rewrite <- S at 3. field. lra.
Qed.

(* claim: uncertainty.equality *)
Theorem uncertainty_equality_ours_5 : Statements.uncertainty_equality_ours_5.
Proof.
  intros w s Hs. rewrite psi_same. destruct (energy w s Hs) as (A1 & A2 & A3 & A4).
  destruct (spectral_energy w s Hs) as (B1 & B2 & B3 & B4).
  rewrite <- (proj2 (proj2 (energy_widths w s _ Hs (psi_hat_same w s Hs)))).
  exact (conj A1 (conj A2 (conj A3 (conj (fun xi => psi_hat_exists w s xi Hs)
    (conj B1 (conj B2 (conj B3 (f_equal2 Rmult A4 B4)))))))).
Qed.

(* --- uncertainty.bound, on the integers -------------------------------------------------------------------------------- *)

(* The published side fails at every frequency, for the width 1/4.

   claim: uncertainty.bound *)
Theorem uncertainty_bound_published_false : ~ Statements.uncertainty_bound_published.
Proof.
  intros H. assert (D := H 0 (1 / 4) ltac:(lra)). clear H. rewrite psi_same in D.
  set (F := fun xi : R => Cseries (fun j : Z => (Cexp (- (RtoC (IZR j * xi) * Ci)) * psi (IZR j) 0 (1 / 4))%C)).
  destruct D as (F0 & F1 & F2 & _ & G0 & G1 & G2 & Bound).
  destruct (deviation_between_points (fun xi => Cmod (F xi) ^ 2) (0 - PI) (0 + PI) G0 G1 G2) as (E0 & E1 & E2 & E).
  assert (B := eq_ind _ (fun y => 1 / 2 <= sqrt _ * sqrt y) Bound _ E). clear Bound E.
  replace (0 + PI) with (0 - PI + 2 * PI) in * by ring.
  assert (Below := bound_fails_on_integers 0 F (0 - PI) F0 F1 F2 E0 E1 E2). cbv zeta in Below.
  exact (Rlt_irrefl _ (Rle_lt_trans _ _ _ B Below)).
Qed.
