(** What one game says of another: with more material of one's own, and under other readings. *)
From Gob Require Import Lazy Rules Game Meaning.

(** [c] has in [w] at least the pieces that it has in [v], and the opponent has the same. *)
Definition more (c : colour) (v w : variant) : Prop :=
  (forall s, v c s <= w c s) /\ forall s, v (opponent c) s = w (opponent c) s.

Lemma legal_same v w r c b m : (forall s, v c s = w c s) -> legal v r c b m = legal w r c b m.
Proof. intros E. destruct m as [s q |]; simpl; [| reflexivity]. unfold in_hand. now rewrite E. Qed.

Lemma legal_more v w r c b m : (forall s, v c s <= w c s) -> legal v r c b m = true -> legal w r c b m = true.
Proof.
  intros LE. destruct m as [s q |]; simpl; [| auto]. unfold in_hand. rewrite !andb_true_iff, !Nat.ltb_lt.
  intros [[L1 L2] L3]. repeat split; auto. now apply Nat.lt_le_trans with (2 := LE s).
Qed.

(** R9: what White holds with some material, White holds with more, in every reading. *)
Theorem more_white_holds v w r : more White v w -> white_holds v r -> white_holds w r.
Proof.
  intros [LE EQ] H first. destruct (H first) as (answer & A). exists answer.
  assert (P : forall t, play w r answer (ToMove first empty_board) t -> play v r answer (ToMove first empty_board) t).
  { intros t P. induction P as [| t u P IH F]; [constructor |]. apply PlayOn with t; [exact IH |].
    destruct F as [b m L | b L]; constructor.
    - rewrite (legal_same v w); [exact L | exact EQ].
    - now apply (A _ IH). }
  intros t Pt. destruct (A t (P t Pt)) as [NB W]. split; [exact NB |].
  intros b E. apply legal_more with v; auto.
Qed.

(** The same of Black's winning. *)
Theorem more_black_wins v w r : more Black v w -> black_wins v r -> black_wins w r.
Proof.
  intros [LE EQ] H first. specialize (H first).
  induction H as [| b m L F IH | b (m & L) F IH].
  - apply ForcesWon.
  - apply ForcesBlack with m; [apply legal_more with v; auto | exact IH].
  - apply ForcesWhite.
    + exists m. rewrite <- (legal_same v w); [exact L | exact EQ].
    + intros m' L'. apply IH. rewrite (legal_same v w); [exact L' | exact EQ].
Qed.

(** What White holds under [Robust], White holds under every reading. *)

Lemma legal_robust_white v r b m : legal v Robust White b m = true -> legal v r White b m = true.
Proof.
  destruct m as [s q |]; simpl; [| auto]. destruct (get b q), (in_hand v White s b); simpl; auto; discriminate.
Qed.

Lemma legal_robust_black v r b m : legal v r Black b m = true -> legal v Robust Black b m = true.
Proof.
  destruct m as [s q |]; simpl; [| auto].
  destruct (get b q), (in_hand v Black s b), r; simpl; auto; discriminate.
Qed.

(** A move that does not win for Black under [Robust] has the same outcome under [r], or wins for White. *)
Lemma after_robust r c b m :
  after Robust c b m = Wins Black \/ after r c b m = Wins White \/ after r c b m = after Robust c b m.
Proof.
  unfold after, judged, opponent. destruct r, c;
    repeat match goal with |- context [if ?x then _ else _] => destruct x end; auto.
Qed.

Theorem robust_holds v : white_holds v Robust -> forall r, white_holds v r.
Proof.
  intros H r first. destruct (H first) as (answer & A). exists answer.
  assert (P : forall t, play v r answer (ToMove first empty_board) t ->
    t = Over White \/ play v Robust answer (ToMove first empty_board) t).
  { intros t P. induction P as [| t u P IH F]; [right; constructor |].
    destruct IH as [-> | IH]; [inversion F |].
    assert (G : forall c b m, play v Robust answer (ToMove first empty_board) (next c (after Robust c b m)) ->
      next c (after r c b m) = Over White \/
      play v Robust answer (ToMove first empty_board) (next c (after r c b m))).
    { intros c b m Q. destruct (after_robust r c b m) as [E | [E | E]].
      - rewrite E in Q. now destruct (A _ Q) as [[] _].
      - left. now rewrite E.
      - right. now rewrite E. }
    destruct F as [b m L | b L]; apply G; apply PlayOn with (1 := IH); constructor.
    - now apply legal_robust_black in L.
    - now apply (A _ IH). }
  intros t Pt. destruct (P t Pt) as [-> | Q]; [split; discriminate |].
  destruct (A t Q) as [NB W]. split; [exact NB |]. intros b E. apply legal_robust_white. auto.
Qed.
