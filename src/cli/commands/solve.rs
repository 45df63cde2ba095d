//! `gobprove solve`: finds the value of every position of a variant.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;
use serde_json::{Value as Json, json};

use super::counting::taken::bytes_of_list;
use super::junior;
use crate::bitbase::Held;
use crate::bitbase::Keep;
use crate::bitbase::Lost;
use crate::bitbase::Solution;
use crate::bitbase::TierOutcome;
use crate::bitbase::Value;
use crate::bitbase::Worth;
use crate::cli::console::args::{self, Format, Subject, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped, say};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::{self, Files, Terms, on_threads};
use crate::enumerate::Discipline;
use crate::explain::solved_file::word;
use crate::explain::{Counted, LongestWin, PliesError};
use crate::passes;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading, Variant};
use crate::store;
use crate::store::{Store, StoreError, System, check_writable, write_file};
use crate::strategy::Seed;
use crate::symmetry;

const AFTER_HELP: &str = "\
Where both sides have the same pieces every position is a win, a draw or a loss for the side to
move; repetition draws, and a finished position counts as R6 judges the move that led there.
Otherwise, and under the reading robust, the question is whether White holds: a position is safe or
lost.

Examples:
  gobprove solve ab-full                 to ab-full-official.gobsolved, for gobprove query
  gobprove solve ab --distances          with the plies to each win, in ab-official.gobsolved.plies
  gobprove solve A3-A3B3C1 --verbose     with the counts of every tier
  gobprove solve A3-A3B3C1 --no-file --discipline a=1,b=0
                                         Black wins all the same; few of the positions are looked at
  gobprove solve A3-A3B2C1 --no-file --dir solved
                                         its value alone; what is in the directory serves gobprove prove
  gobprove solve ab --longest --no-file --json
  gobprove solve junior                  Gobblet Gobblers, the game on nine squares

The same command run again goes on where an interrupted one stopped, with --no-file where --dir names
a directory.";

/// Solve a variant: win, draw or loss of every position
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    /// A variant: a name or material spelled out; or junior, the game on nine squares
    #[arg(value_parser = args::subject)]
    variant: Subject,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What one side keeps to, to save memory: A=2 for at most two white A that cover no black B, A=3/3/2/1 by how many
    /// black B are on the board, B=1 likewise over black C; B@=2 for at most two white B on the board, B@=2/2/3/3 by how
    /// many black C are there; or a=1 for at most one black A off the long diagonals, a=2/2/1/0 by how many black A are
    /// on the board, b, c and d likewise. Where that side does not reach its aim, the answer is open
    #[arg(long, value_name = "SIZE=MOST,...", default_value_t, hide_default_value = true)]
    discipline: Discipline,
    /// The file to write for gobprove query [default: VARIANT-READING.gobsolved]
    #[arg(long, value_name = "FILE", value_parser = args::output(), conflicts_with = "no_file")]
    out: Option<PathBuf>,
    /// Find the longest forced win too, which may take many times as long as the passes
    #[arg(long)]
    longest: bool,
    /// Write too in how many plies each lost position is lost, to FILE.plies: gobprove query then says how far each win is.
    /// It takes the passes once more
    #[arg(long, conflicts_with = "no_file")]
    distances: bool,
    /// Write no file, which takes less than half the memory. With --dir far less is enough: what does not fit is in files there
    #[arg(long)]
    no_file: bool,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// Writes a whole file. A signal that comes meanwhile ends the command when the file is written. Afterwards a signal leaves
/// what `left` says.
fn write_whole(file: &Path, bytes: &[u8], left: Left) -> Result<(), Failure> {
    let signals = Signals::catch(Left::Tidy);
    write_file(&System, file, bytes)?;
    let came = signals.came();
    let signals = Signals::catch(left);
    if came.is_some() { Err(signals.failure()) } else { Ok(()) }
}

/// Removes the file of plies beside a solved variant if the two do not belong together: no command would open them.
fn drop_other_plies(file: &Path, talk: Talk) -> Result<(), Failure> {
    let place = store::plies_beside(file);
    if !store::Plies::is_one(&place) {
        return Ok(());
    }
    let Err(StoreError::Damaged { .. }) = store::Plies::open(&place, &Store::open(file)?) else {
        return Ok(());
    };
    let name = shown(&place);
    fs::remove_file(&place)
        .map_err(|error| Failure::unavailable(format!("cannot remove {name}: {error}")).at(&name))?;
    if !talk.quiet {
        say(&format!("note: {name} is removed: it does not belong to the new {}", shown(file)));
    }
    Ok(())
}

