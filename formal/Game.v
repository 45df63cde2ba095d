(** What is claimed of a game: "White never loses" and "Black forces a line". R7 and R8 are here: whoever is to move has
    to, and play that never ends is no loss. A [Prop] is a statement. An [Inductive] one is true exactly where finitely
    many uses of its rules make it true; what stands before [->] is a premise, and the last part is what follows.
    [forall], [exists], [/\] (and) and [<>] (is not) are those of mathematics. *)
From Gob Require Import Lazy Rules.

Section Game.
Variables (v : variant) (r : reading).                       (* the game that all of this speaks of *)

Inductive state := ToMove (c : colour) (b : board) | Over (winner : colour).

Definition next (c : colour) (o : outcome) : state :=
  match o with Wins w => Over w | GoesOn b => ToMove (opponent c) b end.

(** One legal move. No move leads out of [Over], so none is made once a line stands (R6). *)
Inductive step : state -> state -> Prop :=
  | Step c b m : legal v r c b m = true -> step (ToMove c b) (next c (after r c b m)).

(** * White never loses *)

(** A strategy of White gives a move for each board. One move in a play in which White keeps to it: *)
Inductive follows (answer : board -> move) : state -> state -> Prop :=
  | BlackMoves b m : legal v r Black b m = true -> follows answer (ToMove Black b) (next Black (after r Black b m))
  | WhiteMoves b : legal v r White b (answer b) = true ->
      follows answer (ToMove White b) (next White (after r White b (answer b))).

(** A play of any length, from [s]. *)
Inductive play (answer : board -> move) (s : state) : state -> Prop :=
  | PlayStart : play answer s s
  | PlayOn t u : play answer s t -> follows answer t u -> play answer s u.

(** In every play from [s], of any length, Black has not won, and White's next move is legal. *)
Definition holds_with (answer : board -> move) (s : state) : Prop :=
  forall t, play answer s t ->
    t <> Over Black /\ (forall b, t = ToMove White b -> legal v r White b (answer b) = true).

(** From the empty board White has one strategy that holds. *)
Definition white_never_loses (first : colour) : Prop :=
  exists answer, holds_with answer (ToMove first empty_board).

(** The same without a word on strategies: White can go on for ever. [CoInductive] allows endless use of the rules. *)
CoInductive safe : state -> Prop :=
  | SafeWon : safe (Over White)
  | SafeWhite b m : legal v r White b m = true -> safe (next White (after r White b m)) -> safe (ToMove White b)
  | SafeBlack b : (forall m, legal v r Black b m = true -> safe (next Black (after r Black b m))) ->
      safe (ToMove Black b).

(** * Black wins: Black forces a line in finitely many moves, whatever White does *)

Inductive black_forces : state -> Prop :=
  | ForcesWon : black_forces (Over Black)
  | ForcesBlack b m : legal v r Black b m = true -> black_forces (next Black (after r Black b m)) ->
      black_forces (ToMove Black b)
  | ForcesWhite b : (exists m, legal v r White b m = true) ->      (* R7: White is not stuck *)
      (forall m, legal v r White b m = true -> black_forces (next White (after r White b m))) ->
      black_forces (ToMove White b).

Definition black_wins : Prop := forall first, black_forces (ToMove first empty_board).
Definition white_holds : Prop := forall first, white_never_loses first.

(** A state that some play from the empty board reaches, whoever moves first and however both play. *)
Inductive reachable : state -> Prop :=
  | ReachStart first : reachable (ToMove first empty_board)
  | ReachStep s t : reachable s -> step s t -> reachable t.

End Game.

(** R9 Material, as A, B, C, D of White and of Black. *)
Definition material (w b : nat * nat * nat * nat) : variant := fun c s =>
  let '(nA, nB, nC, nD) := match c with White => w | Black => b end in
  match s with A => nA | B => nB | C => nC | D => nD end.
