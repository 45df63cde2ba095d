//! `gobprove info`: prints what a certificate claims. It does not check the claim.

use std::cmp::Ordering;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::console::args::Format;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::store::{FormatError, Header, Kind, VERSION, advice, read_file, sha256_hex};

const AFTER_HELP: &str = "\
Examples:
  gobprove info certificates/ab-official-closure.gobcert
  gobprove info my.gobcert --json

Nothing is checked but the header's form and the file's length: `gobprove verify FILE` says whether the claim is proven.";

/// Say what a certificate claims, without believing it
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct InfoArgs {
    /// The certificate
    file: PathBuf,
    #[command(flatten)]
    format: Format,
}

impl InfoArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The file cannot be read, or is no certificate.
    pub fn run(&self) -> Ended {
        let unread = |error| Failure::unavailable(error).at(shown(&self.file));
        let bytes = read_file(&self.file).map_err(unread)?;
        let header = header(&bytes).map_err(|error| {
            let what = format!("{} is no certificate: {error}", shown(&self.file));
            Failure::new(Exit::Rejected, what).at(shown(&self.file)).next(advice(&error, &bytes))
        })?;
        let claim = header.claim;
        let variant = claim.game.variant;
        // The one seed that a cut can have: a black line is lost.
        let seed = (claim.kind == Kind::Cut).then_some("rules");
        let mut out = Out::new();
        if self.format.json {
            out.json(&json!({
                "file": shown(&self.file),
                "claims": claim.to_string(),
                "believed": false,
                "version": VERSION,
                "variant": variant.to_string(),
                "white": variant.white.to_string(),
                "black": variant.black.to_string(),
                "reading": claim.game.reading.tag(),
                "kind": claim.kind.tag(),
                "seed": seed,
                "black_to_move": header.entries[0],
                "white_to_move": header.entries[1],
                "blocks": header.blocks,
                "bytes": bytes.len(),
                "sha256": sha256_hex(&bytes),
            }))?;
            return Ok(Exit::Done);
        }
        let mut table = Table::new(&[("claims", Align::Left), (&claim.to_string(), Align::Left)]);
        let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
        row("White may use", variant.white.to_string());
        row("Black may use", variant.black.to_string());
        row("reading", claim.game.reading.to_string());
        row("kind", claim.kind.to_string());
        row("seed", seed.unwrap_or("none").to_owned());
        row("listed, Black to move", grouped(header.entries[0].into()));
        row("listed, White to move", grouped(header.entries[1].into()));
        row("blocks", header.blocks.to_string());
        row("bytes", grouped(bytes.len() as u128));
        row("format version", VERSION.to_string());
        row("sha256", sha256_hex(&bytes));
        out.line(&table.text())?;
        out.line("Nothing of this has been checked: `gobprove verify` does that.")?;
        Ok(Exit::Done)
    }
}

/// The header of a file that is as long as it says.
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
