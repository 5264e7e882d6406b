(* The statements on the spectrum of the wave packet as they are printed from mope_theory, but for the numerical member. *)
From Coq Require Import Reals Lra FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Calculus Gauss Correlation Admissibility Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* The printed transform is the transform. *)
Lemma psi_hat_integral w s xi l : is_Cintegral (fun b => Cmult (psi b w s) (cis (- (xi * b)))) l ->
  Cintegrable (fun b => Cexp (- (RtoC (b * xi) * Ci)) * psi b w s)%C to_minus_infinity to_infinity /\
  Statements.psi_hat xi w s = l.
Proof.
  intros H. unfold Statements.psi_hat. rewrite psi_same. apply complex_integral_value.
  apply (Cline_ext _ _ _) with (2 := H). intros b. rewrite Cexp_turn_back, (Rmult_comm b). apply Cmult_comm.
Qed.

Lemma psi_hat_exists w s xi : 0 < s ->
  Cintegrable (fun b => Cexp (- (RtoC (b * xi) * Ci)) * psi b w s)%C to_minus_infinity to_infinity.
Proof. intros Hs. apply (psi_hat_integral w s xi _ (fourier w s Hs xi)). Qed.

Lemma psi_hat_same w s : 0 < s -> is_Fourier (fun b => psi b w s) (fun xi => Statements.psi_hat xi w s).
Proof. intros Hs xi. destruct (psi_hat_integral w s xi _ (fourier w s Hs xi)) as [_ ->]. apply fourier, Hs. Qed.

(* At zero frequency the wave of the transform is 1. *)
Lemma psi_integrable w s : 0 < s -> Cintegrable (fun b => psi b w s) to_minus_infinity to_infinity.
Proof.
  intros Hs. refine (proj1 (complex_integral_value _ _ _)). apply (Cline_ext _ _ _) with (2 := fourier w s Hs 0).
  intros b. cbv beta. rewrite Rmult_0_l, Ropp_0, cis_0. apply Cmult_1_r.
Qed.

(* claim: admissibility.fourier *)
Theorem admissibility_fourier_ours : Statements.admissibility_fourier_ours.
Proof.
  intros w s xi Hs. rewrite psi_same.
  replace (sqrt 2 * sqrt PI * s * exp (- (s ^ 2 * (xi - w) ^ 2 / 2))) with
    (s * sqrt (2 * PI) * exp (- (s ^ 2 * (xi - w) ^ 2 / 2))) by (rewrite sqrt_mult_alt by lra; ring).
  apply psi_hat_integral, fourier, Hs.
Qed.

(* claim: admissibility.dc *)
Theorem admissibility_dc_ours_1 : Statements.admissibility_dc_ours_1.
Proof.
  intros w s Hs. rewrite psi_same. split; [apply psi_hat_exists, Hs|]. split; [apply psi_integrable, Hs|].
  rewrite (left_at_zero w s _ Hs (psi_hat_same w s Hs)). do 4 f_equal. ring.
Qed.
