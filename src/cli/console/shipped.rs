//! The certificates that ship: a record of each, the bytes of the small ones, which are inside the program, and the
//! places where the large ones are looked for. It also reads certificates that the user gives.

use std::borrow::Cow;
use std::env;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, de};

use super::args::Talk;
use super::exit::{Exit, Failure, shown};
use super::memory;
use super::progress::Progress;
use crate::prelude::*;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Certificate, Claim, FormatError, Kind, LoadError, MAGIC, read_certificate, read_file};

/// Where a certificate was found, and its bytes.
pub type ShippedFile = (String, Cow<'static, [u8]>);

/// A certificate that ships, as `certificates/recipes.toml` describes it.
#[derive(Deserialize, Clone, Debug)]
pub struct Shipped {
    /// Its name in `certificates/`.
    pub file: String,
    /// The variant in its header.
    #[serde(deserialize_with = "parsed")]
    pub variant: Variant,
    /// The reading in its header.
    #[serde(deserialize_with = "parsed")]
    pub reading: Reading,
    /// Its kind.
    #[serde(deserialize_with = "parsed")]
    pub kind: Kind,
    /// How many positions it lists, both sides to move together.
    pub positions: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The arguments of `gobprove` that make it again.
    pub command: String,
    /// How long that takes, in minutes of one core, rounded up.
    pub minutes: u64,
    /// The most memory that it takes, in bytes.
    #[serde(deserialize_with = "size")]
    pub memory: u64,
    /// The most disk that its working files take, in bytes.
    #[serde(default, deserialize_with = "size")]
    pub disk: u64,
}

fn parsed<'de, D: Deserializer<'de>, T: Notation>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.read().map_err(de::Error::custom)
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    memory::size(&String::deserialize(from)?).map_err(de::Error::custom)
}

/// The list in `certificates/recipes.toml`.
#[derive(Deserialize)]
struct Recipes {
    certificate: Vec<Shipped>,
}

/// All that ships, by name.
pub static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    let recipes = toml::from_str(include_str!("../../../certificates/recipes.toml"));
    let recipes: Recipes = recipes.expect("the list inside the program, which the tests read");
    recipes.certificate
});

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../certificates/", $name)))),*]
    };
}

/// The certificates of less than 100 kB, by name. This is a static because the program would hold a constant once for each
/// part that is compiled by itself.
static EMBEDDED: &[(&str, &[u8])] = embedded![
    "A1-A1B1C1-robust-closure.gobcert",
    "A1-A2B1-robust-closure.gobcert",
    "A1-A3-robust-closure.gobcert",
    "A1B1-A1B1C1D1-robust-closure.gobcert",
    "A1B1-A2B1C1D1-no-entry-cover-refutation.gobcert",
    "A1B1-A2B1C1D1-official-refutation.gobcert",
    "A1B1-A2B1C1D1-strict-lift-refutation.gobcert",
    "A1B1-A2B1C1D1-thesis-refutation.gobcert",
    "A1B1-A3B1-no-entry-cover-refutation.gobcert",
    "A1B1-A3B1-official-refutation.gobcert",
    "A1B1-A3B1-strict-lift-refutation.gobcert",
    "A1B1-A3B1-thesis-refutation.gobcert",
    "A1B1C1-A2B1C1-robust-closure.gobcert",
    "A1B1C1-A2B2-robust-closure.gobcert",
    "A1B1C1-A3B1-robust-closure.gobcert",
    "A2-A2B1C1D1-robust-closure.gobcert",
    "A2-A2B2C1-robust-closure.gobcert",
    "A2-A2B2C1D1-no-entry-cover-refutation.gobcert",
    "A2-A2B2C1D1-official-refutation.gobcert",
    "A2-A2B2C1D1-strict-lift-refutation.gobcert",
    "A2-A2B2C1D1-thesis-refutation.gobcert",
    "A2-A2B2C2-no-entry-cover-refutation.gobcert",
    "A2-A2B2C2-official-refutation.gobcert",
    "A2-A2B2C2-strict-lift-refutation.gobcert",
    "A2-A2B2C2-thesis-refutation.gobcert",
    "A2-A3B1C1-robust-closure.gobcert",
    "A2-A3B1C1D1-no-entry-cover-refutation.gobcert",
    "A2-A3B1C1D1-official-refutation.gobcert",
    "A2-A3B1C1D1-strict-lift-refutation.gobcert",
    "A2-A3B1C1D1-thesis-refutation.gobcert",
    "A2-A3B2-robust-closure.gobcert",
    "A2B1-A3B2C1-no-entry-cover-refutation.gobcert",
    "A2B1-A3B2C1-official-refutation.gobcert",
    "A2B1-A3B2C1-strict-lift-refutation.gobcert",
    "A2B1-A3B2C1-thesis-refutation.gobcert",
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
    "ab-full-official-closure.gobcert",
    "ab-official-closure.gobcert",
    "ab-robust-closure.gobcert",
];

