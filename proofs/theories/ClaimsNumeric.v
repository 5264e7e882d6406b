(* The printed members that are about numbers. They are decided by interval arithmetic on integers: the plain tactic would
   compute with the floating point numbers of the processor and trust them. *)
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic Specific_ops Specific_stdz.
From Mope Require Import Vocabulary Language Algebra Calculus Bridge SampledSpectrum SampledPosition ClaimsAdmissibility.
From Mope Require Statements.
Open Scope R_scope.

Module IntegerFloats := SpecificFloat StdZRadix2.
Module IntegerIntervals := IntervalTactic IntegerFloats.
Import IntegerIntervals.

(* claim: admissibility.dc *)
Theorem admissibility_dc_ours_2 : Statements.admissibility_dc_ours_2.
Proof.
  intros w s Hs H5. destruct (ClaimsAdmissibility.admissibility_dc_ours_1 w s Hs) as (I1 & I2 & ->).
  split; [exact I1|]. split; [exact I2|]. rewrite <- Rpow_mult_distr, H5, <- RtoC_minus, Cmod_R.
  interval with (i_prec 60).
Qed.

(* claim: kernel.positive-definite *)
Theorem kernel_positive_definite_ours_9 : Statements.kernel_positive_definite_ours_9.
Proof. unfold Statements.kernel_positive_definite_ours_9. interval with (i_prec 60). Qed.

Lemma between x y e : Rabs (x - y) <= e -> y - e <= x <= y + e.
Proof. intros H. apply Rabs_le_between in H. lra. Qed.

(* The product of the two deviations at the width 1/2. *)
Lemma sampled_product : Rabs (sqrt (2 * squares / (1 + 2 * total)) * sqrt variance - 707 / 2500) <= 1 / 20000.
Proof.
  assert (T := between _ _ _ total_enclosed). assert (S := between _ _ _ squares_enclosed).
  assert (M := between _ _ _ mass_enclosed). assert (V := between _ _ _ square_enclosed).
  unfold variance. revert T S M V. generalize total squares (RInt (fun t => spectrum t ^ 2) (- PI) PI)
    (RInt (fun t => t ^ 2 * spectrum t ^ 2) (- PI) PI). unfold c0, c1, c2, c3, c4. intros total squares mass square T S M V.
  interval with (i_prec 60).
Qed.

(* Sampled at the integers, with the width 1/2, the wave packet has deviations of product 0.2828: all the series and integrals
   that this speaks of exist.

   claim: uncertainty.bound *)
Theorem product_on_integers w :
  let f := fun j : Z => Cmod (psi (IZR j) w (1 / 2)) ^ 2 in
  let mean_f := Rseries (fun j => IZR j * f j) / Rseries f in
  let term := fun (xi : R) (j : Z) => Cmult (psi (IZR j) w (1 / 2)) (cis (- (IZR j * xi))) in
  let transform := fun xi => (Rseries (fun j => fst (term xi j)), Rseries (fun j => snd (term xi j))) : C in
  let g := fun xi => Cmod (transform xi) ^ 2 in
  let mean_g := RInt (fun xi => xi * g xi) (w - PI) (w + PI) / RInt g (w - PI) (w + PI) in
  Rsummable f /\ Rsummable (fun j => IZR j * f j) /\ Rsummable (fun j => (IZR j - mean_f) ^ 2 * f j) /\
  (forall xi, Rsummable (fun j => fst (term xi j)) /\ Rsummable (fun j => snd (term xi j))) /\
  ex_RInt g (w - PI) (w + PI) /\ ex_RInt (fun xi => xi * g xi) (w - PI) (w + PI) /\
  ex_RInt (fun xi => (xi - mean_g) ^ 2 * g xi) (w - PI) (w + PI) /\
  Rabs (sqrt (Rseries (fun j => (IZR j - mean_f) ^ 2 * f j) / Rseries f) *
        sqrt (RInt (fun xi => (xi - mean_g) ^ 2 * g xi) (w - PI) (w + PI) / RInt g (w - PI) (w + PI)) - 707 / 2500) <= 1 / 20000.
