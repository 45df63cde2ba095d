//! Files that are not what their names say, and names that are not plain: M05, M07, M23, M24, M27 of the list of
//! forgeries, with both programs and real files. Every run has a time limit.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gobprove::store::sha256_hex;
use serde_json::Value;

use super::Ran;
use super::certificates::{empty_cut, shipped};
use super::{gobprove, text};

/// Much longer than any of these runs takes.
const LIMIT: Duration = Duration::from_secs(60);

/// What a command did, if it ends by itself.
#[track_caller]
fn within_the_limit(command: &mut Command) -> Ran {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child: Child = child.expect("the program starts");
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if started.elapsed() > LIMIT {
            child.kill().expect("a child");
            panic!("still runs after {LIMIT:?}: {command:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    let mut texts = [String::new(), String::new()];
    child.stdout.take().expect("a pipe").read_to_string(&mut texts[0]).expect("text");
    child.stderr.take().expect("a pipe").read_to_string(&mut texts[1]).expect("text");
    let [stdout, stderr] = texts;
    Ran { code: status.code(), stdout, stderr }
}

/// `gobprove verify` and `gobcheck` on a path, each as it is called.
fn both(path: &Path) -> [Ran; 2] {
    let mut gobprove = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    gobprove.args(["verify", "--quiet", "--threads", "2"]).arg(path);
    let mut gobcheck = Command::new(crate::gobcheck_bin::gobcheck());
    gobcheck.arg(path);
    [&mut gobprove, &mut gobcheck].map(within_the_limit)
}

/// Both programs end with an exit code, one error that says something, and nothing on stdout.
#[track_caller]
fn refused(path: &Path, code: i32, says: &str) {
    for ran in both(path) {
        ran.error(code, &[says]);
        quiet_text(&ran);
    }
}

/// Nothing that a terminal would act on.
#[track_caller]
fn quiet_text(ran: &Ran) {
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}

fn good() -> Vec<u8> {
    fs::read(shipped("ab-official-closure.gobcert")).expect("readable")
}

#[test]
fn m05_m07_what_repositories_and_downloads_make_of_a_file() {
    let own = tempfile::tempdir().expect("a directory");
    let good = good();
    let replaced = |from: &[u8], to: &[u8]| {
        let mut bytes = Vec::new();
        let mut rest = good.as_slice();
        while !rest.is_empty() {
            let (taken, put) = if rest.starts_with(from) { (from.len(), to) } else { (1, &rest[..1]) };
            bytes.extend(put);
            rest = &rest[taken..];
        }
        bytes
    };
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n",
        sha256_hex(&good),
        good.len()
    );
    let gzip = [b"\x1F\x8B\x08\0\0\0\0\0\0\x03", &good[..]].concat();
    let zstd = [b"\x28\xB5\x2F\xFD\x24", &good[..]].concat();
    for (name, bytes, says) in [
        ("pointer", pointer.into_bytes(), "git lfs pull"),
        ("to-lf", replaced(b"\r\n", b"\n"), "ends of line were converted"),
        ("to-crlf", replaced(b"\n", b"\r\n"), "ends of line were converted"),
        ("gzip", gzip, "gzip -d"),
        ("zstd", zstd, "zstd -d"),
        ("page", b"<!DOCTYPE html><title>404</title>".to_vec(), "download the raw file"),
        ("utf-8", String::from_utf8_lossy(&good).into_owned().into_bytes(), "converted as if it were text"),
    ] {
        let path = own.path().join(format!("{name}.gobcert"));
        fs::write(&path, bytes).expect("written");
        // The checker alone sees that it is no certificate; what became of it gobprove knows.
        refused(&path, 1, "(offset 0, magic)");
        assert!(both(&path).iter().any(|ran| ran.stderr.contains(says)), "{name}: {says}");
    }
}

#[test]
fn m23_what_is_no_regular_file() {
    let own = tempfile::tempdir().expect("a directory");
    let at = |name: &str| own.path().join(name);
    refused(own.path(), 4, "a directory");
    for device in ["/dev/zero", "/dev/null", "/dev/full"] {
        refused(Path::new(device), 4, "a device");
    }
    let made = Command::new("mkfifo").arg(at("pipe.gobcert")).status().expect("mkfifo");
    assert!(made.success());
    refused(&at("pipe.gobcert"), 4, "a pipe");
    let [verified, _] = both(&at("pipe.gobcert"));
    verified.error(4, &[&format!("gobprove verify - < {} reads it", text(&at("pipe.gobcert")))]);
    for arguments in [["query", "ab", "start", "--file"], ["query", "junior", "start", "--file"]] {
        let ran = gobprove(&[&arguments[..], &[text(&at("pipe.gobcert"))]].concat());
        ran.error(4, &["a pipe"]);
    }
    let _socket = UnixListener::bind(at("socket.gobcert")).expect("a socket");
    refused(&at("socket.gobcert"), 4, "a socket");
    symlink(at("loop.gobcert"), at("loop.gobcert")).expect("a link");
    refused(&at("loop.gobcert"), 4, "cannot read");
    symlink(at("pipe.gobcert"), at("link.gobcert")).expect("a link");
    refused(&at("link.gobcert"), 4, "a pipe");
    symlink(at("gone"), at("dangling.gobcert")).expect("a link");
    refused(&at("dangling.gobcert"), 4, "cannot read");
    // More than any certificate has, and not on the disk.
    File::create(at("long.gobcert")).and_then(|file| file.set_len((1 << 32) + 1)).expect("a sparse file");
    refused(&at("long.gobcert"), 4, "4294967297 bytes");
    // In a directory of certificates such a file is not passed over.
    let list = |directory: &Path| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        within_the_limit(command.args(["verify", "--certificates"]).arg(directory))
    };
    assert_eq!(list(own.path()).code, Some(4));
    assert_eq!(list(&at("pipe.gobcert")).code, Some(4));
}

