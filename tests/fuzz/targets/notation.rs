//! `notation`: any text is a position, a move, a variant or none, for both implementations; what is one is
//! printed as it can be read again, and what is none is refused in a text that can be printed.

use std::fmt::{Debug, Display};

use gobprove::notation::Setup;
use gobprove::prelude::*;
use gobprove::rules::{Move, Reading, Square, Variant};

use super::agree::is_position;
use super::input::Input;

pub fn run(bytes: &[u8]) -> bool {
    let mut input = Input(bytes);
    let variant = input.variant();
    let text = String::from_utf8_lossy(input.0);
    let read = [
        again::<Setup>(&text),
        again::<Move>(&text),
        again::<Square>(&text),
        again::<Variant>(&text),
        again::<Reading>(&text),
    ];
    let position = variant.parse(&text);
    assert_eq!(position.is_ok(), is_position(variant, &text), "{text:?}");
    match position {
        Ok(position) => {
            assert_eq!(position.to_string(), text, "one text for each position");
            assert_eq!(Setup::from(&position).position(variant).as_ref(), Ok(&position));
            assert!(position.drawing().lines().count() == 5);
        }
        Err(error) => plain(&error),
    }
    read.contains(&true)
}

/// Whether a text is one of something; if so it comes out of what is printed as well.
fn again<T: Notation + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.read::<T>() {
        Ok(value) => {
            let printed = value.to_string().read::<T>().map_err(|error| error.to_string());
            assert_eq!(printed, Ok(value), "{text:?}");
            true
        }
        Err(error) => {
            plain(&error);
            false
        }
    }
}

/// A refusal does not carry control characters of the input to a terminal.
fn plain(error: &dyn Display) {
    let text = error.to_string();
    let acts = |letter: char| letter.is_control() && letter != '\n';
    assert!(!text.is_empty() && !text.contains(acts), "{text:?}");
}