/// How many positions [`store::encode`] lists. One that is symmetric in itself may count more than once.
fn listed(solution: &Solution, sight: &Lost) -> u128 {
    let of_tier = |tier| -> u128 {
        let [lost, sight] = [&solution.lost, sight].map(|lost| lost.words(tier, Color::White).iter());
        let word = |word: &AtomicU64| word.load(Ordering::Relaxed);
        lost.zip(sight).map(|(lost, sight)| u128::from((word(lost) & !word(sight)).count_ones())).sum()
    };
    (0..solution.layout.all().len()).map(of_tier).sum()
}

/// The name of a solved variant's file.
pub(super) fn file_name(game: &Game) -> PathBuf {
    format!("{}-{}.gobsolved", game.variant, game.reading.tag()).into()
}

/// The command that solves a game into this file, or into [`file_name`].
pub(super) fn command(game: &Game, file: Option<&Path>) -> String {
    let out = file.map(|file| format!(" --out {}", shown(file))).unwrap_or_default();
    format!("gobprove solve {} --reading {}{out}", game.variant, game.reading)
}

impl SolveArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The variant does not fit into memory, the file cannot be written, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let variant = match self.variant {
            Subject::Gobblet(variant) => variant,
            Subject::Junior => return self.junior(),
        };
        let game = Game::new(variant, self.reading);
        if !self.discipline.is_free() && (self.longest || !self.no_file) {
            let what = "under a discipline only a part of the variant is solved: no file and no longest win come of it";
            return Err(Failure::usage(what).next("add --no-file, and leave --longest out"));
        }
        let file = (!self.no_file).then(|| self.out.clone().unwrap_or_else(|| file_name(&game)));
        if let Some(file) = &file {
            check_writable(&System, file)?;
            if self.distances {
                check_writable(&System, &store::plies_beside(file))?;
            }
        }
        // The longest win is found on bitbases of its own, beside the solution. So are the positions that a file leaves
        // out.
        let (sets, keep) = if self.longest || file.is_some() { (2, Keep::All) } else { (1, Keep::Needed) };
        let on_disk = self.files.are_kept(file.as_deref());
        let mut terms = Terms { discipline: self.discipline, keep, ..Terms::ALL };
        let needed = || sets * terms.fit(variant, on_disk, self.memory.most());
        let allowed = self.memory.allow_within(variant, self.discipline, needed, self.talk);
        allowed.map_err(|refused| self.naming_files(variant, on_disk, refused))?;
        let mut checkpoint = self.files.open(&game, Seed::Rules, &self.discipline, file.as_deref())?;
        let signals = Signals::catch(work::left(&checkpoint));
        let solve = || work::solve(&game, terms, checkpoint.as_mut(), self.talk, &signals);
        let solution = on_threads(self.threads.count(), solve)??;
        if signals.came().is_some() {
            return Err(signals.failure());
        }
        let left = if checkpoint.is_some() { Left::Whole } else { Left::Nothing };
        let _ = Signals::catch(left);
        let progress = Progress::new("counting", self.talk);
        let outcomes = on_threads(self.threads.count(), || solution.outcomes())?;
        drop(progress);
        let solved_s = started.elapsed().as_secs_f64();
        let longest = if self.longest {
            let _progress = Progress::new("looking for the longest win", self.talk);
            let longest = on_threads(self.threads.count(), || crate::explain::longest_win(&game))?;
            Some(longest.map_err(Failure::unavailable)?)
        } else {
            None
        };
        let mut bytes = None;
        if let Some(file) = &file {
            let _progress = Progress::new(format!("writing {}", shown(file)), self.talk);
            let encoded = on_threads(self.threads.count(), || {
                let sight = passes::lost_at_sight(&solution).map_err(Failure::unavailable)?;
                self.allow_list(&solution, &sight)?;
                Ok::<_, Failure>(store::encode(&solution, &sight))
            })??;
            write_whole(file, &encoded, left)?;
            drop_other_plies(file, self.talk)?;
            bytes = Some(encoded.len() as u64);
        }
        let plies = match &file {
            Some(file) if self.distances => Some(self.write_plies(&game, file, left)?),
            _ => None,
        };
        // The rest of the work is short, and is finished even if a signal comes.
        let _ = Signals::catch(Left::Tidy);
        let done = Done { outcomes, longest, file: file.as_deref().zip(bytes), plies, solved_s, started };
        self.report(&solution, &done)?;
        self.files.done(checkpoint)?;
        Ok(Exit::Done)
    }

    /// The failure for want of memory. It names a command that finds the value in less memory, if that is another command
    /// and there is memory enough for it.
    fn naming_files(&self, variant: Variant, on_disk: bool, refused: Failure) -> Failure {
        let terms = Terms { discipline: self.discipline, keep: Keep::Mapped, ..Terms::ALL };
        let most = self.memory.most().into();
        let is_another = !(self.no_file && on_disk);
        // What a discipline leaves of a large variant is worked out from its table, so the table has to fit first.
        let has_room =
            || passes::bytes_of_table(variant, self.discipline) <= most && terms.bytes(variant, true) <= most;
        if !is_another || !has_room() {
            return refused;
        }
        let within = work::within(&self.discipline);
        refused.next(format!(
            "give more with --memory; or `gobprove solve {variant} --reading {}{within} --no-file --dir DIR` finds the value, with \
             what does not fit into memory in files in DIR: `gobprove estimate {variant}` says how large they are",
            self.reading.tag()
        ))
    }

    /// Lets the file be written if there is memory for the list. How long that is depends on the solution.
    fn allow_list(&self, solution: &Solution, sight: &Lost) -> Result<(), Failure> {
        let count = listed(solution, sight);
        let what = format!("writing {} positions of {} to a file", grouped(count), solution.game().variant);
        // What is lost at sight takes as much as the solution.
        let held = 2 * u128::from(solution.bytes());
        let allowed = self.memory.allow_more(what, held, bytes_of_list(count, self.distances));
        let anew = if self.files.is_fresh() { " and without --fresh" } else { "" };
        allowed.map_err(|refused| {
            refused.next(format!(
                "what is solved is kept: the same command with more --memory{anew} goes on from there"
            ))
        })
    }

    /// Solves the game on nine squares.
    fn junior(&self) -> Ended {
        let others = [
            ("--discipline", !self.discipline.is_free()),
            ("--dir", self.files.are_named()),
            ("--fresh", self.files.is_fresh()),
        ];
        if let Some((option, _)) = others.iter().find(|(_, given)| *given) {
            let what = format!("{option} does not apply to junior, which is solved in seconds");
            return Err(Failure::usage(what).at(option).next("leave it out"));
        }
        let out = (!self.no_file).then_some(self.out.as_deref());
        let solving = junior::Solving {
            reading: junior::reading(self.reading)?,
            out,
            memory: self.memory,
            threads: self.threads,
            format: self.format,
            talk: self.talk,
        };
        solving.run()
    }

    /// Writes in how many plies each position that `file` lists is lost.
    fn write_plies(&self, game: &Game, file: &Path, left: Left) -> Result<Plies, Failure> {
        let signals = Signals::catch(left);
        let progress = Progress::new("counting plies", self.talk);
        let mut listener = |Counted { plies, done, of, positions }| {
            progress.so_far(|| {
                format!("ply {plies}, step {done} of {of}, {} positions", grouped(positions.into()))
            });
            signals.goes_on()
        };
        let find = || crate::explain::plies_of_losses(game, &mut listener);
        let listed = on_threads(self.threads.count(), find)?.map_err(|error| match error {
            PliesError::Interrupted => signals.failure(),
            error => Failure::unavailable(error),
        })?;
        let mut positions = BTreeMap::new();
        for &(_, plies) in listed.iter().flatten() {
            *positions.entry(plies).or_insert(0) += 1;
        }
        let solved = Store::open(file)?;
        let bytes = store::encode_plies(&solved, &listed)
            .ok_or_else(|| Failure::new(Exit::Bug, "the plies are not of the positions that were solved"))?;
        let place = store::plies_beside(file);
        write_whole(&place, &bytes, left)?;
        Ok(Plies { place, bytes: bytes.len() as u64, positions })
    }

    /// The command for a solve that several processes do together and report on, and that writes no file.
    pub(in crate::cli) fn reporting(
        game: &Game,
        (files, memory, threads): (Files, Memory, Threads),
        (format, talk): (Format, Talk),
    ) -> SolveArgs {
        SolveArgs {
            variant: Subject::Gobblet(game.variant),
            reading: game.reading,
            discipline: Discipline::FREE,
            out: None,
            longest: false,
            distances: false,
            no_file: true,
            files,
            memory,
            threads,
            format,
            talk,
        }
    }

    /// Reports the result of a solve that writes no file.
    pub(in crate::cli) fn report_solved(&self, solution: &Solution, started: Instant) -> Result<(), Failure> {
        let solved_s = started.elapsed().as_secs_f64();
        let outcomes = solution.outcomes();
        self.report(solution, &Done { outcomes, longest: None, file: None, plies: None, solved_s, started })
    }

    fn report(&self, solution: &Solution, done: &Done<'_>) -> Result<(), Failure> {
        let Done { outcomes, longest, file, plies, solved_s, started } = done;
        let game = solution.game();
        let mut out = Out::new();
        let first = Color::ALL.map(|first| solution.value(first));
        let word = |value| match (value, self.discipline.keeper()) {
            // Other white answers may be safe.
            (Value::Loss, Some(Color::White)) => "open",
            // Other black moves may win.
            (Value::Draw, Some(Color::Black)) => "open",
            (Value::Loss, Some(Color::Black)) => "lost",
            (value, _) => word(game, value),
        };
        let [white_first, black_first] = first.map(word);
        // Where the sides are not alike, the claim is that White holds whoever moves first.
        let value = word(if solution.is_symmetric() { first[0] } else { first[0].min(first[1]) });
        let winning = match self.discipline.keeper() {
            Some(Color::White) => Vec::new(),
            None | Some(Color::Black) => winning_first_moves(solution),
        };
        let positions: u128 =
            outcomes.iter().map(|outcome| outcome.held.white.safe + outcome.held.white.lost).sum();
        let elapsed_s = started.elapsed().as_secs_f64();
        if self.format.json {
            return out.json(&json!({
                "variant": game.variant.to_string(),
                "reading": self.reading.tag(),
                "discipline": self.discipline.to_string(),
                "value": value,
                "white_first": white_first,
                "black_first": black_first,
                "black_wins_by": winning.iter().map(Move::to_string).collect::<Vec<_>>(),
                "positions": positions,
                "counts": counts(&total(outcomes)),
                "tiers": outcomes.iter().map(tier).collect::<Vec<_>>(),
                "rounds": solution.rounds(),
                "longest_win": longest.map(|longest| longest.map(|longest| json!({
                    "plies": longest.plies,
                    "position": longest.position.map(|position| position.to_string()),
                }))),
                "solved_s": solved_s,
                "elapsed_s": elapsed_s,
                "file": file.map(|(path, _)| shown(path)),
                "bytes": file.map(|(_, bytes)| bytes),
                "plies_file": plies.as_ref().map(|plies| shown(&plies.place)),
                "plies_bytes": plies.as_ref().map(|plies| plies.bytes),
                "lost_in": plies.as_ref().map(|plies| {
                    let one = |(plies, positions)| json!({ "plies": plies, "positions": positions });
                    plies.positions.iter().map(one).collect::<Vec<_>>()
                }),
            }));
        }
        let tiers: &[TierOutcome] = if self.talk.verbose { outcomes } else { &[] };
        out.line(&table(outcomes, tiers))?;
        let who = if solution.is_symmetric() { "the side that moves first" } else { "White" };
        if let Some(keeper) = self.discipline.keeper() {
            let keeper = if keeper == Color::White { "White" } else { "Black" };
            out.line(&format!("{keeper} keeps to {}: what is outside is not counted", self.discipline))?;
        }
        out.line(&format!(
            "{} {}: {value} for {who} (White first: {white_first}, Black first: {black_first})",
            game.variant, game.reading
        ))?;
        if !winning.is_empty() {
            let moves: Vec<String> = winning.iter().map(Move::to_string).collect();
            out.line(&format!("first moves by which Black wins, one of each kind: {}", moves.join(" ")))?;
        }
        // Each position is solved for both sides to move, and counts once. With --dir there is no rate: earlier runs may
        // have done some of the work.
        let rate = positions as f64 / *solved_s / 1e6;
        let rate =
            if !self.files.are_named() { format!(", {rate:.0} million a second") } else { String::new() };
        out.line(&format!(
            "{} positions, either side to move; solved in {solved_s:.2} s{rate}; sets of {} MiB{}",
            grouped(positions),
            grouped(u128::from(solution.bytes() >> 20)),
            match solution.bytes_in_files() >> 20 {
                0 => String::new(),
                files => format!(" in memory, {} MiB in files", grouped(files.into())),
            },
        ))?;
        match longest {
            Some(Some(longest)) => {
                let LongestWin { plies, position } = longest;
                let from = match position {
                    Some(position) => format!(", from {position}"),
                    None => String::from("; the search for a position from which it does was given up"),
                };
                out.line(&format!("the longest forced win takes {plies} plies{from}"))?;
            }
            Some(None) => out.line("nobody can force a line from a position that has none")?,
            None => {}
        }
        if let Some((path, bytes)) = *file {
            let share = bytes as f64 / positions as f64;
            let text = format!("{}: {} bytes, {share:.5} a position", shown(path), grouped(bytes.into()));
            out.line(&text)?;
        }
        if let Some(Plies { place, bytes, .. }) = plies {
            out.line(&format!("{}: {} bytes", shown(place), grouped((*bytes).into())))?;
        }
        Ok(())
    }
}

