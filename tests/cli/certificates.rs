//! Certificates to try the programs on.

use std::fs;
use std::path::{Path, PathBuf};

use gobprove::certificate::{Body, Certificate, PositionSet};
use gobprove::rules::{Color, Game, Position, Reading};
use gobprove::strategy::Seed;

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
    let Body::Closure(set) = &certificate.body else { panic!("a closure") };
    let kept = set.positions(Color::Black).filter(|position| !leave_out(position));
    let set = PositionSet::from_positions(certificate.game.variant, kept);
    Certificate { game: certificate.game, body: Body::Closure(set) }
}

/// A cut that lists nothing.
pub fn empty_cut(variant: &str) -> Certificate {
    let variant = variant.parse().expect("a variant");
    let none = || PositionSet::empty(variant);
    let body = Body::Cut { seed: Seed::Rules, black_to_move: none(), white_to_move: none() };
    Certificate { game: Game::new(variant, Reading::Official), body }
}

/// Writes a certificate into a directory.
pub fn write(directory: &Path, name: &str, certificate: &Certificate) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, certificate.encode()).expect("written");
    path
}
