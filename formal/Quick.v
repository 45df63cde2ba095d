(** The same moves and the same judgement, computed quicker. Each is equal to what it stands
    for, so nothing that is claimed depends on this file. *)
From Gob Require Import Lazy Rules Symmetry.

(** * A square at a time *)

Definition set_quick {T} (g : grid T) (q : square) (x : T) : grid T :=
  let (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4) := g in
  match q with
  | a1 => Grid x xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | b1 => Grid xa1 x xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | c1 => Grid xa1 xb1 x xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | d1 => Grid xa1 xb1 xc1 x xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | a2 => Grid xa1 xb1 xc1 xd1 x xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | b2 => Grid xa1 xb1 xc1 xd1 xa2 x xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | c2 => Grid xa1 xb1 xc1 xd1 xa2 xb2 x xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | d2 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 x xa3 xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | a3 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 x xb3 xc3 xd3 xa4 xb4 xc4 xd4
  | b3 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 x xc3 xd3 xa4 xb4 xc4 xd4
  | c3 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 x xd3 xa4 xb4 xc4 xd4
  | d3 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 x xa4 xb4 xc4 xd4
  | a4 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 x xb4 xc4 xd4
  | b4 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 x xc4 xd4
  | c4 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 x xd4
  | d4 => Grid xa1 xb1 xc1 xd1 xa2 xb2 xc2 xd2 xa3 xb3 xc3 xd3 xa4 xb4 xc4 x
  end.

Lemma set_quick_eq {T} (g : grid T) q x : set_quick g q x = set g q x.
Proof. destruct g, q; reflexivity. Qed.

Definition moved_quick (c : colour) (b : board) (m : move) : board :=
  match m with
  | Place s q => set_quick b q (Piece c s :: get b q)
  | Transfer f t =>
      match get b f with
      | [] => b
      | p :: l => let b := set_quick b f l in set_quick b t (p :: get b t)
      end
  end.

Lemma moved_quick_eq c b m : moved_quick c b m = moved c b m.
Proof.
  destruct m as [s q | f t]; unfold moved_quick, moved, put, lifted; [apply set_quick_eq |].
  destruct (get b f); [reflexivity |]. cbv zeta. now rewrite !set_quick_eq.
Qed.

(** * Lines, of a board that is looked at once *)

Definition top_is (c : colour) (l : stack) : bool := match l with [] => false | p :: _ => colour_beq c (colour_of p) end.

Definition has_line_quick (c : colour) (b : board) : bool :=
  let (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4) := b in
  let t := top_is c in
  let four w x y z := if t w then if t x then if t y then if t z then true else false else false else false else false in
  four xa1 xb1 xc1 xd1 || (four xa2 xb2 xc2 xd2 || (four xa3 xb3 xc3 xd3 || (four xa4 xb4 xc4 xd4 ||
  (four xa1 xa2 xa3 xa4 || (four xb1 xb2 xb3 xb4 || (four xc1 xc2 xc3 xc4 || (four xd1 xd2 xd3 xd4 ||
  (four xa1 xb2 xc3 xd4 || (four xd1 xc2 xb3 xa4 || false))))))))).

Lemma has_line_quick_eq c b : has_line_quick c b = has_line c b.
Proof. now destruct b. Qed.

Definition judged_quick (first : colour) (b : board) : outcome :=
  if has_line_quick first b then Wins first
  else if has_line_quick (opponent first) b then Wins (opponent first)
  else GoesOn b.

Definition uncovers_quick (c : colour) (b : board) (m : move) : bool :=
  match m with
  | Place _ _ => false
  | Transfer f _ => has_line_quick (opponent c) (set_quick b f (tl (get b f)))
  end.

