(* The Gaussian integral and the Gaussian against a wave: their values, and the moments. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Calculus.
Open Scope R_scope.

Definition gauss (x : R) : R := exp (- x ^ 2).

(* The integral of e^{-x^2} from 0 to x: the error function but for a factor. *)
Definition area (x : R) : R := RInt gauss 0 x.

Lemma gauss_cont : cont gauss.
Proof. apply cont_derivable. intros x. unfold gauss. auto_derive. exact I. Qed.

Lemma area_derive x : is_derive area x (gauss x).
Proof. apply from_zero, gauss_cont. Qed.

(* --- the area tends to sqrt pi / 2 ------------------------------------------------------------------------------------- *)

(* area x ^ 2 and the integral of e^{-x^2 (1 + t^2)} / (1 + t^2) over t in [0, 1] have opposite derivatives, so that their
   sum stays what it is at 0, atan 1 = pi / 4; and the second one vanishes at infinity. *)
Definition fan (x t : R) : R := exp (- (x ^ 2 * (1 + t ^ 2))) / (1 + t ^ 2).
Definition fan_dx (x t : R) : R := - (2 * x) * exp (- (x ^ 2 * (1 + t ^ 2))).
Definition rest (x : R) : R := RInt (fan x) 0 1.

Lemma one_plus_square t : 0 < 1 + t ^ 2.
Proof. nra. Qed.

Lemma fan_cont x : cont (fan x).
Proof. apply cont_derivable. intros t. unfold fan. auto_derive. nra. Qed.

Lemma fan_derive x t : is_derive (fun u => fan u t) x (fan_dx x t).
Proof.
  assert (H := one_plus_square t). unfold fan, fan_dx. auto_derive; [exact I|]. unfold Rdiv. cbn [pow] in *. field. lra.
Qed.

Lemma fan_dx_continuous x t : continuity_2d_pt fan_dx x t.
Proof.
  assert (Square : forall y, continuity_pt (fun z => z ^ 2) y) by (intros; apply derivable_continuous_pt, derivable_pt_pow).
  unfold fan_dx. apply continuity_2d_pt_mult.
  - apply continuity_2d_pt_opp, continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id1].
  - apply (continuity_1d_2d_pt_comp exp (fun x t => - (x ^ 2 * (1 + t ^ 2)))).
    + apply derivable_continuous_pt, derivable_pt_exp.
    + apply continuity_2d_pt_opp, continuity_2d_pt_mult.
      * apply (continuity_1d_2d_pt_comp (fun z => z ^ 2) (fun x t => x)); [apply Square | apply continuity_2d_pt_id1].
      * apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|].
        apply (continuity_1d_2d_pt_comp (fun z => z ^ 2) (fun x t => t)); [apply Square | apply continuity_2d_pt_id2].
Qed.

