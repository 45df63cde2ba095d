//! Text for people: squares, pieces, moves, variants, readings and positions, read and written; and setups, which may
//! turn out not to be positions.

mod names;
mod piece;
mod position;
mod setup;
mod variant;
mod written;

pub use names::{NoSuchKind, NoSuchReading, NoSuchSquare, NotAMove};
pub use piece::Piece;
pub use position::{Drawn, NotationError, PositionError, Reader};
pub use setup::{Setup, SetupError, SetupErrors};
pub use variant::{Spelled, VariantError};
pub use written::spelled_out;

/// What can be read from text.
pub trait Notation: Sized {
    /// Why a text does not spell such a thing.
    type Error: std::error::Error;

    /// Reads the whole text.
    ///
    /// # Errors
    /// The text does not spell such a thing.
    fn from_text(text: &str) -> Result<Self, Self::Error>;
}

/// Text that can be read.
pub trait Text {
    /// Reads the whole text, as [`str::parse`] does for types of one's own crate.
    ///
    /// # Errors
    /// The text does not spell such a thing.
    fn read<T: Notation>(&self) -> Result<T, T::Error>;
}

impl Text for str {
    fn read<T: Notation>(&self) -> Result<T, T::Error> {
        T::from_text(self)
    }
}
