//! `gobprove info`: prints what a certificate claims. It does not check the claim.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use crate::cli::console::args::{Format, Talk, variant_or_path};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::no_certificate_of;
use crate::cli::console::report::{Align, Out, Table, grouped, say};
use crate::cli::console::shipped::{STDIN, Shipped, ShippedFile, missing, no_certificate, piped};
use crate::rules::{Game, Reading};
use crate::store::{Claim, FormatError, Header, Kind, VERSION, advice, read_file, sha256_hex};

const AFTER_HELP: &str = "\
Examples:
  gobprove info ab                               what ships for ab
  gobprove info certificates/ab-official-closure.gobcert
  gobprove info my.gobcert --json

A word that is a variant is taken as one; write ./ab for a file called ab.

Nothing is checked but the header's form and the file's length: `gobprove verify FILE` says whether the claim is proven.";

/// Say what certificates claim, without believing it
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct InfoArgs {
    /// Certificate files, - for one on stdin, or variants for which some ship
    #[arg(value_name = "VARIANT|FILE", required = true)]
    what: Vec<PathBuf>,
    #[command(flatten)]
    format: Format,
}

impl InfoArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A file cannot be read, or is no certificate, or none ships for a variant.
    pub fn run(&self) -> Ended {
        let mut out = Out::new();
        let (mut reports, mut missing_files) = (Vec::new(), Vec::new());
        let mut failures = Vec::new();
        for what in &self.what {
            let meant = meant(what).map_err(|failure| failures.push(failure));
            let Ok((files, not_at_hand)) = meant else { continue };
            for (name, bytes) in files {
                let report = Report::of(&name, &bytes).map_err(|failure| failures.push(failure));
                let Ok(report) = report else { continue };
                if !self.format.json {
                    out.line(&report.table())?;
                    out.line("Nothing of this has been checked: `gobprove verify` does that.")?;
                }
                reports.push(report);
            }
            missing_files.extend(not_at_hand);
        }
        failures.extend((!missing_files.is_empty()).then(|| missing(&missing_files)));
        // If there is only an error, it is printed as that of any command.
        if reports.is_empty() && failures.len() == 1 {
            return Err(failures.remove(0));
        }
        failures.iter().for_each(|failure| say(&failure.to_string()));
        if self.format.json {
            let told = reports.iter().map(serde_json::to_value).collect::<Result<Vec<Value>, _>>();
            let mut told = told.map_err(|error| Failure::new(Exit::Bug, error))?;
            told.extend(failures.iter().map(Failure::json));
            out.json_one_or_many(&told)?;
        }
        let exits: Vec<Exit> = failures.iter().map(Failure::exit).collect();
        Ok(Exit::overall(&exits))
    }
}

/// The certificates that an argument means: what ships for a variant, or a file. With them the names of those that ship and
/// are not at hand.
fn meant(what: &Path) -> Result<(Vec<ShippedFile>, Vec<&'static str>), Failure> {
    if what.as_os_str() == STDIN {
        return Ok((vec![("stdin".to_owned(), piped(Talk::default())?.into())], Vec::new()));
    }
    match variant_or_path(what)? {
        Some(variant) => {
            let ships: Vec<_> = Shipped::of(|claim| claim.covers(variant)).collect();
            if ships.is_empty() {
                return Err(no_certificate_of(&Game::new(variant, Reading::Official)).at(shown(what)));
            }
            let (mut files, mut not_at_hand) = (Vec::new(), Vec::new());
            for one in ships {
                match one.find()? {
                    Some(file) => files.push(file),
                    None => not_at_hand.push(&*one.file),
                }
            }
            Ok((files, not_at_hand))
        }
        None => {
            let bytes = read_file(what)?;
            Ok((vec![(shown(what), bytes.into())], Vec::new()))
        }
    }
}

/// What is said of a certificate.
#[derive(Serialize)]
struct Report {
    file: String,
    claims: String,
    believed: bool,
    version: u16,
    variant: String,
    white: String,
    black: String,
    reading: &'static str,
    kind: &'static str,
    /// The one seed that a cut can have: a black line is lost.
    seed: Option<&'static str>,
    black_to_move: u64,
    white_to_move: u64,
    blocks: u64,
    bytes: usize,
    sha256: String,
}

impl Report {
    /// What the header of a file with these bytes says.
    fn of(name: &str, bytes: &[u8]) -> Result<Report, Failure> {
        let header = header(bytes)
            .map_err(|error| no_certificate(name, &error).at(name).next(advice(&error, bytes)))?;
        let Claim { game: Game { variant, reading }, kind } = header.claim;
        Ok(Report {
            file: name.to_owned(),
            claims: header.claim.to_string(),
            believed: false,
            version: VERSION,
            variant: variant.to_string(),
            white: variant.white.to_string(),
            black: variant.black.to_string(),
            reading: reading.tag(),
            kind: kind.tag(),
            seed: (kind == Kind::Cut).then_some("rules"),
            black_to_move: header.entries[0],
            white_to_move: header.entries[1],
            blocks: header.blocks,
            bytes: bytes.len(),
            sha256: sha256_hex(bytes),
        })
    }

    fn table(&self) -> String {
        let mut table = Table::new(&[("claims", Align::Left), (&self.claims, Align::Left)]);
        let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
        row("file", self.file.clone());
        row("White may use", self.white.clone());
        row("Black may use", self.black.clone());
        row("reading", self.reading.to_owned());
        row("kind", self.kind.to_owned());
        row("seed", self.seed.unwrap_or("none").to_owned());
        row("listed, Black to move", grouped(self.black_to_move.into()));
        row("listed, White to move", grouped(self.white_to_move.into()));
        row("blocks", self.blocks.to_string());
        row("bytes", grouped(self.bytes as u128));
        row("format version", self.version.to_string());
        row("sha256", self.sha256.clone());
        table.text()
    }
}

/// The header of a file, which must be as long as its header says.
fn header(bytes: &[u8]) -> Result<Header, FormatError> {
    let header = Header::parse(bytes)?;
    let (needed, found) = (header.file_len, bytes.len() as u64);
    let what = format!("the file has {found} bytes, and its header says {needed}");
    let length = |code| FormatError { code, offset: 48, what };
    match found.cmp(&needed) {
        Ordering::Less => Err(length("truncated")),
        Ordering::Equal => Ok(header),
        Ordering::Greater => Err(length("trailing")),
    }
}
