(* The wave packet unfolded into cosine and sine, and the claim on the shape of its envelope. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra.
Open Scope R_scope.

(* What psi, K and P are, in real numbers alone. *)
Theorem psi_parts b w s :
  psi b w s = (exp (- (b ^ 2 / (2 * s ^ 2))) * cos (w * b), exp (- (b ^ 2 / (2 * s ^ 2))) * sin (w * b)).
Proof. unfold psi, cis. complex_ring. Qed.

Theorem K_parts d w s :
  K d w s = (exp (- (d ^ 2 / (4 * s ^ 2))) * cos (w * d), exp (- (d ^ 2 / (4 * s ^ 2))) * sin (w * d)).
Proof. unfold K, cis. complex_ring. Qed.

(* The envelope is the modulus: the carrier has modulus 1. *)
Lemma psi_mod b w s : Cmod (psi b w s) = exp (- (b ^ 2 / (2 * s ^ 2))).
Proof.
  unfold psi. rewrite Cmod_mult, cis_mod, Cmod_R, Rmult_1_l. apply Rabs_pos_eq. left; apply exp_pos.
Qed.

Lemma K_mod d w s : Cmod (K d w s) = exp (- (d ^ 2 / (4 * s ^ 2))).
Proof.
  unfold K. rewrite Cmod_mult, cis_mod, Cmod_R, Rmult_1_l. apply Rabs_pos_eq. left; apply exp_pos.
Qed.

Lemma psi_conj b w s : Cconj (psi b w s) = Cmult (cis (- (w * b))) (RtoC (exp (- (b ^ 2 / (2 * s ^ 2))))).
Proof. unfold psi. now rewrite Cconj_mult, Cconj_R, cis_conj. Qed.

(* A packet with a real centre is the packet with a moved envelope. *)
Lemma psi_about_R c b w s : 0 < s ->
  psi_about (RtoC c) b w s = Cmult (cis (w * b)) (RtoC (exp (- ((b - c) ^ 2 / (2 * s ^ 2))))).
Proof.
  intros Hs. unfold psi_about. f_equal. rewrite <- Cexp_R. f_equal.
  rewrite <- RtoC_minus, <- RtoC_mult, <- RtoC_div, <- RtoC_opp.
  - f_equal. f_equal. unfold Rdiv. f_equal. ring.
  - apply Rgt_not_eq. apply Rmult_lt_0_compat; [lra | apply pow_lt, Hs].
Qed.

(* Of two Gaussians e^{-x^2/2s^2} the one farther out is smaller. *)
Lemma gaussian_decreasing m n s : 0 < s -> Rabs m < Rabs n ->
  exp (- (n ^ 2 / (2 * s ^ 2))) < exp (- (m ^ 2 / (2 * s ^ 2))).
Proof.
  intros Hs H. apply exp_increasing, Ropp_lt_contravar.
  apply Rmult_lt_compat_r.
  - apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra | apply pow_lt, Hs].
  - rewrite <- (pow2_abs m), <- (pow2_abs n). generalize (Rabs_pos m). nra.
Qed.

Lemma half_width_value s : 0 < s -> exp (- ((s * sqrt (2 * ln 2)) ^ 2 / (2 * s ^ 2))) = 1 / 2.
Proof.
  intros Hs. assert (0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  rewrite Rpow_mult_distr, pow2_sqrt by lra.
  replace (s ^ 2 * (2 * ln 2) / (2 * s ^ 2)) with (ln 2) by (field; lra).
  rewrite exp_Ropp, exp_ln by lra. lra.
Qed.

(* claim: definition.envelope *)
Theorem envelope b m n w s : 0 < s ->
  0 < Cmod (psi b w s) /\
  Cmod (psi b w s) <= 1 /\
  Cmod (psi 0 w s) = 1 /\
  Cmod (psi (- b) w s) = Cmod (psi b w s) /\
  (Rabs m < Rabs n -> Cmod (psi n w s) < Cmod (psi m w s)).
Proof.
  intros Hs. rewrite !psi_mod. repeat split.
  - apply exp_pos.
  - generalize (one_minus_exp _ (square_quotient b 2 s ltac:(lra) Hs)); lra.
  - replace (0 ^ 2 / (2 * s ^ 2)) with 0 by (field; lra). now rewrite Ropp_0, exp_0.
  - do 3 f_equal. ring.
  - apply gaussian_decreasing, Hs.
Qed.

(* claim: definition.envelope *)
Theorem half_width b w s : 0 < s -> (1 / 2 <= Cmod (psi b w s) <-> Rabs b <= s * sqrt (2 * ln 2)).
Proof.
  intros Hs. rewrite psi_mod, <- (half_width_value s Hs).
  set (h := s * sqrt (2 * ln 2)).
  assert (Hh : 0 <= h) by (apply Rmult_le_pos; [lra | apply sqrt_pos]).
  rewrite <- (Rabs_pos_eq h Hh) at 2.
  destruct (Rtotal_order (Rabs b) (Rabs h)) as [H|[H|H]].
  - generalize (gaussian_decreasing b h s Hs H). lra.
  - rewrite <- (pow2_abs b), <- (pow2_abs h), H. lra.
  - generalize (gaussian_decreasing h b s Hs H). lra.
Qed.
