//! What the checker says.

use std::fmt;

use crate::certificate::{Claim, FormatError};
use crate::rules::{Move, Position};

/// A certificate whose claim is proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is proven.
    pub claim: Claim,
    /// The SHA-256 of the bytes that were checked, in hexadecimal.
    pub sha256: String,
    /// How many positions the conditions were checked for, one of each orbit.
    pub positions_checked: u64,
}

/// Why bytes are no acceptable certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// They cannot be read as a certificate.
    Format(FormatError),
    /// They can, and a condition does not hold.
    Condition(Breach),
}

/// A condition that a certificate has to meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// A listed position is canonical, holds no line and is not covered by the seed.
    Listed,
    /// The enumeration reached as many positions as the census says there are.
    Census,
    /// The empty board is lost for neither side to move.
    K1,
    /// From a position that is not lost with Black to move, no black move wins or leads to a lost one.
    K2,
    /// From a position that is not lost with White to move, some white move wins or leads to one that is
    /// not lost.
    K3,
    /// The empty board is in the closure, and some first white move leads into it.
    K4,
    /// From every position of the closure no black move wins, and each has a white answer that wins or
    /// leads back into it.
    K5,
    /// The empty board is in the refutation, and some first black move leads into it.
    K6,
    /// The positions of the refutation have an order in which from each no white move wins, and each has a black answer
    /// that wins or leads to an earlier one.
    K7,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::Listed => "listed",
            Condition::Census => "census",
            Condition::K1 => "K1",
            Condition::K2 => "K2",
            Condition::K3 => "K3",
            Condition::K4 => "K4",
            Condition::K5 => "K5",
            Condition::K6 => "K6",
            Condition::K7 => "K7",
        })
    }
}

/// A condition that does not hold, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Which condition.
    pub condition: Condition,
    /// The position at which it fails.
    pub position: Option<Position>,
    /// The move that escapes, where one does: Black's, or White's out of a refutation.
    pub mv: Option<Move>,
    /// What is wrong, in a sentence.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Format(error) => error.fmt(f),
            Refusal::Condition(breach) => breach.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl Breach {
    /// A breach at a position.
    pub(super) fn at(condition: Condition, position: &Position, mv: Option<Move>, reason: &str) -> Breach {
        Breach { condition, position: Some(*position), mv, reason: reason.to_owned() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "condition {} does not hold: {}", self.condition, self.reason)?;
        if let Some(mv) = self.mv {
            write!(f, " (the move that escapes: {mv})")?;
        }
        match self.position {
            Some(position) => write!(f, "\nat {position}\n{}", position.drawing()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Color;

    #[test]
    fn a_refusal_says_which_condition_fails_why_and_where() {
        let board = Position::empty(Color::Black);
        for (condition, name) in [
            (Condition::Listed, "listed"),
            (Condition::Census, "census"),
            (Condition::K1, "K1"),
            (Condition::K2, "K2"),
            (Condition::K3, "K3"),
            (Condition::K4, "K4"),
            (Condition::K5, "K5"),
            (Condition::K6, "K6"),
            (Condition::K7, "K7"),
        ] {
            let reason = "a reason".to_owned();
            let breach = Breach { condition, position: None, mv: None, reason };
            let start = format!("condition {name} does not hold: a reason");
            assert_eq!(breach.to_string(), start);
            let mv = "B@c3".parse().expect("a move");
            let breach = Breach { mv: Some(mv), ..breach };
            let with_move = format!("{start} (the move that escapes: B@c3)");
            assert_eq!(breach.to_string(), with_move);
            let breach = Breach { position: Some(board), ..breach };
            let text = Refusal::Condition(breach).to_string();
            let rows: Vec<&str> = text.strip_prefix(&with_move).expect("as before").lines().collect();
            assert_eq!(rows[1], "at .,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
            assert!(rows[2..].iter().any(|row| row.starts_with("4  .   .   .   .")), "{text}");
        }
    }

    #[test]
    fn a_refusal_of_the_format_says_what_the_format_says() {
        assert!(Refusal::Format(FormatError::Empty).to_string().contains("the file is empty"));
    }
}
