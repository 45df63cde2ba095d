(** Certificates as bytes (FORMAT.md): the header, the blocks, the claim and the line that is printed. The two hashes are
    not looked at here: they guard against accidents and are no evidence of truth. *)
From Coq Require Import NArith String.
From Gob Require Import Lazy Rules Game Comparison Symmetry Boards Checker.
Local Open Scope N_scope.
Local Open Scope list_scope.

Inductive result (T : Type) := Ok (x : T) | Refused (why : string).
Arguments Ok {T}. Arguments Refused {T}.

Definition demand {T} (holds : bool) (why : string) (go_on : result T) : result T :=
  if holds then go_on else Refused why.

(** * The claim *)

Definition counts := (nat * nat * nat * nat)%type.           (* of A, B, C, D *)
Inductive kind := Closure | Refutation.
Record claim := Claim { kind_of : kind; reading_of : reading; white_of : counts; black_of : counts }.

(** What a claim says of its game. *)
Definition is_true (c : claim) : Prop :=
  let v := material (white_of c) (black_of c) in
  match kind_of c with Closure => white_holds v (reading_of c) | Refutation => black_wins v (reading_of c) end.

Definition at_most (m n : counts) : bool :=
  let '(mA, mB, mC, mD) := m in
  let '(nA, nB, nC, nD) := n in
  (mA <=? nA)%nat && (mB <=? nB)%nat && (mC <=? nC)%nat && (mD <=? nD)%nat.

Definition same (m n : counts) : bool := at_most m n && at_most n m.

(** The named variants (R9). *)
Definition named : list (string * counts * counts) :=
  [ ("ab", (3, 0, 0, 0), (3, 3, 0, 0)); ("ab-full", (3, 3, 0, 0), (3, 3, 0, 0));
    ("abc", (3, 3, 0, 0), (3, 3, 3, 0)); ("abc-full", (3, 3, 3, 0), (3, 3, 3, 0));
    ("abcd", (3, 3, 3, 0), (3, 3, 3, 3)); ("abcd-full", (3, 3, 3, 3), (3, 3, 3, 3)) ]%string%nat.

(** The variant that a claim is told of: the smallest named one that it covers, else its own. *)
Definition covers (c : claim) (name : string * counts * counts) : bool :=
  let '(_, white, black) := name in
  same (black_of c) black &&
  match kind_of c with Closure => at_most (white_of c) white | Refutation => same (white_of c) white end.

Local Open Scope string_scope.

Definition digit (n : nat) : string := match n with 0 => "0" | 1 => "1" | 2 => "2" | _ => "3" end%nat.
Definition pieces (letter : string) (n : nat) : string := match n with O => "" | _ => letter ++ digit n end.

Definition counts_text (m : counts) : string :=
  let '(nA, nB, nC, nD) := m in pieces "A" nA ++ pieces "B" nB ++ pieces "C" nC ++ pieces "D" nD.

Definition reading_text (r : reading) : string :=
  match r with
  | Official => "official" | Thesis => "thesis" | StrictLift => "strict-lift"
  | NoEntryCover => "no-entry-cover" | Robust => "robust"
  end.

Definition kind_text (k : kind) : string :=
  match k with Closure => "draw closure" | Refutation => "lost refutation" end.

Definition told (c : claim) : string * counts :=
  match find (covers c) named with
  | Some (name, white, _) => (name, white)
  | None => (counts_text (white_of c) ++ "-" ++ counts_text (black_of c), white_of c)
  end.

(** The line that is printed for a claim that is proven. *)
Definition verdict (c : claim) : string :=
  let (name, white) := told c in
  "s VERIFIED " ++ name ++ " " ++ reading_text (reading_of c) ++ " " ++ kind_text (kind_of c) ++
  if same (white_of c) white then "" else " white=" ++ counts_text (white_of c).

Local Close Scope string_scope.

