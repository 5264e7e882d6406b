(* The claim on the smallest eigenvalue: on the integers every quadratic form of the relative kernel exceeds the theta number
   1 - 2q + 2q^4 - 2q^9 + ..., q = e^{-1/4s^2}, times the squared norm of its vector.

   The sequence q^{d^2} is the limit of finite ones, the coefficients of the products of (1 + q^{2k-1} z)(1 + q^{2k-1} / z) for
   k = 1, ..., n. Each factor is (1 - p)^2 + p (2 + z + 1/z), and to multiply a kernel by 2 + z + 1/z is to take its form with
   every position doubled, x and x + 1. So each kernel is the constant product of the (1 - p)^2, which is its value at z = -1,
   plus kernels that are positive semidefinite; at z = -1 the coefficients make an alternating sum, whose limit is the theta
   number. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions PositiveDefinite.
Open Scope R_scope.

(* --- finite sums ------------------------------------------------------------------------------------ *)

Lemma Csum_app n m f : Csum (n + m) f = Cplus (Csum n f) (Csum m (fun i => f (n + i)%nat)).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; cbn; complex_ring|].
  rewrite Nat.add_succ_r. cbn [Csum]. rewrite IH. complex_ring.
Qed.

Lemma Csum_single n f i : (i < n)%nat -> (forall j, (j < n)%nat -> j <> i -> f j = RtoC 0) -> Csum n f = f i.
Proof.
  induction n as [|n IH]; intros Hi H; [lia|]. cbn [Csum]. destruct (Nat.eq_dec i n) as [->|Ne].
  - rewrite (Csum_ext n f (fun _ => RtoC 0)) by (intros j Hj; apply H; lia). rewrite Csum_0. complex_ring.
  - rewrite IH by (try lia; intros; apply H; lia). rewrite (H n) by lia. complex_ring.
Qed.

(* --- forms of a kernel on the integers ----------------------------------------------------------------------------- *)

(* The real part of the form with the entries kappa (z_j - z_k). *)
Definition toeplitz N (b : nat -> C) (z : nat -> Z) (kappa : Z -> R) : R :=
  fst (form N b (fun j k => RtoC (kappa (z j - z k)%Z))).

Definition semidefinite (kappa : Z -> R) : Prop := forall N b z, 0 <= toeplitz N b z kappa.

Lemma toeplitz_ext N b z f g : (forall d, f d = g d) -> toeplitz N b z f = toeplitz N b z g.
Proof. intros H. unfold toeplitz. f_equal. apply form_ext. intros. now rewrite H. Qed.

Lemma toeplitz_scal N b z c f : toeplitz N b z (fun d => c * f d) = c * toeplitz N b z f.
Proof.
  unfold toeplitz. rewrite (form_ext N b _ (fun j k => Cmult (RtoC c) (RtoC (f (z j - z k)%Z)))) by (intros; complex_ring).
  rewrite form_scal. unfold Cmult, RtoC. cbn [fst snd]. ring.
Qed.

Lemma toeplitz_plus N b z p q f g :
  toeplitz N b z (fun d => p * f d + q * g d) = p * toeplitz N b z f + q * toeplitz N b z g.
Proof.
  unfold toeplitz.
  rewrite (form_ext N b _ (fun j k => Cplus (Cmult (RtoC p) (RtoC (f (z j - z k)%Z))) (Cmult (RtoC q) (RtoC (g (z j - z k)%Z)))))
    by (intros; complex_ring).
  rewrite form_plus, !form_scal. unfold Cplus, Cmult, RtoC. cbn [fst snd]. ring.
Qed.

(* --- the unit kernel ------------------------------------------------------------------------------------ *)

Definition at_origin (d : Z) : R := if Z.eq_dec d 0 then 1 else 0.

(* What stands at the position t. *)
Definition placed N (b : nat -> C) (z : nat -> Z) (t : Z) : C := Csum N (fun j => Cmult (b j) (RtoC (at_origin (z j - t)))).

Lemma within N (z : nat -> Z) t :
  exists M : nat, (Z.abs t <= Z.of_nat M)%Z /\ forall j, (j < N)%nat -> (Z.abs (z j) <= Z.of_nat M)%Z.
Proof.
  induction N as [|N [M [Ht IH]]]; [exists (Z.abs_nat t); split; [lia | intros; lia]|].
  exists (M + Z.abs_nat (z N))%nat. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j N) as [->|]; [lia|].
  assert (Z.abs (z j) <= Z.of_nat M)%Z by (apply IH; lia). lia.
Qed.

(* Two positions of a range are the same if they stand at the same place of it. *)
Lemma origin_sum M x y : (Z.abs x <= Z.of_nat M)%Z -> (Z.abs y <= Z.of_nat M)%Z ->
  RtoC (at_origin (x - y)) =
  Csum (2 * M + 1) (fun i => Cmult (RtoC (at_origin (x - (Z.of_nat i - Z.of_nat M))))
                                   (Cconj (RtoC (at_origin (y - (Z.of_nat i - Z.of_nat M)))))).
Proof.
  intros Hx Hy. rewrite (Csum_single _ _ (Z.to_nat (x + Z.of_nat M))).
  - rewrite Z2Nat.id by lia. unfold at_origin.
    destruct (Z.eq_dec (x - y) 0), (Z.eq_dec (x - (x + Z.of_nat M - Z.of_nat M)) 0),
      (Z.eq_dec (y - (x + Z.of_nat M - Z.of_nat M)) 0); try lia; complex_ring.
  - lia.
  - intros j Hj Hne. unfold at_origin at 1. destruct (Z.eq_dec _ 0); [lia | complex_ring].
Qed.

Lemma origin_form N b z M : (forall j, (j < N)%nat -> (Z.abs (z j) <= Z.of_nat M)%Z) ->
  toeplitz N b z at_origin = Rsum (2 * M + 1) (fun i => Cmod (placed N b z (Z.of_nat i - Z.of_nat M)) ^ 2).
