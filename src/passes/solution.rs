//! What a fixpoint found: every position of a variant, lost or safe.

use super::board::Board;
use super::kernel::{Row, bits};
use super::layout::{Layout, TierLayout};
use super::lost::Lost;
use super::sweep::Kernels;
use crate::enumerate::Ranking;
use crate::enumerate::census::Count;
use crate::rules::{Color, Game, Position, Size};
use crate::strategy::Seed;
use crate::symmetry::{self, Symmetry};

/// The lost-sets of a fixpoint, for both sides to move.
pub struct Solution {
    pub(super) game: Game,
    pub(super) seed: Seed,
    pub(super) layout: Layout,
    pub(super) kernels: Kernels,
    /// What the seed calls lost.
    pub(super) seeded: Lost,
    /// What the seed and the exceptions call lost.
    pub(super) lost: Lost,
    pub(super) rounds: u32,
}

impl Solution {
    /// The game that was solved.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The seed that it was solved over.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many rounds, a white and a black update each, the tier that needed most took; the last of them
    /// added nothing.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// How many bytes the dense lost-sets take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.lost.bytes()
    }

    /// Whether a position of the variant is lost for White. Over the seed `rules` this is the truth.
    #[must_use]
    pub fn is_lost(&self, position: &Position) -> bool {
        let tier = crate::enumerate::Tier::of(position);
        let Some(index) = self.layout.tiers().index(tier) else { return true };
        let bit = self.layout.bit(self.layout.tier(index), position);
        self.lost.rows(index, position.turn())[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether White holds: the empty board is safe whoever moves first.
    #[must_use]
    pub fn white_holds(&self) -> bool {
        Color::ALL.into_iter().all(|turn| !self.is_lost(&Position::empty(turn)))
    }

    /// How many positions with a side to move are lost, those with a black line and those of the seed
    /// included.
    #[must_use]
    pub fn lost_count(&self, turn: Color) -> Count {
        self.count(turn, |_, lost| lost)
    }

    /// How many positions with a side to move are exceptions: lost, and not so by the seed.
    #[must_use]
    pub fn exception_count(&self, turn: Color) -> Count {
        self.count(turn, |seeded, lost| lost & !seeded)
    }

    /// The ranks of the canonical exceptions of a tier with a side to move, in order.
    #[must_use]
    pub fn exceptions(&self, tier: usize, turn: Color) -> Vec<u128> {
        let ranking = Ranking::new(self.layout.tier(tier).tier);
        let mut ranks = Vec::new();
        self.visit(
            tier,
            turn,
            |seeded, lost| lost & !seeded,
            |stabiliser, position| {
                if is_first(stabiliser, position) {
                    ranks.push(ranking.rank(position));
                }
            },
        );
        ranks
    }

    fn count(&self, turn: Color, select: impl Fn(u64, u64) -> u64 + Copy) -> Count {
        let mut count = Count::default();
        for tier in 0..self.layout.all().len() {
            self.visit(tier, turn, select, |stabiliser, position| {
                count.positions += (Symmetry::COUNT / stabiliser.len()) as u128;
                count.canonical += u128::from(is_first(stabiliser, position));
            });
        }
        count
    }

    /// Visits the selected positions of a tier's rows with the symmetries that keep their layer of A.
    fn visit(
        &self,
        tier: usize,
        turn: Color,
        select: impl Fn(u64, u64) -> u64,
        mut visitor: impl FnMut(&[Symmetry], &Position),
    ) {
        let plan = self.layout.tier(tier);
        let (seeded, lost) = (self.seeded.rows(tier, turn), self.lost.rows(tier, turn));
        let sets = super::sweep::with_kernel!(self.kernels, plan.k, kernel => kernel.sets());
        let mut stabiliser = Vec::new();
        let mut words = vec![0; plan.words];
        for row in 0..plan.rows {
            let range = row * plan.words..(row + 1) * plan.words;
            let mut any = 0;
            for ((word, &seeded), &lost) in words.iter_mut().zip(&seeded[range.clone()]).zip(&lost[range]) {
                *word = select(seeded, lost);
                any |= *word;
            }
            if any == 0 {
                continue;
            }
            let outer = self.layout.outer(plan, row, turn);
            stabiliser.clear();
            stabiliser.extend(Symmetry::all().filter(|&symmetry| keeps_layer_of_a(symmetry, &outer)));
            for bit in bits(&words) {
                visitor(&stabiliser, &outer.with_black(self.layout.inner(), sets[bit]));
            }
        }
    }
}

fn keeps_layer_of_a(symmetry: Symmetry, position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let squares = position.pieces(color, Size::A);
        symmetry.mask(squares) == squares
    })
}

/// Whether no symmetry of the stabiliser brings the position to a smaller one.
fn is_first(stabiliser: &[Symmetry], position: &Position) -> bool {
    let own = symmetry::key(position);
    stabiliser.iter().all(|symmetry| own <= symmetry::key(&symmetry.position(position)))
}

/// The lost-sets that a seed starts with.
pub(super) fn seeded(game: &Game, seed: Seed, layout: &Layout, kernels: &Kernels) -> Lost {
    let mut seeded = Lost::none(layout);
    for tier in 0..layout.all().len() {
        for turn in Color::ALL {
            start(game, Seed::Rules, layout, kernels, &mut seeded, tier, turn);
        }
    }
    if seed == Seed::Thesis {
        for tier in 0..layout.all().len() {
            super::sweep::whole(game, layout, kernels, &mut seeded, tier, Color::Black);
        }
        for tier in 0..layout.all().len() {
            start(game, seed, layout, kernels, &mut seeded, tier, Color::Black);
        }
    }
    seeded
}

fn start(
    game: &Game,
    seed: Seed,
    layout: &Layout,
    kernels: &Kernels,
    lost: &mut Lost,
    tier: usize,
    turn: Color,
) {
    use rayon::prelude::*;
    let plan: &TierLayout = layout.tier(tier);
    super::sweep::with_kernel!(kernels, plan.k, kernel => {
        lost.rows_mut(tier, turn).par_chunks_mut(plan.words).enumerate().for_each(|(index, stored)| {
            let board = Board::new(game, kernel, layout.outer(plan, index, turn));
            let row: Row<_> = match seed {
                Seed::Rules => super::kernel::and(&board.black_lines(), &board.possible(layout.inner())),
                Seed::Thesis if plan.k == 3 => kernel.apart_from(board.closed),
                Seed::Thesis => [0; _],
            };
            for (stored, word) in stored.iter_mut().zip(row) {
                *stored |= word;
            }
        });
    });
}
