(** "And", "or", "some" and "every" that look no further than they must. They mean what the standard library's mean,
    but Coq evaluates both sides of those when it computes a proof. *)
From Coq Require Export List Bool Arith.
Export ListNotations.

Notation "x && y" := (if x then y else false) : bool_scope.
Notation "x || y" := (if x then true else y) : bool_scope.

Definition existsb {T} (f : T -> bool) :=
  fix some (l : list T) : bool := match l with [] => false | x :: l => f x || some l end.
Definition forallb {T} (f : T -> bool) :=
  fix every (l : list T) : bool := match l with [] => true | x :: l => f x && every l end.

Lemma andb_true_iff (x y : bool) : x && y = true <-> x = true /\ y = true.
Proof. exact (Bool.andb_true_iff x y). Qed.

Lemma orb_true_iff (x y : bool) : x || y = true <-> x = true \/ y = true.
Proof. exact (Bool.orb_true_iff x y). Qed.

Lemma existsb_exists {T} (f : T -> bool) l : existsb f l = true <-> exists x, In x l /\ f x = true.
Proof. exact (List.existsb_exists f l). Qed.

Lemma forallb_forall {T} (f : T -> bool) l : forallb f l = true <-> forall x, In x l -> f x = true.
Proof. exact (List.forallb_forall f l). Qed.

Lemma existsb_cons {T} (f : T -> bool) x l : existsb f (x :: l) = f x || existsb f l.
Proof. reflexivity. Qed.

Lemma forallb_cons {T} (f : T -> bool) x l : forallb f (x :: l) = f x && forallb f l.
Proof. reflexivity. Qed.
