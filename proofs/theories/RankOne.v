(* The claim on kernels of one feature a token: those that are relative are RoPE and xPos. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra.
Open Scope R_scope.

(* --- integer powers of a number r = zeta e^{iw} of the plane, zeta > 0 ------------------------------------------------- *)

(* zeta^j e^{iwj} for an integer j. *)
Definition turn (zeta w : R) (j : Z) : C := Cmult (RtoC (powerRZ zeta j)) (cis (w * IZR j)).

Lemma turn_0 zeta w : turn zeta w 0 = RtoC 1.
Proof. unfold turn. cbn [powerRZ]. rewrite Rmult_0_r, cis_0. complex_ring. Qed.

Lemma turn_plus zeta w i j : 0 < zeta -> turn zeta w (i + j) = Cmult (turn zeta w i) (turn zeta w j).
Proof.
  intros H. unfold turn. rewrite powerRZ_add by lra. rewrite plus_IZR, Rmult_plus_distr_l, cis_plus, RtoC_mult.
  complex_ring.
Qed.

Lemma turn_nonzero zeta w j : 0 < zeta -> turn zeta w j <> RtoC 0.
Proof.
  intros H. apply Cmult_neq_0; [|apply cis_nonzero]. apply RtoC_nonzero. apply powerRZ_NOR. lra.
Qed.

(* Every complex number but 0 is such an r: polar coordinates. *)
Lemma unit_circle x y : x ^ 2 + y ^ 2 = 1 -> exists t, x = cos t /\ y = sin t.
Proof.
  intros H. assert (Hx : -1 <= x <= 1) by nra.
  assert (Hs : sqrt (1 - Rsqr x) = Rabs y).
  { rewrite <- sqrt_Rsqr_abs. f_equal. unfold Rsqr. lra. }
  destruct (Rle_dec 0 y) as [Hy|Hy].
  - exists (acos x). rewrite cos_acos, sin_acos, Hs, Rabs_pos_eq by lra. auto.
  - exists (- acos x). rewrite cos_neg, sin_neg, cos_acos, sin_acos, Hs, Rabs_left by lra. split; ring.
Qed.

Lemma polar z : z <> RtoC 0 -> exists zeta w, 0 < zeta /\ z = turn zeta w 1.
Proof.
  intros Hz. assert (H := proj1 (Cmod_gt_0 z) Hz).
  destruct (unit_circle (fst z / Cmod z) (snd z / Cmod z)) as [t [Hc Hs]].
  { replace ((fst z / Cmod z) ^ 2 + (snd z / Cmod z) ^ 2) with ((fst z ^ 2 + snd z ^ 2) / Cmod z ^ 2) by (field; lra).
    rewrite <- Cmod_sq. field. lra. }
  exists (Cmod z), t. split; [exact H|]. unfold turn, cis. cbn [powerRZ]. rewrite Pos2Nat.inj_1, !Rmult_1_r, <- Hc, <- Hs.
  parts; field; lra.
Qed.

(* --- the claim --------------------------------------------------------------------------------------------------------- *)

Section OnConsecutiveIntegers.
Variables (N : Z) (f h : Z -> C).
Hypothesis f_nonzero : forall j, f j <> RtoC 0.
Hypothesis h_nonzero : forall j, h j <> RtoC 0.
Let inside j := (0 <= j < N)%Z.

Let relative := exists g : Z -> C, forall j k, inside j -> inside k -> Cmult (f j) (h k) = g (j - k)%Z.
Let powers := exists zeta w c c', 0 < zeta /\ c <> RtoC 0 /\ c' <> RtoC 0 /\
  forall j, inside j -> f j = Cmult c (turn zeta w j) /\ h j = Cmult c' (turn zeta w (- j)).

Lemma powers_are_relative : powers -> relative.
Proof.
  intros (zeta & w & c & c' & Hz & _ & _ & H). exists (fun d => Cmult (Cmult c c') (turn zeta w d)).
  intros j k Hj Hk. rewrite (proj1 (H j Hj)), (proj2 (H k Hk)). unfold Zminus. rewrite turn_plus by exact Hz. complex_ring.
Qed.

Lemma cancel a y z : a <> RtoC 0 -> Cmult y a = Cmult z a -> y = z.
Proof.
  intros Ha E. apply (f_equal (fun x => Cmult x (Cinv a))) in E.
  rewrite <- !Cmult_assoc, Cinv_r, !Cmult_1_r in E by exact Ha. exact E.
Qed.

