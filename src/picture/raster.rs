//! Pictures as PNG: the SVG painted into pixels, the same bytes everywhere.
//!
//! Texts are drawn from the 8×8 letters of `font8x8`, so that they do not depend on the system's fonts.

use std::fmt::Write as _;

use font8x8::legacy::BASIC_LEGACY;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Node};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// How many pixels wide and high one unit of the SVG is in the PNG.
pub const PIXELS_A_UNIT: u16 = 2;

/// The font size at which a pixel of a letter is one unit wide and high.
const UNIT_SIZE: f32 = 12.0;

/// How many of a letter's 8 rows are above the base line. Only letters such as 'p' use the row below it.
const FOOT: f32 = 7.0;

/// The width of a space, in pixels of letters.
const SPACE: f32 = 4.0;

/// Why a picture cannot be painted.
#[derive(Error, Clone, PartialEq, Debug)]
pub enum PaintError {
    /// It is not SVG.
    #[error("the picture is not SVG: {0}")]
    NotSvg(String),
    /// It is wider or higher than a PNG may be here.
    #[error("a picture of {0} × {1} pixels is too large for PNG")]
    TooLarge(f32, f32),
    /// The pixels cannot be packed.
    #[error("the pixels cannot be packed as PNG: {0}")]
    NotPacked(String),
}

/// The bytes of a PNG of an SVG that this room draws. Each unit of the SVG is [`PIXELS_A_UNIT`] pixels wide and high.
///
/// # Errors
/// The text is not SVG, the picture is too large, or its pixels cannot be packed.
pub fn png(svg: &str) -> Result<Vec<u8>, PaintError> {
    let not_svg = |error: &dyn std::fmt::Display| PaintError::NotSvg(error.to_string());
    let outlined = with_outlines(&Document::parse(svg).map_err(|error| not_svg(&error))?);
    let tree = Tree::from_str(&outlined, &Options::default()).map_err(|error| not_svg(&error))?;
    let zoom = f32::from(PIXELS_A_UNIT);
    let (width, height) = (tree.size().width() * zoom, tree.size().height() * zoom);
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(PaintError::TooLarge(width, height))?;
    resvg::render(&tree, Transform::from_scale(zoom, zoom), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PaintError::NotPacked(error.to_string()))
}

/// The SVG with a path in the place of each text.
fn with_outlines(document: &Document<'_>) -> String {
    let svg = document.input_text();
    let (mut outlined, mut end) = (String::new(), 0);
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        outlined.push_str(&svg[end..node.range().start]);
        outlined.push_str(&outline(node));
        end = node.range().end;
    }
    outlined + &svg[end..]
}

