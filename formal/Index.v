(** Hints that are computed here, from an index of all images of the listed positions. Nothing is proven of them, and
    nothing has to be. *)
From Coq Require Import NArith PArith.
From Gob Require Import Lazy Rules Game Symmetry Quick Boards Checker Format.
Local Open Scope list_scope.

(** * A number for each board

    In bits, the least significant first: of each square its pieces, each as 1 and its colour and size, and then 0. *)

Fixpoint stack_key (s : stack) (k : positive) : positive :=
  match s with
  | [] => xO k
  | Piece c z :: s =>
      let k := stack_key s k in
      let k := match z with A => xO (xO k) | B => xI (xO k) | C => xO (xI k) | D => xI (xI k) end in
      xI (match c with White => xO k | Black => xI k end)
  end.

Definition key (b : board) : positive := fold_right (fun q => stack_key (get b q)) xH squares.

(** The key of an image, without the image. *)
Definition image_key (n : nat) (b : board) : positive :=
  fold_right (fun q => stack_key (get b q)) xH (nth n symmetry_squares squares).

(** * All images of the listed positions, each with the symmetry that leads back and the number of the position *)

Inductive index := Unlisted | Only (k : positive) (back : nat * path) | Fork (zero one : index).

Fixpoint find_key (k : positive) (t : index) {struct t} : option (nat * path) :=
  match t with
  | Unlisted => None
  | Only k' back => if Pos.eqb k k' then Some back else None
  | Fork zero one => match k with xH => None | xO k => find_key k zero | xI k => find_key k one end
  end.

Fixpoint fork (k : positive) (m : nat * path) (k' : positive) (n : nat * path) : index :=
  match k, k' with
  | xO k, xO k' => Fork (fork k m k' n) Unlisted
  | xI k, xI k' => Fork Unlisted (fork k m k' n)
  | xO k, xI k' => Fork (Only k m) (Only k' n)
  | xI k, xO k' => Fork (Only k' n) (Only k m)
  | _, _ => Only k m
  end.

Fixpoint add_key (k : positive) (n : nat * path) (t : index) {struct t} : index :=
  match t with
  | Unlisted => Only k n
  | Only k' n' => fork k n k' n'
  | Fork zero one => match k with xH => t | xO k => Fork (add_key k n zero) one | xI k => Fork zero (add_key k n one) end
  end.

(** The number of each symmetry, and that of its inverse. *)
Definition back_and_forth : list (nat * nat) :=
  Eval vm_compute in
  map (fun n => (n,
    (fix position (i : nat) (l : list (grid square)) : nat :=
       match l with
       | [] => i
       | h :: l => if grid_beq (permuted (nth n symmetries identity) h) identity then i else position (S i) l
       end) 0 symmetries)) (seq 0 32).

(** The path of so many digits that a number has, and then [p]. *)
Fixpoint path_of (digits : nat) (n : N) (p : path) : path :=
  match digits with
  | O => p
  | S digits => path_of digits (N.shiftr n 4) (nth (N.to_nat (N.land n 15)) squares a1 :: p)
  end.

Definition index_of (l : list board) : index :=
  let digits := S (N.to_nat (N.log2 (fold_left (fun n _ => N.succ n) l 0%N)) / 4) in
  fst (fold_left (fun '(t, n) b =>
    let p := path_of digits n [] in
    (fold_left (fun t '(forth, back) => add_key (image_key forth b) (back, p) t) back_and_forth t, N.succ n)) l (Unlisted, 0%N)).

(** * Replies that win or that the index finds *)

Definition found_reply (r : reading) (t : index) (c : colour) (b : board) (m : move) : list (move * (nat * path)) :=
  match after_quick r c b m with
  | Wins w => if colour_beq c w then [(m, (0, []))] else []
  | GoesOn b' => match find_key (key b') t with Some hint => [(m, hint)] | None => [] end
  end.

(** The first of them. *)
Fixpoint first_reply (r : reading) (t : index) (c : colour) (b : board) (l : list move) : list (move * (nat * path)) :=
  match l with
  | [] => []
  | m :: l => match found_reply r t c b m with [] => first_reply r t c b l | found => found end
  end.

(** White needs one reply. Black needs one to a position that is settled by then, and which that is, is not known here. *)
Definition indexed (certificate : certificate) : hints * list board :=
  let (claim, l) := certificate in
  let (k, r, w, b) := claim in
  let t := index_of l in
  let v := material w b in
  let replies := match k with
    | Closure => fun b => first_reply r t White b (rev_append (moves v r White b) [])
    | Refutation => fun b => flat_map (found_reply r t Black b) (moves v r Black b)
    end in
  (Hints (fun b => match find_key (key b) t with Some (_, p) => p | None => [] end) replies, l).
