//! The bytes of a real certificate, the closure of `ab`, cut off, lengthened and flipped, with the checksums
//! left or mended. No mutant may panic or make the reader allocate beyond a multiple of the file, and one that
//! is accepted must list what an independent judge accepts.
//!
//! Of the bits of the real one some are flipped, and where everything is tried every one, which takes some ten minutes on two
//! cores.
//!
//! M01 to M04, M06 and M08 to M10 of the list of forgeries; the small file beside the real one is there because
//! each of its mutants can be judged. What this tells of the format, `gobcheck/FORMAT.md` defines.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use gobcheck::check::{self as checker, Condition, Refusal, Verified};
use gobprove::closure::Weights;
use gobprove::passes;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::{Certificate, HEADER_LEN, PositionSet};
use gobprove::strategy::Seed;

#[path = "../support/forgeries.rs"]
mod forgeries;
#[path = "../support/oracle.rs"]
#[allow(dead_code, reason = "a part of it is used here")]
mod oracle;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/reseal.rs"]
mod reseal;
#[path = "../support/thorough.rs"]
mod thorough;

use forgeries::keep;
use oracle::{Flaw, Oracle, Spot};
use random::Random;
use reseal::{Sheet, at, body, reseal as mend, reseal_with_len};
use thorough::thorough;

/// The system's allocator, which counts.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every request goes to the system's allocator as it came; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller answers for the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller answers for the layout.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller answers for pointer and layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller answers for pointer, layout and size.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time: the counts are of the whole program.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a call allocates at most at a time.
fn peak_of<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = call();
    (result, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// More than this, and so much for each byte of the file, no reading may take: tables that are made once,
/// ranks of 16 bytes in lists that grow by doubling.
fn most(bytes: &[u8]) -> usize {
    (8 << 20) + 64 * bytes.len()
}

fn closure_of(variant: &str) -> (Game, Vec<u8>) {
    let game = Game::new(variant.read().expect("a variant"), Reading::Official);
    let solution =
        passes::solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    (game, gobprove::closure::closure(&solution, &Weights::default()).expect("White holds").encode())
}

static AB: LazyLock<Vec<u8>> = LazyLock::new(|| closure_of("ab").1);

fn decode(bytes: &[u8]) -> Result<Certificate, &'static str> {
    let (decoded, peak) = peak_of(|| Certificate::decode(bytes));
    assert!(peak <= most(bytes), "{peak} bytes for a file of {}", bytes.len());
    decoded.map_err(|error| error.code)
}

fn check(bytes: &[u8]) -> Result<Verified, Refusal> {
    let verdict = checker::check(bytes, NonZeroUsize::MIN, &|_, _| ());
    keep(bytes, verdict.is_ok());
    verdict
}

#[test]
fn m01_every_truncation() {
    let _alone = alone();
    let file = &*AB;
    assert!(decode(file).is_ok(), "the control");
    let mut mended = 0;
    for len in 0..file.len() {
        assert!(decode(&file[..len]).is_err(), "{len}");
        if len < 4096 || len + 4096 >= file.len() || len % 101 == 0 {
            let mut bytes = file[..len].to_vec();
            reseal_with_len(&mut bytes);
            assert!(decode(&bytes).is_err(), "{len} with checksums that fit");
            mended += 1;
        }
    }
    println!("m01: {} truncations, {mended} again with length, checksums and digest mended", file.len());
}

#[test]
fn m02_bits_flipped() {
    let _alone = alone();
    let file = &*AB;
    let mut random = Random(2);
    let bits = file.len() * 8;
    let near: usize = (HEADER_LEN + 512) * 8;
    let chosen: Vec<usize> = if thorough() {
        (0..bits).collect()
    } else {
        (0..near).chain((0..3000).map(|_| near + random.below(bits - near))).collect()
    };
    let (mut formed, mut right) = (0, 0);
    for &bit in &chosen {
        let mut bytes = file.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&bytes).is_err(), "bit {bit}");
        mend(&mut bytes);
        let Ok(certificate) = decode(&bytes) else { continue };
        // A flip in the digest or a checksum is mended away.
        if bytes == *file {
            continue;
        }
        assert_eq!(certificate.encode(), bytes, "one file for each content");
        formed += 1;
        // A flipped rank is found by the last one in the block's head, so few are left: other claims, and
        // entries moved to another tier, which prove nothing.
        let is_right = check(&bytes).is_ok();
        assert!(!is_right || bit / 8 < at::END, "bit {bit}");
        let (game, own) =
            (certificate.claim.game, Certificate::decode(file).expect("the control").claim.game);
        let more_white =
            game.variant.black == own.variant.black && own.variant.white.at_most(game.variant.white);
        assert!(!is_right || (more_white || game.reading != own.reading), "bit {bit}: {}", certificate.claim);
        right += u32::from(is_right);
    }
    println!(
        "m02: {} bits flipped; with checksums mended {formed} are well formed and {right} of them right",
        chosen.len()
    );
    assert!(formed >= 5);
}