Proof.
  intros H. unfold toeplitz.
  rewrite (form_ext N b _ _ (fun j k Hj Hk => origin_sum M (z j) (z k) (H j Hj) (H k Hk))), form_sum, Csum_re.
  apply Rsum_ext. intros i _.
  now rewrite (form_square N b (fun j => RtoC (at_origin (z j - (Z.of_nat i - Z.of_nat M))))).
Qed.

Lemma origin_above N b z t : Cmod (placed N b z t) ^ 2 <= toeplitz N b z at_origin.
Proof.
  destruct (within N z t) as [M [Ht HM]]. rewrite (origin_form N b z M HM).
  replace t with (Z.of_nat (Z.to_nat (t + Z.of_nat M)) - Z.of_nat M)%Z at 1 by lia.
  apply (Rsum_one_term _ (fun i => Cmod (placed N b z (Z.of_nat i - Z.of_nat M)) ^ 2)); [intros; apply pow2_ge_0 | lia].
Qed.

Lemma origin_semidefinite : semidefinite at_origin.
Proof. intros N b z. eapply Rle_trans; [apply pow2_ge_0 | apply (origin_above N b z 0)]. Qed.

(* At distinct positions it is the squared norm. *)
Lemma origin_norm N b z : (forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> z j <> z k) ->
  toeplitz N b z at_origin = Rsum N (fun j => Cmod (b j) ^ 2).
Proof.
  intros Hz. unfold toeplitz, form. rewrite Csum_re. apply Rsum_ext. intros k Hk. rewrite (Csum_single N _ k Hk).
  - rewrite Z.sub_diag. change (at_origin 0) with 1. rewrite Cmult_conj. unfold Cmult, RtoC. cbn. ring.
  - intros j Hj Hne. unfold at_origin. destruct (Z.eq_dec (z j - z k) 0) as [E|]; [|complex_ring]. exfalso.
    destruct (Nat.lt_gt_cases j k) as [H _]. destruct (H Hne); [apply (Hz j k) | apply (Hz k j)]; lia.
Qed.

(* --- doubled positions ------------------------------------------------------------------------------------ *)

(* A kernel times 2 + z + 1/z. *)
Definition doubled (kappa : Z -> R) (d : Z) : R := 2 * kappa d + (kappa (d - 1)%Z + kappa (d + 1)%Z).

(* The second half of 2N entries repeats the first, one step on. *)
Definition twice N (b : nat -> C) (i : nat) : C := b (if (i <? N)%nat then i else i - N)%nat.
Definition stepped N (z : nat -> Z) (i : nat) : Z := if (i <? N)%nat then z i else (z (i - N)%nat + 1)%Z.

Lemma twice_first N b i : (i < N)%nat -> twice N b i = b i.
Proof. intros H. unfold twice. now rewrite (proj2 (Nat.ltb_lt i N) H). Qed.
Lemma twice_second N b i : twice N b (N + i) = b i.
Proof. unfold twice. rewrite (proj2 (Nat.ltb_ge (N + i) N)) by lia. f_equal. lia. Qed.
Lemma stepped_first N z i : (i < N)%nat -> stepped N z i = z i.
Proof. intros H. unfold stepped. now rewrite (proj2 (Nat.ltb_lt i N) H). Qed.
Lemma stepped_second N z i : stepped N z (N + i) = (z i + 1)%Z.
Proof. unfold stepped. rewrite (proj2 (Nat.ltb_ge (N + i) N)) by lia. do 2 f_equal. lia. Qed.

Lemma doubled_form N b z kappa : toeplitz N b z (doubled kappa) = toeplitz (N + N) (twice N b) (stepped N z) kappa.
Proof.
  unfold toeplitz. f_equal. unfold form. rewrite Csum_app, <- Csum_plus. apply Csum_ext. intros k Hk.
  rewrite !Csum_app, <- !Csum_plus. apply Csum_ext. intros j Hj.
  rewrite !twice_second, !stepped_second, !twice_first, !stepped_first by assumption. unfold doubled.
  replace (z j + 1 - z k)%Z with (z j - z k + 1)%Z by lia. replace (z j - (z k + 1))%Z with (z j - z k - 1)%Z by lia.
  replace (z j + 1 - (z k + 1))%Z with (z j - z k)%Z by lia. parts; ring.
Qed.

Lemma doubled_semidefinite kappa : semidefinite kappa -> semidefinite (doubled kappa).
Proof. intros H N b z. rewrite doubled_form. apply H. Qed.

(* The last position with a weight. *)
Lemma last_position N (b : nat -> C) (z : nat -> Z) : (exists j, (j < N)%nat /\ b j <> RtoC 0) ->
  exists j, (j < N)%nat /\ b j <> RtoC 0 /\ forall k, (k < N)%nat -> b k <> RtoC 0 -> (z k <= z j)%Z.
Proof.
  induction N as [|N IH]; intros [i [Hi Hbi]]; [lia|].
  assert (Dec : b N = RtoC 0 \/ b N <> RtoC 0) by apply Classical_Prop.classic.
  destruct (Classical_Prop.classic (exists j, (j < N)%nat /\ b j <> RtoC 0)) as [E|None].
  - destruct (IH E) as (j & Hj & Hbj & Max). destruct Dec as [Z0|NZ].
    + exists j. repeat split; [lia | exact Hbj|]. intros k Hk Hbk. apply Max; [|exact Hbk].
      destruct (Nat.eq_dec k N) as [->|]; [contradiction | lia].
    + destruct (Z_le_gt_dec (z N) (z j)).
      * exists j. repeat split; [lia | exact Hbj|]. intros k Hk Hbk.
        destruct (Nat.eq_dec k N) as [->|]; [lia | apply Max; [lia | exact Hbk]].
      * exists N. repeat split; [lia | exact NZ|]. intros k Hk Hbk. destruct (Nat.eq_dec k N) as [->|]; [lia|].
        assert (z k <= z j)%Z by (apply Max; [lia | exact Hbk]). lia.
  - assert (i = N) as -> by (destruct (Nat.eq_dec i N); [assumption | exfalso; apply None; exists i; split; [lia | exact Hbi]]).
    exists N. repeat split; [lia | exact Hbi|]. intros k Hk Hbk. destruct (Nat.eq_dec k N) as [->|]; [lia|].
    exfalso. apply None. exists k. split; [lia | exact Hbk].