/// What there is to report.
struct Done<'a> {
    outcomes: Vec<TierOutcome>,
    /// The longest win, if it was asked for; the inner `None` says that there is no win.
    longest: Option<Option<LongestWin>>,
    file: Option<(&'a Path, u64)>,
    plies: Option<Plies>,
    /// The seconds until everything was solved.
    solved_s: f64,
    started: Instant,
}

/// The file of plies that was written.
struct Plies {
    place: PathBuf,
    bytes: u64,
    /// For each number of plies, how many of the listed canonical positions are lost in that many plies.
    positions: BTreeMap<u8, u64>,
}

/// The moves from the empty board by which Black wins; of moves that a symmetry makes equal, the first.
fn winning_first_moves(solution: &Solution) -> Vec<Move> {
    let (game, start) = (solution.game(), Position::empty(Color::Black));
    let mut seen = HashSet::new();
    let wins = |mv: &Move| match game.play_unchecked(&start, *mv) {
        Outcome::BlackWins => true,
        Outcome::WhiteWins => false,
        Outcome::GoesOn(next) => solution.is_lost(&next) && seen.insert(symmetry::canonical(&next)),
    };
    game.moves(&start).filter(wins).collect()
}

/// The sums over all tiers.
fn total(outcomes: &[TierOutcome]) -> TierOutcome {
    let mut sum = outcomes[0];
    for outcome in &outcomes[1..] {
        for turn in Color::ALL {
            sum.held[turn].safe += outcome.held[turn].safe;
            sum.held[turn].lost += outcome.held[turn].lost;
            if let (Some(sum), Some(worth)) = (&mut sum.worth, &outcome.worth) {
                sum[turn].wins += worth[turn].wins;
                sum[turn].draws += worth[turn].draws;
                sum[turn].losses += worth[turn].losses;
            }
        }
    }
    sum
}

