(* The claim on learning: the gradients of the encoding by its frequency and its width, and how large the second can be. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions.
Open Scope R_scope.

(* claim: learning.gradients *)
Theorem by_frequency b w s : 0 < s -> is_Cderive (fun w => psi b w s) w (Cmult (Cmult Ci b) (psi b w s)).
Proof.
  intros Hs. split; unfold psi, cis, Ci, RtoC, Cmult; cbn [fst snd]; auto_derive; try exact I; cbn; ring.
Qed.

(* claim: learning.gradients *)
Theorem by_width b w s : 0 < s -> is_Cderive (fun s => psi b w s) s (Cmult (RtoC (b ^ 2 / s ^ 3)) (psi b w s)).
Proof.
  intros Hs. assert (Hs2 : s * (s * 1) <> 0) by (apply Rgt_not_eq; nra).
  split; unfold psi, cis, RtoC, Cmult; cbn [fst snd]; auto_derive; try (split; [lra|exact I] || lra);
    unfold Rdiv; cbn [pow]; set (e := exp _); field; lra.
Qed.

(* u e^{-u} <= 1/e, because u <= e^{u-1}; equal only at u = 1. *)
Lemma peak u : u * exp (- u) <= / exp 1.
Proof.
  rewrite exp_Ropp. apply (Rmult_le_reg_r (exp u)); [apply exp_pos|].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by (apply Rgt_not_eq, exp_pos).
  replace (/ exp 1 * exp u) with (exp (u - 1)); [generalize (exp_ineq1_le (u - 1)); lra|].
  unfold Rminus. rewrite exp_plus, exp_Ropp. ring.
Qed.

Lemma peak_only_at_one u : u * exp (- u) = / exp 1 -> u = 1.
Proof.
  intros E. destruct (Req_dec (u - 1) 0) as [H|H]; [lra|]. exfalso.
  assert (L := exp_ineq1 (u - 1) H). replace (1 + (u - 1)) with u in L by ring.
  apply (Rmult_lt_compat_r (exp (- u))) in L; [|apply exp_pos]. rewrite <- exp_plus in L.
  replace (u - 1 + - u) with (- (1)) in L by ring. rewrite (exp_Ropp 1) in L. lra.
Qed.

(* |d psi / d sigma| = (2/s) u e^{-u} with u = b^2/2s^2. *)
Lemma width_gradient_size b w s : 0 < s ->
  Cmod (Cmult (RtoC (b ^ 2 / s ^ 3)) (psi b w s)) = 2 / s * (b ^ 2 / (2 * s ^ 2) * exp (- (b ^ 2 / (2 * s ^ 2)))).
Proof.
  intros Hs. rewrite Cmod_mult, psi_mod, Cmod_R, Rabs_pos_eq.
  - field. lra.
  - apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat, pow_lt, Hs.
Qed.

(* Whatever the derivative by the width is, its modulus is at most 2/(e s), reached at |b| = s sqrt 2 and nowhere else.

   claim: learning.gradients *)
Theorem width_gradient_bound b w s g : 0 < s -> is_Cderive (fun s => psi b w s) s g ->
  Cmod g <= 2 / (exp 1 * s) /\ (Cmod g = 2 / (exp 1 * s) <-> Rabs b = s * sqrt 2).
Proof.
  intros Hs [D1 D2]. destruct (by_width b w s Hs) as [E1 E2].
  replace g with (Cmult (RtoC (b ^ 2 / s ^ 3)) (psi b w s)).
  2:{ apply injective_projections.
      - rewrite <- (is_derive_unique _ _ _ E1). apply is_derive_unique, D1.
      - rewrite <- (is_derive_unique _ _ _ E2). apply is_derive_unique, D2. }
  rewrite width_gradient_size by exact Hs.
  assert (Q : 2 / (exp 1 * s) = 2 / s * / exp 1) by (field; generalize (exp_pos 1); lra).
  assert (S : 0 < 2 / s) by (apply Rdiv_lt_0_compat; lra). rewrite Q. split; [|split].
  - apply Rmult_le_compat_l; [lra | apply peak].
  - intros E. apply Rmult_eq_reg_l in E; [|lra]. apply peak_only_at_one in E.
    rewrite <- sqrt_Rsqr_abs, <- (sqrt_Rsqr s) by lra. rewrite <- sqrt_mult_alt by apply Rle_0_sqr. f_equal. unfold Rsqr.
    replace (b * b) with (2 * s ^ 2 * (b ^ 2 / (2 * s ^ 2))) by (field; lra). rewrite E. ring.
  - intros E. f_equal. replace (b ^ 2) with (2 * s ^ 2).
    + replace (2 * s ^ 2 / (2 * s ^ 2)) with 1 by (field; lra). rewrite exp_Ropp. ring.
    + rewrite <- (pow2_abs b), E, Rpow_mult_distr, pow2_sqrt by lra. ring.
Qed.
