//! The explorer: what `gobprove serve` answers, and the page in a real browser.
//!
//! Where no browser is installed the tests of the page say so and pass, and fail if `GOBPROVE_BROWSER` is `required`.

mod browser;
mod forgeries;
mod games;
mod keyboard;
mod load;
mod looks;
mod memory;
mod page;
mod proof;
#[path = "../support/random.rs"]
mod random;
mod setup;
mod solved;
mod speed;
#[path = "../support/thorough.rs"]
mod thorough;
mod values;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `gobprove serve`, until it is dropped.
pub struct Server {
    child: Child,
    /// Its address, with a slash at the end.
    pub url: String,
}

impl Server {
    /// Serves these, at a free port.
    pub fn new(what: &[&str]) -> Server {
        let mut command = gobprove(&["serve", "--port", "0"]);
        let mut child = command.args(what).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        let url = line.split(' ').next().expect("an address").to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{line}");
        Server { child, url }
    }

    /// The memory that it takes, in MB.
    fn memory(&self) -> f64 {
        let told = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        kilobytes.expect("the process is there") / 1_000.0
    }

    /// Sends bytes as they are. Returns the whole answer, at whose end the server closes.
    fn raw(&self, request: &str) -> String {
        let address = self.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, with what ships at hand.
pub fn gobprove(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    command.args(arguments).env("GOBPROVE_CERTIFICATES", shipped(""));
    command
}

/// The path of a file that ships.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates").join(name)
}

#[test]
fn a_folder_has_the_files_that_the_server_has() {
    let own = tempfile::tempdir().expect("a directory");
    let folder = own.path().join("page");
    let out = folder.to_str().expect("a plain path");
    let wrote =
        gobprove(&["export", "A3-A3B3C1", "--format", "web", "--out", out]).output().expect("it runs");
    assert!(wrote.status.success(), "{wrote:?}");
    let name = "A3-A3B3C1-official-refutation.gobcert";
    let server = Server::new(&[shipped(name).to_str().expect("a plain path")]);
    let mut count = 0;
    for part in [folder.clone(), folder.join("certificates")] {
        for entry in std::fs::read_dir(part).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                continue;
            }
            let below = path.strip_prefix(&folder).expect("below").to_str().expect("a plain path");
            let mut answer = ureq::get(format!("{}{below}", server.url)).call().expect(below);
            let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"),
                "{policy}"
            );
            let bytes = answer.body_mut().with_config().limit(1 << 24).read_to_vec().expect("a body");
            assert!(bytes == std::fs::read(&path).expect("a file"), "{below}");
            count += 1;
        }
    }
    assert_eq!(count, 19);
    let start = ureq::get(&server.url).call().expect("a page").body_mut().read_to_string().expect("text");
    assert_eq!(start, std::fs::read_to_string(folder.join("index.html")).expect("a file"));
}

#[test]
fn nothing_else_is_answered() {
    let server = Server::new(&["ab"]);
    for (request, status) in [
        ("GET /../Cargo.toml HTTP/1.0\r\n\r\n", "404"),
        ("GET /certificates/../../Cargo.toml HTTP/1.0\r\n\r\n", "404"),
        ("GET /%2e%2e/Cargo.toml HTTP/1.0\r\n\r\n", "404"),
        ("GET /etc/passwd HTTP/1.0\r\n\r\n", "404"),
        ("GET //index.html HTTP/1.0\r\n\r\n", "404"),
        ("GET /index.html?x=1 HTTP/1.0\r\n\r\n", "200"),
        ("HEAD /style.css HTTP/1.0\r\n\r\n", "200"),
        ("POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", "405"),
        ("DELETE /index.html HTTP/1.0\r\n\r\n", "405"),
    ] {
        let answer = server.raw(request);
        let first = answer.lines().next().unwrap_or_default();
        assert!(first.contains(&format!(" {status} ")), "{request:?}: {first}");
        assert!(answer.to_lowercase().contains("x-content-type-options: nosniff"), "{answer}");
    }
    let long = format!("GET /{} HTTP/1.0\r\n\r\n", "a".repeat(100_000));
    for request in ["GET\r\n\r\n", "\0\u{7f}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", &long] {
        assert!(!server.raw(request).contains(" 200 "), "{:.40}", request);
    }
    assert!(server.raw("GET / HTTP/1.0\r\n\r\n").contains(" 200 "), "it goes on after all that");
}

#[test]
fn what_cannot_be_served_is_said() {
    for (arguments, code, says) in [
        (&["serve", "abcd"][..], 4, "no certificate ships for abcd"),
        (&["serve", "./nosuch"], 4, "nosuch"),
        (&["serve", "nosuch.gobsolved"], 4, "nosuch"),
        (&["serve", "abx"], 2, "did you mean"),
    ] {
        let ran = gobprove(arguments).output().expect("it runs");
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{error}");
        assert!(error.starts_with("error: ") && error.contains(says), "{error}");
    }
    let own = tempfile::tempdir().expect("a directory");
    std::fs::write(own.path().join("x.gobsolved"), b"no solved variant").expect("written");
    std::fs::write(own.path().join("x.gobcert"), b"no certificate").expect("written");
    let ran = gobprove(&["serve"]).arg(own.path()).output().expect("it ends by itself");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(4) && error.contains("has no file that can be shown"), "{error}");
    let ran = gobprove(&["serve"]).arg(own.path().join("x.gobcert")).output().expect("it ends by itself");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && error.contains("is no certificate: "), "{error}");
    assert!(error.contains("next: "), "{error}");
    let name = "ab-official-closure.gobcert";
    std::fs::copy(shipped("ab-robust-closure.gobcert"), own.path().join(name)).expect("copied");
    let ran = gobprove(&["serve", "ab"]).arg(own.path().join(name)).output().expect("it ends by itself");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(2) && error.contains("two files are called ab-official-"), "{error}");
    // Both closures of ab prove ab-full too, and are shown once.
    let server = Server::new(&["ab", "ab-full"]);
    let list = format!("{}certificates.json", server.url);
    let list = ureq::get(list).call().expect("a list").body_mut().read_to_string().expect("text");
    assert_eq!(list.matches("ab-official-closure.gobcert").count(), 1, "{list}");
    assert!(list.contains("ab-full-official-closure.gobcert"), "{list}");
    let server = Server::new(&["ab"]);
    let port = server.url.trim_end_matches('/').rsplit(':').next().expect("a port");
    let ran = gobprove(&["serve", "ab", "--port", port]).output().expect("it runs");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(4) && error.contains("--port 0 takes a free port"), "{error}");
}
