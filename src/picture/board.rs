//! Boards side by side.

use std::fmt::Write as _;

use super::escaped;
use crate::notation::Setup;
use crate::rules::{Color, Move, Position, Size, Square};

/// One board of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What stands there.
    pub setup: Setup,
    /// The move that is made from here.
    pub mv: Option<Move>,
    /// A line above the board.
    pub caption: String,
}

impl Frame {
    /// A board of a position.
    #[must_use]
    pub fn new(position: &Position, mv: Option<Move>, caption: impl Into<String>) -> Frame {
        Frame { setup: Setup::from(position), mv, caption: caption.into() }
    }
}

/// The side of a square, and of a board with four of them, in units of the picture.
const SQUARE: usize = 40;
const BOARD: usize = 4 * SQUARE;

/// The margins of a board: left for the ranks, above for the caption, below for the files.
const LEFT: usize = 20;
const ABOVE: usize = 24;
const BELOW: usize = 18;

/// The width and height of a board with its margins.
const WIDTH: usize = LEFT + BOARD + 16;
const HEIGHT: usize = ABOVE + BOARD + BELOW + 8;

/// The most boards side by side.
const A_ROW: usize = 4;

/// The radius of a piece's disc.
fn radius(size: Size) -> usize {
    match size {
        Size::A => 17,
        Size::B => 13,
        Size::C => 9,
        Size::D => 5,
    }
}

/// A picture of boards, four in a row, in the order of play.
#[must_use]
pub fn strip(frames: &[Frame]) -> String {
    let (width, height) =
        (WIDTH * frames.len().clamp(1, A_ROW), HEIGHT * frames.len().div_ceil(A_ROW).max(1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#d35400\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (number, frame) in frames.iter().enumerate() {
        let (x, y) = (number % A_ROW * WIDTH, number / A_ROW * HEIGHT);
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">\n{}</g>\n", board(frame));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The middle of a square.
fn middle(square: Square) -> (usize, usize) {
    let (file, rank) = (square.index() % 4, square.index() / 4);
    (LEFT + file * SQUARE + SQUARE / 2, ABOVE + (3 - rank) * SQUARE + SQUARE / 2)
}

fn board(frame: &Frame) -> String {
    let mut svg = String::new();
    let _ = writeln!(svg, "<text x=\"{}\" y=\"16\">{}</text>", LEFT + BOARD / 2, escaped(&frame.caption));
    for square in Square::ALL {
        let (x, y) = middle(square);
        let fill = if (square.index() + square.index() / 4) % 2 == 0 { "#e8dcc8" } else { "#f4ecdf" };
        let (left, top) = (x - SQUARE / 2, y - SQUARE / 2);
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
        );
        for piece in &frame.setup.stacks[square.index()] {
            let fill = if piece.color == Color::White { "#fff" } else { "#333" };
            let radius = radius(piece.size);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#888\" stroke-width=\"1.5\"><title>{}</title></circle>",
                piece.letter()
            );
        }
    }
    for (index, file) in "abcd".chars().enumerate() {
        let (x, y) = (LEFT + index * SQUARE + SQUARE / 2, ABOVE + BOARD + 14);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#777\">{file}</text>");
        let y = ABOVE + (3 - index) * SQUARE + SQUARE / 2 + 4;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\" fill=\"#777\">{}</text>", LEFT / 2, index + 1);
    }
    if let Some(mv) = frame.mv {
        svg.push_str(&arrow(mv));
    }
    svg
}

/// A frame around the square that a move leads to, and for a transfer an arrow from the square it comes from.
fn arrow(mv: Move) -> String {
    let (from, to) = match mv {
        Move::Place { to, .. } => (None, to),
        Move::Transfer { from, to } => (Some(from), to),
    };
    let (x, y) = middle(to);
    let (left, top, side) = (x - SQUARE / 2 + 1, y - SQUARE / 2 + 1, SQUARE - 2);
    let mut svg = format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#d35400\" stroke-width=\"2\"/>\n"
    );
    if let Some(from) = from {
        let (start_x, start_y) = middle(from);
        let _ = writeln!(
            svg,
            "<line x1=\"{start_x}\" y1=\"{start_y}\" x2=\"{x}\" y2=\"{y}\" stroke=\"#d35400\" stroke-width=\"2\" marker-end=\"url(#head)\"/>"
        );
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn position(text: &str) -> Position {
        let variant: crate::rules::Variant = "abcd-full".read().expect("a variant");
        variant.parse(text).expect("a position")
    }

    /// How often `what` occurs in a text.
    fn count(text: &str, what: &str) -> usize {
        text.matches(what).count()
    }

    #[test]
    fn every_piece_is_a_disc_on_its_square_and_those_below_are_smaller() {
        let svg = strip(&[Frame::new(&position(".,.,.,./.,.,.,./.,.,.,a/Ab,.,.,c w"), None, "a < b")]);
        assert_eq!((count(&svg, "<circle"), count(&svg, "<svg"), count(&svg, "</svg>")), (4, 1, 1));
        // a1 is below on the left, d1 on the right.
        let disc = |x: usize, radius: usize, fill: &str| {
            let y = ABOVE + 3 * SQUARE + SQUARE / 2;
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"")
        };
        let places = [disc(40, 17, "#fff"), disc(40, 13, "#333"), disc(160, 9, "#333")];
        let at: Vec<usize> = places.iter().map(|disc| svg.find(disc).expect("a disc")).collect();
        assert!(at.is_sorted(), "what covers is drawn first: {svg}");
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
    }

    #[test]
    fn a_line_of_play_is_a_strip_with_its_moves() {
        let start = position(".,.,.,./.,.,.,./.,.,.,./A,.,.,. w");
        let [place, transfer] = ["A@b2", "a1-d4"].map(|mv| mv.read().expect("a move"));
        let frames = [Some(place), Some(transfer), None, None, None].map(|mv| Frame::new(&start, mv, "x"));
        let svg = strip(&frames);
        assert_eq!((count(&svg, "<g "), count(&svg, "<line "), count(&svg, "fill=\"none\"")), (5, 1, 2));
        let (width, height) = (4 * WIDTH, 2 * HEIGHT);
        assert!(svg.contains(&format!("viewBox=\"0 0 {width} {height}\"")), "five boards take two rows");
        // From a1 to d4: the middles of the corners.
        assert!(svg.contains("<line x1=\"40\" y1=\"164\" x2=\"160\" y2=\"44\""), "{svg}");
    }
}
