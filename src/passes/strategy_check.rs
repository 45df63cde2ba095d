//! Algorithm 1: does a strategy keep out of two sets of lost positions?
//!
//! A strategy is a [`Triple`]: W and B are the positions that it calls lost, Black and White to move, and StratW names
//! White's moves. The check works every position that is in neither set: from one of Black's no move may lead into B, and
//! from one of White's some move of StratW must stay out of W. For example, a position in which Black can complete a
//! line has to be in W.
//!
//! [`check`] hands every position, with its result, to its caller, who counts and reports. It visits canonical
//! positions only. That is enough because the three functions are symmetric, as [`Triple`] demands. Legal moves and
//! their outcomes are the same under the 32 symmetries, so a step holds at one position exactly if it holds at every
//! position of the orbit.

use std::fmt;

use bitvec::vec::BitVec;
use rayon::prelude::*;

use crate::enumerate::{Block, Ranking, Tier, Tiers, blocks};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::strategy::Triple;
use crate::symmetry::{Symmetry, canonical};

/// A canonical position and what Algorithm 1 does there.
#[derive(Clone, Debug)]
pub struct Visit<'a> {
    /// The position.
    pub position: Position,
    /// Some symmetries, among them all that keep the position.
    pub stabiliser: &'a [Symmetry],
    /// The result there.
    pub result: StepResult,
}

