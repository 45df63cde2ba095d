//! Which rule forbids a move.

use crate::rules::{Color, Game, Move, Position, Reading, Size};

/// Why a move is not legal in a position, with the rule that forbids it; `None` if it is legal.
#[must_use]
pub fn why_illegal(game: &Game, position: &Position, mv: Move) -> Option<String> {
    if game.moves(position).any(|legal| legal == mv) {
        return None;
    }
    let us = position.turn();
    if position.finished().is_some() {
        return Some("a line stands, and the game is over (R6)".to_owned());
    }
    Some(match mv {
        Move::Place { size, to } => match not_in_hand(game, position, size) {
            Some(why) => why,
            None => match position.top(to) {
                Some((color, _)) if color == us => {
                    format!("{to} holds a piece of {us}'s own, and a piece from hand never covers one (R4)")
                }
                Some(_) if !may_cover(game.reading, us) => {
                    let reading = game.reading;
                    format!(
                        "{to} is not empty, and under the reading {reading} {us} plays from hand onto empty squares only (R4)"
                    )
                }
                Some((_, top)) if top <= size => {
                    format!("the {top} on {to} is not smaller than {size} (R4)")
                }
                _ => format!(
                    "{to} is not empty, and {} has no three in a line there: a piece from hand goes onto an empty square (R4)",
                    !us
                ),
            },
        },
        Move::Transfer { from, to } => match (position.top(from), position.top(to)) {
            (None, _) => format!("no piece stands on {from} (R5)"),
            (Some((color, size)), _) if color != us => {
                format!("the visible piece on {from} is {color}'s {size}, and {us} is to move (R5)")
            }
            _ if from == to => format!("a piece goes to another square than {from}, where it stands (R5)"),
            (Some((_, size)), Some((_, top))) => {
                format!("the {top} on {to} is not smaller than the {size} from {from} (R5)")
            }
            _ => format!("{mv} is not legal (R5)"),
        },
    })
}

fn may_cover(reading: Reading, us: Color) -> bool {
    reading != Reading::NoEntryCover && !(reading == Reading::Robust && us == Color::White)
}

/// Why a side cannot play a size from hand.
fn not_in_hand(game: &Game, position: &Position, size: Size) -> Option<String> {
    let us = position.turn();
    let placed = position.pieces(us, size).count();
    let all = u32::from(game.variant.material(us).count(size));
    if placed >= all {
        return Some(match all {
            0 => format!("{us} has no {size} in this variant (R9)"),
            _ => format!("all of {us}'s {size} are on the board already (R9)"),
        });
    }
    let larger = size.larger()?;
    let released = position.pieces(us, larger).count();
    (placed >= released).then(|| {
        format!(
            "{us}'s next {size} is still inside its stack: the {larger} over it has to be played first (R2)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::rules::Square;

    /// The moves that RULES.md calls illegal, each with the rule under which it stands there.
    #[test]
    fn the_rule_is_the_one_under_which_rules_md_has_the_example() {
        let cases = [
            ("abc-full", "official", ".,.,.,a/.,.,.,./.,.,.,./A,.,.,. w", "C@b2", "(R2)"),
            ("ab", "official", ".,Ab,.,a/.,.,.,./.,.,.,./.,.,.,. b", "b4-c1", "(R5)"),
            ("ab-full", "official", "b,b,a,A/.,.,.,./.,.,B,a/A,b,.,a w", "A@c4", "(R4)"),
            ("ab-full", "official", "b,b,a,A/.,.,.,./.,.,B,a/A,b,.,a w", "A@b1", "(R4)"),
            ("ab-full", "official", "b,b,a,A/.,.,.,./.,.,B,a/A,b,.,a w", "A@c2", "(R4)"),
            ("ab-full", "no-entry-cover", "b,b,a,A/.,.,.,./.,.,B,a/A,b,.,a w", "A@b4", "(R4)"),
            ("ab-full", "official", ".,.,.,a/.,.,b,./.,B,.,./A,.,.,. w", "a1-d4", "(R5)"),
            ("ab-full", "official", ".,.,.,a/.,.,b,./.,B,.,./A,.,.,. w", "b2-c3", "(R5)"),
            ("A3-A3B1", "official", "a,.,.,./.,b,.,./.,.,A,./.,.,.,a b", "B@a1", "(R9)"),
            ("ab-full", "official", "b,a,b,a/.,.,.,./.,.,.,./A,A,A,B w", "a1-b2", "(R6)"),
        ];
        for (variant, reading, position, mv, rule) in cases {
            let game = Game::new(variant.read().expect("a variant"), reading.read().expect("a reading"));
            let position = game.parse(position).expect("a position");
            let why = why_illegal(&game, &position, mv.read().expect("a move")).expect("illegal");
            assert!(why.ends_with(rule) || why.contains(rule), "{position} {mv}: {why}");
        }
    }

    #[test]
    fn every_illegal_move_has_a_rule_and_no_legal_one_has() {
        let game = Game::new("abc".read().expect("a variant"), Reading::Official);
        let mut position = Position::empty(Color::White);
        for step in 0..12 {
            let legal: Vec<Move> = game.moves(&position).collect();
            let places =
                Size::ALL.into_iter().flat_map(|size| Square::ALL.map(|to| Move::Place { size, to }));
            let transfers =
                Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| Move::Transfer { from, to }));
            for mv in places.chain(transfers) {
                let why = why_illegal(&game, &position, mv);
                assert_eq!(why.is_none(), legal.contains(&mv), "{position} {mv}");
                assert!(why.is_none_or(|why| why.contains("(R")), "{position} {mv}");
            }
            let next = legal[(7 * step + 3) % legal.len()];
            let after = position.moved(next);
            if game.winner(&position, next, &after).is_some() {
                break;
            }
            position = after;
        }
    }
}
