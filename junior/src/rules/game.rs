//! Moves, and how they are judged (J4 to J6).

use std::fmt;

use super::board::{Color, Size, Square};
use super::position::Position;
use thiserror::Error;

/// How many pieces of each size a side owns, from Small to Large; both sides own the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material([u8; 3]);

impl Material {
    /// Two of each size (J2).
    pub const FULL: Material = Material([2, 2, 2]);

    /// A smaller game: at most two of each size, and at least one Large, so that a move can always be made (J7). `None`
    /// otherwise.
    #[must_use]
    pub const fn new(small: u8, medium: u8, large: u8) -> Option<Material> {
        if small <= 2 && medium <= 2 && 1 <= large && large <= 2 {
            Some(Material([small, medium, large]))
        } else {
            None
        }
    }

    /// How many pieces of a size a side owns.
    #[must_use]
    pub const fn of(self, size: Size) -> usize {
        self.0[size as usize] as usize
    }
}

/// How the rules are read where published rules differ (J6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// A move is judged when it is complete.
    Official,
    /// As official, but a lift that uncovers a line of the opponent loses, wherever the piece lands.
    StrictLift,
}

impl Reading {
    /// Both readings.
    pub const ALL: [Reading; 2] = [Reading::Official, Reading::StrictLift];

    /// The name, as `--reading` has it.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Reading::Official => "official",
            Reading::StrictLift => "strict-lift",
        }
    }

    /// The reading with a name.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Reading> {
        Reading::ALL.into_iter().find(|reading| reading.tag() == tag)
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece from hand (J4).
    Place {
        /// How large it is.
        size: Size,
        /// Where it goes.
        to: Square,
    },
    /// A visible piece goes to another square (J5).
    Transfer {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A side has won.
    Won(Color),
    /// Play goes on in this position.
    GoesOn(Position),
}

/// Why a move cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// A line stands.
    #[error("the game is over, since {0} has a line (J6)")]
    Finished(Color),
    /// All pieces of the size are on the board.
    #[error("{0} has no {1} in hand (J2)")]
    NotInHand(Color, Size),
    /// No own piece is visible there.
    #[error("{0} has no visible piece on {1} (J3)")]
    NothingToMove(Color, Square),
    /// What stands there is as large or larger, or the piece itself.
    #[error("a piece goes to another square that is empty or shows a smaller piece, and {0} is none (J5)")]
    NotOpen(Square),
}

/// The game that is played: the pieces and the reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    /// The pieces of each side.
    pub material: Material,
    /// How the rules are read.
    pub reading: Reading,
}

impl Game {
    /// The whole game under a reading.
    #[must_use]
    pub const fn full(reading: Reading) -> Game {
        Game { material: Material::FULL, reading }
    }

    /// Whether a position has no more pieces than the game.
    #[must_use]
    pub fn has(&self, position: &Position) -> bool {
        let fits = |(color, size)| position.pieces(color, size).len() <= self.material.of(size);
        Color::ALL.into_iter().flat_map(|color| Size::ALL.map(|size| (color, size))).all(fits)
    }

    /// Whether the side to move has a piece of a size in hand.
    #[must_use]
    pub fn in_hand(&self, position: &Position, size: Size) -> bool {
        position.pieces(position.turn(), size).len() < self.material.of(size)
    }

    /// All moves of the side to move, those from hand first; none where a line stands.
    pub fn moves(&self, position: &Position) -> impl Iterator<Item = Move> + use<> {
        let (game, position) = (*self, *position);
        let sizes = if position.finished().is_none() { &Size::ALL[..] } else { &[] };
        let places = sizes
            .iter()
            .filter(move |size| game.in_hand(&position, **size))
            .flat_map(move |&size| position.open(size).squares().map(move |to| Move::Place { size, to }));
        let transfers = sizes.iter().flat_map(move |&size| {
            let targets = position.open(size).squares();
            let from = position.visible(position.turn(), size).squares();
            from.flat_map(move |from| targets.clone().map(move |to| Move::Transfer { from, to }))
        });
        places.chain(transfers)
    }

    /// What a move leads to.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn play(&self, position: &Position, mv: Move) -> Result<Outcome, IllegalMove> {
        if let Some(winner) = position.finished() {
            return Err(IllegalMove::Finished(winner));
        }
        let turn = position.turn();
        let (size, to, lifted) = match mv {
            Move::Place { size, .. } if !self.in_hand(position, size) => {
                return Err(IllegalMove::NotInHand(turn, size));
            }
            Move::Place { size, to } => (size, to, *position),
            Move::Transfer { from, to } => {
                let size = Size::ALL.into_iter().find(|size| position.visible(turn, *size).has(from));
                let size = size.ok_or(IllegalMove::NothingToMove(turn, from))?;
                (size, to, position.lifted(turn, size, from))
            }
        };
        if !position.open(size).has(to) {
            return Err(IllegalMove::NotOpen(to));
        }
        let after = lifted.with(turn, size, to).passed();
        let uncovered = self.reading == Reading::StrictLift && lifted.has_line(turn.opponent());
        Ok(match after.finished() {
            _ if uncovered => Outcome::Won(turn.opponent()),
            Some(winner) => Outcome::Won(winner),
            None => Outcome::GoesOn(after),
        })
    }

    /// Every move with what it leads to.
    pub fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Move, Outcome)> + use<> {
        let (game, position) = (*self, *position);
        self.moves(&position).filter_map(move |mv| Some((mv, game.play(&position, mv).ok()?)))
    }

    /// Every position from which the side that has just moved may have come to this one while play went on. Several may be of
    /// one symmetry.
    #[must_use]
    pub fn before(&self, position: &Position) -> Vec<Position> {
        let after = position.passed();
        let mover = after.turn();
        let mut found = Vec::new();
        for size in Size::ALL {
            for to in position.visible(mover, size).squares() {
                let lifted = after.lifted(mover, size, to);
                let mut from_here = |earlier: Position, mv| {
                    if self.play(&earlier, mv) == Ok(Outcome::GoesOn(*position)) {
                        found.push(earlier);
                    }
                };
                from_here(lifted, Move::Place { size, to });
                for from in lifted.open(size).without(to.into()).squares() {
                    from_here(lifted.with(mover, size, from), Move::Transfer { from, to });
                }
            }
        }
        found
    }
}
