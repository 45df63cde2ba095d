//! The thesis's own figures (F. Bureš, 2011). They are the only numbers here that are copied and not computed.

/// A number as the thesis prints it. For 1.55017e8 `digits` is 155,017 and `exponent` is 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The digits without the point, which follows the first of them.
    pub digits: u128,
    /// The power of ten of the first digit.
    pub exponent: u32,
}

/// The sizes of the named variants (section 2.2): upper bounds, from one A of each side on the board.
pub const SIZES: [(&str, Printed); 6] = [
    ("ab", Printed { digits: 155_017, exponent: 8 }),
    ("ab-full", Printed { digits: 506_294, exponent: 10 }),
    ("abc", Printed { digits: 26_946, exponent: 13 }),
    ("abc-full", Printed { digits: 8_386, exponent: 15 }),
    ("abcd", Printed { digits: 44_068, exponent: 18 }),
    ("abcd-full", Printed { digits: 135_531, exponent: 21 }),
];

/// The most moves that a position has, by variant (section 2.3). The thesis calls them upper bounds.
pub const MOST_MOVES: [(&str, u64); 3] = [("ab", 63), ("abc", 81), ("abcd", 90)];

/// The mean number of moves, by variant (section 2.3). That of `ab` was measured "by the algorithm of the proof", the
/// others were estimated from it.
pub const MEAN_MOVES: [(&str, u64); 3] = [("ab", 46), ("abc", 60), ("abcd", 66)];

/// The answer of Algorithm 1 for the strategy for `ab` (section 6.2).
pub const ANSWER: &str = "Yes";

/// The positions that Algorithm 1 worked for White (section 6.2).
pub const WORKED_FOR_WHITE: u64 = 53_000_960;

/// The positions that Algorithm 1 worked for Black (section 6.2).
pub const WORKED_FOR_BLACK: u64 = 18_642_288;

/// The exceptions of B, White to move, that Algorithm 4 listed for `ab` with all pieces placed (section 6.2).
pub const EXCEPTIONS_B_PLACED: u64 = 343_362;

/// As [`EXCEPTIONS_B_PLACED`] for W, Black to move.
pub const EXCEPTIONS_W_PLACED: u64 = 830;

/// As [`EXCEPTIONS_B_PLACED`] with some piece in hand.
pub const EXCEPTIONS_B_IN_HAND: u64 = 156_892;

/// As [`EXCEPTIONS_B_IN_HAND`] for W, Black to move.
pub const EXCEPTIONS_W_IN_HAND: u64 = 1_935;

/// How many rounds of Algorithm 4 added something (section 6.2). It is the same with all pieces placed and with some in
/// hand: the second run of each update found nothing new.
pub const ROUNDS: u64 = 1;

/// The value of `ab` (chapter 6).
pub const VALUE: &str = "draw";

/// Hours that Algorithm 1 took (section 6.2).
pub const HOURS_ALGORITHM_1: u64 = 7;

/// Hours that Algorithm 4 took in all (section 7.2).
pub const HOURS_ALGORITHM_4: u64 = 207;

/// Hours that Algorithm 4 took to verify alone (section 7.2).
pub const HOURS_VERIFYING: u64 = 104;

impl Printed {
    /// The thesis's size of a named variant.
    #[must_use]
    pub fn size(name: &str) -> Option<Printed> {
        SIZES.into_iter().find(|(variant, _)| *variant == name).map(|(_, printed)| printed)
    }

    /// How many of the printed digits follow the point.
    fn decimals(self) -> u32 {
        self.digits.ilog10()
    }

    /// The number as printed: `1.55017e8`.
    #[must_use]
    pub fn text(self) -> String {
        let unit = 10u128.pow(self.decimals());
        let width = self.decimals() as usize;
        format!("{}.{:0width$}e{}", self.digits / unit, self.digits % unit, self.exponent)
    }

    /// Whether an exact count, rounded to the printed number of digits, equals the figure.
    #[must_use]
    pub fn agrees(self, exact: u128) -> bool {
        let unit = 10u128.pow(self.exponent - self.decimals());
        (exact + unit / 2) / unit == self.digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::census;
    use crate::rules::Variant;

    #[test]
    fn sizes_are_written_as_printed() {
        let text = |name| Printed::size(name).map(Printed::text);
        assert_eq!(text("ab-full").as_deref(), Some("5.06294e10"));
        assert_eq!(text("abc-full").as_deref(), Some("8.386e15"));
        assert_eq!(text("A3-A3B2"), None);
    }

    #[test]
    fn a_figure_agrees_with_what_rounds_to_it() {
        let printed = Printed { digits: 123, exponent: 4 };
        for (exact, agrees) in [(12_249, false), (12_250, true), (12_349, true), (12_350, false)] {
            assert_eq!(printed.agrees(exact), agrees, "{exact}");
        }
    }

    #[test]
    fn every_named_variant_agrees() {
        for (name, variant) in Variant::named() {
            let exact = census::thesis_convention(variant);
            assert!(Printed::size(name).is_some_and(|printed| printed.agrees(exact)), "{name}");
        }
    }
}
