//! `gobprove explain`: what is known of a position, and why.

pub(super) mod basis;
mod report;
mod settle;

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use clap::Args;

use super::{junior, query};
use crate::cli::console::args::{self, Format, Subject, Talk, Threads};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::position;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::Out;
use crate::cli::console::work::on_threads;
use crate::explain::PliesOfLosses;
use crate::explain::forced_win::{Ply, Search, search};
use crate::explain::knowledge::{Knowledge, Safety};
use crate::explain::listed_win::{ListedWin, Met, TooManyListed};
use crate::explain::solved_file::AskedFile;
use crate::picture::{Frame, png, strip};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading, Variant};

use crate::store::{System, write_file};
use basis::{Basis, EmptyBoard};
use report::Report;
use settle::Settling;

const AFTER_HELP: &str = "\
A position is written rank by rank from rank 4 down, ranks separated by '/', squares by ','. Each
square lists its pieces from the top, White's upper-case and Black's lower-case, '.' for none; then
a space and the side to move, w or b. A digit stands for as many empty squares, as in 4/4/1,A,2/3,a w;
`start` is the empty board with White to move, `start b` with Black; and a board as explain draws it
can be pasted back. Several positions, or `-` for those on stdin, a line or a board each, are answered
in order, with --json by an object on a line of its own. One that cannot be read is told of in its
place, and the exit code says so at the end.

explain goes by the certificates that ship and by the file that gobprove solve left in this folder, or
by the files that --certificate and --solved name. It checks none of them. A small game is solved on
the spot unless a file with distances is here. Where nothing is known of a game, a short search looks
for a forced win.

Black's forced win is shown whoever called the position lost: the shortest, or one that a refutation
has, which may take longer. White's moves then stand in order, the one that holds out longest first.
Only the next moves are shown where a refutation goes on to more than 35,000 of its positions, unless
--to-the-end asks for all, which may take minutes; and where a solved variant has no distances.

What certificates leave open a short search settles where it can, and the rest is called not known: a
move that is not known to be safe may be safe all the same. If the position itself is not known the exit
code is 3.

In junior the ranks go from 3 down and the pieces are L, M and S: L,2/1,s,1/3 w. What gobprove solve
junior wrote is read if it is here; else the game is solved on the spot, in some ten seconds. Keys of
its JSON object: variant, reading, position, turn; value (win, draw or loss for the side to move),
plies, decided, and line, the play to the end.

Examples:
  gobprove explain 'a,.,.,./.,a,.,./.,.,A,./.,.,.,. w'
  gobprove explain '.,.,b,./A,a,.,./.,.,a,A/Ab,ab,.,. b' --svg win.svg
  gobprove explain 'A,3/1,a,2/4/2,Ab,1 w' --png board.png
  gobprove explain '.,.,.,./.,.,.,./.,.,.,./.,.,.,. b' --reading robust
  gobprove explain start --moves 'A@a1 a@b2 a1-c3'
  gobprove explain - --json < positions.txt
  gobprove explain 'a,.,.,./.,a,.,./.,.,A,./.,.,.,. w' --certificate my.gobcert --json
  gobprove explain '.,.,.,./.,.,.,./.,.,.,./.,.,.,. w' --variant A3-A3B3C1
  gobprove explain 'L,2/1,s,1/3 w' --variant junior

Keys of the JSON object of other variants, null where they do not apply:
  variant, reading, position, turn   what was asked
  basis                              what the answer goes by
  value                              safe, lost or unknown
  decided                            the side whose line stands
  position_type                      of the thesis: AAA, AAAb, AAbAb, AAAB, AAAbB, AAABB
  threats, double_threats            squares of Black's; double ones with the square they share
  wins_in, line                      plies of Black's forced win; its moves (by, move, position before)
  white_wins_in, white_wins_by       plies of White's, and its move if White is to move: by a solved variant
                                     with distances in which both sides have the same pieces
  not_within                         if unknown: Black forces no win within this number of plies
  moves, plays                       White to move and not lost: how many moves, the closure's
  known_safe, known_lost, unknown    the moves by what is known of them
  black_moves                        Black to move and safe: each move, how many of White's answers
                                     are known_safe, known_lost and unknown, and what the closure
                                     plays; no numbers: the move ends the game
  white_moves                        White to move and lost: each move with Black's
                                     answer, no answer: Black has won; and in how many plies Black
                                     wins, null if that was not worked out
  black_wins_by                      Black to move, and the line was not worked out: a move that wins";

