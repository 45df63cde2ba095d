//! Seeds: functions that call some positions lost. A fixpoint starts from a seed and adds exceptions to it.

use std::fmt;

use crate::prelude::*;
use crate::rules::{Color, Game, Outcome, Position, Size, Variant};

/// The start functions FceW and FceB of a cut, by name (thesis, section 6.2). FceW judges positions with Black to move,
/// FceB those with White to move. A cut is sound if K1 to K3 hold, whatever its start functions mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Seed {
    /// FceW and FceB: a black line. The fixpoint over this seed is exactly the set of lost positions.
    #[default]
    Rules,
    /// "AB by Algorithm 4". FceW: a black line, three visible black B, or Black can win in one move under
    /// the reading. FceB: a black line. For Black with A3B3 only.
    Thesis,
}

impl Seed {
    /// All seeds.
    pub const ALL: [Seed; 2] = [Seed::Rules, Seed::Thesis];

    /// The tag that commands and certificates use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Seed::Rules => "rules",
            Seed::Thesis => "thesis",
        }
    }

    /// Whether the seed is made for a variant.
    #[must_use]
    pub fn suits(self, variant: Variant) -> bool {
        match self {
            Seed::Rules => true,
            Seed::Thesis => variant.black.counts() == [3, 3, 0, 0],
        }
    }

    /// Whether the start function for the side to move calls the position lost for White.
    #[must_use]
    pub fn lost(self, game: &Game, position: &Position) -> bool {
        if position.has_line(Color::Black) {
            return true;
        }
        match (self, position.turn()) {
            (Seed::Rules, _) | (Seed::Thesis, Color::White) => false,
            (Seed::Thesis, Color::Black) => {
                position.visible_of(Color::Black, Size::B).count() >= 3 || black_wins_at_once(game, position)
            }
        }
    }
}

fn black_wins_at_once(game: &Game, position: &Position) -> bool {
    game.moves(position).any(|mv| game.play_unchecked(position, mv) == Outcome::BlackWins)
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// The text is not the tag of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchSeed(pub String);

impl fmt::Display for NoSuchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a seed: seeds are rules, thesis", self.0)
    }
}

impl std::error::Error for NoSuchSeed {}

impl Notation for Seed {
    type Error = NoSuchSeed;

    fn from_text(text: &str) -> Result<Seed, NoSuchSeed> {
        Seed::ALL.into_iter().find(|seed| seed.tag() == text).ok_or_else(|| NoSuchSeed(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::rules::Reading;

    fn lost(seed: Seed, position: &str) -> bool {
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        seed.lost(&game, &game.parse(position).expect("a position"))
    }

    #[test]
    fn a_black_line_is_lost_for_every_seed_and_side() {
        for seed in Seed::ALL {
            for turn in ["w", "b"] {
                assert!(lost(seed, &format!("a,b,a,b/.,.,.,./.,.,.,./.,.,.,. {turn}")));
                assert!(!lost(seed, &format!("A,b,a,b/.,.,.,./.,A,.,./a,.,.,. {turn}")));
            }
        }
    }

    #[test]
    fn the_thesis_seed_looks_one_move_ahead_with_black_to_move_only() {
        let threat = "a,b,a,./.,.,.,./b,.,.,./.,.,.,.";
        assert!(lost(Seed::Thesis, &format!("{threat} b")));
        assert!(!lost(Seed::Thesis, &format!("{threat} w")));
        assert!(!lost(Seed::Rules, &format!("{threat} b")));
        let three_b = "b,.,a,A/.,b,A,./A,a,.,./b,.,.,a";
        assert!(lost(Seed::Thesis, &format!("{three_b} b")));
        assert!(!lost(Seed::Thesis, &format!("{three_b} w")));
        let two_b = ".,.,a,A/.,b,A,./A,a,.,./.,.,b,a";
        assert!(!lost(Seed::Thesis, &format!("{two_b} b")));
    }

    #[test]
    fn the_thesis_seed_is_for_black_a3b3() {
        let suits = |variant: &str| Seed::Thesis.suits(variant.read().expect("a variant"));
        assert!(suits("ab") && suits("ab-full") && !suits("abc") && !suits("A3-A3B2"));
    }
}
