(* The statements of locality.centre as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Locality Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* The kernel with a centre of its own for the query and for the key, as it is printed. *)
Lemma P_about_same cq ck m n w s : 0 < s ->
  (Cconj (Statements.psi_centred n w s ck) * Statements.psi_centred m w s cq)%C = P_about cq ck m n w s.
Proof. intros Hs. rewrite !psi_centred_same by exact Hs. apply Cmult_comm. Qed.

(* claim: locality.centre *)
Theorem locality_centre_ours_1 : Statements.locality_centre_ours_1.
Proof.
  intros w s m n b0 Hs. rewrite P_about_same by exact Hs. unfold P_about. rewrite moved_prior by exact Hs.
  replace (m - 2 * b0 + n) with (m + n - 2 * b0) by ring. reflexivity.
Qed.

(* claim: locality.centre *)
Theorem locality_centre_ours_2 : Statements.locality_centre_ours_2.
Proof.
  intros w s m cq ck Hs. rewrite !P_about_same by exact Hs. rewrite <- (second_difference cq ck m w s Hs).
  unfold P_about. ring.
Qed.

(* The diagonal of |P| alone is no function of the distance 0 when three of its values are wanted. *)
Lemma no_centre_on_three_positions w s start N cq ck (g : Z -> C) : 0 < s -> (3 <= N)%nat ->
  ~ forall j k : nat, (j < N)%nat -> (k < N)%nat ->
      RtoC (Cmod (P_about cq ck (INR j + start) (INR k + start) w s)) = g (Z.of_nat j - Z.of_nat k)%Z.
Proof.
  intros Hs HN H. apply (no_centre_is_relative (Z.of_nat N) start w s ltac:(lia) Hs).
  exists cq, ck, (fun d => fst (g d)). intros j k Hj Hk. fold (P_about cq ck (start + IZR j) (start + IZR k) w s).
  assert (E := H (Z.to_nat j) (Z.to_nat k) ltac:(lia) ltac:(lia)).
  rewrite !INR_IZR_INZ, !Z2Nat.id in E by lia. rewrite (Rplus_comm (IZR j)), (Rplus_comm (IZR k)) in E. now rewrite <- E.
Qed.

(* claim: locality.centre *)
Theorem locality_centre_ours_3 : Statements.locality_centre_ours_3.
Proof.
  intros w s start N Hs HN (cq & ck & g & H). apply (no_centre_on_three_positions w s start N cq ck g Hs HN).
  intros j k Hj Hk. rewrite <- P_about_same by exact Hs. now apply H.
Qed.

(* The published side fails for every frequency and width, not for some.

   claim: locality.centre *)
Theorem no_learned_centre w s : 0 < s ->
  ~ exists (b0 : R) (g : Z -> C), forall j, (j < 256)%nat -> forall k, (k < 256)%nat ->
      RtoC (Cmod (Cconj (Statements.psi_centred (INR k) w s (RtoC b0)) * Statements.psi_centred (INR j) w s (RtoC b0))%C) =
      g (Z.of_nat j - Z.of_nat k)%Z.
Proof.
  intros Hs (b0 & g & H). apply (no_centre_on_three_positions w s 0 256 b0 b0 g Hs ltac:(lia)).
  intros j k Hj Hk. rewrite <- P_about_same, !Rplus_0_r by exact Hs. now apply H.
Qed.

(* claim: locality.centre *)
Theorem locality_centre_published_false : ~ Statements.locality_centre_published.
Proof. intros H. exact (no_learned_centre 0 1 Rlt_0_1 (H 0 1 Rlt_0_1)). Qed.

(* claim: locality.centre *)
Theorem locality_centre_ours_4 : Statements.locality_centre_ours_4.
Proof.
  intros w s Hs. destruct (two_positions w s Hs) as [g Hg]. exists (fun d => RtoC (g d)). intros j Hj k Hk.
  rewrite P_about_same, !INR_IZR_INZ by exact Hs. unfold P_about. rewrite Hg by lia. reflexivity.
Qed.

(* claim: locality.centre *)
Theorem locality_centre_ours_5 : Statements.locality_centre_ours_5.
Proof.
  intros w s m n Hs. rewrite P_about_same, Cexp_turn by exact Hs. unfold P_about. apply following_centre, Hs.
Qed.
