(* Integrals over the line: antiderivatives, sums, multiples, substitution. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary.
Open Scope R_scope.

Definition cont (f : R -> R) : Prop := forall x, continuous f x.

(* Equations in R that Coquelicot states in one of its structures over R. *)
Ltac real_equation := match goal with |- @eq _ ?a ?b => change (@eq R a b) end.

(* --- continuity -------------------------------------------------------------------------------------------------------- *)

Lemma cont_derivable f : (forall x, ex_derive f x) -> cont f.
Proof. intros H x. apply (ex_derive_continuous f), H. Qed.
Lemma cont_ext f g : (forall x, f x = g x) -> cont f -> cont g.
Proof. intros E H x. exact (continuous_ext f g x E (H x)). Qed.
Lemma cont_const c : cont (fun _ => c).
Proof. intros x. apply continuous_const. Qed.
Lemma cont_plus f g : cont f -> cont g -> cont (fun x => f x + g x).
Proof. intros Hf Hg x. exact (continuous_plus f g x (Hf x) (Hg x)). Qed.
Lemma cont_mult f g : cont f -> cont g -> cont (fun x => f x * g x).
Proof. intros Hf Hg x. exact (continuous_mult f g x (Hf x) (Hg x)). Qed.
Lemma cont_pow2 f : cont f -> cont (fun x => f x ^ 2).
Proof. intros H. apply (cont_ext (fun x => f x * f x)); [intros; ring | now apply cont_mult]. Qed.

(* --- integrals over an interval ---------------------------------------------------------------------------------------- *)

Lemma integrable f a b : cont f -> ex_RInt f a b.
Proof. intros H. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply H. Qed.

Lemma integral f a b : cont f -> is_RInt f a b (RInt f a b).
Proof. intros H. apply (RInt_correct (V := R_CompleteNormedModule)), integrable, H. Qed.

Lemma RInt_value f a b (l : R) : is_RInt f a b l -> RInt f a b = l.
Proof. apply (is_RInt_unique (V := R_CompleteNormedModule)). Qed.

Lemma by_antiderivative F f a b : (forall x, is_derive F x (f x)) -> cont f -> RInt f a b = F b - F a.
Proof.
  intros D C. apply RInt_value. apply (is_RInt_derive (V := R_CompleteNormedModule) F); intros; [apply D | apply C].
Qed.

Lemma RInt_sum f g a b : cont f -> cont g -> RInt (fun x => f x + g x) a b = RInt f a b + RInt g a b.
Proof.
  intros Hf Hg. apply RInt_value.
  exact (is_RInt_plus (V := R_NormedModule) f g a b _ _ (integral f a b Hf) (integral g a b Hg)).
Qed.

Lemma RInt_multiple c f a b : cont f -> RInt (fun x => c * f x) a b = c * RInt f a b.
Proof. intros Hf. apply RInt_value. exact (is_RInt_scal (V := R_NormedModule) f a b c _ (integral f a b Hf)). Qed.

(* The integral from 0 is an antiderivative. *)
Lemma from_zero f : cont f -> forall x, is_derive (fun y => RInt f 0 y) x (f x).
Proof.
  intros H x. apply (is_derive_RInt (V := R_NormedModule) f (fun y => RInt f 0 y) 0); [|apply H].
  exists (mkposreal 1 Rlt_0_1). intros y _. apply integral, H.
Qed.

(* The integral from 0 of f at -x is minus that of the mirrored f at x. *)
Lemma mirrored f g x : cont f -> (forall t, f (- t) = g t) -> RInt f 0 (- x) = - RInt g 0 x.
Proof.
  intros Hf E.
  assert (Cg : cont g).
  { apply (cont_ext (fun t => f (- t)) _ E). intros t.
    apply (continuous_comp Ropp f); [apply (continuous_opp (V := R_NormedModule)), continuous_id | apply Hf]. }
  assert (S : is_RInt (fun t => opp (f (- t))) 0 x (RInt f 0 (- x))).
  { apply (is_RInt_comp_opp (V := R_NormedModule)). rewrite Ropp_0. apply integral, Hf. }
  rewrite <- (RInt_value _ _ _ _ S). apply RInt_value. apply (is_RInt_ext (V := R_NormedModule) (fun t => opp (g t))).
  - intros t _. now rewrite E.
  - apply (is_RInt_opp (V := R_NormedModule)), integral, Cg.
Qed.

Lemma mirrored_window f a b : cont f -> RInt (fun x => f (- x)) a b = RInt f (- b) (- a).
Proof.
  intros C. apply RInt_value. rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule)) by apply integrable, C.
  apply (is_RInt_ext (V := R_NormedModule) (fun x => opp (opp (f (- x))))); [intros; apply opp_opp|].
  apply (is_RInt_opp (V := R_NormedModule)), (is_RInt_comp_opp (V := R_NormedModule)), integral, C.
