//! An explanation as JSON and as text.

use std::path::Path;

use serde::Serialize;

use super::basis::EmptyBoard;
use super::settle::{Moves, Settling};
use super::{Grounds, Refuted, Verdict};
use crate::cli::commands::solve::{command, file_name};
use crate::cli::console::lattice::computed_in_words;
use crate::cli::console::report::{Align, Table, grouped};
use crate::explain::forced_win::{MOST_PLIES, Ply};
use crate::explain::knowledge::{Knowledge, Safety};
use crate::explain::listed_win::{Met, TooManyListed};
use crate::notation::{Piece, Setup};
use crate::picture::Frame;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, LINES, Move, Outcome, Position};
use crate::strategy::thesis::{PositionType, notions};

/// What is said of a position.
#[derive(Serialize)]
pub(super) struct Report {
    variant: String,
    reading: &'static str,
    position: String,
    turn: &'static str,
    basis: Vec<String>,
    value: &'static str,
    decided: Option<&'static str>,
    position_type: Option<&'static str>,
    threats: Vec<Vec<String>>,
    double_threats: Vec<DoubleThreat>,
    wins_in: Option<usize>,
    white_wins_in: Option<u32>,
    white_wins_by: Option<String>,
    line: Option<Vec<LineMove>>,
    not_within: Option<u32>,
    moves: Option<usize>,
    known_safe: Option<Vec<String>>,
    known_lost: Option<Vec<String>>,
    unknown: Option<Vec<String>>,
    plays: Option<String>,
    black_moves: Option<Vec<BlackMove>>,
    white_moves: Option<Vec<WhiteMove>>,
    black_wins_by: Option<String>,
}

/// Two crossing lines without a white A that hold five visible black pieces or more.
#[derive(Serialize)]
struct DoubleThreat {
    squares: Vec<String>,
    shared: String,
}

/// A move of Black's forced win.
#[derive(Serialize)]
struct LineMove {
    by: &'static str,
    #[serde(rename = "move")]
    mv: String,
    position: String,
}

/// A black move from a safe position.
#[derive(Serialize)]
struct BlackMove {
    #[serde(rename = "move")]
    mv: String,
    /// The numbers of white answers that are known to be safe, known to be lost, and neither; `None` if the move ends the
    /// game.
    known_safe: Option<usize>,
    known_lost: Option<usize>,
    unknown: Option<usize>,
    plays: Option<String>,
}

/// A white move from a position that Black wins.
#[derive(Serialize)]
struct WhiteMove {
    #[serde(rename = "move")]
    mv: String,
    /// Black's answer; `None` if the move wins for Black.
    answer: Option<String>,
    /// How many plies Black needs after the move, if that was worked out.
    wins_in: Option<u32>,
}

impl WhiteMove {
    fn new(met: &Met) -> WhiteMove {
        let answer = met.answer.map(|mv| mv.to_string());
        WhiteMove { mv: met.mv.to_string(), answer, wins_in: Some(met.plies) }
    }
}

impl BlackMove {
    fn new(known: &Knowledge, settling: &mut Settling<'_>, position: &Position, mv: Move) -> BlackMove {
        let (answers, plays) = match known.game().play_unchecked(position, mv) {
            Outcome::GoesOn(question) => (Some(settling.moves(&question)), known.answer(&question)),
            Outcome::WhiteWins | Outcome::BlackWins => (None, None),
        };
        let answers = answers.as_ref();
        BlackMove {
            mv: mv.to_string(),
            known_safe: answers.map(|answers| answers.safe.len()),
            known_lost: answers.map(|answers| answers.lost.len()),
            unknown: answers.map(|answers| answers.unknown.len()),
            plays: plays.map(|mv| mv.to_string()),
        }
    }
}