(* Differentiation under the integral, for a family whose derivative is continuous in both variables. *)
Lemma derive_under_integral (f f' : R -> R -> R) a b x :
  (forall y t, is_derive (fun u => f u t) y (f' y t)) -> (forall y t, continuity_2d_pt f' y t) -> (forall y, cont (f y)) ->
  is_derive (fun y => RInt (f y) a b) x (RInt (f' x) a b).
Proof.
  intros D C2 C. replace (RInt (f' x) a b) with (RInt (fun t => Derive (fun u => f u t) x) a b)
    by (apply RInt_ext; intros; apply is_derive_unique, D).
  apply (is_derive_RInt_param f a b x).
  - exists (mkposreal 1 Rlt_0_1). intros y _ t _. eexists. apply D.
  - intros t _. apply (continuity_2d_pt_ext f'); [|apply C2]. intros. symmetry. apply is_derive_unique, D.
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply integrable, C.
Qed.

Lemma rest_derive x : is_derive rest x (- (2 * gauss x * area x)).
Proof.
  replace (- (2 * gauss x * area x)) with (RInt (fan_dx x) 0 1).
  { apply (derive_under_integral fan fan_dx); [apply fan_derive | apply fan_dx_continuous | apply fan_cont]. }
  replace (RInt (fan_dx x) 0 1) with (RInt (fun t => - (2 * gauss x) * (x * gauss (x * t + 0))) 0 1).
  2:{ apply RInt_ext. intros t _. unfold fan_dx, gauss.
      replace (- (x ^ 2 * (1 + t ^ 2))) with (- x ^ 2 + - (x * t + 0) ^ 2) by ring. rewrite exp_plus. real_equation. ring. }
  rewrite RInt_multiple.
  - assert (E := RInt_comp_lin (V := R_CompleteNormedModule) gauss x 0 0 1 (integrable _ _ _ gauss_cont)).
    rewrite Rmult_0_r, Rmult_1_r, !Rplus_0_r in E.
    change (RInt (fun t => x * gauss (x * t + 0)) 0 1 = area x) in E. rewrite E. real_equation. ring.
  - apply cont_derivable. intros t. unfold gauss. auto_derive. exact I.
Qed.

Lemma rest_at_zero : rest 0 = PI / 4.
Proof.
  transitivity (RInt (fun t => / (1 + Rsqr t)) 0 1).
  - apply RInt_ext. intros t _. unfold fan. replace (- (0 ^ 2 * (1 + t ^ 2))) with 0 by ring. rewrite exp_0, <- Rsqr_pow2.
    unfold Rdiv. apply Rmult_1_l.
  - rewrite (by_antiderivative atan).
    + rewrite atan_0, atan_1. ring.
    + exact is_derive_atan.
    + apply cont_derivable. intros t. unfold Rsqr. auto_derive. nra.
Qed.

Lemma area_and_rest x : area x ^ 2 + rest x = PI / 4.
Proof.
  assert (D : forall y, is_derive (fun z => area z ^ 2 + rest z) y 0).
  { intros y. replace 0 with (plus (INR 2 * gauss y * area y ^ 1) (- (2 * gauss y * area y)))
      by (unfold plus; cbn; real_equation; ring).
    apply (is_derive_plus (fun z => area z ^ 2) rest); [apply (is_derive_pow area 2 y), area_derive | apply rest_derive]. }
  assert (Z : area 0 ^ 2 + rest 0 = PI / 4).
  { rewrite rest_at_zero. unfold area. rewrite RInt_point. unfold zero. cbn. ring. }
  rewrite <- Z. destruct (Rtotal_order x 0) as [H|[->|H]]; [|reflexivity|].
  - apply (eq_is_derive (V := R_NormedModule) (fun z => area z ^ 2 + rest z) x 0); [intros; apply D | exact H].
  - symmetry. apply (eq_is_derive (V := R_NormedModule) (fun z => area z ^ 2 + rest z) 0 x); [intros; apply D | exact H].
Qed.

Lemma rest_bound x : 0 <= rest x <= gauss x.
Proof.
  assert (F : forall t, 0 <= fan x t <= gauss x).
  { intros t. unfold fan, gauss. assert (H := one_plus_square t). assert (E := exp_pos (- x ^ 2)).
    replace (- (x ^ 2 * (1 + t ^ 2))) with (- x ^ 2 + - (x * t) ^ 2) by ring. rewrite exp_plus.
    assert (E2 := exp_pos (- (x * t) ^ 2)). assert (E3 := proj1 (one_minus_exp _ (pow2_ge_0 (x * t)))).
    assert (I1 : 0 < / (1 + t ^ 2)) by (apply Rinv_0_lt_compat, H).
    assert (I2 : / (1 + t ^ 2) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; nra).
    unfold Rdiv. rewrite Rmult_assoc. split; [apply Rmult_le_pos; nra|].
    rewrite <- (Rmult_1_r (exp (- x ^ 2))) at 2. apply Rmult_le_compat_l; nra. }
  unfold rest. split.
  - apply RInt_ge_0; [lra | apply integrable, fan_cont | intros; apply F].
  - apply Rle_trans with (RInt (fun _ => gauss x) 0 1).
    + apply RInt_le; [lra | apply integrable, fan_cont | apply integrable, cont_const | intros; apply F].
    + rewrite RInt_const. unfold scal. cbn. unfold mult. cbn. lra.
Qed.

Lemma gauss_lim : is_lim gauss p_infty 0.
Proof.
  apply (is_lim_le_le_loc (fun _ => 0) (fun x => / x)).
  - exists 1. intros x Hx. unfold gauss. split; [left; apply exp_pos|]. left.
    apply Rlt_le_trans with (/ x ^ 2); [apply exp_decay; nra | apply Rinv_le_contravar; nra].
  - apply is_lim_const.
  - apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate].
Qed.

Lemma area_lim : is_lim area p_infty (sqrt PI / 2).
Proof.
  assert (HPI := PI_RGT_0). apply (is_lim_ext_loc (fun x => sqrt (PI / 4 - rest x))).
  { exists 0. intros x Hx. rewrite <- (area_and_rest x). replace (area x ^ 2 + rest x - rest x) with (Rsqr (area x))
      by (unfold Rsqr; ring). apply sqrt_Rsqr.
      apply RInt_ge_0; [lra | apply integrable, gauss_cont | intros; left; apply exp_pos]. }
  replace (sqrt PI / 2) with (sqrt (PI / 4 - 0)).
  2:{ replace (PI / 4 - 0) with (PI * (/ 2) ^ 2) by field.
      rewrite sqrt_mult by (try apply pow2_ge_0; lra). rewrite sqrt_pow2; lra. }
  apply (is_lim_comp_continuous (fun x => PI / 4 - rest x) sqrt p_infty (PI / 4 - 0)).
  - apply is_lim_minus'; [apply is_lim_const|].
    apply (is_lim_le_le_loc (fun _ => 0) gauss); [|apply is_lim_const | apply gauss_lim].
    exists 0. intros x _. apply rest_bound.
  - apply continuity_pt_filterlim, continuity_pt_sqrt. lra.
Qed.

Lemma area_odd x : area (- x) = - area x.
Proof. apply mirrored; [apply gauss_cont|]. intros t. unfold gauss. f_equal. ring. Qed.

Lemma area_lim_left : is_lim area m_infty (- (sqrt PI / 2)).
Proof.
  apply lim_mirrored. apply (is_lim_ext (fun x => - area x)); [intros; now rewrite area_odd|].
  apply (is_lim_opp area p_infty (sqrt PI / 2)), area_lim.
Qed.

(* --- against a wave cos (k x + f) -------------------------------------------------------------------------------------- *)

Definition wave (f k x : R) : R := gauss x * cos (k * x + f).
Definition wave_dk (f k x : R) : R := - x * gauss x * sin (k * x + f).
Definition half (f k x : R) : R := RInt (wave f k) 0 x.

Lemma wave_cont f k : cont (wave f k).
Proof. apply cont_derivable. intros x. unfold wave, gauss. auto_derive. exact I. Qed.
Lemma wave_dk_cont f k : cont (wave_dk f k).
Proof. apply cont_derivable. intros x. unfold wave_dk, gauss. auto_derive. exact I. Qed.
Lemma wave_derive f k x : is_derive (fun k => wave f k x) k (wave_dk f k x).
Proof. unfold wave, wave_dk. auto_derive; [exact I|ring]. Qed.

Lemma wave_dk_continuous f k x : continuity_2d_pt (wave_dk f) k x.
Proof.
  unfold wave_dk. apply continuity_2d_pt_mult.
  - apply (continuity_1d_2d_pt_comp (fun x => - x * gauss x) (fun k x => x)); [|apply continuity_2d_pt_id2].
    apply continuity_pt_filterlim. apply (ex_derive_continuous (fun x => - x * gauss x)). unfold gauss. auto_derive. exact I.
  - apply (continuity_1d_2d_pt_comp sin (fun k x => k * x + f)); [apply derivable_continuous_pt, derivable_pt_sin|].
    apply continuity_2d_pt_plus; [|apply continuity_2d_pt_const].
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2].
Qed.

(* d/dk of half is -k/2 half but for the boundary: integration by parts, - x e^{-x^2} being half the derivative of e^{-x^2}. *)
Lemma half_derive f k x : is_derive (fun k => half f k x) k ((gauss x * sin (k * x + f) - sin f) / 2 - k / 2 * half f k x).
Proof.
  replace ((gauss x * sin (k * x + f) - sin f) / 2 - k / 2 * half f k x) with (RInt (wave_dk f k) 0 x).
  { apply (derive_under_integral (wave f) (wave_dk f)); [apply wave_derive | apply wave_dk_continuous | apply wave_cont]. }
  assert (P : RInt (fun x => wave_dk f k x + k / 2 * wave f k x) 0 x =
              gauss x * sin (k * x + f) / 2 - gauss 0 * sin (k * 0 + f) / 2).
  { apply (by_antiderivative (fun x => gauss x * sin (k * x + f) / 2)).
    - intros y. unfold gauss, wave_dk, wave, gauss. auto_derive; [exact I|]. cbn [pow]. set (e := exp _). field.
    - apply cont_plus; [apply wave_dk_cont|]. apply cont_mult; [apply cont_const | apply wave_cont]. }
  rewrite RInt_sum, RInt_multiple in P; [|apply wave_cont | apply wave_dk_cont|].
  2:{ apply cont_mult; [apply cont_const | apply wave_cont]. }
  fold (half f k x) in P. unfold gauss at 2 in P. replace (- 0 ^ 2) with 0 in P by ring. rewrite exp_0, Rmult_0_r, Rplus_0_l in P.
  change (RInt (wave_dk f k) 0 x) with (RInt (wave_dk f k) 0 x : R) in *. lra.
Qed.

(* Dawson's integral, but for a factor; it is odd, which is all that is used of it. *)
Definition dawson (k : R) : R := RInt (fun u => exp (u ^ 2 / 4) / 2) 0 k.

Lemma dawson_cont : cont (fun u => exp (u ^ 2 / 4) / 2).
Proof. apply cont_derivable. intros u. auto_derive. exact I. Qed.

Lemma dawson_odd k : dawson (- k) = - dawson k.
Proof. apply mirrored; [apply dawson_cont|]. intros t. do 3 f_equal. ring. Qed.

(* e^{k^2/4} half + sin f dawson has a derivative in k that vanishes as x grows. *)
Definition steady (f x k : R) : R := half f k x * exp (k ^ 2 / 4) + sin f * dawson k.

Lemma steady_derive f x k : is_derive (steady f x) k (exp (k ^ 2 / 4) * (gauss x * sin (k * x + f) / 2)).
Proof.
  unfold steady.
  replace (exp (k ^ 2 / 4) * (gauss x * sin (k * x + f) / 2)) with
    (plus (plus (mult ((gauss x * sin (k * x + f) - sin f) / 2 - k / 2 * half f k x) (exp (k ^ 2 / 4)))
                (mult (half f k x) (k / 2 * exp (k ^ 2 / 4))))
          (sin f * (exp (k ^ 2 / 4) / 2))) by (unfold plus, mult; cbn; field).
  apply (is_derive_plus (fun k => half f k x * exp (k ^ 2 / 4)) (fun k => sin f * dawson k)).
  - apply (is_derive_mult (fun k => half f k x) (fun k => exp (k ^ 2 / 4))); [apply half_derive | | intros; apply Rmult_comm].
    auto_derive; [exact I|]. unfold Rdiv. cbn [pow]. set (e := exp _). field.
  - apply is_derive_scal. apply (from_zero _ dawson_cont).
Qed.

Lemma steady_bound f x k : Rabs (steady f x k - steady f x 0) <= exp (k ^ 2 / 4) * Rabs k * gauss x.
Proof.
  destruct (MVT_gen (steady f x) 0 k (fun k => exp (k ^ 2 / 4) * (gauss x * sin (k * x + f) / 2))) as [c [Hc ->]].
  - intros; apply steady_derive.
  - intros y _. apply continuity_pt_filterlim. apply (ex_derive_continuous (steady f x)). eexists. apply steady_derive.
  - rewrite Rminus_0_r, !Rabs_mult, (Rabs_pos_eq (exp _)) by (left; apply exp_pos).
    assert (Hck : c ^ 2 <= k ^ 2).
    { rewrite <- (pow2_abs c), <- (pow2_abs k). apply pow_incr. split; [apply Rabs_pos|].
      unfold Rmin, Rmax in Hc. destruct (Rle_dec 0 k); unfold Rabs; destruct (Rcase_abs c), (Rcase_abs k); lra. }
    assert (He : exp (c ^ 2 / 4) <= exp (k ^ 2 / 4)).
    { destruct (Req_dec (c ^ 2) (k ^ 2)) as [->|]; [lra|]. left. apply exp_increasing. lra. }
    assert (Hg : Rabs (gauss x * sin (c * x + f) / 2) <= gauss x).
    { assert (0 < gauss x) by apply exp_pos. generalize (SIN_bound (c * x + f)). intros. apply Rabs_le. split; nra. }
    unfold Rdiv in Hg. rewrite !Rabs_mult in Hg.
    replace (exp (k ^ 2 / 4) * Rabs k * gauss x) with (exp (k ^ 2 / 4) * gauss x * Rabs k) by ring.
    apply Rmult_le_compat_r; [apply Rabs_pos|]. unfold Rdiv at 2. rewrite !Rabs_mult.
    apply Rmult_le_compat; [left; apply exp_pos | repeat apply Rmult_le_pos; apply Rabs_pos | exact He | exact Hg].
Qed.

Lemma steady_at_zero f x : steady f x 0 = cos f * area x.
Proof.
  unfold steady, dawson, half. rewrite RInt_point. replace (0 ^ 2 / 4) with 0 by field. rewrite exp_0.
  replace (RInt (wave f 0) 0 x) with (cos f * area x); [unfold zero; cbn; ring|].
  unfold area. rewrite <- RInt_multiple by apply gauss_cont. apply RInt_ext. intros y _. unfold wave.
  rewrite Rmult_0_l, Rplus_0_l. apply Rmult_comm.
Qed.

Lemma half_lim f k : is_lim (half f k) p_infty ((cos f * (sqrt PI / 2) - sin f * dawson k) * exp (- (k ^ 2 / 4))).
Proof.
  set (e := exp (k ^ 2 / 4)).
  assert (D : is_lim (fun x => steady f x k - steady f x 0) p_infty 0).
  { apply (is_lim_le_le_loc (fun x => - (e * Rabs k * gauss x)) (fun x => e * Rabs k * gauss x)).
    - exists 0. intros x _. apply Rabs_le_between, steady_bound.
    - replace (Finite 0) with (Rbar_opp (Rbar_mult (e * Rabs k) 0)) by (cbn; f_equal; ring).
      apply is_lim_opp, is_lim_scal_l, gauss_lim.
    - replace (Finite 0) with (Rbar_mult (e * Rabs k) 0) by (cbn; f_equal; ring). apply is_lim_scal_l, gauss_lim. }
  apply (is_lim_ext (fun x => (cos f * area x + (steady f x k - steady f x 0) - sin f * dawson k) * exp (- (k ^ 2 / 4)))).
  { intros x. rewrite steady_at_zero. unfold steady. fold e.
    replace ((cos f * area x + (half f k x * e + sin f * dawson k - cos f * area x) - sin f * dawson k) * exp (- (k ^ 2 / 4)))
      with (half f k x * (e * exp (- (k ^ 2 / 4)))) by ring.
    unfold e. rewrite <- exp_plus, Rplus_opp_r, exp_0. ring. }
  apply (is_lim_mult (fun x => cos f * area x + (steady f x k - steady f x 0) - sin f * dawson k)
                     (fun _ => exp (- (k ^ 2 / 4))) p_infty (Finite _) (Finite _)); [|apply is_lim_const | exact I].
  apply is_lim_minus'; [|apply is_lim_const].
  replace (cos f * (sqrt PI / 2)) with (cos f * (sqrt PI / 2) + 0) by ring. apply is_lim_plus'; [|exact D].
  apply (is_lim_scal_l area (cos f) p_infty (sqrt PI / 2)), area_lim.
Qed.

(* The Gaussian integral against a wave. *)
Theorem gauss_wave f k : is_integral (fun x => exp (- x ^ 2) * cos (k * x + f)) (sqrt PI * exp (- (k ^ 2 / 4)) * cos f).
Proof.
  replace (sqrt PI * exp (- (k ^ 2 / 4)) * cos f) with
    ((cos f * (sqrt PI / 2) - sin f * dawson k) * exp (- (k ^ 2 / 4)) -
     - ((cos f * (sqrt PI / 2) - sin f * dawson (- k)) * exp (- ((- k) ^ 2 / 4)))).
  2:{ rewrite dawson_odd. replace ((- k) ^ 2) with (k ^ 2) by ring. field. }
  apply (line_by_antiderivative (half f k)); [apply from_zero, wave_cont | apply wave_cont | | apply half_lim].
  apply lim_mirrored. apply (is_lim_ext (fun x => - half f (- k) x)).
  - intros x. symmetry. apply mirrored; [apply wave_cont|]. intros t. unfold wave, gauss.
    replace ((- t) ^ 2) with (t ^ 2) by ring. do 2 f_equal. ring.
  - apply (is_lim_opp (half f (- k)) p_infty (Finite _)), half_lim.
Qed.

(* ... about any centre and with any width. *)
Theorem gaussian_wave c s f k : 0 < s ->
  is_integral (fun x => exp (- ((x - c) ^ 2 / s ^ 2)) * cos (k * x + f))
              (s * sqrt PI * exp (- ((k * s) ^ 2 / 4)) * cos (k * c + f)).
Proof.
  intros Hs.
  assert (H := line_substitution _ _ c s Hs (gauss_wave (k * c + f) (k * s))).
  rewrite <- !Rmult_assoc in H. apply (line_ext _ _ _) with (2 := H). intros x. f_equal.
  - f_equal. field. lra.
  - f_equal. field. lra.
Qed.

Theorem gaussian_integral c s : 0 < s -> is_integral (fun x => exp (- ((x - c) ^ 2 / s ^ 2))) (s * sqrt PI).
Proof.
  intros Hs. assert (H := gaussian_wave c s 0 0 Hs).
  replace (s * sqrt PI * exp (- ((0 * s) ^ 2 / 4)) * cos (0 * c + 0)) with (s * sqrt PI) in H.
  - apply (line_ext _ _ _) with (2 := H). intros x. rewrite Rmult_0_l, Rplus_0_l, cos_0. apply Rmult_1_r.
  - rewrite !Rmult_0_l, Rplus_0_l, cos_0. replace (- (0 ^ 2 / 4)) with 0 by field. rewrite exp_0. ring.
Qed.

(* --- moments ----------------------------------------------------------------------------------------------------------- *)

Lemma x_gauss_lim : is_lim (fun x => x * gauss x) p_infty 0.
Proof.
  apply (is_lim_le_le_loc (fun _ => 0) (fun x => / x)).
  - exists 1. intros x Hx. unfold gauss. assert (0 < exp (- x ^ 2)) by apply exp_pos. split; [nra|].
    assert (exp (- x ^ 2) < / x ^ 2) by (apply exp_decay; nra).
    replace (/ x) with (x * / x ^ 2) by (field; lra). apply Rmult_le_compat_l; lra.
  - apply is_lim_const.
  - apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate].
Qed.

Lemma x_gauss_lim_left : is_lim (fun x => x * gauss x) m_infty 0.
Proof.
  apply lim_mirrored. apply (is_lim_ext (fun x => - (x * gauss x))).
  - intros x. unfold gauss. replace ((- x) ^ 2) with (x ^ 2) by ring. ring.
  - replace (Finite 0) with (Rbar_opp 0) by (cbn; f_equal; ring). apply is_lim_opp, x_gauss_lim.
Qed.

Lemma gauss_first_moment : is_integral (fun x => x * exp (- x ^ 2)) 0.
Proof.
  replace 0 with (- / 2 * 0 - - / 2 * 0) by ring.
  apply (line_by_antiderivative (fun x => - / 2 * gauss x)).
  - intros x. unfold gauss. auto_derive; [exact I|]. cbn [pow]. field.
  - apply cont_derivable. intros x. auto_derive. exact I.
  - apply (is_lim_scal_l gauss (- / 2) m_infty 0). apply lim_mirrored.
    apply (is_lim_ext gauss); [intros x; unfold gauss; f_equal; ring | apply gauss_lim].
  - apply (is_lim_scal_l gauss (- / 2) p_infty 0), gauss_lim.
Qed.

Lemma gauss_second_moment : is_integral (fun x => x ^ 2 * exp (- x ^ 2)) (sqrt PI / 2).
Proof.
  replace (sqrt PI / 2) with (/ 2 * (sqrt PI / 2 - 0) - / 2 * (- (sqrt PI / 2) - 0)) by field.
  apply (line_by_antiderivative (fun x => / 2 * (area x - x * gauss x))).
  - intros x. replace (x ^ 2 * exp (- x ^ 2)) with (/ 2 * minus (gauss x) (gauss x - 2 * x ^ 2 * gauss x))
      by (unfold minus, plus, opp, gauss; cbn; field).
    apply is_derive_scal. apply (is_derive_minus area (fun x => x * gauss x)); [apply area_derive|].
    unfold gauss. auto_derive; [exact I|]. cbn [pow]. ring.
  - apply cont_derivable. intros x. auto_derive. exact I.
  - apply (is_lim_scal_l (fun x => area x - x * gauss x) (/ 2) m_infty (Finite _)).
    apply is_lim_minus'; [apply area_lim_left | apply x_gauss_lim_left].
  - apply (is_lim_scal_l (fun x => area x - x * gauss x) (/ 2) p_infty (Finite _)).
    apply is_lim_minus'; [apply area_lim | apply x_gauss_lim].
Qed.

(* As a weight, a e^{-(x-c)^2/s^2} has the mean c and the standard deviation s / sqrt 2. *)
Theorem gaussian_deviation a c s : 0 < a -> 0 < s ->
  is_deviation (fun x => a * exp (- ((x - c) ^ 2 / s ^ 2))) c (s / sqrt 2).
Proof.
  intros Ha Hs. assert (HPI : 0 < sqrt PI) by (apply sqrt_lt_R0, PI_RGT_0).
  assert (H0 := line_scal _ a _ (gaussian_integral c s Hs)).
  assert (H1 := line_substitution _ _ c s Hs gauss_first_moment).
  assert (H2 := line_substitution _ _ c s Hs gauss_second_moment).
  exists (a * (s * sqrt PI)), (a * (c * (s * sqrt PI))), (a * (s ^ 3 * sqrt PI / 2)). repeat split.
  - exact H0.
  - replace (a * (c * (s * sqrt PI))) with (c * (a * (s * sqrt PI)) + a * s * (s * 0)) by ring.
    apply (line_ext (fun x => c * (a * exp (- ((x - c) ^ 2 / s ^ 2))) + a * s * ((x - c) / s * exp (- ((x - c) / s) ^ 2)))).
    + intros x. replace (((x - c) / s) ^ 2) with ((x - c) ^ 2 / s ^ 2) by (field; lra). set (e := exp _). field. lra.
    + apply line_plus; apply line_scal; assumption.
  - replace (a * (s ^ 3 * sqrt PI / 2)) with (a * s ^ 2 * (s * (sqrt PI / 2))) by field.
    apply (line_ext (fun x => a * s ^ 2 * (((x - c) / s) ^ 2 * exp (- ((x - c) / s) ^ 2)))).
    + intros x. replace (- ((x - c) / s) ^ 2) with (- ((x - c) ^ 2 / s ^ 2)) by (field; lra). set (e := exp _). field. lra.
    + apply line_scal, H2.
  - repeat apply Rmult_lt_0_compat; assumption.
  - field. lra.
  - replace (a * (s ^ 3 * sqrt PI / 2) / (a * (s * sqrt PI))) with (s ^ 2 / 2) by (field; lra).
    rewrite sqrt_div_alt, sqrt_pow2 by lra. reflexivity.
Qed.
