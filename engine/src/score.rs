//! Scores of positions, for the side to move.

use std::fmt;

/// The score of a win that is already there; one that comes in `n` plies has `n` less.
pub(crate) const MATE: i32 = 32_000;

/// From here on a score says that the side wins by force: nothing that the evaluation or a cut-off by guess gives is as high.
pub(crate) const WIN: i32 = 31_000;

/// More than any score.
pub(crate) const INFINITE: i32 = 32_500;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// A guess: by how many points of the evaluation the side stands better. A visible A is worth some 40.
    Estimate(i32),
    /// Proven: it wins by force, within this number of plies.
    Wins {
        /// The plies, its last move counted.
        plies: u32,
    },
    /// Proven: its opponent wins by force, within this number of plies.
    Loses {
        /// The plies, the opponent's last move counted.
        plies: u32,
    },
}

impl Score {
    pub(crate) fn new(score: i32) -> Score {
        match score {
            _ if score >= WIN => Score::Wins { plies: (MATE - score).unsigned_abs() },
            _ if score <= -WIN => Score::Loses { plies: (MATE + score).unsigned_abs() },
            _ => Score::Estimate(score),
        }
    }

    /// Whether it is proven and no guess.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(self, Score::Estimate(_))
    }
}

/// `+35`, `wins in 5 plies`, `loses in 6 plies`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = |plies: u32| if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        match *self {
            Score::Estimate(score) => write!(f, "{score:+}"),
            Score::Wins { plies: count } => write!(f, "wins in {}", plies(count)),
            Score::Loses { plies: count } => write!(f, "loses in {}", plies(count)),
        }
    }
}