(* f (j + 1) h (k + 1) = f j h k makes f (j + 1) / f j the same r for all j, and h (k + 1) / h k its inverse. *)
Lemma relative_are_powers : (0 < N)%Z -> relative -> powers.
Proof.
  intros HN [g Hg]. destruct (Z_le_gt_dec N 1) as [Small|Large].
  - (* one integer alone: any r will do *)
    exists 1, 0, (f 0%Z), (h 0%Z). repeat split; [lra | auto | auto | |];
      (replace j with 0%Z by (unfold inside in *; lia)); cbn [Z.opp]; rewrite turn_0, Cmult_1_r; reflexivity.
  - destruct (polar (Cdiv (f 1%Z) (f 0%Z))) as (zeta & w & Hz & Hr).
    { apply Cmult_neq_0; [auto|]. intros E. apply (f_nonzero 0%Z).
      rewrite <- (Cmult_1_r (f 0%Z)), <- (Cinv_l (f 0%Z)), E by auto. complex_ring. }
    assert (F1 : f 1%Z = Cmult (f 0%Z) (turn zeta w 1)).
    { rewrite <- Hr. unfold Cdiv. rewrite (Cmult_comm (f 1%Z)), Cmult_assoc, Cinv_r, Cmult_1_l; auto. }
    assert (H1 : forall k, inside (k + 1)%Z -> inside k -> h k = Cmult (turn zeta w 1) (h (k + 1)%Z)).
    { intros k Hk1 Hk. apply (cancel (f 0%Z)); [auto|].
      assert (E := Hg 1%Z (k + 1)%Z ltac:(unfold inside; lia) Hk1).
      replace (1 - (k + 1))%Z with (0 - k)%Z in E by lia. rewrite <- Hg in E by (unfold inside in *; lia).
      rewrite Cmult_comm, <- E, F1. complex_ring. }
    assert (F : forall j, inside (j + 1)%Z -> inside j -> f (j + 1)%Z = Cmult (f j) (turn zeta w 1)).
    { intros j Hj1 Hj. apply (cancel (h 1%Z)); [auto|].
      rewrite (Hg (j + 1)%Z 1%Z) by (unfold inside in *; lia). replace (j + 1 - 1)%Z with (j - 0)%Z by lia.
      rewrite <- Hg by (unfold inside in *; lia). rewrite (H1 0%Z) by (unfold inside in *; lia). apply Cmult_assoc. }
    exists zeta, w, (f 0%Z), (h 0%Z). repeat split; auto.
    + assert (Hj := H). unfold inside in H. destruct H as [H0 _]. revert Hj.
      apply (natlike_ind (fun j => inside j -> f j = Cmult (f 0%Z) (turn zeta w j))); [| |exact H0].
      * intros _. now rewrite turn_0, Cmult_1_r.
      * intros i Hi IH Hi1. unfold Z.succ in *. rewrite F, IH by (unfold inside in *; lia).
        rewrite turn_plus by exact Hz. now rewrite Cmult_assoc.
    + assert (Hj := H). unfold inside in H. destruct H as [H0 _]. revert Hj.
      apply (natlike_ind (fun j => inside j -> h j = Cmult (h 0%Z) (turn zeta w (- j)))); [| |exact H0].
      * intros _. cbn [Z.opp]. now rewrite turn_0, Cmult_1_r.
      * intros i Hi IH Hi1. unfold Z.succ in *. apply (cancel (turn zeta w 1)); [apply turn_nonzero, Hz|].
        rewrite (Cmult_comm (h (i + 1)%Z)), <- H1, IH by (unfold inside in *; lia).
        rewrite <- Cmult_assoc, <- turn_plus by exact Hz. do 2 f_equal. lia.
Qed.
End OnConsecutiveIntegers.

(* On N consecutive integers, for f and h that are nowhere 0: f j h k is a function of j - k if and only if
   f j = c r^j and h j = c' r^{-j} for one number r = zeta e^{iw}; zeta = 1 is RoPE, any other zeta is xPos.

   claim: kernel.rank-one *)
Theorem rank_one (N : Z) (f h : Z -> C) : (0 < N)%Z ->
  (forall j, f j <> RtoC 0) -> (forall j, h j <> RtoC 0) ->
  ((exists g : Z -> C, forall j k, (0 <= j < N)%Z -> (0 <= k < N)%Z -> Cmult (f j) (h k) = g (j - k)%Z) <->
   (exists zeta w c c', 0 < zeta /\ c <> RtoC 0 /\ c' <> RtoC 0 /\
      forall j, (0 <= j < N)%Z ->
        f j = Cmult c (Cmult (RtoC (powerRZ zeta j)) (cis (w * IZR j))) /\
        h j = Cmult c' (Cmult (RtoC (powerRZ zeta (- j))) (cis (w * IZR (- j)))))).
Proof.
  intros HN Hf Hh. split.
  - apply relative_are_powers; assumption.
  - apply powers_are_relative.
Qed.
