(* The statements on the kernels as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel RankOne Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* claim: kernel.product *)
Theorem kernel_product_published : Statements.kernel_product_published.
Proof.
  intros w s m n Hs. rewrite psi_same, P_same, Cexp_turn, product by exact Hs. rewrite Cmult_comm. do 3 f_equal. field. lra.
Qed.

(* claim: kernel.factorisation *)
Theorem kernel_factorisation_ours : Statements.kernel_factorisation_ours.
Proof. intros w s m n Hs. rewrite psi_same, K_same, P_same, factorisation by exact Hs. apply Cmult_comm. Qed.

(* --- kernel.not-stationary ------------------------------------------------------------------------------------------------ *)

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_1 : Statements.kernel_not_stationary_ours_1.
Proof.
  intros w s m n t Hs. rewrite psi_same, <- Cmult_assoc, !P_same, shift, Cmult_comm by exact Hs. do 3 f_equal. field. lra.
Qed.

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_2 : Statements.kernel_not_stationary_ours_2.
Proof.
  intros w s m n t Hs [Ht E]. rewrite psi_same, !P_same in E. apply (shift_on_antidiagonal_only m n t w s Hs Ht E).
Qed.

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_3 : Statements.kernel_not_stationary_ours_3.
Proof. intros w s Hs. rewrite psi_same, P_same. apply (diagonal w s Hs). Qed.

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_4 : Statements.kernel_not_stationary_ours_4.
Proof. intros w s Hs. rewrite psi_same, P_same. apply (diagonal w s Hs). Qed.

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_5 : Statements.kernel_not_stationary_ours_5.
Proof. intros s Hs. apply (diagonal 0 s Hs). Qed.

(* claim: kernel.not-stationary *)
Theorem kernel_not_stationary_ours_6 : Statements.kernel_not_stationary_ours_6.
Proof.
  intros N a frequency width _ Ha Hs Hpos [g Hg].
  apply (no_mixture_is_relative N a frequency width (fun i _ => Ha i) (fun i _ => Hs i) Hpos).
  exists g. intros j k. rewrite <- Hg, psi_same. apply Csum_ext. intros i _. now rewrite <- Cmult_assoc, P_same.
Qed.

(* --- kernel.rank-one ------------------------------------------------------------------------------------------------------- *)

(* The powers of the theorem are those of an integer, the printed ones those of a natural number. *)
Lemma turn_nat zeta w (j : nat) :
  Cmult (RtoC (powerRZ zeta (Z.of_nat j))) (cis (w * IZR (Z.of_nat j))) = Cmult (RtoC (zeta ^ j)) (cis (INR j * w)).
Proof. now rewrite <- pow_powerRZ, <- INR_IZR_INZ, (Rmult_comm w). Qed.

Lemma turn_back_nat zeta w (j : nat) :
  Cmult (RtoC (powerRZ zeta (- Z.of_nat j))) (cis (w * IZR (- Z.of_nat j))) = Cmult (RtoC (/ zeta ^ j)) (cis (- (INR j * w))).
Proof.
  rewrite powerRZ_neg', <- pow_powerRZ, opp_IZR, <- INR_IZR_INZ.
  replace (w * - INR j) with (- (INR j * w)) by ring. reflexivity.
Qed.

(* A property of the natural numbers below N is one of the integers in [0, N). *)
Lemma below_N (N : nat) (Q : Z -> Prop) :
  (forall j : nat, (j < N)%nat -> Q (Z.of_nat j)) <-> (forall j, (0 <= j < Z.of_nat N)%Z -> Q j).
Proof.
  split; intros H j Hj.
  - rewrite <- (Z2Nat.id j) by lia. apply H. lia.
  - apply H. lia.
Qed.

(* claim: kernel.rank-one *)
Theorem kernel_rank_one_ours_1 : Statements.kernel_rank_one_ours_1.
Proof.
  intros N f h HN Hf Hh [g Hg].
  destruct (proj1 (rank_one (Z.of_nat N) f h ltac:(lia) Hf Hh)) as (zeta & w & c & c' & Hz & Hc & Hc' & H).
  - exists g. intros j k Hj Hk. revert j Hj. apply below_N. intros j Hj. revert k Hk. apply below_N. intros k Hk. now apply Hg.
  - exists zeta. split; [exact Hz|]. exists w, c. split; [exact Hc|]. exists c'. split; [exact Hc'|].
    intros j Hj. rewrite Cexp_turn, Cexp_turn_back. destruct (H (Z.of_nat j)) as [-> ->]; [lia|].
    rewrite turn_nat, turn_back_nat. split; complex_ring.
Qed.

(* claim: kernel.rank-one *)
Theorem kernel_rank_one_ours_2 : Statements.kernel_rank_one_ours_2.
Proof.
  intros N f h HN Hf Hh (zeta & Hz & w & c & Hc & c' & Hc' & H).
  destruct (proj2 (rank_one (Z.of_nat N) f h ltac:(lia) Hf Hh)) as [g Hg].
  - exists zeta, w, c, c'. split; [exact Hz|]. split; [exact Hc|]. split; [exact Hc'|]. apply below_N. intros j Hj.
    rewrite turn_nat, turn_back_nat. destruct (H j Hj) as [-> ->]. rewrite Cexp_turn, Cexp_turn_back. split; complex_ring.
  - exists g. intros j Hj k Hk. apply Hg; lia.
Qed.
