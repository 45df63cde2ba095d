//! Pictures of positions, of lines of play and of numbers, as SVG: text that browsers and editors show, and that needs no font but for
//! letters and digits; and painted from it as PNG, which everything shows.
//!
//! A piece is a disc, the larger the piece the larger the disc. What a piece covers shows within it as smaller discs. The square
//! that a move leads to has a frame, and an arrow shows where a piece came from.

mod board;
mod chart;
mod raster;

pub use board::{Frame, strip};
pub use chart::{Bar, Curve, Legend, bars, curves};
pub use raster::{PIXELS_A_UNIT, PaintError, png};

/// A text within SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
