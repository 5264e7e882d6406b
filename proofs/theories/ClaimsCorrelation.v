(* The statements of kernel.cross-correlation and kernel.frequency-mixture as they are printed from mope_theory. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Calculus Gauss Correlation Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: kernel.cross-correlation *)
Theorem kernel_cross_correlation_published : Statements.kernel_cross_correlation_published.
Proof.
  intros w s d Hs. rewrite psi_same, K_same, (Rmult_comm (sqrt PI)). apply complex_integral_value.
  apply (Cline_ext _ _ _) with (2 := cross_correlation d w s Hs). intros t. apply Cmult_comm.
Qed.

(* claim: kernel.frequency-mixture *)
Theorem kernel_frequency_mixture_ours : Statements.kernel_frequency_mixture_ours.
Proof.
  intros w s d Hs. rewrite K_same. apply complex_integral_value.
  apply (Cline_ext _ _ _) with (2 := frequency_mixture d w s Hs). intros x. cbv beta zeta.
  rewrite Cexp_turn, (Rmult_comm d), Cmult_comm. do 2 f_equal.
  assert (HPI := PI_RGT_0). assert (0 < sqrt PI) by (apply sqrt_lt_R0, HPI).
  replace (2 * PI * (1 / (2 * s ^ 2))) with (PI / s ^ 2) by (field; lra).
  rewrite sqrt_div_alt, sqrt_pow2 by (try apply pow_lt; lra).
  replace ((x - w) ^ 2 / (2 * (1 / (2 * s ^ 2)))) with (s ^ 2 * (x - w) ^ 2) by (field; lra).
  set (e := exp _). field. lra.
Qed.
