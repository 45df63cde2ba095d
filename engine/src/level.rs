//! Levels of play. Never by the clock: the same level and seed play the same game.

use crate::options::{Limits, Options};

/// How strongly the engine plays: how many positions it looks at and how wrong its scores may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The most positions a move.
    pub nodes: u64,
    /// By how much a score may be wrong on purpose, either way.
    pub noise: u16,
}

/// How many plies ahead a level may look.
const DEPTH: u32 = 64;

impl Level {
    /// The levels, from 1 to 8. The README's table says how far they are apart.
    pub const ALL: [Level; 8] = [
        Level { nodes: 10, noise: 300 },
        Level { nodes: 500, noise: 60 },
        Level { nodes: 1_200, noise: 45 },
        Level { nodes: 3_000, noise: 30 },
        Level { nodes: 10_000, noise: 18 },
        Level { nodes: 40_000, noise: 10 },
        Level { nodes: 200_000, noise: 5 },
        Level { nodes: 1_000_000, noise: 2 },
    ];

    /// A level by its number, from 1; `None` if there is no such level.
    #[must_use]
    pub fn new(number: usize) -> Option<Level> {
        Level::ALL.get(number.checked_sub(1)?).copied()
    }

    /// How far a search goes.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { depth: DEPTH, nodes: self.nodes }
    }

    /// How the engine is made. Its mistakes follow from the seed.
    #[must_use]
    pub fn options(&self, seed: u64) -> Options {
        // A table for a few positions need not be cleared by the megabyte.
        let table = (self.nodes.saturating_mul(64)).clamp(1 << 16, 64 << 20) as usize;
        Options { table, noise: self.noise, seed, ..Options::default() }
    }
}
