//! Certificates as the prover has them: sets of positions gathered, files written, and what is wrong with a file told to
//! people. The format itself, and reading it, is [`gobcheck::format`].

mod codec;
mod disk;
mod encode;
mod foreign;
mod positions;
mod publish;
mod read;
mod told;

pub use codec::{push_block, push_varint};
pub use disk::{Disk, System};
pub use encode::Encode;
pub use foreign::Foreign;
pub use gobcheck::format::{
    Certificate, Claim, Cursor, FormatError, HEADER_LEN, Header, Kind, MAGIC, MAX_BLOCK_ENTRIES, PositionSet, VERSION,
    crc32,
};
pub use positions::{NoSet, Positions};
pub use publish::{
    PublishError, Step, WriteError, Writing, check_writable, publish, remove_leftovers, write_file,
};
pub use read::{LoadError, ReadError, read_certificate, read_file};
pub use told::Told;

/// The SHA-256 of bytes as 64 lower-case hexadecimal digits, as `sha256sum` prints it.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    gobcheck::format::sha256([bytes]).iter().map(|byte| format!("{byte:02x}")).collect()
}
