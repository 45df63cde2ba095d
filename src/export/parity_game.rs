//! A game as a parity game: a node for each canonical position and side to move, and an edge for each move.
//!
//! Player 0 is White and wants play to go on for ever; player 1 is Black. White wins endless play, so a position in which
//! nobody has won has priority 0. Where Black has won, a node of priority 1 leads to itself. Only one priority occurs
//! endlessly often on a path, so it does not matter whether a solver looks at the least or the greatest.

use thiserror::Error;

use crate::enumerate::{Folding, Root, Tier, Tiers, census, foldings, positions_above};
use crate::prelude::*;
use crate::rules::{Color, Game, Outcome, Position, Variant};

/// The most nodes that are numbered: solvers keep a node in a signed number of 32 bits.
pub const MOST_NODES: u64 = 1 << 31;

/// A variant has more nodes than can be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the parity game of {variant} has {nodes} nodes, and {MOST_NODES} is the most that can be numbered")]
pub struct TooManyNodes {
    /// The variant.
    pub variant: Variant,
    /// How many nodes it has.
    pub nodes: u128,
}

/// The nodes of a game and where they lead.
///
/// The canonical positions are counted from 0, by tier and rank. Position p with White to move is node 2p, with
/// Black to move node 2p + 1. The last two nodes are the ends: a move by which White wins leads to the first, one by
/// which Black wins to the second. An end is not a position, because a reading judges the move: the same position can
/// be reached by moves that end the game and by others that do not.
#[derive(Clone, Debug)]
pub struct ParityGame {
    game: Game,
    tiers: Tiers,
    foldings: Vec<Folding>,
    /// For each tier, and each number of its [`Folding`], the number of the canonical position.
    places: Vec<Vec<u32>>,
    positions: u32,
}

impl ParityGame {
    /// Numbers the nodes of a game.
    ///
    /// # Errors
    /// There are more than [`MOST_NODES`].
    pub fn new(game: Game) -> Result<ParityGame, TooManyNodes> {
        ParityGame::nodes_of(game.variant)?;
        let tiers = Tiers::new(game.variant);
        let foldings = foldings(&tiers);
        let mut positions = 0;
        let places = foldings.iter().map(|folding| {
            let mut places = vec![0; folding.len()];
            for root in folding.roots() {
                for position in positions_above(folding.ranking(), root, Color::White) {
                    for number in folding.all_numbers(&position) {
                        places[number] = positions;
                    }
                    positions += 1;
                }
            }
            places
        });
        let places = places.collect();
        Ok(ParityGame { game, tiers, foldings, places, positions })
    }

    /// How many nodes the parity game of a variant has.
    ///
    /// # Errors
    /// There are more than [`MOST_NODES`].
    pub fn nodes_of(variant: Variant) -> Result<u64, TooManyNodes> {
        let nodes = 2 * census::variant(variant).canonical + 2;
        if nodes <= u128::from(MOST_NODES) { Ok(nodes as u64) } else { Err(TooManyNodes { variant, nodes }) }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        2 * u64::from(self.positions) + 2
    }

    /// The node that a move leads to if `winner` wins by it.
    #[must_use]
    pub fn end(&self, winner: Color) -> u32 {
        2 * self.positions + winner as u32
    }

    /// The node of a position of the variant, canonical or not.
    ///
    /// # Panics
    /// If the position is of another variant.
    #[must_use]
    pub fn node(&self, position: &Position) -> u32 {
        let tier =
            self.tiers.index(Tier::of(position)).expect("a position of the variant is in one of its tiers");
        2 * self.places[tier][self.foldings[tier].number(position)] + position.turn() as u32
    }

    /// The nodes that the moves from a position lead to, in order and each once. A finished position leads to its
    /// own node. The list is never empty, because the side to move always has a move (R7).
    #[must_use]
    pub fn successors(&self, position: &Position) -> Vec<u32> {
        if position.finished().is_some() {
            return vec![self.node(position)];
        }
        let after = |mv| match self.game.play_unchecked(position, mv) {
            Outcome::GoesOn(next) => self.node(&next),
            Outcome::WhiteWins => self.end(Color::White),
            Outcome::BlackWins => self.end(Color::Black),
        };
        let mut nodes: Vec<u32> = self.game.moves(position).map(after).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The roots of all tiers in order. The positions above them are all canonical ones, in the order of their
    /// nodes.
    pub fn roots(&self) -> impl Iterator<Item = (&Folding, &Root)> {
        self.foldings.iter().flat_map(|folding| folding.roots().iter().map(move |root| (folding, root)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Ranking;

    use crate::rules::Reading;
    use crate::symmetry::{canonical, is_canonical};

    fn game(variant: &str, reading: Reading) -> ParityGame {
        ParityGame::new(Game::new(variant.read().expect("a variant"), reading)).expect("not too many nodes")
    }

    #[test]
    fn every_position_has_its_orbits_node_and_the_census_counts_them() {
        for variant in ["A2B1-A1B1", "A1-A1B1C1"] {
            let parity = game(variant, Reading::Official);
            assert_eq!(Ok(parity.nodes()), ParityGame::nodes_of(parity.game.variant));
            let mut next = 0;
            for tier in parity.tiers.as_slice() {
                let ranking = Ranking::new(*tier);
                for rank in 0..ranking.len() {
                    for turn in Color::ALL {
                        let position = ranking.unrank(rank, turn).expect("a placement");
                        let node = parity.node(&position);
                        assert_eq!(node, parity.node(&canonical(&position)), "{position}");
                        if is_canonical(&position) {
                            assert_eq!(node, next, "{position}");
                            next += 1;
                        }
                    }
                }
            }
            assert_eq!([parity.end(Color::White), parity.end(Color::Black)], [next, next + 1]);
            assert_eq!(parity.nodes(), u64::from(next) + 2);
        }
    }

    #[test]
    fn a_reading_judges_the_move_and_not_the_position() {
        // The lifted A covers the line again: play goes on under `official`, Black has won under `strict-lift`.
        let text = "b,a,a,Ab/.,.,.,./.,.,.,./.,.,a,. w";
        for (reading, ends) in [(Reading::Official, false), (Reading::StrictLift, true)] {
            let parity = game("A1-A3B2", reading);
            let position = parity.game.parse(text).expect("a position");
            let after = parity.game.parse("Ab,a,a,b/.,.,.,./.,.,.,./.,.,a,. b").expect("a position");
            let successors = parity.successors(&position);
            assert_eq!(successors.contains(&parity.node(&after)), !ends, "{reading}");
            assert!(successors.contains(&parity.end(Color::Black)), "the line may be left uncovered");
            assert!(successors.is_sorted_by(|a, b| a < b));
            let finished = parity.game.parse("a,a,b,a/.,.,.,./.,.,.,./.,.,.,. w").expect("a position");
            assert_eq!(parity.successors(&finished), [parity.node(&finished)]);
        }
    }

    #[test]
    fn too_many_nodes_are_refused_before_they_are_numbered() {
        for (variant, canonical) in
            [("ab-full", 1_582_499_163), ("abcd-full", 42_353_562_572_172_934_635_u128)]
        {
            let variant = variant.read().expect("a variant");
            let refused = ParityGame::new(Game::new(variant, Reading::Official)).expect_err("too many");
            assert_eq!(refused, TooManyNodes { variant, nodes: 2 * canonical + 2 });
        }
        let nodes = ParityGame::nodes_of("ab".read().expect("a variant"));
        assert_eq!(nodes, Ok(2 * 4_872_077 + 2), "as the census has it");
    }
}
