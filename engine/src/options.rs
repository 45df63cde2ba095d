//! What a search may use and how far it goes.

/// How far a search goes: whichever is reached first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most plies that it looks ahead, without what threats add.
    pub depth: u32,
    /// The most positions that it looks at.
    pub nodes: u64,
}

impl Default for Limits {
    /// 64 plies and no limit of positions.
    fn default() -> Limits {
        Limits { depth: 64, nodes: u64::MAX }
    }
}

/// How an engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most bytes of the transposition table.
    pub table: usize,
    /// By how much a score may be wrong on purpose, either way. Forced wins are still seen.
    pub noise: u16,
    /// What the noise follows from: the same seed makes the same mistakes.
    pub seed: u64,
    /// What is used.
    pub techniques: Techniques,
}

impl Default for Options {
    /// 64 MiB, no noise, and every technique.
    fn default() -> Options {
        Options { table: 64 << 20, noise: 0, seed: 0, techniques: Techniques::default() }
    }
}

/// What the search uses; each can be left out, to see what it brings. None of them changes what is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Techniques {
    /// The transposition table.
    pub table: bool,
    /// Symmetric positions share one entry of the table while this number of pieces or fewer is on the board.
    pub symmetric: u32,
    /// Narrow windows about the last iteration's score.
    pub aspiration: bool,
    /// After the first move the others have to show that they are better, by a window of width 0.
    pub scout: bool,
    /// A position in which even to pass is good enough is not looked at further.
    pub pass: bool,
    /// Near the end of a search a position that is much better than it has to be is not looked at further, and of one that is
    /// not, the last moves are left out.
    pub margins: bool,
    /// Late moves are looked at less deeply first.
    pub reductions: bool,
    /// Moves that were good beside a position come first.
    pub killers: bool,
    /// Moves that were good elsewhere come first.
    pub history: bool,
    /// Where the opponent threatens to win the search goes on.
    pub threats: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            table: true,
            symmetric: 12,
            aspiration: true,
            scout: true,
            pass: true,
            margins: true,
            reductions: true,
            killers: true,
            history: true,
            threats: true,
        }
    }
}
