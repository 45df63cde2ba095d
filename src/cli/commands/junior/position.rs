//! Positions of the game on nine squares as people write them.

use std::cmp::Ordering;
use std::fmt;

use gobjunior::perft;
use gobjunior::rules::{self, Game, Move, Outcome, Position, Reading};

use crate::cli::console::asked::Asked;
use crate::cli::console::exit::Failure;
use crate::rules::Color;

/// Reads a position that a command is asked about, from its text and the name of its place.
pub(super) fn reader(
    game: Game,
    asked: &Asked,
    command: &str,
) -> impl Fn(&str, &str) -> Result<Position, Failure> {
    move |text, name| read(&game, text, asked.moves(), name, command)
}

/// Reads a position, given as `name` to a command, and plays moves from there.
///
/// # Errors
/// What is wrong with the text, or which move cannot be made.
pub(super) fn read(
    game: &Game,
    text: &str,
    moves: &str,
    name: &str,
    command: &str,
) -> Result<Position, Failure> {
    let next = format!("gobprove {command} --help shows how a position is written");
    let start = game
        .parse(&spelled_out(text))
        .map_err(|error| Failure::usage(format!("{name} {text:?}: {error}")).at(name).next(next))?;
    moves.split([' ', ',']).filter(|word| !word.is_empty()).try_fold(start, |position, word| {
        let wrong = |why| Failure::usage(format!("move {word:?} from {position}: {why}")).at("--moves");
        played(game, &position, word).map_err(wrong)
    })
}

/// Whether a text is the letter of a piece of Black's.
fn is_black(text: &str) -> bool {
    rules::Size::ALL.into_iter().any(|size| text == size.letter().to_ascii_lowercase().to_string())
}

/// The move that a person wrote, legal or not. Black's pieces may be written in small letters, as in a position.
///
/// # Errors
/// The text is no move, or names a piece of Black's while White is to move.
pub(super) fn read_move(position: &Position, word: &str) -> Result<Move, String> {
    let spelled = match word.split_once('@') {
        Some((piece, _)) if is_black(piece) => {
            if position.turn() == rules::Color::White {
                return Err(format!("{piece} is a piece of Black's, and White is to move"));
            }
            word.replacen(piece, &piece.to_ascii_uppercase(), 1)
        }
        _ => word.to_owned(),
    };
    spelled.parse().map_err(|error: rules::NotAMove| error.to_string())
}

/// The position after a move that a person wrote.
fn played(game: &Game, position: &Position, word: &str) -> Result<Position, String> {
    let mv = read_move(position, word)?;
    match game.play(position, mv).map_err(|error| error.to_string())? {
        Outcome::GoesOn(next) => Ok(next),
        Outcome::Won(winner) => Err(format!("it ends the game, {winner} wins")),
    }
}

/// Turns a board as it is drawn into one line. A drawing has a line for each rank from rank 3 down, and says below who is
/// to move. Other texts stay as they are.
fn spelled_out(text: &str) -> String {
    if !text.trim().contains('\n') {
        return text.to_owned();
    }
    let mut ranks: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(cells) =
            line.strip_prefix(&(3 - ranks.len().min(2)).to_string()).filter(|_| ranks.len() < 3)
        {
            ranks.push(cells.split_whitespace().take(3).collect::<Vec<_>>().join(","));
        }
    }
    let place = |words| text.find(words).unwrap_or(usize::MAX);
    let turn = match place("White to move").cmp(&place("Black to move")) {
        Ordering::Less => " w",
        Ordering::Greater => " b",
        // If neither is there, the error comes when the result is read.
        Ordering::Equal => "",
    };
    format!("{}{turn}", ranks.join("/"))
}

/// The side of the same name in this game.
pub(super) fn side(color: Color) -> rules::Color {
    if color == Color::White { rules::Color::White } else { rules::Color::Black }
}

/// A position to count moves from.
pub(crate) struct Start {
    game: Game,
    position: Position,
}

/// The position that a text spells, or the empty board with this side to move.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn start(reading: Reading, text: Option<&str>, first: Color) -> Result<Start, Failure> {
    let game = Game::full(reading);
    let position = match text {
        Some(text) => read(&game, text, "", "--position", "perft")?,
        None => Position::empty(side(first)),
    };
    Ok(Start { game, position })
}

impl Start {
    /// The side to move.
    pub(crate) fn turn(&self) -> Color {
        if self.position.turn() == rules::Color::White { Color::White } else { Color::Black }
    }

    /// The number of moves at a depth.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        perft::perft(&self.game, &self.position, depth)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_board_is_read_back() {
        let game = Game::full(Reading::Official);
        for text in ["Ls,m,s/.,.,./M,.,M w", ".,.,./.,lMs,./.,.,. b"] {
            let position = game.parse(text).expect(text);
            let drawn = format!("{}{} to move: win in 3 plies\n", position.drawing(), position.turn());
            let read = read(&game, &drawn, "", "POSITION", "query").map_err(|failure| failure.to_string());
            assert_eq!(read, Ok(position), "{drawn}");
        }
    }

    #[test]
    fn moves_are_played_and_a_wrong_one_is_named() {
        let game = Game::full(Reading::Official);
        let played =
            |moves| read(&game, "start", moves, "POSITION", "query").map_err(|failure| failure.to_string());
        assert_eq!(played("S@a1 m@b2, a1-c3").map(|at| at.to_string()), Ok(".,.,S/.,m,./.,.,. b".to_owned()));
        for (moves, says) in [
            ("s@a1", "s is a piece of Black's, and White is to move"),
            ("S@a1 b2-b3", "move \"b2-b3\" from .,.,./.,.,./S,.,. b: Black has no visible piece on b2 (J3)"),
            ("x", "is not a move"),
            ("L@a1 S@a3 L@b1 S@b3 M@c1", "it ends the game, White wins"),
        ] {
            let wrong = played(moves).expect_err(moves);
            assert!(wrong.contains(says), "{wrong}");
        }
    }
}
