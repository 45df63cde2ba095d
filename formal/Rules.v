(** The rules of Gobblet: R1 to R9 of gobcheck/RULES.md and its five readings. This file, Game.v and the four
    definitions at the head of Lazy.v are what has to be read; all that follows them is proven. How to read Coq, as far as these two files use it:
    - [Inductive size := A | B | C | D.] says which values there are: a [size] is one of four.
    - [Definition opponent (c : colour) : colour := ...] defines a function from a colour to a colour; [opponent White] is
      its value at [White]. [fun x => ...] is a function without a name.
    - [match x with P => y | Q => z end] is [y] if [x] has the form [P], [z] if it has the form [Q]; [_] is any form.
    - [[]] is the empty list, [x :: l] the list [l] with [x] before it, [tl] a list without its first element. [map],
      [filter], [length] and [list_sum] are what they are elsewhere; [existsb] and [forallb] ask for some or every element.
    - A [bool] is [true] or [false]; [&&] is and, [||] or, [negb] not, [<?] less than, [<=?] at most. *)
From Gob Require Import Lazy.

(** * R1 Board: 16 squares, 10 lines *)

Inductive square :=
  | a1 | b1 | c1 | d1 | a2 | b2 | c2 | d2 | a3 | b3 | c3 | d3 | a4 | b4 | c4 | d4.

Definition squares : list square :=
  [a1; b1; c1; d1; a2; b2; c2; d2; a3; b3; c3; d3; a4; b4; c4; d4].

Definition lines : list (list square) :=
  [ [a1; b1; c1; d1]; [a2; b2; c2; d2]; [a3; b3; c3; d3]; [a4; b4; c4; d4];   (* ranks *)
    [a1; a2; a3; a4]; [b1; b2; b3; b4]; [c1; c2; c3; c4]; [d1; d2; d3; d4];   (* files *)
    [a1; b2; c3; d4]; [d1; c2; b3; a4] ].                                     (* long diagonals *)

Scheme Equality for square.                                  (* defines square_beq: the same square? *)

(** A value of the kind [T] for each square: a board is a grid of stacks. *)
Inductive grid (T : Type) :=
  Grid (xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4 : T).
Arguments Grid {T}.

(** The value on [q]. *)
Definition get {T} (g : grid T) (q : square) : T :=
  let (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4) := g in
  match q with
  | a1 => xa1 | b1 => xb1 | c1 => xc1 | d1 => xd1 | a2 => xa2 | b2 => xb2 | c2 => xc2 | d2 => xd2
  | a3 => xa3 | b3 => xb3 | c3 => xc3 | d3 => xd3 | a4 => xa4 | b4 => xb4 | c4 => xc4 | d4 => xd4
  end.

(** The grid that has [f q] on each square [q]. *)
Definition tab {T} (f : square -> T) : grid T :=
  Grid (f a1) (f b1) (f c1) (f d1) (f a2) (f b2) (f c2) (f d2)
       (f a3) (f b3) (f c3) (f d3) (f a4) (f b4) (f c4) (f d4).

