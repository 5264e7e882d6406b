(* What Statements.v is written in beside Vocabulary.v: read both, and the printed statements can be read.

   Complex numbers are Coquelicot's pairs of reals, with +, -, *, / as infix operators, Ci the imaginary unit, Cconj, Cmod, and
   RtoC for the real numbers among them. Integrals and derivatives are those of Coquelicot, taken of the real and of the
   imaginary part; they are total functions, as series are, so that every statement with one of them says beside it that it exists. *)
From Coq Require Import Reals ZArith.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary.
Open Scope R_scope.

Bind Scope C_scope with C.

Fixpoint Cpow (z : C) (n : nat) : C :=
  match n with
  | O => RtoC 1
  | S m => (z * Cpow z m)%C
  end.

(* The improper integral of f between the ends a and b, which are filters: towards an infinity, towards 0
   from above, or a point itself (at_point). *)
Definition Rintegrable (f : R -> R) (a b : (R -> Prop) -> Prop) : Prop := ex_RInt_gen f a b.

Definition Rintegral (f : R -> R) (a b : (R -> Prop) -> Prop) : R := RInt_gen f a b.

Definition Cintegrable (f : R -> C) (a b : (R -> Prop) -> Prop) : Prop :=
  ex_RInt_gen (fun t => fst (f t)) a b /\ ex_RInt_gen (fun t => snd (f t)) a b.

Definition Cintegral (f : R -> C) (a b : (R -> Prop) -> Prop) : C :=
  (RInt_gen (fun t => fst (f t)) a b, RInt_gen (fun t => snd (f t)) a b).

(* The sum of f over all integers: over 0, 1, 2, ... and over -1, -2, .... *)
Definition Rsummable (f : Z -> R) : Prop :=
  ex_series (fun n => f (Z.of_nat n)) /\ ex_series (fun n => f (- Z.of_nat n - 1)%Z).

Definition Rseries (f : Z -> R) : R := Series (fun n => f (Z.of_nat n)) + Series (fun n => f (- Z.of_nat n - 1)%Z).

Definition Csummable (f : Z -> C) : Prop := Rsummable (fun k => fst (f k)) /\ Rsummable (fun k => snd (f k)).

Definition Cseries (f : Z -> C) : C := (Rseries (fun k => fst (f k)), Rseries (fun k => snd (f k))).

Definition Rdifferentiable (f : R -> R) (x : R) : Prop := ex_derive f x.

Definition Rderivative (f : R -> R) (x : R) : R := Derive f x.

Definition Cdifferentiable (f : R -> C) (x : R) : Prop :=
  ex_derive (fun t => fst (f t)) x /\ ex_derive (fun t => snd (f t)) x.

Definition Cderivative (f : R -> C) (x : R) : C :=
  (Derive (fun t => fst (f t)) x, Derive (fun t => snd (f t)) x).
