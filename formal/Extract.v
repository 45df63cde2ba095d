(** The checker as an OCaml program: all but reading the file, the two hashes and the hints comes from the proofs. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Gob Require Import Rules Game Symmetry Boards Checker Format.

Extraction Language OCaml.
Extraction "build/proven.ml" verify alone squares lines symmetries get legal after moves material has_line tab image least_image.
