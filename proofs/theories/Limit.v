(* The claims on limits in the width: the sinusoidal encoding, the rotary kernel, and no position at all. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions.
Open Scope R_scope.

(* --- how far e^{it} e^{-u} is from e^{it} ------------------------------------------------------------------------------ *)

Lemma damped_error t u : 0 <= u -> Cmod (Cminus (Cmult (cis t) (RtoC (exp (- u)))) (cis t)) = 1 - exp (- u).
Proof.
  intros Hu. replace (Cminus (Cmult (cis t) (RtoC (exp (- u)))) (cis t)) with (Cmult (cis t) (RtoC (exp (- u) - 1)))
    by complex_ring.
  rewrite Cmod_mult, cis_mod, Rmult_1_l, Cmod_R, Rabs_minus_sym, Rabs_pos_eq; [reflexivity|]. apply one_minus_exp, Hu.
Qed.

Lemma psi_error b w s : 0 < s -> Cmod (Cminus (psi b w s) (cis (w * b))) = 1 - exp (- (b ^ 2 / (2 * s ^ 2))).
Proof. intros Hs. apply damped_error, square_quotient; lra. Qed.

Lemma K_error d w s : 0 < s -> Cmod (Cminus (K d w s) (cis (w * d))) = 1 - exp (- (d ^ 2 / (4 * s ^ 2))).
Proof. intros Hs. apply damped_error, square_quotient; lra. Qed.

(* --- from rates to limits ---------------------------------------------------------------------------------------------- *)

(* Whatever is within a/s^2 of its limit tends to it as s grows: s > 1 + a/eps is enough. *)
Lemma beyond_threshold a eps s : 0 <= a -> 0 < eps -> 1 + a / eps < s -> a / s ^ 2 < eps.
Proof.
  intros Ha He Hs. assert (Hq : 0 <= a / eps) by (apply Rmult_le_pos; [exact Ha | left; apply Rinv_0_lt_compat, He]).
  assert (Hs2 : 0 < s ^ 2) by (apply pow_lt; lra).
  apply (Rmult_lt_reg_r (s ^ 2)); [exact Hs2|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace a with (a / eps * eps) by (field; lra). rewrite Rmult_comm. apply Rmult_lt_compat_l; [exact He|]. nra.
Qed.

Lemma tends_by_rate f l a : 0 <= a -> (forall s, 0 < s -> Cmod (Cminus (f s) l) <= a / s ^ 2) -> tends f to_infinity l.
Proof.
  intros Ha H eps He. exists (1 + a / eps). intros s Hs.
  assert (0 < s) by (assert (0 <= a / eps) by (apply Rmult_le_pos; [exact Ha | left; apply Rinv_0_lt_compat, He]); lra).
  eapply Rle_lt_trans; [apply H; assumption | apply (beyond_threshold a eps); assumption].
Qed.

(* A Gaussian whose exponent is b^2/(c s^2) is as far from 1 as one likes, for every s, at an integer b far enough out. *)
Lemma far_out c s eps : 0 < c -> 0 < s -> 0 < eps -> exists z : Z, 1 - eps < 1 - exp (- (IZR z ^ 2 / (c * s ^ 2))).
Proof.
  intros Hc Hs He. assert (Hs2 : 0 < c * s ^ 2) by (apply Rmult_lt_0_compat; [exact Hc | apply pow_lt, Hs]).
  set (q := c * s ^ 2 / eps). set (z := up (1 + q)). exists z.
  assert (Hq : 0 < q) by (apply Rdiv_lt_0_compat; assumption).
  assert (Hz : 1 + q < IZR z) by (apply archimed).
  assert (Hu : / eps < IZR z ^ 2 / (c * s ^ 2)).
  { apply (Rmult_lt_reg_r (c * s ^ 2)); [exact Hs2|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (/ eps * (c * s ^ 2)) with q by (unfold q; field; lra). nra. }
  assert (Hi : 0 < / eps) by (apply Rinv_0_lt_compat, He).
  assert (D := exp_decay _ (Rlt_trans _ _ _ Hi Hu)).
  assert (/ (IZR z ^ 2 / (c * s ^ 2)) < / / eps) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | exact Hu]).
  rewrite Rinv_inv in H. lra.
Qed.

Lemma not_uniform f l c : 0 < c -> (forall b s, 0 < s -> Cmod (Cminus (f b s) (l b)) = 1 - exp (- (b ^ 2 / (c * s ^ 2)))) ->
  ~ tends_uniformly f l is_integer.
Proof.
  intros Hc E H. destruct (H (1 / 2) ltac:(lra)) as [M HM]. set (s := Rmax M 0 + 1).
  assert (M < s) by (unfold s; generalize (Rmax_l M 0); lra).
  assert (0 < s) by (unfold s; generalize (Rmax_r M 0); lra).
  destruct (far_out c s (1 / 2)) as [z Hz]; [exact Hc | assumption | lra |].
  assert (G := HM s H0 (IZR z) (ex_intro _ z eq_refl)). rewrite E in G by assumption. lra.
Qed.

(* --- limit.sinusoidal -------------------------------------------------------------------------------------------------- *)

(* claim: limit.sinusoidal *)
Theorem sinusoidal_rate b w s : 0 < s -> Cmod (Cminus (psi b w s) (cis (w * b))) <= b ^ 2 / (2 * s ^ 2).
Proof. intros Hs. rewrite psi_error by exact Hs. apply one_minus_exp, square_quotient; lra. Qed.

(* claim: limit.sinusoidal *)
Theorem sinusoidal b w : tends (fun s => psi b w s) to_infinity (cis (w * b)).
Proof.
  apply (tends_by_rate _ _ (b ^ 2 / 2)); [generalize (pow2_ge_0 b); lra|].
  intros s Hs. replace (b ^ 2 / 2 / s ^ 2) with (b ^ 2 / (2 * s ^ 2)) by (field; lra). apply sinusoidal_rate, Hs.
Qed.

(* Uniformly on every bounded range of positions ...

   claim: limit.sinusoidal *)
Theorem sinusoidal_on_bounded_ranges w T : 0 < T ->
  tends_uniformly (fun b s => psi b w s) (fun b => cis (w * b)) (fun b => Rabs b <= T).
Proof.
  intros HT eps He. exists (1 + T ^ 2 / 2 / eps). intros s Hs b Hb.
  assert (Hq : 0 < T ^ 2 / 2 / eps) by (repeat apply Rdiv_lt_0_compat; try lra; apply pow_lt, HT).
  eapply Rle_lt_trans; [apply sinusoidal_rate; lra|].
  apply Rle_lt_trans with (T ^ 2 / 2 / s ^ 2); [|apply (beyond_threshold _ eps); try assumption; generalize (pow2_ge_0 T); lra].
  replace (b ^ 2 / (2 * s ^ 2)) with (b ^ 2 / 2 / s ^ 2) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, pow_lt; lra|].
  rewrite <- (pow2_abs b). generalize (Rabs_pos b). nra.
