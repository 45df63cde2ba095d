//! What a fixpoint found: every position of a variant, lost or safe.

use rayon::prelude::*;

use super::board::Board;
use super::closure::{self, Weights};
use super::kernel::{and, bits};
use super::layout::Layout;
use super::lost::Lost;
use super::shrink;
use super::sweep::{self, Kernels, with_kernel};
use crate::certificate::{Body, Certificate, PositionSet, SetError};
use crate::enumerate::census::Count;
use crate::enumerate::{NoSuchRank, Ranking, Tier};
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
    /// A game with nothing lost but what the seed says.
    pub(super) fn start(game: &Game, seed: Seed) -> Solution {
        let layout = Layout::new(game.variant);
        let lost = Lost::none(&layout);
        let kernels = Kernels::new();
        let mut solution =
            Solution { game: *game, seed, layout, kernels, seeded: lost.clone(), lost, rounds: 0 };
        let tiers = 0..solution.layout.all().len();
        for tier in tiers.clone() {
            for turn in Color::ALL {
                start(&mut solution, Seed::Rules, tier, turn);
            }
        }
        if seed == Seed::Thesis {
            // With nothing but lines lost, a black update finds just where Black can win in one move.
            for tier in tiers.clone() {
                sweep::whole(&mut solution, tier, Color::Black);
            }
            for tier in tiers {
                start(&mut solution, seed, tier, Color::Black);
            }
        }
        solution.seeded = solution.lost.clone();
        solution
    }

    /// Adds positions of a tier, given by ranks, to what is lost.
    ///
    /// # Errors
    /// A rank is beyond the tier.
    pub(super) fn add(&mut self, tier: usize, turn: Color, ranks: &[u128]) -> Result<(), NoSuchRank> {
        let plan = *self.layout.tier(tier);
        let ranking = Ranking::new(plan.tier);
        let words = self.lost.rows_mut(tier, turn);
        for &rank in ranks {
            let position = ranking.unrank(rank, turn)?;
            self.layout.bits(&plan, &position, |bit| words[bit / 64] |= 1 << (bit % 64));
        }
        Ok(())
    }

    /// The cut: the seed and all exceptions.
    ///
    /// # Errors
    /// The exceptions are no set of positions, which would be a mistake of the passes.
    pub fn cut(&self) -> Result<Certificate, SetError> {
        let set = |turn| {
            let tiers = self.layout.tiers();
            let ranks = (0..tiers.as_slice().len()).map(|tier| self.exceptions(tier, turn)).collect();
            PositionSet::from_ranks(tiers.clone(), ranks)
        };
        let (black_to_move, white_to_move) = (set(Color::Black)?, set(Color::White)?);
        Ok(Certificate { game: self.game, body: Body::Cut { seed: self.seed, black_to_move, white_to_move } })
    }

    /// The closure that White keeps to, `None` if White does not hold.
    #[must_use]
    pub fn closure(&self, weights: &Weights) -> Option<Certificate> {
        let positions = closure::grow(self, weights)?;
        let positions = shrink::shrink(&self.game, positions);
        let set = PositionSet::from_positions(self.game.variant, positions);
        Some(Certificate { game: self.game, body: Body::Closure(set) })
    }

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
        self.holds(&self.lost, position)
    }

    /// Whether the seed calls a position of the variant lost.
    #[must_use]
    pub fn is_seeded(&self, position: &Position) -> bool {
        self.holds(&self.seeded, position)
    }

    /// Whether a set holds a position; one of another variant is in all of them.
    fn holds(&self, set: &Lost, position: &Position) -> bool {
        let tier = Tier::of(position);
        let Some(index) = self.layout.tiers().index(tier) else { return true };
        let bit = self.layout.bit(self.layout.tier(index), position);
        set.rows(index, position.turn())[bit / 64] >> (bit % 64) & 1 == 1
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
        self.visit_exceptions(tier, turn, |_, position| ranks.push(ranking.rank(position)));
        ranks
    }

    /// Visits the canonical exceptions of a tier in order, with the symmetries that keep their layer of A.
    pub(super) fn visit_exceptions(
        &self,
        tier: usize,
        turn: Color,
        mut visitor: impl FnMut(&[Symmetry], &Position),
    ) {
        self.visit(
            tier,
            turn,
            |seeded, lost| lost & !seeded,
            |stabiliser, position| {
                if is_first(stabiliser, position) {
                    visitor(stabiliser, position);
                }
            },
        );
    }

    fn count(&self, turn: Color, select: impl Fn(u64, u64) -> u64 + Copy + Sync) -> Count {
        let of_tier = |tier| {
            let mut count = Count::default();
            self.visit(tier, turn, select, |stabiliser, position| {
                count.positions += (Symmetry::COUNT / stabiliser.len()) as u128;
                count.canonical += u128::from(is_first(stabiliser, position));
            });
            count
        };
        let sum = |all: Count, tier: Count| Count {
            positions: all.positions + tier.positions,
            canonical: all.canonical + tier.canonical,
        };
        (0..self.layout.all().len()).into_par_iter().map(of_tier).reduce(Count::default, sum)
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
        let sets = with_kernel!(self.kernels, plan.k, kernel => kernel.sets());
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

/// Adds to a tier's lost-set what a seed says of each position by itself, its look-ahead apart.
fn start(solution: &mut Solution, seed: Seed, tier: usize, turn: Color) {
    let Solution { game, layout, kernels, lost, .. } = solution;
    let plan = layout.tier(tier);
    with_kernel!(kernels, plan.k, kernel => {
        lost.rows_mut(tier, turn).par_chunks_mut(plan.words).enumerate().for_each(|(index, stored)| {
            let board = Board::new(game, kernel, layout.outer(plan, index, turn));
            let row = match seed {
                Seed::Rules => and(&board.black_lines(), &board.possible(layout.inner())),
                Seed::Thesis if plan.k == 3 => kernel.apart_from(board.closed),
                Seed::Thesis => [0; _],
            };
            for (stored, word) in stored.iter_mut().zip(row) {
                *stored |= word;
            }
        });
    });
}
