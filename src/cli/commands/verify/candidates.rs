//! Which certificates are meant: those that ship for a variant, those of a directory, or files.

use std::borrow::Cow;
use std::fs::Metadata;
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::VerifyArgs;
use crate::cli::console::args::{CERTIFICATE, variant_or_path};
use crate::cli::console::exit::{Failure, shown};
use crate::cli::console::lattice::{settled_by, what_making_one_takes};
use crate::cli::console::report::say;
use crate::cli::console::shipped::{STDIN, Shipped, missing, piped};
use crate::prelude::*;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Claim, Header, Kind, read_file};

/// A certificate to check.
pub(super) struct Candidate {
    /// Where it comes from.
    pub name: String,
    pub bytes: Cow<'static, [u8]>,
    /// The variant that was asked for by name.
    pub asked: Option<Variant>,
    /// The games that were asked for, if the certificate is for another game from which they follow.
    pub implied: Vec<Game>,
}

/// Something that was asked for: a certificate to check, or why there is none.
pub(super) type Asked = Result<Candidate, Failure>;

impl VerifyArgs {
    /// What is asked for, in the order of the arguments.
    pub(super) fn asked(&self) -> Vec<Asked> {
        if self.what.is_empty() {
            return self.everything();
        }
        self.what
            .iter()
            .flat_map(|what| self.meant(what).unwrap_or_else(|failure| vec![Err(failure)]))
            .collect()
    }

    /// Whether a claim is of the kind and the reading that are asked for.
    pub(super) fn fits(&self, claim: &Claim) -> bool {
        self.kind.is_none_or(|kind| claim.kind == kind)
            && self.reading.is_none_or(|reading| claim.game.reading == reading)
    }

    /// All certificates that can be found. A program away from the checkout has only the small ones inside it. It says so,
    /// and fails if all were asked for.
    fn everything(&self) -> Vec<Asked> {
        let found = self.on_offer(None).unwrap_or_else(|failure| vec![Err(failure)]);
        if found.is_empty() { vec![Err(nothing(self.certificates.as_deref()))] } else { found }
    }

    /// What a word means: a variant, a file, or `-` for stdin.
    fn meant(&self, what: &Path) -> Result<Vec<Asked>, Failure> {
        if what.as_os_str() == STDIN {
            let bytes = piped(self.talk)?.into();
            return Ok(vec![Ok(Candidate {
                name: "stdin".to_owned(),
                bytes,
                asked: None,
                implied: Vec::new(),
            })]);
        }
        match variant_or_path(what)? {
            Some(variant) => {
                let mut found = self.on_offer(Some(variant))?;
                if found.is_empty() && self.certificates.is_none() {
                    found = self.that_imply(variant);
                }
                if found.is_empty() {
                    let kind = self.kind.map_or("closure or refutation", Kind::tag);
                    let under = self.reading.map_or(String::new(), |reading| format!(" under {reading}"));
                    if let Some(dir) = &self.certificates {
                        let what = format!(
                            "{} holds no certificate for {variant} of kind {kind}{under}",
                            shown(dir)
                        );
                        return Err(Failure::unavailable(what).at("--certificates").next(ANOTHER_FOLDER));
                    }
                    let what = format!("no certificate ships for {variant} of kind {kind}{under}");
                    let asked = Game::new(variant, self.reading.unwrap_or(Reading::Official));
                    let next = match (lies_here(asked, self.kind), settled_by(&asked, None)) {
                        (Some(name), _) => format!("`gobprove verify {name}` checks the one in this folder"),
                        (None, Some(shipped)) => {
                            format!("{} ships, which is a {}", shipped.file, shipped.kind)
                        }
                        (None, None) => what_making_one_takes(&asked),
                    };
                    return Err(Failure::unavailable(what).next(next));
                }
                Ok(found)
            }
            None => Ok(vec![file(what)]),
        }
    }

    /// The certificates on offer that fit what is asked: those that ship, or those of a directory.
    fn on_offer(&self, asked: Option<Variant>) -> Result<Vec<Asked>, Failure> {
        // Checking a cut takes a look at every position of the game. So a variant's name means a cut only with --kind.
        let fits = |claim: &Claim| {
            let is_named = self.kind.is_some() || claim.kind != Kind::Cut;
            self.fits(claim) && asked.is_none_or(|asked| is_named && claim.covers(asked))
        };
        let Some(dir) = &self.certificates else { return Ok(self.that_ship(asked, fits)) };
        let mut found = Vec::new();
        for path in certificate_files(dir)? {
            match file(&path) {
                // A damaged file may be the one that was asked for: to pass it over would hide the damage.
                Ok(one) if Header::parse(&one.bytes).map_or(true, |header| fits(&header.claim)) => {
                    found.push(Ok(Candidate { asked, ..one }));
                }
                Ok(_) => {}
                Err(failure) => found.push(Err(failure)),
            }
        }
        Ok(found)
    }

