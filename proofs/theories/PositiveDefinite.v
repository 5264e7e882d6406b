(* The claim on definiteness: the relative kernel at distinct positions makes a strictly positive definite matrix.

   e^{-(x-y)^2/4s^2} is e^{-x^2/4s^2} e^{-y^2/4s^2} e^{xy/2s^2}, and the power series of the last factor makes of the kernel a
   sum of squares, one for each power x^p. A quadratic form is thus at least the p-th square for every p, and not all of the
   first N of them vanish at N distinct positions: that is the Vandermonde determinant. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Limit.
Open Scope R_scope.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing | lra]. Qed.

(* --- quadratic forms ------------------------------------------------------------------------------------------ *)

(* The sum over j and k of a_j conj(a_k) kernel_jk. *)
Definition form (N : nat) (a : nat -> C) (kernel : nat -> nat -> C) : C :=
  Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (kernel j k))).

Lemma form_ext N a f g : (forall j k, (j < N)%nat -> (k < N)%nat -> f j k = g j k) -> form N a f = form N a g.
Proof. intros H. apply Csum_ext; intros k Hk. apply Csum_ext; intros j Hj. now rewrite H. Qed.

Lemma form_plus N a f g : form N a (fun j k => Cplus (f j k) (g j k)) = Cplus (form N a f) (form N a g).
Proof.
  unfold form. rewrite <- Csum_plus. apply Csum_ext; intros k _. rewrite <- Csum_plus. apply Csum_ext; intros j _. complex_ring.
Qed.

Lemma form_scal N a c f : form N a (fun j k => Cmult c (f j k)) = Cmult c (form N a f).
Proof.
  unfold form. rewrite <- Csum_scal. apply Csum_ext; intros k _. rewrite <- Csum_scal. apply Csum_ext; intros j _. complex_ring.
Qed.

Lemma form_0 N a : form N a (fun _ _ => RtoC 0) = RtoC 0.
Proof.
  transitivity (Csum N (fun _ => RtoC 0)); [|apply Csum_0]. apply Csum_ext; intros k _.
  transitivity (Csum N (fun _ => RtoC 0)); [|apply Csum_0]. apply Csum_ext; intros j _. complex_ring.
Qed.

Lemma form_sum N a n (g : nat -> nat -> nat -> C) :
  form N a (fun j k => Csum n (fun p => g p j k)) = Csum n (fun p => form N a (g p)).
Proof. induction n; cbn [Csum]; [apply form_0 | now rewrite form_plus, IHn]. Qed.

(* A kernel of one feature a position is a square: the sum over j and k of a_j f_j conj(a_k f_k). *)
Lemma form_square N a f :
  form N a (fun j k => Cmult (f j) (Cconj (f k))) = RtoC (Cmod (Csum N (fun j => Cmult (a j) (f j))) ^ 2).
Proof.
  rewrite <- Cmult_conj, Csum_conj, Cmult_comm, <- Csum_product.
  apply Csum_ext; intros k _. apply Csum_ext; intros j _. complex_ring.
Qed.

(* --- limits of forms ------------------------------------------------------------------------------------------ *)

(* The sequence u tends to l, part by part. *)
Definition approaches (u : nat -> C) (l : C) : Prop :=
  is_lim_seq (fun n => fst (u n)) (fst l) /\ is_lim_seq (fun n => snd (u n)) (snd l).

Lemma approaches_ext u v l m : (forall n, u n = v n) -> l = m -> approaches u l -> approaches v m.
Proof.
  intros E <- [H1 H2]. split; [eapply is_lim_seq_ext; [|exact H1] | eapply is_lim_seq_ext; [|exact H2]];
    intros n; cbv beta; now rewrite E.
Qed.

Lemma approaches_factor (z : C) (e : nat -> R) (l : R) : is_lim_seq e l ->
  approaches (fun n => Cmult z (RtoC (e n))) (Cmult z (RtoC l)).