Qed.

(* One step after it stands that weight alone. *)
Lemma doubled_origin_definite N b z : (forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> z j <> z k) ->
  (exists j, (j < N)%nat /\ b j <> RtoC 0) -> 0 < toeplitz N b z (doubled at_origin).
Proof.
  intros Hz Hb. destruct (last_position N b z Hb) as (l & Hl & Hbl & Max). rewrite doubled_form.
  eapply Rlt_le_trans; [|apply (origin_above _ _ _ (z l + 1)%Z)]. apply pow_lt, Cmod_gt_0.
  replace (placed (N + N) (twice N b) (stepped N z) (z l + 1)) with (b l); [exact Hbl|].
  unfold placed. rewrite Csum_app, (Csum_ext N _ (fun _ => RtoC 0)), Csum_0, (Csum_single N _ l Hl).
  - rewrite twice_second, stepped_second, Z.sub_diag. change (at_origin 0) with 1. complex_ring.
  - intros j Hj Hne. rewrite twice_second, stepped_second. unfold at_origin.
    destruct (Z.eq_dec (z j + 1 - (z l + 1)) 0) as [E|]; [|complex_ring]. exfalso.
    destruct (Nat.lt_gt_cases j l) as [H _]. destruct (H Hne); [apply (Hz j l) | apply (Hz l j)]; lia.
  - intros j Hj. rewrite twice_first, stepped_first by exact Hj.
    destruct (Classical_Prop.classic (b j = RtoC 0)) as [->|NZ]; [complex_ring|].
    assert (H := Max j Hj NZ). unfold at_origin. destruct (Z.eq_dec _ 0); [lia | complex_ring].
Qed.

(* --- the value at z = -1 ------------------------------------------------------------------------------------ *)

(* For an even kernel: kappa_0 - 2 kappa_1 + 2 kappa_2 - ... up to kappa_M. *)
Definition alternating (kappa : Z -> R) (M : nat) : R := kappa 0%Z + 2 * Rsum M (fun i => (-1) ^ S i * kappa (Z.of_nat (S i))).

Lemma alternating_ext f g M : (forall d, f d = g d) -> alternating f M = alternating g M.
Proof. intros H. unfold alternating. rewrite H. do 2 f_equal. apply Rsum_ext. intros. now rewrite H. Qed.

Lemma alternating_scal c f M : alternating (fun d => c * f d) M = c * alternating f M.
Proof.
  unfold alternating. rewrite (Rsum_ext M _ (fun i => c * ((-1) ^ S i * f (Z.of_nat (S i))))), Rsum_scal by (intros; ring). ring.
Qed.

Lemma alternating_plus a b f g M : alternating (fun d => a * f d + b * g d) M = a * alternating f M + b * alternating g M.
Proof.
  unfold alternating.
  rewrite (Rsum_ext M _ (fun i => a * ((-1) ^ S i * f (Z.of_nat (S i))) + b * ((-1) ^ S i * g (Z.of_nat (S i)))))
    by (intros; ring).
  rewrite Rsum_plus, !Rsum_scal. ring.
Qed.

(* z = -1 is a zero of 2 + z + 1/z: the sum telescopes. *)
Lemma alternating_doubled f M : f (-1)%Z = f 1%Z ->
  alternating (doubled f) M = 2 * (-1) ^ M * (f (Z.of_nat M) + f (Z.of_nat (S M))).
Proof.
  intros E. induction M as [|M IH].
  - unfold alternating, doubled. cbn [Rsum pow]. change (Z.of_nat 1) with 1%Z. cbn [Z.sub Z.add Z.opp Z.of_nat]. rewrite E. ring.
  - unfold alternating in *. cbn [Rsum]. rewrite Rmult_plus_distr_l, <- Rplus_assoc, IH. unfold doubled.
    replace (Z.of_nat (S M) - 1)%Z with (Z.of_nat M) by lia. replace (Z.of_nat (S M) + 1)%Z with (Z.of_nat (S (S M))) by lia.
    cbn [pow]. ring.
Qed.

(* Terms that fall in size: after a term that is taken away, the sum only grows by pairs. *)
Lemma alternating_below f m i : (forall k : nat, f (Z.of_nat (S k)) <= f (Z.of_nat k)) ->
  alternating f (S (2 * m)) <= alternating f (S (2 * (m + i))).
Proof.
  intros Falls. induction i as [|i IH]; [rewrite Nat.add_0_r; lra|].
  eapply Rle_trans; [exact IH|]. replace (S (2 * (m + S i))) with (S (S (S (2 * (m + i))))) by lia.
  unfold alternating. cbn [Rsum]. set (k := (2 * (m + i))%nat). assert (P : (-1) ^ k = 1) by apply pow_1_even.
  cbn [pow]. rewrite P. assert (H := Falls (S (S k))). lra.
Qed.

(* --- the finite kernels ------------------------------------------------------------------------------------ *)

Section Floor.
Variable h : R.
Hypothesis Hh : 0 < h.

(* q^x for q = e^{-h}. *)
Let q (x : R) : R := exp (- (h * x)).

Let q_pos x : 0 < q x.
Proof. apply exp_pos. Qed.
Let q_plus x y : q x * q y = q (x + y).
Proof. unfold q. rewrite <- exp_plus. f_equal. ring. Qed.
Let q_0 : q 0 = 1.
Proof. unfold q. now rewrite Rmult_0_r, Ropp_0, exp_0. Qed.
Let q_decreasing x y : x < y -> q y < q x.
Proof. intros H. apply exp_increasing. nra. Qed.
Let q_below_1 x : 0 < x -> q x < 1.
Proof. intros H. rewrite <- q_0. now apply q_decreasing. Qed.

(* 1/((1 - q^2)(1 - q^4) ... (1 - q^{2m})), and 0 for a negative m. *)
Fixpoint denominator (m : nat) : R := match m with O => 1 | S k => denominator k * (1 - q (2 * INR (S k))) end.
Definition reciprocal (m : Z) : R := if Z_lt_dec m 0 then 0 else / denominator (Z.to_nat m).

