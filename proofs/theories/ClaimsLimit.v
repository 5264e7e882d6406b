(* The statements on limits in the width as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Limit Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* A uniform limit over a set of positions is printed with one threshold M and with <= at the end. *)
Lemma not_uniform_printed (f : R -> R -> C) l :
  ~ tends_uniformly f l is_integer ->
  ~ forall eps, 0 < eps -> exists M, forall (s : R) (z : Z), M < s -> Cmod (f (IZR z) s - l (IZR z))%C <= eps.
Proof.
  intros Not H. apply Not. intros eps He. destruct (H (eps / 2) ltac:(lra)) as [M HM]. exists M.
  intros s Hs b [z ->]. eapply Rle_lt_trans; [apply HM, Hs | lra].
Qed.

(* --- limit.sinusoidal ----------------------------------------------------------------------------------------------------- *)

(* The even channels fail for every i and D, at position 0.

   claim: limit.sinusoidal *)
Theorem sinusoidal_even_channel_fails i D :
  ~ forall b : Z, filterlim (fun s => fst (Statements.psi (IZR b) (/ Rpower 10000 (2 * INR i / INR D)) s))
                    (Rbar_locally p_infty) (locally (Statements.TableEven (IZR b) i D)).
Proof.
  intros H. apply (sinusoidal_as_published_fails i D). intros b. rewrite Rpower_Ropp, <- psi_same.
  replace (IZR b / Rpower 10000 (2 * INR i / INR D)) with (/ Rpower 10000 (2 * INR i / INR D) * IZR b) by apply Rmult_comm.
  exact (H b).
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_published_false : ~ Statements.limit_sinusoidal_published.
Proof. intros H. apply (sinusoidal_even_channel_fails 0 1). intros b. apply (H 0%nat 1%nat (le_n 1) b). Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_1 : Statements.limit_sinusoidal_ours_1.
Proof.
  intros w b. rewrite psi_same, Cexp_turn, Rmult_comm. apply tends_filterlim; [typeclasses eauto | apply sinusoidal].
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_2 : Statements.limit_sinusoidal_ours_2.
Proof. intros w s b Hs. rewrite psi_same, Cexp_turn, Rmult_comm, distance_sym. apply sinusoidal_rate, Hs. Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_3 : Statements.limit_sinusoidal_ours_3.
Proof.
  intros w T HT eps He. destruct (sinusoidal_on_bounded_ranges w T HT eps He) as [M HM]. exists M.
  intros s b Hs Hl Hr. rewrite psi_same, Cexp_turn, Rmult_comm. left. apply HM; [exact Hs | apply Rabs_le; lra].
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_4 : Statements.limit_sinusoidal_ours_4.
Proof.
  intros w H. apply (not_uniform_printed _ _ (sinusoidal_not_uniform w)). intros eps He.
  destruct (H eps He) as [M HM]. exists M. intros s z Hs. rewrite (Rmult_comm w), <- psi_same, <- Cexp_turn. now apply HM.
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_5 : Statements.limit_sinusoidal_ours_5.
Proof.
  intros w s b Hs. rewrite psi_same, Cexp_turn, Rmult_comm, distance_sym. apply (sinusoidal_supremum_is_one w s Hs).
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_6 : Statements.limit_sinusoidal_ours_6.
Proof.
  intros w s Hs. rewrite psi_same. destruct (sinusoidal_supremum_is_one w s Hs) as [_ [_ H]].
  eapply filterlim_ext; [|exact H]. intros b. cbv beta. now rewrite distance_sym, Cexp_turn, Rmult_comm.
Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_7 : Statements.limit_sinusoidal_ours_7.
Proof. intros b i D _. rewrite carrier_same. reflexivity. Qed.

(* claim: limit.sinusoidal *)
Theorem limit_sinusoidal_ours_8 : Statements.limit_sinusoidal_ours_8.
Proof. intros b i D _. rewrite carrier_same. reflexivity. Qed.

(* --- limit.rope-kernel ---------------------------------------------------------------------------------------------------- *)

(* claim: limit.rope-kernel *)
Theorem limit_rope_kernel_published : Statements.limit_rope_kernel_published.
Proof.
  intros w d. rewrite K_same, Cexp_turn, Rmult_comm. apply tends_filterlim; [typeclasses eauto | apply rope_kernel].
Qed.

(* claim: limit.rope-kernel *)
Theorem limit_rope_kernel_ours_1 : Statements.limit_rope_kernel_ours_1.
Proof. intros w s d Hs. rewrite K_same, Cexp_turn, Rmult_comm, distance_sym. apply rope_kernel_rate, Hs. Qed.

(* claim: limit.rope-kernel *)
Theorem limit_rope_kernel_ours_2 : Statements.limit_rope_kernel_ours_2.
Proof.
  intros w H. apply (not_uniform_printed _ _ (rope_kernel_not_uniform w)). intros eps He.
  destruct (H eps He) as [M HM]. exists M. intros s z Hs. rewrite (Rmult_comm w), <- K_same, <- Cexp_turn. now apply HM.
Qed.

(* --- limit.no-position ---------------------------------------------------------------------------------------------------- *)

(* claim: limit.no-position *)
Theorem limit_no_position_ours_1 : Statements.limit_no_position_ours_1.
Proof. intros w. rewrite K_same. apply tends_filterlim; [typeclasses eauto | apply no_position]. Qed.

(* claim: limit.no-position *)
Theorem limit_no_position_ours_2 : Statements.limit_no_position_ours_2.
Proof. intros w d Hd. rewrite K_same. apply tends_filterlim; [typeclasses eauto | apply no_position, Hd]. Qed.
