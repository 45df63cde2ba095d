//! How strongly a program plays. Without a limit of time the same seed plays the same game.

use gobengine::{Level, Limits, Options};

/// How far a search goes and how wrong its scores are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The most positions searched for a move.
    pub nodes: u64,
    /// The most plies searched ahead.
    pub depth: u32,
    /// The most milliseconds for a move. With this limit the same seed may play another game.
    pub millis: Option<u64>,
    /// By how much a score may be wrong on purpose, either way.
    pub noise: u16,
    /// Whether a move that files on disk prove right is played instead of a searched one.
    pub knows: bool,
}

impl Strength {
    /// A level, counted from 1; `None` if there is no such level. The highest plays proven moves where it can.
    #[must_use]
    pub fn level(level: usize) -> Option<Strength> {
        let Level { nodes, noise } = Level::new(level)?;
        let knows = level == Level::ALL.len();
        Some(Strength { nodes, noise, knows, ..Strength::nodes(nodes) })
    }

    /// At most `nodes` positions for a move, with as little noise as the highest level.
    #[must_use]
    pub fn nodes(nodes: u64) -> Strength {
        Strength { nodes, depth: 64, millis: None, noise: 2, knows: false }
    }

    /// The limits of the engine's search.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes }
    }

    /// How the engine is made. Its noise follows from the seed.
    #[must_use]
    pub fn options(&self, seed: u64) -> Options {
        Level { nodes: self.nodes, noise: self.noise }.options(seed)
    }
}
