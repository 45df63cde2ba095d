//! What is shown of a game at the board.

use super::table::Spot;
use crate::play::{Record, why_illegal};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Position, Size, Square};

/// How many pieces of each size a side has not played, for the sizes that the variant gives it.
pub(super) fn left_in_hand(
    game: &Game,
    position: &Position,
    color: Color,
) -> impl Iterator<Item = (Size, u32)> {
    let all = |size| (size, u32::from(game.variant.material(color).count(size)));
    let left =
        move |(size, all): (Size, u32)| (size, all.saturating_sub(position.pieces(color, size).count()));
    Size::ALL.map(all).into_iter().filter(|&(_, all)| all > 0).map(left)
}

/// The pieces in hand as text: `A2 B1`, or `nothing`.
fn in_hand(game: &Game, position: &Position, color: Color) -> String {
    let left = left_in_hand(game, position, color).filter(|&(_, count)| count > 0);
    let text: Vec<String> = left.map(|(size, count)| format!("{size}{count}")).collect();
    if text.is_empty() { "nothing".to_owned() } else { text.join(" ") }
}

/// The board with what it covers, what is in hand, and the last move.
pub(super) fn drawn(record: &Record) -> String {
    let position = record.position();
    let mut text = position.drawing();
    for color in Color::ALL {
        text.push_str(&format!("   {color} has in hand {}\n", in_hand(&record.game, position, color)));
    }
    if let Some(mv) = record.moves().last() {
        text.push_str(&format!("   last move {mv}, by {}\n", !position.turn()));
    }
    if let Some(told) = come_again(record) {
        text.push_str(&format!("   {told}\n"));
    }
    text.trim_end().to_owned()
}

/// How many times the position has stood, as text; `None` the first time.
pub(super) fn come_again(record: &Record) -> Option<String> {
    let times = record.times();
    (times > 1).then(|| format!("this position stands for the {times}. time (R8)"))
}

/// Where a piece can go, or why nowhere.
pub(super) fn targets(game: &Game, position: &Position, spot: Spot) -> String {
    let squares: Vec<String> = spot.targets(game, position).map(|to| to.to_string()).collect();
    if !squares.is_empty() {
        return format!("it can go to {}", squares.join(" "));
    }
    // Each of its moves has the reason.
    let mut why = Square::ALL.into_iter().filter_map(|to| {
        let mv = match spot {
            Spot::Square(from) => Move::Transfer { from, to },
            Spot::Hand(size) => Move::Place { size, to },
        };
        why_illegal(game, position, mv)
    });
    why.next_back().unwrap_or_default()
}

/// All legal moves, one line for each piece.
pub(super) fn all_moves(game: &Game, position: &Position) -> String {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for mv in game.moves(position) {
        let (from, to) = match mv {
            Move::Place { size, to } => (format!("{size}@"), to),
            Move::Transfer { from, to } => (format!("{from}-"), to),
        };
        match lines.last_mut() {
            Some((name, squares)) if *name == from => squares.push(to.to_string()),
            _ => lines.push((from, vec![to.to_string()])),
        }
    }
    let lines: Vec<String> = lines.iter().map(|(from, to)| format!("{from} {}", to.join(" "))).collect();
    lines.join("\n")
}