Proof.
  intros H.
  assert (L : forall r, is_lim_seq (fun n => r * e n) (r * l)) by (intros r; apply (is_lim_seq_scal_l e r l H)).
  split; unfold Cmult, RtoC; cbn [fst snd]; rewrite Rmult_0_r; [rewrite Rminus_0_r | rewrite Rplus_0_l].
  - apply (is_lim_seq_ext (fun n => fst z * e n)); [intros n; ring | apply L].
  - apply (is_lim_seq_ext (fun n => snd z * e n)); [intros n; ring | apply L].
Qed.

Lemma approaches_sum N (u : nat -> nat -> C) (l : nat -> C) : (forall j, approaches (fun n => u n j) (l j)) ->
  approaches (fun n => Csum N (u n)) (Csum N l).
Proof.
  intros H. induction N as [|N [IH1 IH2]]; cbn [Csum].
  - split; apply is_lim_seq_const.
  - destruct (H N) as [H1 H2]. split; apply is_lim_seq_plus'; assumption.
Qed.

Lemma approaches_form N a A (e : nat -> nat -> nat -> R) (l : nat -> nat -> R) :
  (forall j k, is_lim_seq (fun n => e n j k) (l j k)) ->
  approaches (fun n => form N a (fun j k => Cmult (A j k) (RtoC (e n j k)))) (form N a (fun j k => Cmult (A j k) (RtoC (l j k)))).
Proof.
  intros H. apply approaches_sum; intros k. apply (approaches_sum N); intros j.
  refine (approaches_ext _ _ _ _ _ _ (approaches_factor (Cmult (Cmult (a j) (Cconj (a k))) (A j k)) _ _ (H j k))); intros;
    symmetry; apply Cmult_assoc.
Qed.

Lemma sum_n_Rsum (f : nat -> R) n : sum_n f n = Rsum (S n) f.
Proof. induction n as [|n IH]; [rewrite sum_O; cbn; ring | rewrite sum_Sn, IH; reflexivity]. Qed.

(* e^t is the limit of the sums of t^p / p!. *)
Lemma exponential_series t : is_lim_seq (fun n => Rsum n (fun p => t ^ p / INR (fact p))) (exp t).
Proof.
  apply is_lim_seq_incr_1. eapply is_lim_seq_ext; [|exact (is_exp_Reals t)]. intros n. rewrite sum_n_Rsum.
  apply Rsum_ext. intros p _. now rewrite <- (pow_n_pow t p).
Qed.

(* --- the Vandermonde argument -------------------------------------------------------------------------------------------- *)

Definition distinct (N : nat) (x : nat -> R) : Prop := forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> x j <> x k.

(* If all moments below N vanish, so do the weights: multiply them by x_j - x_N and the last one is gone. *)
Lemma vandermonde N : forall (x : nat -> R) (c : nat -> C), distinct N x ->
  (forall p, (p < N)%nat -> Csum N (fun j => Cmult (c j) (RtoC (x j ^ p))) = RtoC 0) -> forall j, (j < N)%nat -> c j = RtoC 0.
