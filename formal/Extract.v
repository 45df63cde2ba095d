(** The checker as an OCaml program: all but reading the file, the two hashes and the hints comes from the proofs. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Gob Require Import Rules Game Symmetry Boards Quick Checker Format Index.

Extraction Language OCaml.
Extraction "build/proven.ml" verify indexed squares lines symmetries get legal after legal_quick after_quick moves material has_line tab
  image least_image.
