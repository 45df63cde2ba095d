//! Everything on disk: certificates written and published, the working directory of a long run, what a fixpoint saves there,
//! and solved variants.
//!
//! The format of certificates, and reading it, is [`gobcheck::format`].

mod certificate;
mod checkpoint;
mod codec;
mod disk;
mod foreign;
mod junior;
mod plies;
mod position_set;
mod publish;
mod read;
pub(crate) mod saved_tiers;
pub(crate) mod solved;
mod told;
mod working;

pub use certificate::Certificate;
pub use checkpoint::{Checkpoint, Handle, Manifest};
pub use codec::{Integers, push_block, push_varint};
pub use disk::{Disk, System, free_bytes};
pub use foreign::Foreign;
pub use gobcheck::format::{
    Claim, Cursor, FormatError, HEADER_LEN, Header, Kind, MAGIC, MAX_BLOCK_ENTRIES, VERSION, crc32,
};
pub use junior::{JuniorError, encode_junior, read_junior};
pub use plies::{Plies, encode_plies, plies_beside};
pub use position_set::{NoSet, PositionSet};
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
