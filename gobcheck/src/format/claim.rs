//! What a certificate claims, in the words of the verdict.

use std::fmt;

use crate::rules::{Game, Variant};

/// The kinds of certificate. A cut and a closure say: here is a set that White never has to leave. A refutation says:
/// here is a set out of which Black forces a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Kind {
    /// Two sets of positions to keep away from, checked over every position of the variant.
    Cut,
    /// A set of positions with Black to move, checked over that set alone.
    #[default]
    Closure,
    /// A set of positions with White to move, checked over that set alone.
    Refutation,
}

impl Kind {
    /// All kinds, in the order in which a certificate's header counts them from 1.
    pub const ALL: [Kind; 3] = [Kind::Cut, Kind::Closure, Kind::Refutation];

    /// The tag that commands and file names use.
    pub const fn tag(self) -> &'static str {
        ["cut", "closure", "refutation"][self as usize]
    }

    /// What is proven of the empty board, in a word: White holds a `draw`, or is `lost`.
    pub const fn value(self) -> &'static str {
        ["draw", "draw", "lost"][self as usize]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// What a certificate claims: in this game, from the empty board and whoever moves first, White can go on for ever
/// without losing; or, if it is a refutation, Black can force a line. The kind says how that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// The variant and the reading.
    pub game: Game,
    /// The kind of certificate.
    pub kind: Kind,
}

impl Claim {
    /// Whether a proof of this claim is one for `asked` under the same reading: Black's material is the same, and
    /// White's is at most what `asked` gives it (R9). A refutation is one for its own variant.
    pub fn covers(&self, asked: Variant) -> bool {
        let own = self.game.variant;
        match self.kind {
            Kind::Cut | Kind::Closure => own.black == asked.black && own.white.at_most(asked.white),
            Kind::Refutation => own == asked,
        }
    }

    /// The variant that the claim is told of: the smallest named one that it covers, else its own.
    pub fn told_of(&self) -> Variant {
        let mut named = Variant::named().map(|(_, variant)| variant);
        named.find(|&variant| self.covers(variant)).unwrap_or(self.game.variant)
    }
}

/// The text after `s VERIFIED `: `ab official draw closure`, or `abc-full official draw closure white=A3B3C1` where White used
/// less than the name gives it.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (told, own) = (self.told_of(), self.game.variant);
        write!(f, "{told} {} {} {}", self.game.reading, self.kind.value(), self.kind)?;
        if own.white == told.white { Ok(()) } else { write!(f, " white={}", own.white) }
    }
}
