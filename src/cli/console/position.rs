//! Reads positions as people write them. Commands print the notation of the rules.

use super::exit::Failure;
use crate::notation::{NotAMove, Piece, spelled_out};
use crate::play::why_illegal;
use crate::prelude::*;
use crate::rules::{Color, Game, Material, Move, Outcome, Position, Reading, Size, Variant};

/// Reads a position of a game, given as `name` to a command, and plays moves from there.
///
/// # Errors
/// What is wrong with the text, or which move cannot be made.
pub fn read(game: &Game, text: &str, moves: &str, name: &str, command: &str) -> Result<Position, Failure> {
    let next = format!("gobprove {command} --help shows how a position is written");
    let wrong = |error: String| Failure::usage(format!("{name} {text:?}: {error}")).at(name).next(&next);
    if text.read::<Variant>().is_ok() {
        let failure = wrong("this is a variant, not a position".to_owned());
        let named = format!("gobprove explain --variant {text} takes positions of this variant");
        return Err(if command == "explain" { failure.next(named) } else { failure });
    }
    let spelled = spelled_out(text).map_err(wrong)?;
    let start = game.parse(&spelled).map_err(|error| match full().parse(&spelled) {
        // The notation is right: only the variant lacks these pieces.
        Ok(_) => Failure::usage(format!("{name} {text:?}: {error}"))
            .at(name)
            .next("take a variant that has these pieces; abcd-full has all"),
        Err(_) => wrong(error.to_string()),
    })?;
    moves.split([' ', ',']).filter(|word| !word.is_empty()).try_fold(start, |position, word| {
        let wrong = |why, next| {
            Failure::usage(format!("move {word:?} from {position}: {why}")).at("--moves").next(next)
        };
        let form =
            "write a piece from hand as A@b2 and a move on the board as a1-c3, with spaces between moves";
        let mv = written(&position, word).map_err(|why| wrong(why, form))?;
        let rules = "gobprove rules prints the rules that are named in brackets";
        played(game, &position, mv).map_err(|why| wrong(why, rules))
    })
}

/// The game with all pieces, to which every position belongs.
///
/// # Panics
/// Never: three of each size are a material.
#[must_use]
pub fn full() -> Game {
    let all = Material::new([3; 4]).expect("three of each size");
    Game::new(Variant { white: all, black: all }, Reading::Official)
}

/// Whether a text is the letter of a piece of Black's.
fn is_black(text: &str) -> bool {
    Size::ALL.into_iter().any(|size| text == Piece { color: Color::Black, size }.letter().to_string())
}

/// The move that a person wrote, legal or not.
///
/// # Errors
/// The text is no move, or a piece of Black's where White is to move.
pub fn written(position: &Position, word: &str) -> Result<Move, String> {
    let spelled = match word.split_once('@') {
        // Black's pieces may be in lower case, as in a position.
        Some((piece, square)) => match (is_black(piece), position.turn()) {
            (true, Color::White) => {
                return Err(format!("{piece} is a piece of Black's, and White is to move"));
            }
            _ => format!("{}@{square}", piece.to_ascii_uppercase()),
        },
        None => word.to_owned(),
    };
    spelled.read().map_err(|error: NotAMove| error.to_string())
}

