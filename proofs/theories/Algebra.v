(* Lemmas on complex numbers and finite sums that the topics share. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary.
Open Scope R_scope.

(* Two complex numbers are equal if their parts are; what is left is real algebra. *)
Ltac parts := apply injective_projections; unfold Cminus, Cdiv, Cmult, Cplus, Copp, Cconj, RtoC, Ci; cbn [fst snd].
Ltac complex_ring := parts; ring.

(* --- the unit circle and the exponential ------------------------------------------------------------------------------- *)

Lemma cos_sin_one t : cos t ^ 2 + sin t ^ 2 = 1.
Proof. generalize (sin2_cos2 t); unfold Rsqr; lra. Qed.

Lemma cis_0 : cis 0 = RtoC 1.
Proof. unfold cis. rewrite cos_0, sin_0. reflexivity. Qed.

Lemma cis_plus a b : cis (a + b) = Cmult (cis a) (cis b).
Proof. unfold cis. rewrite cos_plus, sin_plus. complex_ring. Qed.

Lemma cis_conj t : Cconj (cis t) = cis (- t).
Proof. unfold cis, Cconj. cbn [fst snd]. now rewrite cos_neg, sin_neg. Qed.

Lemma cis_mod t : Cmod (cis t) = 1.
Proof. unfold Cmod, cis. cbn [fst snd]. now rewrite cos_sin_one, sqrt_1. Qed.

Lemma cis_nonzero t : cis t <> RtoC 0.
Proof. apply Cmod_gt_0. rewrite cis_mod. lra. Qed.

Lemma cis_period_nat t n : cis (t + 2 * INR n * PI) = cis t.
Proof. unfold cis. now rewrite cos_period, sin_period. Qed.

(* e^{i(t + 2 pi k)} = e^{it} for every integer k. *)
Lemma cis_period t k : cis (t + 2 * PI * IZR k) = cis t.
Proof.
  destruct (Z_le_gt_dec 0 k) as [Hk|Hk].
  - rewrite <- (Z2Nat.id k) by exact Hk. rewrite <- INR_IZR_INZ.
    rewrite <- (cis_period_nat t (Z.to_nat k)). f_equal. ring.
  - rewrite <- (cis_period_nat (t + 2 * PI * IZR k) (Z.to_nat (- k))). f_equal.
    rewrite (INR_IZR_INZ (Z.to_nat (- k))), Z2Nat.id by lia. rewrite opp_IZR. ring.
Qed.

Lemma Cexp_plus y z : Cexp (Cplus y z) = Cmult (Cexp y) (Cexp z).
Proof.
  unfold Cexp, Cplus. cbn [fst snd]. rewrite exp_plus, cos_plus, sin_plus. complex_ring.
Qed.

Lemma Cexp_mod z : Cmod (Cexp z) = exp (fst z).
Proof.
  replace (Cexp z) with (Cmult (RtoC (exp (fst z))) (cis (snd z))) by (unfold Cexp, cis; complex_ring).
  rewrite Cmod_mult, cis_mod, Cmod_R, Rmult_1_r. apply Rabs_pos_eq. left; apply exp_pos.
Qed.

Lemma Cexp_R x : Cexp (RtoC x) = RtoC (exp x).
Proof. unfold Cexp, RtoC. cbn [fst snd]. rewrite cos_0, sin_0. complex_ring. Qed.

Lemma Cexp_nonzero z : Cexp z <> RtoC 0.
Proof. apply Cmod_gt_0. rewrite Cexp_mod. apply exp_pos. Qed.

Lemma RtoC_nonzero x : x <> 0 -> RtoC x <> RtoC 0.
Proof. intros H E. apply H. now apply RtoC_inj. Qed.

(* --- modulus and conjugate --------------------------------------------------------------------------------------------- *)

Lemma Cconj_mult y z : Cconj (Cmult y z) = Cmult (Cconj y) (Cconj z).
Proof. complex_ring. Qed.
Lemma Cconj_plus y z : Cconj (Cplus y z) = Cplus (Cconj y) (Cconj z).
Proof. complex_ring. Qed.
Lemma Cconj_R x : Cconj (RtoC x) = RtoC x.
Proof. complex_ring. Qed.

Lemma Cmod_conj z : Cmod (Cconj z) = Cmod z.
Proof. unfold Cmod, Cconj. cbn [fst snd]. f_equal. ring. Qed.

Lemma Cmod_sq z : Cmod z ^ 2 = fst z ^ 2 + snd z ^ 2.
Proof. unfold Cmod. apply pow2_sqrt. generalize (pow2_ge_0 (fst z)) (pow2_ge_0 (snd z)); lra. Qed.

Lemma Cmult_conj z : Cmult z (Cconj z) = RtoC (Cmod z ^ 2).
Proof. rewrite Cmod_sq. complex_ring. Qed.

Lemma re_le_mod z : Rabs (fst z) <= Cmod z.
Proof. eapply Rle_trans; [apply Rmax_l | apply Rmax_Cmod]. Qed.
Lemma im_le_mod z : Rabs (snd z) <= Cmod z.
Proof. eapply Rle_trans; [apply Rmax_r | apply Rmax_Cmod]. Qed.

(* --- the exponential of a real number ---------------------------------------------------------------------------------- *)

(* 0 <= 1 - e^{-x} <= x for x >= 0: how far a Gaussian is from 1. *)
Lemma one_minus_exp x : 0 <= x -> 0 <= 1 - exp (- x) <= x.
Proof.
  intros Hx. split.
  - destruct Hx as [Hx|<-]; [|rewrite Ropp_0, exp_0; lra].
    assert (exp (- x) < exp 0) by (apply exp_increasing; lra). rewrite exp_0 in *; lra.
  - generalize (exp_ineq1_le (- x)); lra.
Qed.

(* e^{-x} < 1/x for x > 0. *)
Lemma exp_decay x : 0 < x -> exp (- x) < / x.
Proof.
  intros Hx. rewrite exp_Ropp. apply Rinv_lt_contravar.
  - apply Rmult_lt_0_compat; [exact Hx | apply exp_pos].
  - generalize (exp_ineq1_le x); lra.
Qed.

Lemma square_quotient x c s : 0 < c -> 0 < s -> 0 <= x ^ 2 / (c * s ^ 2).
Proof.
  intros Hc Hs. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat.
  apply Rmult_lt_0_compat; [exact Hc | apply pow_lt, Hs].
Qed.

(* --- finite sums ------------------------------------------------------------------------------------------------------- *)

Lemma Rsum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Rsum n f = Rsum n g.
Proof. induction n; intros H; [reflexivity|]. cbn. rewrite IHn, H; auto with arith. Qed.
Lemma Csum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Csum n f = Csum n g.
Proof. induction n; intros H; [reflexivity|]. cbn. rewrite IHn, H; auto with arith. Qed.

Lemma Rsum_plus n f g : Rsum n (fun i => f i + g i) = Rsum n f + Rsum n g.
Proof. induction n; cbn; [ring | rewrite IHn; ring]. Qed.
Lemma Rsum_scal n c f : Rsum n (fun i => c * f i) = c * Rsum n f.
Proof. induction n; cbn; [ring | rewrite IHn; ring]. Qed.
Lemma Csum_plus n f g : Csum n (fun i => Cplus (f i) (g i)) = Cplus (Csum n f) (Csum n g).
Proof. induction n; cbn; [| rewrite IHn]; complex_ring. Qed.
Lemma Csum_scal n c f : Csum n (fun i => Cmult c (f i)) = Cmult c (Csum n f).
Proof. induction n; cbn; [| rewrite IHn]; complex_ring. Qed.
Lemma Csum_0 n : Csum n (fun _ => RtoC 0) = RtoC 0.
Proof. induction n; cbn; [reflexivity | rewrite IHn; complex_ring]. Qed.
Lemma Csum_conj n f : Cconj (Csum n f) = Csum n (fun i => Cconj (f i)).
Proof. induction n; cbn; [complex_ring | now rewrite Cconj_plus, IHn]. Qed.
Lemma Csum_re n f : fst (Csum n f) = Rsum n (fun i => fst (f i)).
Proof. induction n; cbn; [reflexivity | now rewrite IHn]. Qed.
Lemma Csum_im n f : snd (Csum n f) = Rsum n (fun i => snd (f i)).
Proof. induction n; cbn; [reflexivity | now rewrite IHn]. Qed.
Lemma Csum_R n f : Csum n (fun i => RtoC (f i)) = RtoC (Rsum n f).
Proof. induction n; cbn; [reflexivity | rewrite IHn; complex_ring]. Qed.

(* A double sum of products is the product of the sums. *)
Lemma Csum_product n f g :
  Csum n (fun j => Csum n (fun k => Cmult (f j) (g k))) = Cmult (Csum n f) (Csum n g).
Proof.
  transitivity (Csum n (fun j => Cmult (Csum n g) (f j))).
  - apply Csum_ext; intros. rewrite Csum_scal. apply Cmult_comm.
  - rewrite Csum_scal. apply Cmult_comm.
Qed.

Lemma Rsum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> Rsum n f <= Rsum n g.
Proof.
  induction n; intros H; cbn; [lra|]. apply Rplus_le_compat; [apply IHn; auto with arith | apply H; auto with arith].
Qed.
Lemma Rsum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= Rsum n f.
Proof.
  induction n; intros H; cbn; [lra|]. apply Rplus_le_le_0_compat; [apply IHn; auto with arith | apply H; auto with arith].
Qed.
(* One term of a sum of nonnegative terms is no larger than the sum. *)
Lemma Rsum_one_term n f i : (forall i, (i < n)%nat -> 0 <= f i) -> (i < n)%nat -> f i <= Rsum n f.
Proof.
  induction n; intros H Hi; [lia|]. cbn.
  assert (0 <= Rsum n f) by (apply Rsum_nonneg; auto with arith).
  assert (0 <= f n) by (apply H; auto with arith).
  destruct (Nat.eq_dec i n) as [->|Hin]; [lra|].
  assert (f i <= Rsum n f) by (apply IHn; [auto with arith | lia]). lra.
Qed.
Lemma Rsum_abs n f : Rabs (Rsum n f) <= Rsum n (fun i => Rabs (f i)).
Proof.
  induction n; cbn; [rewrite Rabs_R0; lra|]. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat_r, IHn.
Qed.
Lemma Rsum_const n c : Rsum n (fun _ => c) = INR n * c.
Proof. induction n; [cbn; ring | rewrite S_INR; cbn [Rsum]; rewrite IHn; ring]. Qed.
