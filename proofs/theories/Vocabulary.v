(* The words that every statement of these files is written in: definitions alone, nothing is proved here.

   R are the real numbers, C = R * R the complex numbers of Coquelicot, with the real and the imaginary part as fst and
   snd, Cmod the modulus, Cconj the conjugate, and RtoC the embedding of R, which is a coercion: an x in R can stand where
   a complex number is meant. Positions, frequencies and widths are called b, w and s. *)
From Coq Require Import Reals ZArith.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* --- functions --------------------------------------------------------------------------------------------------------- *)

(* e^{it} = cos t + i sin t. *)
Definition cis (t : R) : C := (cos t, sin t).

(* e^z = e^{Re z} (cos Im z + i sin Im z). *)
Definition Cexp (z : C) : C := (exp (fst z) * cos (snd z), exp (fst z) * sin (snd z)).

(* The Morlet wave packet, e^{iwb} e^{-b^2/2s^2}. *)
Definition psi (b w s : R) : C := Cmult (cis (w * b)) (RtoC (exp (- (b ^ 2 / (2 * s ^ 2))))).

(* The same with the envelope about a centre c, which may be complex: e^{iwb} e^{-(b-c)^2/2s^2}. *)
Definition psi_about (c : C) (b w s : R) : C :=
  Cmult (cis (w * b)) (Cexp (Copp (Cdiv (Cmult (Cminus b c) (Cminus b c)) (RtoC (2 * s ^ 2))))).

(* The relative kernel, e^{iwd} e^{-d^2/4s^2}. *)
Definition K (d w s : R) : C := Cmult (cis (w * d)) (RtoC (exp (- (d ^ 2 / (4 * s ^ 2))))).

(* The product kernel of a query at m and a key at n. *)
Definition P (m n w s : R) : C := Cmult (psi m w s) (Cconj (psi n w s)).

(* --- finite sums ------------------------------------------------------------------------------------------------------- *)

(* f 0 + f 1 + ... + f (n - 1). *)
Fixpoint Rsum (n : nat) (f : nat -> R) : R := match n with O => 0 | S k => Rsum k f + f k end.
Fixpoint Csum (n : nat) (f : nat -> C) : C := match n with O => RtoC 0 | S k => Cplus (Csum k f) (f k) end.

(* --- limits ------------------------------------------------------------------------------------------------------------ *)

(* The three ways a variable moves: it grows without bound, it falls to 0, it tends to 0 from both sides. *)
Notation to_infinity := (Rbar_locally p_infty).
Notation to_minus_infinity := (Rbar_locally m_infty).
Notation down_to_zero := (at_right 0).
Notation near_zero := (locally' 0).

(* f tends to l: whatever the eps, |f - l| < eps from some point of the movement on. *)
Definition tends (f : R -> C) (moving : (R -> Prop) -> Prop) (l : C) : Prop :=
  forall eps, 0 < eps -> moving (fun s => Cmod (Cminus (f s) l) < eps).

(* f b s tends to l b as s grows, uniformly over the b of a set: one threshold serves them all. *)
Definition tends_uniformly (f : R -> R -> C) (l : R -> C) (over : R -> Prop) : Prop :=
  forall eps, 0 < eps -> to_infinity (fun s => forall b, over b -> Cmod (Cminus (f b s) (l b)) < eps).

Definition is_integer (b : R) : Prop := exists z : Z, b = IZR z.

(* --- derivatives and integrals of complex functions of a real variable: part by part ----------------------------------- *)

Definition is_Cderive (f : R -> C) (x : R) (l : C) : Prop :=
  is_derive (fun t => fst (f t)) x (fst l) /\ is_derive (fun t => snd (f t)) x (snd l).

(* The integral over the whole line exists as an improper integral, its ends independent, and has the value l. *)
Definition is_integral (f : R -> R) (l : R) : Prop := is_RInt_gen f to_minus_infinity to_infinity l.
Definition is_Cintegral (f : R -> C) (l : C) : Prop :=
  is_integral (fun t => fst (f t)) (fst l) /\ is_integral (fun t => snd (f t)) (snd l).

(* F is the Fourier transform of f: F x = integral of f b e^{-ixb} over b, for every x. *)
Definition is_Fourier (f F : R -> C) : Prop := forall x, is_Cintegral (fun b => Cmult (f b) (cis (- (x * b)))) (F x).

(* dev is the standard deviation of the weight f >= 0 on the line, mean its mean. *)
Definition is_deviation (f : R -> R) (mean dev : R) : Prop :=
  exists mass moment square,
    is_integral f mass /\ is_integral (fun x => x * f x) moment /\ is_integral (fun x => (x - mean) ^ 2 * f x) square /\
    0 < mass /\ mean = moment / mass /\ dev = sqrt (square / mass).