    /// The certificates that ship. If some of several cannot be found, one message at the end says so.
    fn that_ship(&self, asked: Option<Variant>, fits: impl Fn(&Claim) -> bool) -> Vec<Asked> {
        let (mut found, mut elsewhere) = (Vec::new(), Vec::new());
        for shipped in Shipped::of(fits) {
            match shipped.find() {
                Ok(Some((name, bytes))) => {
                    found.push(Ok(Candidate { name, bytes, asked, implied: Vec::new() }))
                }
                Ok(None) => elsewhere.push(shipped.file.as_str()),
                Err(failure) => found.push(Err(failure)),
            }
        }
        match elsewhere.is_empty() {
            true => {}
            // Nobody named them, and the others can be checked.
            false if asked.is_none() && !self.all && !found.is_empty() => say(&missing(&elsewhere).note()),
            false => found.push(Err(missing(&elsewhere))),
        }
        found
    }
}

impl VerifyArgs {
    /// The certificates that ship for other games and imply the claim, one for each reading.
    fn that_imply(&self, asked: Variant) -> Vec<Asked> {
        let readings =
            Reading::ALL.into_iter().filter(|reading| self.reading.is_none_or(|asked| asked == *reading));
        let mut by_file: Vec<(&Shipped, Vec<Game>)> = Vec::new();
        for game in readings.map(|reading| Game::new(asked, reading)) {
            let Some(shipped) = settled_by(&game, self.kind) else { continue };
            match by_file.iter_mut().find(|(other, _)| other.file == shipped.file) {
                Some((_, games)) => games.push(game),
                None => by_file.push((shipped, vec![game])),
            }
        }
        let (mut found, mut elsewhere) = (Vec::new(), Vec::new());
        for (shipped, implied) in by_file {
            match shipped.find() {
                Ok(Some((name, bytes))) => found.push(Ok(Candidate { name, bytes, asked: None, implied })),
                Ok(None) => elsewhere.push(shipped.file.as_str()),
                Err(failure) => found.push(Err(failure)),
            }
        }
        if !elsewhere.is_empty() {
            found.push(Err(missing(&elsewhere)));
        }
        found
    }
}

/// Whether a path leads to a pipe.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    let is_pipe = |found: Metadata| FileTypeExt::is_fifo(&found.file_type());
    #[cfg(not(unix))]
    let is_pipe = |_: Metadata| false;
    path.metadata().is_ok_and(is_pipe)
}

/// The certificate files of a directory, by name.
fn certificate_files(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failure = |error| Failure::unavailable(format!("cannot list {dir:?}: {error}")).at("--certificates");
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        if path.extension().is_some_and(|extension| extension == CERTIFICATE) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn file(path: &Path) -> Asked {
    let bytes = read_file(path).map_err(|error| {
        let failure = Failure::from(error);
        // A pipe has no length to compare with beforehand.
        if is_pipe(path) {
            // The shell's name for the output of a command, such as /dev/fd/63, is valid in this process only.
            failure.next(match path.starts_with("/dev") || path.starts_with("/proc") {
                true => "`COMMAND | gobprove verify -` reads what a command writes".to_owned(),
                false => format!("gobprove verify - < {} reads it", shown(path)),
            })
        } else if path.is_dir() {
            failure.next(format!("gobprove verify --certificates {} checks all that is in it", shown(path)))
        } else {
            failure
        }
    })?;
    Ok(Candidate { name: shown(path), bytes: bytes.into(), asked: None, implied: Vec::new() })
}

/// The name of a certificate for a game in this folder, if there is one as `generate` and `refute` name it.
fn lies_here(game: Game, kind: Option<Kind>) -> Option<String> {
    let kinds = kind.map_or(vec![Kind::Closure, Kind::Refutation], |kind| vec![kind]);
    let mut names = kinds.into_iter().map(|kind| Claim { game, kind }.file_name());
    names.find(|name| Path::new(name).is_file())
}

/// What to do where the directory of `--certificates` has nothing that was asked for.
const ANOTHER_FOLDER: &str = "name a directory that holds some, or leave --certificates out for what ships";

fn nothing(dir: Option<&Path>) -> Failure {
    match dir {
        Some(dir) => {
            Failure::unavailable(format!("{} holds no .gobcert file that was asked for", shown(dir)))
                .at("--certificates")
                .next(ANOTHER_FOLDER)
        }
        None => Failure::unavailable("no certificate ships for what was asked for")
            .next("`gobprove verify` without an option checks all that ships"),
    }
}