/// A text as a path: a square for each pixel of its letters. A letter that the font lacks becomes a question mark.
fn outline(node: Node<'_, '_>) -> String {
    // An attribute that the text lacks comes from the nearest element around it.
    let said = |name: &str| node.ancestors().find_map(|node| node.attribute(name));
    let number = |name: &str| said(name).and_then(|text| text.parse::<f32>().ok());
    let (x, y) = (number("x").unwrap_or_default(), number("y").unwrap_or_default());
    let pixel = number("font-size").unwrap_or(UNIT_SIZE) / UNIT_SIZE;
    let (mut squares, mut right) = (String::new(), 0.0);
    for letter in node.text().unwrap_or_default().chars() {
        let rows = BASIC_LEGACY.get(letter as usize).unwrap_or(&BASIC_LEGACY[usize::from(b'?')]);
        let inked = rows.iter().fold(0, |all, row| all | row);
        if inked == 0 {
            right += SPACE;
            continue;
        }
        let first = inked.trailing_zeros();
        for (row, bits) in rows.iter().enumerate() {
            for column in (first..u8::BITS).filter(|column| bits >> column & 1 == 1) {
                let (left, top) = (right + (column - first) as f32, row as f32 - FOOT);
                let _ = write!(squares, "M{} {}h1v1h-1z", left, top);
            }
        }
        right += (u8::BITS - inked.leading_zeros() - first) as f32 + 1.0;
    }
    let before = match said("text-anchor") {
        Some("middle") => (right - 1.0) / 2.0,
        Some("end") => right - 1.0,
        _ => 0.0,
    };
    let (left, fill) =
        ((x - before * pixel).round(), said("fill").filter(|fill| *fill != "none").unwrap_or("#000"));
    format!("<path transform=\"translate({left} {y}) scale({pixel})\" fill=\"{fill}\" d=\"{squares}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Frame, strip};
    use crate::prelude::*;
    use crate::rules::Variant;

    type Rgb = [u8; 3];

    const WHITE_PIECE: Rgb = [0xff; 3];
    const BLACK_PIECE: Rgb = [0x33; 3];
    const SQUARES: [Rgb; 2] = [[0xe8, 0xdc, 0xc8], [0xf4, 0xec, 0xdf]];
    const FRAME: Rgb = [0xd3, 0x54, 0x00];

    /// The colour at a point of the SVG.
    fn at(pixels: &Pixmap, x: u32, y: u32) -> Rgb {
        let zoom = u32::from(PIXELS_A_UNIT);
        let colour = pixels.pixel(x * zoom, y * zoom).expect("within the picture").demultiply();
        assert_eq!(colour.alpha(), u8::MAX);
        [colour.red(), colour.green(), colour.blue()]
    }

    fn painted(svg: &str) -> Pixmap {
        let bytes = png(svg).expect("painted");
        assert_eq!(bytes, png(svg).expect("painted"), "the same bytes again");
        Pixmap::decode_png(&bytes).expect("PNG")
    }

    #[test]
    fn squares_pieces_and_what_they_cover_have_their_colours() {
        let variant: Variant = "abcd-full".read().expect("a variant");
        let position = variant.parse(".,.,.,./.,.,.,./.,.,.,a/Ab,.,B,c w").expect("a position");
        let mv = "c1-b4".read().expect("a move");
        let svg = strip(&[Frame::new(&position, Some(mv), "one move")]);
        let pixels = painted(&svg);
        // A board of four squares of 40 units, with 20 to its left and 16 to its right, 24 above and 26 below.
        assert_eq!((pixels.width(), pixels.height()), (2 * 196, 2 * 210));
        // The middles of files are at 40, 80, 120, 160, of ranks 4 to 1 at 44, 84, 124, 164.
        assert_eq!(at(&pixels, 40, 164), BLACK_PIECE, "the b within the A on a1");
        assert_eq!(at(&pixels, 40 + 15, 164), WHITE_PIECE, "the A around it");
        assert_eq!(at(&pixels, 160, 124), BLACK_PIECE, "the a on d2");
        assert_eq!(at(&pixels, 160 + 14, 124), BLACK_PIECE, "it is large");
        assert_eq!(at(&pixels, 160 + 14, 164), SQUARES[1], "the c on d1 is not");
        assert_eq!(at(&pixels, 120, 164 + 8), WHITE_PIECE, "the B on c1");
        // As on every chessboard a1 is dark, so a3 is, and b3 is light.
        assert_eq!([at(&pixels, 40, 84), at(&pixels, 80, 84)], [SQUARES[0], SQUARES[1]], "empty squares");
        assert_eq!(at(&pixels, 100, 104), FRAME, "the arrow from c1 to b4, half way");
        assert_eq!(at(&pixels, 2, 2), WHITE_PIECE, "the ground");
    }

    /// The number of pixels that are not background.
    fn inked(pixels: &Pixmap) -> usize {
        pixels.pixels().iter().filter(|pixel| pixel.red() != u8::MAX).count()
    }

    #[test]
    fn letters_are_painted_where_their_anchor_says() {
        let text = |attributes: &str, text: &str| {
            painted(&format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\"><rect width=\"60\" height=\"20\" fill=\"#fff\"/>\
                 <text x=\"30\" y=\"14\" {attributes}>{text}</text></svg>"
            ))
        };
        let columns = |pixels: &Pixmap| {
            let wide = pixels.width() as usize;
            let inked = pixels.pixels().iter().enumerate().filter(|(_, pixel)| pixel.red() != u8::MAX);
            let inked: Vec<usize> = inked.map(|(place, _)| place % wide).collect();
            (*inked.iter().min().expect("ink"), *inked.iter().max().expect("ink"))
        };
        // The rows of the font's 1 are 0C 0E 0C 0C 0C 0C 3F: 19 pixels, each painted as four.
        assert_eq!(inked(&text("", "1")), 4 * 19);
        let (start, end) = (text("", "a1"), text("text-anchor=\"end\"", "a1"));
        assert_eq!(inked(&start), inked(&end));
        assert_eq!(columns(&start).0, 60);
        assert_eq!(columns(&end).1, 59);
        let middle = columns(&text("text-anchor=\"middle\"", "a1"));
        assert!((middle.0 + middle.1).abs_diff(119) <= 2, "{middle:?}");
        // Twice the size has four times the ink, a colour is kept, and a letter that the font lacks is a question mark.
        assert_eq!(inked(&text("font-size=\"24\"", "1")), 4 * inked(&text("", "1")));
        assert!(
            text("fill=\"#00ff00\"", "1")
                .pixels()
                .iter()
                .any(|pixel| (pixel.red(), pixel.green()) == (0, 255))
        );
        assert_eq!(inked(&text("", "\u{2248}")), inked(&text("", "?")));
        assert_eq!(inked(&text("", " ")), 0);
        assert_ne!(inked(&text("", "&lt;")), inked(&text("", "&amp;")));
    }

    #[test]
    fn what_is_no_svg_is_refused() {
        assert!(matches!(png("<svg"), Err(PaintError::NotSvg(_))));
        assert!(matches!(png("<html/>"), Err(PaintError::NotSvg(_))));
        let large = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4e9\" height=\"4e9\"/>";
        assert!(matches!(png(large), Err(PaintError::TooLarge(..))));
    }
}
