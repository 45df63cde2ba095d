//! Options that several commands share, and how their values are read.

use std::num::NonZeroUsize;
use std::path::{self, Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};

use super::exit::Failure;
use super::nearest;
use crate::cli::commands::rules;
use crate::enumerate::{Discipline, DisciplineError};
use crate::prelude::*;
use crate::rules::{Color, Reading, Variant};
use crate::store::Kind;
use crate::strategy::Seed;

/// How much a command prints.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Talk {
    /// Print results and errors only, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long)]
    pub verbose: bool,
}

/// The form of the result.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Format {
    /// Print the result as JSON, an error too. The folder schemas has what each command prints
    #[arg(long)]
    pub json: bool,
}

/// How many threads work.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threads {
    /// How many threads to use [default: one for each core]
    #[arg(long = "threads", value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    /// The number of threads.
    #[must_use]
    pub fn count(self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let wrong = || format!("give a number from 1 to {MOST_THREADS}, or leave it out to use every core");
    let count: NonZeroUsize = text.parse().map_err(|_| wrong())?;
    if count.get() <= MOST_THREADS { Ok(count) } else { Err(wrong()) }
}

/// Reads a variant.
///
/// # Errors
/// What is wrong with the text, with the nearest variants.
pub fn variant(text: &str) -> Result<Variant, String> {
    if text == JUNIOR {
        return Err(
            "junior is the game on nine squares, not a variant of Gobblet; solve, query, suite, explain, \
                    play, count and perft know it, and gobprove rules junior prints its rules"
                .to_owned(),
        );
    }
    text.read().map_err(|error| format!("{error}{}", nearest::did_you_mean(&nearest::variants(text))))
}

/// Reads a word that stands for a variant or for a path. It is a path if something is there, or if it could be nothing else:
/// it has a separator, or ends as the files of this program do. The result is `None` for a path.
///
/// # Errors
/// It is neither; the nearest variants are named.
pub fn variant_or_path(word: &Path) -> Result<Option<Variant>, Failure> {
    let text = word.to_string_lossy();
    let is_path = || {
        let ends = |end: &str| word.extension().is_some_and(|extension| extension == end);
        word.exists() || text.contains(path::is_separator) || ends(CERTIFICATE) || ends(SOLVED)
    };
    match text.read() {
        Ok(variant) => Ok(Some(variant)),
        Err(_) if is_path() => Ok(None),
        Err(error) => {
            let near = nearest::did_you_mean(&nearest::variants(&text));
            Err(Failure::usage(format!("{error}; and there is no file of that name{near}")).at(text))
        }
    }
}

/// How the names of certificates end.
pub const CERTIFICATE: &str = "gobcert";
/// How the names of solved variants end.
pub const SOLVED: &str = "gobsolved";

/// What a command is about: a variant of Gobblet, or the game on nine squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A variant of Gobblet.
    Gobblet(Variant),
    /// Gobblet Gobblers.
    Junior,
}

/// The name of the game on nine squares.
pub const JUNIOR: &str = "junior";

/// Reads a variant, or the name of the game on nine squares.
///
/// # Errors
/// As [`variant`].
pub fn subject(text: &str) -> Result<Subject, String> {
    if text == JUNIOR { Ok(Subject::Junior) } else { variant(text).map(Subject::Gobblet) }
}

/// Reads one of a few tags, and lists them in the help and on error.
fn tags<T>(tags: impl IntoIterator<Item = impl Into<PossibleValue>>) -> impl TypedValueParser<Value = T>
where
    T: Notation<Error: Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(tags).try_map(|tag| tag.read::<T>())
}

/// Reads the path of a file to write.
#[must_use]
pub fn output() -> impl TypedValueParser<Value = PathBuf> {
    let is_named = |path: PathBuf| match path.as_os_str() == "-" {
        true => Err("the result goes to a file, not to stdout; ./- names a file called -"),
        false => Ok(path),
    };
    PathBufValueParser::new().try_map(is_named)
}

/// Reads a reading. The help explains each in one line, which it takes from the rules.
#[must_use]
pub fn reading() -> impl TypedValueParser<Value = Reading> {
    let value = |reading: Reading| PossibleValue::new(reading.tag()).help(rules::summary(reading.tag()));
    tags(Reading::ALL.map(value))
}

/// Reads a discipline of White's. One of Black's is refused: a closure proves that White holds whatever Black does.
///
/// # Errors
/// What is wrong with the text.
pub fn discipline_of_white(text: &str) -> Result<Discipline, String> {
    let why = "Black keeps to that, and a closure is about whatever Black does; gobprove refute takes it";
    discipline(text, Color::Black, why)
}

/// Reads a discipline of Black's. One of White's is refused: a refutation proves that Black wins whatever White does.
///
/// # Errors
/// What is wrong with the text.
pub fn discipline_of_black(text: &str) -> Result<Discipline, String> {
    let why = "White keeps to that, and a refutation is about whatever White does; gobprove prove takes it";
    discipline(text, Color::White, why)
}

fn discipline(text: &str, wrong: Color, why: &str) -> Result<Discipline, String> {
    let discipline: Discipline = text.parse().map_err(|error: DisciplineError| error.to_string())?;
    if discipline.keeper() == Some(wrong) { Err(why.to_owned()) } else { Ok(discipline) }
}

/// Reads a kind of certificate.
#[must_use]
pub fn kind() -> impl TypedValueParser<Value = Kind> {
    tags(Kind::ALL.map(Kind::tag))
}

/// Reads a kind of certificate. The help lists only the kinds that prove that White holds. A refutation is read too, so
/// that the caller can say which command makes it.
#[must_use]
pub fn kind_of_white() -> impl TypedValueParser<Value = Kind> {
    tags(Kind::ALL.map(|kind| PossibleValue::new(kind.tag()).hide(kind == Kind::Refutation)))
}

/// Reads a seed.
#[must_use]
pub fn seed() -> impl TypedValueParser<Value = Seed> {
    tags(Seed::ALL.map(Seed::tag))
}

/// Reads a side.
#[must_use]
pub fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(Color::ALL.map(Color::name))
        .map(|name| if name == Color::White.name() { Color::White } else { Color::Black })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_from_1_to_the_most() {
        assert_eq!(threads("1"), Ok(NonZeroUsize::MIN));
        assert_eq!(threads("1024").map(NonZeroUsize::get), Ok(1024));
        for bad in ["0", "1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(threads(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_unknown_variant_gets_the_nearest_names() {
        let error = variant("abcx").expect_err("no variant");
        assert!(error.contains("did you mean \"abc\" or \"abcd\"?"), "{error}");
        let error = variant("A1-A1B2").expect_err("no variant");
        assert!(error.contains("(R2)") && error.contains("\"A1-A1B1\""), "{error}");
        assert_eq!(subject("junior"), Ok(Subject::Junior));
        assert!(variant("junior").is_err_and(|error| error.contains("nine squares")));
        assert_eq!(variant("A3-A3B3").map(|v| v.to_string()), Ok("ab".to_owned()));
    }
}
