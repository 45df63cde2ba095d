#![doc = include_str!("../../gobcheck/FORMAT.md")]
//!
//! # In this module
//! [`Certificate`] is the content, [`Header`] what a file says of itself, [`Claim`] the sentence that a valid
//! certificate proves. [`Certificate::decode`] accepts exactly the bytes that [`Certificate::encode`] writes.
//! It judges the form: whether the entries prove the claim is the checker's question.
//!
//! Trusted. Uses `rules`, the tiers and ranks of `enumerate`, and the names of seeds.

mod block;
pub(crate) mod bytes;
mod claim;
mod decode;
mod disk;
mod encode;
mod error;
mod foreign;
mod header;
mod publish;
mod read;
mod set;

pub use block::MAX_BLOCK_ENTRIES;
pub use claim::{Claim, Kind, NoSuchKind};
pub use disk::{Disk, System};
pub use error::{BlockError, FormatError};
pub use foreign::Foreign;
pub use header::{HEADER_LEN, Header, MAGIC, VERSION};
pub use publish::{
    PublishError, Step, WriteError, Writing, check_writable, publish, remove_leftovers, write_file,
};
pub use read::{LoadError, MAX_FILE_LEN, ReadError, ReadProblem, read_file};
pub use set::{PositionSet, SetError};

use crate::rules::{Color, Game};
use crate::strategy::Seed;

/// A certificate: a claim, and the positions that are to prove it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The variant and the reading that it was made for.
    pub game: Game,
    /// The positions.
    pub body: Body,
}

/// The positions of a certificate; all sets are of the certificate's variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// A cut: the positions that White leaves out although the seed does not.
    Cut {
        /// The start functions that the exceptions are added to; suits the variant ([`Seed::suits`]).
        seed: Seed,
        /// The exceptions with Black to move, the thesis's W.
        black_to_move: PositionSet,
        /// The exceptions with White to move, the thesis's B.
        white_to_move: PositionSet,
    },
    /// A closure: the positions with Black to move that White never leaves.
    Closure(PositionSet),
    /// A refutation: positions with White to move, each of which Black wins by way of others.
    Refutation(PositionSet),
}

impl Certificate {
    /// What the certificate claims.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { game: self.game, kind: self.kind() }
    }

    /// The certificate's kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Cut { .. } => Kind::Cut,
            Body::Closure(_) => Kind::Closure,
            Body::Refutation(_) => Kind::Refutation,
        }
    }

    /// The seed of a cut; `None` for the other kinds.
    #[must_use]
    pub fn seed(&self) -> Option<Seed> {
        match self.body {
            Body::Cut { seed, .. } => Some(seed),
            Body::Closure(_) | Body::Refutation(_) => None,
        }
    }

    /// The positions listed with a side to move; `None` for a closure's White and a refutation's Black.
    #[must_use]
    pub fn positions(&self, turn: Color) -> Option<&PositionSet> {
        match (&self.body, turn) {
            (Body::Cut { black_to_move: set, .. } | Body::Closure(set), Color::Black) => Some(set),
            (Body::Cut { white_to_move: set, .. } | Body::Refutation(set), Color::White) => Some(set),
            (Body::Closure(_), Color::White) | (Body::Refutation(_), Color::Black) => None,
        }
    }
}

/// The SHA-256 of bytes as 64 lower-case hexadecimal digits, as `sha256sum` prints it.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    bytes::hex(&bytes::sha256([bytes]))
}

#[cfg(test)]
mod tests;
