(* The claim on locality: what a learned centre can remove of the origin prior, and what it cannot. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel.
Open Scope R_scope.

(* The kernel of a query and a key whose envelopes have the centres cq and ck. *)
Definition P_about (cq ck : C) (m n w s : R) : C := Cmult (psi_about cq m w s) (Cconj (psi_about ck n w s)).

Lemma psi_about_mod c b w s : 0 < s ->
  Cmod (psi_about c b w s) = exp (- (((b - fst c) ^ 2 - snd c ^ 2) / (2 * s ^ 2))).
Proof.
  intros Hs. unfold psi_about. rewrite Cmod_mult, cis_mod, Rmult_1_l, Cexp_mod. f_equal.
  unfold Cdiv. rewrite <- RtoC_inv by (apply Rgt_not_eq, Rmult_lt_0_compat; [lra | apply pow_lt, Hs]).
  unfold Cmult, Cminus, Cplus, Copp, RtoC. cbn [fst snd]. field. lra.
Qed.

Lemma P_about_mod cq ck m n w s : 0 < s ->
  Cmod (P_about cq ck m n w s) =
  exp (- (((m - fst cq) ^ 2 - snd cq ^ 2 + ((n - fst ck) ^ 2 - snd ck ^ 2)) / (2 * s ^ 2))).
Proof.
  intros Hs. unfold P_about. rewrite Cmod_mult, Cmod_conj, !psi_about_mod, <- exp_plus by exact Hs. f_equal. field. lra.
Qed.

(* The prior moves to the centre b0.

   claim: locality.centre *)
Theorem moved_prior b0 m n w s : 0 < s ->
  Cmod (Cmult (psi_about (RtoC b0) m w s) (Cconj (psi_about (RtoC b0) n w s))) =
  exp (- ((m - n) ^ 2 / (4 * s ^ 2))) * exp (- ((m + n - 2 * b0) ^ 2 / (4 * s ^ 2))).
Proof.
  intros Hs. fold (P_about b0 b0 m n w s).
  rewrite P_about_mod by exact Hs. rewrite <- exp_plus. f_equal. cbn [fst snd RtoC]. field. lra.
Qed.

(* log |P(m, m)| is a parabola whose second difference no centre changes, real or complex.

   claim: locality.centre *)
Theorem second_difference cq ck m w s : 0 < s ->
  let diagonal b := ln (Cmod (Cmult (psi_about cq b w s) (Cconj (psi_about ck b w s)))) in
  diagonal (m + 1) - 2 * diagonal m + diagonal (m - 1) = - (2 / s ^ 2).
Proof.
  intros Hs diagonal.
  assert (D : forall b, diagonal b = - (((b - fst cq) ^ 2 - snd cq ^ 2 + ((b - fst ck) ^ 2 - snd ck ^ 2)) / (2 * s ^ 2))).
  { intros b. unfold diagonal. fold (P_about cq ck b b w s). now rewrite P_about_mod, ln_exp. }
  rewrite !D. field. lra.
Qed.

(* So on three or more consecutive positions |P| is a function of the distance for no pair of centres: its values at
   (0, 0), (1, 1) and (2, 2) would be one.

   claim: locality.centre *)
Theorem no_centre_is_relative (N : Z) start w s : (3 <= N)%Z -> 0 < s ->
  ~ exists (cq ck : C) (g : Z -> R), forall j k, (0 <= j < N)%Z -> (0 <= k < N)%Z ->
      Cmod (Cmult (psi_about cq (start + IZR j) w s) (Cconj (psi_about ck (start + IZR k) w s))) = g (j - k)%Z.
Proof.
  intros HN Hs (cq & ck & g & Hg).
  assert (D := second_difference cq ck (start + 1) w s Hs). cbv zeta in D.
  replace (start + 1 + 1) with (start + IZR 2) in D by lra. replace (start + 1 - 1) with (start + IZR 0) in D by lra.
  rewrite !Hg in D by lia. change (2 - 2)%Z with 0%Z in D. change (1 - 1)%Z with 0%Z in D. change (0 - 0)%Z with 0%Z in D.
  assert (0 < 2 / s ^ 2) by (apply Rdiv_lt_0_compat; [lra | apply pow_lt, Hs]). lra.
Qed.

(* On two positions the centre 1/2 does it: they are equally far from it.

   claim: locality.centre *)
Theorem two_positions w s : 0 < s ->
  exists g : Z -> R, forall j k, (0 <= j < 2)%Z -> (0 <= k < 2)%Z ->
    Cmod (Cmult (psi_about (RtoC (1 / 2)) (IZR j) w s) (Cconj (psi_about (RtoC (1 / 2)) (IZR k) w s))) = g (j - k)%Z.
Proof.
  intros Hs. exists (fun _ => exp (- (1 / 4 / s ^ 2))). intros j k Hj Hk.
  fold (P_about (RtoC (1 / 2)) (RtoC (1 / 2)) (IZR j) (IZR k) w s). rewrite P_about_mod by exact Hs. do 2 f_equal.
  assert (Q : forall i, (0 <= i < 2)%Z -> (IZR i - 1 / 2) ^ 2 = 1 / 4).
  { intros i Hi. assert (Hi' : i = 0%Z \/ i = 1%Z) by lia. destruct Hi' as [->| ->]; field. }
  cbn [fst snd RtoC]. rewrite (Q j Hj), (Q k Hk). field. lra.
Qed.

(* A centre that follows the token cancels the envelope and leaves a plain rotation.

   claim: locality.centre *)
Theorem following_centre m n w s : 0 < s ->
  Cmult (psi_about (RtoC m) m w s) (Cconj (psi_about (RtoC n) n w s)) = cis (w * (m - n)).
Proof.
  intros Hs. rewrite !psi_about_R by exact Hs.
  replace ((m - m) ^ 2 / (2 * s ^ 2)) with 0 by (field; lra). replace ((n - n) ^ 2 / (2 * s ^ 2)) with 0 by (field; lra).
  rewrite Ropp_0, exp_0, !Cmult_1_r, cis_conj, <- cis_plus. f_equal. ring.
Qed.
