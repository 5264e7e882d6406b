(* The claim on scores: with a Morlet kernel they tend to those of RoPE, at a rate; with the encoding added, they do not. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel Limit.
Open Scope R_scope.

(* A query and a key are given by N pairs of channels, each pair a complex number q j or k j, with a frequency w j and a
   width s j. How the channels are laid out, side by side or in two halves, is how these numbers are read off:
   q j = x (2j) + i x (2j + 1), or q j = x j + i x (j + N). *)

(* Terms that differ little make scores that differ little. *)
Lemma score_difference N c (a : nat -> C) (x y : nat -> C) (r : nat -> R) : 0 < c ->
  (forall j, (j < N)%nat -> Cmod (Cminus (x j) (y j)) <= r j) ->
  Rabs (c * fst (Csum N (fun j => Cmult (a j) (x j))) - c * fst (Csum N (fun j => Cmult (a j) (y j)))) <=
  c * Rsum N (fun j => Cmod (a j) * r j).
Proof.
  intros Hc H.
  replace (c * fst (Csum N (fun j => Cmult (a j) (x j))) - c * fst (Csum N (fun j => Cmult (a j) (y j)))) with
    (c * Rsum N (fun j => fst (Cmult (a j) (Cminus (x j) (y j))))).
  - rewrite Rabs_mult, (Rabs_pos_eq c) by lra. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply Rsum_abs|]. apply Rsum_le. intros j Hj.
    eapply Rle_trans; [apply re_le_mod|]. rewrite Cmod_mult. apply Rmult_le_compat_l; [apply Cmod_ge_0 | apply H, Hj].
  - rewrite !Csum_re. rewrite <- Rmult_minus_distr_l. f_equal.
    transitivity (Rsum N (fun j => fst (Cmult (a j) (x j))) + -1 * Rsum N (fun j => fst (Cmult (a j) (y j)))); [|ring].
    rewrite <- Rsum_scal, <- Rsum_plus. apply Rsum_ext. intros j _.
    unfold Cmult, Cminus, Cplus, Copp. cbn [fst snd]. ring.
Qed.

Lemma pair_size q k : Cmod (Cmult q (Cconj k)) = Cmod q * Cmod k.
Proof. now rewrite Cmod_mult, Cmod_conj. Qed.

(* With the relative kernel on every pair.

   claim: limit.rope-score *)
Theorem relative_score_rate N c d (q k : nat -> C) (w s : nat -> R) : 0 < c -> (forall j, (j < N)%nat -> 0 < s j) ->
  Rabs (c * fst (Csum N (fun j => Cmult (Cmult (q j) (Cconj (k j))) (K d (w j) (s j)))) -
        c * fst (Csum N (fun j => Cmult (Cmult (q j) (Cconj (k j))) (cis (w j * d))))) <=
  c * Rsum N (fun j => Cmod (q j) * Cmod (k j) * (d ^ 2 / (4 * s j ^ 2))).
Proof.
  intros Hc Hs. eapply Rle_trans.
  - apply score_difference; [exact Hc|]. intros j Hj. apply rope_kernel_rate, Hs, Hj.
  - right. f_equal. apply Rsum_ext. intros j _. now rewrite pair_size.
Qed.

(* With the product kernel on every pair.

   claim: limit.rope-score *)
Theorem product_score_rate N c m n (q k : nat -> C) (w s : nat -> R) : 0 < c -> (forall j, (j < N)%nat -> 0 < s j) ->
  Rabs (c * fst (Csum N (fun j => Cmult (Cmult (q j) (Cconj (k j))) (P m n (w j) (s j)))) -
        c * fst (Csum N (fun j => Cmult (Cmult (q j) (Cconj (k j))) (cis (w j * (m - n)))))) <=
  c * Rsum N (fun j => Cmod (q j) * Cmod (k j) * ((m ^ 2 + n ^ 2) / (2 * s j ^ 2))).
Proof.
  intros Hc Hs. eapply Rle_trans.
  - apply score_difference; [exact Hc|]. intros j Hj. rewrite product by (apply Hs, Hj).
    assert (Hu : 0 <= (m ^ 2 + n ^ 2) / (2 * s j ^ 2)).
    { replace ((m ^ 2 + n ^ 2) / (2 * s j ^ 2)) with (m ^ 2 / (2 * s j ^ 2) + n ^ 2 / (2 * s j ^ 2))
        by (field; generalize (Hs j Hj); lra).
      apply Rplus_le_le_0_compat; (apply square_quotient; [lra | apply Hs, Hj]). }
    rewrite damped_error by exact Hu. apply one_minus_exp, Hu.
  - right. f_equal. apply Rsum_ext. intros j _. now rewrite pair_size.
Qed.

(* --- the encoding added to the content, as published ------------------------------------------------------------------- *)

Lemma tends_parts f l : tends f to_infinity l ->
  is_lim (fun s => fst (f s)) p_infty (fst l) /\ is_lim (fun s => snd (f s)) p_infty (snd l).
