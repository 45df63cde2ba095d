//! Material and variants (R2, R9).

use std::fmt;
use std::str::FromStr;

use super::piece::{ByColor, BySize, Size};

/// How many pieces of each size a side may use: 3 ≥ A ≥ B ≥ C ≥ D and A ≥ 1 (R2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(BySize<u8>);

impl Material {
    /// The material with these counts, A first.
    ///
    /// # Errors
    /// The counts break 3 ≥ A ≥ B ≥ C ≥ D or A ≥ 1.
    pub fn new(counts: [u8; 4]) -> Result<Material, VariantError> {
        let falling = counts.is_sorted_by(|larger, smaller| larger >= smaller);
        if falling && (1..=3).contains(&counts[0]) {
            Ok(Material(BySize(counts)))
        } else {
            Err(VariantError::Counts(counts))
        }
    }

    /// How many pieces of a size may be used, 0 … 3.
    #[must_use]
    pub fn count(self, size: Size) -> u8 {
        self.0[size]
    }

    /// The four counts, A first.
    #[must_use]
    pub fn counts(self) -> [u8; 4] {
        self.0.0
    }

    /// Whether no count is above the other material's.
    #[must_use]
    pub fn at_most(self, other: Material) -> bool {
        Size::ALL.iter().all(|&size| self.count(size) <= other.count(size))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for size in Size::ALL {
            if self.count(size) > 0 {
                write!(f, "{size}{}", self.count(size))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Material {
    type Err = VariantError;

    /// Reads sizes with their counts, largest first, none left out in between: `A3B3C1`.
    fn from_str(text: &str) -> Result<Material, VariantError> {
        let unreadable = || VariantError::Unreadable(text.to_owned());
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > 8 || !bytes.len().is_multiple_of(2) {
            return Err(unreadable());
        }
        let mut counts = [0; 4];
        for (pair, size) in bytes.chunks(2).zip(Size::ALL) {
            match *pair {
                [letter, count @ b'1'..=b'3'] if char::from(letter) == size.letter() => {
                    counts[size as usize] = count - b'0';
                }
                _ => return Err(unreadable()),
            }
        }
        Material::new(counts)
    }
}

/// What each side may use (R9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variant {
    /// What White may use; a proof with less holds for more (R9).
    pub white: Material,
    /// What Black may use.
    pub black: Material,
}

/// The named variants of RULES.md with their white and black counts.
const NAMED: [(&str, [u8; 4], [u8; 4]); 6] = [
    ("ab", [3, 0, 0, 0], [3, 3, 0, 0]),
    ("ab-full", [3, 3, 0, 0], [3, 3, 0, 0]),
    ("abc", [3, 3, 0, 0], [3, 3, 3, 0]),
    ("abc-full", [3, 3, 3, 0], [3, 3, 3, 0]),
    ("abcd", [3, 3, 3, 0], [3, 3, 3, 3]),
    ("abcd-full", [3, 3, 3, 3], [3, 3, 3, 3]),
];

impl Variant {
    /// The named variants, smallest first.
    pub fn named() -> impl Iterator<Item = (&'static str, Variant)> {
        NAMED.iter().map(|&(name, white, black)| {
            (name, Variant { white: Material(BySize(white)), black: Material(BySize(black)) })
        })
    }

    /// The variant's name, if RULES.md gives it one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        Variant::named().find(|&(_, variant)| variant == self).map(|(name, _)| name)
    }

    /// Each side's material.
    #[must_use]
    pub fn material(self) -> ByColor<Material> {
        ByColor { white: self.white, black: self.black }
    }

    /// The material spelled out, white side first: `A3-A3B3`.
    #[must_use]
    pub fn spelled(self) -> String {
        format!("{}-{}", self.white, self.black)
    }
}

/// The name where there is one, else the material spelled out.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => f.write_str(&self.spelled()),
        }
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    /// Reads a name (`ab`) or material spelled out, white side first (`A3-A3B3C1`).
    fn from_str(text: &str) -> Result<Variant, VariantError> {
        if let Some((_, variant)) = Variant::named().find(|(name, _)| *name == text) {
            return Ok(variant);
        }
        let (white, black) = text.split_once('-').ok_or_else(|| VariantError::Unreadable(text.to_owned()))?;
        Ok(Variant { white: white.parse()?, black: black.parse()? })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_spelled_out_material_agree() {
        for (name, variant) in Variant::named() {
            assert_eq!(name.parse(), Ok(variant));
            assert_eq!(variant.spelled().parse(), Ok(variant));
            assert_eq!(variant.to_string(), name);
        }
        assert_eq!("A3-A3B3".parse::<Variant>().map(|v| v.to_string()), Ok("ab".to_owned()));
        assert_eq!("A3-A3B3C1".parse::<Variant>().map(|v| v.to_string()), Ok("A3-A3B3C1".to_owned()));
        assert_eq!("A1-A2B1".parse::<Variant>().map(|v| v.black.counts()), Ok([2, 1, 0, 0]));
    }

    #[test]
    fn what_is_no_variant() {
        for bad in [
            "",
            "abx",
            "AB",
            "A3",
            "A3-",
            "-A3",
            "A3-B3",
            "A3-A3C3",
            "A4-A3",
            "A0-A3",
            "A3-A3B0",
            "A3-A3-A3",
            "A3-A3B3C3D3D3",
            "a3-a3",
            "A3-A²",
        ] {
            assert!(matches!(bad.parse::<Variant>(), Err(VariantError::Unreadable(_))), "{bad:?}");
        }
        assert_eq!("A1-A1B2".parse::<Variant>(), Err(VariantError::Counts([1, 2, 0, 0])));
        let told = |text: &str| text.parse::<Variant>().expect_err("no variant").to_string();
        assert!(told("abx").starts_with("\"abx\" is not a variant: give a name (ab, "), "{}", told("abx"));
        assert!(
            told("A1-A1B2").starts_with("no side can have 1 A, 2 B, 0 C and 0 D: "),
            "{}",
            told("A1-A1B2")
        );
        assert_eq!(format!("{:?}", Material::new([3, 1, 0, 0])), "Ok(A3B1)");
        assert_eq!(Material::new([0; 4]), Err(VariantError::Counts([0; 4])));
        assert_eq!(Material::new([4, 0, 0, 0]), Err(VariantError::Counts([4, 0, 0, 0])));
    }

    #[test]
    fn material_is_a_partial_order() {
        let material = |text: &str| text.parse::<Material>().expect("material");
        assert!(material("A3").at_most(material("A3B3")));
        assert!(!material("A3B3").at_most(material("A3")));
        assert!(!material("A2B2").at_most(material("A3B1")) && !material("A3B1").at_most(material("A2B2")));
    }
}
