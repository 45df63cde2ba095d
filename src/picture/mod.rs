//! Pictures of positions and of lines of play, as SVG: text that browsers and editors show, and that needs no font but for
//! letters and digits.
//!
//! A piece is a disc, the larger the piece the larger the disc. What a piece covers shows within it as smaller discs. The square
//! that a move leads to has a frame, and an arrow shows where a piece came from.

mod board;

pub use board::{Frame, strip};