#[test]
fn m23_a_file_that_may_not_be_read() {
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("closed.gobcert");
    fs::write(&path, good()).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("the owner's right");
    if File::open(&path).is_ok() {
        println!("m23: this user may read everything, so nothing was tried");
        return;
    }
    refused(&path, 4, "cannot read");
}

#[test]
fn m23_a_file_that_is_replaced_or_rewritten_while_it_is_read() {
    let own = tempfile::tempdir().expect("a directory");
    let (path, next) = (own.path().join("x.gobcert"), own.path().join("next"));
    let good = good();
    // As long as the good one, so that a mixture of both could be taken for whole.
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    fs::write(&path, &good).expect("written");
    let done = AtomicBool::new(false);
    let mut met = [0; 3];
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in (0..).take_while(|_| !done.load(Ordering::Relaxed)) {
                let bytes = if round % 2 == 0 { &bad } else { &good };
                match round % 6 {
                    // Replaced at once, rewritten in place, cut off and lengthened again.
                    0..3 => fs::write(&next, bytes).and_then(|()| fs::rename(&next, &path)),
                    3..5 => fs::write(&path, bytes),
                    _ => File::options().write(true).open(&path).and_then(|file| file.set_len(100)),
                }
                .expect("written");
                thread::sleep(Duration::from_micros(500 * (round % 7)));
            }
        });
        for _ in 0..40 {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
            let ran = within_the_limit(command.args(["verify", "--json", "--quiet"]).arg(&path));
            match ran.code {
                Some(0) => {
                    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
                    assert_eq!(report["sha256"], sha256_hex(&good), "what is verified is what was read");
                    met[0] += 1;
                }
                Some(1) => met[1] += 1,
                Some(4) => met[2] += 1,
                _ => panic!("{ran:?}"),
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("m23: while the file changed {} verified, {} rejected, {} not read", met[0], met[1], met[2]);
    assert!(met[0] > 0 && met[1] > 0, "{met:?}");
}

/// Names that would forge a line, clear a screen, ring, go back, begin a sequence with one byte, end a string.
const NAMES: [&[u8]; 6] = [
    b"a\ns VERIFIED ab official draw closure\n.gobcert",
    b"a\x1b[2J\x1b[31m.gobcert",
    b"a\x07\x08\r.gobcert",
    b"a\xC2\x9B31m.gobcert",
    b"a\x1b]0;title\x07.gobcert",
    b"a\xFF\x7f.gobcert",
];

#[test]
fn m23_m24_names_with_control_characters() {
    let own = tempfile::tempdir().expect("a directory");
    for name in NAMES {
        let path = own.path().join(OsStr::from_bytes(name));
        let missing = both(&path);
        fs::write(&path, good()).expect("written");
        for ran in both(&path) {
            assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n", "the name does not matter");
        }
        fs::write(&path, b"nothing of the kind").expect("written");
        let foreign = both(&path);
        fs::write(&path, empty_cut("A1-A3B1").encode()).expect("written");
        let rejected = both(&path);
        for (runs, code) in [(missing, 4), (foreign, 1), (rejected, 1)] {
            for ran in runs {
                ran.error(code, &[".gobcert"]);
                quiet_text(&ran);
                assert!(!ran.stderr.contains("\ns VERIFIED"), "no line of the name's own: {ran:?}");
            }
        }
    }
}

#[test]
fn m24_other_commands_and_names() {
    let own = tempfile::tempdir().expect("a directory");
    let mut tried = 0;
    for name in NAMES {
        let name = OsStr::from_bytes(name);
        let (path, inside): (PathBuf, PathBuf) = (own.path().join(name), own.path().join(name).join("x"));
        fs::write(&path, b"nothing of the kind").expect("written");
        let runs: [&[&OsStr]; 11] = [
            &["info".as_ref(), path.as_ref()],
            &["info".as_ref(), "--json".as_ref(), path.as_ref()],
            &["verify".as_ref(), "--json".as_ref(), path.as_ref()],
            &["verify".as_ref(), name],
            &["verify".as_ref(), "--certificates".as_ref(), path.as_ref()],
            &["count".as_ref(), name],
            &["explain".as_ref(), name],
            &["explain".as_ref(), ". b".as_ref(), "--certificate".as_ref(), path.as_ref()],
            &["generate".as_ref(), "A1-A1".as_ref(), "--out".as_ref(), inside.as_ref()],
            &["generate".as_ref(), "A1-A1".as_ref(), "--dir".as_ref(), path.as_ref(), "-v".as_ref()],
            &["query".as_ref(), "A1-A1".as_ref(), "x".as_ref(), "--file".as_ref(), path.as_ref()],
        ];
        for arguments in runs {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
            let ran = within_the_limit(command.args(arguments).current_dir(own.path()));
            assert!(matches!(ran.code, Some(1 | 2 | 4)), "{ran:?}");
            quiet_text(&ran);
            tried += 1;
        }
    }
    println!("m24: {tried} runs with names that would act on a terminal");
}

#[test]
fn m27_there_is_no_partial_check() {
    let path = shipped("ab-official-closure.gobcert");
    for option in ["--sample=0.1", "--max-positions=1", "--first=10", "--limit=1"] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        let ran = within_the_limit(command.args(["verify", option]).arg(&path));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        let mut command = Command::new(crate::gobcheck_bin::gobcheck());
        let ran = within_the_limit(command.arg(option).arg(&path));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    }
}
