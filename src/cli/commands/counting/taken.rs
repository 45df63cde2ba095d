//! What each command that could settle a variant takes, before the work begins: core time, memory and disk.
//!
//! The memory that a command asks for is exact. Everything else is a guess from measurements on solved variants; the tests
//! have the table. Time grows with the number of bitbase words that a pass goes over. A lost variant takes longer than a
//! drawn one, since more is found, and so does one in which White has A only.

use super::speed::Speed;
use crate::bitbase::Keep;
use crate::bitbase::tables::PART;
use crate::bitbase::window;
use crate::cli::console::shipped::Shipped;
use crate::cli::console::work::within;
use crate::enumerate::Discipline;
use crate::enumerate::rows::kernel::words;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes;
use crate::rules::{Color, Game, Reading, Size, Variant};
use crate::store::{Claim, Kind};
use crate::symmetry::Symmetry;

/// What a command takes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Taken {
    /// As it is typed, without `gobprove`.
    pub command: String,
    /// The bytes of memory that it asks for before it begins.
    pub asked: u128,
    /// The bytes of memory that it takes at most, a guess.
    pub memory: u128,
    /// The bytes of disk that its working files and its result take, a guess.
    pub disk: u128,
    /// The seconds of one core, a guess.
    pub seconds: f64,
}

/// The bytes that the program takes before it does any work.
const BASE: u128 = 13 << 20;

/// The processor seconds that it takes before it does any work, on the machine that [`Speed`] compares with.
const START: f64 = 0.08;

/// Microseconds of a solve for each word of a bitbase, on the machine that [`Speed`] compares with. The first number is for
/// variants in which White has A only, the second for all others. The constants are for lost, drawn and open games.
const LOST: [f64; 2] = [2.7, 2.5];
const DRAWN: [f64; 2] = [2.45, 1.8];
const OPEN: [f64; 2] = [3.1, 1.7];

/// A word takes `FAR` times as long if the set of its tier is larger than `FAR_BYTES`: rows are fetched from all over the
/// set, which caches cannot hold, and the memory is slow.
const FAR: f64 = 3.0;
const FAR_BYTES: u128 = 64 << 20;

/// A word takes `KEPT` times as long under a discipline of Black's: a row stores fewer placements, and looking at a row takes
/// as long.
const KEPT: f64 = 2.6;

/// Microseconds that writing a file takes for each canonical position of the variant, for lost, drawn and open games: a
/// file of a lost game lists most positions.
const FILED: [f64; 3] = [0.08, 0.01, 0.06];

/// A list that is written to a file takes at most `LISTED` bytes of memory, and `LISTED_MORE` bytes for each canonical position
/// of the variant.
const LISTED: f64 = 150e6;
const LISTED_MORE: f64 = 2.5;

/// Bytes of memory for each position of a list, while it is written to a file. A short list takes `SHORT` bytes for each. A
/// long one takes `LISTED` bytes in all, and `LONG` for each: its bytes are in memory three times at the end, as blocks, put
/// together and as the file, and a position has one or two of them.
const SHORT: u128 = 11;
const LONG: u128 = 4;

/// Bytes of memory for each position whose plies are written too: its rank and its plies take 16 while they are counted.
const PLIES: u128 = 20;

/// The time of a refutation, as a multiple of the time of a solve.
const REFUTED: f64 = 0.9;

/// With `--low-memory` a step writes what it finds in a tier when it has found this number of bytes.
const FOUND: u128 = 100 << 20;

/// Bytes of a refutation's working files for each byte of a set, without a discipline and within one. Measured were 0.8 in
/// A3-A3B3C1 and in A2B2-A3B3, 1.5 in A3B1-A3B3C1 within `b=0`, and 2.8 in A3B1-A3B3C2 within `a=1,b=0`: within a
/// discipline a row stores few places.
const DISTANCES: [f64; 2] = [0.85, 2.5];

/// As [`REFUTED`], with `--low-memory`.
const REFUTED_LOW: f64 = 1.6;