/// Runs Algorithm 1 over every position of the game's variant, and goes on after a failure. Visits come by tier and
/// rank, White to move before Black to move. They come in parts, each within one tier. `hear` collects what it needs of
/// a part in a `T`, which starts at its default. The parts are returned in order, whatever the number of threads.
pub fn check<T: Default + Send>(
    game: &Game,
    triple: &dyn Triple,
    hear: impl Fn(&mut T, Visit<'_>) + Sync,
) -> Vec<T> {
    let blocks = blocks(game.variant);
    let lost = LostSets::new(game, triple, &blocks);
    let part = |block: &Block| {
        let mut part = T::default();
        for position in block.positions(Color::White) {
            for turn in Color::ALL {
                let position = position.with_turn(turn);
                let result = step(game, triple, &position, |p| lost.contains(p));
                hear(&mut part, Visit { position, stabiliser: &block.root.stabiliser, result });
            }
        }
        part
    };
    blocks.par_iter().map(part).collect()
}

/// The failure of a triple at one position, if it fails there. No set is built: the functions are asked.
#[must_use]
pub fn failure_at(game: &Game, triple: &dyn Triple, position: &Position) -> Option<StrategyFailure> {
    match step(game, triple, position, |p| triple.lost(game, p)) {
        StepResult::Fails(broken) => Some(StrategyFailure { position: *position, broken }),
        StepResult::Decided | StepResult::Lost | StepResult::Holds => None,
    }
}

/// A position at which Algorithm 1 answers "No". Its side to move says which set is meant: W with Black to move, B with
/// White.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyFailure {
    /// The position.
    pub position: Position,
    /// The step that broke.
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
    /// The step's letter: `a`, `b` or `c`.
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
pub enum StepResult {
    /// A line stands: nothing is played.
    Decided,
    /// The position is in the set: nothing is played.
    Lost,
    /// The position was worked and held.
    Holds,
    /// The answer is "No".
    Fails(Broken),
}

/// Algorithm 1 at one position for its side to move, where `lost` says which positions are in W and B.
fn step(
    game: &Game,
    triple: &dyn Triple,
    position: &Position,
    lost: impl Fn(&Position) -> bool,
) -> StepResult {
    let is_lost = lost(position);
    match position.finished() {
        Some(Color::Black) if !is_lost => return StepResult::Fails(Broken::Decided),
        Some(_) => return StepResult::Decided,
        None if is_lost => return StepResult::Lost,
        None => {}
    }
    let broken = match position.turn() {
        Color::Black => black_step(game, triple, position, lost),
        Color::White => white_step(game, triple, position, lost),
    };
    broken.map_or(StepResult::Holds, StepResult::Fails)
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

/// Membership in W (Black to move) and B (White to move) for every position of the variant.
struct LostSets {
    tiers: Tiers,
    /// By tier, where the bits of each layer of A begin in `bits`.
    layers: Vec<Layers>,
    /// White to move (B), Black to move (W).
    bits: [BitVec; 2],
}

struct Layers {
    ranking: Ranking,
    /// By the layer's rank.
    starts: Vec<u32>,
}

impl LostSets {
    /// Evaluates FceW and FceB at every canonical position.
    fn new(game: &Game, triple: &dyn Triple, blocks: &[Block]) -> LostSets {
        let of_block: Vec<[BitVec; 2]> =
            blocks.par_iter().map(|block| lost_bits(game, triple, block)).collect();
        let mut bits = [BitVec::new(), BitVec::new()];
        for sides in of_block {
            for (all, block) in bits.iter_mut().zip(sides) {
                all.extend_from_bitslice(&block);
            }
        }
        let tiers = Tiers::new(game.variant);
        let layers_of = |&tier: &Tier| {
            let ranking = Ranking::new(tier);
            Layers { ranking, starts: vec![u32::MAX; index(ranking.len() / ranking.len_above_a())] }
        };
        let mut layers: Vec<Layers> = tiers.as_slice().iter().map(layers_of).collect();
        let mut next = 0u32;
        for Block { ranking, root } in blocks {
            let tier = tiers.index(ranking.tier()).expect("a block's tier is the variant's");
            let rank = Ranking::new(Tier::of(&root.layer)).rank(&root.layer);
            layers[tier].starts[index(rank)] = next;
            next += index(ranking.len_above_a()) as u32;
        }
        LostSets { tiers, layers, bits }
    }

    /// Whether the position is in the set of its side to move.
    fn contains(&self, position: &Position) -> bool {
        let canonical = canonical(position);
        let tier = self.tiers.index(Tier::of(&canonical)).expect("a position of the variant");
        let layers = &self.layers[tier];
        let (rank, width) = (layers.ranking.rank(&canonical), layers.ranking.len_above_a());
        let start = layers.starts[index(rank / width)] as usize;
        self.bits[position.turn() as usize][start + index(rank % width)]
    }
}

/// The bits of a block, White to move, Black to move.
fn lost_bits(game: &Game, triple: &dyn Triple, block: &Block) -> [BitVec; 2] {
    let width = block.ranking.len_above_a();
    let mut bits = [BitVec::repeat(false, index(width)), BitVec::repeat(false, index(width))];
    for position in block.positions(Color::White) {
        let bit = index(block.ranking.rank(&position) % width);
        for turn in Color::ALL {
            bits[turn as usize].set(bit, triple.lost(game, &position.with_turn(turn)));
        }
    }
    bits
}

/// A rank as an index, in a variant small enough to hold in memory.
fn index(rank: u128) -> usize {
    usize::try_from(rank).expect("the bits of the variant fit in memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::solved;
    use crate::rules::Reading;
    use crate::strategy::Seed;
    use crate::strategy::repaired::{Deviation, Repaired};
    use crate::strategy::thesis::{Options, Thesis};

    fn ab(reading: Reading) -> Game {
        Game::new("ab".read().expect("a variant"), reading)
    }

    fn position(text: &str) -> Position {
        ab(Reading::Official).parse(text).expect("a position")
    }

    #[test]
    fn each_deviation_is_forced_by_its_position() {
        let game = ab(Reading::Official);
        for deviation in Deviation::ALL {
            let position = position(deviation.forced_by());
            assert_eq!(failure_at(&game, &Repaired::default(), &position), None, "{}", deviation.name());
            let without = Repaired { without: Some(deviation) };
            assert!(failure_at(&game, &without, &position).is_some(), "{}", deviation.name());
        }
    }

    #[test]
    fn under_no_options_does_the_thesis_know_a_position_that_is_lost() {
        // White has just moved. Black brings the A from c2 beside the two on the d file, and both B are visible.
        let position = position(".,.,.,./b,.,.,./.,.,ab,a/Ab,A,A,a b");
        for reading in Reading::ALL {
            let game = ab(reading);
            assert!(solved(&game, Seed::Rules).is_lost(&position), "{reading}");
            assert!(Repaired::default().lost(&game, &position), "{reading}");
            let knows = |&options: &Options| Thesis { options }.lost(&game, &position);
            assert!(!Options::combinations().iter().any(knows), "{reading}");
        }
    }

    #[test]
    fn the_triples_are_symmetric() {
        let game = ab(Reading::Official);
        let boards = Deviation::ALL.map(|deviation| position(deviation.forced_by()));
        let triples: [&dyn Triple; 2] = [&Repaired::default(), &Thesis::default()];
        for position in boards {
            for (triple, turn) in triples.into_iter().flat_map(|triple| Color::ALL.map(|turn| (triple, turn)))
            {
                let position = position.with_turn(turn);
                let moves = |position: &Position| {
                    let (rule, moves) = triple.moves(&game, position);
                    let mut after: Vec<_> =
                        moves.into_iter().map(|mv| game.play_unchecked(position, mv)).collect();
                    after.sort_by_key(|outcome| format!("{outcome:?}"));
                    (rule, after)
                };
                for symmetry in Symmetry::all() {
                    let image = symmetry.position(&position);
                    assert_eq!(triple.lost_by(&game, &image), triple.lost_by(&game, &position));
                    if turn == Color::White {
                        let (rule, after) = moves(&position);
                        let mut mapped: Vec<_> = after
                            .into_iter()
                            .map(|outcome| match outcome {
                                Outcome::GoesOn(p) => Outcome::GoesOn(symmetry.position(&p)),
                                decided => decided,
                            })
                            .collect();
                        mapped.sort_by_key(|outcome| format!("{outcome:?}"));
                        assert_eq!(moves(&image), (rule, mapped));
                    }
                }
            }
        }
    }
}
