(** R7: whoever is to move has to. A side with an A in play always can ([can_always_move]), so for every variant that a
    certificate names it does not matter what would be if not.

    Game.v reads a side that cannot move against whoever claims something. Where White cannot move, White does not hold
    and Black has not won. Where Black cannot move, Black has not won, and White, who has not lost, holds. *)
From Coq Require Import Lia.
From Gob Require Import Lazy Rules Game Symmetry.

(** Pieces of [c] of size [s] in a stack. *)
Definition pieces_in (c : colour) (s : size) (l : stack) : nat := length (filter (piece_is c s) l).

Lemma count_set c s b q l :
  count c s (set b q l) + pieces_in c s (get b q) = count c s b + pieces_in c s l.
Proof. destruct b, q; unfold count, set, tab, get, pieces_in, list_sum; cbn [map squares fold_right square_beq]; lia. Qed.

Lemma pieces_in_cons c s c' s' l :
  pieces_in c s (Piece c' s' :: l) = (if colour_beq c c' && size_beq s s' then 1 else 0) + pieces_in c s l.
Proof. unfold pieces_in, piece_is. cbn [filter colour_of size_of]. destruct c, c', s, s'; reflexivity. Qed.

(** What is so of every board that is reached: each side has at most three pieces of a size and no more than of the next
    larger, and no A is covered. *)
Definition orderly (b : board) : Prop :=
  (forall c, count c A b <= 3 /\ count c B b <= count c A b /\ count c C b <= count c B b /\ count c D b <= count c C b) /\
  forall q, match get b q with [] => True | _ :: l => forall c, pieces_in c A l = 0 end.

Lemma orderly_empty : orderly empty_board.
Proof. split; [intros []; cbv; lia | intros q; unfold empty_board; now rewrite get_tab]. Qed.

Lemma count_put c s b q c' s' :
  count c s (put b q (Piece c' s')) = count c s b + if colour_beq c c' && size_beq s s' then 1 else 0.
Proof. pose proof (count_set c s b q (Piece c' s' :: get b q)) as H. rewrite pieces_in_cons in H. unfold put. lia. Qed.

(** On a square that a piece may move to there is no A. *)
Lemma fits_no_A s b q : orderly b -> fits s b q = true -> forall c, pieces_in c A (get b q) = 0.
Proof.
  intros [_ T] F c. specialize (T q). unfold fits in F. destruct (get b q) as [| [c' s'] l]; [reflexivity |].
  rewrite pieces_in_cons, T. now destruct s, s', c, c'.
Qed.

Lemma tops_set b q l : (forall q', match get b q' with [] => True | _ :: l' => forall c, pieces_in c A l' = 0 end) ->
  match l with [] => True | _ :: l' => forall c, pieces_in c A l' = 0 end ->
  forall q', match get (set b q l) q' with [] => True | _ :: l' => forall c, pieces_in c A l' = 0 end.