Qed.

(* ... but not on the integers ...

   claim: limit.sinusoidal *)
Theorem sinusoidal_not_uniform w : ~ tends_uniformly (fun b s => psi b w s) (fun b => cis (w * b)) is_integer.
Proof. apply (not_uniform _ _ 2); [lra|]. intros; now apply psi_error. Qed.

(* ... where the distance has the supremum 1, whatever the width: it never exceeds 1, comes as near to it as one likes at
   an integer, and tends to it far out.

   claim: limit.sinusoidal *)
Theorem sinusoidal_supremum_is_one w s : 0 < s ->
  (forall b, Cmod (Cminus (psi b w s) (cis (w * b))) <= 1) /\
  (forall eps, 0 < eps -> exists z : Z, 1 - eps < Cmod (Cminus (psi (IZR z) w s) (cis (w * IZR z)))) /\
  is_lim (fun b => Cmod (Cminus (psi b w s) (cis (w * b)))) p_infty 1.
Proof.
  intros Hs. split; [|split].
  - intros b. rewrite psi_error by exact Hs. generalize (exp_pos (- (b ^ 2 / (2 * s ^ 2)))); lra.
  - intros eps He. destruct (far_out 2 s eps) as [z Hz]; try lra. exists z. now rewrite psi_error.
  - apply (is_lim_le_le_loc (fun b => 1 - 2 * s ^ 2 * / b) (fun _ => 1)); [| |apply is_lim_const].
    + exists 1. intros b Hb. rewrite psi_error by exact Hs. split; [|generalize (exp_pos (- (b ^ 2 / (2 * s ^ 2)))); lra].
      assert (Hu : 0 < b ^ 2 / (2 * s ^ 2)) by (apply Rdiv_lt_0_compat; [apply pow_lt; lra | nra]).
      assert (D := exp_decay _ Hu). replace (/ (b ^ 2 / (2 * s ^ 2))) with (2 * s ^ 2 * / b * / b) in D by (field; lra).
      assert (2 * s ^ 2 * / b * / b <= 2 * s ^ 2 * / b * 1); [|lra].
      apply Rmult_le_compat_l; [|rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
      apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra].
    + replace (Finite 1) with (Finite (1 - 2 * s ^ 2 * 0)) by (f_equal; ring).
      apply is_lim_minus'; [apply is_lim_const|].
      apply (is_lim_scal_l (fun b => / b) (2 * s ^ 2) p_infty 0).
      apply (is_lim_inv (fun b => b) p_infty p_infty); [apply is_lim_id | discriminate].
