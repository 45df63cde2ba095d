//! The questions of a closure: positions with White to move that a black move leads to, and that White has to answer.

use crate::closure::outer::Outer;
use crate::enumerate::rows::layout::Layout;
use crate::enumerate::rows::playable::playable;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, Outcome, Position, Reading, Size};

/// A position with the place of its tier.
pub(crate) type Placed = (usize, Position);

/// Visits the questions that Black can ask from a position, each as an outer placement and the inner pieces over it.
/// Most moves are of inner pieces, and the questions that these lead to share an outer placement.
pub(crate) fn questions(
    game: &Game,
    layout: &Layout,
    (tier, position): &Placed,
    mut visit: impl FnMut(&Outer<'_>, Bitboard),
) {
    let plan = layout.tier(*tier);
    let before = position.with_turn(Color::White);
    let inner = position.pieces(Color::Black, layout.inner());
    let here = Outer::new(layout, *tier, &before);
    for piece in playable(game, position) {
        let Some(tier) = piece.tier_after(*tier, plan, Color::Black) else { continue };
        let after = piece.targets.squares().filter_map(|to| match piece.play(game, position, to) {
            Outcome::GoesOn(next) => Some(next),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        });
        if piece.size != layout.inner() {
            after.for_each(|next| visit(&Outer::new(layout, tier, &next), inner));
            continue;
        }
        let placed = piece.from.is_none().then(|| Outer::new(layout, tier, &before));
        let outer = placed.as_ref().unwrap_or(&here);
        after.for_each(|next| visit(outer, next.pieces(Color::Black, layout.inner())));
    }
}

/// White's answers to a question, or `None` if a white move wins. It leaves out positions that are not stored and those
/// for which `keep(tier, bit)` is false, where `bit` is the place of the position's bit in its tier.
pub(crate) fn answers(
    game: &Game,
    layout: &Layout,
    (tier, question): &Placed,
    keep: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Placed>> {
    let plan = layout.tier(*tier);
    let inner = question.pieces(Color::Black, layout.inner());
    let mut answers = Vec::new();
    for piece in playable(game, question) {
        let Some(tier) = piece.tier_after(*tier, plan, Color::White) else { continue };
        for to in piece.targets.squares() {
            match piece.play(game, question, to) {
                Outcome::WhiteWins => return None,
                Outcome::BlackWins => {}
                Outcome::GoesOn(next) => {
                    let bit = Outer::new(layout, tier, &next).bit(inner);
                    if bit.is_some_and(|bit| keep(tier, bit)) {
                        answers.push((tier, next));
                    }
                }
            }
        }
    }
    Some(answers)
}

/// Visits the questions that a position with Black to move answers, in the form of [`questions`]. Some may be positions
/// that Black cannot bring about.
pub(crate) fn answered_by(
    game: &Game,
    layout: &Layout,
    (tier, answer): &Placed,
    mut visit: impl FnMut(&Outer<'_>, Bitboard),
) {
    if answer.finished().is_some() {
        return;
    }
    let plan = layout.tier(*tier);
    let before = answer.with_turn(Color::White);
    let inner = answer.pieces(Color::Black, layout.inner());
    for size in Size::ALL {
        for to in answer.visible_of(Color::White, size).squares() {
            let mut lifted = before;
            lifted.remove(Color::White, size, to);
            if let Some(tier) = plan.before[Color::White][size]
                && game.places(&lifted, size).contains(to)
            {
                visit(&Outer::new(layout, tier, &lifted), inner);
            }
            if !may_lift(game, &lifted) {
                continue;
            }
            for from in (!lifted.barred(size) - Bitboard::of(to)).squares() {
                let mut question = lifted;
                question.add(Color::White, size, from);
                visit(&Outer::new(layout, *tier, &question), inner);
            }
        }
    }
}

/// Whether play can go on after White lifts a piece and leaves `lifted`. Under some readings an uncovered black line ends it.
fn may_lift(game: &Game, lifted: &Position) -> bool {
    match game.reading {
        Reading::Official | Reading::NoEntryCover => true,
        Reading::Thesis | Reading::StrictLift | Reading::Robust => !lifted.has_line(Color::Black),
    }
}

#[cfg(test)]
mod tests {
    use crate::enumerate::wins::is_won;

    use std::collections::HashSet;

    use super::*;
    use crate::enumerate::rows::layout::Layout;
    use crate::enumerate::{Ranking, Tier};
    use crate::rules::Reading;

    /// Every position of a variant with a side to move, with its tier.
    fn positions(layout: &Layout, turn: Color) -> impl Iterator<Item = Placed> {
        layout.all().iter().enumerate().flat_map(move |(index, plan)| {
            let ranking = Ranking::new(plan.tier);
            let all = 0..ranking.len();
            all.map(move |rank| (index, ranking.unrank(rank, turn).expect("below the length")))
        })
    }

    fn in_every_reading(test: impl Fn(&Game, &Layout)) {
        for variant in ["A1B1-A1", "A1B1-A1B1", "A2-A1"] {
            let variant = variant.read().expect("a variant");
            for reading in Reading::ALL {
                test(&Game::new(variant, reading), &Layout::new(variant));
            }
        }
    }

    #[test]
    fn a_position_answers_the_questions_whose_answers_it_is_among() {
        in_every_reading(|game, layout| {
            let (mut forth, mut back) = (HashSet::new(), HashSet::new());
            for question in positions(layout, Color::White).step_by(7) {
                let all = answers(game, layout, &question, |_, _| true);
                forth.extend(all.into_iter().flatten().map(|answer| (question, answer)));
            }
            let asked: HashSet<Placed> = forth.iter().map(|(question, _)| *question).collect();
            for answer in positions(layout, Color::Black) {
                answered_by(game, layout, &answer, |outer, inner| {
                    let question = outer.placed(inner);
                    assert_eq!(outer.bit(inner), layout.bit(layout.tier(question.0), &question.1));
                    if asked.contains(&question) {
                        back.insert((question, answer));
                    }
                });
            }
            assert!(forth.len() > 1000, "{game:?}");
            assert!(forth == back, "{game:?}");
        });
    }

    #[test]
    fn a_question_is_won_if_it_has_no_answers_but_a_win() {
        let (mut won, variant) = (0, "A3B1-A1".read().expect("a variant"));
        for reading in Reading::ALL {
            let (game, layout) = (Game::new(variant, reading), Layout::new(variant));
            for question in positions(&layout, Color::White).step_by(151) {
                let all = answers(&game, &layout, &question, |_, _| true);
                assert_eq!(is_won(&game, &question.1), all.is_none(), "{} {reading}", question.1);
                won += u32::from(all.is_none());
            }
        }
        assert!(won > 0);
    }

    #[test]
    fn questions_are_what_black_brings_about() {
        in_every_reading(|game, layout| {
            for position in positions(layout, Color::Black).step_by(11) {
                let mut found = Vec::new();
                questions(game, layout, &position, |outer, inner| {
                    let (tier, question) = outer.placed(inner);
                    assert_eq!(layout.tier(tier).tier, Tier::of(&question));
                    assert_eq!(outer.bit(inner), layout.bit(layout.tier(tier), &question));
                    found.push(question);
                });
                let outcomes = game.moves(&position.1).map(|mv| game.play_unchecked(&position.1, mv));
                let expected: Vec<Position> = outcomes
                    .filter_map(|outcome| match outcome {
                        Outcome::GoesOn(next) => Some(next),
                        Outcome::BlackWins | Outcome::WhiteWins => None,
                    })
                    .collect();
                assert_eq!(found, expected);
            }
        });
    }
}
