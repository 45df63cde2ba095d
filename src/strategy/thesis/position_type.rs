//! The six position types of section 6.1.

use std::fmt;

use crate::rules::{Color, Position, Size};

/// Where the three black B are when all of White's A and all of Black's A and B are on the board. In a type's name a
/// lower-case b is a B under the black A named before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PositionType {
    /// The white A cover the three B.
    Aaa,
    /// One black A covers a B, two white A cover a B each.
    AaaCovering,
    /// Two black A cover a B each, one white A covers a B.
    AaCoveringTwice,
    /// One B is visible, two white A cover a B each.
    AaaB,
    /// One B is visible, one lies under a black A, one under a white A.
    AaaCoveringB,
    /// Two B are visible, one lies under a white A.
    AaaBb,
}

impl PositionType {
    /// All types, in the thesis's order.
    pub const ALL: [PositionType; 6] = [
        PositionType::Aaa,
        PositionType::AaaCovering,
        PositionType::AaCoveringTwice,
        PositionType::AaaB,
        PositionType::AaaCoveringB,
        PositionType::AaaBb,
    ];

    /// The thesis's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PositionType::Aaa => "AAA",
            PositionType::AaaCovering => "AAAb",
            PositionType::AaCoveringTwice => "AAbAb",
            PositionType::AaaB => "AAAB",
            PositionType::AaaCoveringB => "AAAbB",
            PositionType::AaaBb => "AAABB",
        }
    }

    /// The type of a position. `None` if some piece is in hand, or if no white A covers a B: these four cases have no
    /// type.
    #[must_use]
    pub fn of(position: &Position) -> Option<PositionType> {
        let count = |color, size| position.pieces(color, size).count();
        if [count(Color::White, Size::A), count(Color::Black, Size::A), count(Color::Black, Size::B)]
            != [3; 3]
        {
            return None;
        }
        let b = position.pieces(Color::Black, Size::B);
        let under = |color| (b & position.pieces(color, Size::A)).count();
        match (under(Color::White), under(Color::Black)) {
            (3, 0) => Some(PositionType::Aaa),
            (2, 1) => Some(PositionType::AaaCovering),
            (1, 2) => Some(PositionType::AaCoveringTwice),
            (2, 0) => Some(PositionType::AaaB),
            (1, 1) => Some(PositionType::AaaCoveringB),
            (1, 0) => Some(PositionType::AaaBb),
            _ => None,
        }
    }
}

impl fmt::Display for PositionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::position;
    use super::*;

    fn type_of(text: &str) -> Option<&'static str> {
        PositionType::of(&position(text)).map(PositionType::name)
    }

    #[test]
    fn each_type_is_known_by_where_the_black_b_are() {
        assert_eq!(type_of("Ab,Ab,Ab,./.,.,.,./.,.,a,./a,a,.,. w"), Some("AAA"));
        assert_eq!(type_of("Ab,Ab,A,./.,.,.,./.,.,ab,./a,a,.,. w"), Some("AAAb"));
        assert_eq!(type_of("Ab,A,A,./.,.,.,./.,.,ab,./ab,a,.,. w"), Some("AAbAb"));
        assert_eq!(type_of("Ab,Ab,A,./.,.,b,./.,.,a,./a,a,.,. w"), Some("AAAB"));
        assert_eq!(type_of("Ab,A,A,./.,.,b,./.,.,ab,./a,a,.,. w"), Some("AAAbB"));
        assert_eq!(type_of("Ab,A,A,./.,.,b,./.,.,a,b/a,a,.,. w"), Some("AAABB"));
    }

    #[test]
    fn four_placements_of_the_black_b_have_no_type() {
        assert_eq!(type_of("A,A,A,./.,.,.,./.,.,ab,./ab,ab,.,. w"), None);
        assert_eq!(type_of("A,A,A,./.,.,b,./.,.,ab,./ab,a,.,. w"), None);
        assert_eq!(type_of("A,A,A,./.,.,b,./.,.,ab,./a,a,.,b w"), None);
        assert_eq!(type_of("A,A,A,./.,.,b,./.,.,a,./a,a,b,b w"), None);
        assert_eq!(type_of("Ab,Ab,.,./.,.,.,./.,.,ab,./a,a,.,. w"), None, "a white A is in hand");
    }
}
