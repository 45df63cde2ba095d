(* Hints for the proven checker: which reply leads to a listed position, by which symmetry, and which number that one
   has. Nothing here is proven and nothing has to be: a wrong hint can only make a true certificate fail. *)
open Proven

let square = Array.of_list squares
let index = function
  | A1 -> 0 | B1 -> 1 | C1 -> 2 | D1 -> 3 | A2 -> 4 | B2 -> 5 | C2 -> 6 | D2 -> 7
  | A3 -> 8 | B3 -> 9 | C3 -> 10 | D3 -> 11 | A4 -> 12 | B4 -> 13 | C4 -> 14 | D4 -> 15

(* Where each square comes from under each symmetry, and where it goes to. *)
let symmetry = Array.of_list (List.map (fun g -> Array.map (fun q -> index (get g q)) square) symmetries)
let target = Array.map (fun g -> let h = Array.make 16 0 in Array.iteri (fun i q -> h.(q) <- i) g; h) symmetry
let line = Array.of_list (List.map (fun l -> Array.of_list (List.map index l)) lines)
let through = Array.init 16 (fun q -> List.filter (fun l -> Array.mem q line.(l)) (List.init 10 Fun.id))
let size = [| A; B; C; D |]

(* Coq's natural numbers up to 31, for the numbers of symmetries. *)
let nat = let rec from n = if n = 0 then O else S (from (n - 1)) in Array.init 32 from
let rec int_of = function O -> 0 | S n -> 1 + int_of n

(* A stack as eight bits, one for each piece: a stack has at most one piece of each size. *)
let bit p =
  let k = match p.size_of with A -> 0 | B -> 1 | C -> 2 | D -> 3 in
  match p.colour_of with White -> 1 lsl k | Black -> 16 lsl k
let rec bits = function [] -> 0 | p :: l -> bit p lor bits l

let stacks (Grid (xa1, xb1, xc1, xd1, xa2, xb2, xc2, xd2, xa3, xb3, xc3, xd3, xa4, xb4, xc4, xd4)) =
  [| bits xa1; bits xb1; bits xc1; bits xd1; bits xa2; bits xb2; bits xc2; bits xd2;
     bits xa3; bits xb3; bits xc3; bits xd3; bits xa4; bits xb4; bits xc4; bits xd4 |]

(* The size of the visible piece, 0 for A; 4 on an empty square. *)
let top = Array.init 256 (fun x ->
  let x = x lor (x lsr 4) in
  if x land 1 > 0 then 0 else if x land 2 > 0 then 1 else if x land 4 > 0 then 2 else if x land 8 > 0 then 3 else 4)

let random =
  Random.init 12345;
  fun _ -> (Random.bits () lsl 60) lxor (Random.bits () lsl 30) lxor Random.bits ()

(* A number for each stack on each square; 0 for none. A position's is their exclusive or with that of the board. *)
let of_board = random ()
let on_square = Array.init 4096 (fun i -> if i land 255 = 0 then 0 else random ())

let all = List.init 16 Fun.id

(* The numbers of its images: a function of the symmetry. *)
let hash st =
  let occupied = List.filter (fun q -> st.(q) <> 0) all in
  fun g ->
    let to_ = target.(g) in
    let rec from h = function [] -> h | q :: l -> from (h lxor on_square.(to_.(q) lsl 8 lor st.(q))) l in
    from of_board occupied

(* A number that all images have in common: of the sum for each line, mixed and added. *)
let in_line = Array.init 256 random
let mix x = let x = x * 0x2545F4914F6CDD1D in let x = (x lxor (x lsr 29)) * 0x1B03738712FAD5C9 in x lxor (x lsr 32)
let line_sums st = Array.map (fun l -> in_line.(st.(l.(0))) + in_line.(st.(l.(1))) + in_line.(st.(l.(2))) + in_line.(st.(l.(3)))) line
let orbit sums = Array.fold_left (fun n s -> n + mix s) 0 sums

(* A table from numbers but 0 to numbers from 0 on, with open addressing. Most numbers that are asked for are not in it:
   a bit for each, in less memory, says so sooner. *)
type table = {
  keys : (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t;
  values : (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t;
  present : Bytes.t;
}

let make n =
  let rec capacity c = if 3 * n < 2 * c then c else capacity (2 * c) in
  let c = capacity 16 in
  let keys = Bigarray.Array1.create Bigarray.int Bigarray.c_layout c in
  let values = Bigarray.Array1.create Bigarray.int32 Bigarray.c_layout c in
  Bigarray.Array1.fill keys 0;
  { keys; values; present = Bytes.make (2 * c) '\000' }

let place (t : table) h =
  let last = Bigarray.Array1.dim t.keys - 1 in
  let rec from i = let x = t.keys.{i} in if x = 0 || x = h then i else from ((i + 1) land last) in
  from (h land last)

let present_at (t : table) h = (h lsr 20) land (8 * Bytes.length t.present - 1)

let add t h value =
  let i = place t h and at = present_at t h in
  t.keys.{i} <- h;
  t.values.{i} <- Int32.of_int value;
  Bytes.set t.present (at / 8) (Char.chr (Char.code (Bytes.get t.present (at / 8)) lor (1 lsl (at land 7))))

let present t h =
  let at = present_at t h in
  Char.code (Bytes.get t.present (at lsr 3)) land (1 lsl (at land 7)) <> 0

(* The value, -1 if the table has none. *)
let find t h =
  if h = 0 || not (present t h) then -1
  else let i = place t h in if t.keys.{i} = h then Int32.to_int t.values.{i} else -1

(* The listed positions by their hashes, and the orbits that they are of. *)
type images = { listed : table; orbits : table }

let add_listed images st value =
  add images.listed (hash st 0) value;
  add images.orbits (orbit (line_sums st)) 0

(* The value of the listed image and the symmetry to it; -1 if there is none. *)
let value_of images st =
  let hash = hash st in
  let rec from g =
    if g = 32 then -1, 0 else let value = find images.listed (hash g) in if value >= 0 then value, g else from (g + 1) in
  from 0

(* A number as a path: its digits in base 16, the first the highest, as squares. *)
let rec digits n = if n < 16 then 1 else 1 + digits (n / 16)
let path digits n =
  let rec from d n p = if d = 0 then p else from (d - 1) (n lsr 4) (square.(n land 15) :: p) in
  from digits n []

type game = {
  v : variant; r : reading; c : colour; images : images;
  owns : int array;                                           (* how many of each size [c] may use *)
  mutable last : move list;                                   (* replies that were found last, the latest first *)
  mutable value : int;                                        (* of the position that the latest leads to, -1 if it wins *)
  mutable at : int;                                           (* the symmetry to it *)
}

exception Found of move

let same m n = match m, n with
  | Place (s, q), Place (s', q') -> s == s' && q == q'
  | Transfer (f, t), Transfer (f', t') -> f == f' && t == t'
  | _ -> false

let index_of_size = function A -> 0 | B -> 1 | C -> 2 | D -> 3
let lines_of_bits = Array.map (Array.fold_left (fun m q -> m lor (1 lsl q)) 0) line

(* A reply that wins or leads to a listed position. *)
let reply game b =
  let { v; r; c; images; owns; _ } = game in
  let st = stacks b in
  let own_bits, shift = match c with White -> 15, 0 | Black -> 240, 4 in
  let shown = ref 0 in
  for q = 0 to 15 do
    let x = st.(q) in
    if x <> 0 && x land (0x11 lsl top.(x)) land own_bits <> 0 then shown := !shown lor (1 lsl q)
  done;
  let shown = !shown in
  let sums = line_sums st in
  let orbit_now = orbit sums in
  let wins m = legal_quick v r c b m && (match after_quick r c b m with Wins w -> w == c | GoesOn _ -> false) in
  (* How the sum over lines changes if the stack on [q] becomes [x]; [sums] is changed with it. *)
  let rec change d n = function
    | [] -> n
    | l :: ls ->
        let s = sums.(l) in
        sums.(l) <- s + d;
        change d (n + mix (s + d) - mix s) ls in
  let put q x n = let d = in_line.(x) - in_line.(st.(q)) in st.(q) <- x; change d n through.(q) in
  let listed m n =
    if present images.orbits n && find images.orbits n >= 0 then begin
      let value, g = value_of images st in
      if value >= 0 && legal_quick v r c b m
         && (match after_quick r c b m with GoesOn _ -> true | Wins _ -> false) then begin
        game.value <- value; game.at <- g; raise (Found m)
      end
    end in
  let place k q =
    let x = st.(q) in
    if top.(x) > k then begin
      listed (Place (size.(k), square.(q))) (put q (x lor (1 lsl (k + shift))) orbit_now);
      ignore (put q x 0)
    end in
  let transfer f t =
    let x = st.(f) and y = st.(t) in
    let k = top.(x) in
    if top.(y) > k && f <> t then begin
      let p = 1 lsl (k + shift) in
      let n = put f (x lxor p) orbit_now in
      listed (Transfer (square.(f), square.(t))) (put t (y lor p) n);
      ignore (put t y 0);
      ignore (put f x 0)
    end in
  let again = function
    | Place (s, q) -> place (index_of_size s) (index q)
    | Transfer (f, t) -> let f = index f in if shown land (1 lsl f) <> 0 then transfer f (index t) in
  try
    Array.iteri (fun l bits ->
      let rest = bits land lnot shown in
      if rest land (rest - 1) = 0 then
        let q = List.find (fun q -> rest land (1 lsl q) <> 0) (Array.to_list line.(l)) in
        let try_win m = if wins m then (game.value <- -1; raise (Found m)) in
        for k = 0 to 3 do if owns.(k) > 0 && top.(st.(q)) > k then try_win (Place (size.(k), square.(q))) done;
        for f = 0 to 15 do
          if shown land (1 lsl f) <> 0 && top.(st.(f)) < top.(st.(q)) then try_win (Transfer (square.(f), square.(q)))
        done) lines_of_bits;
    List.iter again game.last;
    for f = 0 to 15 do
      if shown land (1 lsl f) <> 0 then for t = 0 to 15 do transfer f t done
    done;
    for k = 0 to 3 do
      if owns.(k) > 0 then for q = 0 to 15 do place k q done
    done;
    None
  with Found m ->
    if game.value >= 0 then game.last <- m :: List.filteri (fun i x -> i < 5 && not (same m x)) game.last;
    Some m

(* * Replies as two bytes each, in the order in which the checker asks for them *)

let winning = 32                                              (* in the place of a symmetry *)

let code game m =
  let m = match m with
    | Place (s, q) -> 256 + 16 * index_of_size s + index q
    | Transfer (f, t) -> 16 * index f + index t in
  33 * m + if game.value < 0 then winning else game.at

let move_of code =
  let m = code / 33 in
  if m >= 256 then Place (size.((m - 256) / 16), square.(m land 15)) else Transfer (square.(m / 16), square.(m land 15))

let shift = function White -> 0 | Black -> 4

(* The value of the listed position that a reply leads to. *)
let value_after images c b m g =
  let st = stacks b in
  begin match m with
    | Place (s, q) -> st.(index q) <- st.(index q) lor (1 lsl (index_of_size s + shift c))
    | Transfer (f, t) ->
        let p = 1 lsl (top.(st.(index f)) + shift c) in
        st.(index f) <- st.(index f) lxor p;
        st.(index t) <- st.(index t) lor p
  end;
  find images.listed (hash st g)

(* The positions of a refutation in an order for K7, those for which there is none at the end, and the replies to each
   that has one. A position waits at the first white move that has no reply yet; it gets its number once all have one. *)
let ordered game v r l =
  let boards = Array.of_list l in
  let n = Array.length boards in
  let settled = ref [] and count = ref 0 and chunks = Queue.create () and chunk = Buffer.create 1048576 in
  let done_ = Bytes.make n '\000' and found = Array.make n "" and now = Buffer.create 200 in
  (* Whether all moves from the one with the number [k] have a reply. *)
  let rec all_replied i k = function
    | [] -> true
    | m :: ms ->
        let has_reply = match after_quick r White boards.(i) m with
          | Wins w -> w = Black
          | GoesOn b' -> match reply game b' with
              | Some m -> Buffer.add_uint16_le now (code game m); true
              | None -> false in
        if has_reply then all_replied i (k + 1) ms else (Bytes.set done_ i (Char.chr k); false) in
  let rec skip n ms = if n = 0 then ms else match ms with [] -> [] | _ :: ms -> skip (n - 1) ms in
  let try_ i =
    let k = Char.code (Bytes.get done_ i) in
    Buffer.clear now;
    if all_replied i k (skip k (moves v r White boards.(i))) then begin
      add_listed game.images (stacks boards.(i)) !count;
      incr count;
      settled := boards.(i) :: !settled;
      Buffer.add_string chunk found.(i);
      Buffer.add_buffer chunk now;
      found.(i) <- "";
      if Buffer.length chunk > 1000000 then (Queue.add (Buffer.contents chunk) chunks; Buffer.clear chunk);
      false
    end else (if Buffer.length now > 0 then found.(i) <- found.(i) ^ Buffer.contents now; true) in
  let rec rounds open_ =
    let before = !count in
    let open_ = List.filter try_ open_ in
    if open_ = [] || !count = before then open_ else rounds open_ in
  let open_ = rounds (List.init n Fun.id) in
  Queue.add (Buffer.contents chunk) chunks;
  List.rev_append !settled (List.map (fun i -> boards.(i)) open_), chunks

(* The hints for a certificate, and its positions in the order in which they are given. *)
let prepare certificate =
  let l = certificate.positions_of in
  let { kind_of; reading_of = r; white_of; black_of } = certificate.claim_of in
  let v = material white_of black_of in
  let n = List.length l in
  let images = { listed = make n; orbits = make n } and path = path (digits n) in
  let c = match kind_of with Closure -> White | Refutation -> Black in
  let game = { v; r; c; images; owns = Array.map (fun s -> int_of (v c s)) size; last = []; value = -1; at = 0 } in
  let order, chunks = match kind_of with
    | Closure -> List.iteri (fun i b -> add_listed images (stacks b) i) l; l, Queue.create ()
    | Refutation -> ordered game v r l in
  let hint m value g = [ m, if value < 0 then O, [] else (nat.(g), path value) ] in
  let searched b = match reply game b with Some m -> hint m game.value game.at | None -> [] in
  let chunk = ref "" and at = ref 0 in
  let rec replies b =
    if !at < String.length !chunk then begin
      let code = String.get_uint16_le !chunk !at in
      at := !at + 2;
      let m = move_of code and g = code mod 33 in
      hint m (if g = winning then -1 else value_after images c b m g) g
    end else if Queue.is_empty chunks then searched b
    else (chunk := Queue.pop chunks; at := 0; replies b) in
  let place b = match find images.listed (hash (stacks b) 0) with -1 -> [] | value -> path value in
  { place; replies }, order
