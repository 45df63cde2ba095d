//! Everything on disk: certificates written and published, the working directory of a long run, what a fixpoint saves there,
//! and solved variants.
//!
//! The format of certificates, and reading it, is [`gobcheck::format`].

mod checkpoint;
mod codec;
mod disk;
mod encode;
mod foreign;
mod junior;
mod plies;
mod positions;
mod publish;
mod read;
pub(crate) mod saved_tiers;
pub(crate) mod solved;
mod told;
mod working;

use gobcheck::rules::Game;

pub use checkpoint::{Checkpoint, Handle, Manifest};
pub use codec::{Integers, push_block, push_varint};
pub use disk::{Disk, System, free_bytes};
pub use encode::Encode;
pub use foreign::Foreign;
pub use gobcheck::format::{
    Certificate, Claim, Cursor, FormatError, HEADER_LEN, Header, Kind, MAGIC, MAX_BLOCK_ENTRIES, PositionSet,
    VERSION, crc32,
};
pub use junior::{JuniorError, encode_junior, read_junior};
pub use plies::{Plies, encode_plies, plies_beside};
pub use positions::{Listing, NoSet, Positions};
pub use publish::{
    PublishError, WriteError, WriteStep, Writing, check_writable, publish, remove_leftovers, write_file,
};
pub use read::{LoadError, ReadError, advice, read_certificate, read_file};
pub use saved_tiers::SavedTiers;
pub use solved::{Store, StoreError, encode};
pub use told::Told;
pub use working::{Reserved, WorkingError, is_working_directory, mistaken};

/// The SHA-256 of bytes as 64 lower-case hexadecimal digits, as `sha256sum` prints it.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    gobcheck::format::sha256([bytes]).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A closure of these positions with Black to move.
#[must_use]
pub fn closure(game: Game, black_to_move: PositionSet) -> Certificate {
    let white_to_move = PositionSet::empty(game.variant);
    Certificate { claim: Claim { game, kind: Kind::Closure }, black_to_move, white_to_move }
}

/// A refutation of these positions with White to move.
#[must_use]
pub fn refutation(game: Game, white_to_move: PositionSet) -> Certificate {
    let black_to_move = PositionSet::empty(game.variant);
    Certificate { claim: Claim { game, kind: Kind::Refutation }, black_to_move, white_to_move }
}

/// A cut that keeps away from these positions.
#[must_use]
pub fn cut(game: Game, black_to_move: PositionSet, white_to_move: PositionSet) -> Certificate {
    Certificate { claim: Claim { game, kind: Kind::Cut }, black_to_move, white_to_move }
}
