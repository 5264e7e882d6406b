(* The statements of the claims, printed from mope_theory: do not edit. `make proofs` writes this file anew, and a theorem of
   Claims*.v proves each of them or the build fails. The members of a conjunction are numbered from 1. Where there is no
   proposition a comment says what it would take. *)
From Coq Require Import Reals ZArith.
From Coquelicot Require Import Coquelicot.
From Mope Require Import Vocabulary Language.
Open Scope R_scope.

Definition psi (b omega sigma : R) : C :=
  (RtoC (exp (- (b ^ 2 / (2 * sigma ^ 2)))) * Cexp (RtoC (b * omega) * Ci)%C)%C.

Definition psi_centred (b omega sigma : R) (centre : C) : C :=
  (Cexp (- (RtoC (1 / (2 * sigma ^ 2)) * Cpow (RtoC b - centre)%C 2%nat))%C * Cexp (RtoC (b * omega) * Ci)%C)%C.

Definition K (d omega sigma : R) : C :=
  (RtoC (exp (- (d ^ 2 / (4 * sigma ^ 2)))) * Cexp (RtoC (d * omega) * Ci)%C)%C.

Definition carrier (b omega : R) : C :=
  Cexp (RtoC (b * omega) * Ci)%C.

Definition psi_hat (xi omega sigma : R) : C :=
  Cintegral (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity.

Definition TableEven (b : R) (i D : nat) : R :=
  sin (/ Rpower 10000 (2 * INR i / INR D) * b).

Definition TableOdd (b : R) (i D : nat) : R :=
  cos (/ Rpower 10000 (2 * INR i / INR D) * b).

(* --- definition.envelope --- *)

Definition definition_envelope_published_1 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> 0 < Cmod (psi b omega sigma).

Definition definition_envelope_published_2 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> Cmod (psi b omega sigma) <= 1.

Definition definition_envelope_published_3 : Prop :=
  forall (omega sigma : R), 0 < sigma -> Cmod (psi 0 omega sigma) = 1.

Definition definition_envelope_published_4 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> Cmod (psi (- b) omega sigma) = Cmod (psi b omega sigma).

Definition definition_envelope_published_5 : Prop :=
  forall (omega sigma m n : R), 0 < sigma -> (Rabs m < Rabs n -> Cmod (psi n omega sigma) < Cmod (psi m omega sigma)).

Definition definition_envelope_ours_1 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (1 / 2 <= Cmod (psi b omega sigma) -> Rabs b <= sqrt 2 * sigma * sqrt (ln 2)).

Definition definition_envelope_ours_2 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (Rabs b <= sqrt 2 * sigma * sqrt (ln 2) -> 1 / 2 <= Cmod (psi b omega sigma)).

(* --- phase.rope-angle --- *)

Definition phase_rope_angle_published : Prop :=
  forall (omega sigma m n : R), 0 < sigma -> (RtoC (1 / Cmod (Cconj (psi n omega sigma) * psi m omega sigma)%C) * Cconj (psi n omega sigma) * psi m omega sigma)%C = (Cexp (RtoC (omega * (m - n)) * Ci)%C).

(* --- kernel.product --- *)

Definition kernel_product_published : Prop :=
  forall (omega sigma m n : R), 0 < sigma -> (Cconj (psi n omega sigma) * psi m omega sigma)%C = (RtoC (exp ((- m ^ 2 - n ^ 2) / (2 * sigma ^ 2))) * Cexp (RtoC (omega * (m - n)) * Ci)%C)%C.

(* --- kernel.cross-correlation --- *)

Definition kernel_cross_correlation_published : Prop :=
  forall (omega sigma d : R), 0 < sigma -> (Cintegrable (fun t : R => (Cconj (psi (t - d) omega sigma) * psi t omega sigma)%C) to_minus_infinity to_infinity /\ (Cintegral (fun t : R => (Cconj (psi (t - d) omega sigma) * psi t omega sigma)%C) to_minus_infinity to_infinity) = (RtoC (sqrt PI * sigma) * K d omega sigma)%C).

(* --- kernel.factorisation --- *)

Definition kernel_factorisation_ours : Prop :=
  forall (omega sigma m n : R), 0 < sigma -> (Cconj (psi n omega sigma) * psi m omega sigma)%C = (RtoC (exp (- ((m + n) ^ 2 / (4 * sigma ^ 2)))) * K (m - n) omega sigma)%C.

(* --- kernel.not-stationary --- *)

Definition kernel_not_stationary_ours_1 : Prop :=
  forall (omega sigma m n s : R), 0 < sigma -> (Cconj (psi (n + s) omega sigma) * psi (m + s) omega sigma)%C = (RtoC (exp ((- s ^ 2 - s * (m + n)) / sigma ^ 2)) * Cconj (psi n omega sigma) * psi m omega sigma)%C.

Definition kernel_not_stationary_ours_2 : Prop :=
  forall (omega sigma m n s : R), 0 < sigma -> (((~ (s = 0)) /\ (Cconj (psi (n + s) omega sigma) * psi (m + s) omega sigma)%C = (Cconj (psi n omega sigma) * psi m omega sigma)%C) -> m + n = - s).

Definition kernel_not_stationary_ours_3 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Cconj (psi 0 omega sigma) * psi 0 omega sigma)%C = (RtoC 1).