(** What is printed is no more than what is claimed: the claim holds of the variant that the line names. *)
Theorem told_is_true c : is_true c -> is_true (Claim (kind_of c) (reading_of c) (snd (told c)) (black_of c)).
Proof.
  unfold told. destruct (find (covers c) named) as [[[name white] black] |] eqn:F; [| now destruct c].
  apply find_some in F as [_ F]. unfold covers in F. apply andb_true_iff in F as [_ F].
  destruct c as [[] r [[[mA mB] mC] mD] b], white as [[[nA nB] nC] nD]; unfold is_true;
    cbn [kind_of reading_of white_of black_of snd] in *.
  - unfold at_most in F. rewrite !andb_true_iff, !Nat.leb_le in F. destruct F as [[[FA FB] FC] FD].
    apply more_white_holds. split; intros s; destruct s; simpl; auto.
  - unfold same, at_most in F. rewrite !andb_true_iff, !Nat.leb_le in F.
    destruct F as [[[[FA FB] FC] FD] [[[GA GB] GC] GD]].
    now rewrite (Nat.le_antisymm _ _ FA GA), (Nat.le_antisymm _ _ FB GB),
      (Nat.le_antisymm _ _ FC GC), (Nat.le_antisymm _ _ FD GD).
Qed.

(** * Tiers and ranks *)

(** C(n, 0) to C(n, 3), for n from 16 down to 0. *)
Definition next_row (row : list N) : list N :=
  match row with [x0; x1; x2; x3] => [1; x0 + x1; x1 + x2; x2 + x3] | _ => [] end.
Definition binomials : list (list N) :=
  Eval vm_compute in
  (fix rows (n : nat) (row : list N) (below : list (list N)) :=
     match n with O => row :: below | S n => rows n (next_row row) (row :: below) end) 16%nat [1; 0; 0; 0] [].
Definition choose (n k : nat) : N := nth k (nth (16 - n) binomials []) 0.

(** The set with the number [n] of [k] out of so many squares as there are rows, from the last square to the first. *)
Fixpoint subset (rows : list (list N)) (k : nat) (n : N) : list bool :=
  match rows with
  | [] => []
  | row :: rows =>
      let c := nth k row 0 in
      match k with
      | O => false :: subset rows O n
      | S k' => if c <=? n then true :: subset rows k' (n - c) else false :: subset rows k n
      end
  end.

(** Black's pieces are counted on the squares that White's leave. *)
Fixpoint layer (white black : list bool) : list (option colour) :=
  match white with
  | [] => []
  | true :: white => Some White :: layer white black
  | false :: white =>
      match black with
      | [] => []
      | x :: black => (if x then Some Black else None) :: layer white black
      end
  end.

Definition rows_of (n : nat) : list (list N) := skipn (17 - n) binomials.   (* those of n - 1 down to 0 *)

Definition layer_of (w b : nat) (d : N) : list (option colour) :=
  let (u, v) := N.div_eucl d (choose (16 - w) b) in
  layer (subset (rows_of 16) w u) (subset (rows_of (16 - w)) b v).