fn counts(outcome: &TierOutcome) -> Json {
    let held = |held: Held| json!({ "safe": held.safe, "lost": held.lost });
    let worth = |worth: Worth| json!({ "wins": worth.wins, "draws": worth.draws, "losses": worth.losses });
    let side =
        |turn| outcome.worth.as_ref().map_or_else(|| held(outcome.held[turn]), |sides| worth(sides[turn]));
    json!({ "white_to_move": side(Color::White), "black_to_move": side(Color::Black) })
}

fn tier(outcome: &TierOutcome) -> Json {
    let mut counts = counts(outcome);
    counts["tier"] = outcome.tier.to_string().into();
    counts
}

/// The counts of some tiers and of all.
fn table(all: &[TierOutcome], tiers: &[TierOutcome]) -> String {
    use Align::{Left, Right};
    let sum = total(all);
    let columns: &[_] = if sum.worth.is_some() {
        &[("tier", Left), ("to move", Left), ("wins", Right), ("draws", Right), ("losses", Right)]
    } else {
        &[("tier", Left), ("to move", Left), ("White holds", Right), ("lost", Right)]
    };
    let mut table = Table::new(columns);
    let mut add = |name: String, outcome: &TierOutcome| {
        for turn in Color::ALL {
            let counts = match &outcome.worth {
                Some(worth) => vec![worth[turn].wins, worth[turn].draws, worth[turn].losses],
                None => vec![outcome.held[turn].safe, outcome.held[turn].lost],
            };
            let counts = counts.into_iter().map(grouped);
            table.row([name.clone(), turn.to_string()].into_iter().chain(counts));
        }
    };
    for outcome in tiers {
        add(outcome.tier.to_string(), outcome);
    }
    add("all".to_owned(), &sum);
    table.text()
}