Proof.
  intros f mean_f term transform g mean_g.
  assert (G : g = fun xi => spectrum (xi - w) ^ 2).
  { apply FunctionalExtensionality.functional_extensionality. intros xi. unfold g, transform.
    destruct (SampledSpectrum.transform w xi) as (_ & _ & Re & Im).
    change (Rseries (fun j => fst (term xi j)) = spectrum (xi - w)) in Re. change (Rseries (fun j => snd (term xi j)) = 0) in Im.
    rewrite Re, Im, Cmod_sq. cbn [fst snd]. ring. }
  destruct (position_deviation w) as (F0 & F1 & F2 & DF). destruct (period_deviation w) as [C DG].
  change (Rseries (fun j => (IZR j - mean_f) ^ 2 * f j) / Rseries f = 2 * squares / (1 + 2 * total)) in DF.
  assert (Cg : cont g) by (rewrite G; exact C).
  assert (Dg : RInt (fun xi => (xi - mean_g) ^ 2 * g xi) (w - PI) (w + PI) / RInt g (w - PI) (w + PI) = variance).
  { unfold mean_g. rewrite G. exact DG. }
  assert (Shifted : forall c, cont (fun xi => xi - c)) by (intros c; apply cont_derivable; intros; auto_derive; exact I).
  split; [exact F0|]. split; [exact F1|]. split; [exact F2|]. split; [|split; [|split; [|split]]].
  - intros xi. destruct (SampledSpectrum.transform w xi) as (S1 & S2 & _). split; assumption.
  - apply integrable, Cg.
  - apply integrable, cont_mult; [|exact Cg]. apply (cont_ext (fun xi => xi - 0)); [intros; ring | apply Shifted].
  - apply integrable, cont_mult; [apply cont_pow2, Shifted | exact Cg].
  - rewrite DF, Dg. exact sampled_product.
Qed.

(* claim: uncertainty.bound *)
Theorem uncertainty_bound_ours_2 : Statements.uncertainty_bound_ours_2.
Proof.
  intros w. rewrite psi_same.
  set (F := fun xi : R => Cseries (fun j : Z => (Cexp (- (RtoC (IZR j * xi) * Ci)) * psi (IZR j) w (1 / 2))%C)).
  assert (Term : forall xi, (fun j : Z => (Cexp (- (RtoC (IZR j * xi) * Ci)) * psi (IZR j) w (1 / 2))%C) =
                            (fun j : Z => Cmult (psi (IZR j) w (1 / 2)) (cis (- (IZR j * xi))))).
  { intros xi. apply FunctionalExtensionality.functional_extensionality. intros j. rewrite Cexp_turn_back. apply Cmult_comm. }
  assert (EF : F = fun xi => Cseries (fun j : Z => Cmult (psi (IZR j) w (1 / 2)) (cis (- (IZR j * xi))))).
  { apply FunctionalExtensionality.functional_extensionality. intros xi. unfold F. now rewrite Term. }
  destruct (product_on_integers w) as (F0 & F1 & F2 & S & G0 & G1 & G2 & Product).
  destruct (deviation_to_print (fun xi => Cmod (F xi) ^ 2) (w - PI) (w + PI)) as (P0 & P1 & P2 & PV);
    [rewrite EF; exact G0 | rewrite EF; exact G1 | rewrite EF; exact G2 |].
  refine (conj F0 (conj F1 (conj F2 (conj _ (conj P0 (conj P1 (conj P2 _))))))).
  - intros xi. rewrite Term. exact (S xi).
  - refine (eq_ind _ (fun y => Rabs (sqrt _ * sqrt y - 707 / 2500) <= 1 / 20000) _ _ (eq_sym PV)).
    rewrite EF. exact Product.
Qed.
