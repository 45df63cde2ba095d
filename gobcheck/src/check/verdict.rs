//! What the checker says.

use std::fmt;

use crate::format::{Claim, FormatError};
use crate::rules::{Move, Position};

/// A certificate whose claim is proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is proven.
    pub claim: Claim,
    /// How many positions the conditions were checked for, one of each orbit.
    pub positions_checked: u64,
}

/// Why bytes are not accepted as a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// They cannot be read as a certificate.
    Format(FormatError),
    /// They can, and a condition does not hold.
    Condition(Breach),
    /// A cut of a variant with more than [`MOST_PLACEMENTS`](super::MOST_PLACEMENTS): nothing is said about its claim.
    TooLarge,
}

/// A condition that a certificate has to meet (RULES.md).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// A listed position is canonical and holds no line.
    Listed,
    /// The empty board is lost for neither side to move.
    K1,
    /// From a position that is not lost with Black to move, no black move wins or leads to a lost one.
    K2,
    /// From a position that is not lost with White to move, some white move wins or leads to one that is not lost.
    K3,
    /// The empty board is in the closure, and some first white move leads into it.
    K4,
    /// From every position of the closure no black move wins, and each has a white answer that wins or leads back into
    /// it.
    K5,
    /// The empty board is in the refutation, and some first black move leads into it.
    K6,
    /// The positions of the refutation have an order in which from each no white move wins, and each has a black answer
    /// that wins or leads to an earlier one.
    K7,
}

/// A condition that does not hold, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Which condition.
    pub condition: Condition,
    /// The position at which it fails.
    pub position: Position,
    /// The move that escapes, where one does: Black's, or White's out of a refutation.
    pub mv: Option<Move>,
    /// What is wrong, in a sentence.
    pub reason: &'static str,
}

impl Breach {
    /// A breach at a position.
    pub(super) fn at(condition: Condition, position: &Position, mv: Option<Move>, reason: &'static str) -> Breach {
        Breach { condition, position: *position, mv, reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Format(error) => error.fmt(f),
            Refusal::Condition(breach) => breach.fmt(f),
            Refusal::TooLarge => {
                write!(f, "cuts are checked up to {} placements of the variant", super::MOST_PLACEMENTS)
            }
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "condition {:?} does not hold at {}: {}", self.condition, self.position, self.reason)?;
        self.mv.map_or(Ok(()), |mv| write!(f, " (the move that escapes: {mv})"))
    }
}

impl std::error::Error for Refusal {}