Proof.
  intros H. split; intros B [eps HB]; destruct (H eps (cond_pos eps)) as [M HM]; exists M; intros s Hs; apply HB.
  - change (Rabs (fst (f s) - fst l) < eps). eapply Rle_lt_trans; [apply (re_le_mod (Cminus (f s) l)) | apply HM, Hs].
  - change (Rabs (snd (f s) - snd l) < eps). eapply Rle_lt_trans; [apply (im_le_mod (Cminus (f s) l)) | apply HM, Hs].
Qed.

Lemma lim_re_plus (f g : R -> C) (a b : C) :
  is_lim (fun s => fst (f s)) p_infty (fst a) -> is_lim (fun s => fst (g s)) p_infty (fst b) ->
  is_lim (fun s => fst (Cplus (f s) (g s))) p_infty (fst (Cplus a b)).
Proof. intros Hf Hg. exact (is_lim_plus' _ _ _ _ _ Hf Hg). Qed.

(* All widths grow together, as s v. *)
Lemma widening b w v : 0 < v -> tends (fun s => psi b w (s * v)) to_infinity (cis (w * b)).
Proof.
  intros Hv. apply (tends_by_rate _ _ (b ^ 2 / (2 * v ^ 2))); [apply square_quotient; lra|].
  intros s Hs. replace (b ^ 2 / (2 * v ^ 2) / s ^ 2) with (b ^ 2 / (2 * (s * v) ^ 2)) by (field; lra).
  apply sinusoidal_rate. nra.
Qed.

(* claim: limit.rope-score *)
Theorem additive_score N c m n (q k : nat -> C) (w v : nat -> R) : (forall j, (j < N)%nat -> 0 < v j) ->
  is_lim (fun s => c * fst (Csum N (fun j => Cmult (Cplus (q j) (psi m (w j) (s * v j)))
                                                   (Cconj (Cplus (k j) (psi n (w j) (s * v j))))))) p_infty
         (c * fst (Csum N (fun j => Cmult (Cplus (q j) (cis (w j * m))) (Cconj (Cplus (k j) (cis (w j * n))))))).
Proof.
  intros Hv. apply (is_lim_scal_l _ c p_infty (Finite _)). induction N as [|N IH].
  - cbn. apply is_lim_const.
  - cbn [Csum]. apply lim_re_plus; [apply IH; auto with arith|].
    destruct (tends_parts _ _ (widening m (w N) (v N) (Hv N (Nat.lt_succ_diag_r N)))) as [A1 A2].
    destruct (tends_parts _ _ (widening n (w N) (v N) (Hv N (Nat.lt_succ_diag_r N)))) as [B1 B2].
    assert (Add : forall f a l, is_lim f p_infty (Finite l) -> is_lim (fun s => a + f s) p_infty (Finite (a + l))).
    { intros f a l Hf. apply is_lim_plus'; [apply is_lim_const | exact Hf]. }
    unfold Cmult, Cconj, Cplus. cbn [fst snd]. apply is_lim_minus'.
    + apply (is_lim_mult (fun s => fst (q N) + fst (psi m (w N) (s * v N))) (fun s => fst (k N) + fst (psi n (w N) (s * v N)))
               p_infty (Finite _) (Finite _)); try exact I; apply Add; assumption.
    + apply (is_lim_mult (fun s => snd (q N) + snd (psi m (w N) (s * v N))) (fun s => - (snd (k N) + snd (psi n (w N) (s * v N))))
               p_infty (Finite _) (Finite _)); try exact I.
      * apply Add; assumption.
      * apply (is_lim_opp (fun s => snd (k N) + snd (psi n (w N) (s * v N))) p_infty (Finite _)). apply Add; assumption.
Qed.

(* That limit is the sinusoidal score; it is not RoPE's, as tokens without content show: theirs is c N at (0, 0).

   claim: limit.rope-score *)
Theorem additive_score_is_not_rotary N c (w v : nat -> R) : (0 < N)%nat -> 0 < c -> (forall j, (j < N)%nat -> 0 < v j) ->
  ~ forall (q k : nat -> C) (m n : Z),
      is_lim (fun s => c * fst (Csum N (fun j => Cmult (Cplus (q j) (psi (IZR m) (w j) (s * v j)))
                                                       (Cconj (Cplus (k j) (psi (IZR n) (w j) (s * v j))))))) p_infty
             (c * fst (Csum N (fun j => Cmult (Cmult (q j) (Cconj (k j))) (cis (w j * (IZR m - IZR n)))))).
Proof.
  intros HN Hc Hv H. specialize (H (fun _ => RtoC 0) (fun _ => RtoC 0) 0%Z 0%Z).
  assert (L := additive_score N c 0 0 (fun _ => RtoC 0) (fun _ => RtoC 0) w v Hv).
  apply is_lim_unique in H. apply is_lim_unique in L. rewrite H in L. injection L. rewrite !Csum_re.
  rewrite (Rsum_ext N _ (fun _ => 0)), (Rsum_ext N (fun i => fst (Cmult (Cplus 0 _) _)) (fun _ => 1)).
  - rewrite !Rsum_const. assert (0 < INR N) by (apply lt_0_INR, HN). nra.
  - intros j _. rewrite Rmult_0_r, cis_0. unfold Cmult, Cconj, Cplus, RtoC. cbn [fst snd]. ring.
  - intros j _. unfold Cmult, Cconj, RtoC. cbn [fst snd]. ring.
Qed.
