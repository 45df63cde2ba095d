//! `gobprove serve`: the explorer's page for a browser.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use gobcheck::format::Header;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::time::sleep;

use crate::cli::console::args::{CERTIFICATE, Format, SOLVED, variant_or_path};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::no_certificate_of;
use crate::cli::console::report::{Out, say};
use crate::cli::console::shipped::{Shipped, missing, no_certificate};
use crate::cli::console::signals::{Left, Signals};
use crate::page::{Offered, Site, Solved, router};
use crate::rules::{Game, Reading};
use crate::store::{Claim, Kind, advice, read_file};

const AFTER_HELP: &str = "\
The page shows a board, what a certificate says of each move, and a button that checks the certificate
in the browser by the same code as the command gobcheck. It needs nothing from outside. Only programs
of this machine can reach it, unless --address says otherwise. Ctrl-C ends it.

A variant stands for the closures and refutations that ship for it; without any name all those of less
than 100 kB are offered. A file is a certificate, or a solved variant that gobprove solve wrote: of it
the page has the exact value of each position, and after gobprove solve --distances the plies to each
win. It is not loaded: a position reads a few blocks of it. A folder stands for all such files in it.
Programs can ask too, and get what gobprove query --json prints:
  curl 'http://127.0.0.1:7878/solved/ab-official.gobsolved?position=A,.,.,./.,.,.,./.,.,.,./.,.,.,.+b'

Examples:
  gobprove serve                            all small certificates, at http://127.0.0.1:7878/
  gobprove serve ab my.gobcert              the closures of ab, and a file
  gobprove serve ab-official.gobsolved      a solved variant, after gobprove solve ab
  gobprove serve A3B2-A3B3C2 --port 0       at a free port, which is printed
  gobprove export ab --format web           the same page as one file, without a server";

/// Explore certificates in a browser
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ServeArgs {
    /// Variants, certificates, solved variants, or folders of such files [default: all that is inside the program]
    #[arg(value_name = "VARIANT|FILE|DIR")]
    what: Vec<PathBuf>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 7878)]
    port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    #[command(flatten)]
    json: Format,
}

/// How many threads answer.
const THREADS: usize = 2;

/// How long the command waits before it looks again whether a signal has come.
const PATIENCE: Duration = Duration::from_millis(100);

impl ServeArgs {
    /// Runs the command, until a signal comes.
    ///
    /// # Errors
    /// A certificate cannot be had, or the port is taken.
    pub fn run(&self) -> Ended {
        let (offered, solved) = self.offered()?;
        let names: [Vec<String>; 2] = [
            offered.iter().map(|one| one.name().to_owned()).collect(),
            solved.iter().map(|one| one.name().to_owned()).collect(),
        ];
        let mut known = HashSet::new();
        if let Some(twice) = names.iter().flatten().find(|&name| !known.insert(name)) {
            return Err(Failure::usage(format!(
                "two files are called {twice}, and the page finds one by its name"
            ))
            .next("leave one of them out, or give it another name"));
        }
        let site = Site::new(offered, solved);
        let runtime = runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
        let runtime = runtime.map_err(|error| Failure::unavailable(format!("cannot start: {error}")))?;
        runtime.block_on(self.serve(site, &names))
    }

    async fn serve(&self, site: Site, [certificates, solved]: &[Vec<String>; 2]) -> Ended {
        let address = SocketAddr::new(self.address, self.port);
        let listening = async { TcpListener::bind(address).await.and_then(|it| Ok((it.local_addr()?, it))) };
        let (address, listener) = listening.await.map_err(|error: io::Error| {
            Failure::unavailable(format!("cannot listen at {address}: {error}"))
                .at("--port")
                .next("--port 0 takes a free port")
        })?;
        let signals = Signals::catch(Left::Tidy);
        let url = format!("http://{address}/");
        let mut out = Out::new();
        if self.json.json {
            out.json(&json!({ "url": url, "certificates": certificates, "solved": solved }))?;
        } else {
            out.line(&format!("{url} shows {}; Ctrl-C ends it", count(certificates.len(), solved.len())))?;
        }
        tokio::spawn(axum::serve(listener, router(site)).into_future());
        while signals.came().is_none() {
            sleep(PATIENCE).await;
        }
        Ok(Exit::Done)
    }

