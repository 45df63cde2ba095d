(** The check of a closure and of a refutation as programs, and the proof that what they accept is true. A list stands
    for the set of all images of its positions. *)
From Gob Require Import Lazy Rules Game Meaning Conditions Symmetry Quick Boards.

(** * The legal moves, piece by piece *)

Definition sizes : list size := [A; B; C; D].

Definition moves (v : variant) (r : reading) (c : colour) (b : board) : list move :=
  flat_map (fun s =>
    if in_hand_quick v c s b then map (Place s) (filter (may_place r c s b) squares) else []) sizes ++
  flat_map (fun f =>
    match get b f with
    | [] => []
    | p :: _ =>
        if colour_beq c (colour_of p) then map (Transfer f) (filter (may_transfer (size_of p) f b) squares) else []
    end) squares.

Lemma moves_legal v r c b m : In m (moves v r c b) <-> legal v r c b m = true.
Proof.
  rewrite <- legal_quick_eq. unfold moves. rewrite in_app_iff, !in_flat_map. split.
  - intros [(s & _ & I) | (f & _ & I)].
    + destruct (in_hand_quick v c s b) eqn:H; [| elim I]. apply in_map_iff in I as (q & <- & I).
      apply filter_In in I as [_ I]. cbn [legal_quick]. now rewrite I.
    + destruct (get b f) as [| p l] eqn:G; [elim I |]. destruct (colour_beq c (colour_of p)) eqn:E; [| elim I].
      apply in_map_iff in I as (t & <- & I). apply filter_In in I as [_ I]. cbn [legal_quick]. now rewrite G, E.
  - destruct m as [s q | f t]; intros L; cbn [legal_quick] in L.
    + left. exists s. apply andb_true_iff in L as [L ->]. split; [destruct s; simpl; tauto |].
      apply in_map, filter_In. split; [apply in_squares | exact L].
    + right. exists f. split; [apply in_squares |]. destruct (get b f) as [| p l]; [discriminate L |].
      apply andb_true_iff in L as [-> L]. apply in_map, filter_In. split; [apply in_squares | exact L].
Qed.

(** * Hints: which number each listed position has, and which replies to try. A reply comes with the symmetry that leads
    from the position after it to a listed one, and with the number of that one. Hints come from anywhere, and nothing is
    assumed of them: a bad hint can only make a check fail. *)

Record hints := Hints { place : board -> path; replies : board -> list (move * (nat * path)) }.

Section Check.
Variables (v : variant) (r : reading) (h : hints).

(** Whether the table has an image of [b] where the hint says. *)
Definition listed (M : table) (b : board) (hint : nat * path) : bool :=
  let (n, p) := hint in match at_path p M with Some b' => is_image n b b' | None => false end.

(** [c] has a legal reply that wins or leads to a listed position. *)
Definition replied (M : table) (c : colour) (b : board) : bool :=
  existsb (fun reply : move * (nat * path) => let (m, hint) := reply in legal_quick v r c b m &&
    match after_quick r c b m with Wins w => colour_beq c w | GoesOn b' => listed M b' hint end) (replies h b).

(** From [b] no move of [c] wins, and to each that goes on there is a reply. *)
Definition all_replied (M : table) (c : colour) (b : board) : bool :=
  forallb (fun m =>
    match after_quick r c b m with Wins w => negb (colour_beq c w) | GoesOn b' => replied M (opponent c) b' end)
    (moves v r c b).

(** What is asked of each listed position by itself. *)
Definition well_listed (b : board) : bool := is_canonical b && negb (has_line White b) && negb (has_line Black b).

(** The empty board is listed, and whoever moves second there has a first move to a listed position. *)
Definition begins (M : table) (c : colour) : bool := listed M empty_board (0, place h empty_board) && replied M c empty_board.

Definition check_closure (l : list board) : bool :=
  let M := build (place h) l in
  forallb well_listed l && begins M White && forallb (all_replied M Black) l.

(** One round of the search for the order that K7 asks for: what follows is added, the rest is left. The last part of
    the result is whether anything was added. *)
Fixpoint one_round (M : table) (l rest : list board) (added : bool) : table * list board * bool :=
  match l with
  | [] => (M, rest, added)
  | b :: l =>
      if all_replied M White b then one_round (insert (place h b) b M) l rest true else one_round M l (b :: rest) added
  end.

(** Rounds until nothing is left, or nothing follows any more. Each adds a position, so a round for each is enough. *)
Fixpoint rounds (turns : list board) (M : table) (l : list board) : option table :=
  match l, turns with
  | [], _ => Some M
  | _, [] => None
  | _, _ :: turns => match one_round M l [] false with (M, rest, added) => if added then rounds turns M rest else None end
  end.

(** [l] in any order. With the order of K7 one round is enough. *)
Definition check_refutation (l : list board) : bool :=
  forallb well_listed l && forallb (fun b => existsb (fun _ => true) (moves v r White b)) l &&
  match rounds l Nothing l with
  | Some M => begins M Black
  | None => false
  end.
