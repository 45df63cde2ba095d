(* rules-coq: the rules of Rules.v as a program, to be compared with others. It reads questions, one a line, and answers
   each with a line.
     rules-coq moves   READING SIDE WHITE BLACK LAYER...        each move's value and the canonical position after it
     rules-coq perft   WHITE BLACK READING SIDE BOARD DEPTH     how many sequences of so many moves there are
   A layer is the pieces of a size as bits, from A: of White times 65536, and of Black. a1 is the lowest bit. *)
open Proven

let square = Array.of_list squares
let all_moves =
  List.concat_map (fun s -> List.map (fun q -> Place (s, q)) squares) [ A; B; C; D ]
  @ List.concat_map (fun f -> List.map (fun t -> Transfer (f, t)) squares) squares

let rec nat_of n = if n = 0 then O else S (nat_of (n - 1))

let reading_of = function
  | "official" -> Official | "thesis" -> Thesis | "strict-lift" -> StrictLift
  | "no-entry-cover" -> NoEntryCover | "robust" -> Robust | other -> failwith other

let side_of = function "w" -> White | "b" -> Black | other -> failwith other

let finished b = has_line White b || has_line Black b

let legal_moves v r c b = if finished b then [] else List.filter (legal v r c b) all_moves

(* Material from four digits, "3310". *)
let material_of white black =
  let counts s = let n i = nat_of (Char.code s.[i] - 48) in ((n 0, n 1), n 2), n 3 in
  material (counts white) (counts black)

let board_of stack = tab (fun q ->
  let rec from i = if square.(i) = q then stack i else from (i + 1) in from 0)

let sizes = [ A; B; C; D ]

let board_of_layers layers =
  board_of (fun i ->
    List.concat_map (fun (s, layer) ->
      (if layer land (65536 lsl i) <> 0 then [ { colour_of = White; size_of = s } ] else [])
      @ if layer land (1 lsl i) <> 0 then [ { colour_of = Black; size_of = s } ] else [])
      (List.filteri (fun i _ -> i < List.length layers) sizes |> fun l -> List.combine l layers))

let layers_of n b =
  let layer s =
    let bit i q = List.fold_left (fun x p ->
      if p.size_of <> s then x else x lor if p.colour_of = White then 65536 lsl i else 1 lsl i) 0 (get b q) in
    List.fold_left (lor) 0 (List.mapi bit squares) in
  String.concat " " (List.map (fun s -> string_of_int (layer s)) (List.filteri (fun i _ -> i < n) sizes))

let moves_line line =
  match String.split_on_char ' ' line with
  | reading :: side :: white :: black :: layers ->
      let v = material_of white black and r = reading_of reading and c = side_of side in
      let b = board_of_layers (List.map int_of_string layers) in
      let answer m = match after r c b m with
        | Wins White -> "1:"
        | Wins Black -> "-1:"
        | GoesOn b -> "0:" ^ layers_of (List.length layers) (image (least_image b) b) in
      String.concat ";" (List.sort compare (List.map answer (legal_moves v r c b)))
  | _ -> failwith line

(* "A3B1" as "3100". *)
let digits text =
  let count c = match String.index_opt text c with Some i -> text.[i + 1] | None -> '0' in
  String.init 4 (fun i -> count "ABCD".[i])

let piece_of c =
  let colour_of = if Char.uppercase_ascii c = c then White else Black in
  { colour_of; size_of = List.nth sizes (Char.code (Char.uppercase_ascii c) - 65) }

let board_of_text text =
  let ranks = Array.of_list (String.split_on_char '/' text) in
  board_of (fun i ->
    match List.nth (String.split_on_char ',' ranks.(3 - (i / 4))) (i mod 4) with
    | "." -> []
    | stack -> List.map piece_of (List.of_seq (String.to_seq stack)))

let rec perft v r c b depth =
  let moves = legal_moves v r c b in
  if depth = 1 then List.length moves
  else List.fold_left (fun n m -> match after r c b m with
    | GoesOn b -> n + perft v r (opponent c) b (depth - 1)
    | Wins _ -> n) 0 moves

let perft_line line =
  match String.split_on_char ' ' line with
  | white :: black :: reading :: side :: board :: depth :: _ ->
      string_of_int (perft (material_of (digits white) (digits black)) (reading_of reading) (side_of side)
        (board_of_text board) (int_of_string depth))
  | _ -> failwith line

let () =
  let answer = match Sys.argv with
    | [| _; "moves" |] -> moves_line
    | [| _; "perft" |] -> perft_line
    | _ -> prerr_endline "rules-coq moves|perft < QUESTIONS"; exit 2 in
  try while true do print_endline (answer (input_line stdin)) done with End_of_file -> ()
