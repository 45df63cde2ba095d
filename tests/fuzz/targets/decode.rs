//! `decode`: any bytes are read as a certificate, as they are and with everything mended that can be, so that the
//! reader's later doors are tried as well. Nothing panics, and what is said of a file can be printed.

use gobprove::store::{Certificate, Header};

use super::reseal::{Sheet, at, raw_body, reseal_with_len};

pub fn run(bytes: &[u8]) -> bool {
    forms(bytes).iter().any(|form| read(form).is_some())
}

/// Reads bytes as a certificate; a refusal must have a name and a text without control characters.
fn read(bytes: &[u8]) -> Option<Certificate> {
    let header = Header::parse(bytes);
    match Certificate::decode(bytes) {
        Ok(certificate) => {
            let claim = header.expect("what is read whole has a header").claim;
            assert_eq!(claim, certificate.claim);
            Some(certificate)
        }
        Err(error) => {
            assert!(!error.code.is_empty());
            let text = error.to_string();
            assert!(!text.is_empty() && !text.chars().any(char::is_control), "{text:?}");
            assert!(header.is_ok() || header == Err(error), "the header's fault comes first");
            None
        }
    }
}

/// An input as it is, with checksums and length mended, and with blocks and counts put right as well.
pub fn forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![bytes.to_vec()];
    if bytes.len() >= at::END {
        let mut mended = bytes.to_vec();
        reseal_with_len(&mut mended);
        forms.push(mended);
        let head = bytes[..at::DIGEST].try_into().expect("as long as a header and more");
        let sheet = Sheet { head, bodies: bodies(&bytes[at::END..]) };
        forms.push(sheet.recounted().sealed());
    }
    forms
}

/// The bodies of blocks of which only the framing and the sums are wrong; it ends where no block can be read.
fn bodies(mut rest: &[u8]) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    while let Some((len, after)) = rest.split_first_chunk::<4>() {
        let len = (u32::from_le_bytes(*len) as usize).min(after.len());
        let (body, after) = after.split_at(len);
        rest = after.get(4..).unwrap_or_default();
        let Some((&section, mut numbers)) = body.split_first() else { break };
        let mut all = Vec::new();
        while let Some((number, left)) = varint(numbers) {
            all.push(number);
            numbers = left;
        }
        let [tier, _, first, _, deltas @ ..] = all.as_slice() else { break };
        let last = deltas.iter().fold(*first, |sum, &delta| sum.saturating_add(delta));
        bodies.push(raw_body(section, &[*tier, deltas.len() as u128 + 1, *first, last], deltas));
    }
    bodies
}

/// The number at the beginning of bytes, and what follows it.
fn varint(bytes: &[u8]) -> Option<(u128, &[u8])> {
    let mut number = 0;
    for (i, &byte) in bytes.iter().enumerate().take(18) {
        number |= u128::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Some((number, &bytes[i + 1..]));
        }
    }
    None
}