Let INR_S_pos k : 0 < INR (S k).
Proof. apply lt_0_INR. lia. Qed.

Lemma denominator_pos m : 0 < denominator m.
Proof.
  induction m as [|m IH]; [cbn; lra|]. cbn [denominator]. apply Rmult_lt_0_compat; [exact IH|].
  assert (H := q_below_1 (2 * INR (S m)) ltac:(generalize (INR_S_pos m); lra)). lra.
Qed.

Lemma reciprocal_nonneg m : 0 <= reciprocal m.
Proof. unfold reciprocal. destruct (Z_lt_dec m 0); [lra|]. left. apply Rinv_0_lt_compat, denominator_pos. Qed.

Lemma reciprocal_pos (m : nat) : 0 < reciprocal (Z.of_nat m).
Proof. unfold reciprocal. destruct (Z_lt_dec (Z.of_nat m) 0); [lia|]. apply Rinv_0_lt_compat, denominator_pos. Qed.

Lemma reciprocal_negative m : (m < 0)%Z -> reciprocal m = 0.
Proof. intros H. unfold reciprocal. destruct (Z_lt_dec m 0); [reflexivity | lia]. Qed.

(* For every integer, at m = 0 too, where the factor is 0. *)
Lemma reciprocal_before m : reciprocal (m - 1) = (1 - q (2 * IZR m)) * reciprocal m.
Proof.
  destruct (Z_lt_le_dec m 0) as [H|H]; [rewrite !reciprocal_negative by lia; ring|].
  destruct (Z.eq_dec m 0) as [->|H0].
  - rewrite reciprocal_negative by lia. rewrite Rmult_0_r, q_0. ring.
  - destruct (Z_of_nat_complete (m - 1)) as [k Hk]; [lia|]. replace m with (Z.of_nat (S k)) by lia.
    replace (Z.of_nat (S k) - 1)%Z with (Z.of_nat k) by lia. unfold reciprocal.
    destruct (Z_lt_dec (Z.of_nat k) 0); [lia|]. destruct (Z_lt_dec (Z.of_nat (S k)) 0); [lia|]. rewrite !Nat2Z.id.
    rewrite <- INR_IZR_INZ. cbn [denominator]. assert (H1 := denominator_pos k).
    assert (H2 := q_below_1 (2 * INR (S k)) ltac:(generalize (INR_S_pos k); lra)). field. lra.
Qed.

(* The n-th kernel, but for a factor: the coefficients of the product of n factors. *)
Definition kernel (n : nat) (d : Z) : R := q (IZR d ^ 2) * (reciprocal (Z.of_nat n - d) * reciprocal (Z.of_nat n + d)).

Lemma kernel_0 d : kernel 0 d = at_origin d.
Proof.
  unfold kernel, at_origin. destruct (Z.eq_dec d 0) as [->|H].
  - replace (IZR 0 ^ 2) with 0 by ring. rewrite q_0. unfold reciprocal. cbn. field.
  - destruct (Z_lt_le_dec d 0);
      [rewrite (reciprocal_negative (_ + d)) by lia | rewrite (reciprocal_negative (_ - d)) by lia]; ring.
Qed.

Lemma kernel_even n d : kernel n (- d) = kernel n d.
Proof.
  unfold kernel. rewrite opp_IZR. replace ((- IZR d) ^ 2) with (IZR d ^ 2) by ring.
  replace (Z.of_nat n - - d)%Z with (Z.of_nat n + d)%Z by lia. replace (Z.of_nat n + - d)%Z with (Z.of_nat n - d)%Z by lia. ring.
Qed.

Lemma kernel_nonneg n d : 0 <= kernel n d.
Proof. unfold kernel. apply Rmult_le_pos; [left; apply q_pos | apply Rmult_le_pos; apply reciprocal_nonneg]. Qed.

Lemma kernel_outside n d : (Z.of_nat n < d)%Z -> kernel n d = 0.
Proof. intros H. unfold kernel. rewrite (reciprocal_negative (_ - d)) by lia. ring. Qed.

(* One more factor, with p = q^{2n+1}: the norming constant of the step is (1 - p^2)(1 - (pq)^2). *)
Let p (n : nat) : R := q (2 * INR n + 1).
Let norming (n : nat) : R := (1 - p n * p n) * (1 - q (4 * INR n + 4)).

Let p_small n : 0 < p n < 1.
Proof. split; [apply q_pos | apply q_below_1]. generalize (pos_INR n). lra. Qed.
Let norming_pos n : 0 < norming n.
Proof.
  apply Rmult_lt_0_compat; [generalize (p_small n); nra|].
  assert (H := q_below_1 (4 * INR n + 4) ltac:(generalize (pos_INR n); lra)). lra.
Qed.

