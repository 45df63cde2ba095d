//! What the shipped certificates prove about a game, even if none of them is about exactly its pieces.
//!
//! Within one reading a proof carries over to variants with other pieces (R9). A side may always leave pieces in hand,
//! and a move is judged by the board alone. So a side can do less with fewer pieces, and with more pieces it can do all
//! it could. What White holds, it holds with more pieces of its own and against fewer of Black's. What Black wins, it
//! wins with more of its own and against fewer of White's. Between readings `robust` is the worst for White: what White holds
//! there it holds under all, and what it loses under any it loses there.
//!
//! Example: White holds with A3 B1 against A3 B3 C1. So it holds with A3 B3, and against A3 B2 C1.

use std::sync::LazyLock;

use super::args::Talk;
use super::exit::Failure;
use super::report::say;
use super::shipped::Shipped;
use crate::explain::knowledge::follows;
use crate::prelude::*;
use crate::rules::{Game, Material, Reading};
use crate::store::{Claim, Kind};

/// Every material of a side, the smaller ones first.
pub static MATERIALS: LazyLock<Vec<Material>> = LazyLock::new(|| {
    let counts = (0..=u8::MAX).map(|code| [code / 64, code / 16 % 4, code / 4 % 4, code % 4]);
    counts.filter_map(Material::new).collect()
});

/// The shipped certificate that settles a game. The one about this very game is preferred, then one under the same reading,
/// then the smallest. A cut is taken only if `kind` asks for one.
#[must_use]
pub fn settled_by(game: &Game, kind: Option<Kind>) -> Option<&'static Shipped> {
    let is_meant = |claim: &Claim| match kind {
        Some(kind) => claim.kind == kind,
        None => claim.kind != Kind::Cut,
    };
    let fits = |claim: &Claim| is_meant(claim) && follows(claim, game);
    let distance = |claim: Claim| (claim.game != *game, claim.game.reading != game.reading);
    Shipped::of(fits).min_by_key(|shipped| (distance(shipped.claim()), shipped.bytes))
}

/// The variants whose value under `official` `gobprove solve` found, as recorded in `certificates/ladder`, each with the kind
/// of certificate that would prove it. None of these ships, so this is right only if the solver is.
const COMPUTED: [(&str, Kind); 4] = [
    ("A3-A2B2C2", Kind::Closure),
    ("A3-A3B2C1", Kind::Closure),
    ("A3B3-A3B3C2", Kind::Closure),
    ("abc", Kind::Refutation),
];

/// What was computed from which the value of a game follows, if no certificate that ships settles the game.
#[must_use]
pub fn computed(game: &Game) -> Option<Claim> {
    let claim = |(text, kind): &(&str, Kind)| {
        let game = Game::new(text.read().ok()?, Reading::Official);
        Some(Claim { game, kind: *kind })
    };
    let found = COMPUTED.iter().filter_map(claim).find(|claim| follows(claim, game))?;
    settled_by(game, None).is_none().then_some(found)
}

/// The same in a sentence.
#[must_use]
pub fn computed_in_words(game: &Game) -> Option<String> {
    let claim = computed(game)?;
    Some(format!("gobprove solve computed that {} this game, and no certificate of it ships", result(&claim)))
}

/// The result that a claim is about, before the name of a game.
fn result(claim: &Claim) -> &'static str {
    if claim.kind == Kind::Refutation { "Black wins" } else { "White holds" }
}

/// The failure of a command that needs a closure or a refutation of this very game, when none ships.
#[must_use]
pub fn no_certificate_of(game: &Game) -> Failure {
    let Game { variant, reading } = game;
    let failure = Failure::unavailable(format!("no certificate ships for {variant} {reading}"));
    match settled_by(game, None) {
        Some(shipped) => failure.next(format!(
            "{} settles it all the same, since {}; that is of {} under {}",
            shipped.file,
            reason(&shipped.claim(), game),
            shipped.variant,
            shipped.claim().game.reading
        )),
        None => failure.next(what_making_one_takes(game)),
    }
}

