//! Pictures of positions, lines of play and numbers. They are drawn as SVG, which browsers and editors show and which
//! needs a font for letters and digits only. From SVG they are painted as PNG, which everything shows.
//!
//! A piece is a disc, the larger the piece the larger the disc. Pieces that it covers show as smaller discs within it.
//! The square that a move leads to has a frame, and an arrow shows where a piece came from.

mod board;
mod chart;
mod raster;

pub use board::{Frame, strip};
pub use chart::{Bar, Curve, Legend, bars, curves};
pub use raster::{PIXELS_A_UNIT, PaintError, png};

/// A text with the characters escaped that mean something in SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
