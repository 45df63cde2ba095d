//! How strongly a program plays. Never by the clock alone: the same seed plays the same game.

use gobengine::{Limits, Options};

/// How far a search goes and how wrong its scores are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The most positions a move.
    pub nodes: u64,
    /// The most plies.
    pub depth: u32,
    /// The most seconds a move, in thousandths; then the same seed may play another game.
    pub millis: Option<u64>,
    /// By how much a score may be wrong, either way.
    pub noise: u16,
    /// Whether what is proven on disk comes before the search.
    pub knows: bool,
}

/// The levels 1 to 8: positions a move, and by how much a score may be wrong.
pub const LEVELS: [(u64, u16); 8] = [
    (10, 300),
    (500, 60),
    (1_200, 45),
    (3_000, 30),
    (10_000, 18),
    (40_000, 10),
    (200_000, 5),
    (1_000_000, 2),
];

impl Strength {
    /// A level, from 1. The highest plays what is proven where it can.
    #[must_use]
    pub fn level(level: usize) -> Option<Strength> {
        let &(nodes, noise) = LEVELS.get(level.checked_sub(1)?)?;
        Some(Strength { nodes, depth: 64, millis: None, noise, knows: level == LEVELS.len() })
    }

    /// So many positions a move, without mistakes on purpose.
    #[must_use]
    pub fn nodes(nodes: u64) -> Strength {
        Strength { nodes, depth: 64, millis: None, noise: 2, knows: false }
    }

    /// What the engine is told.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes }
    }

    /// How the engine is made.
    #[must_use]
    pub fn options(&self, seed: u64) -> Options {
        // A table for a few positions need not be cleared by the megabyte.
        let table = (self.nodes.saturating_mul(64)).clamp(1 << 16, 64 << 20) as usize;
        Options { table, noise: self.noise, seed, ..Options::default() }
    }
}
