//! The positions of a certificate, found by any of their images.

use gobcheck::rules::{Color, Game, Position};
use gobcheck::symmetry::{canonical, least_for};

/// Listed positions, all with one side to move, which *asks*.
#[derive(Clone, Debug)]
pub struct Listed {
    asking: Color,
    table: Table,
}

#[derive(Clone, Debug)]
enum Table {
    Images(Images),
    /// Both sides' pieces of the canonical positions, in order: slower to search, and much less memory.
    Canonical(Vec<[u64; 2]>),
}

/// No move changes a piece of the other side. So all positions that one side reaches by a reply share the pieces of the side
/// that asks: these are brought to their smallest image once for all replies.
#[derive(Clone, Debug, Default)]
struct Images {
    /// The asking side's pieces at their smallest image, and the other side's with them, in order.
    pieces: Vec<(u64, u64)>,
    /// In how many plies Black wins from each, at most. 0 where that is not known.
    plies: Vec<u16>,
}

/// The most positions that are kept by their images, for a search of each that has to be fast.
pub const MOST_BY_IMAGE: usize = 50_000;

/// The two halves of an image, the asking side's first.
fn images(position: &Position, asking: Color) -> impl Iterator<Item = (u64, u64)> {
    let (ours, theirs) = (position.side(asking), position.side(!asking));
    least_for(position, asking).map(move |symmetry| (symmetry.side(ours), symmetry.side(theirs)))
}

impl Images {
    fn new(listed: &[[u64; 2]], asking: Color) -> Images {
        let all = |&sides| images(&Position::from_sides(sides, asking), asking).collect::<Vec<_>>();
        let mut pieces: Vec<_> = listed.iter().flat_map(all).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let plies = vec![0; pieces.len()];
        Images { pieces, plies }
    }

    fn at(&self, image: (u64, u64)) -> Option<u16> {
        self.pieces.binary_search(&image).ok().map(|at| self.plies[at])
    }
}

/// Whether a position is among canonical ones, whichever of its images is given.
fn has(listed: &[[u64; 2]], position: &Position) -> bool {
    listed.binary_search(&canonical(position).sides()).is_ok()
}

impl Default for Listed {
    /// No position.
    fn default() -> Listed {
        Listed { asking: Color::White, table: Table::Images(Images::default()) }
    }
}

impl Listed {
    /// Canonical positions by both sides' pieces, with `asking` to move.
    pub fn new(mut listed: Vec<[u64; 2]>, asking: Color) -> Listed {
        if listed.len() <= MOST_BY_IMAGE {
            return Listed { asking, table: Table::Images(Images::new(&listed, asking)) };
        }
        listed.sort_unstable();
        Listed { asking, table: Table::Canonical(listed) }
    }

    /// The side that is to move in all of them.
    pub fn asking(&self) -> Color {
        self.asking
    }

    /// Whether a position is listed, and in how many plies Black wins from it, 0 if that is not known.
    pub fn find(&self, position: &Position) -> Option<u16> {
        match &self.table {
            Table::Images(table) => images(position, self.asking).next().and_then(|image| table.at(image)),
            Table::Canonical(listed) => has(listed, position).then_some(0),
        }
    }

    /// Notes in how many plies Black wins from a listed position, if it is kept by its images.
    pub fn set(&mut self, position: &Position, plies: u16) {
        let Table::Images(table) = &mut self.table else { return };
        for image in images(position, self.asking) {
            if let Ok(at) = table.pieces.binary_search(&image) {
                table.plies[at] = plies;
            }
        }
    }

    /// The fewest plies of the listed positions that a reply to a question reaches without ending the game, 0 if they are not
    /// known; `None` if it reaches none.
    pub fn nearest(&self, game: &Game, question: &Position) -> Option<u16> {
        match &self.table {
            Table::Images(_) => self.reached(game, question).min(),
            // Here the plies are not known, and any will do.
            Table::Canonical(_) => self.reached(game, question).next(),
        }
    }

    /// Of each listed position that a reply to a question reaches without ending the game, the plies.
    pub fn reached(&self, game: &Game, question: &Position) -> impl Iterator<Item = u16> {
        let game = *game;
        let image = least_for(question, self.asking).next().map(|symmetry| symmetry.position(question));
        image.into_iter().flat_map(move |image| {
            game.moves(&image).filter_map(move |mv| {
                let after = image.moved(mv);
                let plies = match &self.table {
                    Table::Images(table) => table.at((after.side(self.asking), after.side(!self.asking)))?,
                    Table::Canonical(listed) => has(listed, &after).then_some(0)?,
                };
                game.winner(&image, mv, &after).is_none().then_some(plies)
            })
        })
    }
}