Proof.
  induction N as [|N IH]; intros x c Hx Hm; [intros j Hj; lia|].
  assert (First : forall j, (j < N)%nat -> c j = RtoC 0).
  { intros j Hj. assert (E : Cmult (c j) (RtoC (x j - x N)) = RtoC 0).
    { apply (IH x (fun j => Cmult (c j) (RtoC (x j - x N)))); [intros i k Hi Hk; apply Hx; lia | | exact Hj].
      intros p Hp. assert (E0 := Hm p ltac:(lia)). assert (E1 := Hm (S p) ltac:(lia)). cbn [Csum] in E0, E1.
      rewrite (Csum_ext N _ (fun i => Cplus (Cmult (c i) (RtoC (x i ^ S p)))
                                            (Cmult (RtoC (- x N)) (Cmult (c i) (RtoC (x i ^ p))))))
        by (intros i _; cbn [pow]; complex_ring).
      rewrite Csum_plus, Csum_scal.
      transitivity (Cplus (Cplus (Csum N (fun i => Cmult (c i) (RtoC (x i ^ S p)))) (Cmult (c N) (RtoC (x N ^ S p))))
        (Cmult (RtoC (- x N)) (Cplus (Csum N (fun i => Cmult (c i) (RtoC (x i ^ p)))) (Cmult (c N) (RtoC (x N ^ p)))))).
      - cbn [pow]. complex_ring.
      - rewrite E0, E1. complex_ring. }
    assert (D : x j - x N <> 0) by (intros Z; apply (Hx j N ltac:(lia) ltac:(lia) Hj); lra).
    replace (c j) with (Cmult (Cmult (c j) (RtoC (x j - x N))) (RtoC (/ (x j - x N)))).
    - rewrite E. complex_ring.
    - rewrite <- Cmult_assoc, <- RtoC_mult, Rinv_r, Cmult_1_r by exact D. reflexivity. }
  intros j Hj. destruct (Nat.eq_dec j N) as [->|Hne]; [|apply First; lia].
  assert (E := Hm 0%nat ltac:(lia)). cbn [Csum pow] in E. rewrite Cmult_1_r in E. rewrite <- E.
  rewrite (Csum_ext N _ (fun _ => RtoC 0)), Csum_0; [complex_ring|]. intros i Hi. rewrite (First i Hi). complex_ring.
Qed.

(* Not all moments vanish if not all weights do. *)
Lemma some_moment N x c : distinct N x -> (exists j, (j < N)%nat /\ c j <> RtoC 0) ->
  exists p, (p < N)%nat /\ Csum N (fun j => Cmult (c j) (RtoC (x j ^ p))) <> RtoC 0.
Proof.
  intros Hx [j [Hj Hc]]. apply Classical_Prop.NNPP. intros None. apply Hc. apply (vandermonde N x c Hx); [|exact Hj].
  intros p Hp. apply Classical_Prop.NNPP. intros H. apply None. now exists p.
Qed.

(* --- the Morlet kernel ------------------------------------------------------------------------------------------ *)

Section MorletForm.
Variables (N : nat) (x : nat -> R) (a : nat -> C) (w s : R).
Hypothesis Hs : 0 < s.

(* The feature of position x_j that belongs to the power p; its squares enter with the weight 1/(p! (2s^2)^p). *)
Let wave j := Cmult (cis (w * x j)) (RtoC (exp (- (x j ^ 2 / (4 * s ^ 2))))).
Let feature p j := Cmult (wave j) (RtoC (x j ^ p)).
Let weight p := / (INR (fact p) * (2 * s ^ 2) ^ p).
Let square p := weight p * Cmod (Csum N (fun j => Cmult (a j) (feature p j))) ^ 2.

Lemma weight_positive p : 0 < weight p.
Proof. apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply INR_fact_lt_0 | apply pow_lt; nra]. Qed.

Lemma K_as_product j k :
  K (x j - x k) w s = Cmult (Cmult (wave j) (Cconj (wave k))) (RtoC (exp (x j * x k / (2 * s ^ 2)))).
Proof.
  unfold K, wave. rewrite Cconj_mult, Cconj_R, cis_conj.
  replace (w * (x j - x k)) with (w * x j + - (w * x k)) by ring. rewrite cis_plus.
  replace (- ((x j - x k) ^ 2 / (4 * s ^ 2))) with
    (- (x j ^ 2 / (4 * s ^ 2)) + (- (x k ^ 2 / (4 * s ^ 2)) + x j * x k / (2 * s ^ 2))) by (field; lra).
  rewrite !exp_plus, !RtoC_mult. complex_ring.
Qed.

(* The form of the first n powers is the sum of n squares. *)
Lemma form_of_powers n :
  form N a (fun j k => Cmult (Cmult (wave j) (Cconj (wave k)))
                             (RtoC (Rsum n (fun p => (x j * x k / (2 * s ^ 2)) ^ p / INR (fact p))))) = RtoC (Rsum n square).
