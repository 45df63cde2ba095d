//! Positions as people write them. The notation that the rules read stays the one that commands print.

use super::exit::Failure;
use crate::prelude::*;
use crate::rules::{Game, Move, Outcome, Position};

/// Reads a position of a game, given as `name` to a command, and plays moves from there.
///
/// # Errors
/// What is wrong with the text, or which move cannot be made.
pub fn read(game: &Game, text: &str, moves: &str, name: &str, command: &str) -> Result<Position, Failure> {
    let next = format!("gobprove {command} --help shows how a position is written");
    let wrong = |error| Failure::usage(format!("{name} {text:?}: {error}")).at(name).next(&next);
    let start = game.parse(&spelled_out(text)).map_err(wrong)?;
    let mut position = start;
    for word in moves.split([' ', ',']).filter(|word| !word.is_empty()) {
        let wrong = |why: String| Failure::usage(format!("move {word:?}: {why}")).at("--moves");
        // Black's pieces may be written as in a position.
        let spelled = match word.split_once('@') {
            Some((piece, square)) => format!("{}@{square}", piece.to_uppercase()),
            None => word.to_owned(),
        };
        let mv: Move = spelled.read().map_err(|error| wrong(format!("{error}")))?;
        position = match game.play(&position, mv) {
            Ok(Outcome::GoesOn(next)) => next,
            Ok(ended) => return Err(wrong(format!("it ends the game from {position}: {ended:?}"))),
            Err(error) => return Err(wrong(error.to_string())),
        };
    }
    Ok(position)
}

/// A text in the notation that the rules read; one that is no other way of writing stays as it is.
fn spelled_out(text: &str) -> String {
    let text = text.trim();
    match text {
        "start" | "start w" => "4/4/4/4 w".to_owned(),
        "start b" => "4/4/4/4 b".to_owned(),
        board if board.contains('\n') => pasted(board).unwrap_or_else(|| board.to_owned()),
        written => written.to_owned(),
    }
    .split('/')
    .map(|rank| rank.split(',').map(squares).collect::<Vec<_>>().join(","))
    .collect::<Vec<_>>()
    .join("/")
}

/// A square, or the empty ones that a number stands for; the side to move may follow.
fn squares(text: &str) -> String {
    let (square, side) = text.split_once(' ').map_or((text, None), |(square, side)| (square, Some(side)));
    let written = match square.parse() {
        Ok(count @ 1..=4) => vec!["."; count].join(","),
        _ => square.to_owned(),
    };
    side.map_or(written.clone(), |side| format!("{written} {side}"))
}

/// A board as it is drawn: a line for each rank, four letters a square, and the side to move below.
fn pasted(board: &str) -> Option<String> {
    let mut ranks = Vec::new();
    for line in board.lines() {
        let line = line.trim_end();
        let number = line.trim_start().chars().next()?;
        if !('1'..='4').contains(&number) || ranks.len() == 4 {
            continue;
        }
        let cells: Vec<char> = line.trim_start().chars().skip(3).collect();
        let cell =
            |column: usize| cells.iter().skip(4 * column).take(4).collect::<String>().trim().to_owned();
        ranks.push((0..4).map(cell).collect::<Vec<_>>().join(","));
    }
    let side = if board.contains("Black to move") { 'b' } else { 'w' };
    (ranks.len() == 4).then(|| format!("{} {side}", ranks.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reading;

    fn position(text: &str, moves: &str) -> Result<String, String> {
        let game = Game::new("abc-full".read().expect("a variant"), Reading::Official);
        let read = read(&game, text, moves, "POSITION", "explain");
        read.map(|position| position.to_string()).map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_way_of_writing_is_the_same_position() {
        let empty = |side: char| Ok(format!(".,.,.,./.,.,.,./.,.,.,./.,.,.,. {side}"));
        for text in ["start", "4/4/4/4 w", " start w ", "1,1,2/3,1/4/4 w"] {
            assert_eq!(position(text, ""), empty('w'), "{text}");
        }
        assert_eq!(position("start b", ""), empty('b'));
        let written = "Ab,.,.,./.,.,aBc,./.,.,.,./.,.,.,A b";
        let game = Game::new("abc-full".read().expect("a variant"), Reading::Official);
        let drawn = game.parse(written).expect("a position").drawing();
        assert_eq!(position(&drawn, ""), Ok(written.to_owned()));
        assert_eq!(
            position(&format!("{drawn}{written}\n"), ""),
            Ok(written.to_owned()),
            "as explain prints it"
        );
        assert_eq!(position("Ab,3/2,aBc,1/4/3,A b", ""), Ok(written.to_owned()));
    }

    #[test]
    fn moves_are_played_and_a_wrong_one_is_named() {
        let played = position("start", "A@a1 a@b2, a1-c3");
        assert_eq!(played, Ok(".,.,.,./.,.,A,./.,a,.,./.,.,.,. b".to_owned()));
        let wrong = position("start", "A@a1 b2-b3").expect_err("Black has nothing there");
        assert!(wrong.contains("move \"b2-b3\""), "{wrong}");
        assert!(position("start", "a1").expect_err("no move").contains("move \"a1\""));
        assert!(position("4/4/5/4 w", "").expect_err("five squares").contains("POSITION"));
    }
}