Qed.

(* With the frequencies 10000^{-2i/D} the limit is the sinusoidal table after the channels of each pair are swapped:
   channel 2i of the table is the imaginary part, channel 2i + 1 the real one.

   claim: limit.sinusoidal *)
Theorem sinusoidal_table b (i D : nat) :
  snd (cis (Rpower 10000 (- (2 * INR i / INR D)) * b)) = sin (b / Rpower 10000 (2 * INR i / INR D)) /\
  fst (cis (Rpower 10000 (- (2 * INR i / INR D)) * b)) = cos (b / Rpower 10000 (2 * INR i / INR D)).
Proof. unfold cis. cbn [fst snd]. rewrite Rpower_Ropp. split; f_equal; unfold Rdiv; apply Rmult_comm. Qed.

(* Channel by channel, as published, it is not: at position 0 the even channel is 1 for every width, that of the table 0.

   claim: limit.sinusoidal *)
Theorem sinusoidal_as_published_fails (i D : nat) :
  ~ forall b : Z,
      is_lim (fun s => fst (psi (IZR b) (Rpower 10000 (- (2 * INR i / INR D))) s)) p_infty
             (sin (IZR b / Rpower 10000 (2 * INR i / INR D))).
Proof.
  intros H. assert (H0 := H 0%Z). replace (IZR 0 / Rpower 10000 (2 * INR i / INR D)) with 0 in H0 by (unfold Rdiv; ring).
  rewrite sin_0 in H0.
  assert (H1 : is_lim (fun s => fst (psi 0 (Rpower 10000 (- (2 * INR i / INR D))) s)) p_infty 1).
  { apply (is_lim_ext_loc (fun _ => 1)); [|apply is_lim_const]. exists 0. intros s Hs. rewrite psi_parts. cbn [fst].
    replace (0 ^ 2 / (2 * s ^ 2)) with 0 by (field; lra). rewrite Rmult_0_r, cos_0, Ropp_0, exp_0. ring. }
  apply is_lim_unique in H0. apply is_lim_unique in H1. rewrite H0 in H1. injection H1. lra.
