(* The claim on the gate's causal form, in words that can be read: one head of gated attention over a sequence of tokens.

   X k i is channel i of token k; D channels a token, H channels a head. The statistics of the energies run over the first
   L k keys, where k is the key whose gate is formed: the published gate on a sequence of N tokens takes L k = N, ours takes
   all keys up to the query j, L k = j + 1. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra.
Open Scope R_scope.

Section Head.
Variables (Wq Wk Wv : nat -> nat -> R) (u : nat -> R) (beta alpha tau : R) (D H : nat).

Definition project (W : nat -> nat -> R) (x : nat -> R) (h : nat) : R := Rsum D (fun i => W h i * x i).

(* Energies, and their mean and population deviation over the first L tokens. *)
Definition energy (X : nat -> nat -> R) (k : nat) : R := Rsum D (fun i => u i * X k i) + beta.
Definition mean (X : nat -> nat -> R) (L : nat) : R := Rsum L (energy X) / INR L.
Definition spread (X : nat -> nat -> R) (L : nat) : R := sqrt (Rsum L (fun k => (energy X k - mean X L) ^ 2) / INR L).

(* The gate of key k is the logistic function of alpha (z - tau), z being its energy's standard score. *)
Definition gate (X : nat -> nat -> R) (L k : nat) : R :=
  1 / (1 + exp (- (alpha * ((energy X k - mean X L) / Rmax (spread X L) (1 / 10 ^ 8) - tau)))).

(* The share of key k in what query j is given: causal softmax times gate. *)
Definition score (X : nat -> nat -> R) (j k : nat) : R :=
  Rsum H (fun h => project Wq (X j) h * project Wk (X k) h) / sqrt (INR H).
Definition share (X : nat -> nat -> R) (L : nat -> nat) (j k : nat) : R :=
  exp (score X j k) / Rsum (S j) (fun l => exp (score X j l)) * gate X (L k) k.

(* Channel i of the output at token j. *)
Definition output (X : nat -> nat -> R) (L : nat -> nat) (j i : nat) : R :=
  Rsum (S j) (fun k => share X L j k * project Wv (X k) i) / Rmax (Rsum (S j) (share X L j)) (1 / 10 ^ 8).

Definition published (N : nat) (X : nat -> nat -> R) (j i : nat) : R := output X (fun _ => N) j i.
Definition query_prefix (X : nat -> nat -> R) (j i : nat) : R := output X (fun _ => S j) j i.
Definition key_prefix (X : nat -> nat -> R) (j i : nat) : R := output X (fun k => S k) j i.

(* --- what an output depends on ----------------------------------------------------------------------------------------- *)

Section Agreement.
Variables (X Y : nat -> nat -> R) (j : nat).
Hypothesis agree : forall k i, (k <= j)%nat -> (i < D)%nat -> X k i = Y k i.

Lemma same_projection W k h : (k <= j)%nat -> project W (X k) h = project W (Y k) h.
Proof. intros Hk. apply Rsum_ext. intros i Hi. now rewrite agree. Qed.

Lemma same_energy k : (k <= j)%nat -> energy X k = energy Y k.
Proof. intros Hk. unfold energy. f_equal. apply Rsum_ext. intros i Hi. now rewrite agree. Qed.

Lemma same_mean L : (L <= S j)%nat -> mean X L = mean Y L.
Proof. intros HL. unfold mean. f_equal. apply Rsum_ext. intros k Hk. apply same_energy. lia. Qed.

Lemma same_spread L : (L <= S j)%nat -> spread X L = spread Y L.
Proof.
  intros HL. unfold spread. rewrite same_mean by exact HL. do 2 f_equal. apply Rsum_ext. intros k Hk.
  rewrite same_energy; [reflexivity | lia].
Qed.

Lemma same_gate L k : (L <= S j)%nat -> (k <= j)%nat -> gate X L k = gate Y L k.
Proof. intros HL Hk. unfold gate. now rewrite same_energy, same_mean, same_spread. Qed.

Lemma same_score k : (k <= j)%nat -> score X j k = score Y j k.
Proof. intros Hk. unfold score. f_equal. apply Rsum_ext. intros h _. now rewrite !same_projection. Qed.

Lemma same_share L k : (forall l, (l <= j)%nat -> (L l <= S j)%nat) -> (k <= j)%nat -> share X L j k = share Y L j k.
Proof.
  intros HL Hk. unfold share. rewrite same_gate, same_score by auto. do 2 f_equal. apply Rsum_ext. intros l Hl. f_equal.
  apply same_score. lia.
Qed.

(* Statistics that run over no key beyond the query: the output is one and the same. *)
Lemma same_output L i : (forall l, (l <= j)%nat -> (L l <= S j)%nat) -> output X L j i = output Y L j i.
Proof.
  intros HL. unfold output. f_equal; [|f_equal]; apply Rsum_ext; intros k Hk; rewrite same_share by (auto; lia); [|reflexivity].
  f_equal. apply same_projection. lia.
Qed.
End Agreement.

(* With statistics up to the query the output at j depends on the tokens up to j alone, and is what the published gate gives
   for a sequence of these j + 1 tokens, whatever stands behind them in Y.

   claim: gate.causal-form *)
Theorem query_prefix_is_causal X Y j i : (forall k c, (k <= j)%nat -> (c < D)%nat -> X k c = Y k c) ->
  query_prefix X j i = query_prefix Y j i /\ query_prefix X j i = published (S j) Y j i.
Proof. intros agree. split; apply same_output; auto. Qed.

(* With statistics up to the key it is causal too.

   claim: gate.causal-form *)
Theorem key_prefix_is_causal X Y j i : (forall k c, (k <= j)%nat -> (c < D)%nat -> X k c = Y k c) ->
  key_prefix X j i = key_prefix Y j i.
Proof. intros agree. apply same_output; [exact agree|]. intros. lia. Qed.
End Head.

(* The output with any statistics, written out. *)
Theorem output_unfolded Wq Wk Wv u beta alpha tau D H X L j i :
  output Wq Wk Wv u beta alpha tau D H X L j i =
  let energy k := Rsum D (fun c => u c * X k c) + beta in
  let mean k := Rsum (L k) energy / INR (L k) in
  let spread k := sqrt (Rsum (L k) (fun l => (energy l - mean k) ^ 2) / INR (L k)) in
  let gate k := 1 / (1 + exp (- (alpha * ((energy k - mean k) / Rmax (spread k) (1 / 10 ^ 8) - tau)))) in
  let score k := Rsum H (fun h => Rsum D (fun c => Wq h c * X j c) * Rsum D (fun c => Wk h c * X k c)) / sqrt (INR H) in
  let share k := exp (score k) / Rsum (S j) (fun l => exp (score l)) * gate k in
  Rsum (S j) (fun k => share k * Rsum D (fun c => Wv i c * X k c)) / Rmax (Rsum (S j) share) (1 / 10 ^ 8).
Proof. reflexivity. Qed.

Theorem published_takes_all Wq Wk Wv u beta alpha tau D H N X j i :
  published Wq Wk Wv u beta alpha tau D H N X j i = output Wq Wk Wv u beta alpha tau D H X (fun _ => N) j i.
Proof. reflexivity. Qed.