/// How many positions one core adds to a closure in a second: when it grows out of a solution, and without one.
const GROWN_SOLVED: f64 = 20_000.0;
const GROWN: f64 = 10_500.0;

/// Bytes for each position of a closure: in memory while it grows out of a solution, and on disk while it is proven without
/// one.
const BYTES_SOLVED: f64 = 500.0;
const BYTES: f64 = 9.0;

/// Saving takes this many bytes of memory for each byte of the sets in memory, and at most `MOST_SAVED` bytes: sets are
/// packed some blocks at a time. Measured on two threads.
const SAVED: u128 = 5;
const MOST_SAVED: u128 = 256 << 20;

/// If the sets take more bytes than this, a solve with its sets in files is listed too.
const LARGE: u128 = 1 << 30;

/// The time of a solve whose sets are in files, as a multiple of one with its sets in memory: from the first rounds of
/// A3B2-A3B3C2 in 2 GiB, on a disk that reads 400 MB a second.
const IN_FILES: f64 = 1.1;

/// The bytes of memory that it takes to write a file that lists this many positions, without the solution: a guess.
pub(in crate::cli::commands) fn bytes_of_list(listed: u128, with_plies: bool) -> u128 {
    if with_plies { PLIES * listed } else { (SHORT * listed).min(LISTED as u128 + LONG * listed) }
}

/// What is to be settled.
pub(super) struct Asked {
    pub game: Game,
    pub discipline: Discipline,
    /// What is proven or computed of it already.
    pub known: Option<Claim>,
    pub speed: Speed,
}

