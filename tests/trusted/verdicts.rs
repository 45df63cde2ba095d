//! What the trusted part says of a certificate.

use gobprove::certificate::FormatError;
use gobprove::checker::{Breach, Condition, Refusal};
use gobprove::prelude::*;
use gobprove::rules::{Color, Move, Position};

#[test]
fn a_refusal_says_which_condition_fails_where_and_why() {
    let position = Position::empty(Color::Black);
    let mv: Move = "B@c3".read().expect("a move");
    for (condition, name) in [
        (Condition::Listed, "Listed"),
        (Condition::K1, "K1"),
        (Condition::K2, "K2"),
        (Condition::K3, "K3"),
        (Condition::K4, "K4"),
        (Condition::K5, "K5"),
        (Condition::K6, "K6"),
        (Condition::K7, "K7"),
    ] {
        let breach = Breach { condition, position, mv: None, reason: "a reason" };
        let text = format!("condition {name} does not hold at .,.,.,./.,.,.,./.,.,.,./.,.,.,. b: a reason");
        assert_eq!(breach.to_string(), text);
        let breach = Breach { mv: Some(mv), ..breach };
        let text = format!("{text} (the move that escapes: B@c3)");
        assert_eq!(breach.to_string(), text);
        assert_eq!(Refusal::Condition(breach).to_string(), text);
    }
}

#[test]
fn a_refusal_of_the_format_says_what_and_where() {
    let error = FormatError { code: "block-order", offset: 71, what: "a sentence".to_owned() };
    let text = "not a certificate of this format: a sentence (offset 71, block-order)";
    assert_eq!(error.to_string(), text);
    assert_eq!(Refusal::Format(error).to_string(), text);
}

#[test]
fn a_cut_too_large_is_told_the_limit() {
    assert_eq!(Refusal::TooLarge.to_string(), "cuts are checked up to 68719476736 placements of the variant");
}
