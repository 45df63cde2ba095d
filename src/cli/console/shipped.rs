//! The certificates that ship inside the program.

/// A certificate file that ships.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name in `certificates/`.
    pub name: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(Shipped { name: $name, bytes: include_bytes!(concat!("../../../certificates/", $name)) }),*]
    };
}

/// All that ships, by name. A constant would be in the program once for each part of it that is compiled by itself.
pub static SHIPPED: &[Shipped] = shipped![
    "A2B2-A3B3-no-entry-cover-refutation.gobcert",
    "A2B2-A3B3-official-refutation.gobcert",
    "A2B2-A3B3-strict-lift-refutation.gobcert",
    "A2B2-A3B3-thesis-refutation.gobcert",
    "A3-A3B2C2-no-entry-cover-refutation.gobcert",
    "A3-A3B2C2-official-refutation.gobcert",
    "A3-A3B2C2-strict-lift-refutation.gobcert",
    "A3-A3B2C2-thesis-refutation.gobcert",
    "A3-A3B3C1-no-entry-cover-refutation.gobcert",
    "A3-A3B3C1-official-refutation.gobcert",
    "A3-A3B3C1-strict-lift-refutation.gobcert",
    "A3-A3B3C1-thesis-refutation.gobcert",
    "A3B1-A3B2C2-official-closure.gobcert",
    "A3B1-A3B2C2-robust-closure.gobcert",
    "A3B1-A3B3C1-official-closure.gobcert",
    "A3B1-A3B3C1-robust-closure.gobcert",
    "A3B1-A3B3C2-no-entry-cover-refutation.gobcert",
    "A3B1-A3B3C2-official-refutation.gobcert",
    "A3B1-A3B3C2-strict-lift-refutation.gobcert",
    "A3B1-A3B3C2-thesis-refutation.gobcert",
    "A3B2-A3B3C2-no-entry-cover-refutation.gobcert",
    "A3B2-A3B3C2-official-refutation.gobcert",
    "A3B2-A3B3C2-strict-lift-refutation.gobcert",
    "A3B2-A3B3C2-thesis-refutation.gobcert",
    "ab-full-official-closure.gobcert",
    "ab-official-closure.gobcert",
    "ab-official-cut.gobcert",
    "ab-robust-closure.gobcert",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Header, sha256_hex};

    const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates");

    #[test]
    fn all_of_the_directory_is_embedded_and_in_the_sums() {
        let mut files: Vec<String> = std::fs::read_dir(DIR)
            .expect("the directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".gobcert"))
            .collect();
        files.sort();
        assert!(SHIPPED.iter().map(|shipped| shipped.name).eq(files.iter().map(String::as_str)), "{files:?}");
        let sums = std::fs::read_to_string(format!("{DIR}/SHA256SUMS")).expect("the sums");
        let expected: String = SHIPPED
            .iter()
            .map(|shipped| format!("{}  {}\n", sha256_hex(shipped.bytes), shipped.name))
            .collect();
        assert_eq!(sums, expected);
    }

    #[test]
    fn every_name_says_what_the_header_claims() {
        assert!(!SHIPPED.is_empty());
        for shipped in SHIPPED {
            let header = Header::parse(shipped.bytes).expect("a header");
            assert_eq!(header.claim().file_name(), shipped.name);
        }
    }
}
