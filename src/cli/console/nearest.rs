//! Suggestions for a mistyped name: the names nearest to it.

use super::lattice::MATERIALS;
use crate::prelude::*;
use crate::rules::{Material, Variant};

/// The most suggestions.
const MOST: usize = 3;

/// The most edits between what was typed and a suggestion.
const FAR: usize = 2;

/// The variants nearest to a text that is no variant: named ones, or spelled-out ones if the text looks like
/// material. At most three that are equally near; none if no variant is near.
#[must_use]
pub fn variants(text: &str) -> Vec<String> {
    if text.read::<Material>().is_ok() {
        // The text has one side's pieces only.
        return vec![format!("{text}-{text}")];
    }
    if text.contains('-') && text.chars().any(|c| c.is_ascii_digit()) {
        nearest(text, spelled())
    } else {
        nearest(text, Variant::named().map(|(name, _)| name.to_owned()).collect())
    }
}

/// Every variant spelled out.
fn spelled() -> Vec<String> {
    let spelled = |&white| MATERIALS.iter().map(move |&black| Variant { white, black }.spelled());
    MATERIALS.iter().flat_map(spelled).collect()
}

/// The first [`MOST`] of the candidates nearest to the text, if they are at most [`FAR`] edits away. Case is ignored.
fn nearest(text: &str, candidates: Vec<String>) -> Vec<String> {
    let typed = text.to_lowercase();
    let distance = |name: &String| strsim::damerau_levenshtein(&typed, &name.to_lowercase());
    let near: Vec<(usize, String)> = candidates.into_iter().map(|name| (distance(&name), name)).collect();
    let Some(least) = near.iter().map(|(distance, _)| *distance).min().filter(|&least| least <= FAR) else {
        return Vec::new();
    };
    near.into_iter().filter(|(distance, _)| *distance == least).map(|(_, name)| name).take(MOST).collect()
}

/// `; did you mean "ab" or "abc"?`, or nothing.
#[must_use]
pub fn did_you_mean(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [front @ .., last] => format!("; did you mean {} or {last}?", front.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_found() {
        assert_eq!(variants("AB"), ["ab"]);
        assert_eq!(variants("abfull"), ["ab-full"]);
        assert_eq!(variants("abcx"), ["abc", "abcd"]);
        assert_eq!(variants("chess"), [""; 0]);
        assert_eq!(variants("A3B3"), ["A3B3-A3B3"]);
    }

    #[test]
    fn material_is_compared_with_material() {
        assert_eq!(variants("a3-a3b3"), ["A3-A3B3"]);
        assert_eq!(variants("A4-A3B3"), ["A1-A3B3", "A2-A3B3", "A3-A3B3"]);
        assert_eq!(variants("A3-A3C3"), ["A3-A3B3"]);
        assert_eq!(spelled().len(), 34 * 34);
    }

    #[test]
    fn suggestions_are_a_sentence() {
        let names = ["x".to_owned(), "y".to_owned(), "z".to_owned()];
        assert_eq!(did_you_mean(&[]), "");
        assert_eq!(did_you_mean(&names[..1]), "; did you mean \"x\"?");
        assert_eq!(did_you_mean(&names), "; did you mean \"x\", \"y\" or \"z\"?");
    }
}