/// The most positions that a search for a forced win looks at: a second or two. The lost positions of `ab`
/// take milliseconds.
const MOST_SEARCHED: u64 = 100_000;

/// The lower limit for a file without plies that already says that Black wins: each position costs many questions to the
/// file.
const MOST_SEARCHED_IF_LOST: u64 = 10_000;

/// The most listed positions of a refutation that Black's win is laid out from without `--to-the-end`: some two seconds of
/// a core.
const MOST_LISTED: usize = 35_000;

/// Explain positions: safe or lost, White's safe replies, Black's forced win
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ExplainArgs {
    #[command(flatten)]
    asked: Asked,
    /// The variant: a name, or material spelled out; or junior [default: that of what is given, else ab]
    #[arg(long, value_name = "V", value_parser = args::subject)]
    variant: Option<Subject>,
    /// How the rules are read [default: that of what is given, else official]
    #[arg(long, value_name = "R", value_parser = args::reading())]
    reading: Option<Reading>,
    /// A certificate to go by instead of what ships; may be given several times
    #[arg(long = "certificate", value_name = "FILE")]
    certificates: Vec<PathBuf>,
    /// A solved variant to go by instead of what ships [default: what ships together with
    /// VARIANT-READING.gobsolved of this folder, if that file is there and no certificate is given]
    #[arg(long, value_name = "FILE")]
    solved: Option<PathBuf>,
    /// Lay out Black's win by a refutation to its end, however long that takes
    #[arg(long)]
    to_the_end: bool,
    /// Draw the position into this file too, as SVG, and Black's forced win board by board if there is one
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    svg: Option<PathBuf>,
    /// The same picture as PNG. Both may be given
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    png: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// What a position is worth, after all that was tried.
enum Verdict {
    /// A line of this side stands.
    Decided(Color),
    /// White holds.
    Safe,
    /// Black wins by force, by this line; and the answer to each white move, if that was worked out.
    Lost(Vec<Ply>, Option<Vec<Met>>),
    /// Black wins by a refutation, or by a solution that does not say how soon.
    Refuted(Refuted),
    /// The value of the empty board, by a certificate of another game.
    Follows {
        /// Whether Black wins.
        is_lost: bool,
    },
    /// Neither White's hold nor Black's win is known.
    Unknown {
        /// Whether a cut keeps out of the position.
        avoided: bool,
        /// Black does not force a win within this number of plies.
        plies: u32,
    },
}

/// How Black keeps its win.
enum Refuted {
    /// By this line of the refutation; and the answer to each white move, if White is to move.
    By(Vec<Ply>, Option<Vec<Met>>),
    /// The win is not laid out: too many positions are listed, or a solution has no plies. The list has a black move that
    /// keeps the win for each white move, or a single one if Black is to move.
    Long(Option<TooManyListed>, Vec<Kept>),
}

/// A white move, if White is to move, and a black one that keeps the win; `None` if the white move itself ends the game.
type Kept = (Option<Move>, Option<Move>);

/// How Black keeps a win that it is known to have, whatever White does.
fn kept(known: &Knowledge, position: &Position) -> Vec<Kept> {
    let answer = |position: &Position| {
        let keeps = known.moves(position).into_iter().find(|(_, value)| *value == Safety::Avoided);
        keeps.map(|(mv, _)| mv)
    };
    if position.turn() == Color::Black {
        return vec![(None, answer(position))];
    }
    let game = known.game();
    let met = |mv| match game.play_unchecked(position, mv) {
        Outcome::GoesOn(question) => (Some(mv), answer(&question)),
        Outcome::BlackWins | Outcome::WhiteWins => (Some(mv), None),
    };
    game.moves(position).map(met).collect()
}

/// How Black wins in a solved game. It is worked out when it is first asked for, since a solution says that Black wins, and
/// not how soon.
struct Solved {
    /// The solution in a file, which may have the plies.
    file: Option<Arc<AskedFile>>,
    win: OnceLock<Option<ListedWin>>,
}

impl Solved {
    fn win(&self, known: &Knowledge) -> Option<&ListedWin> {
        let find = || {
            if let Some(win) = self.file.clone().and_then(ListedWin::of_file) {
                return Some(win);
            }
            if !known.is_solved() {
                return None;
            }
            let plies = PliesOfLosses::new(known.game(), &mut |_| ControlFlow::Continue(())).ok()?;
            Some(ListedWin::of_solved(known.game(), plies))
        };
        self.win.get_or_init(find).as_ref()
    }
}

/// What the explanations of a game go by.
struct Grounds {
    known: Knowledge,
    solved: Solved,
    /// The names of the sources.
    names: Vec<String>,
    empty: Option<EmptyBoard>,
}

/// What a win may be laid out by.
struct Means<'a> {
    /// The most listed positions of a refutation that a win is laid out from.
    listed: usize,
    solved: &'a Solved,
    progress: &'a Progress,
}