Definition kernel_not_stationary_ours_4 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Cconj (psi 1 omega sigma) * psi 1 omega sigma)%C = (RtoC (exp (- (1 / sigma ^ 2)))).

Definition kernel_not_stationary_ours_5 : Prop :=
  forall (sigma : R), 0 < sigma -> exp (- (1 / sigma ^ 2)) < 1.

Definition kernel_not_stationary_ours_6 : Prop :=
  forall (N_ : nat) (w varpi varsigma : nat -> R), (1 <= N_)%nat -> (forall (x0 : nat), 0 <= (w x0)) -> (forall (x0 : nat), 0 < (varsigma x0)) -> ((exists i : nat, (i < N_)%nat /\ 0 < w i) -> (~ ((exists g : Z -> C, (forall j : Z, (forall k : Z, (Csum N_ (fun i : nat => (RtoC (w i) * Cconj (psi (IZR k) (varpi i) (varsigma i)) * psi (IZR j) (varpi i) (varsigma i))%C)) = (g (j - k)%Z))))))).

(* --- kernel.rank-one --- *)

Definition kernel_rank_one_ours_1 : Prop :=
  forall (N_ : nat) (f h : Z -> C), (1 <= N_)%nat -> (forall (x0 : Z), (f x0) <> (RtoC 0)) -> (forall (x0 : Z), (h x0) <> (RtoC 0)) -> ((exists g : Z -> C, (forall j : nat, (j < N_)%nat -> (forall k : nat, (k < N_)%nat -> (f (Z.of_nat j) * h (Z.of_nat k))%C = (g (Z.of_nat j - Z.of_nat k)%Z)))) -> (exists zeta : R, 0 < zeta /\ (exists omega : R, (exists C_ : C, C_ <> (RtoC 0) /\ (exists C_prime : C, C_prime <> (RtoC 0) /\ (forall j : nat, (j < N_)%nat -> ((f (Z.of_nat j)) = (RtoC (zeta ^ j) * C_ * Cexp (RtoC (INR j * omega) * Ci)%C)%C /\ (h (Z.of_nat j)) = (RtoC (/ zeta ^ j) * C_prime * Cexp (- (RtoC (INR j * omega) * Ci))%C)%C))))))).

Definition kernel_rank_one_ours_2 : Prop :=
  forall (N_ : nat) (f h : Z -> C), (1 <= N_)%nat -> (forall (x0 : Z), (f x0) <> (RtoC 0)) -> (forall (x0 : Z), (h x0) <> (RtoC 0)) -> ((exists zeta : R, 0 < zeta /\ (exists omega : R, (exists C_ : C, C_ <> (RtoC 0) /\ (exists C_prime : C, C_prime <> (RtoC 0) /\ (forall j : nat, (j < N_)%nat -> ((f (Z.of_nat j)) = (RtoC (zeta ^ j) * C_ * Cexp (RtoC (INR j * omega) * Ci)%C)%C /\ (h (Z.of_nat j)) = (RtoC (/ zeta ^ j) * C_prime * Cexp (- (RtoC (INR j * omega) * Ci))%C)%C)))))) -> (exists g : Z -> C, (forall j : nat, (j < N_)%nat -> (forall k : nat, (k < N_)%nat -> (f (Z.of_nat j) * h (Z.of_nat k))%C = (g (Z.of_nat j - Z.of_nat k)%Z))))).

(* --- kernel.positive-definite --- *)

Definition kernel_positive_definite_ours_1 : Prop :=
  forall (omega sigma d : R), 0 < sigma -> (K (- d) omega sigma) = (Cconj (K d omega sigma)).

Definition kernel_positive_definite_ours_2 : Prop :=
  forall (omega sigma : R) (N_ : nat) (x : nat -> R) (a : nat -> C), 0 < sigma -> (1 <= N_)%nat -> (((forall j : nat, (j < N_)%nat -> (forall k : nat, (k < N_)%nat -> ((j < k)%nat -> (~ (x j = x k))))) /\ (exists j : nat, (j < N_)%nat /\ (~ ((a j) = (RtoC 0))))) -> ((snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (x j - x k) omega sigma)%C))) /\ fst (RtoC 0) < fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (x j - x k) omega sigma)%C)))) /\ (snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (x j - x k) omega sigma)) * a j * Cconj (a k))%C))) /\ fst (RtoC 0) < fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (x j - x k) omega sigma)) * a j * Cconj (a k))%C)))))).

Definition kernel_positive_definite_ours_3 : Prop :=
  forall (omega sigma : R) (N_ : nat) (x : nat -> R) (a : nat -> C), 0 < sigma -> (1 <= N_)%nat -> (snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (x j - x k) omega sigma)%C))) /\ fst (RtoC 0) <= fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (x j - x k) omega sigma)%C)))).

Definition kernel_positive_definite_ours_4 : Prop :=
  forall (omega sigma : R) (N_ : nat) (x : nat -> R) (a : nat -> C), 0 < sigma -> (1 <= N_)%nat -> (snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (x j - x k) omega sigma)) * a j * Cconj (a k))%C))) /\ fst (RtoC 0) <= fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (x j - x k) omega sigma)) * a j * Cconj (a k))%C)))).

