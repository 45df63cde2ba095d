//! Certificates to try the programs on.

use std::fs;
use std::path::{Path, PathBuf};

use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};
use gobprove::store::{Certificate, PositionSet};

/// A certificate that ships.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates").join(name)
}

/// The closure that ships for `ab`.
pub fn closure() -> Certificate {
    let bytes = fs::read(shipped("ab-official-closure.gobcert")).expect("readable");
    Certificate::decode(&bytes).expect("a certificate")
}

/// That closure without some of its positions.
pub fn closure_without(leave_out: impl Fn(&Position) -> bool) -> Certificate {
    let certificate = closure();
    let kept = certificate.black_to_move.positions(Color::Black).filter(|position| !leave_out(position));
    let set = PositionSet::from_positions(certificate.claim.game.variant, kept);
    Certificate::closure(certificate.claim.game, set)
}

/// A cut that lists nothing.
pub fn empty_cut(variant: &str) -> Certificate {
    let variant = variant.read().expect("a variant");
    let none = || PositionSet::empty(variant);
    Certificate::cut(Game::new(variant, Reading::Official), none(), none())
}

/// Writes a certificate into a directory.
pub fn write(directory: &Path, name: &str, certificate: &Certificate) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, certificate.encode()).expect("written");
    path
}