Qed.

(* --- limit.rope-kernel ------------------------------------------------------------------------------------------------- *)

(* claim: limit.rope-kernel *)
Theorem rope_kernel_rate d w s : 0 < s -> Cmod (Cminus (K d w s) (cis (w * d))) <= d ^ 2 / (4 * s ^ 2).
Proof. intros Hs. rewrite K_error by exact Hs. apply one_minus_exp, square_quotient; lra. Qed.

(* claim: limit.rope-kernel *)
Theorem rope_kernel d w : tends (fun s => K d w s) to_infinity (cis (w * d)).
Proof.
  apply (tends_by_rate _ _ (d ^ 2 / 4)); [generalize (pow2_ge_0 d); lra|].
  intros s Hs. replace (d ^ 2 / 4 / s ^ 2) with (d ^ 2 / (4 * s ^ 2)) by (field; lra). apply rope_kernel_rate, Hs.
Qed.

(* claim: limit.rope-kernel *)
Theorem rope_kernel_not_uniform w : ~ tends_uniformly (fun d s => K d w s) (fun d => cis (w * d)) is_integer.
Proof. apply (not_uniform _ _ 4); [lra|]. intros; now apply K_error. Qed.

(* --- limit.no-position ------------------------------------------------------------------------------------------------- *)

Lemma K_at_origin w s : 0 < s -> K 0 w s = RtoC 1.
Proof.
  intros Hs. unfold K. rewrite Rmult_0_r, cis_0, Cmult_1_l. replace (0 ^ 2 / (4 * s ^ 2)) with 0 by (field; lra).
  now rewrite Ropp_0, exp_0.
Qed.

(* claim: limit.no-position *)
Theorem no_position_rate d w s : 0 < s -> d <> 0 -> Cmod (K d w s) <= 4 * s ^ 2 / d ^ 2.
Proof.
  intros Hs Hd. assert (Hd2 : 0 < d ^ 2) by (apply pow2_gt_0, Hd). rewrite K_mod.
  replace (4 * s ^ 2 / d ^ 2) with (/ (d ^ 2 / (4 * s ^ 2))) by (field; lra). left. apply exp_decay.
  apply Rdiv_lt_0_compat; [exact Hd2 | nra].
Qed.

(* claim: limit.no-position *)
Theorem no_position w :
  tends (fun s => K 0 w s) down_to_zero (RtoC 1) /\ forall d, d <> 0 -> tends (fun s => K d w s) down_to_zero (RtoC 0).
Proof.
  split.
  - intros eps He. exists (mkposreal 1 Rlt_0_1). intros s _ Hs. rewrite K_at_origin by exact Hs.
    replace (Cminus 1 1) with (RtoC 0) by complex_ring. rewrite Cmod_0. exact He.
  - intros d Hd eps He. assert (Hd2 : 0 < d ^ 2) by (apply pow2_gt_0, Hd).
    assert (Hr : 0 < Rmin 1 (eps * d ^ 2 / 4)) by (apply Rmin_glb_lt; [lra | nra]).
    exists (mkposreal _ Hr). intros s Hball Hs. apply Rabs_def2 in Hball. cbn [pos] in Hball.
    unfold minus, plus, opp in Hball. cbn in Hball. rewrite Ropp_0, Rplus_0_r in Hball. destruct Hball as [Hball _].
    assert (s < 1) by (eapply Rlt_le_trans; [exact Hball | apply Rmin_l]).
    assert (s < eps * d ^ 2 / 4) by (eapply Rlt_le_trans; [exact Hball | apply Rmin_r]).
    replace (Cminus (K d w s) 0) with (K d w s) by complex_ring.
    eapply Rle_lt_trans; [apply no_position_rate; assumption|].
    apply (Rmult_lt_reg_r (d ^ 2)); [exact Hd2|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.
