(** R1: permutations of the squares that map lines to lines preserve moves and their judgement; the 32 of them. *)
From Coq Require Import Permutation.
From Gob Require Import Lazy Rules Game.

(** * Grids *)

Lemma get_tab {T} (f : square -> T) q : get (tab f) q = f q.
Proof. now destruct q. Qed.

Lemma square_beq_spec q q' : reflect (q = q') (square_beq q q').
Proof. destruct q, q'; simpl; constructor; congruence. Qed.

Lemma get_set {T} (g : grid T) q x q' : get (set g q x) q' = if square_beq q q' then x else get g q'.
Proof. unfold set. now rewrite get_tab. Qed.

Lemma tab_get {T} (g : grid T) : tab (get g) = g.
Proof. now destruct g. Qed.

Lemma tab_ext {T} (f k : square -> T) : (forall q, f q = k q) -> tab f = tab k.
Proof. intros H. unfold tab. now rewrite !H. Qed.

Arguments get {T} g q : simpl never.
Arguments tab {T} f : simpl never.
Arguments set {T} g q x : simpl never.

Lemma grid_ext {T} (g h : grid T) : (forall q, get g q = get h q) -> g = h.
Proof. intros H. rewrite <- (tab_get g), <- (tab_get h). now apply tab_ext. Qed.

Lemma in_squares q : In q squares.
Proof. destruct q; simpl; tauto. Qed.

Lemma nodup_squares : NoDup squares.
Proof. unfold squares. repeat constructor; simpl; intuition discriminate. Qed.

(** * Symmetries *)

Definition inverse (g h : grid square) : Prop :=
  (forall q, get h (get g q) = q) /\ (forall q, get g (get h q) = q).

Definition keeps_lines (g : grid square) : Prop :=
  forall l, In l lines -> exists l', In l' lines /\ Permutation (map (get g) l) l'.

Definition symmetric (g h : grid square) : Prop := inverse g h /\ keeps_lines g /\ keeps_lines h.

Lemma symmetric_swap g h : symmetric g h -> symmetric h g.
Proof. intros ([] & ? & ?). repeat split; auto. Qed.

Definition permuted {T} (g : grid square) (b : grid T) : grid T := tab (fun q => get b (get g q)).

(** The move on [b] that corresponds to the move [m] on [permuted g b]. *)
Definition move_on (g : grid square) (m : move) : move :=
  match m with
  | Place s q => Place s (get g q)
  | Transfer f t => Transfer (get g f) (get g t)
  end.

Lemma get_permuted {T} g (b : grid T) q : get (permuted g b) q = get b (get g q).
Proof. unfold permuted. now rewrite get_tab. Qed.

Lemma permuted_permuted {T} g h (b : grid T) : permuted g (permuted h b) = permuted (permuted g h) b.
Proof. apply grid_ext. intros q. now rewrite !get_permuted. Qed.

Lemma permuted_inverse {T} g h (b : grid T) : inverse g h -> permuted g (permuted h b) = b.
Proof. intros [Hhg _]. apply grid_ext. intros q. now rewrite !get_permuted, Hhg. Qed.

Lemma move_on_inverse g h m : inverse g h -> move_on h (move_on g m) = m.
Proof. intros [Hhg _]. destruct m; simpl; now rewrite ?Hhg. Qed.

Lemma permutation_filter {T} (f : T -> bool) l l' : Permutation l l' -> Permutation (filter f l) (filter f l').
Proof.
  intros P. induction P; simpl.
  - constructor.
  - destruct (f x); [now constructor | assumption].
  - destruct (f x), (f y); try reflexivity. apply perm_swap.
  - now transitivity (filter f l').
Qed.

Lemma permutation_forallb {T} (f : T -> bool) l l' : Permutation l l' -> forallb f l = forallb f l'.
Proof.
  intros P. apply eq_iff_eq_true. rewrite !forallb_forall.
  split; intros H x I; apply H;
    [exact (Permutation_in _ (Permutation_sym P) I) | exact (Permutation_in _ P I)].
Qed.

Lemma permutation_existsb {T} (f : T -> bool) l l' : Permutation l l' -> existsb f l = existsb f l'.
Proof.
  intros P. apply eq_iff_eq_true. rewrite !existsb_exists.
  split; intros (x & I & H); exists x; split; auto;
    [exact (Permutation_in _ P I) | exact (Permutation_in _ (Permutation_sym P) I)].
Qed.

Lemma permutation_list_sum l l' : Permutation l l' -> list_sum l = list_sum l'.
Proof.
  intros P. induction P; simpl; auto; [now rewrite !Nat.add_assoc, (Nat.add_comm y x) | congruence].
Qed.

Section Symmetry.
Variables (g h : grid square).
Hypothesis Sym : symmetric g h.

Let hg q : get h (get g q) = q. Proof. apply Sym. Qed.
Let gh q : get g (get h q) = q. Proof. apply Sym. Qed.

Lemma beq_on q q' : square_beq (get g q) (get g q') = square_beq q q'.
Proof.
  destruct (square_beq_spec q q') as [E | N], (square_beq_spec (get g q) (get g q')) as [E' | N'];
    try reflexivity.
  - elim N'. now rewrite E.
  - elim N. now rewrite <- (hg q), E', hg.
Qed.

Lemma permuted_set {T} (b : grid T) q x : permuted g (set b (get g q) x) = set (permuted g b) q x.
Proof.
  apply grid_ext. intros q'. now rewrite get_permuted, !get_set, get_permuted, beq_on.
Qed.

Lemma squares_on : Permutation (map (get g) squares) squares.
Proof.
  apply NoDup_Permutation; [| apply nodup_squares |].
  - apply FinFun.Injective_map_NoDup; [| apply nodup_squares].
    intros q q' E. now rewrite <- (hg q), E, hg.
  - intros q. split; intros _; [apply in_squares |].
    rewrite in_map_iff. exists (get h q). split; [apply gh | apply in_squares].
Qed.

Lemma shows_on c b q : shows c (permuted g b) q = shows c b (get g q).
Proof. unfold shows. now rewrite get_permuted. Qed.

Lemma fits_on s b q : fits s (permuted g b) q = fits s b (get g q).
Proof. unfold fits. now rewrite get_permuted. Qed.

Lemma count_on c s b : count c s (permuted g b) = count c s b.
Proof.
  unfold count.
  pose (k q := length (filter (piece_is c s) (get b q))).
  transitivity (list_sum (map k (map (get g) squares)));
    [| apply permutation_list_sum, Permutation_map, squares_on].
  now rewrite map_map.
Qed.

Lemma in_hand_on v c s b : in_hand v c s (permuted g b) = in_hand v c s b.
Proof. unfold in_hand. now rewrite !count_on. Qed.

(** What is asked of all lines has the same answer on the permuted board. *)
Lemma lines_on (P : list square -> bool) : (forall l l', Permutation l l' -> P l = P l') ->
  existsb (fun l => P (map (get g) l)) lines = existsb P lines.
Proof.
  intros HP. destruct Sym as (_ & G & H). apply eq_iff_eq_true. rewrite !existsb_exists. split.
  - intros (l & I & E). destruct (G l I) as (l' & I' & Pm). exists l'. split; auto. now rewrite <- (HP _ _ Pm).
  - intros (l & I & E). destruct (H l I) as (l' & I' & Pm). exists l'. split; auto.
    rewrite <- (HP _ _ (Permutation_map (get g) Pm)), map_map.
    rewrite <- E. f_equal. rewrite <- (map_id l) at 2. apply map_ext, gh.
Qed.

Lemma filter_map {T U} (f : U -> bool) (k : T -> U) l :
  length (filter f (map k l)) = length (filter (fun x => f (k x)) l).
Proof. induction l as [| x l IH]; simpl; auto. destruct (f (k x)); simpl; auto. Qed.

Lemma existsb_map {T U} (f : U -> bool) (k : T -> U) l : existsb f (map k l) = existsb (fun x => f (k x)) l.
Proof. induction l as [| x l IH]; [reflexivity |]. cbn [map]. now rewrite !existsb_cons, IH. Qed.

Lemma forallb_map {T U} (f : U -> bool) (k : T -> U) l : forallb f (map k l) = forallb (fun x => f (k x)) l.
Proof. induction l as [| x l IH]; [reflexivity |]. cbn [map]. now rewrite !forallb_cons, IH. Qed.

Lemma existsb_ext {T} (f k : T -> bool) l : (forall x, f x = k x) -> existsb f l = existsb k l.
Proof. intros E. induction l as [| x l IH]; [reflexivity |]. now rewrite !existsb_cons, E, IH. Qed.

Lemma forallb_ext {T} (f k : T -> bool) l : (forall x, f x = k x) -> forallb f l = forallb k l.
Proof. intros E. induction l as [| x l IH]; [reflexivity |]. now rewrite !forallb_cons, E, IH. Qed.

Lemma has_line_on c b : has_line c (permuted g b) = has_line c b.
Proof.
  unfold has_line. rewrite <- (lines_on (fun l => forallb (shows c b) l)).
  - apply existsb_ext. intros l. rewrite forallb_map. apply forallb_ext. intros q. apply shows_on.
  - intros l l'. apply permutation_forallb.
Qed.

Lemma in_three_on c b q : in_three c (permuted g b) q = in_three c b (get g q).
Proof.
  unfold in_three.
  rewrite <- (lines_on (fun l => existsb (square_beq (get g q)) l && (3 <=? length (filter (shows c b) l)))).
  - apply existsb_ext. intros l. rewrite existsb_map, filter_map. apply (f_equal2 andb).
    + apply existsb_ext. intros q'. now rewrite beq_on.
    + do 2 f_equal. apply filter_ext. intros q'. apply shows_on.
  - intros l l' P. now rewrite (permutation_existsb _ _ _ P), (Permutation_length (permutation_filter _ _ _ P)).
Qed.

Theorem legal_on v r c b m : legal v r c (permuted g b) m = legal v r c b (move_on g m).
Proof.
  destruct m as [s q | f t]; simpl.
  - now rewrite in_hand_on, shows_on, in_three_on, fits_on, get_permuted.
  - rewrite shows_on, beq_on, get_permuted. now destruct (get b (get g f)); rewrite ?fits_on.
Qed.

Lemma lifted_on b q : lifted (permuted g b) q = permuted g (lifted b (get g q)).
Proof. unfold lifted. now rewrite permuted_set, get_permuted. Qed.

Lemma put_on b q p : put (permuted g b) q p = permuted g (put b (get g q) p).
Proof. unfold put. now rewrite permuted_set, get_permuted. Qed.

Lemma moved_on c b m : moved c (permuted g b) m = permuted g (moved c b (move_on g m)).
Proof.
  destruct m as [s q | f t]; simpl; [apply put_on |].
  rewrite get_permuted. destruct (get b (get g f)); [reflexivity |]. now rewrite lifted_on, put_on.
Qed.

Definition outcome_on (o : outcome) : outcome :=
  match o with Wins c => Wins c | GoesOn b => GoesOn (permuted g b) end.

Lemma judged_on c b : judged c (permuted g b) = outcome_on (judged c b).
Proof. unfold judged. rewrite !has_line_on. now destruct (has_line c b), (has_line (opponent c) b). Qed.

Lemma uncovers_on c b m : uncovers c (permuted g b) m = uncovers c b (move_on g m).
Proof. destruct m as [s q | f t]; simpl; [reflexivity |]. now rewrite lifted_on, has_line_on. Qed.

Theorem after_on r c b m : after r c (permuted g b) m = outcome_on (after r c b (move_on g m)).
Proof.
  unfold after. cbv zeta. rewrite moved_on, !uncovers_on, !judged_on, has_line_on.
  destruct r, c; try reflexivity;
    match goal with |- context [uncovers ?c b ?m'] => now destruct (uncovers c b m') end.
Qed.

End Symmetry.

(** * The 32 symmetries, as data *)

Definition symmetries : list (grid square) :=
  [ Grid a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4;
    Grid a1 c1 b1 d1 a3 c3 b3 d3 a2 c2 b2 d2 a4 c4 b4 d4;
    Grid a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4 d1 d2 d3 d4;
    Grid a1 a3 a2 a4 c1 c3 c2 c4 b1 b3 b2 b4 d1 d3 d2 d4;
    Grid d1 b1 c1 a1 d3 b3 c3 a3 d2 b2 c2 a2 d4 b4 c4 a4;
    Grid d1 c1 b1 a1 d2 c2 b2 a2 d3 c3 b3 a3 d4 c4 b4 a4;
    Grid d1 d2 d3 d4 c1 c2 c3 c4 b1 b2 b3 b4 a1 a2 a3 a4;
    Grid d1 d3 d2 d4 b1 b3 b2 b4 c1 c3 c2 c4 a1 a3 a2 a4;
    Grid b2 b1 b4 b3 a2 a1 a4 a3 d2 d1 d4 d3 c2 c1 c4 c3;
    Grid b2 a2 d2 c2 b1 a1 d1 c1 b4 a4 d4 c4 b3 a3 d3 c3;
    Grid b2 d2 a2 c2 b4 d4 a4 c4 b1 d1 a1 c1 b3 d3 a3 c3;
    Grid b2 b4 b1 b3 d2 d4 d1 d3 a2 a4 a1 a3 c2 c4 c1 c3;
    Grid c2 c1 c4 c3 d2 d1 d4 d3 a2 a1 a4 a3 b2 b1 b4 b3;
    Grid c2 a2 d2 b2 c4 a4 d4 b4 c1 a1 d1 b1 c3 a3 d3 b3;
    Grid c2 d2 a2 b2 c1 d1 a1 b1 c4 d4 a4 b4 c3 d3 a3 b3;
    Grid c2 c4 c1 c3 a2 a4 a1 a3 d2 d4 d1 d3 b2 b4 b1 b3;
    Grid b3 b1 b4 b2 d3 d1 d4 d2 a3 a1 a4 a2 c3 c1 c4 c2;
    Grid b3 a3 d3 c3 b4 a4 d4 c4 b1 a1 d1 c1 b2 a2 d2 c2;
    Grid b3 d3 a3 c3 b1 d1 a1 c1 b4 d4 a4 c4 b2 d2 a2 c2;
    Grid b3 b4 b1 b2 a3 a4 a1 a2 d3 d4 d1 d2 c3 c4 c1 c2;
    Grid c3 c1 c4 c2 a3 a1 a4 a2 d3 d1 d4 d2 b3 b1 b4 b2;
    Grid c3 a3 d3 b3 c1 a1 d1 b1 c4 a4 d4 b4 c2 a2 d2 b2;
    Grid c3 d3 a3 b3 c4 d4 a4 b4 c1 d1 a1 b1 c2 d2 a2 b2;
    Grid c3 c4 c1 c2 d3 d4 d1 d2 a3 a4 a1 a2 b3 b4 b1 b2;
    Grid a4 a2 a3 a1 c4 c2 c3 c1 b4 b2 b3 b1 d4 d2 d3 d1;
    Grid a4 a3 a2 a1 b4 b3 b2 b1 c4 c3 c2 c1 d4 d3 d2 d1;
    Grid a4 b4 c4 d4 a3 b3 c3 d3 a2 b2 c2 d2 a1 b1 c1 d1;
    Grid a4 c4 b4 d4 a2 c2 b2 d2 a3 c3 b3 d3 a1 c1 b1 d1;
    Grid d4 d2 d3 d1 b4 b2 b3 b1 c4 c2 c3 c1 a4 a2 a3 a1;
    Grid d4 d3 d2 d1 c4 c3 c2 c1 b4 b3 b2 b1 a4 a3 a2 a1;
    Grid d4 b4 c4 a4 d2 b2 c2 a2 d3 b3 c3 a3 d1 b1 c1 a1;
    Grid d4 c4 b4 a4 d3 c3 b3 a3 d2 c2 b2 a2 d1 c1 b1 a1 ].

Definition grid_beq (g h : grid square) : bool := forallb (fun q => square_beq (get g q) (get h q)) squares.

Definition inverseb (g h : grid square) : bool :=
  forallb (fun q => square_beq (get h (get g q)) q && square_beq (get g (get h q)) q) squares.

Fixpoint without (q : square) (l : list square) : option (list square) :=
  match l with
  | [] => None
  | q' :: l' => if square_beq q q' then Some l' else option_map (cons q') (without q l')
  end.

Fixpoint permutationb (l l' : list square) : bool :=
  match l with
  | [] => match l' with [] => true | _ => false end
  | q :: m => match without q l' with Some m' => permutationb m m' | None => false end
  end.

Definition keeps_linesb (g : grid square) : bool :=
  forallb (fun l => existsb (permutationb (map (get g) l)) lines) lines.

Lemma without_permutation q l m : without q l = Some m -> Permutation (q :: m) l.
Proof.
  revert m. induction l as [| q' l IH]; simpl; intros m E; [easy |].
  destruct (square_beq_spec q q') as [-> | N]; [now injection E as -> |].
  destruct (without q l) as [m' |]; simpl in E; [| easy]. injection E as <-.
  rewrite perm_swap. now rewrite (IH m').
Qed.

Lemma permutationb_permutation l l' : permutationb l l' = true -> Permutation l l'.
Proof.
  revert l'. induction l as [| q l IH]; simpl; intros l' E; [now destruct l' |].
  destruct (without q l') as [m |] eqn:W; [| easy]. rewrite <- (without_permutation _ _ _ W).
  constructor. now apply IH.
Qed.

Lemma grid_beq_eq g h : grid_beq g h = true -> g = h.
Proof.
  unfold grid_beq. rewrite forallb_forall. intros H. apply grid_ext. intros q.
  specialize (H q (in_squares q)). now destruct (square_beq_spec (get g q) (get h q)).
Qed.

Lemma inverseb_inverse g h : inverseb g h = true -> inverse g h.
Proof.
  unfold inverseb. rewrite forallb_forall. intros H. split; intros q;
    specialize (H q (in_squares q)); apply andb_true_iff in H as [H1 H2].
  - now destruct (square_beq_spec (get h (get g q)) q).
  - now destruct (square_beq_spec (get g (get h q)) q).
Qed.

Lemma keeps_linesb_keeps g : keeps_linesb g = true -> keeps_lines g.
Proof.
  unfold keeps_linesb. rewrite forallb_forall. intros H l I. specialize (H l I).
  apply existsb_exists in H as (l' & I' & P). exists l'. split; auto. now apply permutationb_permutation.
Qed.

Lemma symmetries_symmetric g : In g symmetries -> exists h, In h symmetries /\ symmetric g h.
Proof.
  assert (H : forallb (fun g => keeps_linesb g && existsb (inverseb g) symmetries) symmetries = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in H. intros I. specialize (H g I) as E. apply andb_true_iff in E as [K E].
  apply existsb_exists in E as (h & Ih & E). exists h. split; auto. split; [now apply inverseb_inverse |].
  split; apply keeps_linesb_keeps; auto. specialize (H h Ih). now apply andb_true_iff in H.
Qed.

Lemma symmetries_closed g h : In g symmetries -> In h symmetries -> In (permuted g h) symmetries.
Proof.
  assert (H : forallb (fun g => forallb (fun h => existsb (grid_beq (permuted g h)) symmetries) symmetries)
                symmetries = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in H. intros I J. specialize (H g I). cbv beta in H. rewrite forallb_forall in H.
  specialize (H h J). apply existsb_exists in H as (k & K & E). now rewrite (grid_beq_eq _ _ E).
Qed.

(** The 32 are a group, so that the images of an image are images. *)
Lemma symmetries_count : length symmetries = 32 /\ NoDup (map (fun g => map (get g) squares) symmetries).
Proof.
  split; [reflexivity |]. apply (NoDup_count_occ' (list_eq_dec square_eq_dec)).
  assert (H : forallb (fun x => count_occ (list_eq_dec square_eq_dec)
    (map (fun g => map (get g) squares) symmetries) x =? 1) (map (fun g => map (get g) squares) symmetries) = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in H. intros x I. now apply Nat.eqb_eq, H.
Qed.
