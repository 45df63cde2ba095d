//! `request`: whatever bytes come, the server of the explorer's page answers with a page of its own, refuses, or says nothing;
//! it never fails, and it goes on. The server runs in this process, behind a socket of the file system.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use gobprove::page::{Offered, Site, Solved, router};

/// How long the target waits for an answer that may never come: the server may wait for more.
const PATIENCE: Duration = Duration::from_millis(20);

/// Where the server listens. It is started by whoever asks first and runs to the end of the process.
fn server() -> &'static Path {
    static SERVER: OnceLock<PathBuf> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("gobprove-request-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let solved = folder.join("small.gobsolved");
        std::fs::write(&solved, nothing_lost()).expect("written");
        let offered = Offered::new("one.gobcert", vec![1, 2, 3].into());
        let site = Site::new(vec![offered], vec![Solved::open(&solved).expect("a solved variant")]);
        // What was opened stays open without its name.
        std::fs::remove_file(&solved).expect("removed");
        let socket = folder.join("socket");
        let _ = std::fs::remove_file(&socket);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let listener = {
            let _inside = runtime.enter();
            tokio::net::UnixListener::bind(&socket).expect("it listens")
        };
        std::thread::spawn(move || runtime.block_on(axum::serve(listener, router(site)).into_future()));
        socket
    })
}

/// A solved A2-A2, of which no lost position is listed, as the head of `src/store/solved.rs` describes the format.
fn nothing_lost() -> Vec<u8> {
    let mut bytes = b"\x89GOBSOLV\r\n\x1A\n".to_vec();
    bytes.extend([2, 0, 0]);
    bytes.extend([2, 0, 0, 0, 2, 0, 0, 0, 0]);
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend(40_u64.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

pub fn run(bytes: &[u8]) -> bool {
    let answer = ask(bytes);
    let Some(head) = answer.split("\r\n\r\n").next().filter(|head| !head.is_empty()) else { return false };
    let status = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)).expect("an answer of HTTP");
    assert!(status < "500", "{head}\nto {:?}", String::from_utf8_lossy(bytes));
    let by_site = ["200", "404", "405"].contains(&status);
    if by_site {
        for kept in ["x-content-type-options: nosniff", "content-security-policy: default-src 'none'"] {
            assert!(head.contains(kept), "{head}");
        }
    }
    by_site
}

/// The head of the answer to a request that begins with these bytes and then ends its head; empty if none comes.
fn ask(bytes: &[u8]) -> String {
    let mut stream = UnixStream::connect(server()).expect("the server goes on");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    // Who is refused in the middle of a request cannot send the rest.
    let _ = stream.write_all(bytes).and_then(|()| stream.write_all(b"\r\n\r\n"));
    let (mut answer, mut part) = (Vec::new(), [0; 4096]);
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(count) => answer.extend(&part[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&answer).to_lowercase().replace("http/1.", "HTTP/1.")
}