Definition kernel_positive_definite_ours_5 : Prop :=
  forall (omega : R) (N_ : nat) (x : nat -> R) (a : nat -> C), (1 <= N_)%nat -> (snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * carrier (x j - x k) omega)%C))) /\ fst (RtoC 0) <= fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * carrier (x j - x k) omega)%C)))).

Definition kernel_positive_definite_ours_6 : Prop :=
  forall (omega : R) (N_ : nat) (x : nat -> R) (a : nat -> C), (1 <= N_)%nat -> (snd (RtoC 0) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (cos (omega * (x j - x k))) * a j * Cconj (a k))%C))) /\ fst (RtoC 0) <= fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (cos (omega * (x j - x k))) * a j * Cconj (a k))%C)))).

Definition kernel_positive_definite_ours_7 : Prop :=
  forall (omega sigma : R) (N_ : nat) (z : nat -> Z) (a : nat -> C), 0 < sigma -> (1 <= N_)%nat -> (((forall j : nat, (j < N_)%nat -> (forall k : nat, (k < N_)%nat -> ((j < k)%nat -> (~ (z j = z k))))) /\ (exists j : nat, (j < N_)%nat /\ (~ ((a j) = (RtoC 0))))) -> ((Rsummable (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) /\ snd (RtoC (Rseries (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) * Rsum N_ (fun j : nat => (Cmod (a j) ^ 2)%R))) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (IZR (z j) - IZR (z k)) omega sigma)%C))) /\ fst (RtoC (Rseries (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) * Rsum N_ (fun j : nat => (Cmod (a j) ^ 2)%R))) < fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (a j * Cconj (a k) * K (IZR (z j) - IZR (z k)) omega sigma)%C)))) /\ (Rsummable (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) /\ snd (RtoC (Rseries (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) * Rsum N_ (fun j : nat => (Cmod (a j) ^ 2)%R))) = snd (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (IZR (z j) - IZR (z k)) omega sigma)) * a j * Cconj (a k))%C))) /\ fst (RtoC (Rseries (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) * Rsum N_ (fun j : nat => (Cmod (a j) ^ 2)%R))) < fst (Csum N_ (fun k : nat => Csum N_ (fun j : nat => (RtoC (fst (K (IZR (z j) - IZR (z k)) omega sigma)) * a j * Cconj (a k))%C)))))).

Definition kernel_positive_definite_ours_8 : Prop :=
  forall (sigma : R), 0 < sigma -> (Rsummable (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R) /\ 4 * sqrt PI * sigma * exp (- (PI ^ 2 * sigma ^ 2)) <= Rseries (fun j : Z => (powerRZ (- 1) j * exp (- (IZR j ^ 2 / (4 * sigma ^ 2))))%R)).

Definition kernel_positive_definite_ours_9 : Prop :=
  Rabs (18 * sqrt PI * exp (- (81 * PI ^ 2 / 4)) - 1 / 20000000000000000000000000000000000000000000000000000000000000000000000000000000000000) <= 1 / 200000000000000000000000000000000000000000000000000000000000000000000000000000000000000.

(* --- kernel.frequency-mixture --- *)

Definition kernel_frequency_mixture_ours : Prop :=
  forall (omega sigma d : R), 0 < sigma -> (Cintegrable (fun xi : R => (RtoC (sigma * exp (- (sigma ^ 2 * (xi - omega) ^ 2)) / sqrt PI) * Cexp (RtoC (d * xi) * Ci)%C)%C) to_minus_infinity to_infinity /\ (Cintegral (fun xi : R => (RtoC (sigma * exp (- (sigma ^ 2 * (xi - omega) ^ 2)) / sqrt PI) * Cexp (RtoC (d * xi) * Ci)%C)%C) to_minus_infinity to_infinity) = (K d omega sigma)).

(* --- limit.sinusoidal --- *)

Definition limit_sinusoidal_published : Prop :=
  forall (i D : nat), (1 <= D)%nat -> (forall b : Z, ((filterlim (fun sigma : R => fst (psi (IZR b) (/ Rpower 10000 (2 * INR i / INR D)) sigma)) to_infinity (locally ((TableEven (IZR b) i D) : R))) /\ (filterlim (fun sigma : R => snd (psi (IZR b) (/ Rpower 10000 (2 * INR i / INR D)) sigma)) to_infinity (locally ((TableOdd (IZR b) i D) : R))))).

Definition limit_sinusoidal_ours_1 : Prop :=
  forall (omega b : R), (filterlim (fun sigma : R => psi b omega sigma) to_infinity (locally ((Cexp (RtoC (b * omega) * Ci)%C) : C))).

Definition limit_sinusoidal_ours_2 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> Cmod (Cexp (RtoC (b * omega) * Ci)%C - psi b omega sigma)%C <= b ^ 2 / (2 * sigma ^ 2).

