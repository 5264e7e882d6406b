(* The claims on the uncertainty relation: the bound on the line, and the wave packets that meet it with equality.

   A wave function is a continuously differentiable f : R -> C, with derivative f'. Its spread about x0 and w0 is measured by
     I, the integral of |f|^2,    T, that of (x - x0)^2 |f|^2,    W, that of |f' - i w0 f|^2,
   so that sqrt (T / I) is its deviation from x0. By Plancherel's theorem, which is not proved here, W / I is the second
   moment of |f^|^2 about w0, and sqrt (W / I) the deviation of the spectrum; for the wave packet itself the spectrum is at
   hand, and its deviation is computed without that theorem. About the means these are the standard deviations; the bound
   holds about any x0 and w0. *)
From Coq Require Import Reals Lra Classical_Prop.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel Calculus Gauss Correlation Admissibility.
Open Scope R_scope.

(* --- integrals over windows of the line -------------------------------------------------------------------------------- *)

Lemma wide_windows g L : cont g -> is_integral g L ->
  forall eps, 0 < eps -> exists M, forall a b, a < - M -> M < b -> Rabs (RInt g a b - L) < eps.
Proof.
  intros C H eps He. destruct (H (ball L (mkposreal eps He)) (locally_ball _ _)) as [Q1 Q2 [M1 H1] [M2 H2] HQ].
  exists (Rmax (- M1) M2). intros a b Ha Hb.
  assert (- M1 <= Rmax (- M1) M2) by apply Rmax_l. assert (M2 <= Rmax (- M1) M2) by apply Rmax_r.
  destruct (HQ a b) as [y [Hy Py]]; [apply H1; lra | apply H2; lra|]. cbn [fst snd] in Hy.
  now rewrite (RInt_value _ _ _ _ Hy).
Qed.

Lemma RInt_nonneg g a b : cont g -> (forall x, 0 <= g x) -> a <= b -> 0 <= RInt g a b.
Proof. intros C P H. apply RInt_ge_0; [exact H | apply integrable, C | auto]. Qed.

Lemma RInt_split g a b c : cont g -> RInt g a c = RInt g a b + RInt g b c.
Proof. intros C. symmetry. apply (RInt_Chasles (V := R_CompleteNormedModule)); apply integrable, C. Qed.

(* The integral of a nonnegative function over a window is at most that over the line. *)
Lemma window_below g L a b : cont g -> (forall x, 0 <= g x) -> is_integral g L -> a <= b -> RInt g a b <= L.
Proof.
  intros C P H Hab. apply Rnot_lt_le. intros Hlt.
  destruct (wide_windows g L C H (RInt g a b - L) ltac:(lra)) as [M HM].
  set (a' := Rmin a (- M) - 1). set (b' := Rmax b M + 1).
  assert (a' < a /\ a' < - M) by (unfold a'; generalize (Rmin_l a (- M)) (Rmin_r a (- M)); lra).
  assert (b < b' /\ M < b') by (unfold b'; generalize (Rmax_l b M) (Rmax_r b M); lra).
  assert (HW := HM a' b' ltac:(lra) ltac:(lra)). apply Rabs_def2 in HW.
  rewrite (RInt_split g a' a b' C), (RInt_split g a b b' C) in HW.
  assert (N1 := RInt_nonneg g a' a C P ltac:(lra)). assert (N2 := RInt_nonneg g b b' C P ltac:(lra)). lra.
Qed.

(* A continuous function whose integrals all vanish is 0. *)
Lemma zero_of_integrals g : cont g -> (forall a b, a <= b -> RInt g a b = 0) -> forall x, g x = 0.
Proof.
  intros C H x.
  assert (D := from_zero g C x). apply is_derive_unique in D. rewrite <- D.
  rewrite (Derive_ext _ (fun _ => 0)); [apply Derive_const|]. intros y.
  destruct (Rle_dec 0 y); [now apply H|]. rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule)) by apply integrable, C.
  rewrite (H y 0) by lra. apply Ropp_0.
Qed.

(* --- (x - c) g (x) comes close to 0 again and again, because 1/x is not integrable ------------------------------------- *)

Lemma log_integral eps c m b : c < m -> m <= b -> is_RInt (fun x => eps * / (x - c)) m b (eps * (ln (b - c) - ln (m - c))).
Proof.
  intros Hm Hb. apply (is_RInt_scal (V := R_NormedModule)). 
  apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => ln (x - c))).
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx. auto_derive; [lra|]. field. lra.
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx.
    apply (ex_derive_continuous (fun x => / (x - c))). auto_derive. lra.