Proof.
  rewrite <- Csum_R.
  rewrite (form_ext N a _ (fun j k => Csum n (fun p => Cmult (RtoC (weight p)) (Cmult (feature p j) (Cconj (feature p k)))))).
  - rewrite form_sum. apply Csum_ext; intros p _. now rewrite form_scal, form_square, <- RtoC_mult.
  - intros j k _ _. rewrite <- Csum_R, <- Csum_scal. apply Csum_ext; intros p _. unfold feature.
    rewrite Cconj_mult, Cconj_R. replace ((x j * x k / (2 * s ^ 2)) ^ p / INR (fact p)) with (weight p * x j ^ p * x k ^ p).
    + rewrite !RtoC_mult. complex_ring.
    + unfold weight, Rdiv. generalize (2 * s ^ 2). intros v. rewrite !Rpow_mult_distr, pow_inv, Rinv_mult. ring.
Qed.

Lemma squares_nonneg p : 0 <= square p.
Proof. apply Rmult_le_pos; [left; apply weight_positive | apply pow2_ge_0]. Qed.

Lemma squares_approach : approaches (fun n => RtoC (Rsum n square)) (form N a (fun j k => K (x j - x k) w s)).
Proof.
  refine (approaches_ext _ _ _ _ _ _ (approaches_form N a (fun j k => Cmult (wave j) (Cconj (wave k))) _ _
                                        (fun j k => exponential_series (x j * x k / (2 * s ^ 2))))).
  - intros n. apply form_of_powers.
  - apply form_ext. intros j k _ _. symmetry. apply K_as_product.
Qed.

Lemma form_is_real : snd (form N a (fun j k => K (x j - x k) w s)) = 0.
Proof.
  assert (H := is_lim_seq_unique _ _ (proj2 squares_approach)). cbn [snd RtoC] in H. rewrite Lim_seq_const in H.
  now injection H.
Qed.

Lemma form_above_squares n : Rsum n square <= fst (form N a (fun j k => K (x j - x k) w s)).
Proof.
  apply (is_lim_seq_incr_compare (fun n => Rsum n square)); [apply squares_approach|].
  intros m. cbn [Rsum]. generalize (squares_nonneg m). lra.
Qed.

Lemma form_semidefinite : 0 <= fst (form N a (fun j k => K (x j - x k) w s)).
Proof. exact (form_above_squares 0). Qed.

Lemma form_definite : distinct N x -> (exists j, (j < N)%nat /\ a j <> RtoC 0) ->
  0 < fst (form N a (fun j k => K (x j - x k) w s)).
Proof.
  intros Hx [j [Hj Ha]]. destruct (some_moment N x (fun j => Cmult (a j) (wave j)) Hx) as [p [Hp Hm]].
  - exists j. split; [exact Hj|]. apply Cmult_neq_0; [exact Ha|]. apply Cmult_neq_0; [apply cis_nonzero|].
    apply RtoC_nonzero, Rgt_not_eq, exp_pos.
  - apply Rlt_le_trans with (Rsum N square); [|apply form_above_squares].
    apply Rlt_le_trans with (square p); [|apply Rsum_one_term; [intros i _; apply squares_nonneg | exact Hp]].
    apply Rmult_lt_0_compat; [apply weight_positive|]. apply pow_lt, Cmod_gt_0. intros E. apply Hm. rewrite <- E.
    apply Csum_ext. intros i _. unfold feature. now rewrite Cmult_assoc.
Qed.
End MorletForm.

(* --- the claim ------------------------------------------------------------------------------------------ *)

(* With repeated positions the form is still not negative; at distinct ones only the weights 0 make it 0.

   claim: kernel.positive-definite *)
Theorem positive_definite N (x : nat -> R) (a : nat -> C) w s : 0 < s ->
  let Q := Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (K (x j - x k) w s))) in
  snd Q = 0 /\ 0 <= fst Q /\
  ((forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> x j <> x k) ->
   (exists j, (j < N)%nat /\ a j <> RtoC 0) -> 0 < fst Q).
Proof.
  intros Hs Q. split; [|split].
  - apply form_is_real, Hs.
  - apply form_semidefinite, Hs.
  - apply form_definite, Hs.
