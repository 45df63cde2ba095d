//! Files that people mistake for certificates, such as compressed ones, and what to tell them.

use std::fmt;

use super::solved;

/// A known kind of file that is no certificate, or was one before something rewrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// The small text that git keeps in place of a file in Git LFS.
    GitLfsPointer,
    /// A file compressed with gzip.
    Gzip,
    /// A file compressed with Zstandard.
    Zstd,
    /// A file compressed with xz.
    Xz,
    /// A ZIP archive.
    Zip,
    /// A web page.
    Html,
    /// A variant that `gobprove solve` wrote.
    Solved,
    /// A certificate whose ends of line were converted.
    LineEndings,
    /// A certificate that was taken for text and brought to another character encoding.
    Recoded,
}

/// How such files begin.
const BEGINNINGS: [(&[u8], Foreign); 15] = [
    (b"version https://git-lfs.", Foreign::GitLfsPointer),
    (b"\x1F\x8B", Foreign::Gzip),
    (b"\x28\xB5\x2F\xFD", Foreign::Zstd),
    (b"\xFD7zXZ\0", Foreign::Xz),
    (b"PK\x03\x04", Foreign::Zip),
    (b"<!DOCTYPE", Foreign::Html),
    (b"<!doctype", Foreign::Html),
    (b"<html", Foreign::Html),
    (&solved::MAGIC, Foreign::Solved),
    (b"\x89GOBCERT\n", Foreign::LineEndings),
    (b"\x89GOBCERT\r\r\n", Foreign::LineEndings),
    (b"\x89GOBCERT\r\n\x1A\r\n", Foreign::LineEndings),
    (b"\x09GOBCERT", Foreign::Recoded),
    (b"\xC2\x89GOBCERT", Foreign::Recoded),
    (b"\xEF\xBF\xBDGOBCERT", Foreign::Recoded),
];

impl Foreign {
    /// The kind of file that begins with these bytes.
    #[must_use]
    pub fn recognise(bytes: &[u8]) -> Option<Foreign> {
        let known = BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning));
        known.map(|&(_, foreign)| foreign)
    }
}

/// What the file is, and what to do.
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foreign::GitLfsPointer => {
                "this is a Git LFS pointer, not the certificate itself: fetch it with `git lfs pull`"
            }
            Foreign::Gzip => "this is compressed with gzip: decompress it first (`gzip -d`)",
            Foreign::Zstd => "this is compressed with Zstandard: decompress it first (`zstd -d`)",
            Foreign::Xz => "this is compressed with xz: decompress it first (`xz -d`)",
            Foreign::Zip => "this is a ZIP archive: take the certificate out of it first (`unzip`)",
            Foreign::Html => "this is a web page, not a certificate: download the raw file",
            Foreign::Solved => {
                "this is a solved variant, not a certificate: `gobprove query VARIANT POSITION --file FILE` reads it"
            }
            Foreign::LineEndings => {
                "this was a certificate until its ends of line were converted: copy the original again in binary \
                 mode (in git, mark *.gobcert as binary in .gitattributes)"
            }
            Foreign::Recoded => {
                "this was a certificate until it was converted as if it were text: copy the original again in \
                 binary mode"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_file_is_named_with_what_to_do() {
        for (foreign, name, remedy) in [
            (Foreign::GitLfsPointer, "Git LFS pointer", "git lfs pull"),
            (Foreign::Gzip, "gzip", "decompress"),
            (Foreign::Zstd, "Zstandard", "decompress"),
            (Foreign::Xz, "xz", "decompress"),
            (Foreign::Zip, "ZIP archive", "take the certificate out"),
            (Foreign::Html, "web page", "download the raw file"),
            (Foreign::Solved, "solved variant", "gobprove query"),
            (Foreign::LineEndings, "ends of line", "binary mode"),
            (Foreign::Recoded, "as if it were text", "binary mode"),
        ] {
            let text = foreign.to_string();
            assert!(text.contains(name) && text.contains(remedy), "{text}");
        }
    }
}
