//! A parity game as text in the format of PGSolver, written in pieces because the whole may not fit into memory.
//!
//! A header `parity N;`, where N is the last node, is followed by a line for each node in order: its number, priority,
//! owner, successors separated by commas, and a name in quotes.

use std::io::Write as _;
use std::iter;

use rayon::prelude::*;

use crate::enumerate::{Folding, Root, Tiers, foldings, positions_above};
use crate::export::parity_game::{ParityGame, TooManyNodes};
use crate::rules::{Color, Variant};

/// Some lines of the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextPart {
    /// The lines.
    pub text: Vec<u8>,
    /// How many nodes they hold.
    pub nodes: u64,
    /// How many edges leave these.
    pub edges: u64,
}

impl TextPart {
    /// Adds the line of a node.
    fn add(&mut self, node: u32, winner: Color, owner: Color, successors: &[u32], name: Option<&str>) {
        // Writing to memory cannot fail, and neither can numbers.
        let _ = write!(self.text, "{node} {} {} ", winner as u8, owner as u8);
        for (place, successor) in successors.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            let _ = write!(self.text, "{comma}{successor}");
        }
        if let Some(name) = name {
            let _ = write!(self.text, " \"{name}\"");
        }
        self.text.extend(b";\n");
        self.nodes += 1;
        self.edges += successors.len() as u64;
    }

    /// The lines of the positions above a root.
    fn of_root(parity: &ParityGame, (folding, root): (&Folding, &Root), names: bool) -> TextPart {
        let mut piece = TextPart::default();
        for above in positions_above(folding.ranking(), root, Color::White) {
            for owner in Color::ALL {
                let position = above.with_turn(owner);
                // Endless play is White's win, so a position without a line has White's priority.
                let winner = position.finished().unwrap_or(Color::White);
                let name = names.then(|| position.to_string());
                let successors = parity.successors(&position);
                piece.add(parity.node(&position), winner, owner, &successors, name.as_deref());
            }
        }
        piece
    }
}

/// How many roots a thread takes on at once.
const ROOTS: usize = 4;

/// How many bytes of memory it takes to write a variant's game on this number of threads.
///
/// # Errors
/// It has too many nodes.
pub fn bytes(variant: Variant, threads: usize) -> Result<u128, TooManyNodes> {
    /// More than the line of a node takes: 12 pieces can go to 15 squares each and 4 sizes from hand to 16, each
    /// successor has 10 digits and a comma, and there is a name.
    const LINE: u128 = 2800;
    ParityGame::nodes_of(variant)?;
    let foldings = foldings(&Tiers::new(variant));
    let numbers: usize = foldings.iter().map(|folding| size_of::<u32>() * folding.len()).sum();
    let above = foldings.iter().map(|folding| folding.ranking().len_above_a()).max().unwrap_or(0);
    // Two nodes for each position, and a second copy of the text while the parts are joined.
    let lines = 2 * 2 * above * (ROOTS * threads) as u128;
    Ok(numbers as u128 + lines * LINE)
}

/// The whole text, with or without names: the position of a node in our notation, `White wins` and `Black wins`
/// for the ends. The threads of the current rayon pool work on it; the bytes are the same however many.
pub fn pieces(parity: &ParityGame, names: bool) -> impl Iterator<Item = TextPart> {
    let header =
        TextPart { text: format!("parity {};\n", parity.nodes() - 1).into_bytes(), ..TextPart::default() };
    let mut ends = TextPart::default();
    for winner in Color::ALL {
        let (node, name) = (parity.end(winner), format!("{winner} wins"));
        ends.add(node, winner, winner, &[node], names.then_some(name.as_str()));
    }
    let roots: Vec<_> = parity.roots().collect();
    let (count, at_once) = (roots.len(), ROOTS * rayon::current_num_threads());
    let together = |mut all: TextPart, piece: TextPart| {
        all.text.extend(piece.text);
        all.nodes += piece.nodes;
        all.edges += piece.edges;
        all
    };
    let batch = move |first: usize| {
        let roots = &roots[first..count.min(first + at_once)];
        let pieces: Vec<TextPart> =
            roots.par_iter().map(|&root| TextPart::of_root(parity, root, names)).collect();
        pieces.into_iter().fold(TextPart::default(), together)
    };
    let batches = (0..count).step_by(at_once).map(batch);
    iter::once(header).chain(batches).chain(iter::once(ends))
}
