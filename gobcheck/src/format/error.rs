//! Why bytes are no certificate.

use std::fmt;

/// Why bytes are no certificate: what is wrong and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// A short name of the reason, which stays the same from version to version: `block-order`.
    pub code: &'static str,
    /// Where in the file, in bytes from its beginning.
    pub offset: u64,
    /// What is wrong, in a sentence.
    pub what: String,
}

/// Returns a [`FormatError`] from the function unless a condition holds: code, offset, and the sentence as for `format!`.
macro_rules! ensure {
    ($holds:expr, $code:literal, $offset:expr, $($what:tt)+) => {
        if !$holds {
            return Err($crate::format::FormatError { code: $code, offset: $offset, what: format!($($what)+) });
        }
    };
}
pub(super) use ensure;

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a certificate of this format: {} (offset {}, {})", self.what, self.offset, self.code)
    }
}

impl std::error::Error for FormatError {}
