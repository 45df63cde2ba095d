//! Cuts: conditions K1, K2 and K3 over every position of the variant that holds no line.

use super::listed::{self, Images};
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::certificate::PositionSet;
use crate::enumerate::{Ranking, Root, Tier, Tiers, census, positions_above, roots};
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::strategy::Seed;

/// What a cut calls lost.
struct Lost<'a> {
    game: &'a Game,
    seed: Seed,
    tiers: &'a Tiers,
    black_to_move: Images,
    white_to_move: Images,
}

impl Lost<'_> {
    /// Whether the position that a move from tier `tier` led to is lost.
    fn contains_after(&self, tier: usize, mv: Move, position: &Position) -> bool {
        let reached = match mv {
            Move::Transfer { .. } => Some(tier),
            Move::Place { .. } => self.tiers.index(Tier::of(position)),
        };
        reached.is_none_or(|tier| self.contains(tier, position))
    }

    /// Whether a position is lost: by the seed, or listed. `tier` is the place of its tier in the order.
    fn contains(&self, tier: usize, position: &Position) -> bool {
        let listed = match position.turn() {
            Color::Black => self.black_to_move.contains(tier, position),
            Color::White => self.white_to_move.contains(tier, position),
        };
        listed || self.seed.lost(self.game, position)
    }
}

/// Checks a cut. Returns for how many positions, one of each orbit and side to move.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(
    game: &Game,
    seed: Seed,
    black_to_move: &PositionSet,
    white_to_move: &PositionSet,
    workers: &Workers<'_>,
) -> Result<u64, Breach> {
    let plain = |condition, reason: String| Breach { condition, position: None, mv: None, reason };
    let tiers = Tiers::new(game.variant);
    let census = census::tiers(&tiers);
    let placements: u128 = census.iter().map(|count| count.positions).sum();
    if placements > Images::MOST {
        let reason =
            format!("{placements} placements are more than this checker enumerates ({})", Images::MOST);
        return Err(plain(Condition::Census, reason));
    }
    for (set, turn) in [(black_to_move, Color::Black), (white_to_move, Color::White)] {
        for position in set.positions(turn) {
            listed::check(&position)?;
            if seed.lost(game, &position) {
                let reason = "a listed position is lost by the seed already".to_owned();
                return Err(Breach { position: Some(position), ..plain(Condition::Listed, reason) });
            }
        }
    }
    let lost = Lost {
        game,
        seed,
        tiers: &tiers,
        black_to_move: Images::of(black_to_move),
        white_to_move: Images::of(white_to_move),
    };
    for turn in Color::ALL {
        let start = Position::empty(turn);
        if lost.tiers.index(Tier::of(&start)).is_none_or(|tier| lost.contains(tier, &start)) {
            let reason = "the empty board is called lost".to_owned();
            return Err(Breach { position: Some(start), ..plain(Condition::K1, reason) });
        }
    }
    let mut checked = 0;
    for (index, (&tier, census)) in tiers.as_slice().iter().zip(census).enumerate() {
        let ranking = Ranking::new(tier);
        let roots = roots(tier);
        let found = workers.run(roots.len(), |item| check_root(&lost, index, &ranking, &roots[item]))?;
        if u128::from(found) != 2 * census.canonical {
            let reason = format!(
                "tier {tier}: enumerated {found} positions, twice {} by the census",
                census.canonical
            );
            return Err(plain(Condition::Census, reason));
        }
        checked += found;
    }
    Ok(checked)
}

/// Checks K2 and K3 for the positions of a tier that stand on a root. Returns how many there are, both sides to move.
fn check_root(lost: &Lost<'_>, tier: usize, ranking: &Ranking, root: &Root) -> Result<u64, Breach> {
    let mut checked = 0;
    for position in positions_above(ranking, root, Color::White) {
        checked += 2;
        if position.finished().is_some() {
            continue;
        }
        white_has_a_move(lost, tier, &position)?;
        black_has_no_move(lost, tier, &position.with_turn(Color::Black))?;
    }
    Ok(checked)
}

/// K2 for one position.
fn black_has_no_move(lost: &Lost<'_>, tier: usize, position: &Position) -> Result<(), Breach> {
    if lost.contains(tier, position) {
        return Ok(());
    }
    for mv in lost.game.moves(position) {
        let reason = match lost.game.play_unchecked(position, mv) {
            Outcome::WhiteWins => continue,
            Outcome::GoesOn(next) if !lost.contains_after(tier, mv, &next) => continue,
            Outcome::GoesOn(_) => "not lost with Black to move, and a black move leads to a lost position",
            Outcome::BlackWins => "not lost with Black to move, and a black move wins",
        };
        return Err(Breach {
            condition: Condition::K2,
            position: Some(*position),
            mv: Some(mv),
            reason: reason.to_owned(),
        });
    }
    Ok(())
}

/// K3 for one position.
fn white_has_a_move(lost: &Lost<'_>, tier: usize, position: &Position) -> Result<(), Breach> {
    let holds = lost.contains(tier, position)
        || lost.game.moves(position).any(|mv| match lost.game.play_unchecked(position, mv) {
            Outcome::WhiteWins => true,
            Outcome::BlackWins => false,
            Outcome::GoesOn(next) => !lost.contains_after(tier, mv, &next),
        });
    if holds {
        return Ok(());
    }
    Err(Breach {
        condition: Condition::K3,
        position: Some(*position),
        mv: None,
        reason: "not lost with White to move, and every white move loses or leads to a lost position"
            .to_owned(),
    })
}
