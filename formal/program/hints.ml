(* Hints for the proven checker: which reply leads to a listed position, and by which symmetry. Nothing here is proven
   and nothing has to be: a wrong hint can only make a true certificate fail. *)
open Proven

let square = Array.of_list squares
let index = let t = Hashtbl.create 16 in Array.iteri (fun i q -> Hashtbl.add t q i) square; Hashtbl.find t
let symmetry = Array.of_list (List.map (fun g -> Array.map (fun q -> index (get g q)) square) symmetries)
let size = [| A; B; C; D |]

(* Coq's natural numbers up to 31, for the numbers of symmetries. *)
let nat = let rec from n = if n = 0 then O else S (from (n - 1)) in Array.init 32 from

let code p =
  (match p.colour_of with White -> 0 | Black -> 4) + (match p.size_of with A -> 0 | B -> 1 | C -> 2 | D -> 3)

(* A random number for each piece on each square. A position's is their exclusive or. *)
let random =
  Random.init 12345;
  let number _ = (Random.bits () lsl 60) lxor (Random.bits () lsl 30) lxor Random.bits () in
  Array.init 16 (fun _ -> Array.init 8 number)

let stacks b = Array.map (get b) square

let hash st g =
  let h = ref 0 in
  for i = 0 to 15 do List.iter (fun p -> h := !h lxor random.(i).(code p)) st.(g.(i)) done;
  !h

(* A table from positions, by their hashes but 0, to numbers, with open addressing. Most positions that are asked for
   are not in it: a bit for each hash, in less memory, says so sooner. *)
type table = {
  keys : (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t;
  values : (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t;
  bits : Bytes.t;
}

let make n =
  let rec capacity c = if 3 * n < 2 * c then c else capacity (2 * c) in
  let c = capacity 16 in
  let keys = Bigarray.Array1.create Bigarray.int Bigarray.c_layout c in
  let values = Bigarray.Array1.create Bigarray.int32 Bigarray.c_layout c in
  Bigarray.Array1.fill keys 0;
  { keys; values; bits = Bytes.make (2 * c) '\000' }

let place (t : table) h =
  let last = Bigarray.Array1.dim t.keys - 1 in
  let rec from i = let x = t.keys.{i} in if x = 0 || x = h then i else from ((i + 1) land last) in
  from (h land last)

let bit (t : table) h = (h lsr 20) land (8 * Bytes.length t.bits - 1)

let add t h value =
  let i = place t h and bit = bit t h in
  t.keys.{i} <- h;
  t.values.{i} <- Int32.of_int value;
  Bytes.set t.bits (bit / 8) (Char.chr (Char.code (Bytes.get t.bits (bit / 8)) lor (1 lsl (bit land 7))))

(* The value, -1 if the table has none. *)
let find t h =
  let bit = bit t h in
  if Char.code (Bytes.get t.bits (bit / 8)) land (1 lsl (bit land 7)) = 0 then -1
  else let i = place t h in if h <> 0 && t.keys.{i} = h then Int32.to_int t.values.{i} else -1

let add_images t b value =
  let st = stacks b in
  Array.iter (fun g -> add t (hash st g) value) symmetry

let symmetry_to listed b =
  let st = stacks b in
  let rec from n =
    if n = 32 then nat.(0) else if find listed (hash st symmetry.(n)) >= 0 then nat.(n) else from (n + 1) in
  from 0

let line = Array.of_list (List.map (fun l -> Array.of_list (List.map index l)) lines)

(* The squares that are the fourth of a line in which [c] shows three pieces, for a reply that wins. *)
let fourths st c =
  let shows q = match st.(q) with p :: _ -> p.colour_of = c | [] -> false in
  Array.fold_left (fun found l ->
    match List.filter (fun q -> not (shows q)) (Array.to_list l) with [ q ] -> q :: found | _ -> found) [] line

type game = { v : variant; r : reading; c : colour; images : table }

exception Found of move

(* A reply that wins, or leads to the position of the smallest value; with [any], to any position of the table. *)
let reply { v; r; c; images } any b =
  let st = stacks b in
  let own = ref [] in
  for q = 15 downto 0 do match st.(q) with p :: _ when p.colour_of = c -> own := q :: !own | _ -> () done;
  let h = hash st symmetry.(0) in
  let offset = match c with White -> 0 | Black -> 4 in
  let best = ref None and least = ref max_int in
  let try_win m =
    if legal v r c b m then match after r c b m with Wins w when w = c -> raise (Found m) | _ -> () in
  let consider m h =
    let value = find images h in
    if value >= 0 && value < !least then
      let m = m () in
      if legal v r c b m then match after r c b m with
      | GoesOn _ -> if any then raise (Found m) else (least := value; best := Some m)
      | Wins _ -> () in
  try
    List.iter (fun q ->
      Array.iter (fun s -> try_win (Place (s, square.(q)))) size;
      List.iter (fun f -> try_win (Transfer (square.(f), square.(q)))) !own) (fourths st c);
    for q = 0 to 15 do
      for k = 0 to 3 do consider (fun () -> Place (size.(k), square.(q))) (h lxor random.(q).(offset + k)) done
    done;
    List.iter (fun f ->
      let k = code (List.hd st.(f)) in
      let h = h lxor random.(f).(k) in
      for t = 0 to 15 do
        if t <> f then consider (fun () -> Transfer (square.(f), square.(t))) (h lxor random.(t).(k))
      done) !own;
    !best
  with Found m -> Some m

(* The positions of a refutation in an order for K7, those for which there is none at the end. Each waits at the first
   white move that has no reply yet. Numbers the images in that order. *)
let ordered game v r l =
  let count = ref 0 in
  let rec waits_at n b = function
    | [] -> -1
    | m :: ms ->
        let has_reply = match after r White b m with
          | Wins w -> w = Black
          | GoesOn b' -> reply game true b' <> None in
        if has_reply then waits_at (n + 1) b ms else n in
  let rec skip n ms = if n = 0 then ms else match ms with [] -> [] | _ :: ms -> skip (n - 1) ms in
  let rec rounds settled open_ =
    let before = !count in
    let settled, open_ = List.fold_left (fun (settled, open_) (b, n) ->
      match waits_at n b (skip n (moves v r White b)) with
      | -1 -> add_images game.images b !count; incr count; b :: settled, open_
      | n -> settled, (b, n) :: open_) (settled, []) open_ in
    if open_ = [] || !count = before then List.rev_append settled (List.rev_map fst open_)
    else rounds settled open_ in
  rounds [] (List.rev_map (fun b -> b, 0) l)

(* The hints for a certificate, and its positions in the order in which they are given. *)
let prepare certificate =
  let own, l = alone certificate in
  let { kind_of; reading_of = r; white_of; black_of } = certificate.claim_of in
  let v = material white_of black_of in
  let n = List.length l in
  let listed = make n and images = make (32 * n) in
  List.iter (fun b -> add listed (hash (stacks b) symmetry.(0)) 0) l;
  let c = match kind_of with Closure -> White | Refutation -> Black in
  let game = { v; r; c; images } in
  let order = match kind_of with
    | Closure -> List.iter (fun b -> add_images images b 0) l; l
    | Refutation -> ordered game v r l in
  let replies b = match reply game (kind_of = Closure) b with Some m -> [ m ] | None -> [] in
  { own with replies; symmetry_to_listed = symmetry_to listed }, order
