//! `gobprove serve`: the explorer's page for a browser.

use std::borrow::Cow;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::IntoResponse;
use clap::Args;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::time::sleep;

use crate::cli::console::args::Format;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::nearest;
use crate::cli::console::report::Out;
use crate::cli::console::shipped::{Shipped, missing};
use crate::cli::console::signals::{Left, Signals};
use crate::page::{self, File, Offered};
use crate::prelude::*;
use crate::rules::Variant;
use crate::store::{Claim, Kind, read_file};

const AFTER_HELP: &str = "\
The page shows a board, what a certificate says of each move, and a button that checks the certificate
in the browser by the same code as the command gobcheck. It needs nothing from outside. Only programs
of this machine can reach it, unless --address says otherwise. Ctrl-C ends it.

A variant stands for the closures and refutations that ship for it; without any name all those of less
than 100 kB are offered.

Examples:
  gobprove serve                            all small certificates, at http://127.0.0.1:7878/
  gobprove serve ab my.gobcert              the closures of ab, and a file
  gobprove serve A3B2-A3B3C2 --port 0       at a free port, which is printed
  gobprove export ab --format web           the same page as one file, without a server";

/// Explore certificates in a browser
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ServeArgs {
    /// Variants or certificate files [default: all that is inside the program]
    #[arg(value_name = "VARIANT|FILE")]
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

/// How long the command waits before it looks again whether it should end.
const PATIENCE: Duration = Duration::from_millis(100);

impl ServeArgs {
    /// Runs the command, until a signal comes.
    ///
    /// # Errors
    /// A certificate cannot be had, or the port is taken.
    pub fn run(&self) -> Ended {
        let offered = self.offered()?;
        let names: Vec<String> = offered.iter().map(|one| one.name().to_owned()).collect();
        let files: Files = Arc::new(page::files(offered).into_iter().map(Held::from).collect());
        let runtime = runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
        let runtime = runtime.map_err(|error| Failure::unavailable(format!("cannot start: {error}")))?;
        runtime.block_on(self.serve(files, &names))
    }

    async fn serve(&self, files: Files, names: &[String]) -> Ended {
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
            out.json(&json!({ "url": url, "certificates": names }))?;
        } else {
            out.line(&format!("{url} shows {}; Ctrl-C ends it", count(names.len())))?;
        }
        tokio::spawn(axum::serve(listener, Router::new().fallback(answer).with_state(files)).into_future());
        while signals.came().is_none() {
            sleep(PATIENCE).await;
        }
        Ok(Exit::Done)
    }

    /// The certificates that the page offers.
    fn offered(&self) -> Result<Vec<Offered>, Failure> {
        if self.what.is_empty() {
            return Shipped::of(|_| true)
                .filter(|shipped| shipped.embedded().is_some())
                .map(shipped)
                .collect();
        }
        let offered: Result<Vec<_>, _> = self.what.iter().map(|what| meant(what)).collect();
        Ok(offered?.into_iter().flatten().collect())
    }
}

/// The certificates that a word means: those that ship for a variant, or a file.
fn meant(what: &Path) -> Result<Vec<Offered>, Failure> {
    let text = what.to_string_lossy();
    if let Ok(variant) = text.read::<Variant>() {
        let covers = |claim: &Claim| claim.kind != Kind::Cut && claim.covers(variant);
        let found: Vec<_> = Shipped::of(covers).map(shipped).collect::<Result<_, _>>()?;
        if found.is_empty() {
            return Err(Failure::unavailable(format!("no closure and no refutation ships for {variant}"))
                .at(text)
                .next("gobprove status says what ships"));
        }
        return Ok(found);
    }
    let bytes = read_file(what).map_err(|error| {
        let near = nearest::did_you_mean(&nearest::variants(&text));
        Failure::unavailable(format!("{error}{near}")).at(shown(what))
    })?;
    let name = what.file_name().unwrap_or_default().to_string_lossy();
    Ok(vec![Offered::new(&name, bytes.into())])
}

fn shipped(shipped: &Shipped) -> Result<Offered, Failure> {
    let (_, bytes) = shipped.find()?.ok_or_else(|| missing(&[&shipped.file]))?;
    Ok(Offered::new(&shipped.file, bytes))
}

fn count(certificates: usize) -> String {
    if certificates == 1 { "1 certificate".to_owned() } else { format!("{certificates} certificates") }
}

/// A file of the page, ready to be sent any number of times.
struct Held {
    name: Cow<'static, str>,
    media: &'static str,
    bytes: Bytes,
}

type Files = Arc<Vec<Held>>;

impl From<File> for Held {
    fn from(file: File) -> Held {
        let bytes = match file.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Held { name: file.name, media: file.media, bytes }
    }
}

/// Answers a request: with a file of the page, or with why not. Nothing on the disk is looked at.
async fn answer(State(files): State<Files>, method: Method, uri: Uri) -> impl IntoResponse {
    let name = match uri.path().strip_prefix('/') {
        Some("") => "index.html",
        Some(name) => name,
        None => uri.path(),
    };
    let (status, media, bytes) = match files.iter().find(|file| file.name == name) {
        _ if method != Method::GET && method != Method::HEAD => {
            (StatusCode::METHOD_NOT_ALLOWED, TEXT, Bytes::from_static(b"only GET and HEAD are answered\n"))
        }
        Some(file) => (StatusCode::OK, file.media, file.bytes.clone()),
        None => (StatusCode::NOT_FOUND, TEXT, Bytes::from_static(b"there is no such file\n")),
    };
    let headers = [
        ("Content-Type", media.to_owned()),
        ("Content-Security-Policy", page::policy()),
        ("X-Content-Type-Options", "nosniff".to_owned()),
        ("Referrer-Policy", "no-referrer".to_owned()),
        ("Cache-Control", "no-cache".to_owned()),
        ("Allow", "GET, HEAD".to_owned()),
    ];
    (status, headers, bytes)
}

const TEXT: &str = "text/plain; charset=utf-8";
