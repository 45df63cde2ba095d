(** Theorems from certificates, inside Coq: the bytes as text. *)
From Coq Require Import NArith String.
From Gob Require Import Lazy Format Index.
Local Open Scope list_scope.

(** * Bytes as pairs of hexadecimal digits *)

Definition nibble (c : Ascii.ascii) : N :=
  let n := Ascii.N_of_ascii c in (if n <? 58 then n - 48 else n - 87)%N.

Fixpoint of_hex (s : string) (rest : list N) : list N :=
  match s with
  | String x (String y s) => (16 * nibble x + nibble y)%N :: of_hex s rest
  | _ => rest
  end.

Definition bytes_of (lines : list string) : list N := fold_right of_hex [] lines.

(** What the closed theorems use: [c] is written beside the bytes, and the computation has to find it in them. *)
Theorem proven_by lines c : judge indexed (bytes_of lines) = Ok c -> is_true c.
Proof. apply judge_sound. Qed.
