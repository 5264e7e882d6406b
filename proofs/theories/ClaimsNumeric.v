(* The printed members that are about numbers. They are decided by interval arithmetic on integers: the plain tactic would
   compute with the floating point numbers of the processor and trust them. *)
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic Specific_ops Specific_stdz.
From Mope Require Import Vocabulary Language Algebra Bridge ClaimsAdmissibility.
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