impl Report {
    pub(super) fn new(
        grounds: &Grounds,
        settling: &mut Settling<'_>,
        position: &Position,
        verdict: &Verdict,
    ) -> Report {
        let known = &grounds.known;
        let basis = match (verdict, &grounds.empty) {
            (Verdict::Follows { .. }, Some(empty)) => vec![empty.file.clone()],
            // A search found the win.
            (Verdict::Lost(..), _) if known.value(position) == Safety::Unknown => Vec::new(),
            _ => grounds.names.clone(),
        };
        let game = known.game();
        let may_hold =
            matches!(verdict, Verdict::Safe | Verdict::Unknown { .. } | Verdict::Follows { is_lost: false });
        let white_answers = may_hold && position.turn() == Color::White;
        let moves = white_answers.then(|| settling.moves(position));
        let listed = |of: fn(&Moves) -> &Vec<Move>| {
            moves.as_ref().map(|moves| of(moves).iter().map(Move::to_string).collect())
        };
        let black_asks = matches!(verdict, Verdict::Safe) && position.turn() == Color::Black;
        let (line, met) = match verdict {
            Verdict::Lost(line, met) => (Some(line.as_slice()), met.as_deref()),
            Verdict::Refuted(Refuted::By(line, met)) => (Some(line.as_slice()), met.as_deref()),
            Verdict::Decided(Color::Black) => (Some(&[][..]), None),
            _ => (None, None),
        };
        let line_move = |step: &Ply| LineMove {
            by: step.position.turn().name(),
            mv: step.mv.to_string(),
            position: step.position.to_string(),
        };
        let double_threat = |(lines, shared): (Bitboard, Bitboard)| DoubleThreat {
            squares: squares(lines),
            shared: squares(shared).concat(),
        };
        Report {
            variant: game.variant.to_string(),
            reading: game.reading.tag(),
            position: position.to_string(),
            turn: position.turn().name(),
            basis,
            value: match verdict {
                Verdict::Safe | Verdict::Decided(Color::White) | Verdict::Follows { is_lost: false } => {
                    "safe"
                }
                Verdict::Lost(..)
                | Verdict::Refuted(_)
                | Verdict::Decided(Color::Black)
                | Verdict::Follows { is_lost: true } => "lost",
                Verdict::Unknown { .. } => "unknown",
            },
            decided: match verdict {
                Verdict::Decided(color) => Some(color.name()),
                _ => None,
            },
            // The thesis has types for positions of ab only.
            position_type: (game.variant.name() == Some("ab"))
                .then(|| PositionType::of(position).map(PositionType::name))
                .flatten(),
            threats: notions::threats(position).map(squares).collect(),
            double_threats: notions::double_threats(position).map(double_threat).collect(),
            wins_in: line.map(<[Ply]>::len),
            white_wins_in: known.white_wins_in(position),
            white_wins_by: known.white_wins_by(position).map(|mv| mv.to_string()),
            line: line.map(|line| line.iter().map(line_move).collect()),
            not_within: match verdict {
                Verdict::Unknown { plies, .. } => Some(*plies),
                _ => None,
            },
            moves: white_answers.then(|| game.moves(position).count()),
            known_safe: listed(|moves| &moves.safe),
            known_lost: listed(|moves| &moves.lost),
            unknown: listed(|moves| &moves.unknown),
            plays: white_answers.then(|| known.answer(position)).flatten().map(|mv| mv.to_string()),
            black_moves: black_asks.then(|| {
                game.moves(position).map(|mv| BlackMove::new(known, settling, position, mv)).collect()
            }),
            white_moves: match verdict {
                Verdict::Refuted(Refuted::Long(_, kept)) if position.turn() == Color::White => {
                    let white = |(mv, answer): &(Option<Move>, Option<Move>)| WhiteMove {
                        mv: mv.map(|mv| mv.to_string()).unwrap_or_default(),
                        answer: answer.map(|answer| answer.to_string()),
                        wins_in: None,
                    };
                    Some(kept.iter().map(white).collect())
                }
                _ => met.map(|met| met.iter().map(WhiteMove::new).collect()),
            },
            black_wins_by: match verdict {
                Verdict::Refuted(Refuted::Long(_, kept)) => match kept.as_slice() {
                    [(None, answer)] => answer.map(|answer| answer.to_string()),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// For people, below the board: what it is worth, and why.
    pub(super) fn text(&self, grounds: &Grounds, position: &Position, verdict: &Verdict) -> String {
        let (known, empty) = (&grounds.known, grounds.empty.as_ref());
        let mut text = String::new();
        let value = match verdict {
            Verdict::Decided(color) => format!("{}: a line of {color} stands", self.value),
            Verdict::Safe => match self.white_wins_in {
                Some(wins_in) => {
                    let by = self.white_wins_by.as_ref().map(|mv| format!(", by {mv}"));
                    format!("safe: White wins in {}{}", plies(wins_in as usize), by.unwrap_or_default())
                }
                None => "safe: White can go on for ever without losing".to_owned(),
            },
            Verdict::Lost(line, _) => format!("lost: Black wins in {}", plies(line.len())),
            Verdict::Refuted(Refuted::By(line, _)) => {
                format!("lost: by the refutation Black wins in at most {}", plies(line.len()))
            }
            Verdict::Refuted(Refuted::Long(None, _)) => format!(
                "lost: Black wins by the solved variant, which does not say how soon; {} writes that too",
                self.solving(known)
            ),
            Verdict::Refuted(Refuted::Long(Some(TooManyListed(most)), _)) => {
                let most = grouped(*most as u128);
                format!(
                    "lost, by the refutation: more than {most} listed positions follow, too many to say at once how soon Black \
                     wins; --to-the-end works that out"
                )
            }
            Verdict::Unknown { avoided, plies } => {
                let why = match empty {
                    Some(EmptyBoard { file, .. }) => {
                        format!("{file} says something of the empty board alone")
                    }
                    None if self.basis.is_empty() => computed_in_words(known.game())
                        .unwrap_or_else(|| "nothing is proven of this game".to_owned()),
                    None => why(known, *avoided).to_owned(),
                };
                format!("not known: {why}, and {}", not_within(*plies))
            }
            Verdict::Follows { is_lost } => {
                let value = if *is_lost { "Black wins" } else { "White can go on for ever without losing" };
                let why = empty.map(|empty| format!(", since {}", empty.why)).unwrap_or_default();
                format!("{}: {value}{why}", self.value)
            }
        };
        text.push_str(&format!("{} {} {value}\n", self.variant, self.reading));
        let by = match self.basis.as_slice() {
            [] if matches!(verdict, Verdict::Decided(_)) => "the rules".to_owned(),
            [] if !matches!(verdict, Verdict::Unknown { .. }) => "a short search".to_owned(),
            [] => format!(
                "no certificate; `gobprove estimate {}` says what making one would take",
                self.variant
            ),
            [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
            names => names.concat(),
        };
        text.push_str(&format!("by {by}\n"));
        if let Some(position_type) = self.position_type {
            text.push_str(&format!("type {position_type}, as the thesis names them\n"));
        }
        for threat in &self.threats {
            text.push_str(&format!("Black's threat: {}\n", threat.join(" ")));
        }
        for double in &self.double_threats {
            let squares = double.squares.join(" ");
            text.push_str(&format!("Black's double threat: {squares}, crossing on {}\n", double.shared));
        }
        match verdict {
            Verdict::Lost(line, _) | Verdict::Refuted(Refuted::By(line, _)) => {
                text.push_str(&self.answers());
                text.push_str(&self.forced_line(known, line));
            }
            Verdict::Refuted(Refuted::Long(..)) => match &self.black_wins_by {
                Some(mv) => text.push_str(&format!("\nBlack keeps the win by {mv}\n")),
                None => text.push_str(&self.answers()),
            },
            Verdict::Safe | Verdict::Unknown { .. } | Verdict::Follows { is_lost: false }
                if position.turn() == Color::White =>
            {
                text.push_str(&self.replies(known));
            }
            Verdict::Safe => text.push_str(&self.questions(known)),
            Verdict::Decided(_) | Verdict::Unknown { .. } | Verdict::Follows { .. } => {}
        }
        text.trim_end().to_owned()
    }

    /// The command that writes the solved variant with distances.
    fn solving(&self, known: &Knowledge) -> String {
        // The solved file is the first name.
        let file = self.basis.first().map(Path::new).filter(|file| **file != *file_name(known.game()));
        format!("{} --distances", command(known.game(), file))
    }

    fn forced_line(&self, known: &Knowledge, line: &[Ply]) -> String {
        let mut table = Table::new(&[
            ("ply", Align::Right),
            ("by", Align::Left),
            ("move", Align::Left),
            ("from", Align::Left),
        ]);
        for (ply, step) in (1..).zip(self.line.iter().flatten()) {
            table.row([format!("{ply}"), step.by.to_owned(), step.mv.clone(), step.position.clone()]);
        }
        let mut text = format!("\nWhite holds out as long as it can:\n{}\n", table.text());
        if let Some(end) = line.last().and_then(|step| after(known, step)) {
            let black = end.visible(Color::Black);
            let fours = LINES.into_iter().filter(|&line| black.includes(line));
            let fours: Vec<String> = fours.map(|line| squares(line).join(" ")).collect();
            // Nobody is to move any more.
            let drawing = end.drawing();
            let board = drawing.trim_end().trim_end_matches(&format!("{} to move", end.turn())).trim_end();
            text.push_str(&format!("\n{board}\n"));
            match fours.as_slice() {
                [] => text.push_str("the lift showed a black line, and the reading ends the game there\n"),
                fours => text.push_str(&format!("Black has four on {}\n", fours.join(" and on "))),
            }
        }
        text
    }

    /// The table of Black's answers to the white moves; empty if there are none.
    fn answers(&self) -> String {
        let Some(moves) = &self.white_moves else { return String::new() };
        let mut table = Table::new(&[
            ("White's move", Align::Left),
            ("Black's answer", Align::Left),
            (
                if moves.iter().any(|white| white.wins_in.is_some()) { "after it Black wins in" } else { "" },
                Align::Right,
            ),
        ]);
        for white in moves {
            let answer = white.answer.clone().unwrap_or_default();
            let wins_in = white.wins_in.map_or(String::new(), |wins_in| plies(wins_in as usize));
            table.row([white.mv.clone(), answer, wins_in]);
        }
        format!("\n{}\n", table.text())
    }

    fn replies(&self, known: &Knowledge) -> String {
        let mut text = format!("\nWhite has {} moves.\n", self.moves.unwrap_or_default());
        for (what, moves) in [
            ("known to be safe", &self.known_safe),
            ("known to be lost", &self.known_lost),
            ("not known", &self.unknown),
        ] {
            let moves = moves.as_deref().unwrap_or_default();
            if !moves.is_empty() {
                text.push_str(&format!("{what}, {}: {}\n", moves.len(), moves.join(" ")));
            }
        }
        match &self.plays {
            Some(mv) => text.push_str(&format!("the closure plays {mv}\n")),
            None if self.basis.is_empty() => {}
            None => text.push_str(&format!("{}\n", self.no_answer(known))),
        }
        text
    }

    fn questions(&self, known: &Knowledge) -> String {
        use Align::{Left, Right};
        let mut table = Table::new(&[
            ("Black's move", Left),
            ("White's answers: known safe", Right),
            ("known lost", Right),
            ("not known", Right),
            ("closure plays", Left),
        ]);
        let moves = self.black_moves.as_deref().unwrap_or_default();
        for black in moves {
            let cells = match (black.known_safe, black.known_lost, black.unknown) {
                (Some(safe), Some(lost), Some(unknown)) => {
                    let plays = black.plays.clone().unwrap_or_else(|| "-".to_owned());
                    [safe.to_string(), lost.to_string(), unknown.to_string(), plays]
                }
                _ => ["White wins".to_owned(), String::new(), String::new(), String::new()],
            };
            table.row([black.mv.clone()].into_iter().chain(cells));
        }
        let mut text = format!("\n{}\n", table.text());
        if moves.iter().any(|black| black.known_safe.is_some() && black.plays.is_none()) {
            text.push_str(&format!("-: {}\n", self.no_answer(known)));
        }
        text
    }

    fn no_answer(&self, known: &Knowledge) -> &'static str {
        if known.has_closure() {
            "the closure does not come here, and so has no answer"
        } else {
            "no closure is at hand to answer"
        }
    }
}

/// Why certificates do not know a position.
fn why(known: &Knowledge, avoided: bool) -> &'static str {
    match (avoided, known.refutation()) {
        (true, None) => "the cut lists it among the positions that White avoids",
        (true, Some(_)) => "a source says that Black wins, but names no moves",
        (false, None) => "not in the closure",
        (false, Some(_)) => "not in the refutation",
    }
}

/// How far a search for Black's win went.
fn not_within(plies: u32) -> String {
    let within = format!("Black has no forced win within {}", self::plies(plies as usize));
    if plies >= MOST_PLIES { within } else { format!("{within}; the search went no further") }
}

fn plies(count: usize) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}

fn squares(mask: Bitboard) -> Vec<String> {
    mask.squares().map(|square| square.to_string()).collect()
}

/// The boards of a forced win: one before each ply, and the last one.
pub(super) fn frames(line: &[Ply]) -> Vec<Frame> {
    let before = (1..).zip(line).map(|(ply, step)| {
        Frame::new(&step.position, Some(step.mv), format!("{ply}. {} {}", step.position.turn(), step.mv))
    });
    let last = line.last().and_then(ended);
    let last = last.map(|setup| Frame { setup, mv: None, caption: format!("after {} plies", line.len()) });
    before.chain(last).collect()
}

/// The board after a move that ends the game. `None` only for a move that the position does not have.
fn after(known: &Knowledge, step: &Ply) -> Option<Position> {
    ended(step)?.position(known.game().variant).ok()
}

/// What stands after a move, whether or not it ends the game. `None` only for a move that the position does not have.
fn ended(step: &Ply) -> Option<Setup> {
    let mut setup = Setup::from(&step.position);
    let mover = step.position.turn();
    let (piece, to) = match step.mv {
        Move::Place { size, to } => (Piece { color: mover, size }, to),
        Move::Transfer { from, to } => {
            let stack = &mut setup.stacks[from.index()];
            if stack.is_empty() {
                return None;
            }
            (stack.remove(0), to)
        }
    };
    setup.stacks[to.index()].insert(0, piece);
    setup.turn = !mover;
    Some(setup)
}
