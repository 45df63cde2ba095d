//! Cuts: conditions K1, K2 and K3 over every position of the variant that holds no line.

use super::lost::Lost;
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::certificate::PositionSet;
use crate::enumerate::{Ranking, Root, Tier, Tiers, census, positions_above};
use crate::rules::{ByColor, Color, Game, Outcome, Position};
use crate::strategy::Seed;

/// The most placements that a variant may have, 2³⁶. What is lost takes at most a bit for a 32nd of them:
/// some 256 MiB for each side to move.
const MOST: u128 = 1 << 36;

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
    let tiers = Tiers::new(game.variant);
    let census = census::tiers(&tiers);
    let placements: u128 = census.iter().map(|count| count.positions).sum();
    if placements > MOST {
        return Err(uncounted(format!(
            "{placements} placements are more than this checker enumerates ({MOST})"
        )));
    }
    let sets = ByColor { white: white_to_move, black: black_to_move };
    let lost = Lost::new(game, seed, &tiers, &sets, workers)?;
    for turn in Color::ALL {
        let start = Position::empty(turn);
        if tiers.index(Tier::of(&start)).is_none_or(|tier| lost.contains(tier, &start)) {
            return Err(Breach::at(Condition::K1, &start, None, "the empty board is called lost"));
        }
    }
    let mut checked = 0;
    for (index, (&tier, census)) in tiers.as_slice().iter().zip(census).enumerate() {
        let (ranking, roots) = (lost.foldings[index].ranking(), lost.foldings[index].roots());
        let found = workers.run(roots.len(), |item| check_root(&lost, index, ranking, &roots[item]))?;
        all_found(tier, found, census.canonical)?;
        checked += found;
    }
    Ok(checked)
}

/// Refuses a check of a tier that did not come by each canonical position twice, once for each side to move.
///
/// # Errors
/// The breach of [`Condition::Census`].
fn all_found(tier: Tier, found: u64, canonical: u128) -> Result<(), Breach> {
    if u128::from(found) == 2 * canonical {
        return Ok(());
    }
    Err(uncounted(format!("tier {tier}: enumerated {found} positions, twice {canonical} by the census")))
}

fn uncounted(reason: String) -> Breach {
    Breach { condition: Condition::Census, position: None, mv: None, reason }
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
    lost.game.moves(position).try_for_each(|mv| {
        let reason = match lost.game.play_unchecked(position, mv) {
            Outcome::WhiteWins => return Ok(()),
            Outcome::GoesOn(next) if !lost.contains_after(tier, mv, &next) => return Ok(()),
            Outcome::GoesOn(_) => "not lost with Black to move, and a black move leads to a lost position",
            Outcome::BlackWins => "not lost with Black to move, and a black move wins",
        };
        Err(Breach::at(Condition::K2, position, Some(mv), reason))
    })
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
    let reason = "not lost with White to move, and every white move loses or leads to a lost position";
    Err(Breach::at(Condition::K3, position, None, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_of_which_more_or_less_was_found_is_refused() {
        // No file leads there: that enumeration and census differ would be a mistake of this program.
        let tier = Tier::of(&Position::empty(Color::White));
        assert_eq!(all_found(tier, 14, 7), Ok(()));
        for found in [0, 7, 13, 15, 28] {
            let refused = all_found(tier, found, 7).map_err(|breach| breach.condition);
            assert_eq!(refused, Err(Condition::Census), "{found}");
        }
    }
}