Definition limit_sinusoidal_ours_3 : Prop :=
  forall (omega T : R), 0 < T -> (forall eps_bound : R, 0 < eps_bound -> exists M_bound : R, forall (sigma : R) (b : R), M_bound < sigma -> - T <= b -> b <= T -> Cmod ((psi b omega sigma) - (Cexp (RtoC (b * omega) * Ci)%C))%C <= eps_bound).

Definition limit_sinusoidal_ours_4 : Prop :=
  forall (omega : R), (~ ((forall eps_bound : R, 0 < eps_bound -> exists M_bound : R, forall (sigma : R) (b : Z), M_bound < sigma -> Cmod ((psi (IZR b) omega sigma) - (Cexp (RtoC (IZR b * omega) * Ci)%C))%C <= eps_bound))).

Definition limit_sinusoidal_ours_5 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> Cmod (Cexp (RtoC (b * omega) * Ci)%C - psi b omega sigma)%C <= 1.

Definition limit_sinusoidal_ours_6 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (filterlim (fun B : R => Cmod (Cexp (RtoC (B * omega) * Ci)%C - psi B omega sigma)%C) to_infinity (locally (1 : R))).

Definition limit_sinusoidal_ours_7 : Prop :=
  forall (b : R) (i D : nat), (1 <= D)%nat -> snd (carrier b (/ Rpower 10000 (2 * INR i / INR D))) = TableEven b i D.

Definition limit_sinusoidal_ours_8 : Prop :=
  forall (b : R) (i D : nat), (1 <= D)%nat -> fst (carrier b (/ Rpower 10000 (2 * INR i / INR D))) = TableOdd b i D.

(* --- limit.rope-kernel --- *)

Definition limit_rope_kernel_published : Prop :=
  forall (omega d : R), (filterlim (fun sigma : R => K d omega sigma) to_infinity (locally ((Cexp (RtoC (d * omega) * Ci)%C) : C))).

Definition limit_rope_kernel_ours_1 : Prop :=
  forall (omega sigma d : R), 0 < sigma -> Cmod (Cexp (RtoC (d * omega) * Ci)%C - K d omega sigma)%C <= d ^ 2 / (4 * sigma ^ 2).

Definition limit_rope_kernel_ours_2 : Prop :=
  forall (omega : R), (~ ((forall eps_bound : R, 0 < eps_bound -> exists M_bound : R, forall (sigma : R) (d : Z), M_bound < sigma -> Cmod ((K (IZR d) omega sigma) - (Cexp (RtoC (IZR d * omega) * Ci)%C))%C <= eps_bound))).

(* --- limit.rope-score --- *)

Definition limit_rope_score_published : Prop :=
  forall (c : R) (N_ : nat) (varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> (forall q : nat -> R, (forall kappa : nat -> R, (forall m : Z, (forall n : Z, (filterlim (fun sigma : R => (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci + Cconj (psi (IZR n) (varpi j) (sigma * varsigma j))) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci + psi (IZR m) (varpi j) (sigma * varsigma j)))%C)))%R) to_infinity (locally ((c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * carrier (IZR m - IZR n) (varpi j))%C))) : R))))))).

Definition limit_rope_score_ours_1 : Prop :=
  forall (c d : R) (N_ : nat) (q kappa varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> Rabs (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * K d (varpi j) (varsigma j))%C)) - c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * carrier d (varpi j))%C))) <= c * Rsum N_ (fun j : nat => (d ^ 2 * sqrt (kappa (2 * j)%nat ^ 2 + kappa ((2 * j)%nat + 1)%nat ^ 2) * sqrt (q (2 * j)%nat ^ 2 + q ((2 * j)%nat + 1)%nat ^ 2) / (4 * varsigma j ^ 2))%R).

Definition limit_rope_score_ours_2 : Prop :=
  forall (c m n : R) (N_ : nat) (q kappa varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> Rabs (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * carrier (m - n) (varpi j))%C)) - c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * Cconj (psi n (varpi j) (varsigma j)) * psi m (varpi j) (varsigma j))%C))) <= c * Rsum N_ (fun j : nat => ((m ^ 2 + n ^ 2) * sqrt (kappa (2 * j)%nat ^ 2 + kappa ((2 * j)%nat + 1)%nat ^ 2) * sqrt (q (2 * j)%nat ^ 2 + q ((2 * j)%nat + 1)%nat ^ 2) / (2 * varsigma j ^ 2))%R).

Definition limit_rope_score_ours_3 : Prop :=
  forall (c d : R) (N_ : nat) (q kappa varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> Rabs (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa j) - RtoC (kappa (N_ + j)%nat) * Ci) * (RtoC (q j) + RtoC (q (N_ + j)%nat) * Ci) * K d (varpi j) (varsigma j))%C)) - c * fst (Csum N_ (fun j : nat => ((RtoC (kappa j) - RtoC (kappa (N_ + j)%nat) * Ci) * (RtoC (q j) + RtoC (q (N_ + j)%nat) * Ci) * carrier d (varpi j))%C))) <= c * Rsum N_ (fun j : nat => (d ^ 2 * sqrt (kappa j ^ 2 + kappa (N_ + j)%nat ^ 2) * sqrt (q j ^ 2 + q (N_ + j)%nat ^ 2) / (4 * varsigma j ^ 2))%R).