/// What each command takes that could settle a game. Commands that the known value or the discipline rules out are left
/// out.
pub(super) fn commands(asked: &Asked) -> Vec<Taken> {
    let Asked { game: Game { variant, reading }, discipline, known, speed } = *asked;
    let layout = Layout::within(variant, discipline);
    let value = known.map(|claim| claim.kind);
    let is_lost = value == Some(Kind::Refutation);
    let is_open = value.is_none();
    let tiers = || layout.all().iter();
    let word = |tier: &TierLayout| {
        let far = if tier.bytes() > FAR_BYTES { FAR } else { 1.0 };
        far * tier.stored as f64 * words(tier.k).max(1) as f64
    };
    let more = usize::from(Size::ALL[1..].iter().any(|&size| variant.white.count(size) > 0));
    let keeper = discipline.keeper();
    let (micros, filing) = match (is_open, is_lost) {
        (true, _) => (OPEN, FILED[2]),
        (_, true) => (LOST, FILED[0]),
        // White may not hold with fewer moves.
        _ if keeper == Some(Color::White) => (OPEN, FILED[2]),
        _ => (DRAWN, FILED[1]),
    };
    let kept = if keeper == Some(Color::Black) { KEPT } else { 1.0 };
    let solving = tiers().map(word).sum::<f64>() * kept * micros[more] * 1e-6 * speed.times;
    // A pass gathers what it finds in up to `PART` rows: each row's words and one more.
    let row = |tier: &TierLayout| (8 * (1 + words(tier.k)) * tier.stored.min(PART)) as u128;
    let found = tiers().map(row).max().unwrap_or_default();
    let gathered = match (is_open, is_lost) {
        (true, _) => found,
        (_, true) => 3 * found,
        _ => found / 2,
    };
    let set: u128 = tiers().map(TierLayout::bytes).sum();
    let canonical = 8.0 * set as f64;
    // Bytes of what a file lists, for each canonical position of the variant: in memory while the file is written, and then
    // on disk. With fewer than three white A nearly all positions are lost. A file leaves out those that are lost at sight,
    // and where Black has A and B only these are few.
    let (listed, filed) = match (is_open, is_lost) {
        (true, _) => (0.9, 0.18),
        (_, true) if variant.white.count(Size::A) < 3 && small(variant) == 0.0 => (11.0, 1.0),
        (_, true) => (5.0, 1.0),
        _ => (0.35, 0.07),
    };
    let table = passes::bytes_of_table(variant, discipline);
    let all = table + window::most_bytes(&layout, Keep::All, true);
    let least = table + window::most_bytes(&layout, Keep::Needed, true);
    // Packed, a set takes some three eighths: the one with White to move, or both where both leave the memory.
    let (one, both) = (set * 3 / 8, set * 3 / 4);
    let closure = closure(variant);
    let grown = |a_second: f64| closure.positions / a_second * speed.times;
    let mut rows = Vec::new();
    let mut add = |command: &str, asked, memory: u128, disk, seconds| {
        let mut command = command.replace('V', &variant.to_string());
        if reading != Reading::Official {
            command.push_str(&format!(" --reading {reading}"));
        }
        command.push_str(&within(&discipline));
        let seconds = seconds + START * speed.times;
        rows.push(Taken { command, asked, memory: memory + BASE, disk, seconds });
    };
    if discipline.is_free() {
        let list = (listed * canonical).min(LISTED + LISTED_MORE * canonical);
        let memory = 2 * all + gathered + list as u128;
        let seconds = solving + filing * canonical * 1e-6 * speed.times;
        add("solve V", 2 * all, memory, one + (filed * canonical) as u128, seconds);
    }
    // It asks for no more than it takes with its sets in files.
    let in_files = table + window::most_bytes(&layout, Keep::Mapped, true);
    let saved = (SAVED * least).min(MOST_SAVED);
    add("solve V --no-file --dir DIR", in_files.min(least), least + gathered + saved, both, solving);
    if least > LARGE {
        let command = format!("solve V --memory {}M --no-file --dir DIR", in_files.div_ceil(1 << 20));
        add(&command, in_files, in_files + gathered + saved, both + 2 * least, IN_FILES * solving);
    }
    if !is_lost && keeper != Some(Color::Black) {
        let growing = (closure.positions * BYTES_SOLVED) as u128;
        let seconds = solving + grown(GROWN_SOLVED);
        // While a closure grows, it takes one more set, beside those of the solution.
        add("generate V", all + set, all + gathered.max(set + growing), one, seconds);
        let proof = (closure.positions * BYTES) as u128;
        add("prove V", 0, proof * u128::from(crate::closure::prover::TIMES), proof, grown(GROWN));
    }
    if (is_open || is_lost) && keeper != Some(Color::White) && reading != Reading::Robust {
        let asked = crate::refute::bytes_of_refutation(variant, discipline, true);
        let distances = (DISTANCES[usize::from(!discipline.is_free())] * set as f64) as u128;
        add("refute V", asked, asked, distances, REFUTED * solving);
        let asked = crate::refute::bytes_in_low_memory(variant, discipline);
        let rows = tiers().map(|tier| 8 * (1 + words(tier.k)) as u128 * tier.stored as u128).max();
        let found = rows.unwrap_or_default().min(FOUND);
        add("refute V --low-memory", asked, asked + found, distances + set, REFUTED_LOW * solving);
    }
    rows
}

/// How large a closure is, if White holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closure {
    pub positions: f64,
    pub bytes: f64,
}

/// A closure's size, extrapolated from those that ship. White's placement is nearly a function of Black's, so the number
/// that is extrapolated is positions for each canonical black placement. Each black piece smaller than B multiplies it by a
/// factor, from the straight line that fits the logarithms of the closures against three B best. Where Black has such
/// pieces, each B that it lacks divides the number by another factor: how far the other closures lie below that line, on
/// average. Example: of those that ship, only `A3B1-A3B2C2` has fewer than three B. None of them has white pieces below B: where
/// White uses its C, a closure is larger, that of `A1B1C1-A2B1C1` 75 times.
pub(super) fn closure(variant: Variant) -> Closure {
    let official = |claim: &Claim| claim.kind == Kind::Closure && claim.game.reading == Reading::Official;
    let all: Vec<&Shipped> = Shipped::of(official).collect();
    let known = |shipped: &&Shipped| {
        let variant = shipped.variant;
        (variant, (shipped.positions as f64 / black_placements(variant)).ln())
    };
    let (full, others): (Vec<_>, Vec<_>) =
        all.iter().map(known).partition(|&(variant, _)| missing(variant) == 0.0);
    let (x, y) = (mean(full.iter().map(|one| small(one.0))), mean(full.iter().map(|one| one.1)));
    let together = mean(full.iter().map(|one| (small(one.0) - x) * (one.1 - y)));
    let spread = mean(full.iter().map(|one| (small(one.0) - x).powi(2)));
    let slope = if spread > 0.0 { together / spread } else { 0.0 };
    let line = |variant| y + slope * (small(variant) - x);
    let fewer = mean(others.iter().map(|&(variant, found)| (found - line(variant)) / missing(variant)));
    let positions = (line(variant) + fewer * missing(variant)).exp() * black_placements(variant);
    let listed: u64 = all.iter().map(|shipped| shipped.positions).sum();
    let length: u64 = all.iter().map(|shipped| shipped.bytes).sum();
    Closure { positions, bytes: positions * length as f64 / listed as f64 }
}