Proof. intros T L q'. rewrite get_set. destruct (square_beq q q'); [exact L | exact (T q')]. Qed.

Lemma orderly_moved v r c b m : orderly b -> legal v r c b m = true -> orderly (moved c b m).
Proof.
  intros O L. pose proof O as [N T]. destruct m as [s q | f t]; cbn [legal moved] in *.
  - apply andb_true_iff in L as [H L]. split.
    + intros c'. specialize (N c'). rewrite !count_put. unfold in_hand in H.
      apply andb_true_iff in H as [_ H]. destruct s; apply Nat.ltb_lt in H; destruct c, c'; cbn -[count]; lia.
    + apply tops_set; [exact T |]. intros c'. destruct (get b q) as [| p l] eqn:G; [reflexivity |].
      rewrite <- G. apply andb_true_iff in L as [_ F]. now apply fits_no_A with s.
  - destruct (get b f) as [| [c' s'] l] eqn:G; [exact O |].
    apply andb_true_iff in L as [L F]. apply andb_true_iff in L as [_ D].
    assert (E : get (lifted b f) t = get b t).
    { unfold lifted. rewrite get_set. now destruct (square_beq f t). }
    split.
    + intros c1. specialize (N c1).
      assert (C : forall s, count c1 s (put (lifted b f) t (Piece c' s')) = count c1 s b).
      { intros s. rewrite count_put. pose proof (count_set c1 s b f l) as H. rewrite G, pieces_in_cons in H.
        unfold lifted. rewrite G. cbn [tl]. lia. }
      now rewrite !C.
    + unfold put. rewrite E. apply tops_set.
      * unfold lifted. rewrite G. apply tops_set; [exact T |]. cbn [tl].
        pose proof (T f) as Tf. rewrite G in Tf. destruct l as [| p l]; [exact I |].
        intros c1. specialize (Tf c1). destruct p as [c2 s2]. rewrite pieces_in_cons in Tf. lia.
      * intros c1. now apply fits_no_A with s'.
Qed.

Lemma after_moved r c b m b' : after r c b m = GoesOn b' -> b' = moved c b m.
Proof.
  unfold after, judged. destruct r, c;
    repeat match goal with |- context [if ?x then _ else _] => destruct x end; intros [= E]; now symmetry.
Qed.

Lemma reachable_orderly v r s : reachable v r s -> match s with ToMove _ b => orderly b | Over _ => True end.
Proof.
  intros R. induction R as [first | s t R IH S]; [apply orderly_empty |].
  destruct S as [c b m L]. unfold next. destruct (after r c b m) as [w | b'] eqn:E; [exact I |].
  apply after_moved in E as ->. now apply orderly_moved with v r.
Qed.

(** If [f] fails on fewer than 16 squares, it holds on some square. *)
Lemma some_square (f : square -> bool) n : list_sum (map (fun q => if f q then 0 else 1) squares) <= n -> n < 16 ->
  exists q, f q = true.
Proof.
  intros S H. destruct (existsb f squares) eqn:E.
  - apply existsb_exists in E as (q & _ & E). now exists q.
  - exfalso. assert (K : forall q, f q = false).
    { intros q. destruct (f q) eqn:F; [| reflexivity]. rewrite <- E. symmetry. apply existsb_exists.
      exists q. split; [apply in_squares | exact F]. }
    cbn [map squares] in S. rewrite !K in S. cbn in S. lia.
Qed.

Lemma list_sum_le {T} (f g : T -> nat) l : (forall x, f x <= g x) -> list_sum (map f l) <= list_sum (map g l).
Proof. intros H. unfold list_sum. induction l as [| x l IH]; cbn [map fold_right]; [lia |]. specialize (H x). lia. Qed.

Lemma list_sum_add {T} (f g : T -> nat) l : list_sum (map (fun x => f x + g x) l) = list_sum (map f l) + list_sum (map g l).
Proof. unfold list_sum. induction l as [| x l IH]; cbn [map fold_right]; lia. Qed.

(** A side without an A on the board has nothing there, and the other side's pieces cover 12 squares at most. *)
Lemma some_empty c b : orderly b -> count c A b = 0 -> exists q, get b q = [].
Proof.
  intros [N _] Z. pose proof (N c) as Nc. pose proof (N (opponent c)) as No.
  pose (o := opponent c).
  assert (E : exists q, match get b q with [] => true | _ => false end = true).
  { apply some_square with 12; [| lia].
    pose (all q := (pieces_in c A (get b q) + pieces_in c B (get b q) + pieces_in c C (get b q) + pieces_in c D (get b q)) +
      (pieces_in o A (get b q) + pieces_in o B (get b q) + pieces_in o C (get b q) + pieces_in o D (get b q))).
    transitivity (list_sum (map all squares)).
    - apply list_sum_le. intros q. unfold all. destruct (get b q) as [| [c' s'] l]; [lia |].
      rewrite !pieces_in_cons. unfold o. destruct c, c', s'; cbn; lia.
    - unfold all. rewrite !list_sum_add. unfold count in Nc, No, Z. fold o in No. unfold pieces_in. lia. }
  destruct E as [q E]. exists q. now destruct (get b q).
Qed.

(** An A on [f] can move: at most 6 of the other squares show an A. *)
Lemma some_room b f : orderly b -> exists t, square_beq f t = false /\ fits A b t = true.
Proof.
  intros [N T]. pose proof (N White) as NW. pose proof (N Black) as NB.
  assert (E : exists q, negb (square_beq f q) && fits A b q = true).
  { apply some_square with 7; [| lia].
    pose (all q := (pieces_in White A (get b q) + pieces_in Black A (get b q)) + if square_beq f q then 1 else 0).
    transitivity (list_sum (map all squares)).
    - apply list_sum_le. intros q. unfold all, fits. destruct (square_beq f q); cbn; [lia |].
      destruct (get b q) as [| [[] []] l]; cbn; lia.
    - unfold all. rewrite !list_sum_add. unfold count in NW, NB. fold (pieces_in White A).
      assert (F : list_sum (map (fun q => if square_beq f q then 1 else 0) squares) = 1) by (destruct f; reflexivity).
      rewrite F. unfold pieces_in. lia. }
  destruct E as [t E]. apply andb_true_iff in E as [E F]. exists t. split; [| exact F].
  now destruct (square_beq f t).
Qed.

(** An A that is on the board is visible and can move. One that is not is in hand, and some square is empty. *)
Theorem can_always_move v r c b : reachable v r (ToMove c b) -> 1 <= v c A -> exists m, legal v r c b m = true.
Proof.
  intros R V. apply reachable_orderly in R as O. cbv beta iota in O.
  destruct (Nat.eq_dec (count c A b) 0) as [Z | NZ].
  - destruct (some_empty c b O Z) as [q E]. exists (Place A q). cbn [legal].
    rewrite E. unfold in_hand. rewrite Z. now destruct (v c A); [lia |].
  - assert (S : exists f, shows c b f = true /\ exists l, get b f = Piece c A :: l).
    { assert (P : exists f, negb (pieces_in c A (get b f) =? 0) = true).
      { destruct (existsb (fun f => negb (pieces_in c A (get b f) =? 0)) squares) eqn:E.
        - apply existsb_exists in E as (q & _ & E). now exists q.
        - exfalso. apply NZ. unfold count.
          assert (K : forall q, pieces_in c A (get b q) = 0).
          { intros q. destruct (pieces_in c A (get b q) =? 0) eqn:F; [now apply Nat.eqb_eq |].
            assert (X : existsb (fun f => negb (pieces_in c A (get b f) =? 0)) squares = true); [| congruence].
            apply existsb_exists. exists q. split; [apply in_squares | now rewrite F]. }
          unfold pieces_in in K. cbn [map squares]. now rewrite !K. }
      destruct P as [f P]. exists f. destruct O as [_ T]. specialize (T f).
      unfold shows. destruct (get b f) as [| [c' s'] l]; [discriminate P |].
      rewrite pieces_in_cons, T in P. destruct c, c', s'; try discriminate P; split; eauto. }
    destruct S as (f & S & l & G). destruct (some_room b f O) as (t & N & F).
    exists (Transfer f t). cbn [legal]. rewrite S, N, G. exact F.
Qed.

(** So a play in which both sides have an A ends only with a line. *)
Corollary play_goes_on v r s : 1 <= v White A -> 1 <= v Black A -> reachable v r s ->
  (exists w, s = Over w) \/ exists t, step v r s t.
Proof.
  intros W B R. destruct s as [c b | w]; [right | left; now exists w].
  destruct (can_always_move v r c b R) as [m L]; [now destruct c |].
  exists (next c (after r c b m)). now constructor.
Qed.