Qed.

Lemma edge_right g c L eps M : cont g -> (forall a b, a <= b -> RInt g a b <= L) -> 0 < eps ->
  exists b, M < b /\ c < b /\ (b - c) * g b < eps.
Proof.
  intros C HL He. apply NNPP. intros None.
  assert (Far : forall b, M < b -> c < b -> eps * / (b - c) <= g b).
  { intros b HM Hc. apply Rnot_lt_le. intros Hlt. apply None. exists b. repeat split; [exact HM | exact Hc|].
    apply (Rmult_lt_compat_l (b - c)) in Hlt; [|lra]. replace ((b - c) * (eps * / (b - c))) with eps in Hlt
      by (field; lra). lra. }
  set (m := Rmax M c + 1). assert (M < m /\ c < m) by (unfold m; generalize (Rmax_l M c) (Rmax_r M c); lra).
  assert (L0 : 0 <= L). { generalize (HL 0 0 ltac:(lra)). rewrite RInt_point. unfold zero. cbn. lra. }
  assert (Lq : 0 <= L / eps) by (apply Rmult_le_pos; [exact L0 | left; apply Rinv_0_lt_compat, He]).
  set (b := c + (m - c) * exp (L / eps + 1)).
  assert (Hexp : 1 < exp (L / eps + 1)) by (rewrite <- exp_0 at 1; apply exp_increasing; lra).
  assert (Hmb : m <= b) by (unfold b; nra).
  assert (HI := log_integral eps c m b ltac:(lra) Hmb).
  assert (HLe : eps * (ln (b - c) - ln (m - c)) <= RInt g m b).
  { rewrite <- (RInt_value _ _ _ _ HI). apply RInt_le; [exact Hmb | eexists; exact HI | apply integrable, C|].
    intros x Hx. apply Far; lra. }
  assert (HLn : ln (b - c) = ln (m - c) + (L / eps + 1)).
  { unfold b. replace (c + (m - c) * exp (L / eps + 1) - c) with ((m - c) * exp (L / eps + 1)) by ring.
    rewrite ln_mult, ln_exp by (try apply exp_pos; lra). reflexivity. }
  rewrite HLn in HLe. generalize (HL m b Hmb). intros HL'.
  replace (eps * (ln (m - c) + (L / eps + 1) - ln (m - c))) with (L + eps) in HLe by (field; lra). lra.
Qed.

Lemma edge_left g c L eps M : cont g -> (forall a b, a <= b -> RInt g a b <= L) -> 0 < eps ->
  exists a, a < - M /\ a < c /\ - eps < (a - c) * g a.
Proof.
  intros C HL He.
  assert (Cm : cont (fun x => g (- x))).
  { intros x. apply (continuous_comp Ropp g); [apply (continuous_opp (V := R_NormedModule)), continuous_id | apply C]. }
  destruct (edge_right (fun x => g (- x)) (- c) L eps M Cm) as [b [H1 [H2 H3]]].
  - intros a b Hab. rewrite mirrored_window by exact C. apply HL. lra.
  - exact He.
  - exists (- b). repeat split; lra.
Qed.

(* --- the bound --------------------------------------------------------------------------------------------------------- *)

