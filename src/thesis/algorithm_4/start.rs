//! The start function FceW of Algorithm 4, with the readings of its clauses.

use std::fmt;

use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Tables, with_kernel};
use crate::enumerate::rows::kernel::{Kernel, bits};
use crate::passes::black_update::add_wins_in_one;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, LINES, Position, Size};
use crate::strategy::Seed;

/// FceW, "three visible black B": how it is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThreeB {
    /// Literally: all three of Black's B are visible, wherever they stand.
    Anywhere,
    /// They stand in one line.
    InOneLine,
    /// The clause is left out.
    LeftOut,
}

/// FceW, "Black can win in one move": how it is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wins {
    /// Literally: some black move wins, under the rules and the reading.
    ByTheRules,
    /// There is a black threat as chapter 3 defines it: three visible black pieces in a line and no white A.
    Threat,
    /// The clause is left out. The first round then finds these positions, and they count as exceptions.
    LeftOut,
}

/// How the clauses of FceW are read. FceB is "a black line" whatever is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Start {
    /// "Three visible black B".
    pub three_b: ThreeB,
    /// "Black can win in one move".
    pub wins: Wins,
}

impl ThreeB {
    const ALL: [ThreeB; 3] = [ThreeB::Anywhere, ThreeB::InOneLine, ThreeB::LeftOut];

    const fn tag(self) -> &'static str {
        match self {
            ThreeB::Anywhere => "anywhere",
            ThreeB::InOneLine => "in-one-line",
            ThreeB::LeftOut => "left-out",
        }
    }

    fn holds(self, position: &Position) -> bool {
        let visible = position.visible_of(Color::Black, Size::B);
        match self {
            ThreeB::Anywhere => visible.count() >= 3,
            ThreeB::InOneLine => some_line(|line| (visible & line).count() >= 3),
            ThreeB::LeftOut => false,
        }
    }
}

impl Wins {
    const ALL: [Wins; 3] = [Wins::ByTheRules, Wins::Threat, Wins::LeftOut];

    const fn tag(self) -> &'static str {
        match self {
            Wins::ByTheRules => "by-the-rules",
            Wins::Threat => "threat",
            Wins::LeftOut => "left-out",
        }
    }

    /// Whether the clause holds by the looks of the board. False for `ByTheRules`, which `add_wins_in_one` applies.
    fn holds(self, position: &Position) -> bool {
        let visible = position.visible(Color::Black);
        let white = position.pieces(Color::White, Size::A);
        self == Wins::Threat && some_line(|line| (visible & line).count() == 3 && !line.meets(white))
    }
}

impl Start {
    /// Both clauses read literally: the seed `thesis`.
    pub const THESIS: Start = Start { three_b: ThreeB::Anywhere, wins: Wins::ByTheRules };

    /// Every combination, the literal one first.
    #[must_use]
    pub fn all() -> Vec<Start> {
        let of = |three_b| Wins::ALL.into_iter().map(move |wins| Start { three_b, wins });
        ThreeB::ALL.into_iter().flat_map(of).collect()
    }

    /// The game before the first round: the positions that this start calls lost, and no exceptions.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn solution(self, game: &Game) -> Result<Solution, OutOfMemory> {
        let mut solution = Solution::start(game, Seed::Rules)?;
        if self.wins == Wins::ByTheRules {
            add_wins_in_one(&solution);
        }
        let tables = solution.tables();
        for (tier, plan) in solution.layout.all().iter().enumerate() {
            let holds = |position: &Position| self.three_b.holds(position) || self.wins.holds(position);
            with_kernel!(tables.kernels, plan.k, kernel => mark(&tables, kernel, tier, holds));
        }
        solution.seeded = Some(solution.lost.copy(&solution.layout)?);
        Ok(solution)
    }
}

/// `three-b=anywhere wins=by-the-rules`.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "three-b={} wins={}", self.three_b.tag(), self.wins.tag())
    }
}

fn some_line(holds: impl Fn(Bitboard) -> bool) -> bool {
    LINES.into_iter().any(holds)
}

/// Marks as lost the positions of a tier with Black to move for which `holds` is true.
fn mark<const N: usize>(
    tables: &Tables<'_>,
    kernel: &Kernel<N>,
    tier: usize,
    holds: impl Fn(&Position) -> bool + Sync,
) {
    let plan = tables.layout.tier(tier);
    tables.visit(
        kernel,
        (tier, Color::Black),
        0..plan.rows,
        |_| u64::MAX,
        |board| -> Option<()> {
            let mut row = board.possible();
            let possible = row;
            for bit in bits(&possible) {
                if !holds(&board.outer.with_black(tables.layout.inner(), kernel.sets()[bit])) {
                    row[bit / 64] &= !(1 << (bit % 64));
                }
            }
            tables.lost.add(tier, Color::Black, board.row, &row);
            None
        },
    );
}
