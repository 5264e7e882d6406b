(* The rounding error of the rotary encoding for float32 data, in the order of operations of the generated kernels.

   Data x0 and x1, positions b, frequencies w and widths s are numbers of float32. The phase b w, the quotient b/s, cosine,
   sine and exponential are formed in float64, where a platform's cos, sin and exp are taken to be within one unit in the last
   place of the value at the operand that they are given: that is the hypothesis, and there is no other. Then
     - the torch kernel multiplies and adds in float64 and rounds once to float32,
     - the Triton kernel rounds the three values to float32 and multiplies and adds there; a compiler may leave out the
       rounding of one of the two products (a fused multiply-add).
   Overflow is not modelled; nothing here comes near it. The Gappa tactic proves the bounds on the arithmetic and needs the
   gappa program while the file is compiled. *)
From Coq Require Import Reals ZArith Lra Lia.
From Flocq Require Import Core Relative.
From Gappa Require Import Gappa_tactic.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Learning.
Open Scope R_scope.

(* Rounding to nearest, ties to even, subnormal numbers kept: 53 bits down to 2^-1074, 24 bits down to 2^-149. *)
Definition f64 (x : R) : R := round radix2 (FLT_exp (-1074) 53) ZnearestE x.
Definition f32 (x : R) : R := round radix2 (FLT_exp (-149) 24) ZnearestE x.

(* x is a number of float32. *)
Definition float32 (x : R) : Prop := generic_format radix2 (FLT_exp (-149) 24) x.

(* The distance of neighbouring numbers of float64 about x. *)
Definition unit64 (x : R) : R := ulp radix2 (FLT_exp (-1074) 53) x.

Theorem formats_unfolded x :
  f64 x = round radix2 (FLT_exp (-1074) 53) (Znearest (fun n => negb (Z.even n))) x /\
  f32 x = round radix2 (FLT_exp (-149) 24) (Znearest (fun n => negb (Z.even n))) x /\
  unit64 x = ulp radix2 (FLT_exp (-1074) 53) x /\
  float32 x = generic_format radix2 (FLT_exp (-149) 24) x.
Proof. repeat split. Qed.

(* --- the operands ------------------------------------------------------------------------------------------------------ *)

(* The product of two numbers of 24 bits has 48 and is exact in float64. *)
Lemma phase_exact b w : float32 b -> float32 w -> f64 (b * w) = b * w.
Proof.
  intros Hb Hw. apply round_generic; [apply valid_rnd_N|]. apply generic_format_FLT.
  destruct (FLT_format_generic radix2 (-149) 24 (prec_gt_0_ := eq_refl) b Hb) as [[mb eb] -> Mb Eb].
  destruct (FLT_format_generic radix2 (-149) 24 (prec_gt_0_ := eq_refl) w Hw) as [[mw ew] -> Mw Ew].
  cbn [Defs.Fnum Defs.Fexp] in *. exists (Float radix2 (mb * mw) (eb + ew)); cbn [Defs.Fnum Defs.Fexp].
  - unfold F2R. cbn [Defs.Fnum Defs.Fexp]. rewrite mult_IZR, bpow_plus. ring.
  - rewrite Z.abs_mul. change (Z.pow radix2 24) with 16777216%Z in *. change (Z.pow radix2 53) with 9007199254740992%Z. nia.
  - lia.
Qed.

(* Rounding is a relative error of at most 2^-53, and one that only subnormal numbers see. *)
Lemma f64_error x : exists e n, Rabs e <= / 2 ^ 53 /\ Rabs n <= / 2 ^ 100 /\ f64 x = x * (1 + e) + n.
Proof.
  destruct (error_N_FLT radix2 (-1074) 53 eq_refl (fun n => negb (Z.even n)) x) as [e [n [He [Hn [_ E]]]]].
  exists e, n. repeat split; [| |exact E].
  - change (- (53) + 1)%Z with (-52)%Z in He. cbn in He. lra.
  - assert (B := bpow_le radix2 (-1074) (-100) ltac:(lia)). assert (P := bpow_gt_0 radix2 (-1074)).
    replace (bpow radix2 (-100)) with (/ 2 ^ 100) in B by (cbn; lra). set (t := bpow radix2 (-1074)) in *. lra.
Qed.

