(** What the definitions of Game.v mean for each other: strategies, safe states, infinite plays, forced wins. *)
From Gob Require Import Lazy Rules Game.

Section Meaning.
Variables (v : variant) (r : reading).

(** A strategy that holds from a state makes it safe. *)
Theorem holds_safe answer s : holds_with v r answer s -> safe v r s.
Proof.
  intros H.
  assert (K : forall t, play v r answer s t -> safe v r t).
  { cofix SELF. intros t P. destruct (H t P) as [NB W]. destruct t as [[] b | w].
    - apply SafeWhite with (answer b); [auto |]. apply SELF. eapply PlayOn; [exact P |]. constructor. auto.
    - apply SafeBlack. intros m L. apply SELF. eapply PlayOn; [exact P |]. now constructor.
    - destruct w; [apply SafeWon | now elim NB]. }
  apply K, PlayStart.
Qed.

(** A set of states that White never has to leave and that holds no win of Black. *)
Definition never_left (P : state -> Prop) : Prop :=
  forall s, P s ->
    match s with
    | Over w => w = White
    | ToMove White b => exists m, legal v r White b m = true /\ P (next White (after r White b m))
    | ToMove Black b => forall m, legal v r Black b m = true -> P (next Black (after r Black b m))
    end.

(** A state is safe exactly if it lies in such a set. *)
Theorem safe_iff s : safe v r s <-> exists P, never_left P /\ P s.
Proof.
  split.
  - intros H. exists (safe v r). split; [| exact H]. clear s H. intros s H.
    destruct H as [| b m L H | b H]; [reflexivity | exists m; auto | exact H].
  - intros (P & N & Ps). revert s Ps. cofix SELF. intros s Ps. pose proof (N s Ps) as H.
    destruct s as [[] b | w].
    + destruct H as (m & L & H). apply SafeWhite with m; [exact L | now apply SELF].
    + apply SafeBlack. intros m L. apply SELF. now apply H.
    + subst w. apply SafeWon.
Qed.

(** R8: no play that goes on for ever is lost at any of its moments. *)
Theorem infinite_plays answer s (f : nat -> state) : holds_with v r answer s -> f 0 = s ->
  (forall n, follows v r answer (f n) (f (S n))) -> forall n, f n <> Over Black.
Proof.
  intros H F0 Fs n. apply H. induction n as [| n IH]; [rewrite F0; apply PlayStart |].
  apply PlayOn with (f n); auto.
Qed.

(** White and Black cannot both be right. *)
Theorem not_both s : safe v r s -> black_forces v r s -> False.
Proof.
  intros H F. revert H. induction F as [| b m L F IH | b E F IH]; intros H; inversion H; subst; eauto.
Qed.

Corollary white_holds_refutes : white_holds v r -> ~ black_wins v r.
Proof.
  intros H F. destruct (H White) as (answer & A). exact (not_both _ (holds_safe _ _ A) (F White)).
Qed.

End Meaning.

(** Every move that there can be, legal or not. *)
Definition all_moves : list move :=
  flat_map (fun s => map (Place s) squares) [A; B; C; D] ++
  flat_map (fun f => map (Transfer f) squares) squares.

Lemma all_moves_complete m : In m all_moves.
Proof.
  unfold all_moves. rewrite in_app_iff, !in_flat_map. destruct m as [s q | f t].
  - left. exists s. split; [destruct s; simpl; tauto |]. apply in_map. destruct q; simpl; tauto.
  - right. exists f. split; [destruct f; simpl; tauto |]. apply in_map. destruct t; simpl; tauto.
Qed.
