(* The claims on the spectrum of the wave packet, and on what is left of it at zero frequency. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel Calculus Gauss Correlation.
Open Scope R_scope.

(* A Gaussian times a carrier has a Gaussian spectrum around the frequency of the carrier.

   claim: admissibility.fourier *)
Theorem fourier w s : 0 < s ->
  is_Fourier (fun b => psi b w s) (fun x => RtoC (s * sqrt (2 * PI) * exp (- (s ^ 2 * (x - w) ^ 2 / 2)))).
Proof.
  intros Hs x. assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (HPI := PI_RGT_0).
  assert (Square : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  assert (H := gaussian_carrier 0 (s * sqrt 2) (w - x) 0 ltac:(nra)).
  rewrite Rmult_0_r, Rplus_0_r, cis_0, Cmult_1_l in H.
  replace (s * sqrt (2 * PI) * exp (- (s ^ 2 * (x - w) ^ 2 / 2))) with
    (s * sqrt 2 * sqrt PI * exp (- (((w - x) * (s * sqrt 2)) ^ 2 / 4))).
  - apply (Cline_ext _ _ _) with (2 := H). intros b. unfold psi.
    rewrite <- Cmult_assoc, (Cmult_comm (RtoC _)), Cmult_assoc, <- cis_plus. f_equal; [f_equal; ring|].
    do 3 f_equal. rewrite Rpow_mult_distr, Square. field. lra.
  - rewrite sqrt_mult by lra. replace (((w - x) * (s * sqrt 2)) ^ 2) with ((x - w) ^ 2 * s ^ 2 * sqrt 2 ^ 2) by ring.
    rewrite Square. replace ((x - w) ^ 2 * s ^ 2 * 2 / 4) with (s ^ 2 * (x - w) ^ 2 / 2) by field. ring.
Qed.

Lemma Fourier_unique f F G : is_Fourier f F -> is_Fourier f G -> forall x, F x = G x.
Proof. intros HF HG x. exact (Cline_unique _ _ _ (HF x) (HG x)). Qed.

(* Whatever function the transform is, its value at 0 is down by e^{-(ws)^2/2} from its peak.

   claim: admissibility.dc *)
Theorem left_at_zero w s (F : R -> C) : 0 < s -> is_Fourier (fun b => psi b w s) F ->
  Cdiv (F 0) (F w) = RtoC (exp (- ((w * s) ^ 2 / 2))).
Proof.
  intros Hs HF. rewrite !(Fourier_unique _ _ _ HF (fourier w s Hs)).
  assert (H : 0 < s * sqrt (2 * PI)) by (apply Rmult_lt_0_compat; [exact Hs | apply sqrt_lt_R0; generalize PI_RGT_0; lra]).
  replace (s ^ 2 * (w - w) ^ 2 / 2) with 0 by field. rewrite Ropp_0, exp_0, Rmult_1_r.
  rewrite <- RtoC_div by lra. f_equal.
  replace (s ^ 2 * (0 - w) ^ 2 / 2) with ((w * s) ^ 2 / 2) by field.
  set (q := s * sqrt (2 * PI)) in *. field. lra.
Qed.
