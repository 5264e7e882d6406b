(* The claim on the phase: the angle between two encoded positions is that of a rotary encoding. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Algebra Definitions Kernel.
Open Scope R_scope.

(* Two angles agree modulo 2 pi when their points on the unit circle agree: P / |P| is the point of arg P.

   claim: phase.rope-angle *)
Theorem rope_angle m n w s : 0 < s -> Cdiv (P m n w s) (RtoC (Cmod (P m n w s))) = cis (w * (m - n)).
Proof.
  intros Hs. rewrite P_mod by exact Hs. rewrite product by exact Hs.
  set (e := exp _). assert (He : RtoC e <> RtoC 0) by (apply RtoC_nonzero, Rgt_not_eq, exp_pos).
  unfold Cdiv. rewrite <- Cmult_assoc, Cinv_r by exact He. apply Cmult_1_r.
Qed.
