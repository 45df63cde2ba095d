//! Cuts: conditions K1, K2 and K3 over every position of the variant that holds no line.

use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::index::{Ranking, Tier, Tiers};
use crate::rules::{Color, Game, Move, Position};
use crate::symmetry::{self, Symmetry};

/// Checks a cut that lists these positions, with White to move and with Black to move. Returns for how many positions, one of each
/// orbit and side to move.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(game: &Game, listed: [&[[u64; 2]]; 2], workers: &Workers<'_>) -> Result<u64, Breach> {
    let mut lost = Lost::none(Tiers::new(game.variant));
    for (turn, listed) in Color::ALL.into_iter().zip(listed) {
        listed.iter().for_each(|&sides| lost.add(&Position::from_sides(sides, turn)));
    }
    for start in Color::ALL.map(Position::empty) {
        if lost.holds(&start) {
            return Err(Breach::at(Condition::K1, &start, None, "the empty board is called lost"));
        }
    }
    // One piece of work for each layer of A of each tier, numbered tier by tier.
    let (mut starts, mut pieces) = (Vec::new(), 0);
    for floor in &lost.floors {
        starts.push(pieces);
        pieces += (floor.ranking.len() / floor.ranking.len_above_a()) as usize;
    }
    workers.run(pieces, |piece| {
        let index = starts.partition_point(|&start| start <= piece) - 1;
        check_layer(game, &lost, &lost.floors[index], (piece - starts[index]) as u128)
    })
}

/// K2 and K3 for the canonical positions with a layer of A. Returns how many there are, both sides to move.
fn check_layer(game: &Game, lost: &Lost, floor: &Floor, layer: u128) -> Result<u64, Breach> {
    let above = floor.ranking.len_above_a();
    let mut checked = 0;
    for rank in layer * above..(layer + 1) * above {
        let Some(position) = floor.ranking.unrank(rank, Color::White) else { continue };
        let canonical = symmetry::canonical(&position);
        if canonical != position {
            // A decides first which position of an orbit is canonical: where its layer is not, none with it is.
            if floor.ranking.rank(&canonical) < layer * above {
                return Ok(checked);
            }
            continue;
        }
        checked += 2;
        if position.finished().is_none() {
            white_has_a_move(game, lost, floor, &position)?;
            black_has_no_move(game, lost, floor, &position.with_turn(Color::Black))?;
        }
    }
    Ok(checked)
}

/// K2 for one position of a tier.
fn black_has_no_move(game: &Game, lost: &Lost, floor: &Floor, position: &Position) -> Result<(), Breach> {
    if floor.is_lost(position) {
        return Ok(());
    }
    game.moves(position).try_for_each(|mv| {
        let after = position.moved(mv);
        let reason = match game.winner(position, mv, &after) {
            Some(Color::Black) => "not lost with Black to move, and a black move wins",
            None if lost.holds_after(floor, mv, &after) => {
                "not lost with Black to move, and a black move leads to a lost position"
            }
            _ => return Ok(()),
        };
        Err(Breach::at(Condition::K2, position, Some(mv), reason))
    })
}

/// K3 for one position of a tier.
fn white_has_a_move(game: &Game, lost: &Lost, floor: &Floor, position: &Position) -> Result<(), Breach> {
    let holds = floor.is_lost(position)
        || game.moves(position).any(|mv| {
            let after = position.moved(mv);
            match game.winner(position, mv, &after) {
                Some(color) => color == Color::White,
                None => !lost.holds_after(floor, mv, &after),
            }
        });
    let reason = "not lost with White to move, and every white move loses or leads to a lost position";
    if holds { Ok(()) } else { Err(Breach::at(Condition::K3, position, None, reason)) }
}

/// The lost positions: those with a black line, and those listed.
struct Lost {
    tiers: Tiers,
    /// One for each tier, in the tiers' order.
    floors: Vec<Floor>,
}

/// What is listed of a tier: a bit for each rank, by side to move; no bits where nothing is.
struct Floor {
    ranking: Ranking,
    listed: [Vec<u64>; 2],
}

impl Lost {
    /// Nothing listed yet.
    fn none(tiers: Tiers) -> Lost {
        let floor = |&tier: &Tier| Floor { ranking: Ranking::new(tier), listed: Default::default() };
        Lost { floors: tiers.as_slice().iter().map(floor).collect(), tiers }
    }

    /// Adds a listed position with all its images.
    fn add(&mut self, position: &Position) {
        let index = self.tiers.index(Tier::of(position));
        let Some(floor) = index.and_then(|index| self.floors.get_mut(index)) else { return };
        let listed = &mut floor.listed[position.turn() as usize];
        if listed.is_empty() {
            // Of zeros that nobody has touched the system keeps none, so a short file takes little.
            *listed = vec![0; floor.ranking.len().div_ceil(64) as usize];
        }
        for symmetry in Symmetry::all() {
            let rank = floor.ranking.rank(&symmetry.position(position)) as usize;
            listed[rank / 64] |= 1 << (rank % 64);
        }
    }

    /// Whether a position is lost; one that the variant does not have is.
    fn holds(&self, position: &Position) -> bool {
        let floor = self.tiers.index(Tier::of(position)).and_then(|index| self.floors.get(index));
        floor.is_none_or(|floor| floor.is_lost(position))
    }

    /// Whether the position that a move from a tier led to is lost: a transfer stays in the tier.
    fn holds_after(&self, floor: &Floor, mv: Move, after: &Position) -> bool {
        match mv {
            Move::Transfer { .. } => floor.is_lost(after),
            Move::Place { .. } => self.holds(after),
        }
    }
}

impl Floor {
    /// Whether a position of the tier is lost.
    fn is_lost(&self, position: &Position) -> bool {
        let listed = &self.listed[position.turn() as usize];
        let bit = |rank: usize| listed[rank / 64] >> (rank % 64) & 1 == 1;
        position.has_line(Color::Black) || !listed.is_empty() && bit(self.ranking.rank(position) as usize)
    }
}
