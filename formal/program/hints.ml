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

(* A set of numbers but 0, with open addressing. *)
let make n =
  let rec capacity c = if 3 * n < 2 * c then c else capacity (2 * c) in
  Bigarray.Array1.init Bigarray.int Bigarray.c_layout (capacity 16) (fun _ -> 0)

let place (t : (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t) h =
  let last = Bigarray.Array1.dim t - 1 in
  let rec from i = let x = t.{i} in if x = 0 || x = h then i else from ((i + 1) land last) in
  from (h land last)

let add t h = t.{place t h} <- h
let has (t : (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t) h = h <> 0 && t.{place t h} = h

(* Of all images of the positions, and of the positions themselves. *)
let tables l =
  let n = List.length l in
  let images = make (32 * n) and listed = make n in
  List.iter (fun b ->
    let st = stacks b in
    add listed (hash st symmetry.(0));
    Array.iter (fun g -> add images (hash st g)) symmetry) l;
  images, listed

let symmetry_to listed b =
  let st = stacks b in
  let rec from n = if n = 32 then nat.(0) else if has listed (hash st symmetry.(n)) then nat.(n) else from (n + 1) in
  from 0

exception Found of move

let line = Array.of_list (List.map (fun l -> Array.of_list (List.map index l)) lines)

(* Whether either side has three visible pieces in a line: only then a reply can win or cover from hand. *)
let is_sharp st =
  let count c l =
    Array.fold_left (fun n q -> match st.(q) with p :: _ when p.colour_of = c -> n + 1 | _ -> n) 0 l in
  Array.exists (fun l -> count White l >= 3 || count Black l >= 3) line

(* The legal replies of [c] that go on into the images: from hand onto empty squares, and transfers. Of a closure the
   first is enough. Of a refutation it may come too late in the order, so all of these are given, and [all] legal replies
   where one can win or cover from hand. *)
let replies v r c images first_is_enough all b =
  let st = stacks b in
  let h = hash st symmetry.(0) in
  let offset = match c with White -> 0 | Black -> 4 in
  let found = ref [] in
  let consider m h =
    if has images h && legal v r c b m then
      match after r c b m with
      | GoesOn _ -> if first_is_enough then raise (Found m) else found := m :: !found
      | Wins _ -> () in
  try
    for q = 0 to 15 do
      if st.(q) = [] then
        for k = 0 to 3 do consider (Place (size.(k), square.(q))) (h lxor random.(q).(offset + k)) done
    done;
    for f = 0 to 15 do
      match st.(f) with
      | p :: _ when p.colour_of = c ->
          let k = code p in
          let h = h lxor random.(f).(k) in
          for t = 0 to 15 do if t <> f then consider (Transfer (square.(f), square.(t))) (h lxor random.(t).(k)) done
      | _ -> ()
    done;
    if is_sharp st then !found @ all b else !found
  with Found m -> [ m ]

(* The hints for a certificate, and its positions in the order in which they are given. *)
let prepare certificate =
  let own, l = alone certificate in
  let { kind_of; reading_of; white_of; black_of } = certificate.claim_of in
  let c = match kind_of with Closure -> White | Refutation -> Black in
  let images, listed = tables l in
  { replies = replies (material white_of black_of) reading_of c images (kind_of = Closure) own.replies;
    symmetry_to_listed = symmetry_to listed }, l