    /// What the page offers.
    fn offered(&self) -> Result<(Vec<Offered>, Vec<Solved>), Failure> {
        let (mut offered, mut solved) = (Vec::new(), Vec::new());
        if self.what.is_empty() {
            let inside = Shipped::of(|_| true).filter(|shipped| shipped.embedded().is_some());
            offered = inside.map(shipped).collect::<Result<_, _>>()?;
        }
        for what in &self.what {
            for file in found(what)? {
                match file {
                    // A certificate may ship for several of the variants.
                    Found::Certificate(one) if offered.contains(&one) => {}
                    Found::Certificate(one) => offered.push(one),
                    Found::Solved(one) => solved.push(*one),
                }
            }
        }
        Ok((offered, solved))
    }
}

/// A file that the page can show.
enum Found {
    Certificate(Offered),
    Solved(Box<Solved>),
}

/// What a word means: the certificates that ship for a variant, a file, or all files of a folder.
fn found(what: &Path) -> Result<Vec<Found>, Failure> {
    if let Some(variant) = variant_or_path(what)? {
        let covers = |claim: &Claim| claim.kind != Kind::Cut && claim.covers(variant);
        let found: Vec<_> =
            Shipped::of(covers).map(|one| shipped(one).map(Found::Certificate)).collect::<Result<_, _>>()?;
        if found.is_empty() {
            return Err(no_certificate_of(&Game::new(variant, Reading::Official)).at(shown(what)));
        }
        return Ok(found);
    }
    if !what.is_dir() {
        return Ok(vec![file(what)?]);
    }
    let entries = fs::read_dir(what).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<PathBuf>>>()
    });
    let mut paths = entries
        .map_err(|error| Failure::unavailable(format!("cannot read the folder: {error}")).at(shown(what)))?;
    paths.retain(|path| path.extension().is_some_and(|end| end == CERTIFICATE || end == SOLVED));
    if paths.is_empty() {
        return Err(Failure::unavailable(format!("{what:?} has no .{CERTIFICATE} and no .{SOLVED} file"))
            .at(shown(what)));
    }
    paths.sort();
    // A file that cannot be shown, such as a solved junior, is left out, and the others are shown.
    let mut found = Vec::new();
    for path in &paths {
        match file(path) {
            Ok(one) => found.push(one),
            Err(failure) => say(&format!("left out: {failure}")),
        }
    }
    if found.is_empty() {
        return Err(Failure::unavailable(format!("{what:?} has no file that can be shown")).at(shown(what)));
    }
    Ok(found)
}

/// Opens a solved variant or a certificate, by its extension.
fn file(path: &Path) -> Result<Found, Failure> {
    let unavailable = |error: &dyn std::fmt::Display| Failure::unavailable(error).at(shown(path));
    if path.extension().is_some_and(|end| end == SOLVED) {
        return Solved::open(path)
            .map(|solved| Found::Solved(Box::new(solved)))
            .map_err(|error| unavailable(&error));
    }
    let bytes = read_file(path).map_err(|error| unavailable(&error))?;
    Header::parse(&bytes)
        .map_err(|error| no_certificate(&shown(path), &error).at(shown(path)).next(advice(&error, &bytes)))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Found::Certificate(Offered::new(&name, bytes.into())))
}

fn shipped(shipped: &Shipped) -> Result<Offered, Failure> {
    let (_, bytes) = shipped.find()?.ok_or_else(|| missing(&[&shipped.file]))?;
    Ok(Offered::new(&shipped.file, bytes))
}

fn count(certificates: usize, solved: usize) -> String {
    let some = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    };
    let counts = [some(certificates, "certificate"), some(solved, "solved variant")];
    counts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}
