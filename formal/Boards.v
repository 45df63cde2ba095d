(** Sets of boards, and the one image that stands for an orbit. *)
From Coq Require Import PArith.
From Gob Require Import Lazy Rules Game Symmetry.

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

Lemma stack_key_injective s s' k k' : stack_key s k = stack_key s' k' -> s = s' /\ k = k'.
Proof.
  revert s'. induction s as [| [c z] s IH]; intros [| [c' z'] s'] E;
    try (destruct c); try (destruct c'); try (destruct z); try (destruct z'); simpl in E; try discriminate E;
    injection E as E; try (now split); apply IH in E as [-> ->]; now split.
Qed.

Lemma key_injective b b' : key b = key b' -> b = b'.
Proof.
  unfold key, squares. cbn [fold_right]. intros E.
  repeat match type of E with stack_key _ _ = stack_key _ _ =>
    let H := fresh "H" in apply stack_key_injective in E as [H E] end.
  apply grid_ext. intros q. destruct q; assumption.
Qed.

(** * Sets of numbers: a tree that branches by bits, down to where one number is left *)

Inductive tree := Empty | One (k : positive) | Branch (zero : tree) (ends : bool) (one : tree).

Fixpoint mem (k : positive) (t : tree) {struct t} : bool :=
  match t with
  | Empty => false
  | One k' => Pos.eqb k k'
  | Branch zero ends one => match k with xH => ends | xO k => mem k zero | xI k => mem k one end
  end.

Fixpoint two (k k' : positive) : tree :=
  match k, k' with
  | xH, xH => One xH
  | xH, xO k | xO k, xH => Branch (One k) true Empty
  | xH, xI k | xI k, xH => Branch Empty true (One k)
  | xO k, xO k' => Branch (two k k') false Empty
  | xI k, xI k' => Branch Empty false (two k k')
  | xO k, xI k' | xI k', xO k => Branch (One k) false (One k')
  end.

Fixpoint add (k : positive) (t : tree) {struct t} : tree :=
  match t with
  | Empty => One k
  | One k' => two k k'
  | Branch zero ends one =>
      match k with
      | xH => Branch zero true one
      | xO k => Branch (add k zero) ends one
      | xI k => Branch zero ends (add k one)
      end
  end.

Lemma mem_two x k k' : mem x (two k k') = Pos.eqb x k || Pos.eqb x k'.
Proof.
  revert x k'. induction k as [k IH | k IH |]; intros [x | x |] [k' | k' |]; simpl; rewrite ?IH;
    repeat match goal with |- context [Pos.eqb ?i ?j] => destruct (Pos.eqb i j) end; reflexivity.
Qed.

Lemma mem_add x k t : mem x (add k t) = Pos.eqb x k || mem x t.
Proof.
  revert x k. induction t as [| k' | zero IHz ends one IHo]; intros x k.
  - simpl. now destruct (Pos.eqb x k).
  - apply mem_two.
  - destruct k, x; simpl; auto.
Qed.

(** * Sets of boards *)

Definition member (b : board) (M : tree) : bool := mem (key b) M.
Definition insert (b : board) (M : tree) : tree := add (key b) M.
Definition build (l : list board) : tree := fold_left (fun M b => insert b M) l Empty.

(** Every board of the set has the property. *)
Definition within (M : tree) (P : board -> Prop) : Prop := forall b, member b M = true -> P b.

Lemma within_empty P : within Empty P.
Proof. intros b E. discriminate E. Qed.

Lemma within_insert b M (P : board -> Prop) : P b -> within M P -> within (insert b M) P.
Proof.
  intros Pb PM b' E. unfold member, insert in E. rewrite mem_add in E. apply orb_true_iff in E as [E | E].
  - apply Pos.eqb_eq, key_injective in E. now subst b'.
  - now apply PM.
Qed.

Lemma within_build l (P : board -> Prop) : (forall b, In b l -> P b) -> within (build l) P.
Proof.
  unfold build. assert (H : forall l M, within M P -> (forall b, In b l -> P b) ->
    within (fold_left (fun M b => insert b M) l M) P).
  { clear l. induction l as [| b l IH]; simpl; intros M PM PL; auto.
    apply IH; [apply within_insert |]; auto. }
  apply H, within_empty.
Qed.

(** * The canonical image

    It is the one of smallest rank (FORMAT.md). Nothing is proven of the order: every image is as good as another. *)

(** The pieces in the order in which ranks count them. A smaller rank has its first difference in a bit 0, from the
    last square to the first. *)
Definition layers : list piece :=
  [ Piece White A; Piece Black A; Piece White B; Piece Black B;
    Piece White C; Piece Black C; Piece White D; Piece Black D ].

Definition last_first : list square :=
  [d4; c4; b4; a4; d3; c3; b3; a3; d2; c2; b2; a2; d1; c1; b1; a1].

Fixpoint differ (has : square -> bool) (g h : grid square) (qs : list square) : comparison :=
  match qs with
  | [] => Eq
  | q :: qs =>
      if has (get g q) then (if has (get h q) then differ has g h qs else Gt)
      else if has (get h q) then Lt else differ has g h qs
  end.

(** Whether the image of [b] under [g] has a smaller rank than that under [h]. *)
Definition image_less (b : board) (g h : grid square) : bool :=
  (fix less (ps : list piece) : bool :=
     match ps with
     | [] => false
     | Piece c s :: ps =>
         match differ (fun q => existsb (piece_is c s) (get b q)) g h last_first with
         | Lt => true
         | Gt => false
         | Eq => less ps
         end
     end) layers.

Definition identity : grid square := tab (fun q => q).

(** Where in the list of symmetries the one to the canonical image is. *)
Definition least_image (b : board) : nat :=
  (fix least (n best : nat) (g : grid square) (l : list (grid square)) : nat :=
     match l with
     | [] => best
     | h :: l => if image_less b h g then least (S n) n h l else least (S n) best g l
     end) 0 0 identity symmetries.

Definition is_canonical (b : board) : bool := forallb (fun g => negb (image_less b g identity)) symmetries.

(** The image of [b] under the symmetry with the number [n]. *)
Definition image (n : nat) (b : board) : board := permuted (nth n symmetries identity) b.

Lemma symmetry_in n : In (nth n symmetries identity) symmetries.
Proof.
  destruct (nth_in_or_default n symmetries identity) as [I | E]; [exact I |].
  rewrite E. left. reflexivity.
Qed.