/// What there is to do where no certificate settles a game.
#[must_use]
pub fn what_making_one_takes(game: &Game) -> String {
    let next = format!("`gobprove estimate {}` says what making one would take", game.variant);
    match computed_in_words(game) {
        Some(computed) => format!("{computed}; {next}"),
        None => next,
    }
}

/// Warns a user who has a certificate of this kind made, if a shipped one proves the opposite for the game.
pub fn tell_of_the_opposite(game: &Game, kind: Kind, talk: Talk) {
    if let Some(note) = note_of_the_opposite(game, kind).filter(|_| !talk.quiet) {
        say(&note);
    }
}

fn note_of_the_opposite(game: &Game, kind: Kind) -> Option<String> {
    let (says, claim) = match settled_by(game, None) {
        Some(shipped) => (format!("{} proves", shipped.file), shipped.claim()),
        None => ("gobprove solve computed".to_owned(), computed(game)?),
    };
    if (claim.kind == Kind::Refutation) == (kind == Kind::Refutation) {
        return None;
    }
    let why = reason(&claim, game);
    let because = if why.is_empty() { String::new() } else { format!(", since {why}") };
    let (Game { variant, reading }, result, kind) = (game, result(&claim), kind.tag());
    Some(format!("note: {says} that {result} {variant} {reading}{because}: no {kind} will come of this"))
}

