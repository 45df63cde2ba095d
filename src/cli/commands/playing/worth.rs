//! What a position of a game is worth, and by what that is known.

use std::fmt;

use gobengine::{Engine, Score};

use crate::bitbase::{Value, is_symmetric};
use crate::explain::knowledge::Safety;
use crate::play::{Exact, Record, Sources, Strength, search};
use crate::rules::Color;

/// A review tells of a move if it changes the estimate by at least this much.
const TOLD: i32 = 40;

/// What a position is worth to a side.
#[derive(Clone, Copy)]
pub(super) enum Judged {
    /// By the rules, a search, a solved variant or a refutation, with the plies to the win if they are known.
    Exact(Value, Option<u32>),
    /// The engine's estimate; 0 where White is known to hold and nothing more is known.
    Estimate(i32),
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Judged::Estimate(score) => Score::Estimate(score).fmt(f),
            Judged::Exact(Value::Win, Some(plies)) => Score::Wins { plies }.fmt(f),
            Judged::Exact(Value::Loss, Some(plies)) => Score::Loses { plies }.fmt(f),
            Judged::Exact(Value::Win, None) => f.write_str("wins"),
            Judged::Exact(Value::Loss, None) => f.write_str("loses"),
            Judged::Exact(Value::Draw, _) => f.write_str("draw"),
        }
    }
}

/// What a position is worth to the side to move, and how that is known. `stop` ends a search early.
pub(super) fn value(
    record: &Record,
    sources: &Sources,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> (Judged, String) {
    if let Some(Exact { value, plies, source }) = sources.exact(record.position()) {
        let how = format!("solved, by {source}");
        return match value {
            Value::Draw if !is_symmetric(&record.game) => {
                (Judged::Estimate(0), format!("White holds, {how}"))
            }
            value => (Judged::Exact(value, plies), how),
        };
    }
    let strength = Strength::nodes(nodes);
    let mut engine = Engine::new(&record.game, Strength { noise: 0, ..strength }.options(0));
    let found = search(&mut engine, &strength, record, stop).score.unwrap_or(Score::Estimate(0));
    match (found, sources.value(record.position())) {
        (Score::Estimate(_), Some((Safety::Safe, name))) => {
            (Judged::Estimate(0), format!("White holds, proven by {name}"))
        }
        (Score::Estimate(_), Some((Safety::Avoided, name))) => {
            let value = match record.position().turn() {
                Color::White => Value::Loss,
                Color::Black => Value::Win,
            };
            (Judged::Exact(value, None), format!("proven by {name}"))
        }
        (Score::Estimate(score), _) => (Judged::Estimate(score), "estimate".to_owned()),
        (Score::Wins { plies }, _) => (Judged::Exact(Value::Win, Some(plies)), "proven by search".to_owned()),
        (Score::Loses { plies }, _) => {
            (Judged::Exact(Value::Loss, Some(plies)), "proven by search".to_owned())
        }
    }
}

/// A value for the other side.
pub(super) fn turned(judged: Judged) -> Judged {
    match judged {
        Judged::Estimate(score) => Judged::Estimate(-score),
        Judged::Exact(Value::Win, plies) => Judged::Exact(Value::Loss, plies),
        Judged::Exact(Value::Loss, plies) => Judged::Exact(Value::Win, plies),
        draw => draw,
    }
}

pub(super) fn has_changed(was: Judged, is: Judged) -> bool {
    match (was, is) {
        (Judged::Estimate(was), Judged::Estimate(is)) => (was - is).abs() >= TOLD,
        (Judged::Exact(was, _), Judged::Exact(is, _)) => was != is,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::enumerate::Discipline;
    use crate::explain::knowledge::Source;
    use crate::refute::refute;
    use crate::rules::{Position, Reading};
    use crate::store::Certificate;
    use crate::strategy::Seed;

    /// What the empty board is said to be worth by a certificate, without a search.
    fn said(certificate: Certificate, first: Color) -> String {
        let game = certificate.claim.game;
        let sources = Sources::new(game, None, vec![("FILE".to_owned(), Source::Certificate(certificate))]);
        let record = Record::new(game, Position::empty(first), Default::default(), 1);
        let (judged, how) = value(&record, &sources, 0, &|| false);
        format!("{judged} ({how})")
    }

    #[test]
    fn what_a_refutation_lists_is_lost_and_what_a_cut_lists_may_not_be() {
        let game = game("A1-A3B1", Reading::Official);
        let go_on = &mut |_| ControlFlow::Continue(());
        let refutation = refute(&game, Discipline::FREE, None, go_on).expect("memory").expect("Black wins");
        assert_eq!(said(refutation.clone(), Color::White), "loses (proven by FILE)");
        assert_eq!(said(refutation, Color::Black), "wins (proven by FILE)");
        let cut = crate::closure::cut(&solved(&game, Seed::Rules)).expect("a cut");
        assert!(cut.white_to_move.contains(&Position::empty(Color::White)));
        assert_eq!(said(cut, Color::White), "+0 (estimate)");
    }
}
