(* The claim on aliasing: on the integers a frequency is known up to multiples of 2 pi and up to its sign. *)
From Coq Require Import Reals ZArith Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions.
Open Scope R_scope.

(* e^{2 pi i k j} = 1 for integers j and k.

   claim: alias.nyquist *)
Theorem nyquist (j k : Z) w s : 0 < s ->
  psi (IZR j) (w + 2 * PI * IZR k) s = psi (IZR j) w s /\
  psi (IZR j) (2 * PI - w) s = Cconj (psi (IZR j) w s).
Proof.
  intros _. rewrite psi_conj. unfold psi. split; f_equal.
  - rewrite <- (cis_period (w * IZR j) (k * j)). f_equal. rewrite mult_IZR. ring.
  - rewrite <- (cis_period (- (w * IZR j)) j). f_equal. ring.
Qed.
