//! The strategy that a closure or a refutation holds, move by move, for other programs.
//!
//! The keeper of the strategy is White for a closure and Black for a refutation. From the empty board on, the keeper has
//! one reply to each move of the other side. Positions are canonical: a symmetry is applied to the position after each
//! reply. They come in the order of the fewest plies that lead to them, so a reader can stop at any point.

use std::collections::HashSet;
use std::ops::ControlFlow;

use thiserror::Error;

use crate::explain::knowledge::{Knowledge, Source};
use crate::explain::listed_win::ListedWin;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::{Certificate, Kind};
use crate::symmetry;

/// A move of the other side, and what the keeper replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// How many plies were played before, at least.
    pub depth: u32,
    /// Canonical, with the other side to move; or the empty board with the keeper to move.
    pub position: Position,
    /// The other side's move, `None` where the keeper begins.
    pub mv: Option<Move>,
    /// The keeper's reply, `None` where the move has lost the game at once.
    pub reply: Option<Move>,
    /// Where that leads to, canonical; `None` where the keeper has won.
    pub next: Option<Position>,
    /// For a refutation, in how many plies Black wins from `position`, at most.
    pub left: Option<u32>,
}

/// Why a certificate holds no strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoStrategy {
    /// It says what to avoid, and names no replies.
    #[error("a cut says what White has to avoid, and names no replies")]
    Cut,
    /// It is false: a move has no reply.
    #[error("{0}: there is no reply")]
    Unanswered(Position),
}

/// The strategy of one certificate, which was checked before.
pub struct Strategy {
    game: Game,
    keeper: Color,
    replies: Replies,
}

/// Where replies come from.
enum Replies {
    Closure(Knowledge),
    /// From the empty board with Black to move, and with White to move.
    Refutation([ListedWin; 2]),
}

impl Strategy {
    /// The strategy of a closure or a refutation.
    ///
    /// # Errors
    /// It is a cut, or does not answer the empty board.
    pub fn new(certificate: Certificate) -> Result<Strategy, NoStrategy> {
        let game = certificate.claim.game;
        let (keeper, replies) = match certificate.claim.kind {
            Kind::Cut => return Err(NoStrategy::Cut),
            Kind::Closure => {
                let known = Knowledge::new(game, vec![Source::Certificate(certificate)]);
                (Color::White, Replies::Closure(known))
            }
            Kind::Refutation => {
                let win = |first| {
                    let empty = Position::empty(first);
                    let win =
                        ListedWin::new(&game, &certificate.white_to_move, &empty, usize::MAX, &mut |_, _| {});
                    win.ok().flatten().ok_or(NoStrategy::Unanswered(empty))
                };
                (Color::Black, Replies::Refutation([win(Color::Black)?, win(Color::White)?]))
            }
        };
        Ok(Strategy { game, keeper, replies })
    }

    /// Visits the steps in the order of their depth, until `visit` breaks it off.
    ///
    /// # Errors
    /// A move has no reply.
    pub fn visit(&self, visit: &mut dyn FnMut(&Step) -> ControlFlow<()>) -> Result<(), NoStrategy> {
        let begins = Position::empty(self.keeper);
        let first = self.step(0, begins, None, begins)?;
        if visit(&first).is_break() {
            return Ok(());
        }
        let mut seen = HashSet::new();
        // If the other side begins, it is to move after an even number of plies; if the keeper begins, after an odd number.
        let mut layers = [vec![Position::empty(!self.keeper)], first.next.into_iter().collect()];
        seen.extend(layers.iter().flatten().map(symmetry::key));
        for depth in 0.. {
            let layer = std::mem::take(&mut layers[depth as usize % 2]);
            let mut next = Vec::new();
            for position in &layer {
                for mv in self.game.moves(position) {
                    let step = match self.game.play_unchecked(position, mv) {
                        Outcome::GoesOn(question) => self.step(depth, *position, Some(mv), question)?,
                        ended if ended == self.won() => {
                            let (position, left) = (*position, self.left(position));
                            Step { depth, position, mv: Some(mv), reply: None, next: None, left }
                        }
                        Outcome::WhiteWins | Outcome::BlackWins => {
                            return Err(NoStrategy::Unanswered(*position));
                        }
                    };
                    if visit(&step).is_break() {
                        return Ok(());
                    }
                    next.extend(step.next.filter(|next| seen.insert(symmetry::key(next))));
                }
            }
            layers[depth as usize % 2] = next;
            if layers.iter().all(Vec::is_empty) {
                break;
            }
        }
        Ok(())
    }

