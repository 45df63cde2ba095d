//! gobprove beside other solvers: the same small safety games, the same counts of lost positions, and what each
//! takes for them.
//!
//! Every solver runs in a process of its own, on one thread, so that its peak of memory is its own too. Times are
//! those on the processor. The counts must be equal, or there is no table.

mod bdd;
mod dense;
mod vpg;

use std::env;
use std::error::Error;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use gobprove::enumerate::census;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading, Variant};
use rustix::time::{ClockId, clock_gettime};

/// What is solved where nothing else is asked for.
const VARIANTS: [&str; 2] = ["A2-A3B1", "A2-A3B2"];

/// What a solver found, and what it took.
struct Found {
    /// How many positions are lost for White, with White and with Black to move, their images under symmetries
    /// counted too.
    lost: [u128; 2],
    /// From the rules to what the solver works on, and from there to the lost positions.
    times: [Duration; 2],
}

/// A solver: its name, and how it is run.
type Solver = (&'static str, fn(&Game) -> Result<Found, Box<dyn Error>>);

const SOLVERS: [Solver; 4] = [
    ("gobprove", dense::solve),
    ("merc_vpg zielonka", vpg::zielonka),
    ("merc_vpg priority promotion", vpg::priority_promotion),
    ("oxidd", bdd::solve),
];

/// How long this process was on processors: what else runs on the machine does not count.
fn clock() -> Result<Duration, Box<dyn Error>> {
    Ok(clock_gettime(ClockId::ProcessCPUTime).try_into()?)
}

/// Prepares and solves, again and again until a second has passed, and gives what the last run made and found
/// with the middle ones of the times that each took.
fn timed<S, T>(
    prepare: impl Fn() -> Result<S, Box<dyn Error>>,
    solve: impl Fn(&S) -> Result<T, Box<dyn Error>>,
) -> Result<(S, T, [Duration; 2]), Box<dyn Error>> {
    let (all, mut times) = (Instant::now(), [const { Vec::new() }; 2]);
    loop {
        let started = clock()?;
        let prepared = prepare()?;
        let ready = clock()?;
        let found = solve(&prepared)?;
        times[0].push(ready.saturating_sub(started));
        times[1].push(clock()?.saturating_sub(ready));
        if all.elapsed() > Duration::from_secs(1) {
            let middle = |mut times: Vec<Duration>| {
                times.sort_unstable();
                times[times.len() / 2]
            };
            return Ok((prepared, found, times.map(middle)));
        }
    }
}

/// The most memory that this process has had, in KiB; 0 where the system does not say.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}

fn game(variant: &str) -> Result<Game, Box<dyn Error>> {
    Ok(Game::new(variant.read::<Variant>()?, Reading::Official))
}

/// In a solver's own process: solves, and prints two counts, two times in seconds, and the memory in KiB.
fn alone(name: &str, variant: &str) -> Result<(), Box<dyn Error>> {
    // All of it on this thread.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let (_, solve) = SOLVERS.iter().find(|solver| solver.0 == name).ok_or("no such solver")?;
    let Found { lost: [white, black], times } = solve(&game(variant)?)?;
    let [prepare, solve] = times.map(|time| time.as_secs_f64());
    println!("{white} {black} {prepare} {solve} {}", peak());
    Ok(())
}

/// A row of the table.
struct Row {
    lost: [u128; 2],
    prepare: f64,
    solve: f64,
    peak: f64,
}

/// Runs a solver in a process of its own.
fn apart(name: &str, variant: &str) -> Result<Row, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?).args(["--as", name, variant]).output()?;
    if !output.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [white, black, prepare, solve, peak] = fields[..] else {
        return Err(format!("{name} printed {text:?}").into());
    };
    let lost = [white.parse()?, black.parse()?];
    Ok(Row { lost, prepare: prepare.parse()?, solve: solve.parse()?, peak: peak.parse()? })
}

/// The table of a variant, in Markdown.
fn compare(variant: &str) -> Result<(), Box<dyn Error>> {
    let count = census::variant(game(variant)?.variant);
    let rows: Vec<(&str, Row)> = SOLVERS
        .iter()
        .map(|&(name, _)| Ok((name, apart(name, variant)?)))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let (_, own) = &rows[0];
    for (name, row) in &rows {
        if row.lost != own.lost {
            return Err(
                format!("{variant}: {name} finds {:?} lost, gobprove {:?}", row.lost, own.lost).into()
            );
        }
    }
    let [white, black] = own.lost;
    println!("{variant}: {} positions, {} canonical;", count.positions, count.canonical);
    println!("all solvers find {white} lost with White to move and {black} with Black to move.\n");
    println!("| solver | prepare, ms | solve, ms | peak, MiB | times gobprove | times its memory |");
    println!("| --- | --: | --: | --: | --: | --: |");
    for (name, row) in &rows {
        let times = |theirs: f64, ours: f64| if ours > 0.0 { theirs / ours } else { f64::NAN };
        println!(
            "| {name} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} |",
            1e3 * row.prepare,
            1e3 * row.solve,
            row.peak / 1024.0,
            times(row.solve, own.solve),
            times(row.peak, own.peak),
        );
    }
    println!();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--as", name, variant] => alone(name, variant),
        [] => VARIANTS.into_iter().try_for_each(compare),
        ref variants => variants.iter().try_for_each(|variant| compare(variant)),
    }
}
