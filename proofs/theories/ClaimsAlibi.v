(* The statements of limit.alibi as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Calculus AlibiMixture Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* A product with cos or sin of (w d) is continuous in the frequency w, at 0 too. *)
Lemma no_frequency s d : filterlim (fun w => K d w s) near_zero (locally (RtoC (exp (- (d ^ 2 / (4 * s ^ 2)))) : C)).
Proof.
  apply (filterlim_filter_le_1 (F := locally 0)); [apply filter_le_within|].
  set (e := exp _). apply filterlim_parts; [typeclasses eauto | |].
  - replace (fst (RtoC e)) with (e * cos (0 * d)) by (rewrite Rmult_0_l, cos_0, Rmult_1_r; reflexivity).
    apply (filterlim_ext (fun w => e * cos (w * d))); [intros w; rewrite K_parts; reflexivity|].
    apply (ex_derive_continuous (fun w => e * cos (w * d)) 0). auto_derive. exact I.
  - replace (snd (RtoC e)) with (e * sin (0 * d)) by (rewrite Rmult_0_l, sin_0, Rmult_0_r; reflexivity).
    apply (filterlim_ext (fun w => e * sin (w * d))); [intros w; rewrite K_parts; reflexivity|].
    apply (ex_derive_continuous (fun w => e * sin (w * d)) 0). auto_derive. exact I.
Qed.

(* claim: limit.alibi *)
Theorem limit_alibi_ours_1 : Statements.limit_alibi_ours_1.
Proof. intros s d Hs. rewrite K_same. apply no_frequency. Qed.

(* d^2/4s^2 = mu |d| makes |d| = 4 s^2 mu for each distance but 0: there is one such distance.

   claim: limit.alibi *)
Theorem limit_alibi_ours_2 : Statements.limit_alibi_ours_2.
Proof.
  intros s d1 d2 mu Hs Hmu [H1 H2] [E1 E2].
  assert (One : forall d, 0 < Rabs d -> exp (- (d ^ 2 / (4 * s ^ 2))) = exp (- (mu * Rabs d)) -> Rabs d = 4 * s ^ 2 * mu).
  { intros d Hd E. apply exp_inv in E. apply (Rmult_eq_reg_r (Rabs d)); [|lra].
    replace (Rabs d * Rabs d) with (d ^ 2) by (rewrite <- (pow2_abs d); ring).
    replace (d ^ 2) with (4 * s ^ 2 * (d ^ 2 / (4 * s ^ 2))) by (field; lra).
    replace (d ^ 2 / (4 * s ^ 2)) with (mu * Rabs d) by lra. ring. }
  apply One in E1; [|exact H1]. apply One in E2; [|lra]. lra.
Qed.

(* claim: limit.alibi *)
Theorem limit_alibi_ours_3 : Statements.limit_alibi_ours_3.
Proof.
  intros d mu Hmu. apply (integral_value _ _ _ _ (FA := zero_end) (FB := right_end)).
  refine (is_RInt_gen_ext _ _ _ _ (alibi_mixture d mu Hmu)).
  apply filter_forall. intros ends v _. real_equation. assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (mu / sqrt (2 * PI)) with (sqrt 2 * mu / (2 * sqrt PI)); [unfold Rdiv; rewrite !Rinv_mult; ring|].
  rewrite sqrt_mult_alt by lra. rewrite <- S2 at 2. field. split; apply Rgt_not_eq; [apply sqrt_lt_R0, PI_RGT_0 | assumption].
Qed.

(* claim: limit.alibi *)
Theorem limit_alibi_ours_4 : Statements.limit_alibi_ours_4.
Proof. intros d mu y _. apply exp_plus. Qed.

(* At the score y = 0 the one weight is 1, the other is not.

   claim: limit.alibi *)
Theorem limit_alibi_ours_5 : Statements.limit_alibi_ours_5.
Proof.
  intros s d mu Hs Hmu Hd H. assert (E := H 0). rewrite Rmult_0_l in E. apply exp_inv in E.
  assert (0 < mu * Rabs d) by (apply Rmult_lt_0_compat; [exact Hmu | now apply Rabs_pos_lt]). lra.
Qed.

(* The published side fails for every slope: the distances 1 and 2 want two widths.

   claim: limit.alibi *)
Theorem no_width_is_alibi mu : 0 < mu ->
  ~ exists s, 0 < s /\ forall d : Z,
      filterlim (fun w => Statements.K (IZR d) w s) (locally' 0) (locally (RtoC (exp (- (mu * Rabs (IZR d)))) : C)).
Proof.
  intros Hmu (s & Hs & H). rewrite K_same in H.
  assert (E : forall d : Z, exp (- (IZR d ^ 2 / (4 * s ^ 2))) = exp (- (mu * Rabs (IZR d)))).
  { intros d. apply RtoC_inj.
    apply (filterlim_locally_unique (V := C_NormedModule) (FF := Proper_StrongProper _ (Rbar_locally'_filter 0))
             (fun w => K (IZR d) w s)).
    - apply no_frequency.
    - apply H. }
  refine (limit_alibi_ours_2 s 1 2 mu Hs Hmu _ (conj (E 1%Z) (E 2%Z))). rewrite !Rabs_pos_eq; lra.
Qed.

(* claim: limit.alibi *)
Theorem limit_alibi_published_false : ~ Statements.limit_alibi_published.
Proof. intros H. exact (no_width_is_alibi 1 Rlt_0_1 (H 1 Rlt_0_1)). Qed.
