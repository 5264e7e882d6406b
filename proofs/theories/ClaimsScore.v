(* The statements of limit.rope-score as they are printed from mope_theory, member by member. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Kernel Limit Score Bridge.
From Mope Require Statements.
Open Scope R_scope.

(* --- pairs of channels -------------------------------------------------------------------------------- *)

(* A layout says which channel holds the real part of pair j, and which the imaginary part. *)
Section Layout.
Variables re im : nat -> nat.

Definition pairs (x : nat -> R) (j : nat) : C := (RtoC (x (re j)) + RtoC (x (im j)) * Ci)%C.

Lemma pairs_conj x j : (RtoC (x (re j)) - RtoC (x (im j)) * Ci)%C = Cconj (pairs x j).
Proof. unfold pairs. complex_ring. Qed.

Lemma pairs_mod x j : Cmod (pairs x j) = sqrt (x (re j) ^ 2 + x (im j) ^ 2).
Proof. unfold Cmod. f_equal. unfold pairs, Cplus, Cmult, RtoC, Ci. cbn [fst snd]. ring. Qed.

Lemma relative_score_printed c d N (q k w s : nat -> R) : 0 < c -> (forall j, 0 < s j) ->
  Rabs (c * fst (Csum N (fun j => (RtoC (k (re j)) - RtoC (k (im j)) * Ci) * pairs q j * Statements.K d (w j) (s j))%C) -
        c * fst (Csum N (fun j => (RtoC (k (re j)) - RtoC (k (im j)) * Ci) * pairs q j * Statements.carrier d (w j))%C)) <=
  c * Rsum N (fun j => d ^ 2 * sqrt (k (re j) ^ 2 + k (im j) ^ 2) * sqrt (q (re j) ^ 2 + q (im j) ^ 2) / (4 * s j ^ 2)).
Proof.
  intros Hc Hs. rewrite K_same, carrier_same.
  rewrite (Csum_ext N _ (fun j => Cmult (Cmult (pairs q j) (Cconj (pairs k j))) (K d (w j) (s j)))),
    (Csum_ext N (fun j => Cmult _ (cis _)) (fun j => Cmult (Cmult (pairs q j) (Cconj (pairs k j))) (cis (w j * d)))).
  - eapply Rle_trans; [apply relative_score_rate; auto|]. right. f_equal. apply Rsum_ext. intros j _. rewrite !pairs_mod.
    field. generalize (Hs j); lra.
  - intros j _. rewrite pairs_conj. f_equal. apply Cmult_comm.
  - intros j _. rewrite pairs_conj. f_equal. apply Cmult_comm.
Qed.

Lemma product_score_printed c m n N (q k w s : nat -> R) : 0 < c -> (forall j, 0 < s j) ->
  Rabs (c * fst (Csum N (fun j => (RtoC (k (re j)) - RtoC (k (im j)) * Ci) * pairs q j * Statements.carrier (m - n) (w j))%C) -
        c * fst (Csum N (fun j => (RtoC (k (re j)) - RtoC (k (im j)) * Ci) * pairs q j *
                                  Cconj (Statements.psi n (w j) (s j)) * Statements.psi m (w j) (s j))%C)) <=
  c * Rsum N (fun j => (m ^ 2 + n ^ 2) * sqrt (k (re j) ^ 2 + k (im j) ^ 2) * sqrt (q (re j) ^ 2 + q (im j) ^ 2) / (2 * s j ^ 2)).
Proof.
  intros Hc Hs. rewrite psi_same, carrier_same, Rabs_minus_sym.
  rewrite (Csum_ext N _ (fun j => Cmult (Cmult (pairs q j) (Cconj (pairs k j))) (P m n (w j) (s j)))),
    (Csum_ext N (fun j => Cmult _ (cis _)) (fun j => Cmult (Cmult (pairs q j) (Cconj (pairs k j))) (cis (w j * (m - n))))).
  - eapply Rle_trans; [apply product_score_rate; auto|]. right. f_equal. apply Rsum_ext. intros j _. rewrite !pairs_mod.
    field. generalize (Hs j); lra.
  - intros j _. rewrite pairs_conj. f_equal. apply Cmult_comm.
  - intros j _. rewrite pairs_conj, <- Cmult_assoc, P_same. f_equal. apply Cmult_comm.
Qed.

(* One term of the score of tokens to which an encoding was added. *)
Lemma added (x : nat -> R) (y : C) j : (RtoC (x (re j)) - RtoC (x (im j)) * Ci + Cconj y)%C = Cconj (Cplus (pairs x j) y).
Proof. now rewrite pairs_conj, Cconj_plus. Qed.
End Layout.

(* --- the claim -------------------------------------------------------------------------------- *)

Definition even (j : nat) : nat := 2 * j.
Definition odd (j : nat) : nat := 2 * j + 1.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_1 : Statements.limit_rope_score_ours_1.
Proof. intros c d N q k w s Hc _ Hs. exact (relative_score_printed even odd c d N q k w s Hc Hs). Qed.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_2 : Statements.limit_rope_score_ours_2.
Proof. intros c m n N q k w s Hc _ Hs. exact (product_score_printed even odd c m n N q k w s Hc Hs). Qed.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_3 : Statements.limit_rope_score_ours_3.
Proof. intros c d N q k w s Hc _ Hs. exact (relative_score_printed (fun j => j) (fun j => (N + j)%nat) c d N q k w s Hc Hs). Qed.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_4 : Statements.limit_rope_score_ours_4.
Proof.
  intros c m n N q k w s Hc _ Hs. exact (product_score_printed (fun j => j) (fun j => (N + j)%nat) c m n N q k w s Hc Hs).
Qed.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_5 : Statements.limit_rope_score_ours_5.
Proof.
  intros c m n N q k w v _ _ Hv. rewrite psi_same, carrier_same.
  rewrite (Csum_ext N _ (fun j => Cmult (Cplus (pairs even odd q j) (cis (w j * m)))
                                        (Cconj (Cplus (pairs even odd k j) (cis (w j * n)))))).
  - eapply filterlim_ext; [|apply (additive_score N c m n (pairs even odd q) (pairs even odd k) w v (fun j _ => Hv j))].
    intros s. cbv beta. do 2 f_equal. apply Csum_ext. intros j _. rewrite <- added. apply Cmult_comm.
  - intros j _. rewrite <- added. apply Cmult_comm.
Qed.

(* Any pairs are those of some channels. *)
Definition channels (q : nat -> C) (n : nat) : R := if Nat.even n then fst (q (Nat.div2 n)) else snd (q (Nat.div2 n)).

Lemma pairs_channels q j : pairs even odd (channels q) j = q j.
Proof.
  unfold pairs, channels, even, odd. rewrite Nat.even_mul, Nat.even_add, Nat.even_mul. cbn [Nat.even orb Bool.eqb].
  rewrite Nat.div2_double, Nat.add_1_r, Nat.div2_succ_double. complex_ring.
Qed.

(* claim: limit.rope-score *)
Theorem limit_rope_score_ours_6 : Statements.limit_rope_score_ours_6.
Proof.
  intros c N w v Hc HN Hv H. apply (additive_score_is_not_rotary N c w v HN Hc (fun j _ => Hv j)). intros q k m n.
  assert (L := H (channels q) (channels k) m n). clear H. rewrite psi_same, carrier_same in L.
  rewrite (Csum_ext N _ (fun j => Cmult (Cmult (q j) (Cconj (k j))) (cis (w j * (IZR m - IZR n))))) in L.
  - eapply filterlim_ext; [|exact L]. intros s. cbv beta. do 2 f_equal. apply Csum_ext. intros j _.
    rewrite (added even odd (channels k)).
    change (RtoC (channels q (2 * j)) + RtoC (channels q (2 * j + 1)) * Ci)%C with (pairs even odd (channels q) j).
    rewrite !pairs_channels. apply Cmult_comm.
  - intros j _. rewrite (pairs_conj even odd (channels k)).
    change (RtoC (channels q (2 * j)) + RtoC (channels q (2 * j + 1)) * Ci)%C with (pairs even odd (channels q) j).
    rewrite !pairs_channels. f_equal. apply Cmult_comm.
Qed.

(* The published side fails for every scale, number of pairs, frequencies and widths: that is the member above.

   claim: limit.rope-score *)
Theorem limit_rope_score_published_false : ~ Statements.limit_rope_score_published.
Proof.
  intros H. apply (limit_rope_score_ours_6 1 1%nat (fun _ => 0) (fun _ => 1) Rlt_0_1 (le_n 1) (fun _ => Rlt_0_1)).
  exact (H 1 1%nat (fun _ => 0) (fun _ => 1) Rlt_0_1 (le_n 1) (fun _ => Rlt_0_1)).
Qed.