#[test]
fn m02_m15_an_entry_changed_and_the_heads_with_it() {
    let _alone = alone();
    // The judge takes half a minute for ab where a forgery is still right.
    let file = if thorough() { AB.clone() } else { closure_of("A2-A2B1").1 };
    let certificate = Certificate::decode(&file).expect("the control");
    let set = certificate.listed(Color::Black).expect("a closure");
    let tiers = set.tiers().clone();
    let lists: Vec<Vec<u128>> = (0..tiers.as_slice().len()).map(|tier| set.ranks(tier).to_vec()).collect();
    let mut random = Random(15);
    let (mut refused, mut accepted) = ([0; 3], 0);
    for _ in 0..10 {
        // Early tiers, so that the checker is there soon.
        let tier = loop {
            let tier = random.below(lists.len());
            if (1..2000).contains(&lists[..=tier].iter().map(Vec::len).sum::<usize>())
                && !lists[tier].is_empty()
            {
                break tier;
            }
        };
        let mut forged = lists.clone();
        let place = random.below(forged[tier].len());
        forged[tier][place] += 1;
        forged[tier].dedup();
        let game = certificate.claim.game;
        let Ok(forged) = PositionSet::new(game.variant, forged) else { continue };
        let verdict = check(&Certificate::closure(game, forged.clone()).encode());
        let spots: HashSet<Spot> = forged.positions(Color::Black).map(|p| Spot::of(&p)).collect();
        let mut oracle = Oracle::new(certificate.claim.game);
        if verdict.is_ok() {
            let all: Vec<Spot> = spots.iter().copied().collect();
            assert_eq!(oracle.closure_flaws(&all), [], "accepted with tier {tier}, entry {place} moved");
            accepted += 1;
            continue;
        }
        let Err(Refusal::Condition(breach)) = verdict else { panic!("an entry is missing: {verdict:?}") };
        let flaw = Flaw::of(&breach);
        let (kind, is_true) = match breach.condition {
            Condition::Listed => (0, flaw.spot.canonical() != flaw.spot || oracle.line(flaw.spot).is_some()),
            Condition::K4 if flaw.spot == Spot::empty(false) => (1, !spots.contains(&flaw.spot)),
            Condition::K4 => (1, !oracle.answered(flaw.spot, &spots)),
            _ => (2, oracle.is_flaw_of_k5(&flaw, &spots)),
        };
        assert!(is_true, "{breach}");
        refused[kind] += 1;
    }
    println!("m02, m15: entries moved by one rank, refused: listed, K4, K5: {refused:?}, right: {accepted}");
}

#[test]
fn m02_every_bit_of_a_small_file_flipped_and_judged() {
    let _alone = alone();
    let (_, file) = closure_of("A1-A2B1");
    assert!(check(&file).is_ok(), "the control");
    let (mut formed, mut accepted, mut oracles) = (0, 0, HashMap::new());
    for bit in 0..file.len() * 8 {
        let mut bytes = file.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&bytes).is_err(), "bit {bit}");
        mend(&mut bytes);
        if bytes == file {
            continue;
        }
        if decode(&bytes).is_err() {
            continue;
        }
        formed += 1;
        accepted += u32::from(oracle::judged(&mut oracles, &bytes, check(&bytes)));
    }
    println!(
        "m02: {} bits of a small file: {formed} well formed when mended, {accepted} right",
        file.len() * 8
    );
}

#[test]
fn m03_m04_versions_flags_and_what_follows_the_end() {
    let _alone = alone();
    let file = &*AB;
    let head = |offset: usize, byte: u8| {
        let mut bytes = file.clone();
        bytes[offset] = byte;
        mend(&mut bytes);
        decode(&bytes).expect_err("refused")
    };
    for offset in 0..at::VERSION {
        assert_eq!(head(offset, b'x'), "magic");
    }
    for version in [0, 2, 255] {
        assert_eq!(head(at::VERSION, version), "version");
    }
    for offset in [at::FLAGS, at::RESERVED, at::RESERVED + 1] {
        assert_eq!(head(offset, 1), "header-field");
    }
    let block = Sheet::of(file).bodies[3].clone();
    for tail in [vec![0], vec![0; 4096], file.clone(), block, b"\r\n".to_vec()] {
        let mut bytes = [&file[..], &tail].concat();
        assert_eq!(decode(&bytes).expect_err("refused"), "trailing");
        reseal_with_len(&mut bytes);
        assert_eq!(decode(&bytes).expect_err("refused"), "after-blocks");
    }
}