Lemma kernel_step n d : norming n * kernel (S n) d = (1 - p n) ^ 2 * kernel n d + p n * doubled (kernel n) d.
Proof.
  unfold doubled, kernel.
  replace (Z.of_nat n - d)%Z with (Z.of_nat (S n) - d - 1)%Z by lia.
  replace (Z.of_nat n + d)%Z with (Z.of_nat (S n) + d - 1)%Z by lia.
  replace (Z.of_nat n - (d - 1))%Z with (Z.of_nat (S n) - d)%Z by lia.
  replace (Z.of_nat n + (d - 1))%Z with (Z.of_nat (S n) + d - 1 - 1)%Z by lia.
  replace (Z.of_nat n - (d + 1))%Z with (Z.of_nat (S n) - d - 1 - 1)%Z by lia.
  replace (Z.of_nat n + (d + 1))%Z with (Z.of_nat (S n) + d)%Z by lia.
  rewrite !(reciprocal_before (Z.of_nat (S n) - d - 1)), !(reciprocal_before (Z.of_nat (S n) + d - 1)),
    !(reciprocal_before (Z.of_nat (S n) - d)), !(reciprocal_before (Z.of_nat (S n) + d)).
  set (x := reciprocal (Z.of_nat (S n) - d)). set (y := reciprocal (Z.of_nat (S n) + d)).
  rewrite !minus_IZR, !plus_IZR, <- INR_IZR_INZ, S_INR. unfold norming. set (t := IZR d). set (m := INR n).
  set (E := q (t ^ 2)). set (a := q (2 * (m + 1 - t))). set (b := q (2 * (m + 1 + t))).
  set (a' := q (2 * (m + 1 - t - 1))). set (b' := q (2 * (m + 1 + t - 1))).
  assert (E1 : p n * q ((t - 1) ^ 2) = a * E) by (unfold p, a, E; rewrite !q_plus; f_equal; fold m; ring).
  assert (E2 : p n * q ((t + 1) ^ 2) = b * E) by (unfold p, b, E; rewrite !q_plus; f_equal; fold m; ring).
  assert (Eab : q (4 * m + 4) = a * b) by (unfold a, b; rewrite q_plus; f_equal; ring).
  assert (Ea : a * b' = p n * p n) by (unfold a, b', p; rewrite !q_plus; f_equal; fold m; ring).
  assert (Eb : b * a' = p n * p n) by (unfold b, a', p; rewrite !q_plus; f_equal; fold m; ring).
  rewrite Eab.
  transitivity (((1 - p n) ^ 2 + 2 * p n) * E * ((1 - a) * x * ((1 - b) * y)) +
                (p n * q ((t - 1) ^ 2) * (x * ((1 - b') * ((1 - b) * y))) +
                 p n * q ((t + 1) ^ 2) * ((1 - a') * ((1 - a) * x) * y)));
    [|ring].
  rewrite E1, E2.
  transitivity (E * x * y * ((1 + p n * p n) * ((1 - a) * (1 - b)) + (a - a * b') * (1 - b) + (b - b * a') * (1 - a))); [|ring].
  rewrite Ea, Eb. ring.
Qed.

Lemma kernel_falls n k : kernel n (Z.of_nat (S k)) <= kernel n (Z.of_nat k).
Proof.
  unfold kernel. set (d := Z.of_nat k). replace (Z.of_nat (S k)) with (d + 1)%Z by lia.
  apply Rle_trans with (q (IZR d ^ 2) * (reciprocal (Z.of_nat n - (d + 1)) * reciprocal (Z.of_nat n + (d + 1)))).
  - apply Rmult_le_compat_r; [apply Rmult_le_pos; apply reciprocal_nonneg|]. left. apply q_decreasing. rewrite plus_IZR.
    assert (0 <= IZR d) by (apply IZR_le; lia). nra.
  - apply Rmult_le_compat_l; [left; apply q_pos|].
    replace (Z.of_nat n - (d + 1))%Z with (Z.of_nat n - d - 1)%Z by lia.
    replace (Z.of_nat n + d)%Z with (Z.of_nat n + (d + 1) - 1)%Z by lia. rewrite !reciprocal_before.
    assert (R1 := reciprocal_nonneg (Z.of_nat n - d)). assert (R2 := reciprocal_nonneg (Z.of_nat n + (d + 1))).
    assert (Q : q (2 * IZR (Z.of_nat n + (d + 1))) <= q (2 * IZR (Z.of_nat n - d))).
    { left. apply q_decreasing. rewrite minus_IZR, !plus_IZR. assert (0 <= IZR d) by (apply IZR_le; lia). lra. }
    replace (reciprocal (Z.of_nat n - d) * ((1 - q (2 * IZR (Z.of_nat n + (d + 1)))) * reciprocal (Z.of_nat n + (d + 1)))) with
      ((1 - q (2 * IZR (Z.of_nat n + (d + 1)))) * (reciprocal (Z.of_nat n - d) * reciprocal (Z.of_nat n + (d + 1)))) by ring.
    rewrite Rmult_assoc. apply Rmult_le_compat_r; [now apply Rmult_le_pos | lra].
Qed.

(* --- the value and the gap of the finite kernels --------------------------------------------------------------------------- *)

Fixpoint value (n : nat) : R := match n with O => 1 | S k => (1 - p k) ^ 2 / norming k * value k end.

Lemma kernel_value n M : (n <= M)%nat -> alternating (kernel n) M = value n.
Proof.
  induction n as [|n IH]; intros Hn.
  - rewrite (alternating_ext _ _ M kernel_0). unfold alternating. change (at_origin 0) with 1.
    rewrite (Rsum_ext M _ (fun _ => 0)), Rsum_const; [cbn; ring|].
    intros i _. unfold at_origin. destruct (Z.eq_dec (Z.of_nat (S i)) 0); [lia | ring].
  - apply (Rmult_eq_reg_l (norming n)); [|generalize (norming_pos n); lra].
    transitivity (alternating (fun d => (1 - p n) ^ 2 * kernel n d + p n * doubled (kernel n) d) M).
    + rewrite <- alternating_scal. apply alternating_ext, kernel_step.
    + rewrite alternating_plus, IH by lia. rewrite alternating_doubled by (apply (kernel_even n 1)).
      rewrite (kernel_outside n (Z.of_nat (S M))), (kernel_outside n (Z.of_nat M)) by lia. cbn [value]. field.
      generalize (norming_pos n); lra.
Qed.

Lemma toeplitz_step N b z n : norming n * toeplitz N b z (kernel (S n)) =
  (1 - p n) ^ 2 * toeplitz N b z (kernel n) + p n * toeplitz N b z (doubled (kernel n)).
Proof.
  rewrite <- toeplitz_scal, <- toeplitz_plus. apply toeplitz_ext, kernel_step.
Qed.

Lemma kernel_semidefinite n : semidefinite (kernel n).
Proof.
  induction n as [|n IH].
  - intros N b z. rewrite (toeplitz_ext N b z _ _ kernel_0). apply origin_semidefinite.
  - intros N b z. apply (Rmult_le_reg_l (norming n)); [apply norming_pos|]. rewrite Rmult_0_r, toeplitz_step.
    apply Rplus_le_le_0_compat; apply Rmult_le_pos.
    + apply pow2_ge_0.
    + apply IH.
    + left. apply p_small.
    + now apply doubled_semidefinite.
Qed.

(* The first factor leaves more than the value: a doubled unit. *)
Definition enlarged N b z : R := toeplitz N b z at_origin + p 0 / (1 - p 0) ^ 2 * toeplitz N b z (doubled at_origin).

Lemma kernel_gap N b z n : value (S n) * enlarged N b z <= toeplitz N b z (kernel (S n)).
Proof.
  induction n as [|n IH].
  - right. apply (Rmult_eq_reg_l (norming 0)); [|generalize (norming_pos 0); lra]. rewrite toeplitz_step.
    rewrite (toeplitz_ext N b z _ _ kernel_0), (toeplitz_ext N b z (doubled (kernel 0)) (doubled at_origin)).
    + unfold enlarged. cbn [value]. field. split; [generalize (p_small 0); lra | generalize (norming_pos 0); lra].
    + intros d. unfold doubled. now rewrite !kernel_0.
  - apply (Rmult_le_reg_l (norming (S n))); [apply norming_pos|]. rewrite toeplitz_step.
    apply Rle_trans with ((1 - p (S n)) ^ 2 * toeplitz N b z (kernel (S n))).
    + replace (norming (S n) * (value (S (S n)) * enlarged N b z)) with ((1 - p (S n)) ^ 2 * (value (S n) * enlarged N b z)).
      * apply Rmult_le_compat_l; [apply pow2_ge_0 | exact IH].
      * change (value (S (S n))) with ((1 - p (S n)) ^ 2 / norming (S n) * value (S n)). field.
        generalize (norming_pos (S n)); lra.
    + assert (0 <= p (S n) * toeplitz N b z (doubled (kernel (S n)))); [|lra].
      apply Rmult_le_pos; [left; apply p_small | apply doubled_semidefinite, kernel_semidefinite].
Qed.

(* --- the limit ------------------------------------------------------------------------------------ *)

Lemma far_factor d : is_lim_seq (fun n => q (2 * IZR (Z.of_nat n + d))) 0.
Proof.
  assert (Power : forall n, q 2 ^ n = q (2 * INR n)).
  { induction n as [|n IH]; [rewrite Rmult_0_r; symmetry; apply q_0|]. cbn [pow]. rewrite IH, q_plus, S_INR. f_equal. ring. }
  apply (is_lim_seq_ext (fun n => q (2 * IZR d) * q 2 ^ n)).
  { intros n. rewrite Power, q_plus, plus_IZR, <- INR_IZR_INZ. f_equal. ring. }
  replace 0 with (q (2 * IZR d) * 0) by ring. apply (is_lim_seq_scal_l _ _ 0), is_lim_seq_geom.
  rewrite Rabs_pos_eq by (left; apply q_pos). apply q_below_1. lra.
Qed.

Lemma reciprocal_ratio d : is_lim_seq (fun n => reciprocal (Z.of_nat n + d) / reciprocal (Z.of_nat n)) 1.
Proof.
  assert (Up : forall d, is_lim_seq (fun n => reciprocal (Z.of_nat n + d) / reciprocal (Z.of_nat n)) 1 ->
                         is_lim_seq (fun n => reciprocal (Z.of_nat n + (d + 1)) / reciprocal (Z.of_nat n)) 1).
  { intros e H. apply (is_lim_seq_ext_loc
      (fun n => reciprocal (Z.of_nat n + e) / reciprocal (Z.of_nat n) / (1 - q (2 * IZR (Z.of_nat n + (e + 1)))))).
    - exists (Z.to_nat (Z.abs e)). intros n Hn. assert (R := reciprocal_pos n).
      replace (Z.of_nat n + e)%Z with (Z.of_nat n + (e + 1) - 1)%Z by lia. rewrite reciprocal_before.
      assert (q (2 * IZR (Z.of_nat n + (e + 1))) < 1).
      { apply q_below_1. apply Rmult_lt_0_compat; [lra | apply IZR_lt; lia]. }
      field. lra.
    - replace (Finite 1) with (Finite (1 / (1 - 0))) by (f_equal; field). apply is_lim_seq_div'; [exact H | | lra].
      apply is_lim_seq_minus'; [apply is_lim_seq_const | apply far_factor]. }
  assert (Down : forall d, is_lim_seq (fun n => reciprocal (Z.of_nat n + d) / reciprocal (Z.of_nat n)) 1 ->
                           is_lim_seq (fun n => reciprocal (Z.of_nat n + (d - 1)) / reciprocal (Z.of_nat n)) 1).
  { intros e H. apply (is_lim_seq_ext
      (fun n => (1 - q (2 * IZR (Z.of_nat n + e))) * (reciprocal (Z.of_nat n + e) / reciprocal (Z.of_nat n)))).
    - intros n. replace (Z.of_nat n + (e - 1))%Z with (Z.of_nat n + e - 1)%Z by lia. rewrite reciprocal_before.
      unfold Rdiv. ring.
    - replace (Finite 1) with (Finite ((1 - 0) * 1)) by (f_equal; ring). apply is_lim_seq_mult'; [|exact H].
      apply is_lim_seq_minus'; [apply is_lim_seq_const | apply far_factor]. }
  induction d using Z.peano_ind.
  - apply (is_lim_seq_ext (fun _ => 1)); [|apply is_lim_seq_const]. intros n. rewrite Z.add_0_r. field.
    generalize (reciprocal_pos n); lra.
  - now apply Up.
  - now apply Down.
Qed.

Lemma kernel_origin_pos n : 0 < kernel n 0.
Proof.
  unfold kernel. rewrite Z.sub_0_r, Z.add_0_r.
  apply Rmult_lt_0_compat; [apply q_pos | apply Rmult_lt_0_compat; apply reciprocal_pos].
Qed.

Lemma kernel_limit d : is_lim_seq (fun n => kernel n d / kernel n 0) (q (IZR d ^ 2)).
Proof.
  apply (is_lim_seq_ext (fun n => q (IZR d ^ 2) * (reciprocal (Z.of_nat n + - d) / reciprocal (Z.of_nat n) *
                                                     (reciprocal (Z.of_nat n + d) / reciprocal (Z.of_nat n))))).
  - intros n. unfold kernel. rewrite Z.sub_0_r, Z.add_0_r. replace (IZR 0 ^ 2) with 0 by ring. rewrite q_0.
    unfold Z.sub. field. generalize (reciprocal_pos n); lra.
  - replace (Finite (q (IZR d ^ 2))) with (Finite (q (IZR d ^ 2) * (1 * 1))) by (f_equal; ring).
    apply (is_lim_seq_scal_l _ _ (Finite (1 * 1))). apply is_lim_seq_mult'; apply reciprocal_ratio.
Qed.

Lemma alternating_limit (u : nat -> Z -> R) (l : Z -> R) M : (forall d, is_lim_seq (fun n => u n d) (l d)) ->
  is_lim_seq (fun n => alternating (u n) M) (alternating l M).
Proof.
  intros H. unfold alternating. apply is_lim_seq_plus'; [apply H|]. apply (is_lim_seq_scal_l _ 2 (Finite _)).
  induction M as [|M IH]; cbn [Rsum]; [apply is_lim_seq_const|].
  apply is_lim_seq_plus'; [exact IH | apply (is_lim_seq_scal_l _ _ (Finite _)), H].
Qed.

Lemma toeplitz_limit N b z (u : nat -> Z -> R) (l : Z -> R) : (forall d, is_lim_seq (fun n => u n d) (l d)) ->
  is_lim_seq (fun n => toeplitz N b z (u n)) (toeplitz N b z l).
Proof.
  intros H. unfold toeplitz.
  refine (proj1 (approaches_ext _ _ _ _ _ _ (approaches_form N b (fun _ _ => RtoC 1) (fun n j k => u n (z j - z k)%Z)
                                               (fun j k => l (z j - z k)%Z) (fun j k => H (z j - z k)%Z))));
    intros; apply form_ext; intros; apply Cmult_1_l.
Qed.

Lemma enlarged_nonneg N b z : 0 <= enlarged N b z.
Proof.
  apply Rplus_le_le_0_compat; [apply origin_semidefinite|].
  apply Rmult_le_pos; [|apply doubled_semidefinite, origin_semidefinite].
  left. apply Rdiv_lt_0_compat; [apply p_small | apply pow_lt; generalize (p_small 0); lra].
Qed.

Lemma enlarged_above N b z : (forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> z j <> z k) ->
  (exists j, (j < N)%nat /\ b j <> RtoC 0) -> Rsum N (fun j => Cmod (b j) ^ 2) < enlarged N b z.
Proof.
  intros Hz Hb. unfold enlarged. rewrite origin_norm by exact Hz.
  assert (0 < p 0 / (1 - p 0) ^ 2 * toeplitz N b z (doubled at_origin)); [|lra].
  apply Rmult_lt_0_compat; [|apply doubled_origin_definite; assumption].
  apply Rdiv_lt_0_compat; [apply p_small | apply pow_lt; generalize (p_small 0); lra].
Qed.

Lemma partial_floor N b z m :
  alternating (fun d => q (IZR d ^ 2)) (S (2 * m)) * enlarged N b z <= toeplitz N b z (fun d => q (IZR d ^ 2)).
Proof.
  set (u := fun n d => kernel n d / kernel n 0).
  assert (Lim : forall d, is_lim_seq (fun n => u n d) (q (IZR d ^ 2))) by exact kernel_limit.
  apply (is_lim_seq_le_loc (fun n => alternating (u n) (S (2 * m)) * enlarged N b z) (fun n => toeplitz N b z (u n))
           (Finite _) (Finite _)).
  - exists 1%nat. intros n Hn. assert (Pos := kernel_origin_pos n).
    replace (alternating (u n) (S (2 * m))) with (/ kernel n 0 * alternating (kernel n) (S (2 * m))).
    2:{ rewrite <- alternating_scal. apply alternating_ext. intros. apply Rmult_comm. }
    rewrite (toeplitz_ext N b z (u n) (fun d => / kernel n 0 * kernel n d)), toeplitz_scal by (intros; apply Rmult_comm).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, Pos|].
    destruct n as [|n]; [lia|]. eapply Rle_trans; [|apply kernel_gap]. apply Rmult_le_compat_r; [apply enlarged_nonneg|].
    rewrite <- (kernel_value (S n) (S (2 * (m + S n)))) by lia. apply alternating_below. intros. apply kernel_falls.
  - apply (is_lim_seq_scal_r _ _ (Finite _)), alternating_limit, Lim.
  - apply toeplitz_limit, Lim.
Qed.

Lemma floor N b z (theta : R) : is_lim_seq (alternating (fun d => q (IZR d ^ 2))) theta ->
  theta * enlarged N b z <= toeplitz N b z (fun d => q (IZR d ^ 2)).
Proof.
  intros H. apply (is_lim_seq_le (fun m => alternating (fun d => q (IZR d ^ 2)) (S (2 * m)) * enlarged N b z)
                     (fun _ => toeplitz N b z (fun d => q (IZR d ^ 2))) (Finite _) (Finite _)).
  - intros m. apply partial_floor.
  - apply (is_lim_seq_scal_r _ _ (Finite _)). apply (is_lim_seq_subseq _ _ (fun m => S (2 * m))); [|exact H].
    apply eventually_subseq. intros; lia.
  - apply is_lim_seq_const.
Qed.
End Floor.

(* --- the claim ------------------------------------------------------------------------------------ *)

(* The theta number is the limit of 1 + 2 (-q + q^4 - q^9 + ...), q = e^{-1/4s^2}. *)
Definition is_theta (s theta : R) : Prop :=
  is_lim_seq (fun n => 1 + 2 * Rsum n (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2))))) theta.

(* There is one: the terms are smaller than those of a geometric series. *)
Lemma theta_terms s : 0 < s -> ex_series (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2)))).
Proof.
  intros Hs. set (r := exp (- (1 / (4 * s ^ 2)))). assert (Hu : 0 < 1 / (4 * s ^ 2)) by (apply Rdiv_lt_0_compat; nra).
  assert (Hr : 0 < r < 1).
  { split; [apply exp_pos|]. apply Rlt_le_trans with (exp 0); [apply exp_increasing; lra | rewrite exp_0; lra]. }
  set (term := fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2)))).
  assert (Power : forall i, r ^ i = exp (- (INR i / (4 * s ^ 2)))).
  { induction i as [|i IH]; [replace (INR 0 / (4 * s ^ 2)) with 0 by (cbn [INR]; field; lra); now rewrite Ropp_0, exp_0|].
    cbn [pow]. rewrite IH, S_INR. unfold r. rewrite <- exp_plus. f_equal. field. lra. }
  apply (ex_series_le (K := R_AbsRing) (V := R_CompleteNormedModule) term (fun i => r ^ i)).
  - intros i. change (Rabs (term i) <= r ^ i). unfold term. rewrite Rabs_mult, pow_1_abs, Rmult_1_l.
    rewrite Rabs_pos_eq by (left; apply exp_pos). rewrite Power, S_INR.
    assert (0 <= INR i) by apply pos_INR. left. apply exp_increasing, Ropp_lt_contravar.
    apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; nra | nra].
  - apply ex_series_geom. rewrite Rabs_pos_eq; lra.