(** A tier: how many pieces of each size White and Black have on the board, with how many digits the size has. *)
Definition tier := list (size * nat * nat * N).
Definition placements (t : tier) : N := fold_right (fun '(_, _, _, n) m => n * m) 1 t.

Definition side_counts (m : counts) : list counts :=
  let '(mA, mB, mC, mD) := m in
  flat_map (fun a => flat_map (fun b => flat_map (fun c => map (fun d => (a, b, c, d))
    (seq 0 (S (min c mD)))) (seq 0 (S (min b mC)))) (seq 0 (S (min a mB)))) (seq 0 (S mA)).

Definition tier_of (w b : counts) : tier :=
  let '(wA, wB, wC, wD) := w in
  let '(bA, bB, bC, bD) := b in
  let one (s : size) (w b : nat) := (s, w, b, choose 16 w * choose (16 - w) b) in
  [one A wA bA; one B wB bB; one C wC bC; one D wD bD].

(** Each with its number of placements. *)
Definition tiers (c : claim) : list (tier * N) :=
  flat_map (fun w => map (fun b => let t := tier_of w b in (t, placements t)) (side_counts (black_of c)))
    (side_counts (white_of c)).

(** All stacks that there are, from D to A: a layer adds nothing, a white piece or a black one. Positions share them. *)
Inductive stacks := Finished (l : stack) | Layer (nothing white black : stacks).

Definition all_stacks : stacks :=
  Eval vm_compute in
  (fix over (sizes : list size) (l : stack) : stacks :=
     match sizes with
     | [] => Finished l
     | s :: sizes => Layer (over sizes l) (over sizes (Piece White s :: l)) (over sizes (Piece Black s :: l))
     end) [D; C; B; A] [].

(** Puts a layer on top of the stacks under it. *)
Fixpoint on_top (pieces : list (option colour)) (under : list stacks) : list stacks :=
  match pieces, under with
  | p :: pieces, Layer nothing white black :: under =>
      match p with None => nothing | Some White => white | Some Black => black end :: on_top pieces under
  | _, _ => []
  end.

Definition nothing_on : list (option colour) := repeat None 16.

Fixpoint stacks_of (t : list (size * nat * nat * N)) (rank : N) (under : list stacks) : list stacks :=
  match t with
  | [] => under
  | (_, O, O, _) :: t => stacks_of t rank (on_top nothing_on under)
  | (_, w, b, digits) :: t =>
      let (rank, d) := N.div_eucl rank digits in stacks_of t rank (on_top (layer_of w b d) under)
  end.

Definition finished (l : stacks) : stack := match l with Finished l => l | Layer _ _ _ => [] end.
Definition no_pieces : list stacks := repeat all_stacks 16.

(** The position of a rank; [smallest_first] is the tier from D to A. *)
Definition position_of (smallest_first : tier) (rank : N) : board :=
  match stacks_of smallest_first rank no_pieces with
  | [x15; x14; x13; x12; x11; x10; x9; x8; x7; x6; x5; x4; x3; x2; x1; x0] =>
      Grid (finished x0) (finished x1) (finished x2) (finished x3) (finished x4) (finished x5) (finished x6) (finished x7)
        (finished x8) (finished x9) (finished x10) (finished x11) (finished x12) (finished x13) (finished x14) (finished x15)
  | _ => empty_board
  end.

(** * Bytes *)

Definition number (bytes : list N) : N := fold_right (fun x n => x + 256 * n) 0 bytes.

(** The first [n] bytes, and the rest. *)
Fixpoint split_at (n : N) (bytes : list N) : option (list N * list N) :=
  match n, bytes with
  | 0, _ => Some ([], bytes)
  | _, [] => None
  | _, x :: bytes => option_map (fun '(l, rest) => (x :: l, rest)) (split_at (N.pred n) bytes)
  end.

(** All varints up to the end, the last one first. Of the one begun, [place] is the value of the next byte's lowest bit. *)
Fixpoint varints (bytes : list N) (place value : N) (found : list N) : option (list N) :=
  match bytes with
  | [] => if place =? 1 then Some found else None
  | x :: bytes =>
      let value := value + place * (x mod 128) in
      if 2 ^ 128 <=? value then None
      else if 128 <=? x then (if place =? 2 ^ 126 then None else varints bytes (place * 128) value found)
      else if (x =? 0) && (1 <? place) then None
      else varints bytes 1 0 (value :: found)
  end.

(** Ranks by their deltas, each above the one before and below [len]; the last rank, and all positions. *)
Fixpoint ranks (smallest_first : tier) (len rank : N) (deltas : list N) (l : list board) : option (N * list board) :=
  if rank <? len then
    let l := position_of smallest_first rank :: l in
    match deltas with
    | [] => Some (rank, l)
    | delta :: deltas => if delta =? 0 then None else ranks smallest_first len (rank + delta) deltas l
    end
  else None.

(** Where the blocks before ended: tier, entries of the last block, its last rank; blocks, entries, positions. *)
Record so_far := SoFar
  { tier_at : N; entries_at : N; last_at : N; blocks_at : N; total_at : N; boards_at : list board }.

Fixpoint nth_tier (n : N) (l : list (tier * N)) : option (tier * N) :=
  match l with
  | [] => None
  | t :: l => if n =? 0 then Some t else nth_tier (N.pred n) l
  end.

Definition block (k : kind) (all : list (tier * N)) (body : list N) (before : so_far) : result so_far :=
  match body with
  | [] => Refused "a block without a section"
  | section :: body =>
      demand (section =? match k with Closure => 0 | Refutation => 1 end) "a section that the kind does not have"
      (match option_map (fun l => rev_append l []) (varints body 1 0 []) with
       | Some (index :: entries :: first :: last :: deltas) =>
           match nth_tier index all with
           | None => Refused "a tier that the variant does not have"
           | Some (t, len) =>
               let goes_on := (0 <? blocks_at before) && (index =? tier_at before) in
               demand ((blocks_at before =? 0) || (tier_at before <=? index)) "blocks out of order"
               (demand (if goes_on then (entries_at before =? 65536) && (last_at before <? first) else true)
                  "a block that goes on with a tier where it cannot"
               (demand ((1 <=? entries) && (entries <=? 65536) &&
                        (entries =? 1 + fold_left (fun n _ => N.succ n) deltas 0)) "another number of entries"
               (match ranks (rev t) len first deltas (boards_at before) with
                | None => Refused "a rank that does not increase or is outside its tier"
                | Some (found, boards) =>
                    demand (found =? last) "another last rank"
                    (Ok (SoFar index entries last (blocks_at before + 1) (total_at before + entries) boards))
                end)))
           end
       | _ => Refused "no varints, or too few"
       end)
  end.

(** [turns] is as long as the bytes, and each block takes some. *)
Fixpoint blocks (turns : list N) (k : kind) (all : list (tier * N)) (bytes : list N) (before : so_far) : result so_far :=
  match bytes, turns with
  | [], _ => Ok before
  | _, [] => Refused "no end"
  | _, _ :: turns =>
      match split_at 4 bytes with
      | None => Refused "a block that is cut off"
      | Some (len, bytes) =>
          match split_at (number len) bytes with
          | None => Refused "a block that is cut off"
          | Some (body, bytes) =>
              match split_at 4 bytes with                    (* the CRC-32 *)
              | None => Refused "a block that is cut off"
              | Some (_, bytes) =>
                  match block k all body before with
                  | Refused why => Refused why
                  | Ok before => blocks turns k all bytes before
                  end
              end
          end
      end
  end.

Definition counts_of (m : list N) : option counts :=
  match m with
  | [nA; nB; nC; nD] =>
      if (nA <=? 3) && (nB <=? nA) && (nC <=? nB) && (nD <=? nC) && (1 <=? nA)
      then Some (N.to_nat nA, N.to_nat nB, N.to_nat nC, N.to_nat nD) else None
  | _ => None
  end.

Fixpoint equal (l m : list N) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => (x =? y) && equal l m
  | _, _ => false
  end.

Definition magic : list N := [0x89; 0x47; 0x4F; 0x42; 0x43; 0x45; 0x52; 0x54; 0x0D; 0x0A; 0x1A; 0x0A].

(** A claim, and the positions that are to prove it. *)
Record certificate := Certificate { claim_of : claim; positions_of : list board }.

Definition slice (from len : nat) (bytes : list N) : list N := firstn len (skipn from bytes).

Definition decode (bytes : list N) : result certificate :=
  match split_at 92 bytes with
  | None => Refused "it ends within the header"
  | Some (head, rest) =>
      let at_ n := nth n head 0 in
      demand (equal (slice 0 12 head) magic) "it does not begin as certificates do"
      (demand (equal (slice 12 2 head) [1; 0]) "another version"
      (demand (negb (at_ 14%nat =? 1)) "a cut, which this checker does not judge"
      (demand (equal (slice 24 4 head) [0; 0; 0; 0]) "seed, flags or reserved bytes"
      (match
         match at_ 14%nat with 2 => Some Closure | 3 => Some Refutation | _ => None end,
         match at_ 15%nat with
         | 1 => Some Official | 2 => Some Thesis | 3 => Some StrictLift | 4 => Some NoEntryCover | 5 => Some Robust
         | _ => None
         end,
         counts_of (slice 16 4 head), counts_of (slice 20 4 head)
       with
       | Some k, Some r, Some w, Some b =>
           let c := Claim k r w b in
           demand (match k, r with Refutation, Robust => false | _, _ => true end) "a refutation under robust"
           (demand (number (slice 48 8 head) =? fold_left (fun n _ => N.succ n) bytes 0) "another file length"
           (match blocks bytes k (tiers c) rest (SoFar 0 0 0 0 0 []) with
            | Refused why => Refused why
            | Ok found =>
                let '(black, white) := match k with Closure => (total_at found, 0) | Refutation => (0, total_at found) end in
                demand ((number (slice 28 4 head) =? blocks_at found) && (number (slice 32 8 head) =? black) &&
                        (number (slice 40 8 head) =? white)) "other numbers of blocks or entries"
                (Ok (Certificate c (boards_at found)))
            end))
       | _, _, _, _ => Refused "kind, reading or material"
       end))))
  end.

(** * From bytes to the verdict *)

(** Whether [order] has all positions of [l], each at its place. *)
Definition all_among (h : hints) (order l : list board) : bool :=
  let M := build (place h) order in
  forallb (fun b => match at_path (place h b) M with Some b' => board_beq b b' | None => false end) l.

(** A certificate that is proven. [prepare] may put the positions in another order, leave some out, and give hints. *)
Definition judge (prepare : certificate -> hints * list board) (bytes : list N) : result claim :=
  match decode bytes with
  | Refused why => Refused why
  | Ok (Certificate c l) =>
      let (h, order) := prepare (Certificate c l) in
      let (k, r, w, b) := c in
      let v := material w b in
      match k with
      | Closure => demand (check_closure v r h l) "K4, K5, or a listed position is not canonical or holds a line" (Ok c)
      | Refutation =>
          demand (check_refutation v r h order && all_among h order l)
            "K6, K7, or a listed position is not canonical or holds a line" (Ok c)
      end
  end.

Theorem judge_sound prepare bytes c : judge prepare bytes = Ok c -> is_true c.
Proof.
  unfold judge. destruct (decode bytes) as [[[k r w b] l] | why]; [| discriminate].
  destruct (prepare _) as [h order]. unfold demand. destruct k.
  - destruct (check_closure _ _ _ _) eqn:E; [| discriminate]. intros [= <-].
    exact (check_closure_sound _ _ _ _ E).
  - destruct (check_refutation _ _ _ _) eqn:E; [| discriminate].
    destruct (all_among _ _ _); [| discriminate]. intros [= <-].
    exact (check_refutation_sound _ _ _ _ E).
Qed.

(** The line to print. *)
Definition verify (prepare : certificate -> hints * list board) (bytes : list N) : result string :=
  match judge prepare bytes with Ok c => Ok (verdict c) | Refused why => Refused why end.

(** The line that is printed is that of a true claim. *)
Theorem verify_sound prepare bytes line : verify prepare bytes = Ok line -> exists c, line = verdict c /\ is_true c.
Proof.
  unfold verify. destruct (judge prepare bytes) as [c | why] eqn:E; [| discriminate].
  intros [= <-]. exists c. split; [reflexivity | now apply judge_sound in E].
Qed.