Definition limit_rope_score_ours_4 : Prop :=
  forall (c m n : R) (N_ : nat) (q kappa varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> Rabs (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa j) - RtoC (kappa (N_ + j)%nat) * Ci) * (RtoC (q j) + RtoC (q (N_ + j)%nat) * Ci) * carrier (m - n) (varpi j))%C)) - c * fst (Csum N_ (fun j : nat => ((RtoC (kappa j) - RtoC (kappa (N_ + j)%nat) * Ci) * (RtoC (q j) + RtoC (q (N_ + j)%nat) * Ci) * Cconj (psi n (varpi j) (varsigma j)) * psi m (varpi j) (varsigma j))%C))) <= c * Rsum N_ (fun j : nat => ((m ^ 2 + n ^ 2) * sqrt (kappa j ^ 2 + kappa (N_ + j)%nat ^ 2) * sqrt (q j ^ 2 + q (N_ + j)%nat ^ 2) / (2 * varsigma j ^ 2))%R).

Definition limit_rope_score_ours_5 : Prop :=
  forall (c m n : R) (N_ : nat) (q kappa varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> (filterlim (fun sigma : R => (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci + Cconj (psi n (varpi j) (sigma * varsigma j))) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci + psi m (varpi j) (sigma * varsigma j)))%C)))%R) to_infinity (locally ((c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci + Cconj (carrier n (varpi j))) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci + carrier m (varpi j)))%C))) : R))).

Definition limit_rope_score_ours_6 : Prop :=
  forall (c : R) (N_ : nat) (varpi varsigma : nat -> R), 0 < c -> (1 <= N_)%nat -> (forall (x0 : nat), 0 < (varsigma x0)) -> (~ ((forall q : nat -> R, (forall kappa : nat -> R, (forall m : Z, (forall n : Z, (filterlim (fun sigma : R => (c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci + Cconj (psi (IZR n) (varpi j) (sigma * varsigma j))) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci + psi (IZR m) (varpi j) (sigma * varsigma j)))%C)))%R) to_infinity (locally ((c * fst (Csum N_ (fun j : nat => ((RtoC (kappa (2 * j)%nat) - RtoC (kappa ((2 * j)%nat + 1)%nat) * Ci) * (RtoC (q (2 * j)%nat) + RtoC (q ((2 * j)%nat + 1)%nat) * Ci) * carrier (IZR m - IZR n) (varpi j))%C))) : R))))))))).

(* --- limit.alibi --- *)

Definition limit_alibi_published : Prop :=
  forall (mu : R), 0 < mu -> (exists sigma : R, 0 < sigma /\ (forall d : Z, (filterlim (fun omega : R => K (IZR d) omega sigma) near_zero (locally ((RtoC (exp (- (mu * Rabs (IZR d))))) : C))))).

Definition limit_alibi_ours_1 : Prop :=
  forall (sigma d : R), 0 < sigma -> (filterlim (fun omega : R => K d omega sigma) near_zero (locally ((RtoC (exp (- (d ^ 2 / (4 * sigma ^ 2))))) : C))).

Definition limit_alibi_ours_2 : Prop :=
  forall (sigma d_1 d_2 mu : R), 0 < sigma -> 0 < mu -> ((0 < Rabs d_1 /\ Rabs d_1 < Rabs d_2) -> (~ ((exp (- (d_1 ^ 2 / (4 * sigma ^ 2))) = exp (- (mu * Rabs d_1)) /\ exp (- (d_2 ^ 2 / (4 * sigma ^ 2))) = exp (- (mu * Rabs d_2)))))).

Definition limit_alibi_ours_3 : Prop :=
  forall (d mu : R), 0 < mu -> (Rintegrable (fun v : R => (sqrt 2 * mu * exp (- (d ^ 2 / (2 * v))) * exp (- (mu ^ 2 * v / 2)) / (2 * sqrt PI * sqrt v))%R) down_to_zero to_infinity /\ Rintegral (fun v : R => (sqrt 2 * mu * exp (- (d ^ 2 / (2 * v))) * exp (- (mu ^ 2 * v / 2)) / (2 * sqrt PI * sqrt v))%R) down_to_zero to_infinity = exp (- (mu * Rabs d))).

Definition limit_alibi_ours_4 : Prop :=
  forall (d mu y : R), 0 < mu -> exp (y - mu * Rabs d) = exp y * exp (- (mu * Rabs d)).

Definition limit_alibi_ours_5 : Prop :=
  forall (sigma d mu : R), 0 < sigma -> 0 < mu -> ((~ (d = 0)) -> (~ ((forall y : R, exp (y * exp (- (d ^ 2 / (4 * sigma ^ 2)))) = exp (y - mu * Rabs d))))).

(* --- limit.no-position --- *)

Definition limit_no_position_ours_1 : Prop :=
  forall (omega : R), (filterlim (fun sigma : R => K 0 omega sigma) down_to_zero (locally ((RtoC 1) : C))).

Definition limit_no_position_ours_2 : Prop :=
  forall (omega d : R), ((~ (d = 0)) -> (filterlim (fun sigma : R => K d omega sigma) down_to_zero (locally ((RtoC 0) : C)))).

(* --- uncertainty.bound --- *)