Qed.

Lemma theta_by_series s : 0 < s -> is_theta s (1 + 2 * Series (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2))))).
Proof.
  intros Hs. apply is_lim_seq_plus'; [apply is_lim_seq_const|]. apply (is_lim_seq_scal_l _ 2 (Finite _)), is_lim_seq_incr_1.
  eapply is_lim_seq_ext; [|exact (Series_correct _ (theta_terms s Hs))]. intros n. cbv beta. now rewrite sum_n_Rsum.
Qed.

(* The frequency turns the vector and leaves its norm. *)
Lemma integer_form N (z : nat -> Z) a w s : 0 < s ->
  fst (form N a (fun j k => K (IZR (z j) - IZR (z k)) w s)) =
  toeplitz N (fun j => Cmult (a j) (cis (w * IZR (z j)))) z (fun d => exp (- (/ (4 * s ^ 2) * IZR d ^ 2))).
Proof.
  intros Hs. unfold toeplitz. f_equal. unfold form. apply Csum_ext. intros k _. apply Csum_ext. intros j _.
  unfold K. rewrite minus_IZR, Cconj_mult, cis_conj.
  replace (w * (IZR (z j) - IZR (z k))) with (w * IZR (z j) + - (w * IZR (z k))) by ring. rewrite cis_plus.
  replace (/ (4 * s ^ 2) * (IZR (z j) - IZR (z k)) ^ 2) with ((IZR (z j) - IZR (z k)) ^ 2 / (4 * s ^ 2)) by (unfold Rdiv; ring).
  complex_ring.
