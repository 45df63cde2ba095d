//! The positions of a certificate, found by any of their images.

use gobcheck::format::PositionSet;
use gobcheck::rules::{Color, Game, Position};
use gobcheck::symmetry::least_for;

/// Listed positions, all with one side to move, which *asks*.
///
/// No move changes a piece of the other side. So all positions that one side reaches by a reply share the pieces of the side
/// that asks: these are brought to their smallest image once for all replies.
#[derive(Clone, Debug)]
pub struct Listed {
    asking: Color,
    /// The asking side's pieces at their smallest image, and the other side's with them, in order.
    pieces: Vec<(u64, u64)>,
    /// In how many plies Black wins from each, at most. 0 where that is not known.
    plies: Vec<u16>,
}

/// The two halves of an image, the asking side's first.
fn images(position: &Position, asking: Color) -> impl Iterator<Item = (u64, u64)> {
    let (ours, theirs) = (position.side(asking), position.side(!asking));
    least_for(position, asking).map(move |symmetry| (symmetry.side(ours), symmetry.side(theirs)))
}

impl Default for Listed {
    /// No position.
    fn default() -> Listed {
        Listed { asking: Color::White, pieces: Vec::new(), plies: Vec::new() }
    }
}

impl Listed {
    /// The positions of a set, with `asking` to move.
    pub fn new(set: &PositionSet, asking: Color) -> Listed {
        let mut pieces = Vec::with_capacity(set.len() as usize);
        for position in set.positions(asking) {
            pieces.extend(images(&position, asking));
        }
        pieces.sort_unstable();
        pieces.dedup();
        let plies = vec![0; pieces.len()];
        Listed { asking, pieces, plies }
    }

    /// The side that is to move in all of them.
    pub fn asking(&self) -> Color {
        self.asking
    }

    /// Whether a position is listed, and in how many plies Black wins from it, 0 if that is not known.
    pub fn find(&self, position: &Position) -> Option<u16> {
        images(position, self.asking).next().and_then(|image| self.at(image))
    }

    fn at(&self, image: (u64, u64)) -> Option<u16> {
        self.pieces.binary_search(&image).ok().map(|at| self.plies[at])
    }

    /// Notes in how many plies Black wins from a listed position.
    pub fn set(&mut self, position: &Position, plies: u16) {
        for image in images(position, self.asking) {
            if let Ok(at) = self.pieces.binary_search(&image) {
                self.plies[at] = plies;
            }
        }
    }

    /// Of each listed position that a reply to a question reaches without ending the game, the plies.
    pub fn reached(&self, game: &Game, question: &Position) -> impl Iterator<Item = u16> {
        let game = *game;
        let image = least_for(question, self.asking).next().map(|symmetry| symmetry.position(question));
        image.into_iter().flat_map(move |image| {
            game.moves(&image).filter_map(move |mv| {
                let after = image.moved(mv);
                let plies = self.at((after.side(self.asking), after.side(!self.asking)))?;
                game.winner(&image, mv, &after).is_none().then_some(plies)
            })
        })
    }
}