End Check.

Opaque symmetries.

(** * What an accepted closure proves *)

Section Closure.
Variables (v : variant) (r : reading) (h : hints).

(** The set that is closed: all boards of which the list has an image. *)
Definition all_images (l : list board) (b : board) : bool :=
  existsb (fun g => existsb (board_beq (permuted g b)) l) symmetries.
Arguments all_images : simpl never.

Lemma all_images_in l b : all_images l b = true <-> exists g, In g symmetries /\ In (permuted g b) l.
Proof.
  unfold all_images. rewrite existsb_exists. split; intros (g & I & E); exists g; (split; [exact I |]).
  - apply existsb_exists in E as (b' & J & E). apply board_beq_eq in E. now rewrite E.
  - apply existsb_exists. exists (permuted g b). split; [exact E | now apply board_beq_eq].
Qed.

Lemma listed_all_images l M b hint : within M (fun b => In b l) -> listed M b hint = true -> all_images l b = true.
Proof.
  destruct hint as [n p]. unfold listed. intros W E. destruct (at_path p M) as [b' |] eqn:F; [| discriminate E].
  apply is_image_eq in E. subst b'. apply all_images_in. exists (nth n symmetries identity).
  split; [apply symmetry_in | exact (W p _ F)].
Qed.

Lemma all_images_on l g b : In g symmetries -> all_images l (permuted g b) = true -> all_images l b = true.
Proof.
  rewrite !all_images_in. intros I (k & J & E). rewrite permuted_permuted in E.
  exists (permuted k g). split; [now apply symmetries_closed | assumption].
Qed.

Lemma replied_answered l M b : within M (fun b => In b l) ->
  replied v r h M White b = true -> answered v r (all_images l) b.
Proof.
  unfold replied. intros W E. apply existsb_exists in E as ([m hint] & _ & E). apply andb_true_iff in E as [L E].
  rewrite legal_quick_eq in L. rewrite after_quick_eq in E. exists m. split; [exact L |].
  destruct (after r White b m) as [[] | b']; simpl in *; auto. now apply listed_all_images with M hint.
Qed.

Lemma all_replied_K5 l M b : within M (fun b => In b l) ->
  all_replied v r h M Black b = true -> K5_at v r (all_images l) b.
Proof.
  unfold all_replied. rewrite forallb_forall. intros W H m L. apply moves_legal in L. specialize (H m L).
  rewrite after_quick_eq in H.
  destruct (after r Black b m) as [[] | b']; simpl in *; try easy. now apply replied_answered with M.
Qed.

(** K5 holds at a position if it holds at an image of it. *)
Lemma K5_on l g b : In g symmetries -> K5_at v r (all_images l) (permuted g b) -> K5_at v r (all_images l) b.
Proof.
  intros I H m L. destruct (symmetries_symmetric g I) as (k & J & Sym).
  pose proof (symmetric_swap _ _ Sym) as Sym'.
  specialize (H (move_on k m)).
  rewrite (legal_on g k Sym), (after_on g k Sym), (move_on_inverse k g m (proj1 Sym')) in H.
  specialize (H L). destruct (after r Black b m) as [[] | b']; simpl in *; auto.
  destruct H as (m' & L' & G). exists (move_on g m'). rewrite (legal_on g k Sym) in L'. split; auto.
  rewrite (after_on g k Sym) in G.
  revert G. generalize (after r White b' (move_on g m')). clear - I. intros [[] | b''] G; [exact G | exact G |].
  exact (all_images_on l g b'' I G).
Qed.

Theorem check_closure_sound l : check_closure v r h l = true -> white_holds v r.
Proof.
  unfold check_closure. pose proof (within_build (place h) l) as W. set (M := build (place h) l) in *.
  rewrite !andb_true_iff. intros [[_ B] H5]. rewrite forallb_forall in H5. clearbody M.
  apply closure_holds with (S := all_images l).
  - revert B. unfold begins, K4. generalize empty_board as e. intros e B. apply andb_true_iff in B as [E B].
    split; [exact (listed_all_images l M e _ W E) | exact (replied_answered l M e W B)].
  - intros b Sb. apply all_images_in in Sb as (g & I & J). apply K5_on with g; [exact I |].
    apply all_replied_K5 with M; auto.
Qed.

End Closure.

(** * What an accepted refutation proves *)

Section Refutation.
Variables (v : variant) (r : reading) (h : hints).

Definition forced (b : board) : Prop := black_forces v r (ToMove White b).

Definition state_on (g : grid square) (s : state) : state :=
  match s with Over c => Over c | ToMove c b => ToMove c (permuted g b) end.

Lemma next_on g c o : next c (outcome_on g o) = state_on g (next c o).
Proof. now destruct o. Qed.

(** Black forces a line from the image of a state from which Black forces one. *)
Lemma black_forces_on g k s : symmetric g k -> black_forces v r s -> black_forces v r (state_on g s).
Proof.
  intros Sym F. pose proof (symmetric_swap _ _ Sym) as Sym'.
  pose proof (fun m => move_on_inverse k g m (proj1 Sym')) as Inv.
  induction F as [| b m L F IH | b [m0 L0] F IH]; simpl in *.
  - apply ForcesWon.
  - apply ForcesBlack with (move_on k m).
    + now rewrite (legal_on g k Sym), Inv.
    + now rewrite (after_on g k Sym), Inv, next_on.
  - apply ForcesWhite.
    + exists (move_on k m0). now rewrite (legal_on g k Sym), Inv.
    + intros m L. rewrite (legal_on g k Sym) in L. rewrite (after_on g k Sym), next_on. now apply IH.
Qed.

Lemma forced_on g b : In g symmetries -> forced (permuted g b) -> forced b.
Proof.
  intros I F. destruct (symmetries_symmetric g I) as (k & _ & Sym).
  apply (black_forces_on k g) in F; [| now apply symmetric_swap]. simpl in F.
  now rewrite (permuted_inverse k g b (proj1 (symmetric_swap _ _ Sym))) in F.
Qed.

Lemma listed_forced M b hint : within M forced -> listed M b hint = true -> forced b.
Proof.
  destruct hint as [n p]. unfold listed. intros W E. destruct (at_path p M) as [b' |] eqn:F; [| discriminate E].
  apply is_image_eq in E. subst b'. apply forced_on with (nth n symmetries identity); [apply symmetry_in |].
  exact (W p _ F).
Qed.

Lemma replied_punished M b : within M forced -> replied v r h M Black b = true -> punished v r forced b.
Proof.
  intros W. unfold replied. intros E. apply existsb_exists in E as ([m hint] & _ & E). apply andb_true_iff in E as [L E].
  rewrite legal_quick_eq in L. rewrite after_quick_eq in E. exists m. split; [exact L |].
  destruct (after r Black b m) as [[] | b']; simpl in *; try easy. now apply listed_forced with M hint.
Qed.

Definition can_move (b : board) : Prop := exists m, legal v r White b m = true.

Lemma all_replied_forced M b : can_move b -> within M forced -> all_replied v r h M White b = true -> forced b.
Proof.
  intros E W. unfold all_replied. rewrite forallb_forall. intros H. apply K7_forces. split; [exact E |].
  intros m L. apply moves_legal in L. specialize (H m L). rewrite after_quick_eq in H.
  destruct (after r White b m) as [[] | b']; simpl in *; try easy. now apply replied_punished with M.
Qed.

Lemma one_round_forced l : forall M rest added M' rest' added', (forall b, In b l -> can_move b) ->
  (forall b, In b rest -> can_move b) -> within M forced ->
  one_round v r h M l rest added = (M', rest', added') -> within M' forced /\ forall b, In b rest' -> can_move b.
Proof.
  induction l as [| b l IH]; simpl; intros M rest added M' rest' added' Cl Cr W E.
  - injection E as <- <- _. auto.
  - destruct (all_replied v r h M White b) eqn:K.
    + apply IH with (insert (place h b) b M) rest true added'; auto. apply within_insert; auto.
      apply all_replied_forced with M; auto.
    + apply IH with M (b :: rest) added added'; auto. intros b' [<- | I]; auto.
Qed.

Lemma rounds_forced turns : forall M l M', (forall b, In b l -> can_move b) -> within M forced ->
  rounds v r h turns M l = Some M' -> within M' forced.
Proof.
  induction turns as [| turn turns IH]; intros M [| b l] M' C W E; cbn [rounds] in E;
    try discriminate E; try now injection E as <-.
  destruct (one_round v r h M (b :: l) [] false) as [[M1 rest] added] eqn:O.
  destruct added; [| discriminate E].
  apply one_round_forced in O as [W1 C1]; [| exact C | intros b' [] | exact W].
  now apply IH with M1 rest.
Qed.

Theorem check_refutation_sound l : check_refutation v r h l = true -> black_wins v r.
Proof.
  unfold check_refutation. rewrite !andb_true_iff. intros [[_ C] B].
  destruct (rounds v r h l Nothing l) as [M |] eqn:O; [| discriminate B].
  assert (W : within M forced).
  { apply rounds_forced with l Nothing l; [| apply within_nothing | exact O].
    rewrite forallb_forall in C. intros b I. specialize (C b I). apply existsb_exists in C as (m & J & _).
    exists m. now apply moves_legal in J. }
  unfold begins in B. revert B. unfold black_wins. generalize empty_board as e. intros e B.
  apply andb_true_iff in B as [E B]. intros [].
  - exact (listed_forced M e _ W E).
  - exact (punished_forces v r e (replied_punished M e W B)).
Qed.

End Refutation.