/// Black's win: the line and, if White is to move, the answer to each white move, with the move that holds out longest
/// first.
fn laid_out(win: &ListedWin, position: &Position) -> (Vec<Ply>, Option<Vec<Met>>) {
    let met = || {
        let mut met = win.met(position);
        met.sort_by_key(|met| Reverse(met.plies));
        met
    };
    (win.line(position), (position.turn() == Color::White).then(met))
}

impl Verdict {
    fn of(known: &Knowledge, settling: &mut Settling<'_>, position: &Position, means: &Means<'_>) -> Verdict {
        if let Some(winner) = position.finished() {
            return Verdict::Decided(winner);
        }
        let value = known.value(position);
        if value == Safety::Safe {
            return Verdict::Safe;
        }
        // The shortest win, if that is at hand.
        if let (Safety::Avoided, Some(win)) = (value, means.solved.win(known)) {
            let (line, met) = laid_out(win, position);
            return Verdict::Lost(line, met);
        }
        if let (Safety::Avoided, Some(set)) = (value, known.refutation()) {
            let mut heard = |listed, open| means.progress.growing(listed, open);
            match ListedWin::new(known.game(), set, position, means.listed, &mut heard) {
                Ok(Some(win)) => {
                    let (line, met) = laid_out(&win, position);
                    return Verdict::Refuted(Refuted::By(line, met));
                }
                Err(more) => return Verdict::Refuted(Refuted::Long(Some(more), kept(known, position))),
                // The refutation does not say that Black wins here.
                Ok(None) => {}
            }
        }
        if settling.reaches_safety(position) {
            return Verdict::Safe;
        }
        let may_be_lost = |position: &Position| known.value(position) != Safety::Safe;
        let is_lost = value == Safety::Avoided && means.solved.file.is_some();
        let most = if is_lost { MOST_SEARCHED_IF_LOST } else { MOST_SEARCHED };
        match search(known.game(), position, &may_be_lost, most) {
            Search::Win(line) => Verdict::Lost(line, None),
            Search::NoWin { .. } if is_lost => Verdict::Refuted(Refuted::Long(None, kept(known, position))),
            Search::NoWin { plies } => Verdict::Unknown { avoided: value == Safety::Avoided, plies },
        }
    }
}

