(* From the printed words to those of the theorems: Statements.v defines psi, K and the carrier anew, as printed from
   mope_theory; here they are proved to be the functions of Vocabulary.v, and the two ways to write a limit to agree. *)
From Coq Require Import Reals Lra FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language Algebra Definitions Locality.
From Mope Require Statements.
Open Scope R_scope.

(* --- functions --------------------------------------------------------------------------------------------------------- *)

Lemma Cexp_turn t : Cexp (RtoC t * Ci)%C = cis t.
Proof.
  unfold Cexp, cis, Cmult, RtoC, Ci. cbn [fst snd].
  replace (t * 0 - 0 * 1) with 0 by ring. replace (t * 1 + 0 * 0) with t by ring. rewrite exp_0. f_equal; ring.
Qed.

Lemma Cexp_turn_back t : Cexp (- (RtoC t * Ci))%C = cis (- t).
Proof. rewrite <- Cexp_turn. f_equal. complex_ring. Qed.

(* Equal as functions, so that they can be exchanged under the sign of a sum, a limit or an integral. *)
Lemma psi_same : Statements.psi = psi.
Proof.
  extensionality b. extensionality w. extensionality s. unfold Statements.psi, psi.
  rewrite Cexp_turn, Cmult_comm. now rewrite (Rmult_comm b w).
Qed.

Lemma K_same : Statements.K = K.
Proof.
  extensionality d. extensionality w. extensionality s. unfold Statements.K, K.
  rewrite Cexp_turn, Cmult_comm. now rewrite (Rmult_comm d w).
Qed.

Lemma carrier_same : Statements.carrier = fun b w => cis (w * b).
Proof.
  extensionality b. extensionality w. unfold Statements.carrier. now rewrite Cexp_turn, (Rmult_comm b w).
Qed.

Lemma P_same m n w s : (Cconj (psi n w s) * psi m w s)%C = P m n w s.
Proof. apply Cmult_comm. Qed.

Lemma psi_centred_same c b w s : 0 < s -> Statements.psi_centred b w s c = psi_about c b w s.
Proof.
  intros Hs. unfold Statements.psi_centred, psi_about. rewrite Cexp_turn, Cmult_comm, (Rmult_comm b w). do 2 f_equal.
  assert (2 * s ^ 2 <> 0) by (apply Rgt_not_eq, Rmult_lt_0_compat; [lra | apply pow_lt, Hs]).
  unfold Cdiv, Rdiv. rewrite Rmult_1_l, RtoC_inv by assumption. unfold Cpow. now rewrite Cmult_1_r, Cmult_comm.
Qed.

(* --- limits ------------------------------------------------------------------------------------------------------------ *)