    /// The step with the keeper's reply to a question.
    fn step(
        &self,
        depth: u32,
        position: Position,
        mv: Option<Move>,
        question: Position,
    ) -> Result<Step, NoStrategy> {
        let reply = match &self.replies {
            Replies::Closure(known) => known.answer(&question),
            Replies::Refutation(wins) => {
                let known = wins.iter().filter_map(|win| win.plies(&question).zip(win.reply(&question)));
                known.min_by_key(|&(plies, _)| plies).map(|(_, reply)| reply)
            }
        };
        let reply = reply.ok_or(NoStrategy::Unanswered(question))?;
        let next = match self.game.play_unchecked(&question, reply) {
            Outcome::GoesOn(next) => Some(symmetry::canonical(&next)),
            ended if ended == self.won() => None,
            Outcome::WhiteWins | Outcome::BlackWins => return Err(NoStrategy::Unanswered(question)),
        };
        Ok(Step { depth, position, mv, reply: Some(reply), next, left: self.left(&position) })
    }

    fn won(&self) -> Outcome {
        if self.keeper == Color::White { Outcome::WhiteWins } else { Outcome::BlackWins }
    }

    fn left(&self, position: &Position) -> Option<u32> {
        match &self.replies {
            Replies::Closure(_) => None,
            Replies::Refutation(wins) => wins.iter().find_map(|win| win.plies(position)),
        }
    }
}

/// A format that other programs read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextFormat {
    /// One object a line.
    Json,
    /// A header, then one line a step.
    Csv,
    /// A graph for Graphviz: an edge a step.
    Dot,
}

impl TextFormat {
    /// What stands before the first step.
    #[must_use]
    pub fn head(self) -> &'static str {
        match self {
            TextFormat::Json => "",
            TextFormat::Csv => "depth,position,move,reply,next,left\n",
            TextFormat::Dot => "digraph strategy {\n",
        }
    }

    /// A step, in a line or two.
    #[must_use]
    pub fn step(self, step: &Step) -> String {
        let Step { depth, position, mv, reply, next, left } = step;
        let [mv, reply] = [mv, reply].map(|mv| mv.map(|mv| mv.to_string()));
        let next = next.map(|next| next.to_string());
        let or_nothing = |text: &Option<String>| text.clone().unwrap_or_default();
        match self {
            // No text has a character that JSON escapes.
            TextFormat::Json => {
                let text =
                    |text: Option<String>| text.map_or("null".to_owned(), |text| format!("\"{text}\""));
                let left = left.map_or("null".to_owned(), |left| left.to_string());
                format!(
                    "{{\"depth\":{depth},\"position\":\"{position}\",\"move\":{},\"reply\":{},\"next\":{},\"left\":{left}}}\n",
                    text(mv),
                    text(reply),
                    text(next)
                )
            }
            // Positions have commas.
            TextFormat::Csv => {
                let next = next.map(|next| format!("\"{next}\"")).unwrap_or_default();
                let left = left.map(|left| left.to_string()).unwrap_or_default();
                let (mv, reply) = (or_nothing(&mv), or_nothing(&reply));
                format!("{depth},\"{position}\",{mv},{reply},{next},{left}\n")
            }
            TextFormat::Dot => {
                let label = [or_nothing(&mv), or_nothing(&reply)].join(" ");
                let next = next.unwrap_or_else(|| "won".to_owned());
                format!("  \"{position}\" -> \"{next}\" [label=\"{}\"];\n", label.trim())
            }
        }
    }

    /// What stands after the last step.
    #[must_use]
    pub fn tail(self) -> &'static str {
        match self {
            TextFormat::Json | TextFormat::Csv => "",
            TextFormat::Dot => "}\n",
        }
    }
}
