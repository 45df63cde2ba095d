//! Pictures of positions, of lines of play and of numbers, as SVG: text that browsers and editors show, and that needs no font but for
//! letters and digits.
//!
//! A piece is a disc, the larger the piece the larger the disc. What a piece covers shows within it as smaller discs. The square
//! that a move leads to has a frame, and an arrow shows where a piece came from.

mod board;
mod chart;

pub use board::{Frame, strip};
pub use chart::{Bar, Curve, Legend, bars, curves};

/// A text within SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
