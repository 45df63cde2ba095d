//! The checker: whether a certificate proves what it claims.
//!
//! Trusted, and apart from the passes on purpose: it shares the rules, the symmetries and the file format
//! with them and nothing else. It has its own loops and its own idea of what is lost. What it checks:
//!
//! - every listed position is canonical, holds no line and is not covered by the seed already;
//! - of a cut, over all positions of the variant that hold no line: **K1** the empty board is lost for
//!   neither side to move; **K2** for every position that is not lost with Black to move, no black move is
//!   judged *Black wins*, and each is *White wins* or goes on to a position that is not lost; **K3** for
//!   every position that is not lost with White to move, some white move is *White wins* or goes on to a
//!   position that is not lost;
//! - of a closure: **K4** the empty board is in, and some first white move from it goes on into the set;
//!   **K5** from every position of the set no black move is *Black wins*, and after each one that is not
//!   *White wins* some white move is *White wins* or goes on into the set;
//! - of a refutation: **K6** the empty board is in, and some first black move from it goes on into the set; **K7** the
//!   positions of the set can be put in an order in which from each no white move is *White wins*, and after each one
//!   that is not *Black wins* some black move is *Black wins* or goes on to an earlier one.
//!
//! By induction on plies White, moving as K3, K4 and K5 say, never loses. By induction on the order Black, moving as K6
//! and K7 say, wins. Only one position of each orbit is looked at: rules and sets are the same for all of
//! them.

mod closure;
mod cut;
mod listed;
mod lost;
mod refutation;
mod verdict;
mod work;

use std::num::NonZeroUsize;

use crate::certificate::{Body, Certificate, sha256_hex};

pub use verdict::{Breach, Condition, Refusal, Verified};

/// Decodes a certificate and checks it, on some threads. `progress` hears now and then how many pieces of
/// work are done, and of how many; the pieces are not alike.
///
/// The verdict, and of several breaches the one that is named, is the same whatever the threads.
///
/// # Errors
/// The bytes are not a certificate of this format, or a condition does not hold.
pub fn check(
    bytes: &[u8],
    threads: NonZeroUsize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Verified, Refusal> {
    let certificate = Certificate::decode(bytes).map_err(Refusal::Format)?;
    let workers = work::Workers { threads, progress };
    let positions_checked = match &certificate.body {
        Body::Closure(set) => closure::check(&certificate.game, set, &workers),
        Body::Refutation(set) => refutation::check(&certificate.game, set, &workers),
        Body::Cut { seed, black_to_move, white_to_move } => {
            cut::check(&certificate.game, *seed, black_to_move, white_to_move, &workers)
        }
    }
    .map_err(Refusal::Condition)?;
    Ok(Verified { claim: certificate.claim(), sha256: sha256_hex(bytes), positions_checked })
}