Qed.

Lemma floor_of_form N (z : nat -> Z) (a : nat -> C) w s theta : 0 < s -> is_theta s theta ->
  (forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> z j <> z k) -> (exists j, (j < N)%nat /\ a j <> RtoC 0) ->
  theta * Rsum N (fun j => Cmod (a j) ^ 2) < fst (form N a (fun j k => K (IZR (z j) - IZR (z k)) w s)).
Proof.
  intros Hs Ht Hz Ha. set (norm := Rsum N (fun j => Cmod (a j) ^ 2)).
  assert (Hn : 0 <= norm) by (apply Rsum_nonneg; intros; apply pow2_ge_0).
  destruct (Rle_lt_dec theta 0) as [Neg|Pos].
  - apply Rle_lt_trans with 0; [nra|]. apply (form_definite N (fun j => IZR (z j)) a w s Hs); [|exact Ha].
    intros j k Hj Hk Hjk E. apply (Hz j k Hj Hk Hjk), eq_IZR, E.
  - assert (Hh : 0 < / (4 * s ^ 2)) by (apply Rinv_0_lt_compat; nra).
    set (b := fun j => Cmult (a j) (cis (w * IZR (z j)))).
    assert (Hb : exists j, (j < N)%nat /\ b j <> RtoC 0).
    { destruct Ha as [j [Hj Haj]]. exists j. split; [exact Hj|]. apply Cmult_neq_0; [exact Haj | apply cis_nonzero]. }
    rewrite integer_form by exact Hs. fold b. eapply Rlt_le_trans; [|apply (floor (/ (4 * s ^ 2)) Hh N b z theta)].
    + apply Rmult_lt_compat_l; [exact Pos|]. replace norm with (Rsum N (fun j => Cmod (b j) ^ 2)).
      * apply enlarged_above; assumption.
      * apply Rsum_ext. intros j _. unfold b. now rewrite Cmod_mult, cis_mod, Rmult_1_r.
    + eapply is_lim_seq_ext; [|exact Ht]. intros n. unfold alternating. cbv beta.
      replace (/ (4 * s ^ 2) * IZR 0 ^ 2) with 0 by ring. rewrite Ropp_0, exp_0. do 2 f_equal. apply Rsum_ext. intros i _.
      rewrite <- INR_IZR_INZ. do 3 f_equal. apply Rmult_comm.