Section WaveFunction.
Variables (f f' : R -> C) (x0 w0 I T W : R).
Hypothesis f_derive : forall x, is_Cderive f x (f' x).
Hypothesis f'_cont : cont (fun x => fst (f' x)) /\ cont (fun x => snd (f' x)).
Hypothesis mass : is_integral (fun x => Cmod (f x) ^ 2) I.
Hypothesis spread : is_integral (fun x => (x - x0) ^ 2 * Cmod (f x) ^ 2) T.
Hypothesis spectral : is_integral (fun x => Cmod (Cminus (f' x) (Cmult (Cmult Ci w0) (f x))) ^ 2) W.

Let u x := fst (f x). Let v x := snd (f x). Let u' x := fst (f' x). Let v' x := snd (f' x).

Let u_cont : cont u.
Proof. apply cont_derivable. intros x. exists (u' x). exact (proj1 (f_derive x)). Qed.
Let v_cont : cont v.
Proof. apply cont_derivable. intros x. exists (v' x). exact (proj2 (f_derive x)). Qed.
Let place_cont : cont (fun x => x - x0).
Proof. apply cont_derivable. intros x. auto_derive. exact Logic.I. Qed.

(* |f|^2, (x - x0)^2 |f|^2, |f' - i w0 f|^2 in real terms. *)
Let m x := u x ^ 2 + v x ^ 2.
Let t x := (x - x0) ^ 2 * m x.
Let s x := (u' x + w0 * v x) ^ 2 + (v' x - w0 * u x) ^ 2.

Let mass_real : is_integral m I.
Proof. apply (line_ext _ _ _) with (2 := mass). intros x. apply Cmod_sq. Qed.
Let spread_real : is_integral t T.
Proof. apply (line_ext _ _ _) with (2 := spread). intros x. unfold t, m. now rewrite Cmod_sq. Qed.
Let spectral_real : is_integral s W.
Proof.
  apply (line_ext _ _ _) with (2 := spectral). intros x. rewrite Cmod_sq.
  unfold s, u', v', u, v, Cminus, Cplus, Copp, Cmult, Ci, RtoC.
  cbn [fst snd]. ring.
Qed.

Let m_cont : cont m.
Proof. apply cont_plus; apply cont_pow2; assumption. Qed.
Let t_cont : cont t.
Proof. apply cont_mult; [apply cont_pow2, place_cont | apply m_cont]. Qed.
Let first_cont : cont (fun x => u' x + w0 * v x).
Proof. apply cont_plus; [apply f'_cont | apply cont_mult; [apply cont_const | apply v_cont]]. Qed.
Let second_cont : cont (fun x => v' x - w0 * u x).
Proof.
  apply (cont_ext (fun x => v' x + - w0 * u x)); [intros; ring|].
  apply cont_plus; [apply f'_cont | apply cont_mult; [apply cont_const | apply u_cont]].
Qed.
Let s_cont : cont s.
Proof. apply cont_plus; apply cont_pow2; assumption. Qed.

Let m_nonneg x : 0 <= m x.
Proof. unfold m. generalize (pow2_ge_0 (u x)) (pow2_ge_0 (v x)). lra. Qed.
Let t_nonneg x : 0 <= t x.
Proof. apply Rmult_le_pos; [apply pow2_ge_0 | apply m_nonneg]. Qed.
Let s_nonneg x : 0 <= s x.
Proof. unfold s. generalize (pow2_ge_0 (u' x + w0 * v x)) (pow2_ge_0 (v' x - w0 * u x)). lra. Qed.

(* How far f is from solving f' = i w0 f - l (x - x0) f, squared. *)
Let deficit l x := (u' x + w0 * v x + l * (x - x0) * u x) ^ 2 + (v' x - w0 * u x + l * (x - x0) * v x) ^ 2.

Let deficit_cont l : cont (deficit l).
Proof.
  apply cont_plus; apply cont_pow2; (apply cont_plus; [assumption | apply cont_mult; [|assumption]]);
    (apply cont_mult; [apply cont_const | apply place_cont]).
Qed.
Let deficit_nonneg l x : 0 <= deficit l x.
Proof.
  unfold deficit. apply Rplus_le_le_0_compat; apply pow2_ge_0.
Qed.

(* Integration by parts: its cross term is half the derivative of (x - x0) |f|^2, but for |f|^2. *)
Let deficit_integral l a b :
  RInt (deficit l) a b = RInt s a b + l * ((b - x0) * m b - (a - x0) * m a - RInt m a b) + l ^ 2 * RInt t a b.
Proof.
  set (cross := fun x => m x + 2 * ((x - x0) * (u x * u' x + v x * v' x))).
  assert (cross_cont : cont cross).
  { apply cont_plus; [apply m_cont|]. apply cont_mult; [apply cont_const|]. apply cont_mult; [apply place_cont|].
    apply cont_plus; apply cont_mult; try assumption; apply f'_cont. }
  assert (parts : RInt cross a b = (b - x0) * m b - (a - x0) * m a).
  { apply (by_antiderivative (fun x => (x - x0) * m x)); [|exact cross_cont]. intros x. destruct (f_derive x) as [Du Dv].
    fold u in Du. fold v in Dv. unfold cross, m. auto_derive.
    - split; [eexists; exact Du | split; [eexists; exact Dv | exact Logic.I]].
    - rewrite (is_derive_unique _ _ _ Du : Derive (fun x : R => u x) x = u' x).
      rewrite (is_derive_unique _ _ _ Dv : Derive (fun x : R => v x) x = v' x). ring. }
  rewrite <- parts.
  assert (E : forall x, deficit l x = s x + (l * (cross x + -1 * m x) + l ^ 2 * t x)).
  { intros x. unfold deficit, s, cross, t, m. ring. }
  rewrite (RInt_ext _ _ _ _ (fun x _ => E x)).
  assert (m_multiple : cont (fun x => -1 * m x)) by (apply cont_mult; [apply cont_const | assumption]).
  assert (difference : cont (fun x => cross x + -1 * m x)) by (apply cont_plus; assumption).
  assert (middle : cont (fun x => l * (cross x + -1 * m x))) by (apply cont_mult; [apply cont_const | assumption]).
  assert (last : cont (fun x => l ^ 2 * t x)) by (apply cont_mult; [apply cont_const | assumption]).
  rewrite (RInt_sum s _ a b s_cont (cont_plus _ _ middle last)), (RInt_sum _ _ a b middle last).
  rewrite (RInt_multiple l _ a b difference), (RInt_multiple (l ^ 2) t a b t_cont), (RInt_sum cross _ a b cross_cont m_multiple).
  rewrite (RInt_multiple (-1) m a b m_cont). real_equation. ring.
Qed.

(* On every window the deficit is at most W - l I + l^2 T: widen the window until (x - x0) |f|^2 is small at both ends. *)
Let deficit_bound l a b : 0 <= l -> a <= b -> RInt (deficit l) a b <= W - l * I + l ^ 2 * T.
Proof.
  intros Hl Hab. apply le_epsilon. intros eps He.
  set (e := eps / (3 * l + 1)). assert (He' : 0 < e) by (apply Rdiv_lt_0_compat; lra).
  destruct (wide_windows m I m_cont mass_real e He') as [M HM].
  assert (Below : forall a b, a <= b -> RInt m a b <= I) by (intros; apply window_below; assumption).
  destruct (edge_right m x0 I e (Rmax b M) m_cont Below He') as [b' [Hb [_ Eb]]].
  destruct (edge_left m x0 I e (Rmax (- a) M) m_cont Below He') as [a' [Ha [_ Ea]]].
  assert (b < b' /\ M < b') by (generalize (Rmax_l b M) (Rmax_r b M); lra).
  assert (a' < a /\ a' < - M) by (generalize (Rmax_l (- a) M) (Rmax_r (- a) M); lra).
  apply Rle_trans with (RInt (deficit l) a' b').
  { rewrite (RInt_split _ a' a b'), (RInt_split _ a b b') by apply deficit_cont.
    assert (N1 := RInt_nonneg _ a' a (deficit_cont l) (deficit_nonneg l) ltac:(lra)).
    assert (N2 := RInt_nonneg _ b b' (deficit_cont l) (deficit_nonneg l) ltac:(lra)). lra. }
  rewrite deficit_integral.
  assert (HW := HM a' b' ltac:(lra) ltac:(lra)). apply Rabs_def2 in HW.
  assert (S1 := window_below s W a' b' s_cont s_nonneg spectral_real ltac:(lra)).
  assert (T1 := window_below t T a' b' t_cont t_nonneg spread_real ltac:(lra)).
  assert (Hl2 : 0 <= l ^ 2) by apply pow2_ge_0.
  assert (Hlt : l ^ 2 * RInt t a' b' <= l ^ 2 * T) by (apply Rmult_le_compat_l; lra).
  assert (Hle : l * ((b' - x0) * m b' - (a' - x0) * m a' - RInt m a' b') <= l * (3 * e - I)) by (apply Rmult_le_compat_l; lra).
  assert (l * (3 * e) <= eps).
  { replace eps with ((3 * l + 1) * e) by (unfold e; field; lra). nra. }
  lra.
Qed.

Hypothesis not_zero : 0 < I.

Let discriminant l : 0 <= l -> 0 <= W - l * I + l ^ 2 * T.
Proof.
  intros Hl. apply Rle_trans with (RInt (deficit l) 0 0); [|apply deficit_bound; lra].
  rewrite RInt_point. unfold zero. cbn. lra.
Qed.

Let T_positive : 0 < T.
Proof.
  apply Rnot_le_lt. intros HT.
  assert (HW : 0 <= W) by (generalize (discriminant 0 ltac:(lra)); lra).
  assert (Hl : 0 <= (W + 1) / I) by (left; apply Rdiv_lt_0_compat; lra).
  generalize (discriminant _ Hl). replace ((W + 1) / I * I) with (W + 1) by (field; lra).
  assert (((W + 1) / I) ^ 2 * T <= 0) by (generalize (pow2_ge_0 ((W + 1) / I)); nra). lra.
Qed.

Let best : R := I / (2 * T).
Let best_positive : 0 < best.
Proof. apply Rdiv_lt_0_compat; lra. Qed.
Let at_best : W - best * I + best ^ 2 * T = W - I ^ 2 / (4 * T).
Proof. unfold best. field. lra. Qed.

Let product_bound : I ^ 2 <= 4 * T * W.
Proof.
  assert (H := discriminant best ltac:(lra)). rewrite at_best in H. 
  apply (Rmult_le_compat_r (4 * T)) in H; [|lra].
  replace ((W - I ^ 2 / (4 * T)) * (4 * T)) with (4 * T * W - I ^ 2) in H by (field; lra).
  lra.
Qed.

Let product_of_deviations : sqrt (T / I) * sqrt (W / I) = sqrt (T * W / I ^ 2).
Proof.
  rewrite <- sqrt_mult_alt by (left; apply Rdiv_lt_0_compat; lra). f_equal. field. lra.
Qed.

Lemma bound_in_section : 1 / 2 <= sqrt (T / I) * sqrt (W / I).
Proof.
  rewrite product_of_deviations, <- (sqrt_pow2 (1 / 2)) by lra. apply sqrt_le_1_alt.
  apply (Rmult_le_reg_r (4 * I ^ 2)); [nra|]. replace (T * W / I ^ 2 * (4 * I ^ 2)) with (4 * T * W) by (field; lra). lra.
Qed.

(* At equality the deficit vanishes: f solves f' = i w0 f - l (x - x0) f, whose solutions are Gaussian packets. *)
Section Equality.
Hypothesis equal : sqrt (T / I) * sqrt (W / I) = 1 / 2.

Let flat : W - I ^ 2 / (4 * T) = 0.
Proof.
  assert (HW : 0 <= W) by (generalize (discriminant 0 ltac:(lra)); lra).
  rewrite product_of_deviations in equal. apply (f_equal (fun x => x ^ 2)) in equal.
  rewrite pow2_sqrt in equal by (apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; nra]).
  replace W with (T * W / I ^ 2 * (I ^ 2 / T)) by (field; lra). rewrite equal. field. lra.
Qed.

Let no_deficit x : deficit best x = 0.
Proof.
  apply (zero_of_integrals (deficit best) (deficit_cont best)). intros a b Hab.
  assert (H := deficit_bound best a b ltac:(lra) Hab). rewrite at_best, flat in H.
  assert (N := RInt_nonneg _ a b (deficit_cont best) (deficit_nonneg best) Hab). lra.
Qed.

Let equations x : u' x = - w0 * v x - best * (x - x0) * u x /\ v' x = w0 * u x - best * (x - x0) * v x.
Proof.
  assert (Z : forall y z, y ^ 2 + z ^ 2 = 0 -> y = 0 /\ z = 0) by (intros; split; nra).
  destruct (Z _ _ (no_deficit x)). lra.
Qed.

(* f e^{-i w0 x} e^{l (x - x0)^2 / 2} is constant. *)
Let growth x := exp (best * (x - x0) ^ 2 / 2).
Let p x := growth x * (u x * cos (w0 * x) + v x * sin (w0 * x)).
Let q x := growth x * (v x * cos (w0 * x) - u x * sin (w0 * x)).

Let constant x : p x = p 0 /\ q x = q 0.
Proof.
  assert (D : forall y, is_derive p y 0 /\ is_derive q y 0).
  { intros y. destruct (f_derive y) as [Du Dv]. fold u in Du. fold v in Dv. destruct (equations y) as [Eu Ev].
    unfold p, q, growth. split; auto_derive;
      try (split; [eexists; exact Du | split; [eexists; exact Dv | exact Logic.I]]);
      try (split; [eexists; exact Dv | split; [eexists; exact Du | exact Logic.I]]);
      rewrite (is_derive_unique _ _ _ Du : Derive (fun x : R => u x) y = u' y),
              (is_derive_unique _ _ _ Dv : Derive (fun x : R => v x) y = v' y), Eu, Ev; field. }
  split; (destruct (Rtotal_order x 0) as [H|[->|H]]; [|reflexivity|]).
  - apply (eq_is_derive (V := R_NormedModule) p x 0); [intros; apply D | exact H].
  - symmetry. apply (eq_is_derive (V := R_NormedModule) p 0 x); [intros; apply D | exact H].
  - apply (eq_is_derive (V := R_NormedModule) q x 0); [intros; apply D | exact H].
  - symmetry. apply (eq_is_derive (V := R_NormedModule) q 0 x); [intros; apply D | exact H].
Qed.

Let solution x : f x = Cmult (Cmult (p 0, q 0) (cis (w0 * x))) (RtoC (exp (- (best * (x - x0) ^ 2 / 2)))).
Proof.
  destruct (constant x) as [<- <-]. 
  assert (G : growth x * exp (- (best * (x - x0) ^ 2 / 2)) = 1) by (unfold growth; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (S := cos_sin_one (w0 * x)). unfold p, q, cis. set (g := growth x) in *. set (h := exp _) in *.
  set (co := cos (w0 * x)) in *. set (si := sin (w0 * x)) in *. parts; fold (u x); fold (v x).
  - transitivity (g * h * (co ^ 2 + si ^ 2) * u x); [rewrite G, S|]; ring.
  - transitivity (g * h * (co ^ 2 + si ^ 2) * v x); [rewrite G, S|]; ring.
Qed.

Lemma equality_in_section : exists (c : C) (r : R), c <> RtoC 0 /\ 0 < r /\
  forall x, f x = Cmult (Cmult c (cis (w0 * x))) (RtoC (exp (- ((x - x0) ^ 2 / (2 * r ^ 2))))).
Proof.
  exists (p 0, q 0), (/ sqrt best). assert (Hr : 0 < sqrt best) by (apply sqrt_lt_R0, best_positive). repeat split.
  - intros E. assert (Z : forall x, m x = 0).
    { intros x. unfold m, u, v. rewrite solution, E. unfold Cmult, RtoC. cbn [fst snd]. ring. }
    assert (I = 0); [|lra]. apply (line_unique m); [exact mass_real|].
    apply (line_ext (fun _ => 0)); [intros; now rewrite Z|].
    replace 0 with (0 * (1 * sqrt PI)) by ring.
    apply (line_ext (fun x => 0 * exp (- ((x - 0) ^ 2 / 1 ^ 2)))); [intros; ring | apply line_scal, gaussian_integral; lra].
  - apply Rinv_0_lt_compat, Hr.
  - intros x. rewrite solution. do 4 f_equal. rewrite pow_inv, pow2_sqrt by lra. field. lra.
Qed.
End Equality.
End WaveFunction.

(* The uncertainty bound on the line, about any position x0 and any frequency w0.

   claim: uncertainty.bound *)
Theorem uncertainty (f f' : R -> C) (x0 w0 I T W : R) :
  (forall x, is_Cderive f x (f' x)) ->
  (forall x, continuous (fun x => fst (f' x)) x) /\ (forall x, continuous (fun x => snd (f' x)) x) ->
  is_integral (fun x => Cmod (f x) ^ 2) I ->
  is_integral (fun x => (x - x0) ^ 2 * Cmod (f x) ^ 2) T ->
  is_integral (fun x => Cmod (Cminus (f' x) (Cmult (Cmult Ci w0) (f x))) ^ 2) W ->
  0 < I ->
  1 / 2 <= sqrt (T / I) * sqrt (W / I).
Proof. apply bound_in_section. Qed.

(* Equality is attained by Gaussian packets alone.

   claim: uncertainty.equality *)
Theorem equality_only_by_gaussians (f f' : R -> C) (x0 w0 I T W : R) :
  (forall x, is_Cderive f x (f' x)) ->
  (forall x, continuous (fun x => fst (f' x)) x) /\ (forall x, continuous (fun x => snd (f' x)) x) ->
  is_integral (fun x => Cmod (f x) ^ 2) I ->
  is_integral (fun x => (x - x0) ^ 2 * Cmod (f x) ^ 2) T ->
  is_integral (fun x => Cmod (Cminus (f' x) (Cmult (Cmult Ci w0) (f x))) ^ 2) W ->
  0 < I ->
  sqrt (T / I) * sqrt (W / I) = 1 / 2 ->
  exists (c : C) (r : R), c <> RtoC 0 /\ 0 < r /\
    forall x, f x = Cmult (Cmult c (cis (w0 * x))) (RtoC (exp (- ((x - x0) ^ 2 / (2 * r ^ 2))))).
Proof. apply equality_in_section. Qed.

(* --- the widths of the wave packet ------------------------------------------------------------------------------------- *)

Lemma exp_squared x : exp x ^ 2 = exp (2 * x).
Proof. replace (2 * x) with (x + x) by ring. rewrite exp_plus. ring. Qed.

Lemma deviation_ext f g mean dev dev' : (forall x, f x = g x) -> dev = dev' ->
  is_deviation f mean dev -> is_deviation g mean dev'.
Proof.
  intros E <- (mass & moment & square & H0 & H1 & H2 & H). exists mass, moment, square.
  split; [|split; [|split; [|exact H]]]; [apply (line_ext _ _ _) with (2 := H0) | apply (line_ext _ _ _) with (2 := H1)
    | apply (line_ext _ _ _) with (2 := H2)]; intros; now rewrite E.
Qed.

Lemma spectrum_mod w s F x : 0 < s -> is_Fourier (fun b => psi b w s) F ->
  Cmod (F x) = s * sqrt (2 * PI) * exp (- (s ^ 2 * (x - w) ^ 2 / 2)).
Proof.
  intros Hs HF. rewrite (Fourier_unique _ _ _ HF (fourier w s Hs)), Cmod_R. apply Rabs_pos_eq.
  apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos; [lra | apply sqrt_pos].
Qed.

(* sigma and 1/sigma are the standard deviations of the amplitudes |psi| and |psi^|, of product 1.

   claim: uncertainty.equality *)
Theorem amplitude_widths w s (F : R -> C) : 0 < s -> is_Fourier (fun b => psi b w s) F ->
  is_deviation (fun b => Cmod (psi b w s)) 0 s /\ is_deviation (fun x => Cmod (F x)) w (1 / s).
Proof.
  intros Hs HF. assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Sq : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  assert (HA : 0 < s * sqrt (2 * PI)) by (apply Rmult_lt_0_compat; [lra | apply sqrt_lt_R0; generalize PI_RGT_0; lra]). split.
  - apply (deviation_ext (fun b => 1 * exp (- ((b - 0) ^ 2 / (s * sqrt 2) ^ 2))) _ _ (s * sqrt 2 / sqrt 2)).
    + intros b. rewrite psi_mod, Rmult_1_l, Rminus_0_r, Rpow_mult_distr, Sq. do 3 f_equal. ring.
    + field. lra.
    + apply gaussian_deviation; nra.
  - apply (deviation_ext (fun x => s * sqrt (2 * PI) * exp (- ((x - w) ^ 2 / (sqrt 2 / s) ^ 2))) _ _ (sqrt 2 / s / sqrt 2)).
    + intros x. rewrite (spectrum_mod w s F x Hs HF). do 2 f_equal.
      replace ((sqrt 2 / s) ^ 2) with (sqrt 2 ^ 2 / s ^ 2) by (field; lra). rewrite Sq. field. lra.
    + field. lra.
    + apply gaussian_deviation; [exact HA | apply Rdiv_lt_0_compat; lra].
Qed.

(* Those of the energies |psi|^2 and |psi^|^2 are sigma / sqrt 2 and 1 / (sigma sqrt 2), of product exactly 1/2.

   claim: uncertainty.equality *)
Theorem energy_widths w s (F : R -> C) : 0 < s -> is_Fourier (fun b => psi b w s) F ->
  is_deviation (fun b => Cmod (psi b w s) ^ 2) 0 (s / sqrt 2) /\
  is_deviation (fun x => Cmod (F x) ^ 2) w (1 / (s * sqrt 2)) /\
  s / sqrt 2 * (1 / (s * sqrt 2)) = 1 / 2.
Proof.
  intros Hs HF. assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Sq : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  assert (HA : 0 < s * sqrt (2 * PI)) by (apply Rmult_lt_0_compat; [lra | apply sqrt_lt_R0; generalize PI_RGT_0; lra]).
  repeat split.
  - apply (deviation_ext (fun b => 1 * exp (- ((b - 0) ^ 2 / s ^ 2))) _ _ (s / sqrt 2));
      [|reflexivity | apply gaussian_deviation; lra].
    intros b. rewrite psi_mod, Rmult_1_l, exp_squared. f_equal. field. lra.
  - apply (deviation_ext (fun x => (s * sqrt (2 * PI)) ^ 2 * exp (- ((x - w) ^ 2 / (/ s) ^ 2))) _ _ (/ s / sqrt 2)).
    + intros x. rewrite (spectrum_mod w s F x Hs HF), (Rpow_mult_distr (s * sqrt (2 * PI))), exp_squared. do 2 f_equal.
      field. lra.
    + field. lra.
    + apply gaussian_deviation; [apply pow_lt, HA | apply Rinv_0_lt_compat, Hs].
  - replace (s / sqrt 2 * (1 / (s * sqrt 2))) with (1 / sqrt 2 ^ 2) by (field; lra). now rewrite Sq.
Qed.