(* A limit by the modulus is a limit in Coquelicot's sense, which goes by the larger of the two parts. *)
Lemma tends_filterlim f moving l : Filter moving -> (tends f moving l <-> filterlim f moving (locally (l : C))).
Proof.
  intros HF. split; intros H.
  - intros Q [eps HQ]. unfold filtermap. apply (filter_imp (fun s => Cmod (Cminus (f s) l) < eps)); [|apply H, cond_pos].
    intros s Hs. apply HQ. apply (C_NormedModule_mixin_compat1 l (f s) eps), Hs.
  - intros eps He. assert (Hr : 0 < eps / sqrt 2) by (apply Rdiv_lt_0_compat; [exact He | apply Rlt_sqrt2_0]).
    apply (filter_imp (fun s => ball (l : C) (mkposreal _ Hr) (f s))); [|apply H; now exists (mkposreal _ Hr)].
    intros s Hs. apply (C_NormedModule_mixin_compat2 l (f s)) in Hs. cbn [pos] in Hs.
    replace (sqrt 2 * (eps / sqrt 2)) with eps in Hs by (field; apply Rgt_not_eq, Rlt_sqrt2_0). exact Hs.
Qed.

(* A complex limit from the limits of the two parts. *)
Lemma filterlim_parts (f : R -> C) moving (l : C) : Filter moving ->
  filterlim (fun s => fst (f s)) moving (locally (fst l)) -> filterlim (fun s => snd (f s)) moving (locally (snd l)) ->
  filterlim f moving (locally l).
Proof.
  intros HF H1 H2 Q [eps HQ]. unfold filtermap.
  apply (filter_imp (fun s => ball (fst l) eps (fst (f s)) /\ ball (snd l) eps (snd (f s)))).
  - intros s [B1 B2]. apply HQ. split; assumption.
  - apply filter_and; [apply H1 | apply H2]; exists eps; auto.
Qed.

Lemma distance_sym (y z : C) : Cmod (y - z)%C = Cmod (z - y)%C.
Proof. rewrite <- Cmod_opp. f_equal. complex_ring. Qed.

(* --- integrals --------------------------------------------------------------------------------------------------------- *)

(* An improper integral with a value exists and is the value. *)
Lemma integral_value f a b (l : R) {FA : ProperFilter' a} {FB : ProperFilter' b} : is_RInt_gen f a b l ->
  Rintegrable f a b /\ Rintegral f a b = l.
Proof. intros H. split; [now exists l | exact (is_RInt_gen_unique (V := R_CompleteNormedModule) f l H)]. Qed.

(* The ends that integrals have, as Coquelicot wants them. *)
Definition left_end : ProperFilter' to_minus_infinity := Proper_StrongProper _ (Rbar_locally_filter m_infty).
Definition right_end : ProperFilter' to_infinity := Proper_StrongProper _ (Rbar_locally_filter p_infty).
Definition zero_end : ProperFilter' down_to_zero := Proper_StrongProper _ (at_right_proper_filter 0).

Lemma line_value f l : is_integral f l ->
  Rintegrable f to_minus_infinity to_infinity /\ Rintegral f to_minus_infinity to_infinity = l.
Proof. apply (integral_value _ _ _ _ (FA := left_end) (FB := right_end)). Qed.

Lemma complex_integral_value f l : is_Cintegral f l ->
  Cintegrable f to_minus_infinity to_infinity /\ Cintegral f to_minus_infinity to_infinity = l.
Proof.
  intros [H1 H2]. apply line_value in H1 as [I1 V1]. apply line_value in H2 as [I2 V2].
  split; [now split|]. now apply injective_projections.
Qed.

(* Between two points it is the integral of Riemann. *)
Lemma between_points f (a b : R) : Rintegrable f (at_point a) (at_point b) <-> ex_RInt f a b.
Proof. exact (ex_RInt_gen_at_point (V := R_CompleteNormedModule) f a b). Qed.

Lemma value_between_points f (a b : R) : ex_RInt f a b -> Rintegral f (at_point a) (at_point b) = RInt f a b.
Proof. exact (RInt_gen_at_point (V := R_CompleteNormedModule) f a b). Qed.

(* The deviation of a weight g between two points, as it is printed and as Riemann's integrals have it. *)
Section Deviation.
Variables (g : R -> R) (a b : R).
Let printed_mean := Rintegral (fun x => x * g x) (at_point a) (at_point b) / Rintegral g (at_point a) (at_point b).
Let mean := RInt (fun x => x * g x) a b / RInt g a b.

Lemma deviation_between_points :
  Rintegrable g (at_point a) (at_point b) -> Rintegrable (fun x => x * g x) (at_point a) (at_point b) ->
  Rintegrable (fun x => (x - printed_mean) ^ 2 * g x) (at_point a) (at_point b) ->
  ex_RInt g a b /\ ex_RInt (fun x => x * g x) a b /\ ex_RInt (fun x => (x - mean) ^ 2 * g x) a b /\
  Rintegral (fun x => (x - printed_mean) ^ 2 * g x) (at_point a) (at_point b) / Rintegral g (at_point a) (at_point b) =
  RInt (fun x => (x - mean) ^ 2 * g x) a b / RInt g a b.
Proof.
  intros G0 G1 G2. apply between_points in G0. apply between_points in G1. apply between_points in G2.
  assert (M : printed_mean = mean) by (unfold printed_mean, mean; now rewrite !value_between_points).
  rewrite M in *. rewrite !value_between_points by assumption. auto.
Qed.

Lemma deviation_to_print :
  ex_RInt g a b -> ex_RInt (fun x => x * g x) a b -> ex_RInt (fun x => (x - mean) ^ 2 * g x) a b ->
  Rintegrable g (at_point a) (at_point b) /\ Rintegrable (fun x => x * g x) (at_point a) (at_point b) /\
  Rintegrable (fun x => (x - printed_mean) ^ 2 * g x) (at_point a) (at_point b) /\
  Rintegral (fun x => (x - printed_mean) ^ 2 * g x) (at_point a) (at_point b) / Rintegral g (at_point a) (at_point b) =
  RInt (fun x => (x - mean) ^ 2 * g x) a b / RInt g a b.
Proof.
  intros G0 G1 G2.
  assert (M : printed_mean = mean) by (unfold printed_mean, mean; now rewrite !value_between_points).
  rewrite M. rewrite !between_points, !value_between_points by assumption. auto.
Qed.
End Deviation.
