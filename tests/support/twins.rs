//! The two implementations of the rules, held against each other in one position or on one text. They meet as
//! text only.
#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;

use gobprove::notation::Setup;
use gobprove::prelude::*;
use gobprove::rules::reference::{Judgement, Referee, Table};
use gobprove::rules::{Color, Game, Outcome, Position, Reading, Variant};

/// Moves with their judgements: `black`, `white`, or the position in which play goes on.
pub type Moves = BTreeMap<String, String>;

pub fn referee(game: &Game) -> Referee {
    let Variant { white, black } = game.variant;
    Referee::new(white.counts(), black.counts(), game.reading.tag()).expect("a game")
}

pub fn fast_moves(game: &Game, position: &Position) -> Moves {
    let mut moves = Moves::new();
    for mv in game.moves(position) {
        let judged = match game.play_unchecked(position, mv) {
            Outcome::BlackWins => "black".to_owned(),
            Outcome::WhiteWins => "white".to_owned(),
            Outcome::GoesOn(next) => next.to_string(),
        };
        assert_eq!(moves.insert(mv.to_string(), judged), None, "{mv} is listed once");
    }
    moves
}

pub fn slow_moves(referee: &Referee, table: &Table) -> Moves {
    let judged = |judgement| match judgement {
        Judgement::BlackWins => "black".to_owned(),
        Judgement::WhiteWins => "white".to_owned(),
        Judgement::GoesOn(next) => next.to_string(),
    };
    referee.moves(table).into_iter().map(|(mv, judgement)| (mv, judged(judgement))).collect()
}

/// Holds the twins against each other in a position of the game's variant, and gives the moves.
pub fn agreed_moves(game: &Game, text: &str) -> Moves {
    let (referee, table) = (referee(game), Table::parse(text).expect("a table"));
    let position = game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(referee.problems(&table), Vec::<String>::new(), "{text}");
    assert_eq!(position.to_string(), text);
    assert_eq!(table.to_string(), text);
    let finished = referee.finished(&table).map(|judgement| match judgement {
        Judgement::BlackWins => Color::Black,
        Judgement::WhiteWins => Color::White,
        Judgement::GoesOn(_) => panic!("{text}: finished, and play goes on"),
    });
    assert_eq!(position.finished(), finished, "{text}");
    let moves = fast_moves(game, &position);
    assert_eq!(moves, slow_moves(&referee, &table), "{} {} {text}", game.variant, game.reading);
    moves
}

/// Both twins' word on whether a text is a position of a variant; they must agree.
pub fn is_position(variant: Variant, text: &str) -> bool {
    let referee = referee(&Game::new(variant, Reading::Official));
    let slow = Table::parse(text).map(|table| referee.problems(&table).is_empty());
    let fast = text.read::<Setup>().map(|setup| setup.position(variant).is_ok());
    assert_eq!(fast.is_ok(), slow.is_ok(), "{text:?} can be read");
    let (fast, slow) = (fast == Ok(true), slow == Ok(true));
    assert_eq!(fast, slow, "{text:?} is a position of {variant}");
    fast
}
