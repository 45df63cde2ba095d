(* CRC-32 (IEEE 802.3) and SHA-256 (FIPS 180-4) of a part of a string. They guard against accidents; no proof rests on them. *)

let crc_table =
  let step c = if c land 1 = 1 then 0xEDB88320 lxor (c lsr 1) else c lsr 1 in
  Array.init 256 (fun n -> step (step (step (step (step (step (step (step n))))))))

let crc32 s from len =
  let c = ref 0xFFFFFFFF in
  for i = from to from + len - 1 do
    c := crc_table.((!c lxor Char.code s.[i]) land 0xFF) lxor (!c lsr 8)
  done;
  !c lxor 0xFFFFFFFF

let mask = 0xFFFFFFFF

(* The first 32 bits of the fractional parts of the n-th roots of the first primes: of square roots for the state, of
   cube roots for the rounds. *)
let primes =
  let is_prime n = List.for_all (fun d -> n mod d <> 0) (List.init (n - 2) (fun d -> d + 2)) in
  Array.of_list (List.filter is_prime (List.init 310 (fun n -> n + 2)))

(* The largest x with x^n at most p * 2^(32 n), less its whole part; in parts of 16 bits, since it has up to 110 bits. *)
let root_fraction n p =
  let mul a b =
    let r = Array.make 20 0 in
    Array.iteri (fun i x -> Array.iteri (fun j y -> if i + j < 18 then begin
      let v = ref (r.(i + j) + x * y) and k = ref (i + j) in
      r.(!k) <- !v land 0xFFFF; v := !v lsr 16;
      while !v > 0 && !k < 18 do incr k; let w = r.(!k) + !v in r.(!k) <- w land 0xFFFF; v := w lsr 16 done end) b) a;
    Array.sub r 0 18 in
  let of_int x = Array.init 4 (fun i -> (x lsr (16 * i)) land 0xFFFF) in
  let compare_ a b =
    let rec from i = if i < 0 then 0 else if a.(i) <> b.(i) then compare a.(i) b.(i) else from (i - 1) in from 17 in
  let target = Array.make 18 0 in
  target.(2 * n) <- p;
  let power x = let x = of_int x in if n = 2 then mul x x else mul (mul x x) x in
  let rec search low high =                                    (* power low <= target < power high *)
    if high - low = 1 then low
    else let middle = (low + high) / 2 in
      if compare_ (power middle) target <= 0 then search middle high else search low middle in
  search 0 (1 lsl 38) land mask

let start = Array.init 8 (fun i -> root_fraction 2 primes.(i))
let rounds = Array.init 64 (fun i -> root_fraction 3 primes.(i))

(* Of several parts, one after the other. *)
let sha256 parts =
  let s = String.concat "" parts in
  let len = String.length s in
  let zeros = (119 - len land 63) land 63 in
  let tail = Bytes.make (1 + zeros + 8) '\000' in
  Bytes.set tail 0 '\128';
  Bytes.set_int64_be tail (1 + zeros) (Int64.of_int (8 * len));
  let s = s ^ Bytes.to_string tail in
  let rotr x n = ((x lsr n) lor (x lsl (32 - n))) land mask in
  let h = Array.copy start and w = Array.make 64 0 in
  for block = 0 to String.length s / 64 - 1 do
    for t = 0 to 15 do
      w.(t) <- Int32.to_int (String.get_int32_be s (64 * block + 4 * t)) land mask
    done;
    for t = 16 to 63 do
      let x = w.(t - 15) and y = w.(t - 2) in
      let s0 = rotr x 7 lxor rotr x 18 lxor (x lsr 3) and s1 = rotr y 17 lxor rotr y 19 lxor (y lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land mask
    done;
    let v = Array.copy h in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let s1 = rotr e 6 lxor rotr e 11 lxor rotr e 25 and s0 = rotr a 2 lxor rotr a 13 lxor rotr a 22 in
      let t1 = v.(7) + s1 + ((e land v.(5)) lxor (lnot e land mask land v.(6))) + rounds.(t) + w.(t) in
      let t2 = s0 + ((a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2))) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land mask;
      v.(0) <- (t1 + t2) land mask
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land mask) v
  done;
  let out = Bytes.create 32 in
  Array.iteri (fun i x -> Bytes.set_int32_be out (4 * i) (Int32.of_int x)) h;
  Bytes.to_string out
