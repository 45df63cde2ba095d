//! The readings of the published rule texts (RULES.md, Readings).

use std::fmt;

/// How the rules are read where published texts differ. A reading judges a move, from the position before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Reading {
    /// R4 and R6 as they stand.
    #[default]
    Official,
    /// A lift that uncovers a line of the mover's opponent loses at once, unless a line of the mover stands after
    /// the move: then the mover wins.
    Thesis,
    /// A lift that uncovers a line of the mover's opponent loses at once.
    StrictLift,
    /// From hand onto empty squares only.
    NoEntryCover,
    /// For each side's moves the worst of all readings for White. Colours must not be swapped in it.
    Robust,
}

impl Reading {
    /// All readings in the order of RULES.md. A certificate's header counts them from 1 in this order.
    pub const ALL: [Reading; 5] =
        [Reading::Official, Reading::Thesis, Reading::StrictLift, Reading::NoEntryCover, Reading::Robust];

    /// The tag that commands and certificates use.
    pub const fn tag(self) -> &'static str {
        ["official", "thesis", "strict-lift", "no-entry-cover", "robust"][self as usize]
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}