/// The variable that names one more directory with certificates that ship.
pub const VARIABLE: &str = "GOBPROVE_CERTIFICATES";

impl Shipped {
    /// The certificates that ship and whose claim `wanted` accepts, in the order of their names.
    pub fn of(wanted: impl Fn(&Claim) -> bool) -> impl Iterator<Item = &'static Shipped> {
        SHIPPED.iter().filter(move |shipped| wanted(&shipped.claim()))
    }

    /// What it claims.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { game: Game::new(self.variant, self.reading), kind: self.kind }
    }

    /// Its bytes, if they are inside the program.
    #[must_use]
    pub fn embedded(&self) -> Option<&'static [u8]> {
        EMBEDDED.iter().find(|(name, _)| *name == self.file).map(|(_, bytes)| *bytes)
    }

    /// Its bytes, and the name of the file to show to people. `None` if it is neither in the program nor in the [`places`].
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn find(&self) -> Result<Option<ShippedFile>, Failure> {
        if let Some(bytes) = self.embedded() {
            return Ok(Some((self.file.clone(), bytes.into())));
        }
        let Some(path) = places().map(|place| place.join(&self.file)).find(|path| path.exists()) else {
            return Ok(None);
        };
        let bytes = read_file(&path)?;
        Ok(Some((shown(&path), bytes.into())))
    }
}

/// The directories in which shipped certificates are looked for that are too large to be inside the program, in this order:
/// the one that [`VARIABLE`] names, the one beside the program, where packages install data, the one in the checkout that
/// the program was built in, and `./certificates`.
pub fn places() -> impl Iterator<Item = PathBuf> {
    let named = env::var_os(VARIABLE).filter(|named| !named.is_empty()).map(PathBuf::from);
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(Path::to_owned);
    let beside = beside.map(|beside| {
        ["certificates", "../share/gobprove", "../../certificates"].map(|place| {
            let place = beside.join(place);
            place.canonicalize().unwrap_or(place)
        })
    });
    named.into_iter().chain(beside.into_iter().flatten()).chain([PathBuf::from("certificates")])
}

/// Reads the certificate in a file. Returns its bytes too.
///
/// # Errors
/// The file cannot be read, or is no certificate.
pub fn given(path: &Path) -> Result<(Certificate, Vec<u8>), Failure> {
    read_certificate(path).map_err(|error| match error {
        LoadError::Read(error) => Failure::from(error),
        LoadError::Format { error, advice, .. } => no_certificate(&shown(path), &error).next(advice),
    })
}