Definition uncertainty_bound_published : Prop :=
  forall (omega : R), (forall sigma : R, 0 < sigma -> (Rsummable (fun b : Z => (Cmod (psi (IZR b) omega sigma) ^ 2)%R) /\ Rsummable (fun b : Z => (IZR b * Cmod (psi (IZR b) omega sigma) ^ 2)%R) /\ Rsummable (fun b : Z => ((IZR b - Rseries (fun b : Z => (IZR b * Cmod (psi (IZR b) omega sigma) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega sigma) ^ 2)%R)) ^ 2 * Cmod (psi (IZR b) omega sigma) ^ 2)%R) /\ (forall (xi : R), Csummable (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) /\ Rintegrable (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ Rintegrable (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))) ^ 2 * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ 1 / 2 <= sqrt (Rseries (fun b : Z => ((IZR b - Rseries (fun b : Z => (IZR b * Cmod (psi (IZR b) omega sigma) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega sigma) ^ 2)%R)) ^ 2 * Cmod (psi (IZR b) omega sigma) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega sigma) ^ 2)%R)) * sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))) ^ 2 * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega sigma)%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))))).

(* uncertainty_bound_ours_1: functions of class L^{2} *)

Definition uncertainty_bound_ours_2 : Prop :=
  forall (omega : R), (Rsummable (fun b : Z => (Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) /\ Rsummable (fun b : Z => (IZR b * Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) /\ Rsummable (fun b : Z => ((IZR b - Rseries (fun b : Z => (IZR b * Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R)) ^ 2 * Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) /\ (forall (xi : R), Csummable (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) /\ Rintegrable (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ Rintegrable (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))) ^ 2 * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) /\ Rabs (sqrt (Rseries (fun b : Z => ((IZR b - Rseries (fun b : Z => (IZR b * Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R)) ^ 2 * Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R) / Rseries (fun b : Z => (Cmod (psi (IZR b) omega (1 / 2)) ^ 2)%R)) * sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))) ^ 2 * Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI)) / Rintegral (fun xi : R => (Cmod (Cseries (fun b : Z => (Cexp (- (RtoC (IZR b * xi) * Ci))%C * psi (IZR b) omega (1 / 2))%C)) ^ 2)%R) (at_point (omega - PI)) (at_point (omega + PI))) - 707 / 2500) <= 1 / 20000).

(* --- uncertainty.equality --- *)

Definition uncertainty_equality_published_1 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Rintegrable (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) = sigma).

Definition uncertainty_equality_published_2 : Prop :=
  forall (omega sigma : R), 0 < sigma -> ((forall (xi : R), Cintegrable (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity) /\ Rintegrable (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) = / sigma).

Definition uncertainty_equality_ours_1 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Rintegrable (fun b : R => Cmod (psi b omega sigma)) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => (b * Cmod (psi b omega sigma))%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun b : R => Cmod (psi b omega sigma)) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma))%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun b : R => Cmod (psi b omega sigma)) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun b : R => Cmod (psi b omega sigma)) to_minus_infinity to_infinity) = sigma).

Definition uncertainty_equality_ours_2 : Prop :=
  forall (omega sigma : R), 0 < sigma -> ((forall (xi : R), Cintegrable (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity) /\ Rintegrable (fun xi : R => Cmod (psi_hat xi omega sigma)) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => (xi * Cmod (psi_hat xi omega sigma))%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => Cmod (psi_hat xi omega sigma)) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma))%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => Cmod (psi_hat xi omega sigma)) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma))%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => Cmod (psi_hat xi omega sigma)) to_minus_infinity to_infinity) = / sigma).

Definition uncertainty_equality_ours_3 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Rintegrable (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) = sqrt 2 * sigma / 2).

