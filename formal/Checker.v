(** The check of a closure and of a refutation as programs, and the proof that what they accept is true. A list stands
    for the set of all images of its positions. *)
From Coq Require Import PArith.
From Gob Require Import Lazy Rules Game Meaning Conditions Symmetry Boards Quick.

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

(** * Hints: which replies to try, in which order, and which symmetry leads to the listed image. They come from
    anywhere, and nothing is assumed of them: a bad hint can only make a check fail. *)

Record hints := Hints { replies : board -> list move; symmetry_to_listed : board -> nat }.

Section Check.
Variables (v : variant) (r : reading) (h : hints).

(** Whether the set has the image of [b] that the hint names. *)
Definition listed (M : tree) (b : board) : bool := mem (image_key (symmetry_to_listed h b) b) M.

(** [c] has a legal reply that wins or leads to a listed position. *)
Definition replied (M : tree) (c : colour) (b : board) : bool :=
  existsb (fun m => legal_quick v r c b m &&
    match after_quick r c b m with Wins w => colour_beq c w | GoesOn b' => listed M b' end) (replies h b).

(** From [b] no move of [c] wins, and to each that goes on there is a reply. *)
Definition all_replied (M : tree) (c : colour) (b : board) : bool :=
  forallb (fun m =>
    match after_quick r c b m with Wins w => negb (colour_beq c w) | GoesOn b' => replied M (opponent c) b' end)
    (moves v r c b).

(** What is asked of each listed position by itself. *)
Definition well_listed (b : board) : bool := is_canonical b && negb (has_line White b) && negb (has_line Black b).

(** The empty board is listed, and whoever moves second there has a first move to a listed position. *)
Definition begins (M : tree) (c : colour) : bool := listed M empty_board && replied M c empty_board.

Definition check_closure (l : list board) : bool :=
  let M := build l in
  forallb well_listed l && begins M White && forallb (all_replied M Black) l.

(** One round of the search for the order that K7 asks for: what follows is added, the rest is left. The last part of
    the result is whether anything was added. *)
Fixpoint one_round (M : tree) (l rest : list board) (added : bool) : tree * list board * bool :=
  match l with
  | [] => (M, rest, added)
  | b :: l =>
      if all_replied M White b then one_round (insert b M) l rest true else one_round M l (b :: rest) added
  end.

(** Rounds until nothing is left, or nothing follows any more. Each adds a position, so a round for each is enough. *)
Fixpoint rounds (turns : list board) (M : tree) (l : list board) : option tree :=
  match l, turns with
  | [], _ => Some M
  | _, [] => None
  | _, _ :: turns => match one_round M l [] false with (M, rest, added) => if added then rounds turns M rest else None end
  end.

(** [l] in any order. With the order of K7 one round is enough. *)
Definition check_refutation (l : list board) : bool :=
  forallb well_listed l && forallb (fun b => existsb (fun _ => true) (moves v r White b)) l &&
  match rounds l Empty l with
  | Some M => begins M Black
  | None => false
  end.
End Check.

Opaque symmetries.

(** * What an accepted closure proves *)

Section Closure.
Variables (v : variant) (r : reading) (h : hints).

(** The set that is closed: all boards of which the list has an image. *)
Definition all_images (M : tree) (b : board) : bool := existsb (fun g => member (permuted g b) M) symmetries.
Arguments all_images : simpl never.

Lemma listed_all_images M b : listed h M b = true -> all_images M b = true.
Proof.
  unfold listed. rewrite image_key_eq. intros E. unfold all_images. apply existsb_exists. exists (nth (symmetry_to_listed h b) symmetries identity).
  split; [apply symmetry_in | exact E].
Qed.

Lemma all_images_on M g b : In g symmetries -> all_images M (permuted g b) = true -> all_images M b = true.
Proof.
  unfold all_images. rewrite !existsb_exists. intros I (k & J & E). rewrite permuted_permuted in E.
  exists (permuted k g). split; [now apply symmetries_closed | assumption].
Qed.

