//! The readings of the published rule texts (RULES.md, Readings).

use std::fmt;
use std::str::FromStr;

/// How the rules are read where published texts differ. A reading judges a move, from the position
/// before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Reading {
    /// R4 and R6 as they stand.
    #[default]
    Official,
    /// A lift that uncovers a line of the mover's opponent loses at once, unless a line of the mover
    /// stands after the move.
    Thesis,
    /// A lift that uncovers a line of the mover's opponent loses at once.
    StrictLift,
    /// From hand onto empty squares only.
    NoEntryCover,
    /// The worst of all readings for White, side by side. Colours must not be swapped in it.
    Robust,
}

impl Reading {
    /// All readings in the order of RULES.md.
    pub const ALL: [Reading; 5] =
        [Reading::Official, Reading::Thesis, Reading::StrictLift, Reading::NoEntryCover, Reading::Robust];

    /// The tag that commands and certificates use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Reading::Official => "official",
            Reading::Thesis => "thesis",
            Reading::StrictLift => "strict-lift",
            Reading::NoEntryCover => "no-entry-cover",
            Reading::Robust => "robust",
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// The text is no reading's tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchReading(pub String);

impl fmt::Display for NoSuchReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a reading: readings are", self.0)?;
        for (i, reading) in Reading::ALL.iter().enumerate() {
            write!(f, "{} {reading}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for NoSuchReading {}

impl FromStr for Reading {
    type Err = NoSuchReading;

    fn from_str(text: &str) -> Result<Reading, NoSuchReading> {
        Reading::ALL
            .into_iter()
            .find(|reading| reading.tag() == text)
            .ok_or_else(|| NoSuchReading(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_round_trip() {
        for reading in Reading::ALL {
            assert_eq!(reading.tag().parse(), Ok(reading));
        }
        assert_eq!(
            "Official".parse::<Reading>().expect_err("tags are in lower case").to_string(),
            "\"Official\" is not a reading: readings are official, thesis, strict-lift, no-entry-cover, robust"
        );
        assert!("".parse::<Reading>().is_err());
    }
}