/// Checks that the claim of a certificate, from the file `name`, says something about a game.
///
/// # Errors
/// It is of another reading, or of a variant from which nothing follows (RULES.md, Less material).
pub fn speaks_of(name: &str, claim: &Claim, game: &Game) -> Result<(), Failure> {
    if claim.covers(game.variant) && claim.game.reading == game.reading {
        return Ok(());
    }
    let what = format!("{name} claims {claim}, which says nothing of {} {}", game.variant, game.reading);
    Err(Failure::new(Exit::Rejected, what)
        .next("give --variant and --reading as the certificate has them, or a certificate of that game"))
}

/// The word for stdin in place of a file.
pub const STDIN: &str = "-";

/// The bytes of a certificate from stdin. If they do not begin as a certificate does, only the beginning is read and
/// returned, however long the input is.
///
/// # Errors
/// Stdin cannot be read, or has more bytes than a certificate may have.
pub fn piped(talk: Talk) -> Result<Vec<u8>, Failure> {
    let _progress = Progress::new("reading stdin", talk);
    let mut stdin = io::stdin().lock();
    let mut head = Vec::new();
    let bytes =
        stdin.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head).and_then(|_| match head == MAGIC {
            true => gobcheck::file::read_from(head.as_slice().chain(stdin)),
            false => Ok(head),
        });
    bytes.map_err(|error| Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin"))
}

/// The failure for bytes that are no certificate.
#[must_use]
pub fn no_certificate(name: &str, error: &FormatError) -> Failure {
    let FormatError { code, offset, what } = error;
    Failure::new(Exit::Rejected, format!("{name} is no certificate: {what} (offset {offset}, {code})"))
}

/// The failure for shipped certificates that are in none of the [`places`].
#[must_use]
pub fn missing(files: &[&str]) -> Failure {
    let files = files.join(", ");
    let places: Vec<String> = places().map(|place| shown(&place)).collect();
    let what = format!(
        "not at hand, and too large to be inside the program: {files}; looked in {}",
        places.join(", ")
    );
    Failure::unavailable(what).next(format!(
        "the folder certificates of the checkout has what ships: {VARIABLE}=FOLDER in the environment names it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Header, sha256_hex};

    const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates");

    fn bytes(shipped: &Shipped) -> Vec<u8> {
        std::fs::read(format!("{DIR}/{}", shipped.file)).expect("a file of the repository")
    }

    #[test]
    fn all_of_the_directory_is_in_the_list_and_in_the_sums() {
        let mut files: Vec<String> = std::fs::read_dir(DIR)
            .expect("the directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".gobcert"))
            .collect();
        files.sort();
        assert!(SHIPPED.iter().map(|shipped| &shipped.file).eq(&files), "{files:?}");
        let sums = std::fs::read_to_string(format!("{DIR}/SHA256SUMS")).expect("the sums");
        let expected: String =
            SHIPPED.iter().map(|shipped| format!("{}  {}\n", shipped.sha256, shipped.file)).collect();
        assert_eq!(sums, expected);
    }

    #[test]
    fn what_the_list_says_of_a_file_is_so() {
        for shipped in SHIPPED.iter() {
            let bytes = bytes(shipped);
            let header = Header::parse(&bytes).expect("a header");
            assert_eq!(header.claim, shipped.claim());
            assert_eq!(header.claim.file_name(), shipped.file);
            assert_eq!(header.entries.iter().sum::<u64>(), shipped.positions, "{}", shipped.file);
            assert_eq!((bytes.len() as u64, sha256_hex(&bytes)), (shipped.bytes, shipped.sha256.clone()));
        }
    }

    #[test]
    fn what_has_less_than_100_kb_is_inside_the_program_and_nothing_else() {
        for shipped in SHIPPED.iter() {
            assert_eq!(shipped.embedded().is_some(), shipped.bytes < 100_000, "{}", shipped.file);
            if let Some(inside) = shipped.embedded() {
                assert!(inside == bytes(shipped), "{}", shipped.file);
            }
        }
        assert_eq!(EMBEDDED.len(), SHIPPED.iter().filter(|shipped| shipped.embedded().is_some()).count());
    }
}
