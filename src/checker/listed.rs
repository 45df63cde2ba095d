//! Listed positions: what any of them must be.

use super::verdict::{Breach, Condition};
use crate::rules::{Color, Position};
use crate::symmetry;

/// Refuses a listed position that is not canonical or holds a line.
///
/// # Errors
/// The breach of [`Condition::Listed`].
pub(super) fn check(position: &Position) -> Result<(), Breach> {
    if symmetry::canonical(position) != *position {
        return Err(breach(position, "a listed position is not the canonical one of its orbit"));
    }
    if Color::ALL.into_iter().any(|color| position.has_line(color)) {
        return Err(breach(position, "a listed position holds a line"));
    }
    Ok(())
}

/// The breach of [`Condition::Listed`] at a position.
pub(super) fn breach(position: &Position, reason: &str) -> Breach {
    Breach::at(Condition::Listed, position, None, reason)
}