#[test]
fn m06_counts_and_lengths() {
    let _alone = alone();
    let file = &*AB;
    let changed = |offset: usize, number: &[u8]| {
        let mut bytes = file.clone();
        bytes[offset..offset + number.len()].copy_from_slice(number);
        mend(&mut bytes);
        assert!(bytes == *file || decode(&bytes).is_err());
        // Nor does the checker set room aside for more than the file can hold.
        let (verdict, peak) = peak_of(|| checker::check(&bytes, NonZeroUsize::MIN, &|_, _| ()));
        assert!(bytes == *file || matches!(verdict, Err(Refusal::Format(_))), "{verdict:?}");
        assert!(bytes == *file || peak <= most(&bytes), "{peak} bytes for a file of {}", bytes.len());
    };
    for number in [0, 1, u64::MAX, 1 << 63, 1 << 32, file.len() as u64 + 1] {
        for offset in [at::BLACK_TO_MOVE, at::WHITE_TO_MOVE, at::FILE_LEN] {
            changed(offset, &number.to_le_bytes());
        }
        changed(at::BLOCKS, &(number as u32).to_le_bytes());
        changed(at::END, &(number as u32).to_le_bytes());
    }
    // A header alone, which promises a file of 2⁶⁴ − 1 bytes.
    let mut bytes = file[..at::END].to_vec();
    bytes[at::FILE_LEN..at::FILE_LEN + 8].copy_from_slice(&[0xFF; 8]);
    mend(&mut bytes);
    assert_eq!(decode(&bytes).expect_err("refused"), "truncated");
}

#[test]
fn m08_m09_m10_numbers_and_order() {
    let _alone = alone();
    let sheet = Sheet::of(&AB);
    let refused = |bodies: Vec<Vec<u8>>| {
        decode(&sheet.clone().with_bodies(&bodies).recounted().sealed()).expect_err("refused")
    };
    let count = sheet.bodies.len();
    let mut tried = 0;
    for i in 0..count {
        let mut twice = sheet.bodies.clone();
        twice.insert(i, sheet.bodies[i].clone());
        assert_eq!(refused(twice), "block-not-full");
        for j in 0..i {
            let mut swapped = sheet.bodies.clone();
            swapped.swap(i, j);
            assert_eq!(refused(swapped), "block-order");
            tried += 1;
        }
        // An over-long tier index, the same number in two bytes.
        let mut long = sheet.bodies.clone();
        long[i][1] |= 0x80;
        long[i].insert(2, 0);
        assert_eq!(refused(long), "varint");
        // The last entry once more: a delta of 0.
        let mut again = sheet.bodies.clone();
        again[i].push(0);
        assert_eq!(refused(again), "after-entries");
        tried += 3;
    }
    for ranks in [[5, 5], [5, 4]] {
        let mut forged = sheet.bodies.clone();
        let last = forged.last_mut().expect("a block");
        *last = body(0, u128::from(last[1]), &ranks);
        assert!(["rank-order", "rank-range"].contains(&refused(forged)));
        tried += 1;
    }
    println!("m08, m09, m10: {tried} files with blocks or numbers doubled, exchanged or written otherwise");
}

#[test]
fn m06_a_large_claim_takes_little() {
    let _alone = alone();
    // The densest file: a byte for each entry, in the largest variant.
    let game = Game::new("abcd-full".read().expect("a variant"), Reading::Official);
    let empty = gobprove::store::PositionSet::empty(game.variant);
    let body_of = |start: u128| body(0, 1224, &(start..start + 65_536).collect::<Vec<u128>>());
    let bodies: Vec<Vec<u8>> = (0..8).map(|i| body_of(i * 65_536)).collect();
    let closure = Certificate::closure(game, empty).encode();
    let bytes = Sheet::of(&closure).with_bodies(&bodies).recounted().sealed();
    let (verdict, peak) = peak_of(|| check(&bytes));
    assert!(matches!(verdict, Err(Refusal::Condition(_))), "{verdict:?}");
    println!("m06: {} bytes with an entry each took {peak} at most", bytes.len());
    assert!(peak <= most(&bytes));
}
