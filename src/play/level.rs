//! How strongly a program plays. Never by the clock alone: the same seed plays the same game.

use gobengine::{Level, Limits, Options};

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

impl Strength {
    /// A level, from 1. The highest plays what is proven where it can.
    #[must_use]
    pub fn level(level: usize) -> Option<Strength> {
        let Level { nodes, noise } = Level::new(level)?;
        let knows = level == Level::ALL.len();
        Some(Strength { nodes, noise, knows, ..Strength::nodes(nodes) })
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
        Level { nodes: self.nodes, noise: self.noise }.options(seed)
    }
}
