//! The checker: whether a certificate proves what it claims.
//!
//! What a certificate has to meet, K1 to K7, and why that is enough, is told in RULES.md. Every listed
//! position has to be canonical and to hold no line. Only one position of each orbit is looked at: rules and sets are
//! the same for all of them (R1).

mod closure;
mod cut;
mod refutation;
mod replies;
mod verdict;
mod work;

use std::num::NonZeroUsize;

use crate::format::{self, Header, Kind};
use crate::index::{Ranking, Tiers};
use crate::rules::{Color, Position, Variant};
use crate::symmetry;

pub use verdict::{Breach, Condition, Refusal, Verified};
use work::Workers;

/// The most placements of a variant whose cuts are checked: 2³⁶, or 2³² where addresses have 32 bits. Each takes a bit for
/// each side to move.
pub const MOST_PLACEMENTS: u128 = if usize::BITS < u64::BITS { 1 << 32 } else { 1 << 36 };

/// How many placements a variant has.
pub fn placements(variant: Variant) -> u128 {
    Tiers::new(variant).as_slice().iter().map(|&tier| Ranking::new(tier).len()).sum()
}

/// How many positions a thread takes at a time.
const CHUNK: usize = 256;

/// Decodes a certificate and checks it, on some threads. `progress` hears now and then how many pieces of work are done,
/// and of how many; the pieces are not alike.
///
/// The verdict, and of several breaches the one that is named, is the same whatever the threads.
///
/// # Errors
/// The bytes are not a certificate of this format, a condition does not hold, or a cut's variant is too large.
pub fn check(bytes: &[u8], threads: NonZeroUsize, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Verified, Refusal> {
    let Header { claim, entries, .. } = Header::parse(bytes).map_err(Refusal::Format)?;
    let tiers = Tiers::new(claim.game.variant);
    // Without the side to move, in the order of the file, which is that of the tiers. An entry takes a byte or more, whatever
    // the header promises.
    let [mut black_to_move, mut white_to_move] =
        entries.map(|promised| Vec::with_capacity(promised.min(bytes.len() as u64) as usize));
    let mut breach = None;
    let mut tell = |turn, tier_index, ranks: &[u128]| {
        let ranking = Ranking::new(tiers.as_slice()[tier_index]);
        for position in ranks.iter().filter_map(|&rank| ranking.unrank(rank, turn)) {
            breach = breach.take().or_else(|| unfit(&position));
            let listed = if turn == Color::Black { &mut black_to_move } else { &mut white_to_move };
            listed.push(position.sides());
        }
    };
    format::read(bytes, &mut tell).map_err(Refusal::Format)?;
    if let Some(breach) = breach {
        return Err(Refusal::Condition(breach));
    }
    let (game, workers) = (&claim.game, Workers { threads, progress });
    let checked = match claim.kind {
        Kind::Closure => closure::check(game, black_to_move, &workers),
        Kind::Refutation => refutation::check(game, &white_to_move, &workers),
        Kind::Cut if placements(claim.game.variant) > MOST_PLACEMENTS => return Err(Refusal::TooLarge),
        Kind::Cut => cut::check(game, [&white_to_move, &black_to_move], &workers),
    };
    Ok(Verified { claim, positions_checked: checked.map_err(Refusal::Condition)? })
}

/// Why a position may not be listed: it is not canonical, or it holds a line.
fn unfit(position: &Position) -> Option<Breach> {
    let reason = match position {
        _ if symmetry::canonical(position) != *position => "a listed position is not the canonical one of its orbit",
        _ if position.finished().is_some() => "a listed position holds a line",
        _ => return None,
    };
    Some(Breach::at(Condition::Listed, position, None, reason))
}