Lemma unit64_bound x : Rabs x <= 1 -> unit64 x <= / 2 ^ 52.
Proof.
  intros H. unfold unit64. apply Rle_trans with (ulp radix2 (FLT_exp (-1074) 53) (bpow radix2 0)).
  - assert (Prec_gt_0 53) by reflexivity. apply ulp_le; try typeclasses eauto.
    rewrite (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0. exact H.
  - rewrite ulp_bpow. change (FLT_exp (-1074) 53 (0 + 1)) with (-52)%Z. cbn. lra.
Qed.

(* --- the exponential --------------------------------------------------------------------------------------------------- *)

Section Operand.
Variable y : R.
Hypothesis Hy : Rabs y <= 57.
Let z := f64 y.
Let h := f64 (- (1 / 2) * f64 (z * z)).

(* The operand -z^2/2 is within four roundings and a little of -y^2/2. *)
Lemma operand_error : Rabs (h + y ^ 2 / 2) <= / 2 ^ 51 * (9 / 8) * (y ^ 2 / 2) + / 2 ^ 80.
Proof.
  set (A := Rabs y) in *. assert (A0 : 0 <= A) by apply Rabs_pos. assert (HA : y ^ 2 = A ^ 2) by (unfold A; now rewrite pow2_abs).
  assert (B : forall x, Rabs (f64 x - x) <= / 2 ^ 53 * Rabs x + / 2 ^ 100).
  { intros x. destruct (f64_error x) as [e [n [He [Hn ->]]]]. replace (x * (1 + e) + n - x) with (x * e + n) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [|exact Hn]. rewrite Rabs_mult, Rmult_comm.
    apply Rmult_le_compat_r; [apply Rabs_pos | exact He]. }
  assert (S1 : Rabs (z - y) <= / 2 ^ 53 * A + / 2 ^ 100) by apply B.
  assert (S2 : Rabs (z * z - y ^ 2) <= / 2 ^ 52 * (17 / 16) * A ^ 2 + / 2 ^ 90).
  { replace (z * z - y ^ 2) with ((z - y) * (2 * y + (z - y))) by ring. rewrite Rabs_mult.
    assert (T : Rabs (2 * y + (z - y)) <= 2 * A + (/ 2 ^ 53 * A + / 2 ^ 100)).
    { eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [|exact S1]. rewrite Rabs_mult.
      rewrite (Rabs_pos_eq 2) by lra. unfold A. lra. }
    eapply Rle_trans; [apply Rmult_le_compat; [apply Rabs_pos | apply Rabs_pos | exact S1 | exact T]|]. nra. }
  assert (S3 : Rabs (f64 (z * z) - y ^ 2) <= / 2 ^ 51 * (13 / 16) * A ^ 2 + / 2 ^ 82).
  { replace (f64 (z * z) - y ^ 2) with (f64 (z * z) - z * z + (z * z - y ^ 2)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. assert (T := B (z * z)).
    assert (Zc : Rabs (z * z) <= A ^ 2 + (/ 2 ^ 52 * (17 / 16) * A ^ 2 + / 2 ^ 90)).
    { replace (z * z) with (y ^ 2 + (z * z - y ^ 2)) by ring. eapply Rle_trans; [apply Rabs_triang|].
      rewrite HA, (Rabs_pos_eq (A ^ 2)) by apply pow2_ge_0. rewrite HA in S2. lra. }
    generalize (pow2_ge_0 A). lra. }
  assert (S4 := B (- (1 / 2) * f64 (z * z))). fold h in S4.
  assert (Q : Rabs (- (1 / 2) * f64 (z * z)) <= (A ^ 2 + (/ 2 ^ 51 * (13 / 16) * A ^ 2 + / 2 ^ 82)) / 2).
  { rewrite Rabs_mult, (Rabs_left (- (1 / 2))) by lra. 
    assert (Rabs (f64 (z * z)) <= A ^ 2 + (/ 2 ^ 51 * (13 / 16) * A ^ 2 + / 2 ^ 82)); [|lra].
    replace (f64 (z * z)) with (y ^ 2 + (f64 (z * z) - y ^ 2)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite HA, (Rabs_pos_eq (A ^ 2)) by apply pow2_ge_0. rewrite HA in S3. lra. }
  replace (h + y ^ 2 / 2) with (h - - (1 / 2) * f64 (z * z) + - (1 / 2) * (f64 (z * z) - y ^ 2)) by field.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult (- (1 / 2))), (Rabs_left (- (1 / 2))) by lra.
  rewrite HA in S3 |- *. generalize (pow2_ge_0 A). lra.
Qed.
End Operand.

(* A change r of the exponent changes e^{-u} by at most 1.01 |r| e^{-u}. *)
Lemma exp_change u r : Rabs r <= / 200 -> Rabs (exp (- u + r) - exp (- u)) <= 1.01 * Rabs r * exp (- u).
Proof.
  intros Hr. assert (E := exp_pos (- u)). rewrite exp_plus.
  replace (exp (- u) * exp r - exp (- u)) with ((exp r - 1) * exp (- u)) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq (exp (- u))) by lra. apply Rmult_le_compat_r; [lra|].
  assert (L := exp_ineq1_le r). assert (L' := exp_ineq1_le (- r)). assert (Pr := exp_pos r).
  assert (M : exp r * exp (- r) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  apply Rabs_le. unfold Rabs in *. destruct (Rcase_abs r); split; nra.
Qed.

Lemma u_damped u : u * exp (- u) <= / 2.
Proof.
  eapply Rle_trans; [apply Learning.peak|]. apply Rinv_le_contravar; [lra|]. generalize (exp_ineq1_le 1). lra.
Qed.

Lemma operand_not_positive z : f64 (- (1 / 2) * f64 (z * z)) <= 0.
Proof.
  assert (Prec_gt_0 53) by reflexivity.
  assert (M : forall x y, x <= y -> f64 x <= f64 y) by (intros; apply round_le; try typeclasses eauto; assumption).
  assert (Z : f64 0 = 0) by (apply round_0; typeclasses eauto).
  assert (0 <= f64 (z * z)) by (rewrite <- Z; apply M; nra). apply Rle_trans with (f64 0); [apply M | rewrite Z]; lra.
Qed.

(* --- the arithmetic ---------------------------------------------------------------------------------------------------- *)

(* c, s, g stand for what the platform gives for cosine, sine and envelope, C, S, G for their true values. *)
Definition close (c s g C S G : R) : Prop :=
  Rabs (c - C) <= 1 / 4503599627370496 /\ Rabs (s - S) <= 1 / 4503599627370496 /\ Rabs (g - G) <= 5 / 9007199254740992 /\
  Rabs C <= 1 /\ Rabs S <= 1 /\ 0 <= G <= 1.

Local Notation "[64] x" := (rounding_float rndNE 53 (-1074) x) (at level 9, format "[64] x").
Local Notation "[32] x" := (rounding_float rndNE 24 (-149) x) (at level 9, format "[32] x").

Lemma in_float64 c s g C S G x0 x1 : close c s g C S G -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Rabs (C * x0 - S * x1) <= 3 / 2 ->
  Rabs ([32]([64]([64]([64](c * x0) - [64](s * x1)) * g)) - G * (C * x0 - S * x1)) <= 33554433 / 562949953421312.
Proof.
  unfold close. intros (H1 & H2 & H3 & H4 & H5 & H6) H7 H8 H9.
  replace (G * (C * x0 - S * x1)) with ((C * x0 - S * x1) * G) by ring. gappa.
Qed.

Lemma in_float64_sum c s g C S G x0 x1 : close c s g C S G -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Rabs (S * x0 + C * x1) <= 3 / 2 ->
  Rabs ([32]([64]([64]([64](s * x0) + [64](c * x1)) * g)) - G * (S * x0 + C * x1)) <= 33554433 / 562949953421312.
Proof.
  unfold close. intros (H1 & H2 & H3 & H4 & H5 & H6) H7 H8 H9.
  replace (G * (S * x0 + C * x1)) with ((S * x0 + C * x1) * G) by ring. gappa.
Qed.

Lemma in_float32 c s g C S G x0 x1 : close c s g C S G -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Rabs (C * x0 - S * x1) <= 1449 / 1024 ->
  Rabs ([32]([32]([32]([32]c * x0) - [32]([32]s * x1)) * [32]g) - G * (C * x0 - S * x1)) <= 151 / 536870912 /\
  Rabs ([32]([32]([32]c * x0 - [32]([32]s * x1)) * [32]g) - G * (C * x0 - S * x1)) <= 151 / 536870912 /\
  Rabs ([32]([32]([32]([32]c * x0) - [32]s * x1) * [32]g) - G * (C * x0 - S * x1)) <= 151 / 536870912.
Proof.
  unfold close. intros (H1 & H2 & H3 & H4 & H5 & H6) H7 H8 H9.
  replace (G * (C * x0 - S * x1)) with ((C * x0 - S * x1) * G) by ring. repeat split; gappa.
Qed.

Lemma in_float32_sum c s g C S G x0 x1 : close c s g C S G -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Rabs (S * x0 + C * x1) <= 1449 / 1024 ->
  Rabs ([32]([32]([32]([32]s * x0) + [32]([32]c * x1)) * [32]g) - G * (S * x0 + C * x1)) <= 151 / 536870912 /\
  Rabs ([32]([32]([32]s * x0 + [32]([32]c * x1)) * [32]g) - G * (S * x0 + C * x1)) <= 151 / 536870912 /\
  Rabs ([32]([32]([32]([32]s * x0) + [32]c * x1) * [32]g) - G * (S * x0 + C * x1)) <= 151 / 536870912.
Proof.
  unfold close. intros (H1 & H2 & H3 & H4 & H5 & H6) H7 H8 H9.
  replace (G * (S * x0 + C * x1)) with ((S * x0 + C * x1) * G) by ring. repeat split; gappa.
Qed.

(* --- the kernels ------------------------------------------------------------------------------------------------------- *)

(* A turn by an angle makes a pair of numbers in [-1, 1] no larger than sqrt 2. *)
Lemma turned_size t x0 x1 : Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Rabs (cos t * x0 - sin t * x1) <= 1449 / 1024 /\ Rabs (sin t * x0 + cos t * x1) <= 1449 / 1024.
Proof.
  intros H0 H1. assert (E := cos_sin_one t). apply Rabs_le_between in H0. apply Rabs_le_between in H1.
  assert (Q : (cos t * x0 - sin t * x1) ^ 2 + (sin t * x0 + cos t * x1) ^ 2 = x0 ^ 2 + x1 ^ 2).
  { transitivity ((cos t ^ 2 + sin t ^ 2) * (x0 ^ 2 + x1 ^ 2)); [ring | rewrite E; ring]. }
  assert (x0 ^ 2 <= 1) by nra. assert (x1 ^ 2 <= 1) by nra.
  set (p := cos t * x0 - sin t * x1) in *. set (q := sin t * x0 + cos t * x1) in *. split; apply Rabs_le; split; nra.
Qed.

(* Beyond the cut-off both kernels give 0, and the true value is smaller than any rounding error. *)
Theorem beyond_the_cut_off b w s x0 x1 : 0 < s -> 55 <= Rabs (b / s) -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  Cmod (Cminus (RtoC 0) (Cmult (x0, x1) (psi b w s))) <= 1 / 2 ^ 99.
Proof.
  intros Hs Hy H0 H1. replace (Cminus (RtoC 0) (Cmult (x0, x1) (psi b w s))) with (Copp (Cmult (x0, x1) (psi b w s)))
    by complex_ring.
  rewrite Cmod_opp, Cmod_mult, psi_mod. set (u := b ^ 2 / (2 * s ^ 2)).
  assert (Hu : 1500 <= u).
  { replace u with ((b / s) ^ 2 / 2) by (unfold u; field; lra). rewrite <- (pow2_abs (b / s)). nra. }
  assert (X : Cmod (x0, x1) <= 2).
  { eapply Rle_trans; [apply Cmod_2Rmax|]. cbn [fst snd]. assert (Rmax (Rabs x0) (Rabs x1) <= 1) by (apply Rmax_lub; assumption).
    assert (sqrt 2 <= 2) by (rewrite <- (sqrt_pow2 2) at 2 by lra; apply sqrt_le_1_alt; lra).
    assert (0 <= Rmax (Rabs x0) (Rabs x1)) by (eapply Rle_trans; [apply (Rabs_pos x0) | apply Rmax_l]). 
    generalize (sqrt_pos 2). nra. }
  assert (E : exp (- u) <= (/ 2) ^ 100).
  { replace (exp (- u)) with (exp (- (u / 100)) ^ 100).
    - apply pow_incr. split; [left; apply exp_pos|]. left. apply Rlt_le_trans with (/ (u / 100)); [apply exp_decay; lra|].
      apply Rinv_le_contravar; lra.
    - rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp, INR_IZR_INZ. f_equal. cbn. field. }
  assert (P : 0 <= exp (- u)) by (left; apply exp_pos). assert (N := Cmod_ge_0 (x0, x1)).
  apply Rle_trans with (2 * (/ 2) ^ 100); [|lra]. apply Rmult_le_compat; assumption.
Qed.

Section Kernels.
(* The platform: its three functions on float64, each within one unit in the last place. *)
Variables cos64 sin64 exp64 : R -> R.
Hypothesis cos_within : forall t, Rabs (cos64 t - cos t) <= unit64 (cos t).
Hypothesis sin_within : forall t, Rabs (sin64 t - sin t) <= unit64 (sin t).
Hypothesis exp_within : forall t, Rabs (exp64 t - exp t) <= unit64 (exp t).

Lemma platform_is_close b w s : float32 b -> float32 w -> 0 < s -> Rabs (b / s) <= 57 ->
  close (cos64 (f64 (b * w))) (sin64 (f64 (b * w))) (exp64 (f64 (- (1 / 2) * f64 (f64 (b / s) * f64 (b / s)))))
        (cos (w * b)) (sin (w * b)) (exp (- (b ^ 2 / (2 * s ^ 2)))).
Proof.
  intros Hb Hw Hs Hy. rewrite phase_exact, (Rmult_comm b w) by assumption.
  assert (BC : Rabs (cos (w * b)) <= 1) by apply Rabs_le, COS_bound.
  assert (BS : Rabs (sin (w * b)) <= 1) by apply Rabs_le, SIN_bound.
  assert (C := cos_within (w * b)). assert (S := sin_within (w * b)). apply unit64_bound in BC as UC.
  apply unit64_bound in BS as US.
  replace (b ^ 2 / (2 * s ^ 2)) with ((b / s) ^ 2 / 2) by (field; lra). set (y := b / s) in *. set (u := y ^ 2 / 2).
  assert (Hu : 0 <= u) by (unfold u; generalize (pow2_ge_0 y); lra).
  set (h := f64 (- (1 / 2) * f64 (f64 y * f64 y))).
  assert (Hh : h <= 0) by apply operand_not_positive.
  assert (He : exp h <= 1).
  { destruct Hh as [Hh|Hh]; [|rewrite Hh, exp_0; lra]. rewrite <- exp_0. left. apply exp_increasing, Hh. }
  assert (E := exp_within h). assert (UE : unit64 (exp h) <= / 2 ^ 52).
  { apply unit64_bound. rewrite Rabs_pos_eq; [exact He | left; apply exp_pos]. }
  assert (O := operand_error y Hy). fold h u in O.
  assert (U : u <= 57 ^ 2 / 2).
  { unfold u. rewrite <- (pow2_abs y). generalize (Rabs_pos y). nra. }
  assert (R0 : Rabs (h + u) <= / 200) by (eapply Rle_trans; [exact O|]; lra).
  assert (X := exp_change u (h + u) R0). replace (- u + (h + u)) with h in X by ring.
  assert (D := u_damped u). assert (E1 := proj1 (one_minus_exp u Hu)). assert (E0 := exp_pos (- u)).
  assert (Y : Rabs (h + u) * exp (- u) <= / 2 ^ 51 * (9 / 8) * / 2 + / 2 ^ 80).
  { apply Rle_trans with ((/ 2 ^ 51 * (9 / 8) * u + / 2 ^ 80) * exp (- u)); [apply Rmult_le_compat_r; lra|]. lra. }
  assert (Two : / 2 ^ 52 = 1 / 4503599627370496) by lra.
  unfold close. repeat split; try assumption; try lra.
  replace (exp64 h - exp (- u)) with (exp64 h - exp h + (exp h - exp (- u))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rmult_assoc in X. lra.
Qed.

(* What torch computes for float32 data, inside the cut-off of 56 widths (with room for the rounding of b/s): each channel is
   within 2^-24 + 2^-49 of that of the true packet. 2^-24 is the last rounding. The bound of the certificate follows. *)
Theorem torch_rotary_float32 b w s x0 x1 :
  float32 b -> float32 w -> 0 < s -> Rabs (b / s) <= 57 -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  let c := cos64 (f64 (b * w)) in
  let sn := sin64 (f64 (b * w)) in
  let z := f64 (b / s) in
  let g := exp64 (f64 (- (1 / 2) * f64 (z * z))) in
  let turned := Cmult (x0, x1) (psi b w s) in
  Rabs (f32 (f64 (f64 (f64 (c * x0) - f64 (sn * x1)) * g)) - fst turned) <= 1 / 2 ^ 24 + 1 / 2 ^ 49 /\
  Rabs (f32 (f64 (f64 (f64 (sn * x0) + f64 (c * x1)) * g)) - snd turned) <= 1 / 2 ^ 24 + 1 / 2 ^ 49.
Proof.
  intros Hb Hw Hs Hy H0 H1 c sn z g turned. assert (H := platform_is_close b w s Hb Hw Hs Hy). fold c sn z g in H.
  destruct (turned_size (w * b) x0 x1 H0 H1) as [T0 T1].
  replace (1 / 2 ^ 24 + 1 / 2 ^ 49) with (33554433 / 562949953421312) by lra.
  unfold turned. rewrite psi_parts. unfold Cmult. cbn [fst snd]. set (G := exp _) in *.
  replace (x0 * (G * cos (w * b)) - x1 * (G * sin (w * b))) with (G * (cos (w * b) * x0 - sin (w * b) * x1)) by ring.
  replace (x0 * (G * sin (w * b)) + x1 * (G * cos (w * b))) with (G * (sin (w * b) * x0 + cos (w * b) * x1)) by ring.
  split; [apply in_float64 | apply in_float64_sum]; try assumption; lra.
Qed.

(* What Triton computes for float32 data: within 4.72 * 2^-24, whether or not a compiler fuses a product with the sum. The
   bound of the certificate follows. *)
Theorem triton_rotary_float32 b w s x0 x1 :
  float32 b -> float32 w -> 0 < s -> Rabs (b / s) <= 57 -> Rabs x0 <= 1 -> Rabs x1 <= 1 ->
  let c := f32 (cos64 (f64 (b * w))) in
  let sn := f32 (sin64 (f64 (b * w))) in
  let z := f64 (b / s) in
  let g := f32 (exp64 (f64 (- (1 / 2) * f64 (z * z)))) in
  let turned := Cmult (x0, x1) (psi b w s) in
  (Rabs (f32 (f32 (f32 (c * x0) - f32 (sn * x1)) * g) - fst turned) <= 151 / 2 ^ 29 /\
   Rabs (f32 (f32 (c * x0 - f32 (sn * x1)) * g) - fst turned) <= 151 / 2 ^ 29 /\
   Rabs (f32 (f32 (f32 (c * x0) - sn * x1) * g) - fst turned) <= 151 / 2 ^ 29) /\
  (Rabs (f32 (f32 (f32 (sn * x0) + f32 (c * x1)) * g) - snd turned) <= 151 / 2 ^ 29 /\
   Rabs (f32 (f32 (sn * x0 + f32 (c * x1)) * g) - snd turned) <= 151 / 2 ^ 29 /\
   Rabs (f32 (f32 (f32 (sn * x0) + c * x1) * g) - snd turned) <= 151 / 2 ^ 29).
Proof.
  intros Hb Hw Hs Hy H0 H1 c sn z g turned. assert (H := platform_is_close b w s Hb Hw Hs Hy).
  destruct (turned_size (w * b) x0 x1 H0 H1) as [T0 T1]. replace (151 / 2 ^ 29) with (151 / 536870912) by lra.
  unfold turned. rewrite psi_parts. unfold Cmult. cbn [fst snd]. set (G := exp _) in *.
  replace (x0 * (G * cos (w * b)) - x1 * (G * sin (w * b))) with (G * (cos (w * b) * x0 - sin (w * b) * x1)) by ring.
  replace (x0 * (G * sin (w * b)) + x1 * (G * cos (w * b))) with (G * (sin (w * b) * x0 + cos (w * b) * x1)) by ring.
  split; [exact (in_float32 _ _ _ _ _ _ x0 x1 H H0 H1 T0) | exact (in_float32_sum _ _ _ _ _ _ x0 x1 H H0 H1 T1)].
Qed.
End Kernels.