Definition after_quick (r : reading) (c : colour) (b : board) (m : move) : outcome :=
  let b' := moved_quick c b m in
  match r, c with
  | (Official | NoEntryCover), _ => judged_quick (opponent c) b'
  | Thesis, _ =>
      if uncovers_quick c b m then Wins (if has_line_quick c b' then c else opponent c) else judged_quick (opponent c) b'
  | StrictLift, _ => if uncovers_quick c b m then Wins (opponent c) else judged_quick (opponent c) b'
  | Robust, White => if uncovers_quick White b m then Wins Black else judged_quick (opponent c) b'
  | Robust, Black => judged_quick Black b'
  end.

Lemma after_quick_eq r c b m : after_quick r c b m = after r c b m.
Proof.
  assert (J : forall c b, judged_quick c b = judged c b).
  { intros. unfold judged_quick, judged. now rewrite !has_line_quick_eq. }
  assert (U : forall c b, uncovers_quick c b m = uncovers c b m).
  { intros. unfold uncovers_quick, uncovers, lifted. destruct m; [reflexivity |].
    now rewrite has_line_quick_eq, set_quick_eq. }
  unfold after_quick, after. cbv zeta. now rewrite !J, !U, has_line_quick_eq, moved_quick_eq.
Qed.

(** * What is in hand: one look at the board for each size *)

(** As many as there are in the stack, and [n]. *)
Fixpoint count_on (c : colour) (s : size) (l : stack) (n : nat) : nat :=
  match l with
  | [] => n
  | p :: l => if colour_beq c (colour_of p) && size_beq s (size_of p) then S (count_on c s l n) else count_on c s l n
  end.

Definition count_quick (c : colour) (s : size) (b : board) : nat :=
  let (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4) := b in
  let on := count_on c s in
  on xa1 (on xb1 (on xc1 (on xd1 (on xa2 (on xb2 (on xc2 (on xd2
    (on xa3 (on xb3 (on xc3 (on xd3 (on xa4 (on xb4 (on xc4 (on xd4 0))))))))))))))).

Lemma count_on_eq c s l n : count_on c s l n = length (filter (piece_is c s) l) + n.
Proof.
  induction l as [| p l IH]; cbn [count_on filter]; [reflexivity |]. unfold piece_is at 1.
  destruct (colour_beq c (colour_of p) && size_beq s (size_of p)); cbn [length]; now rewrite IH.
Qed.

Lemma count_quick_eq c s b : count_quick c s b = count c s b.
Proof.
  destruct b. unfold count_quick, count, squares. rewrite !count_on_eq. unfold list_sum. cbn [map fold_right]. reflexivity.
Qed.

Definition in_hand_quick (v : variant) (c : colour) (s : size) (b : board) : bool :=
  let n := count_quick c s b in
  (n <? v c s) &&
  match s with
  | A => n <? 3
  | B => n <? count_quick c A b
  | C => n <? count_quick c B b
  | D => n <? count_quick c C b
  end.

Lemma in_hand_quick_eq v c s b : in_hand_quick v c s b = in_hand v c s b.
Proof. unfold in_hand_quick, in_hand. cbv zeta. destruct s; now rewrite !count_quick_eq. Qed.

(** * Legal moves *)

Definition may_place (r : reading) (c : colour) (s : size) (b : board) (q : square) : bool :=
  match get b q with
  | [] => true
  | _ => may_cover_from_hand r c && shows (opponent c) b q && fits s b q && in_three (opponent c) b q
  end.

Definition may_transfer (s : size) (f : square) (b : board) (t : square) : bool :=
  match get b t with [] => true | p :: _ => larger s (size_of p) end && negb (square_beq f t).

Definition legal_quick (v : variant) (r : reading) (c : colour) (b : board) (m : move) : bool :=
  match m with
  | Place s q => may_place r c s b q && in_hand_quick v c s b
  | Transfer f t =>
      match get b f with
      | [] => false
      | p :: _ => colour_beq c (colour_of p) && may_transfer (size_of p) f b t
      end
  end.

Lemma may_place_eq r c s b q : may_place r c s b q =
  match get b q with
  | [] => true
  | _ => may_cover_from_hand r c && shows (opponent c) b q && in_three (opponent c) b q && fits s b q
  end.
Proof.
  unfold may_place. destruct (get b q); [reflexivity |].
  now destruct (may_cover_from_hand r c), (shows (opponent c) b q), (fits s b q), (in_three (opponent c) b q).
Qed.

Lemma may_transfer_eq s f b t : may_transfer s f b t = negb (square_beq f t) && fits s b t.
Proof. unfold may_transfer, fits. now destruct (get b t) as [| p l]; [| destruct (larger s (size_of p))]; destruct (square_beq f t). Qed.

Lemma legal_quick_eq v r c b m : legal_quick v r c b m = legal v r c b m.
Proof.
  destruct m as [s q | f t]; unfold legal_quick, legal.
  - rewrite in_hand_quick_eq, may_place_eq. match goal with |- ?x && ?y = _ => now destruct x, y end.
  - unfold shows. destruct (get b f) as [| p l]; [reflexivity |]. rewrite may_transfer_eq.
    now destruct (colour_beq c (colour_of p)), (negb (square_beq f t)).
Qed.
