//! Where a strategy fails, and why.

use std::fmt;

use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::strategy::Triple;

/// A position at which Algorithm 1 answers "No". The side to move says which set it should be kept out of or
/// lie in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where.
    pub position: Position,
    /// What broke.
    pub broken: Broken,
}

/// Which step of Algorithm 1 broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// (a): a black line stands and the position is not in the set of its side to move.
    Decided,
    /// (b): the position is not in W, and a black move leads into B.
    BlackMove {
        /// The move.
        mv: Move,
        /// The clause of FceB that holds after it, `wins` if the move wins for Black.
        clause: &'static str,
    },
    /// (c): the position is not in B, and every move of the strategy leads into W.
    WhiteReply {
        /// The rule of StratW that applies, `none` if there is none.
        rule: &'static str,
        /// The strategy's moves, each with the clause of FceW that holds after it, `loses` if the move loses
        /// at once. Empty if the strategy has no move.
        moves: Vec<(Move, &'static str)>,
    },
}

impl Broken {
    /// The step's letter in THESIS.md's order: `a`, `b` or `c`.
    #[must_use]
    pub const fn step(&self) -> char {
        match self {
            Broken::Decided => 'a',
            Broken::BlackMove { .. } => 'b',
            Broken::WhiteReply { .. } => 'c',
        }
    }

    /// The clause or rule to blame: FceB's for (b), StratW's for (c).
    #[must_use]
    pub const fn blame(&self) -> &'static str {
        match self {
            Broken::Decided => "line",
            Broken::BlackMove { clause, .. } => clause,
            Broken::WhiteReply { rule, .. } => rule,
        }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Decided => {
                f.write_str("(a) a black line stands and the function does not call the position lost")
            }
            Broken::BlackMove { mv, clause } => {
                write!(f, "(b) not in W, and Black's {mv} leads into B ({clause})")
            }
            Broken::WhiteReply { rule, moves } if moves.is_empty() => {
                write!(f, "(c) not in B, and StratW has no move (rule {rule})")
            }
            Broken::WhiteReply { rule, moves } => {
                write!(f, "(c) not in B, and every move of StratW (rule {rule}) leads into W:")?;
                for (i, (mv, clause)) in moves.iter().enumerate() {
                    write!(f, "{} {mv} ({clause})", if i == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

/// What Algorithm 1 does at one position for its side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A line stands: nothing is played.
    Decided,
    /// The position is in the set: nothing is played.
    Lost,
    /// The position was worked and held.
    Holds,
    /// The answer is "No".
    Fails(Broken),
}

/// Algorithm 1 at one position for its side to move, with membership in W and B as `lost` has it.
pub fn step(game: &Game, triple: &dyn Triple, position: &Position, lost: impl Fn(&Position) -> bool) -> Step {
    let is_lost = lost(position);
    match position.finished() {
        Some(Color::Black) if !is_lost => return Step::Fails(Broken::Decided),
        Some(_) => return Step::Decided,
        None if is_lost => return Step::Lost,
        None => {}
    }
    let broken = match position.turn() {
        Color::Black => black_step(game, triple, position, lost),
        Color::White => white_step(game, triple, position, lost),
    };
    broken.map_or(Step::Holds, Step::Fails)
}

fn black_step(
    game: &Game,
    triple: &dyn Triple,
    position: &Position,
    lost: impl Fn(&Position) -> bool,
) -> Option<Broken> {
    game.moves(position).find_map(|mv| match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => None,
        Outcome::BlackWins => Some(Broken::BlackMove { mv, clause: "wins" }),
        Outcome::GoesOn(after) => lost(&after).then(|| {
            let clause = triple.lost_by(game, &after).unwrap_or("?");
            Broken::BlackMove { mv, clause }
        }),
    })
}

fn white_step(
    game: &Game,
    triple: &dyn Triple,
    position: &Position,
    lost: impl Fn(&Position) -> bool,
) -> Option<Broken> {
    let (rule, moves) = triple.moves(game, position);
    let mut tried = Vec::new();
    for mv in moves {
        match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => return None,
            Outcome::BlackWins => tried.push((mv, None)),
            Outcome::GoesOn(after) if lost(&after) => tried.push((mv, Some(after))),
            Outcome::GoesOn(_) => return None,
        }
    }
    let clause = |after: Option<Position>| match after {
        None => "loses",
        Some(after) => triple.lost_by(game, &after).unwrap_or("?"),
    };
    let moves = tried.into_iter().map(|(mv, after)| (mv, clause(after))).collect();
    Some(Broken::WhiteReply { rule, moves })
}