Qed.

(* On the integers every form exceeds the theta number times the squared norm: so does the smallest eigenvalue.

   claim: kernel.positive-definite *)
Theorem eigenvalue_floor N (z : nat -> Z) (a : nat -> C) (w s theta : R) : 0 < s ->
  is_lim_seq (fun n => 1 + 2 * Rsum n (fun i => (-1) ^ S i * exp (- (INR (S i) ^ 2 / (4 * s ^ 2))))) theta ->
  (forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> z j <> z k) -> (exists j, (j < N)%nat /\ a j <> RtoC 0) ->
  let norm := Rsum N (fun j => Cmod (a j) ^ 2) in
  let entry j k := K (IZR (z j) - IZR (z k)) w s in
  theta * norm < fst (Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (entry j k)))) /\
  theta * norm < fst (Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (RtoC (fst (entry j k)))))).
Proof.
  intros Hs Ht Hz Ha norm entry. split; [exact (floor_of_form N z a w s theta Hs Ht Hz Ha)|].
  destruct (form_of_mean N a _ _ _ (fun j k => K_real_part (IZR (z j) - IZR (z k)) w s)) as [Re _].
  unfold form in Re at 1. unfold entry. rewrite Re. unfold norm.
  assert (F1 := floor_of_form N z a w s theta Hs Ht Hz Ha). assert (F2 := floor_of_form N z a (- w) s theta Hs Ht Hz Ha). lra.
Qed.
