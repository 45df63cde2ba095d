(** Why the conditions K4 and K5 are enough for a closure, and K6 and K7 for a refutation. *)
From Gob Require Import Lazy Rules Game Meaning.

Section Closure.
Variables (v : variant) (r : reading).
Variable S : board -> bool.                                  (* the positions with Black to move *)

(** White has won, or play goes on into S. *)
Definition good (o : outcome) : bool :=
  match o with Wins White => true | Wins Black => false | GoesOn b => S b end.

Definition answered (b : board) : Prop :=
  exists m, legal v r White b m = true /\ good (after r White b m) = true.

Definition K4 : Prop := S empty_board = true /\ answered empty_board.

Definition K5_at (b : board) : Prop :=
  forall m, legal v r Black b m = true ->
    match after r Black b m with Wins White => True | Wins Black => False | GoesOn b' => answered b' end.

Definition K5 : Prop := forall b, S b = true -> K5_at b.

(** White's strategy: the first move of the list that wins or goes on into S. *)
Definition answer (b : board) : move :=
  match find (fun m => legal v r White b m && good (after r White b m)) all_moves with
  | Some m => m
  | None => Place A a1
  end.

Lemma answer_good b : answered b ->
  legal v r White b (answer b) = true /\ good (after r White b (answer b)) = true.
Proof.
  intros (m & L & G). unfold answer.
  destruct (find _ all_moves) as [m' |] eqn:E.
  - apply find_some in E as [_ E]. now apply andb_true_iff in E.
  - pose proof (find_none _ _ E m (all_moves_complete m)) as H. cbv beta in H. now rewrite L, G in H.
Qed.

(** What holds of every state of a play in which White keeps to it. *)
Definition fine (s : state) : Prop :=
  match s with
  | Over w => w = White
  | ToMove Black b => S b = true
  | ToMove White b => answered b
  end.

Lemma fine_play s t : K5 -> fine s -> play v r answer s t -> fine t.
Proof.
  intros HK5 F P. induction P as [| t u P IH Q]; auto. destruct Q as [b m L | b L]; simpl in IH.
  - specialize (HK5 b IH m L). destruct (after r Black b m) as [[] | b']; simpl in *; easy.
  - apply answer_good in IH as [_ G]. destruct (after r White b (answer b)) as [[] | b']; simpl in *; easy.
Qed.

Theorem closure_holds : K4 -> K5 -> white_holds v r.
Proof.
  intros [E A] HK5 first. exists answer. intros t P.
  assert (F : fine (ToMove first empty_board)) by (destruct first; assumption).
  pose proof (fine_play _ _ HK5 F P) as Ft. split.
  - intros ->. discriminate Ft.
  - intros b' ->. now apply answer_good.
Qed.

End Closure.

Section Refutation.
Variables (v : variant) (r : reading).
Variables (R : board -> Prop) (earlier : board -> board -> Prop).
Hypothesis earlier_wf : well_founded earlier.                (* there is no endless way back *)

(** Black has a move that wins or leads to a position of which [T] holds. *)
Definition punished (T : board -> Prop) (b : board) : Prop :=
  exists m, legal v r Black b m = true /\
    match after r Black b m with Wins Black => True | Wins White => False | GoesOn b' => T b' end.

Definition K6 : Prop := R empty_board /\ punished R empty_board.

Definition K7_at (T : board -> Prop) (b : board) : Prop :=
  (exists m, legal v r White b m = true) /\
  forall m, legal v r White b m = true ->
    match after r White b m with Wins White => False | Wins Black => True | GoesOn b' => punished T b' end.

Definition K7 : Prop := forall b, R b -> K7_at (fun b' => R b' /\ earlier b' b) b.

Lemma punished_weaken (T U : board -> Prop) b : (forall b', T b' -> U b') -> punished T b -> punished U b.
Proof.
  intros TU (m & L & H). exists m. split; auto. destruct (after r Black b m) as [[] | b']; auto.
Qed.

Lemma K7_at_weaken (T U : board -> Prop) b : (forall b', T b' -> U b') -> K7_at T b -> K7_at U b.
Proof.
  intros TU [E H]. split; [assumption |]. intros m L. specialize (H m L).
  destruct (after r White b m) as [[] | b']; auto. now apply punished_weaken with T.
Qed.

Lemma punished_forces b : punished (fun b' => black_forces v r (ToMove White b')) b ->
  black_forces v r (ToMove Black b).
Proof.
  intros (m & L & H). apply ForcesBlack with m; [assumption |].
  destruct (after r Black b m) as [[] | b']; simpl; [easy | apply ForcesWon | assumption].
Qed.

(** What is needed of the positions that come earlier is only that Black wins from them. *)
Lemma K7_forces b : K7_at (fun b' => black_forces v r (ToMove White b')) b -> black_forces v r (ToMove White b).
Proof.
  intros [E H]. apply ForcesWhite; [assumption |]. intros m L. specialize (H m L).
  destruct (after r White b m) as [[] | b']; simpl; [easy | apply ForcesWon | now apply punished_forces].
Qed.

Theorem refutation_wins : K6 -> K7 -> black_wins v r.
Proof.
  intros [E P] HK7 first.
  assert (F : forall b, R b -> black_forces v r (ToMove White b)).
  { intros b. induction b as [b IH] using (well_founded_ind earlier_wf). intros Rb.
    apply K7_forces. apply K7_at_weaken with (2 := HK7 b Rb). intros b' [R' E']. now apply IH. }
  destruct first; [now apply F |]. apply punished_forces. now apply punished_weaken with R.
Qed.

End Refutation.
