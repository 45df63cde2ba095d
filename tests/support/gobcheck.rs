//! The trusted program, which is another package's: built when a test first asks for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of `gobcheck`, beside the tests' own build.
pub fn gobcheck() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().expect("a path");
        // target/PROFILE/deps/TEST
        let profile = test.ancestors().nth(2).expect("a profile's folder");
        let target = profile.parent().expect("a target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--quiet", "--package", "gobcheck"]);
        cargo.arg("--target-dir").arg(target);
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo starts").success(), "gobcheck does not build");
        profile.join("gobcheck")
    })
}