Definition uncertainty_equality_ours_4 : Prop :=
  forall (omega sigma : R), 0 < sigma -> ((forall (xi : R), Cintegrable (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity) /\ Rintegrable (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) = sqrt 2 / (2 * sigma)).

Definition uncertainty_equality_ours_5 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Rintegrable (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ (forall (xi : R), Cintegrable (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity) /\ Rintegrable (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ Rintegrable (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity /\ sqrt (Rintegral (fun b : R => ((b - Rintegral (fun b : R => (b * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun b : R => (Cmod (psi b omega sigma) ^ 2)%R) to_minus_infinity to_infinity) * sqrt (Rintegral (fun xi : R => ((xi - Rintegral (fun xi : R => (xi * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) ^ 2 * Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity / Rintegral (fun xi : R => (Cmod (psi_hat xi omega sigma) ^ 2)%R) to_minus_infinity to_infinity) = 1 / 2).

(* uncertainty_equality_ours_6: functions of class L^{2} *)

(* --- admissibility.fourier --- *)

Definition admissibility_fourier_ours : Prop :=
  forall (omega sigma xi : R), 0 < sigma -> (Cintegrable (fun b : R => (Cexp (- (RtoC (b * xi) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity /\ (psi_hat xi omega sigma) = (RtoC (sqrt 2 * sqrt PI * sigma * exp (- (sigma ^ 2 * (xi - omega) ^ 2 / 2))))).

(* --- admissibility.dc --- *)

Definition admissibility_dc_ours_1 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (Cintegrable (fun b : R => (Cexp (- (RtoC (b * omega) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity /\ Cintegrable (fun b : R => psi b omega sigma) to_minus_infinity to_infinity /\ (psi_hat 0 omega sigma / psi_hat omega omega sigma)%C = (RtoC (exp (- (omega ^ 2 * sigma ^ 2 / 2))))).

Definition admissibility_dc_ours_2 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (omega * sigma = 5 -> (Cintegrable (fun b : R => (Cexp (- (RtoC (b * omega) * Ci))%C * psi b omega sigma)%C) to_minus_infinity to_infinity /\ Cintegrable (fun b : R => psi b omega sigma) to_minus_infinity to_infinity /\ Cmod (psi_hat 0 omega sigma / psi_hat omega omega sigma - RtoC (373 / 100000000))%C <= 1 / 200000000)).

(* --- alias.nyquist --- *)

Definition alias_nyquist_ours_1 : Prop :=
  forall (omega sigma : R) (j k : Z), 0 < sigma -> (psi (IZR j) (2 * PI * IZR k + omega) sigma) = (psi (IZR j) omega sigma).

Definition alias_nyquist_ours_2 : Prop :=
  forall (omega sigma : R) (j : Z), 0 < sigma -> (psi (IZR j) (2 * PI - omega) sigma) = (Cconj (psi (IZR j) omega sigma)).

(* --- locality.centre --- *)

Definition locality_centre_published : Prop :=
  forall (omega sigma : R), 0 < sigma -> (exists b_0 : R, (exists g : Z -> C, (forall j : nat, (j < 256)%nat -> (forall k : nat, (k < 256)%nat -> (RtoC (Cmod (Cconj (psi_centred (INR k) omega sigma (RtoC b_0)) * psi_centred (INR j) omega sigma (RtoC b_0))%C)) = (g (Z.of_nat j - Z.of_nat k)%Z))))).

Definition locality_centre_ours_1 : Prop :=
  forall (omega sigma m n b_0 : R), 0 < sigma -> Cmod (Cconj (psi_centred n omega sigma (RtoC b_0)) * psi_centred m omega sigma (RtoC b_0))%C = exp (- ((m - n) ^ 2 / (4 * sigma ^ 2))) * exp (- ((m - 2 * b_0 + n) ^ 2 / (4 * sigma ^ 2))).

Definition locality_centre_ours_2 : Prop :=
  forall (omega sigma m : R) (b_q b_k : C), 0 < sigma -> ln (Cmod (Cconj (psi_centred (m - 1) omega sigma b_k) * psi_centred (m - 1) omega sigma b_q)%C) - 2 * ln (Cmod (Cconj (psi_centred m omega sigma b_k) * psi_centred m omega sigma b_q)%C) + ln (Cmod (Cconj (psi_centred (m + 1) omega sigma b_k) * psi_centred (m + 1) omega sigma b_q)%C) = - (2 / sigma ^ 2).

Definition locality_centre_ours_3 : Prop :=
  forall (omega sigma s : R) (N_ : nat), 0 < sigma -> (3 <= N_)%nat -> (~ ((exists b_q : C, (exists b_k : C, (exists g : Z -> C, (forall j : nat, (j < N_)%nat -> (forall k : nat, (k < N_)%nat -> (RtoC (Cmod (Cconj (psi_centred (INR k + s) omega sigma b_k) * psi_centred (INR j + s) omega sigma b_q)%C)) = (g (Z.of_nat j - Z.of_nat k)%Z)))))))).

Definition locality_centre_ours_4 : Prop :=
  forall (omega sigma : R), 0 < sigma -> (exists g : Z -> C, (forall j : nat, (j < 2)%nat -> (forall k : nat, (k < 2)%nat -> (RtoC (Cmod (Cconj (psi_centred (INR k) omega sigma (RtoC (1 / 2))) * psi_centred (INR j) omega sigma (RtoC (1 / 2)))%C)) = (g (Z.of_nat j - Z.of_nat k)%Z)))).

Definition locality_centre_ours_5 : Prop :=
  forall (omega sigma m n : R), 0 < sigma -> (Cconj (psi_centred n omega sigma (RtoC n)) * psi_centred m omega sigma (RtoC m))%C = (Cexp (RtoC (omega * (m - n)) * Ci)%C).

(* --- learning.gradients --- *)

Definition learning_gradients_ours_1 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (Cdifferentiable (fun omega : R => psi b omega sigma) omega /\ (Cderivative (fun omega : R => psi b omega sigma) omega) = (RtoC b * Ci * psi b omega sigma)%C).

Definition learning_gradients_ours_2 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (Cdifferentiable (fun sigma : R => psi b omega sigma) sigma /\ (Cderivative (fun sigma : R => psi b omega sigma) sigma) = (RtoC (b ^ 2 / sigma ^ 3) * psi b omega sigma)%C).

Definition learning_gradients_ours_3 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (Cdifferentiable (fun sigma : R => psi b omega sigma) sigma /\ Cmod (Cderivative (fun sigma : R => psi b omega sigma) sigma) <= 2 * exp (- 1) / sigma).

Definition learning_gradients_ours_4 : Prop :=
  forall (omega sigma b : R), 0 < sigma -> (Rabs b = sqrt 2 * sigma -> (Cdifferentiable (fun sigma : R => psi b omega sigma) sigma /\ Cmod (Cderivative (fun sigma : R => psi b omega sigma) sigma) = 2 * exp (- 1) / sigma)).

(* --- gate.causal-form --- *)

Definition gate_causal_form_ours_1 : Prop :=
  forall (N_ : nat) (W_q W_k W_v : nat -> nat -> R) (u : nat -> R) (beta alpha tau : R) (D H : nat), (1 <= N_)%nat -> (1 <= D)%nat -> (1 <= H)%nat -> (forall X : nat -> nat -> R, (forall Y : nat -> nat -> R, (forall j_q : nat, (j_q < N_)%nat -> ((forall k : nat, (k < (j_q + 1)%nat)%nat -> (forall i : nat, (i < D)%nat -> X k i = Y k i)) -> (forall i : nat, (i < H)%nat -> Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)) * Rsum D (fun i_prime : nat => (W_v i i_prime * X i_2 i_prime)%R) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_2 i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR j_q + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (j_q + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR j_q + 1)) ^ 2)%R)) / sqrt (INR j_q + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)))))%R) / Rmax (1 / 100000000) (Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_2 i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR j_q + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (j_q + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR j_q + 1)) ^ 2)%R)) / sqrt (INR j_q + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)))))%R)) = Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)) * Rsum D (fun i_prime : nat => (W_v i i_prime * Y i_2 i_prime)%R) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_2 i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR j_q + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (j_q + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR j_q + 1)) ^ 2)%R)) / sqrt (INR j_q + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)))))%R) / Rmax (1 / 100000000) (Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_2 i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR j_q + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (j_q + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R) - Rsum (j_q + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR j_q + 1)) ^ 2)%R)) / sqrt (INR j_q + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)))))%R))))))).

