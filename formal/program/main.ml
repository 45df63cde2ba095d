(* gobcheck-coq: reads certificates, compares their hashes, and hands them to the proven checker.
   Exit: 0 all verified; 1 refused; 2 usage; 3 a cut, which is not judged; 4 cannot be read. *)
open Proven

let byte = Array.init 256 (fun n ->
  let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2)) in
  if n = 0 then N0 else Npos (positive n))

let bytes_of text =
  let rec from i l = if i < 0 then l else from (i - 1) (byte.(Char.code text.[i]) :: l) in
  from (String.length text - 1) []

let text_of chars = let b = Buffer.create 80 in List.iter (Buffer.add_char b) chars; Buffer.contents b

let rec rest_of channel buffer =
  match Buffer.add_channel buffer channel 65536 with
  | () -> rest_of channel buffer
  | exception End_of_file -> Buffer.contents buffer

let read = function
  | "-" -> set_binary_mode_in stdin true; rest_of stdin (Buffer.create 65536)
  | path ->
      let channel = open_in_bin path in
      Fun.protect ~finally:(fun () -> close_in channel) (fun () -> rest_of channel (Buffer.create 65536))

let u32 s at = Int32.to_int (String.get_int32_le s at) land 0xFFFFFFFF

(* Whether the hashes are those that the file names. A file that is too short for them is refused later. *)
let hashes_fit s =
  let len = String.length s in
  let rec blocks at =
    if at + 8 > len then true
    else let body = u32 s at in
      if at + 8 + body > len then true
      else Hashes.crc32 s at (4 + body) = u32 s (at + 4 + body) && blocks (at + 8 + body) in
  len < 92
  || (Hashes.crc32 s 0 88 = u32 s 88
      && Hashes.sha256 [ String.sub s 0 56; String.sub s 92 (len - 92) ] = String.sub s 56 32
      && blocks 92)

(* What the proven checker says of a cut. *)
let cut = "a cut, which this checker does not judge"

let judge prepare path =
  match read path with
  | exception (Sys_error why) -> prerr_endline why; 4
  | exception End_of_file -> prerr_endline (path ^ ": cannot be read"); 4
  | text ->
      if not (hashes_fit text) then (prerr_endline ("refused: " ^ path ^ ": a hash differs, the file is damaged"); 1)
      else match verify prepare (bytes_of text) with
      | Ok line -> print_endline (text_of line); 0
      | Refused why ->
          let why = text_of why in
          prerr_endline ("refused: " ^ path ^ ": " ^ why);
          if why = cut then 3 else 1
      | exception (Stack_overflow | Out_of_memory) -> prerr_endline (path ^ ": too large"); 4

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] | "--help" :: _ | "-h" :: _ ->
      print_endline "gobcheck-coq [--without-hints] FILE...\n\n\
        Checks closures and refutations with the checker that formal/ proves right. A line `s VERIFIED` for each\n\
        that is proven; exit 0 if all are. - is the standard input.";
      exit (if Array.length Sys.argv = 1 then 2 else 0)
  | arguments ->
      let alone_, paths = match arguments with "--without-hints" :: l -> true, l | l -> false, l in
      let prepare = if alone_ then indexed else Hints.prepare in
      let codes = List.map (judge prepare) paths in
      exit (List.fold_left (fun worst code -> if worst = 0 then code else worst) 0 codes)
