//! The parts that the trusted reader is made of.

use gobcheck::format::sha256;
use gobprove::notation::NoSuchKind;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::store::{Claim, Cursor, FormatError, Integers as _, Kind, crc32, push_varint};

/// What a varint is, or in which words it is refused.
fn varint(bytes: &[u8]) -> Result<u128, String> {
    let read = Cursor::new(bytes, 7).varint("a delta");
    read.map_err(|FormatError { code, offset, what }| {
        assert_eq!((code, offset), ("varint", 7));
        what.strip_prefix("a delta ").expect("the field is named").to_owned()
    })
}

const CUT_OFF: &str = "runs past the end of the block";
const OVERLONG: &str = "is written with more bytes than it needs";
const TOO_LARGE: &str = "does not fit in 128 bits";

#[test]
fn varints_round_trip() {
    let powers = (0..128).map(|bit| 1u128 << bit);
    for value in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u128::MAX, 0xDEAD_BEEF]) {
        let mut bytes = Vec::new();
        push_varint(&mut bytes, value);
        let mut cursor = Cursor::new(&bytes, 5);
        assert_eq!(cursor.varint("a delta"), Ok(value));
        assert_eq!((cursor.left(), cursor.offset()), (0, 5 + bytes.len() as u64));
        for cut in 0..bytes.len() {
            assert_eq!(varint(&bytes[..cut]), Err(CUT_OFF.to_owned()));
        }
    }
    let mut bytes = Vec::new();
    push_varint(&mut bytes, u128::MAX);
    assert_eq!(bytes.len(), 19);
}

#[test]
fn m08_varints_that_the_writer_does_not_write() {
    let refused = |bytes: &[u8], why: &str| assert_eq!(varint(bytes), Err(why.to_owned()), "{bytes:?}");
    refused(&[0x80, 0x00], OVERLONG);
    refused(&[0xFF, 0x80, 0x00], OVERLONG);
    let mut long = [0xFF; 20];
    refused(&long, TOO_LARGE);
    long[18] = 0x04;
    // Bit 128.
    refused(&long, TOO_LARGE);
    long[18] = 0x03;
    assert_eq!(varint(&long), Ok(u128::MAX));
    long[18] = 0x00;
    refused(&long, OVERLONG);
    // A 20th byte.
    long[18] = 0x83;
    refused(&long, TOO_LARGE);
}

#[test]
fn nothing_is_taken_beyond_the_end() {
    let mut cursor = Cursor::new(&[1, 2, 3], 10);
    assert_eq!(cursor.u32(), None);
    assert_eq!(cursor.slice(u64::MAX), None);
    assert_eq!(cursor.u16(), Some(0x0201));
    assert_eq!((cursor.offset(), cursor.left()), (12, 1));
    assert_eq!(cursor.slice(1), Some(&[3][..]));
    assert_eq!(cursor.u8(), None);
}

#[test]
fn the_hashes_are_the_usual_ones() {
    assert_eq!(crc32([b"1234", b"56789"]), 0xCBF4_3926);
    assert_eq!(
        sha256([b"a", b"bc"]).map(|byte| format!("{byte:02x}")).concat(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

fn claim(variant: &str, reading: Reading, kind: Kind) -> Claim {
    Claim { game: Game::new(variant.read().expect("a variant"), reading), kind }
}

#[test]
fn kinds_round_trip() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().read(), Ok(kind));
    }
    assert_eq!("Cut".read::<Kind>(), Err(NoSuchKind("Cut".to_owned())));
    let text = NoSuchKind("Cut\n".to_owned()).to_string();
    assert!(text.contains(r"Cut\n") && !text.contains('\n'), "{text}");
    assert!(Kind::ALL.iter().all(|kind| text.contains(kind.tag())), "{text}");
}

#[test]
fn a_claim_is_told_of_the_smallest_named_variant_that_it_covers() {
    for (variant, text, file) in [
        ("ab", "ab official draw closure", "ab-official-closure.gobcert"),
        ("ab-full", "ab-full official draw closure", "ab-full-official-closure.gobcert"),
        ("A2-A3B3", "ab official draw closure white=A2", "ab-official-closure.gobcert"),
        ("A3B1-A3B3", "ab-full official draw closure white=A3B1", "ab-full-official-closure.gobcert"),
        ("A3-A3B3C3", "abc official draw closure white=A3", "abc-official-closure.gobcert"),
        ("A3B2-A3B3C3", "abc official draw closure white=A3B2", "abc-official-closure.gobcert"),
        (
            "A3B3C3D1-A3B3C3",
            "A3B3C3D1-A3B3C3 official draw closure",
            "A3B3C3D1-A3B3C3-official-closure.gobcert",
        ),
        ("A3-A3B3C1", "A3-A3B3C1 official draw closure", "A3-A3B3C1-official-closure.gobcert"),
    ] {
        let claim = claim(variant, Reading::Official, Kind::Closure);
        assert_eq!(claim.to_string(), text);
        assert_eq!(claim.file_name(), file);
    }
    let cut = claim("ab", Reading::NoEntryCover, Kind::Cut);
    assert_eq!(cut.to_string(), "ab no-entry-cover draw cut");
    assert_eq!(cut.file_name(), "ab-no-entry-cover-cut.gobcert");
    for (variant, text, file) in [
        ("ab", "ab official lost refutation", "ab-official-refutation.gobcert"),
        ("A2-A3B3", "A2-A3B3 official lost refutation", "A2-A3B3-official-refutation.gobcert"),
    ] {
        let refutation = self::claim(variant, Reading::Official, Kind::Refutation);
        assert_eq!((refutation.to_string().as_str(), refutation.file_name().as_str()), (text, file));
    }
}

#[test]
fn a_claim_is_told_of_the_variant_asked_for() {
    let claim = claim("ab", Reading::Official, Kind::Closure);
    let text_for = |asked: &str| claim.text_for(asked.read().expect("a variant"));
    assert_eq!(text_for("ab"), "ab official draw closure");
    assert_eq!(text_for("ab-full"), "ab-full official draw closure white=A3");
    assert_eq!(text_for("A3B1-A3B3"), "A3B1-A3B3 official draw closure white=A3");
    assert_eq!(text_for("abc"), "ab official draw closure", "not covered: no other claim is made");
    assert_eq!(text_for("A2-A3B3"), "ab official draw closure", "White needs its three A");
    // What White cannot hold with some pieces is not said of fewer or more.
    let refutation = Claim { kind: Kind::Refutation, ..claim };
    for asked in ["A2-A3B3", "ab-full", "abc"].map(|asked| asked.read().expect("a variant")) {
        assert!(!refutation.covers(asked));
        assert_eq!(refutation.text_for(asked), "ab official lost refutation");
    }
}
