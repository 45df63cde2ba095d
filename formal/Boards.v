(** Tables of boards, and the one image that stands for an orbit. *)
From Gob Require Import Lazy Rules Game Symmetry Quick.

(** * Tables: a tree with a board at the end of each path

    A path is a number in base 16: each digit is written as a square, and the highest comes first. Which board has which
    number comes from outside (Checker.v), so nobody has to search. *)

Definition path := list square.

Inductive table := Nothing | One (b : board) | Sixteen (g : grid table).

Definition nothings : grid table := Eval compute in tab (fun _ => Nothing).

Fixpoint at_path (p : path) (M : table) : option board :=
  match p, M with
  | [], One b => Some b
  | q :: p, Sixteen g => at_path p (get g q)
  | _, _ => None
  end.

Fixpoint insert (p : path) (b : board) (M : table) : table :=
  match p with
  | [] => One b
  | q :: p => let g := match M with Sixteen g => g | _ => nothings end in
      Sixteen (set_quick g q (insert p b (get g q)))
  end.

Lemma at_path_insert p p' b M b' : at_path p (insert p' b M) = Some b' -> b' = b \/ at_path p M = Some b'.
Proof.
  revert p M. induction p' as [| q' p' IH]; intros [| q p] M E; cbn [insert at_path] in E; try discriminate E.
  - injection E as ->. now left.
  - rewrite set_quick_eq, get_set in E. destruct (square_beq_spec q' q) as [<- | N].
    + apply IH in E as [-> | E]; [now left |]. destruct M; cbn [at_path]; auto;
        unfold nothings in E; destruct q', p; discriminate E.
    + right. destruct M; cbn [at_path]; auto; unfold nothings in E; destruct q, p; discriminate E.
Qed.

(** Every board of the table has the property. *)
Definition within (M : table) (P : board -> Prop) : Prop := forall p b, at_path p M = Some b -> P b.

Lemma within_nothing P : within Nothing P.
Proof. intros [| q p] b E; discriminate E. Qed.

Lemma within_insert p b M (P : board -> Prop) : P b -> within M P -> within (insert p b M) P.
Proof. intros Pb PM p' b' E. apply at_path_insert in E as [-> | E]; [exact Pb | now apply PM with p']. Qed.

(** A list of boards, each at the end of its path. *)
Definition build (place : board -> path) (l : list board) : table :=
  fold_left (fun M b => insert (place b) b M) l Nothing.

Lemma within_build place l : within (build place l) (fun b => In b l).
Proof.
  unfold build. assert (H : forall l' M, within M (fun b => In b l) -> (forall b, In b l' -> In b l) ->
    within (fold_left (fun M b => insert (place b) b M) l' M) (fun b => In b l)).
  { induction l' as [| b l' IH]; simpl; intros M PM PL; auto. apply IH; [apply within_insert |]; auto. }
  apply H; [apply within_nothing | auto].
Qed.

(** * Equality *)

Fixpoint stack_beq (l m : stack) : bool :=
  match l, m with
  | [], [] => true
  | Piece c s :: l, Piece c' s' :: m => colour_beq c c' && (size_beq s s' && stack_beq l m)
  | _, _ => false
  end.

Lemma stack_beq_eq l m : stack_beq l m = true <-> l = m.
Proof.
  revert m. induction l as [| [c s] l IH]; intros [| [c' s'] m]; cbn [stack_beq]; try easy.
  rewrite !andb_true_iff, IH. split.
  - intros (C & S & ->). now rewrite (internal_colour_dec_bl _ _ C), (internal_size_dec_bl _ _ S).
  - intros [= -> -> ->]. now destruct c', s'.
Qed.

Definition board_beq (b b' : board) : bool := forallb (fun q => stack_beq (get b q) (get b' q)) squares.

Lemma board_beq_eq b b' : board_beq b b' = true <-> b = b'.
Proof.
  unfold board_beq. rewrite forallb_forall. split.
  - intros H. apply grid_ext. intros q. apply stack_beq_eq, H, in_squares.
  - intros -> q _. now apply stack_beq_eq.
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

(** Whether [b'] is that image, without making it. *)
Definition symmetry_squares : list (list square) := Eval vm_compute in map (fun g => map (get g) squares) symmetries.

Definition is_image (n : nat) (b b' : board) : bool :=
  let (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4) := b' in
  match nth n symmetry_squares squares with
  | [q0; q1; q2; q3; q4; q5; q6; q7; q8; q9; q10; q11; q12; q13; q14; q15] =>
      stack_beq (get b q0) xa1 && (stack_beq (get b q1) xb1 && (stack_beq (get b q2) xc1 && (stack_beq (get b q3) xd1 &&
      (stack_beq (get b q4) xa2 && (stack_beq (get b q5) xb2 && (stack_beq (get b q6) xc2 && (stack_beq (get b q7) xd2 &&
      (stack_beq (get b q8) xa3 && (stack_beq (get b q9) xb3 && (stack_beq (get b q10) xc3 && (stack_beq (get b q11) xd3 &&
      (stack_beq (get b q12) xa4 && (stack_beq (get b q13) xb4 && (stack_beq (get b q14) xc4 && stack_beq (get b q15) xd4
      ))))))))))))))
  | _ => false
  end.

Lemma is_image_eq n b b' : is_image n b b' = true -> b' = image n b.
Proof.
  assert (Q : nth n symmetry_squares squares = map (get (nth n symmetries identity)) squares).
  { rewrite <- (map_nth (fun g => map (get g) squares)). reflexivity. }
  unfold is_image, image. rewrite Q. generalize (nth n symmetries identity) as g. intros g. clear Q n.
  destruct b'. cbn [map squares]. rewrite !andb_true_iff. intros E.
  repeat match type of E with _ /\ _ => let H := fresh "H" in destruct E as [H E]; apply stack_beq_eq in H end.
  apply stack_beq_eq in E. unfold permuted, tab. now subst.
Qed.

Lemma symmetry_in n : In (nth n symmetries identity) symmetries.
Proof.
  destruct (nth_in_or_default n symmetries identity) as [I | E]; [exact I |].
  rewrite E. left. reflexivity.
Qed.
