//! What has grown of a refutation, on disk.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::passes::fixpoint::FixpointError;
use crate::passes::working::{Topic, Working};
use crate::rules::{ByColor, BySize, Color, Mask, Position, Size};
use crate::symmetry;

/// So many positions go into one working file.
const BLOCK: usize = 1 << 20;

/// The place of the only [`Grown`].
const GROWN: (usize, usize) = (0, 0);

/// How far a refutation has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Grown {
    /// The white moves of all that takes more moves than so many have been answered.
    pub moves: u8,
    /// Those of so many positions that take so many moves have been, in the order in which they came.
    pub answered: u64,
    /// So many positions there are.
    positions: u64,
}

/// Keeps what grows. What has come in stays, so that only the last block is ever written anew.
pub(super) struct Kept<'w> {
    working: &'w Working,
    /// So many blocks are full, and written.
    full: usize,
    saved: Instant,
}

impl<'w> Kept<'w> {
    /// What is on disk: how far it has grown, and the positions in the order in which they came. `None` if nothing is.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or is for something else.
    pub(super) fn read(working: &Working) -> Result<Option<(Grown, Vec<Position>)>, FixpointError> {
        let Some(grown) = working.read::<Grown>(Topic::Growing, GROWN)? else { return Ok(None) };
        let mut all = Vec::new();
        for place in (0..grown.positions.div_ceil(BLOCK as u64) as usize).map(place) {
            let keys: Option<Vec<u128>> = working.read(Topic::Grown, place)?;
            let missing = || working.damaged(Topic::Grown, place, "it is not there".to_owned());
            all.extend(keys.ok_or_else(missing)?.into_iter().map(position));
        }
        // The last block may have been written again when how far it is was not.
        all.truncate(grown.positions as usize);
        if all.len() as u64 != grown.positions {
            return Err(working.damaged(Topic::Growing, GROWN, "positions are missing".to_owned()).into());
        }
        Ok(Some((grown, all)))
    }

    /// Nothing is kept yet, or what was read.
    pub(super) fn new(working: &'w Working, read: usize) -> Kept<'w> {
        Kept { working, full: read / BLOCK, saved: Instant::now() }
    }

    /// Whether it is time to keep what has grown.
    pub(super) fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.working.checkpoint_every()
    }

    /// Keeps what has grown.
    ///
    /// # Errors
    /// A file cannot be written; what was kept before still is.
    pub(super) fn write(
        &mut self,
        all: &[Position],
        moves: u8,
        answered: usize,
    ) -> Result<(), FixpointError> {
        for (block, positions) in all.chunks(BLOCK).enumerate().skip(self.full) {
            let keys: Vec<u128> = positions.iter().map(symmetry::key).collect();
            self.working.write(Topic::Grown, place(block), keys)?;
        }
        let grown = Grown { moves, answered: answered as u64, positions: all.len() as u64 };
        self.working.write(Topic::Growing, GROWN, grown)?;
        self.full = all.len() / BLOCK;
        self.saved = Instant::now();
        Ok(())
    }
}

/// The place of a block.
fn place(block: usize) -> (usize, usize) {
    (0, block)
}

/// The position with White to move that has a key.
fn position(key: u128) -> Position {
    let mask = |size: Size, color: Color| {
        let lane = 96 - 32 * size as u32 + if color == Color::White { 16 } else { 0 };
        Mask((key >> lane) as u16)
    };
    let side = |color| BySize(Size::ALL.map(|size| mask(size, color)));
    let pieces = ByColor { white: side(Color::White), black: side(Color::Black) };
    Position::from_pieces_unchecked(pieces, Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_which_position_it_is() {
        let variant = "abcd-full".parse().expect("a variant");
        for text in ["Ab,a,.,b/Ac,a,.,./A,a,.,./.,.,.,B w", "Abcd,aBCD,.,./.,.,.,./.,.,a,./A,.,.,. w"] {
            let there = Position::parse(text, variant).expect("a position");
            assert_eq!(position(symmetry::key(&there)), there);
        }
    }
}