(** The grid [g] with [x] on [q] instead of what was there. *)
Definition set {T} (g : grid T) (q : square) (x : T) : grid T :=
  tab (fun q' => if square_beq q q' then x else get g q').

(** * R2 Pieces, R3 Visible *)

Inductive colour := White | Black.
Inductive size := A | B | C | D.
Scheme Equality for colour.
Scheme Equality for size.

Definition opponent (c : colour) : colour := match c with White => Black | Black => White end.

(** A > B > C > D: whether [s] is larger than [t]. *)
Definition larger (s t : size) : bool :=
  match s, t with
  | A, (B | C | D) | B, (C | D) | C, D => true
  | _, _ => false
  end.

Record piece := Piece { colour_of : colour; size_of : size }.
Definition stack := list piece.                              (* R3: the visible piece comes first *)
Definition board := grid stack.
Definition empty_board : board := tab (fun _ => []).

Definition piece_is (c : colour) (s : size) (p : piece) : bool :=
  colour_beq c (colour_of p) && size_beq s (size_of p).

(** R3: whether the visible piece of square [q] is one of [c]'s. *)
Definition shows (c : colour) (b : board) (q : square) : bool :=
  match get b q with [] => false | p :: _ => colour_beq c (colour_of p) end.

(** R2: n(size), how many pieces of size [s] side [c] has on the board, visible or covered: the sum over all squares. *)
Definition count (c : colour) (s : size) (b : board) : nat :=
  list_sum (map (fun q => length (filter (piece_is c s) (get b q))) squares).

(** R9 Material: how many pieces of each size each side may use. *)
Definition variant := colour -> size -> nat.

(** R2: whether [c] can play a piece of size [s] from hand: the material allows one more, and it is outermost. *)
Definition in_hand (v : variant) (c : colour) (s : size) (b : board) : bool :=
  (count c s b <? v c s) &&
  match s with
  | A => count c A b <? 3
  | B => count c B b <? count c A b
  | C => count c C b <? count c B b
  | D => count c D b <? count c C b
  end.

(** * R4 Place, R5 Transfer: which moves are legal *)

Inductive reading := Official | Thesis | StrictLift | NoEntryCover | Robust.

Inductive move := Place (s : size) (to : square) | Transfer (from to : square).

(** Whether a piece of size [s] may stand on [q]: it is empty or shows a smaller piece. *)
Definition fits (s : size) (b : board) (q : square) : bool :=
  match get b q with [] => true | p :: _ => larger s (size_of p) end.

(** R4: whether [q] is on a line in which [c] has three or more visible pieces. *)
Definition in_three (c : colour) (b : board) (q : square) : bool :=
  existsb (fun l => existsb (square_beq q) l && (3 <=? length (filter (shows c b) l))) lines.

(** Whether R4's exception exists for [c] under reading [r]. *)
Definition may_cover_from_hand (r : reading) (c : colour) : bool :=
  match r, c with
  | NoEntryCover, _ | Robust, White => false
  | _, _ => true
  end.

(** Whether [c], who is to move, may make the move [m] on board [b]. *)
Definition legal (v : variant) (r : reading) (c : colour) (b : board) (m : move) : bool :=
  match m with
  | Place s q =>                                             (* R4 *)
      in_hand v c s b &&
      match get b q with
      | [] => true                                           (* onto an empty square *)
      | _ => may_cover_from_hand r c && shows (opponent c) b q && in_three (opponent c) b q && fits s b q
      end
  | Transfer f t =>                                          (* R5: [p] is the piece that moves *)
      shows c b f && negb (square_beq f t) &&
      match get b f with [] => false | p :: _ => fits (size_of p) b t end
  end.

(** The board without the visible piece of [q], and with [p] on top of what is there. *)
Definition lifted (b : board) (q : square) : board := set b q (tl (get b q)).
Definition put (b : board) (q : square) (p : piece) : board := set b q (p :: get b q).

(** The board after the move. *)
Definition moved (c : colour) (b : board) (m : move) : board :=
  match m with
  | Place s q => put b q (Piece c s)
  | Transfer f t => match get b f with [] => b | p :: _ => put (lifted b f) t p end
  end.

(** * R6 End, and the readings: how a move is judged *)

Definition has_line (c : colour) (b : board) : bool :=
  existsb (fun l => forallb (shows c b) l) lines.

Inductive outcome := Wins (c : colour) | GoesOn (b : board).

(** Who has a line has won. If both have one, [first] has won. *)
Definition judged (first : colour) (b : board) : outcome :=
  if has_line first b then Wins first
  else if has_line (opponent first) b then Wins (opponent first)
  else GoesOn b.

(** Whether the move lifts a piece and so uncovers a line of the opponent. *)
Definition uncovers (c : colour) (b : board) (m : move) : bool :=
  match m with
  | Place _ _ => false
  | Transfer f _ => has_line (opponent c) (lifted b f)
  end.

(** What the move [m] of [c] on [b] leads to. By R6 a line of the opponent comes first. *)
Definition after (r : reading) (c : colour) (b : board) (m : move) : outcome :=
  let b' := moved c b m in
  let as_R6 := judged (opponent c) b' in
  match r, c with
  | (Official | NoEntryCover), _ => as_R6
  | Thesis, _ => if uncovers c b m then Wins (if has_line c b' then c else opponent c) else as_R6
  | StrictLift, _ => if uncovers c b m then Wins (opponent c) else as_R6
  | Robust, White => if uncovers White b m then Wins Black else as_R6
  | Robust, Black => judged Black b'                         (* here a black line comes first *)
  end.
