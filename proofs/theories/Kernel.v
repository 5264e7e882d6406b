(* The product kernel of two encoded positions: what it is, what it factors into, and that it is not relative. *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions.
Open Scope R_scope.

(* The phases of a query and a key subtract, their envelopes multiply.

   claim: kernel.product *)
Theorem product m n w s : 0 < s ->
  P m n w s = Cmult (cis (w * (m - n))) (RtoC (exp (- ((m ^ 2 + n ^ 2) / (2 * s ^ 2))))).
Proof.
  intros Hs. unfold P. rewrite psi_conj. unfold psi.
  replace (w * (m - n)) with (w * m + - (w * n)) by ring.
  replace (- ((m ^ 2 + n ^ 2) / (2 * s ^ 2))) with (- (m ^ 2 / (2 * s ^ 2)) + - (n ^ 2 / (2 * s ^ 2))) by (field; lra).
  rewrite cis_plus, exp_plus, RtoC_mult. complex_ring.
Qed.

Lemma P_mod m n w s : 0 < s -> Cmod (P m n w s) = exp (- ((m ^ 2 + n ^ 2) / (2 * s ^ 2))).
Proof.
  intros Hs. rewrite product by exact Hs. rewrite Cmod_mult, cis_mod, Cmod_R, Rmult_1_l.
  apply Rabs_pos_eq. left; apply exp_pos.
Qed.

(* m^2 + n^2 = ((m - n)^2 + (m + n)^2) / 2: one half goes with the distance, the other with the midpoint.

   claim: kernel.factorisation *)
Theorem factorisation m n w s : 0 < s ->
  P m n w s = Cmult (K (m - n) w s) (RtoC (exp (- ((m + n) ^ 2 / (4 * s ^ 2))))).
Proof.
  intros Hs. rewrite product by exact Hs. unfold K. rewrite <- Cmult_assoc, <- RtoC_mult, <- exp_plus.
  do 3 f_equal. field. lra.
Qed.

(* --- what a common shift does ------------------------------------------------------------------------------------------ *)

(* claim: kernel.not-stationary *)
Theorem shift m n t w s : 0 < s ->
  P (m + t) (n + t) w s = Cmult (P m n w s) (RtoC (exp (- ((t * (m + n) + t ^ 2) / s ^ 2)))).
Proof.
  intros Hs. rewrite !product by exact Hs. rewrite <- Cmult_assoc, <- RtoC_mult, <- exp_plus.
  replace (m + t - (n + t)) with (m - n) by ring. do 3 f_equal. field. lra.
Qed.

(* The moduli decide: equal kernels have equal exponents, and t (m + n + t) = 0.

   claim: kernel.not-stationary *)
Theorem shift_on_antidiagonal_only m n t w s : 0 < s -> t <> 0 -> P (m + t) (n + t) w s = P m n w s -> m + n = - t.
Proof.
  intros Hs Ht E. apply (f_equal Cmod) in E. rewrite !P_mod in E by exact Hs. apply exp_inv in E.
  assert (H : t * (m + n + t) = 0).
  { replace (t * (m + n + t)) with (s ^ 2 * (((m + t) ^ 2 + (n + t) ^ 2) / (2 * s ^ 2) - (m ^ 2 + n ^ 2) / (2 * s ^ 2)))
      by (field; lra).
    replace (((m + t) ^ 2 + (n + t) ^ 2) / (2 * s ^ 2)) with ((m ^ 2 + n ^ 2) / (2 * s ^ 2)) by lra. ring. }
  apply Rmult_integral in H. lra.
Qed.

(* claim: kernel.not-stationary *)
Theorem diagonal w s : 0 < s ->
  P 0 0 w s = RtoC 1 /\ P 1 1 w s = RtoC (exp (- (1 / s ^ 2))) /\ exp (- (1 / s ^ 2)) < 1.
Proof.
  intros Hs. rewrite !product by exact Hs. rewrite !Rminus_eq_0, Rmult_0_r, cis_0, !Cmult_1_l. repeat split.
  - do 2 f_equal. rewrite <- exp_0. f_equal. field. lra.
  - do 3 f_equal. field. lra.
  - assert (0 < 1 / s ^ 2) by (apply Rdiv_lt_0_compat; [lra | apply pow_lt, Hs]).
    assert (H1 : exp (- (1 / s ^ 2)) < exp 0) by (apply exp_increasing; lra). now rewrite exp_0 in H1.
Qed.

(* Were it g (j - k), it would be g 0 at (0, 0) and at (1, 1); but every term falls, and one of them strictly.

   claim: kernel.not-stationary *)
Theorem no_mixture_is_relative N a frequency width :
  (forall i, (i < N)%nat -> 0 <= a i) -> (forall i, (i < N)%nat -> 0 < width i) ->
  (exists i, (i < N)%nat /\ 0 < a i) ->
  ~ exists g : Z -> C, forall j k : Z,
      Csum N (fun i => Cmult (RtoC (a i)) (P (IZR j) (IZR k) (frequency i) (width i))) = g (j - k)%Z.
Proof.
  intros Ha Hs [i [Hi Hai]] [g Hg].
  assert (E := Hg 0%Z 0%Z). rewrite <- (Hg 1%Z 1%Z : _ = g (0 - 0)%Z) in E.
  apply (f_equal fst) in E. rewrite !Csum_re in E.
  set (loss := fun i => a i * (1 - exp (- (1 / width i ^ 2)))).
  assert (Hloss : forall i, (i < N)%nat -> 0 <= loss i).
  { intros l Hl. apply Rmult_le_pos; [apply Ha, Hl|]. generalize (proj2 (proj2 (diagonal 0 _ (Hs l Hl)))); lra. }
  assert (Hsum : Rsum N loss = 0).
  { transitivity (Rsum N (fun i => fst (Cmult (RtoC (a i)) (P 0 0 (frequency i) (width i)))) +
                  -1 * Rsum N (fun i => fst (Cmult (RtoC (a i)) (P 1 1 (frequency i) (width i))))).
    - rewrite <- Rsum_scal, <- Rsum_plus. apply Rsum_ext. intros l Hl.
      destruct (diagonal (frequency l) _ (Hs l Hl)) as [-> [-> _]]. unfold loss, Cmult, RtoC. cbn [fst snd]. ring.
    - rewrite E. ring. }
  assert (H := Rsum_one_term N loss i Hloss Hi). rewrite Hsum in H.
  assert (0 < loss i); [|lra].
  apply Rmult_lt_0_compat; [exact Hai|]. generalize (proj2 (proj2 (diagonal 0 _ (Hs i Hi)))); lra.
Qed.
