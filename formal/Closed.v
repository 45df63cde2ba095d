(** Theorems from certificates, inside Coq: the bytes as text, and hints that are computed here. Nothing is proven of the
    hints, and nothing has to be. *)
From Coq Require Import NArith PArith String.
From Gob Require Import Lazy Rules Game Comparison Symmetry Boards Quick Checker Format.
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

(** * All images of the listed positions, each with the symmetry that leads back *)

Inductive index := Nothing | Only (k : positive) (back : nat) | Fork (zero one : index).

Fixpoint find_key (k : positive) (t : index) {struct t} : option nat :=
  match t with
  | Nothing => None
  | Only k' back => if Pos.eqb k k' then Some back else None
  | Fork zero one => match k with xH => None | xO k => find_key k zero | xI k => find_key k one end
  end.

Fixpoint fork (k : positive) (m : nat) (k' : positive) (n : nat) : index :=
  match k, k' with
  | xO k, xO k' => Fork (fork k m k' n) Nothing
  | xI k, xI k' => Fork Nothing (fork k m k' n)
  | xO k, xI k' => Fork (Only k m) (Only k' n)
  | xI k, xO k' => Fork (Only k' n) (Only k m)
  | _, _ => Only k m
  end.

Fixpoint add_key (k : positive) (n : nat) (t : index) {struct t} : index :=
  match t with
  | Nothing => Only k n
  | Only k' n' => fork k n k' n'
  | Fork zero one => match k with xH => t | xO k => Fork (add_key k n zero) one | xI k => Fork zero (add_key k n one) end
  end.

(** The number of the inverse of each symmetry, and its own. *)
Definition back_and_forth : list (nat * nat) :=
  Eval vm_compute in
  map (fun n => (n, 
    (fix position (i : nat) (l : list (grid square)) : nat :=
       match l with
       | [] => i
       | h :: l => if grid_beq (permuted (nth n symmetries identity) h) identity then i else position (S i) l
       end) 0 symmetries)) (seq 0 32).

Definition index_of (l : list board) : index :=
  fold_left (fun t b => fold_left (fun t '(n, back) => add_key (image_key n b) back t) back_and_forth t) l Nothing.

(** * Replies that win or that the index finds *)

Definition found (t : index) (b : board) : bool := match find_key (key b) t with Some _ => true | None => false end.

Definition found_reply (r : reading) (t : index) (c : colour) (b : board) (m : move) : bool :=
  match after_quick r c b m with Wins w => colour_beq c w | GoesOn b' => found t b' end.

(** White needs one reply. Black needs one to a position that is settled by then, and which that is, is not known here. *)
Definition indexed (certificate : certificate) : hints * list board :=
  let (claim, l) := certificate in
  let (k, r, w, b) := claim in
  let t := index_of l in
  let v := material w b in
  let replies := match k with
    | Closure => fun b =>
        match find (found_reply r t White b) (rev_append (moves v r White b) []) with Some m => [m] | None => [] end
    | Refutation => fun b => filter (found_reply r t Black b) (moves v r Black b)
    end in
  (Hints replies (fun b => match find_key (key b) t with Some n => n | None => 0 end), l).

(** What the closed theorems use: [c] is written beside the bytes, and the computation has to find it in them. *)
Theorem proven_by lines c : judge indexed (bytes_of lines) = Ok c -> is_true c.
Proof. apply judge_sound. Qed.