Lemma replied_answered M b : replied v r h M White b = true -> answered v r (all_images M) b.
Proof.
  unfold replied. intros E. apply existsb_exists in E as (m & _ & E). apply andb_true_iff in E as [L E].
  rewrite legal_quick_eq in L. rewrite after_quick_eq in E. exists m. split; [exact L |].
  destruct (after r White b m) as [[] | b']; simpl in *; auto. now apply listed_all_images.
Qed.

Lemma all_replied_K5 M b : all_replied v r h M Black b = true -> K5_at v r (all_images M) b.
Proof.
  unfold all_replied. rewrite forallb_forall. intros H m L. apply moves_legal in L. specialize (H m L). rewrite after_quick_eq in H.
  destruct (after r Black b m) as [[] | b']; simpl in *; try easy. now apply replied_answered.
Qed.

(** K5 holds at a position if it holds at an image of it. *)
Lemma K5_on M g b : In g symmetries -> K5_at v r (all_images M) (permuted g b) -> K5_at v r (all_images M) b.
Proof.
  intros I H m L. destruct (symmetries_symmetric g I) as (k & J & Sym).
  pose proof (symmetric_swap _ _ Sym) as Sym'.
  specialize (H (move_on k m)).
  rewrite (legal_on g k Sym), (after_on g k Sym), (move_on_inverse k g m (proj1 Sym')) in H.
  specialize (H L). destruct (after r Black b m) as [[] | b']; simpl in *; auto.
  destruct H as (m' & L' & G). exists (move_on g m'). rewrite (legal_on g k Sym) in L'. split; auto.
  rewrite (after_on g k Sym) in G.
  revert G. generalize (after r White b' (move_on g m')). clear - I. intros [[] | b''] G; [exact G | exact G |].
  exact (all_images_on M g b'' I G).
Qed.

Theorem check_closure_sound l : check_closure v r h l = true -> white_holds v r.
Proof.
  unfold check_closure. set (M := build l). rewrite !andb_true_iff. intros [[_ B] H5].
  assert (W : within M (K5_at v r (all_images M))).
  { apply within_build. rewrite forallb_forall in H5. intros b I. now apply all_replied_K5, H5. }
  clearbody M. apply closure_holds with (S := all_images M).
  - revert B. unfold begins, K4. generalize empty_board as e. intros e B. apply andb_true_iff in B as [E B].
    split; [exact (listed_all_images M e E) | exact (replied_answered M e B)].
  - intros b Sb. unfold all_images in Sb. apply existsb_exists in Sb as (g & I & E).
    apply K5_on with g; auto.
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

Lemma listed_forced M b : within M forced -> listed h M b = true -> forced b.
Proof.
  unfold listed. rewrite image_key_eq. intros W E. apply forced_on with (nth (symmetry_to_listed h b) symmetries identity); [apply symmetry_in |].
  now apply W.
Qed.

Lemma replied_punished M b : within M forced -> replied v r h M Black b = true -> punished v r forced b.
Proof.
  intros W. unfold replied. intros E. apply existsb_exists in E as (m & _ & E). apply andb_true_iff in E as [L E].
  rewrite legal_quick_eq in L. rewrite after_quick_eq in E. exists m. split; [exact L |].
  destruct (after r Black b m) as [[] | b']; simpl in *; try easy. now apply listed_forced with M.
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
    + apply IH with (insert b M) rest true added'; auto. apply within_insert; auto.
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
  destruct (rounds v r h l Empty l) as [M |] eqn:O; [| discriminate B].
  assert (W : within M forced).
  { apply rounds_forced with l Empty l; [| apply within_empty | exact O].
    rewrite forallb_forall in C. intros b I. specialize (C b I). apply existsb_exists in C as (m & J & _).
    exists m. now apply moves_legal in J. }
  unfold begins in B. revert B. unfold black_wins. generalize empty_board as e. intros e B.
  apply andb_true_iff in B as [E B]. intros [].
  - exact (listed_forced M e W E).
  - exact (punished_forces v r e (replied_punished M e W B)).
Qed.

End Refutation.