/// The position after a move.
fn played(game: &Game, position: &Position, mv: Move) -> Result<Position, String> {
    if let Some(why) = why_illegal(game, position, mv) {
        return Err(why);
    }
    match game.play(position, mv).map_err(|error| error.to_string())? {
        Outcome::GoesOn(next) => Ok(next),
        Outcome::WhiteWins => Err("it ends the game, White wins".to_owned()),
        Outcome::BlackWins => Err("it ends the game, Black wins".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, moves: &str) -> Result<String, String> {
        let game = Game::new("abc-full".read().expect("a variant"), Reading::Official);
        let read = read(&game, text, moves, "POSITION", "explain");
        read.map(|position| position.to_string()).map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_way_of_writing_is_the_same_position() {
        let empty = |side: char| Ok(format!(".,.,.,./.,.,.,./.,.,.,./.,.,.,. {side}"));
        for text in ["start", "START", "4/4/4/4 w", " start  w ", "1, 1, 2 / 3,1/4/4   w"] {
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
        // With the lines that explain prints below it, and with words beside the board, as in README.md.
        let all = format!("{drawn}{written}\n\nab official safe\n\n1  black  A@a1\nWhite to move\n");
        assert_eq!(position(&all, ""), Ok(written.to_owned()));
        let beside = drawn.replacen("Ab  .   .   .", "Ab  .   .   .        what it means", 1);
        assert_eq!(position(&beside, ""), Ok(written.to_owned()));
    }

    #[test]
    fn stacks_of_four_that_touch_are_told_apart() {
        let game = Game::new("abcd-full".read().expect("a variant"), Reading::Official);
        let written = "aBcD,A,.,A/.,b,.,./.,.,C,a/.,.,.,. b";
        let drawn = game.parse(written).expect("a position").drawing();
        assert!(drawn.starts_with("4  aBcDA   .   A"), "{drawn}");
        let read = read(&game, &drawn, "", "POSITION", "query").expect("a board");
        assert_eq!(read.to_string(), written);
    }

    #[test]
    fn moves_are_played_and_a_wrong_one_is_named() {
        let played = position("start", "A@a1 a@b2, a1-c3");
        assert_eq!(played, Ok(".,.,.,./.,.,A,./.,a,.,./.,.,.,. b".to_owned()));
        for (moves, says) in [
            ("A@a1 b2-b3", "move \"b2-b3\" from .,.,.,./.,.,.,./.,.,.,./A,.,.,. b: "),
            ("a1", "move \"a1\""),
            ("B@a1", "the A over it has to be played first (R2)"),
            ("a@a1", "a is a piece of Black's, and White is to move"),
        ] {
            let wrong = position("start", moves).expect_err("no move");
            assert!(wrong.contains(says), "{wrong}");
        }
        let ended = position("A,A,1,A/4/1,a,a,1/2,a,1 w", "A@b3").expect_err("there are three");
        assert!(ended.contains("A@b3"), "{ended}");
        let ended = position("A,A,1,A/4/1,a,a,1/2,a,1 w", "B@c4").expect_err("a line");
        assert!(ended.contains("it ends the game, White wins"), "{ended}");
    }

    #[test]
    fn an_error_says_where_and_why() {
        let board = "4  .   .   .   .\n3  .   .   .   .\n2  .   x   .   .\n1  .   .   .   .\n";
        let turn = "White to move\n";
        let cut = board.replace("2  .   x   .   .\n", "");
        for (text, says) in [
            ("4/4/5/4 w", "rank 2 must have 4 squares separated by ','; found 5"),
            ("4/4/1,2/4 w", "rank 2 must have 4 squares separated by ','; found 3"),
            ("4/4/3,x/4 w", "'x' on d2 is no piece"),
            ("4/4/3,A./4 w", "'.' on d2 stands beside other signs"),
            ("4/4/0/4 w", "rank 2"),
            ("4/4/4/4", "must end in a space and w or b"),
            ("4/4/4 w", "4 ranks separated by '/', from rank 4 down; found 3"),
            (&format!("{board}{turn}"), "'x' on b2 is no piece"),
            (board, "says who is to move"),
            (&format!("{cut}{turn}"), "there is none for 2"),
            (
                &format!("{}{turn}4/4/4/4  b\n", board.replace('x', ".")),
                "the board and the line 4/4/4/4  b are two positions",
            ),
        ] {
            let told = position(text, "").expect_err("no position");
            assert!(told.starts_with("error: POSITION ") && told.contains(says), "{text:?}: {told}");
            assert!(told.contains("next: gobprove explain --help"), "{told}");
        }
        let told = position("ab", "").expect_err("a variant");
        assert!(told.contains("\"ab\": this is a variant, not a position"), "{told}");
        assert!(
            told.contains("next: gobprove explain --variant ab takes positions of this variant"),
            "{told}"
        );
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        let told = read(&game, "ab", "", "POSITION", "query").expect_err("a variant").to_string();
        assert!(told.contains("next: gobprove query --help shows how a position is written"), "{told}");
        // The notation is right, and only the pieces are those of another variant.
        let told = position("a,b,c,1/d,3/4/A,B,2 w", "").expect_err("no position of abc");
        assert!(told.contains("next: take a variant that has these pieces"), "{told}");
    }
}