/// Why a claim carries over to a game, in a clause.
#[must_use]
pub fn reason(claim: &Claim, game: &Game) -> String {
    let (own, asked) = (claim.game.variant, game.variant);
    let mut reasons = Vec::new();
    if claim.kind == Kind::Refutation {
        if own.white != asked.white {
            reasons.push(format!("White can do no more than with {}", own.white));
        }
        if own.black != asked.black {
            reasons.push(format!("Black may leave all but {} in hand", own.black));
        }
        if claim.game.reading != game.reading {
            reasons.push("robust is the worst reading for White".to_owned());
        }
    } else {
        if own.white != asked.white {
            reasons.push(format!("White may leave all but {} in hand", own.white));
        }
        if own.black != asked.black {
            reasons.push(format!("Black can do no more than with {}", own.black));
        }
        if claim.game.reading != game.reading {
            reasons.push("robust is the worst reading for White".to_owned());
        }
    }
    reasons.join(", and ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::enumerate::census;
    use crate::passes::solve;
    use crate::rules::{Color, Variant};
    use crate::strategy::Seed;

    /// What [`follows`] says is true: all small games are solved, and each claim that holds is compared with the others.
    #[test]
    fn what_follows_of_small_games_is_what_solving_them_says() {
        let all =
            MATERIALS.iter().flat_map(|&white| MATERIALS.iter().map(move |&black| Variant { white, black }));
        let most = if crate::thorough::thorough() { 500_000 } else { 100_000 };
        let small: Vec<Variant> = all.filter(|&variant| census::variant(variant).canonical <= most).collect();
        assert!(small.len() > 30, "{}", small.len());
        let mut solved = Vec::new();
        for reading in [Reading::Official, Reading::Thesis, Reading::Robust] {
            for &variant in &small {
                let game = Game::new(variant, reading);
                let solution =
                    solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("memory");
                let lost = Color::ALL.map(|first| solution.is_lost(&crate::rules::Position::empty(first)));
                solved.push((game, lost));
            }
        }
        let mut carried = [0; 2];
        for (game, lost) in &solved {
            // A win for Black under robust proves nothing.
            let kinds = [(Kind::Closure, false), (Kind::Refutation, true)];
            for (kind, value) in kinds.into_iter().filter(|(_, value)| *lost == [*value; 2]) {
                if kind == Kind::Refutation && game.reading == Reading::Robust {
                    continue;
                }
                let claim = Claim { game: *game, kind };
                for (other, lost) in solved.iter().filter(|(other, _)| follows(&claim, other)) {
                    assert_eq!(*lost, [value; 2], "{claim} says nothing of {other:?}");
                    carried[usize::from(value)] += usize::from(other != game);
                }
            }
        }
        assert!(carried.iter().all(|&count| count > 10), "{carried:?}");
    }

    /// Each value of the ladder is settled by a certificate or was computed, and all that was computed is in the ladder.
    #[test]
    fn the_ladder_has_no_other_values() {
        let mut found = BTreeSet::new();
        let folder = |name: &str| std::fs::read_dir(format!("{}/{name}", env!("CARGO_MANIFEST_DIR")));
        let folders = ["certificates/ladder", "certificates/ladder/within"].map(folder);
        let files = folders.into_iter().flat_map(|folder| folder.expect("the folder"));
        let files = files.map(|entry| entry.expect("an entry").path());
        for file in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let text = std::fs::read_to_string(&file).expect("a file");
            let rung: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let word = |key: &str| rung[key].as_str().expect("a word").to_owned();
            let variant: Variant = word("variant").read().expect("a variant");
            let game = Game::new(variant, word("reading").read().expect("a reading"));
            // Under a discipline it may have stayed open.
            if word("value") == "open" {
                continue;
            }
            match (settled_by(&game, None), computed(&game)) {
                (Some(shipped), None) => assert_eq!(shipped.kind.value(), word("value"), "{game:?}"),
                (None, Some(claim)) => {
                    assert_eq!((claim.game, claim.kind.value()), (game, &*word("value")));
                    found.insert(word("variant"));
                }
                both => panic!("{game:?}: {both:?}"),
            }
        }
        assert_eq!(found, COMPUTED.iter().map(|(variant, _)| (*variant).to_owned()).collect());
    }

    #[test]
    fn what_was_computed_carries_over_as_a_proof_would() {
        let of = |text: &str, reading| {
            let game = Game::new(text.read().expect("a variant"), reading);
            computed(&game).map(|claim| claim.kind.value())
        };
        assert_eq!(of("abc", Reading::Official), Some("lost"));
        assert_eq!(of("A3B3-A3B3C3D3", Reading::Robust), Some("lost"));
        assert_eq!(of("abc", Reading::Thesis), None, "it was computed under official");
        assert_eq!(of("A3B3C1-A3B3C3", Reading::Official), None, "White has one C more");
        assert_eq!(of("A3B3C1-A3B3C2", Reading::Official), Some("draw"));
        assert_eq!(of("A3B2-A3B3C3", Reading::Official), None, "a certificate settles it");
    }

    #[test]
    fn who_asks_for_the_opposite_of_what_ships_is_told() {
        let game = |text: &str, reading| Game::new(text.read().expect("a variant"), reading);
        let lost = game("A3-A3B3C1", Reading::Official);
        let told = note_of_the_opposite(&lost, Kind::Closure).expect("a refutation ships");
        assert_eq!(
            told,
            "note: A3-A3B3C1-official-refutation.gobcert proves that Black wins A3-A3B3C1 official: no closure will come of this"
        );
        assert_eq!(note_of_the_opposite(&lost, Kind::Refutation), None);
        let held = game("A3-A3B2", Reading::Official);
        let told = note_of_the_opposite(&held, Kind::Refutation).expect("it follows from a closure");
        assert!(
            told.contains("White holds A3-A3B2 official, since Black can do no more than with "),
            "{told}"
        );
        assert!(
            note_of_the_opposite(&game("abcd", Reading::Official), Kind::Closure).is_none(),
            "it is open"
        );
        let told = note_of_the_opposite(&game("abc", Reading::Official), Kind::Closure);
        let told = told.expect("it was computed");
        assert!(told.starts_with("note: gobprove solve computed that Black wins abc official: "), "{told}");
    }

    #[test]
    fn all_materials_are_there_once() {
        assert_eq!(MATERIALS.len(), 34);
        assert!(MATERIALS.is_sorted() && MATERIALS[0].to_string() == "A1");
    }
}