impl ExplainArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The position does not belong to the variant, or a certificate cannot be read, is for another game, or ships and is not at
    /// hand.
    pub fn run(&self) -> Ended {
        if self.variant == Some(Subject::Junior) {
            return self.junior();
        }
        if self.is_drawn() {
            self.draw_position()?;
        }
        let basis = Basis::choose(self)?;
        let grounds = Grounds {
            known: Knowledge::new(basis.game, basis.sources),
            solved: Solved { file: basis.file, win: OnceLock::new() },
            names: basis.names,
            empty: basis.empty,
        };
        self.asked.each(&basis.game, "explain", self.format.json, &mut Out::new(), |out, position| {
            self.answer(&grounds, position, out)
        })
    }

    /// Explains positions of the game on nine squares.
    fn junior(&self) -> Ended {
        if self.is_drawn() || !self.certificates.is_empty() || self.to_the_end {
            let what = "--svg, --png, --certificate and --to-the-end do not apply to junior";
            return Err(Failure::usage(what).at("--variant").next("leave them out"));
        }
        let reading = junior::reading(self.reading.unwrap_or(Reading::Official))?;
        junior::read_ahead(reading, &self.asked)?;
        let solved = junior::open_or_solve(reading, self.solved.as_deref(), self.threads, self.talk)?;
        junior::explain(&solved, &self.asked, self.format)
    }

    /// Whether a picture is asked for.
    fn is_drawn(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// The variant of Gobblet that is asked about.
    fn gobblet(&self) -> Option<Variant> {
        match self.variant {
            Some(Subject::Gobblet(variant)) => Some(variant),
            Some(Subject::Junior) | None => None,
        }
    }

    /// Draws the position, whatever is known of it.
    fn draw_position(&self) -> Result<(), Failure> {
        if !self.asked.is_one() {
            let option = if self.svg.is_some() { "--svg" } else { "--png" };
            return Err(Failure::usage(format!("{option} draws one position")).next("give one POSITION"));
        }
        let variant = self.gobblet().unwrap_or_else(|| position::full().variant);
        let game = Game::new(variant, self.reading.unwrap_or(Reading::Official));
        let drawn = self.asked.each(&game, "explain", self.format.json, &mut Out::new(), |_, position| {
            self.draw(&[Frame::new(position, None, format!("{} to move", position.turn()))])?;
            Ok(Exit::Done)
        });
        drawn.map(drop)
    }

    fn draw(&self, frames: &[Frame]) -> Result<(), Failure> {
        let svg = strip(frames);
        if let Some(file) = &self.svg {
            write_file(&System, file, svg.as_bytes())?;
        }
        if let Some(file) = &self.png {
            let png = png(&svg).map_err(Failure::unavailable)?;
            write_file(&System, file, &png)?;
        }
        Ok(())
    }

    /// Prints what a position is worth, and why.
    fn answer(&self, grounds: &Grounds, position: &Position, out: &mut Out) -> Ended {
        let Grounds { known, solved, empty, .. } = grounds;
        let game = known.game();
        let mut settling = Settling::new(known);
        if !self.format.json {
            out.line(&format!("{}{position}\n", position.drawing()))?;
        }
        let progress = Progress::new(format!("looking at {} {}", game.variant, game.reading), self.talk);
        let listed = if self.to_the_end { usize::MAX } else { MOST_LISTED };
        let means = Means { listed, solved, progress: &progress };
        let explain = || {
            let mut verdict = Verdict::of(known, &mut settling, position, &means);
            if let (Verdict::Unknown { .. }, Some(empty)) = (&verdict, empty)
                && *position == Position::empty(position.turn())
            {
                verdict = Verdict::Follows { is_lost: empty.is_lost };
            }
            let report = Report::new(grounds, &mut settling, position, &verdict);
            (verdict, report)
        };
        let (verdict, report) = on_threads(self.threads.count(), explain)?;
        drop(progress);
        if let Some(error) = solved.file.as_ref().and_then(|file| file.trouble()) {
            return Err(query::cannot_use(error, known.game(), self.solved.as_deref()));
        }
        if let Verdict::Lost(line, _) | Verdict::Refuted(Refuted::By(line, _)) = &verdict
            && !line.is_empty()
        {
            self.draw(&report::frames(line))?;
        }
        match (self.format.json, self.asked.is_one()) {
            (true, true) => out.json(&report)?,
            (true, false) => out.json_line(&report)?,
            (false, true) => out.line(&report.text(grounds, position, &verdict))?,
            // An empty line separates several explanations.
            (false, false) => out.line(&format!("{}\n", report.text(grounds, position, &verdict)))?,
        }
        Ok(if matches!(verdict, Verdict::Unknown { .. }) { Exit::Inconclusive } else { Exit::Done })
    }
}