/// Whether White has pieces that no closure uses from which [`closure`] guesses.
pub(super) fn is_beyond_what_ships(variant: Variant) -> bool {
    [Size::C, Size::D].iter().any(|&size| variant.white.count(size) > 0)
}

/// The mean, 0 of nothing.
fn mean(of: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = of.len().max(1);
    of.sum::<f64>() / count as f64
}

/// How many of the three B Black lacks, if it has smaller pieces; else 0.
fn missing(variant: Variant) -> f64 {
    if small(variant) > 0.0 { 3.0 - f64::from(variant.black.count(Size::B)) } else { 0.0 }
}

/// How many pieces smaller than B Black has.
fn small(variant: Variant) -> f64 {
    [Size::C, Size::D].map(|size| f64::from(variant.black.count(size))).into_iter().sum()
}

/// About how many black placements there are up to symmetry: few are kept by a symmetry.
fn black_placements(variant: Variant) -> f64 {
    let binomial = [1.0, 16.0, 120.0, 560.0];
    // `placements[n]`: in how many ways the sizes so far stand with n pieces of the last one.
    let mut placements = [0.0, 0.0, 0.0, 1.0];
    for size in Size::ALL {
        let most = usize::from(variant.black.count(size));
        let mut longer = [0.0; 4];
        for (outer, ways) in placements.into_iter().enumerate() {
            for count in 0..=most.min(outer) {
                longer[count] += ways * binomial[count];
            }
        }
        placements = longer;
    }
    placements.into_iter().sum::<f64>() / Symmetry::COUNT as f64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::console::lattice::{computed, settled_by};
    use crate::prelude::*;

    /// The machine for which the constants hold.
    const REFERENCE: Speed = Speed { times: 1.0, measured: Duration::from_millis(300) };

    fn variant(text: &str) -> Variant {
        text.read().expect("a variant")
    }

    /// Measured on two idle threads: the variant, the beginning of the command, processor seconds divided by [`Speed::times`],
    /// and the most memory in MB.
    const MEASURED: &[(&str, &str, f64, f64)] = &[
        ("ab", "solve ab", 0.49, 25.5),
        ("ab", "solve ab --no-file --dir", 0.38, 21.4),
        ("ab", "generate", 2.7, 43.8),
        ("ab", "prove", 4.8, 23.4),
        ("A3-A3B2C1", "solve A3-A3B2C1", 1.1, 36.8),
        ("A3-A3B2C1", "solve A3-A3B2C1 --no-file --dir", 1.1, 30.3),
        ("A3-A3B2C1", "generate", 9.4, 99.7),
        ("A3-A3B2C1", "prove", 14.9, 34.1),
        ("A2B1-A3B3", "solve A2B1-A3B3", 2.4, 171.3),
        ("A2B2-A3B3", "solve A2B2-A3B3", 13.6, 477.1),
        ("A2B2-A3B3", "solve A2B2-A3B3 --no-file --dir", 5.9, 103.7),
        ("A2B2-A3B3", "refute", 11.5, 76.1),
        ("A2B2-A3B3", "refute A2B2-A3B3 --low-memory", 19.0, 76.5),
        ("A2-A3B3C1", "solve A2-A3B3C1", 2.7, 178.1),
        ("A3-A3B3C1", "solve A3-A3B3C1", 13.4, 402.8),
        ("A3-A3B3C1", "solve A3-A3B3C1 --no-file --dir", 5.8, 73.7),
        ("A3-A3B3C1", "refute", 4.6, 49.8),
        ("A3-A3B3C1", "refute A3-A3B3C1 --low-memory", 5.0, 49.1),
        ("A3-A3B2C2", "solve A3-A3B2C2", 29.2, 506.8),
        ("A3-A3B2C2", "solve A3-A3B2C2 --no-file --dir", 13.0, 99.7),
        ("A3-A3B2C2", "refute", 10.4, 66.2),
        ("A3-A3B3C2", "solve A3-A3B3C2 --no-file --dir", 21.2, 199.6),
        ("A3-A3B3C2", "refute", 14.9, 246.3),
        ("A3B1-A3B3C1", "solve A3B1-A3B3C1 --no-file --dir", 88.2, 356.2),
        // Measured over several sessions beside other work: good to one digit.
        ("A3B3-A3B3C2", "solve A3B3-A3B3C2 --no-file --dir DIR", 45_000.0, 13_900.0),
    ];

    /// How far a guess of the time may be off: a refutation needs more or less of a solve's time.
    fn allowed(command: &str) -> f64 {
        if command.starts_with("refute") { 2.0 } else { 1.5 }
    }

    #[test]
    fn each_guess_is_within_a_factor_of_what_was_measured() {
        let mut wrong = Vec::new();
        for &(name, command, seconds, megabytes) in MEASURED {
            let game = Game::new(variant(name), Reading::Official);
            let known = settled_by(&game, None).map(Shipped::claim).or_else(|| computed(&game));
            let speed = REFERENCE;
            let rows = commands(&Asked { game, discipline: Discipline::FREE, known, speed });
            let row = rows
                .iter()
                .filter(|row| row.command.ends_with("--low-memory") == command.ends_with("--low-memory"))
                .rfind(|row| row.command.starts_with(command))
                .filter(|row| command.contains("--no-file") || !row.command.contains("--no-file"));
            let row = row.or_else(|| rows.iter().find(|row| row.command == command)).expect("a row");
            let (time, memory) = (row.seconds / seconds, row.memory as f64 / 1e6 / megabytes);
            for (ratio, most) in [(time, allowed(command)), (memory, 2.0)] {
                if !(1.0 / most..=most).contains(&ratio) {
                    wrong.push(format!("{}: {ratio:.2} times, of {name}", row.command));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// A file that lists much takes memory for its list, even in a solve of a third of a second.
    #[test]
    fn the_memory_of_a_small_file_is_guessed_too() {
        let game = Game::new(variant("A2-A3B3"), Reading::Official);
        let known = settled_by(&game, None).map(Shipped::claim);
        let rows = commands(&Asked { game, discipline: Discipline::FREE, known, speed: REFERENCE });
        let guess = rows[0].memory as f64 / 1e6;
        assert_eq!(rows[0].command, "solve A2-A3B3");
        assert!((0.5..=2.0).contains(&(guess / 48.0)), "{guess}");
    }

    /// A file of A2B2-A3B3 lists nearly all of its 98 million canonical positions. Of the memory that `MEASURED` has for it,
    /// 90 MB are the sets and the program.
    #[test]
    fn the_memory_of_a_list_is_guessed_by_its_length() {
        let ratio = bytes_of_list(98_115_231, false) as f64 / (477.1e6 - 90e6);
        assert!((0.5..=2.0).contains(&ratio), "{ratio}");
        // It grows with the list, also where a short list becomes a long one.
        let sizes = [1, 1 << 20, 1 << 24, 1 << 25, 1 << 30].map(|listed| bytes_of_list(listed, false));
        assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
    }

    /// Processor seconds of solves under a discipline, measured as those of `MEASURED`.
    const MEASURED_WITHIN: &[(&str, &str, f64)] = &[
        ("A3-A3B3C1", "a=1,b=0", 5.7),
        ("A3B1-A3B3C2", "a=1,b=0", 144.0),
        ("A3B1-A3B3C2", "b=0,c=0", 209.0),
        ("A3B1-A3B2C1", "A=2", 30.1),
    ];

    #[test]
    fn each_guess_under_a_discipline_is_within_a_factor_too() {
        let mut wrong = Vec::new();
        for &(name, discipline, seconds) in MEASURED_WITHIN {
            let game = Game::new(variant(name), Reading::Official);
            let known = settled_by(&game, None).map(Shipped::claim).or_else(|| computed(&game));
            let discipline = discipline.parse().expect("a discipline");
            let rows = commands(&Asked { game, discipline, known, speed: REFERENCE });
            let ratio = rows[0].seconds / seconds;
            let most = allowed(&rows[0].command);
            if !(1.0 / most..=most).contains(&ratio) {
                wrong.push(format!("{}: {ratio:.2}", rows[0].command));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// Under a discipline there is less work, and some commands are ruled out.
    #[test]
    fn under_a_discipline_fewer_commands_take_less() {
        let rows = |name: &str, discipline: &str| {
            let game = Game::new(variant(name), Reading::Official);
            let discipline = discipline.parse().expect("a discipline");
            commands(&Asked { game, discipline, known: None, speed: REFERENCE })
        };
        let [free, black, white] = ["", "a=1,b=0", "A=1"].map(|discipline| rows("A3-A3B3C1", discipline));
        let names = |rows: &[Taken]| {
            let name = |row: &Taken| row.command.split(' ').next().expect("a word").to_owned();
            rows.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&free), "solve solve generate prove refute refute");
        assert_eq!(names(&black), "solve refute refute");
        assert_eq!(names(&white), "solve generate prove");
        let (all, some) = (free.last().expect("a row"), black.last().expect("a row"));
        assert!(some.asked < all.asked, "{some:?} {all:?}");
        // Where the rows of the free game are as short as under the discipline, there is much less to do.
        let [some, all] =
            ["a=1,b=0", ""].map(|discipline| rows("A3-A3B2C2", discipline).pop().expect("a row"));
        assert!(2.0 * some.seconds < all.seconds && some.asked < all.asked, "{some:?} {all:?}");
        assert!(some.command.ends_with(" --discipline a=1,b=0"), "{some:?}");
    }

    #[test]
    fn what_ships_is_guessed_well_and_more_is_carried_on() {
        // A few hundred of the black placements are kept by a symmetry.
        assert!((12_700.0..13_400.0).contains(&black_placements(variant("ab"))));
        for shipped in Shipped::of(|claim| claim.kind == Kind::Closure) {
            let guessed = closure(shipped.variant).positions;
            let ratio = guessed / shipped.positions as f64;
            // The guess is drawn from closures with three white A. It is not far off with fewer, and too low where White has C.
            let white = shipped.variant.white;
            let fits = match (white.count(Size::A), white.count(Size::C)) {
                (3, _) => 0.8..1.25,
                (_, 0) => 1.0 / 3.0..3.0,
                _ => 0.01..0.05,
            };
            assert!(fits.contains(&ratio), "{}: {guessed}", shipped.file);
        }
        // Closures that `gobprove prove` made, of variants for which none ships.
        for (name, made) in
            [("A3-A3B2", 8_062.0), ("A3-A2B2", 2_408.0), ("A2-A3B1", 871.0), ("A3-A3B2C1", 142_122.0)]
        {
            let ratio = closure(variant(name)).positions / made;
            assert!((0.5..2.0).contains(&ratio), "{name}: {ratio}");
        }
        let [one, two, three] = ["A3B1-A3B3C1", "A3B1-A3B3C2", "A3B1-A3B3C3"]
            .map(|text| closure(variant(text)).positions / black_placements(variant(text)));
        let factor = two / one;
        assert!(factor > 2.0 && (three / two / factor - 1.0).abs() < 1e-9, "{one} {two} {three}");
    }
}