Qed.

(* --- integrals over the line ------------------------------------------------------------------------------------------- *)

Lemma line_ext f g l : (forall x, f x = g x) -> is_integral f l -> is_integral g l.
Proof. intros E. unfold is_integral. apply is_RInt_gen_ext, filter_forall. intros ab x _. apply E. Qed.

Lemma line_scal f c l : is_integral f l -> is_integral (fun x => c * f x) (c * l).
Proof. exact (is_RInt_gen_scal f c l). Qed.

Lemma line_plus f g k l : is_integral f k -> is_integral g l -> is_integral (fun x => f x + g x) (k + l).
Proof. exact (is_RInt_gen_plus f g k l). Qed.

Lemma line_unique f k l : is_integral f k -> is_integral f l -> k = l.
Proof.
  intros Hk Hl. rewrite <- (is_RInt_gen_unique (V := R_CompleteNormedModule) f k Hk).
  exact (is_RInt_gen_unique (V := R_CompleteNormedModule) f l Hl).
Qed.

Lemma line_by_antiderivative F f (la lb : R) : (forall x, is_derive F x (f x)) -> cont f ->
  is_lim F m_infty la -> is_lim F p_infty lb -> is_integral f (lb - la).
Proof.
  intros D C Ha Hb. apply (line_ext (Derive F)); [intros; apply is_derive_unique, D|].
  unfold is_integral. apply is_RInt_gen_Derive; [| |exact Ha|exact Hb]; apply filter_forall; intros ab x _.
  - eexists; apply D.
  - apply (continuous_ext f); [intros y; symmetry; apply is_derive_unique, D | apply C].
Qed.

(* x becomes (x - c)/s. *)
Lemma line_substitution f l c s : 0 < s -> is_integral f l -> is_integral (fun x => f ((x - c) / s)) (s * l).
Proof.
  intros Hs H. apply (line_ext (fun x => s * (/ s * f (/ s * x + - (c / s))))).
  { intros x. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. f_equal. field. lra. }
  apply line_scal. intros B HB. destruct (H B HB) as [Q1 Q2 [M1 H1] [M2 H2] HQ].
  apply (Filter_prod _ _ _ (fun x => x < M1 * s + c) (fun x => M2 * s + c < x)).
  - exists (M1 * s + c). auto.
  - exists (M2 * s + c). auto.
  - intros a b Ha Hb. destruct (HQ (/ s * a + - (c / s)) (/ s * b + - (c / s))) as [y [Hy Py]].
    + apply H1. apply (Rmult_lt_reg_r s); [exact Hs|]. replace ((/ s * a + - (c / s)) * s) with (a - c) by (field; lra). lra.
    + apply H2. apply (Rmult_lt_reg_r s); [exact Hs|]. replace ((/ s * b + - (c / s)) * s) with (b - c) by (field; lra). lra.
    + exists y. split; [|exact Py]. exact (is_RInt_comp_lin (V := R_NormedModule) f (/ s) (- (c / s)) a b y Hy).
Qed.

(* --- limits at the two ends -------------------------------------------------------------------------------------------- *)

Lemma opp_to_infinity : is_lim Ropp m_infty p_infty.
Proof. apply (is_lim_opp (fun x => x) m_infty m_infty), is_lim_id. Qed.

(* What F does at minus infinity is what its mirror image does at infinity. *)
Lemma lim_mirrored F (l : R) : is_lim (fun x => F (- x)) p_infty l -> is_lim F m_infty l.
Proof.
  intros H. apply (is_lim_ext (fun x => F (- - x))); [intros; now rewrite Ropp_involutive|].
  apply (is_lim_comp (fun x => F (- x)) Ropp m_infty l p_infty H opp_to_infinity). exists 0. discriminate.
Qed.
