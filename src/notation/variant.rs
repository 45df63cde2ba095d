//! Material and variants as text, such as `A3B1-A3B3C1`.

use std::fmt;

use gobcheck::rules::{Material, Size, Variant};

use super::{Notation, Text as _};

impl Notation for Material {
    type Error = VariantError;

    /// Reads sizes with their counts, largest first, none left out in between: `A3B3C1`.
    fn from_text(text: &str) -> Result<Material, VariantError> {
        let unreadable = || VariantError::Unreadable(text.to_owned());
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > 8 || !bytes.len().is_multiple_of(2) {
            return Err(unreadable());
        }
        let mut counts = [0; 4];
        for ((pair, size), letter) in bytes.chunks(2).zip(Size::ALL).zip(b'A'..) {
            match *pair {
                [found, count @ b'1'..=b'3'] if found == letter => counts[size as usize] = count - b'0',
                _ => return Err(unreadable()),
            }
        }
        Material::new(counts).ok_or(VariantError::Counts(counts))
    }
}

impl Notation for Variant {
    type Error = VariantError;

    /// Reads a name (`ab`) or material spelled out, white side first (`A3-A3B3C1`).
    fn from_text(text: &str) -> Result<Variant, VariantError> {
        if let Some((_, variant)) = Variant::named().find(|(name, _)| *name == text) {
            return Ok(variant);
        }
        // What a person wrote is named whole.
        let unreadable = || VariantError::Unreadable(text.to_owned());
        let side = |side: &str| {
            side.read::<Material>().map_err(|error| match error {
                VariantError::Unreadable(_) => unreadable(),
                counts @ VariantError::Counts(_) => counts,
            })
        };
        let (white, black) = text.split_once('-').ok_or_else(unreadable)?;
        Ok(Variant { white: side(white)?, black: side(black)? })
    }
}

/// A variant without its name.
pub trait Spelled {
    /// The material spelled out, white side first: `A3-A3B3`.
    #[must_use]
    fn spelled(self) -> String;
}

impl Spelled for Variant {
    fn spelled(self) -> String {
        format!("{}-{}", self.white, self.black)
    }
}

/// Why a text or counts are no variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// The text is neither a name nor material spelled out.
    Unreadable(String),
    /// The counts break 3 ≥ A ≥ B ≥ C ≥ D or A ≥ 1 (R2).
    Counts([u8; 4]),
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantError::Unreadable(text) => write!(
                f,
                "{text:?} is not a variant: give a name (ab, ab-full, abc, abc-full, abcd, abcd-full) \
                 or material spelled out, white side first, such as A3-A3B3C1"
            ),
            VariantError::Counts([a, b, c, d]) => write!(
                f,
                "no side can have {a} A, {b} B, {c} C and {d} D: material satisfies 3 ≥ A ≥ B ≥ C ≥ D and A ≥ 1 (R2)"
            ),
        }
    }
}

impl std::error::Error for VariantError {}