Definition gate_causal_form_ours_2 : Prop :=
  forall (N_ : nat) (W_q W_k W_v : nat -> nat -> R) (u : nat -> R) (beta alpha tau : R) (D H : nat), (1 <= N_)%nat -> (1 <= D)%nat -> (1 <= H)%nat -> (forall X : nat -> nat -> R, (forall Y : nat -> nat -> R, (forall j_q : nat, (j_q < N_)%nat -> ((forall k : nat, (k < (j_q + 1)%nat)%nat -> (forall i : nat, (i < D)%nat -> X k i = Y k i)) -> (forall i : nat, (i < H)%nat -> Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)) * Rsum D (fun i_prime : nat => (W_v i i_prime * X i_2 i_prime)%R) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_2 i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (i_2 + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) ^ 2)%R)) / sqrt (INR i_2 + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)))))%R) / Rmax (1 / 100000000) (Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_2 i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (i_2 + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * X i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) ^ 2)%R)) / sqrt (INR i_2 + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * X i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * X j_q i_prime)%R))%R) / sqrt (INR H)))))%R)) = Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)) * Rsum D (fun i_prime : nat => (W_v i i_prime * Y i_2 i_prime)%R) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_2 i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (i_2 + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) ^ 2)%R)) / sqrt (INR i_2 + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)))))%R) / Rmax (1 / 100000000) (Rsum (j_q + 1)%nat (fun i_2 : nat => (exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)) / ((1 + exp (- (alpha * ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_2 i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) / Rmax (1 / 100000000) (sqrt (Rsum (i_2 + 1)%nat (fun i_1_prime : nat => ((beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R) - Rsum (i_2 + 1)%nat (fun i_1_prime : nat => (beta + Rsum D (fun i_prime : nat => (u i_prime * Y i_1_prime i_prime)%R))%R) / (INR i_2 + 1)) ^ 2)%R)) / sqrt (INR i_2 + 1)) - tau)))) * Rsum (j_q + 1)%nat (fun i_2 : nat => exp (Rsum H (fun i_3 : nat => (Rsum D (fun i_prime : nat => (W_k i_3 i_prime * Y i_2 i_prime)%R) * Rsum D (fun i_prime : nat => (W_q i_3 i_prime * Y j_q i_prime)%R))%R) / sqrt (INR H)))))%R))))))).

Definition gate_causal_form_ours_3 : Prop :=
  forall (e : nat -> R), (e 0%nat - Rsum 1%nat (fun i_1 : nat => e i_1)) / Rmax (1 / 100000000) (sqrt (Rsum 1%nat (fun i_1 : nat => ((e i_1 - Rsum 1%nat (fun i_1 : nat => e i_1)) ^ 2)%R))) = 0.

Definition gate_causal_form_ours_4 : Prop :=
  forall (e : nat -> R), (1 / 50000000 <= Rabs (e 1%nat - e 0%nat) -> (e 1%nat - Rsum 2%nat (fun i_1 : nat => e i_1) / 2) / Rmax (1 / 100000000) (sqrt 2 * sqrt (Rsum 2%nat (fun i_1 : nat => ((e i_1 - Rsum 2%nat (fun i_1 : nat => e i_1) / 2) ^ 2)%R)) / 2) = sign (e 1%nat - e 0%nat)).
