//! The questions of a closure: positions with White to move that Black brings about and White has to answer.

use super::layout::TierLayout;
use crate::rules::{Color, Game, Mask, Move, Outcome, Position, Size};

/// A position with the place of its tier.
pub(super) type Placed = (usize, Position);

/// The tier of what a move leads to from a tier.
fn tier_after(from: usize, plan: &TierLayout, mover: Color, mv: Move) -> Option<usize> {
    match mv {
        Move::Place { size, .. } => plan.after[mover][size],
        Move::Transfer { .. } => Some(from),
    }
}

/// The questions that Black can ask from a position. `plan` is the layout of its tier.
pub(super) fn questions<'a>(
    game: &'a Game,
    plan: &'a TierLayout,
    (tier, position): &'a Placed,
) -> impl Iterator<Item = Placed> + 'a {
    game.moves(position).filter_map(move |mv| match game.play_unchecked(position, mv) {
        Outcome::GoesOn(next) => Some((tier_after(*tier, plan, Color::Black, mv)?, next)),
        Outcome::BlackWins | Outcome::WhiteWins => None,
    })
}

/// White's answers to a question that go on, or `None` if one of its moves wins. `plan` is the layout of its tier.
pub(super) fn answers(game: &Game, plan: &TierLayout, (tier, question): &Placed) -> Option<Vec<Placed>> {
    let mut answers = Vec::new();
    for mv in game.moves(question) {
        match game.play_unchecked(question, mv) {
            Outcome::WhiteWins => return None,
            Outcome::BlackWins => {}
            Outcome::GoesOn(next) => answers.push((tier_after(*tier, plan, Color::White, mv)?, next)),
        }
    }
    Some(answers)
}

/// Whether the side to move has a move that wins at once.
pub(super) fn is_won(game: &Game, position: &Position) -> bool {
    let mover = position.turn();
    // A move shows one more piece of the mover's at most, and a line has four.
    !position.visible(mover).lines_of_three().is_empty()
        && game.moves(position).any(|mv| match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => mover == Color::White,
            Outcome::BlackWins => mover == Color::Black,
            Outcome::GoesOn(_) => false,
        })
}

/// Whether Black wins at once whatever White does: a position with White to move that is lost at sight.
pub(super) fn is_lost_at_sight(game: &Game, question: &Position) -> bool {
    game.moves(question).all(|mv| match game.play_unchecked(question, mv) {
        Outcome::WhiteWins => false,
        Outcome::BlackWins => true,
        Outcome::GoesOn(next) => is_won(game, &next),
    })
}

/// The positions with White to move to which a position with Black to move is an answer, whether or not Black can
/// bring them about. `plan` is the layout of its tier.
pub(super) fn answered_by<'a>(
    game: &'a Game,
    plan: &'a TierLayout,
    (tier, answer): &'a Placed,
) -> impl Iterator<Item = Placed> + 'a {
    let before = answer.with_turn(Color::White);
    let pieces = Size::ALL
        .into_iter()
        .flat_map(move |size| answer.visible_of(Color::White, size).squares().map(move |to| (size, to)));
    pieces.flat_map(move |(size, to)| {
        let mut lifted = before;
        lifted.remove(Color::White, size, to);
        let leads_here = move |question: &Position, mv: Move| {
            game.play_unchecked(question, mv) == Outcome::GoesOn(*answer)
        };
        let placed = plan.before[Color::White][size].filter(|_| {
            game.places(&lifted, size).contains(to) && leads_here(&lifted, Move::Place { size, to })
        });
        let transferred = (!lifted.barred(size) - Mask::of(to)).squares().filter_map(move |from| {
            let mut question = lifted;
            question.add(Color::White, size, from);
            leads_here(&question, Move::Transfer { from, to }).then_some((*tier, question))
        });
        placed.map(|tier| (tier, lifted)).into_iter().chain(transferred)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::enumerate::{Ranking, Tier};
    use crate::passes::layout::Layout;
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
            let variant = variant.parse().expect("a variant");
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
                let all = answers(game, layout.tier(question.0), &question);
                forth.extend(all.into_iter().flatten().map(|answer| (question, answer)));
            }
            let asked: HashSet<Placed> = forth.iter().map(|(question, _)| *question).collect();
            for answer in positions(layout, Color::Black) {
                let all = answered_by(game, layout.tier(answer.0), &answer);
                back.extend(
                    all.filter(|question| asked.contains(question)).map(|question| (question, answer)),
                );
            }
            assert!(forth.len() > 1000, "{game:?}");
            assert!(forth == back, "{game:?}");
        });
    }

    #[test]
    fn a_question_is_won_if_it_has_no_answers_but_a_win() {
        let (mut won, variant) = (0, "A3B1-A1".parse().expect("a variant"));
        for reading in Reading::ALL {
            let (game, layout) = (Game::new(variant, reading), Layout::new(variant));
            for question in positions(&layout, Color::White).step_by(151) {
                let all = answers(&game, layout.tier(question.0), &question);
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
                let plan = layout.tier(position.0);
                let found: Vec<Position> = questions(game, plan, &position)
                    .map(|(tier, question)| {
                        assert_eq!(layout.tier(tier).tier, Tier::of(&question));
                        question
                    })
                    .collect();
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
