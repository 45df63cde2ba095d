//! What a certificate claims, in the words that commands print.

use std::fmt;
use std::str::FromStr;

use crate::rules::{Game, Variant};

/// The kinds of certificate. A cut and a closure say: here is a set that White never has to leave. A refutation says:
/// here is a set out of which Black forces a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Kind {
    /// A seed and two exception sets, checked over every position of the variant.
    Cut,
    /// A set of positions with Black to move, checked over that set alone.
    #[default]
    Closure,
    /// A set of positions with White to move, checked over that set alone.
    Refutation,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Cut, Kind::Closure, Kind::Refutation];

    /// The tag that commands and file names use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Kind::Cut => "cut",
            Kind::Closure => "closure",
            Kind::Refutation => "refutation",
        }
    }

    /// What is proven of the empty board, in a word: White holds a `draw`, or is `lost`.
    #[must_use]
    pub const fn value(self) -> &'static str {
        match self {
            Kind::Cut | Kind::Closure => "draw",
            Kind::Refutation => "lost",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// The text is no kind's tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchKind(pub String);

impl fmt::Display for NoSuchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a kind of certificate: kinds are cut, closure, refutation", self.0)
    }
}

impl std::error::Error for NoSuchKind {}

impl FromStr for Kind {
    type Err = NoSuchKind;

    fn from_str(text: &str) -> Result<Kind, NoSuchKind> {
        Kind::ALL.into_iter().find(|kind| kind.tag() == text).ok_or_else(|| NoSuchKind(text.to_owned()))
    }
}

/// What a certificate claims: in this game, from the empty board and whoever moves first, White can go on
/// for ever without losing; or, if it is a refutation, Black can force a line. The kind says how that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// The variant and the reading.
    pub game: Game,
    /// The kind of certificate.
    pub kind: Kind,
}

impl Claim {
    /// Whether a proof of this claim is one for `asked` under the same reading: Black's material is the
    /// same, and White's is at most what `asked` gives it (R9). A refutation is one for its own variant.
    #[must_use]
    pub fn covers(&self, asked: Variant) -> bool {
        let own = self.game.variant;
        match self.kind {
            Kind::Cut | Kind::Closure => own.black == asked.black && own.white.at_most(asked.white),
            Kind::Refutation => own == asked,
        }
    }

    /// The claim told of the variant that was asked for, with White's material where it is less:
    /// `ab-full official draw closure white=A3`. For a variant that the claim does not cover it is told as
    /// by [`Display`](fmt::Display).
    #[must_use]
    pub fn text_for(&self, asked: Variant) -> String {
        let named = if self.covers(asked) { asked } else { self.told_of() };
        let own = self.game.variant;
        let less = if own.white == named.white { String::new() } else { format!(" white={}", own.white) };
        format!("{named} {} {} {}{less}", self.game.reading, self.kind.value(), self.kind)
    }

    /// The name of a file that holds such a certificate: `ab-official-closure.gobcert`.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}.gobcert", self.told_of(), self.game.reading, self.kind)
    }

    /// The variant that the claim is told of: the smallest named one that it covers, else its own.
    fn told_of(&self) -> Variant {
        let mut named = Variant::named().map(|(_, variant)| variant);
        named.find(|&variant| self.covers(variant)).unwrap_or(self.game.variant)
    }
}

/// The text after `s VERIFIED `: `ab official draw closure`, or `abc official draw closure white=A3B2`
/// where White used less than the name gives it.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text_for(self.told_of()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reading;

    fn claim(variant: &str, reading: Reading, kind: Kind) -> Claim {
        Claim { game: Game::new(variant.parse().expect("a variant"), reading), kind }
    }

    #[test]
    fn kinds_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!("Cut".parse::<Kind>(), Err(NoSuchKind("Cut".to_owned())));
        let text = NoSuchKind("Cut\n".to_owned()).to_string();
        assert!(text.contains(r"Cut\n") && !text.contains('\n'), "{text}");
        assert!(Kind::ALL.iter().all(|kind| text.contains(kind.tag())), "{text}");
    }

    #[test]
    fn a_claim_is_told_of_the_smallest_named_variant_that_it_covers() {
        for (variant, text, file) in [
            ("ab", "ab official draw closure", "ab-official-closure.gobcert"),
            ("ab-full", "ab-full official draw closure", "ab-full-official-closure.gobcert"),
            ("A2-A3B3", "ab official draw closure white=A2", "ab-official-closure.gobcert"),
            ("A3B1-A3B3", "ab-full official draw closure white=A3B1", "ab-full-official-closure.gobcert"),
            ("A3-A3B3C3", "abc official draw closure white=A3", "abc-official-closure.gobcert"),
            ("A3B2-A3B3C3", "abc official draw closure white=A3B2", "abc-official-closure.gobcert"),
            (
                "A3B3C3D1-A3B3C3",
                "A3B3C3D1-A3B3C3 official draw closure",
                "A3B3C3D1-A3B3C3-official-closure.gobcert",
            ),
            ("A3-A3B3C1", "A3-A3B3C1 official draw closure", "A3-A3B3C1-official-closure.gobcert"),
        ] {
            let claim = claim(variant, Reading::Official, Kind::Closure);
            assert_eq!(claim.to_string(), text);
            assert_eq!(claim.file_name(), file);
        }
        let cut = claim("ab", Reading::NoEntryCover, Kind::Cut);
        assert_eq!(cut.to_string(), "ab no-entry-cover draw cut");
        assert_eq!(cut.file_name(), "ab-no-entry-cover-cut.gobcert");
        for (variant, text, file) in [
            ("ab", "ab official lost refutation", "ab-official-refutation.gobcert"),
            ("A2-A3B3", "A2-A3B3 official lost refutation", "A2-A3B3-official-refutation.gobcert"),
        ] {
            let refutation = self::claim(variant, Reading::Official, Kind::Refutation);
            assert_eq!((refutation.to_string().as_str(), refutation.file_name().as_str()), (text, file));
        }
    }

    #[test]
    fn a_claim_is_told_of_the_variant_asked_for() {
        let claim = claim("ab", Reading::Official, Kind::Closure);
        let text_for = |asked: &str| claim.text_for(asked.parse().expect("a variant"));
        assert_eq!(text_for("ab"), "ab official draw closure");
        assert_eq!(text_for("ab-full"), "ab-full official draw closure white=A3");
        assert_eq!(text_for("A3B1-A3B3"), "A3B1-A3B3 official draw closure white=A3");
        assert_eq!(text_for("abc"), "ab official draw closure", "not covered: no other claim is made");
        assert_eq!(text_for("A2-A3B3"), "ab official draw closure", "White needs its three A");
        // What White cannot hold with some pieces is not said of fewer or more.
        let refutation = Claim { kind: Kind::Refutation, ..claim };
        for asked in ["A2-A3B3", "ab-full", "abc"].map(|asked| asked.parse().expect("a variant")) {
            assert!(!refutation.covers(asked));
            assert_eq!(refutation.text_for(asked), "ab official lost refutation");
        }
    }
}
