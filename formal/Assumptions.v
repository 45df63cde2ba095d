(** What the theorems rest on. `make check` asks that each says "Closed under the global context": on no axiom. *)
From Gob Require Import Meaning Conditions Comparison Turn Symmetry Checker Format Closed.

(* What the program prints is true. *)
Print Assumptions verify_sound.
Print Assumptions judge_sound.
Print Assumptions told_is_true.
Print Assumptions proven_by.
(* What the check accepts is true. *)
Print Assumptions check_closure_sound.
Print Assumptions check_refutation_sound.
Print Assumptions closure_holds.
Print Assumptions refutation_wins.
Print Assumptions moves_legal.
Print Assumptions legal_on.
Print Assumptions after_on.
(* What it means. *)
Print Assumptions holds_safe.
Print Assumptions safe_iff.
Print Assumptions infinite_plays.
Print Assumptions white_holds_refutes.
Print Assumptions can_always_move.
Print Assumptions play_goes_on.
(* What follows for other games. *)
Print Assumptions more_white_holds.
Print Assumptions more_black_wins.
Print Assumptions robust_holds.