Qed.

(* The real part of the kernel is the mean of the kernels of w and -w. *)
Lemma form_of_mean N a f g h : (forall j k, h j k = Cmult (RtoC (1 / 2)) (Cplus (f j k) (g j k))) ->
  fst (form N a h) = (fst (form N a f) + fst (form N a g)) / 2 /\ snd (form N a h) = (snd (form N a f) + snd (form N a g)) / 2.
Proof.
  intros H. rewrite (form_ext N a h _ (fun j k _ _ => H j k)), form_scal, form_plus.
  unfold Cmult, Cplus, RtoC. cbn [fst snd]. split; field.
Qed.

Lemma K_real_part d w s : RtoC (fst (K d w s)) = Cmult (RtoC (1 / 2)) (Cplus (K d w s) (K d (- w) s)).
Proof. rewrite !K_parts. replace (- w * d) with (- (w * d)) by ring. rewrite cos_neg, sin_neg. parts; field. Qed.

Lemma cis_real_part d w : RtoC (cos (w * d)) = Cmult (RtoC (1 / 2)) (Cplus (cis (w * d)) (cis (- w * d))).
Proof. unfold cis. replace (- w * d) with (- (w * d)) by ring. rewrite cos_neg, sin_neg. parts; field. Qed.

(* claim: kernel.positive-definite *)
Theorem positive_definite_real_part N (x : nat -> R) (a : nat -> C) w s : 0 < s ->
  let Q := Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (RtoC (fst (K (x j - x k) w s))))) in
  snd Q = 0 /\ 0 <= fst Q /\
  ((forall j k, (j < N)%nat -> (k < N)%nat -> (j < k)%nat -> x j <> x k) ->
   (exists j, (j < N)%nat /\ a j <> RtoC 0) -> 0 < fst Q).
Proof.
  intros Hs Q. destruct (form_of_mean N a _ _ _ (fun j k => K_real_part (x j - x k) w s)) as [Re Im].
  unfold form in Re at 1, Im at 1. fold Q in Re, Im. rewrite Re, Im, !form_is_real by exact Hs.
  assert (S1 := form_semidefinite N x a w s Hs). assert (S2 := form_semidefinite N x a (- w) s Hs).
  repeat split; [lra | lra |]. intros Hx Ha.
  assert (D1 := form_definite N x a w s Hs Hx Ha). assert (D2 := form_definite N x a (- w) s Hs Hx Ha). lra.
Qed.

(* Without a width a rotation is left, whose form is a single square.

   claim: kernel.positive-definite *)
Theorem carrier_semidefinite N (x : nat -> R) (a : nat -> C) w :
  let Q := Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (cis (w * (x j - x k))))) in
  snd Q = 0 /\ 0 <= fst Q.
Proof.
  intros Q. assert (E : Q = RtoC (Cmod (Csum N (fun j => Cmult (a j) (cis (w * x j)))) ^ 2)).
  { rewrite <- form_square. apply form_ext. intros j k _ _. rewrite cis_conj, <- cis_plus. f_equal. ring. }
  rewrite E. split; [reflexivity | apply pow2_ge_0].
Qed.

(* claim: kernel.positive-definite *)
Theorem carrier_semidefinite_real_part N (x : nat -> R) (a : nat -> C) w :
  let Q := Csum N (fun k => Csum N (fun j => Cmult (Cmult (a j) (Cconj (a k))) (RtoC (cos (w * (x j - x k)))))) in
  snd Q = 0 /\ 0 <= fst Q.
Proof.
  intros Q. destruct (form_of_mean N a _ _ _ (fun j k => cis_real_part (x j - x k) w)) as [Re Im].
  unfold form in Re, Im. fold Q in Re, Im. rewrite Re, Im.
  destruct (carrier_semidefinite N x a w) as [I1 S1]. destruct (carrier_semidefinite N x a (- w)) as [I2 S2].
  rewrite I1, I2. split; lra.
Qed.
