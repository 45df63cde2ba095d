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

/// The variants that `gobprove solve` found to be draws under `official`, as recorded in `certificates/ladder`. No
/// certificate of that ships, so this is right only if the solver is.
const COMPUTED_DRAWS: [&str; 3] = ["A3-A2B2C2", "A3-A3B2C1", "A3B3-A3B3C2"];

/// The computed draw from which it follows that White holds a game. No certificate proves it.
#[must_use]
pub fn computed_draw(game: &Game) -> Option<Claim> {
    let claim = |text: &&str| {
        let game = Game::new(text.read().ok()?, Reading::Official);
        Some(Claim { game, kind: Kind::Closure })
    };
    COMPUTED_DRAWS.iter().filter_map(claim).find(|claim| follows(claim, game))
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
        None => failure.next(format!("`gobprove estimate {variant}` says what making one would take")),
    }
}

/// Warns a user who has a certificate of this kind made, if a shipped one proves the opposite for the game.
pub fn tell_of_the_opposite(game: &Game, kind: Kind, talk: Talk) {
    if let Some(note) = note_of_the_opposite(game, kind).filter(|_| !talk.quiet) {
        say(&note);
    }
}

fn note_of_the_opposite(game: &Game, kind: Kind) -> Option<String> {
    let shipped = settled_by(game, None)?;
    let (says_lost, wants_lost) = (shipped.kind == Kind::Refutation, kind == Kind::Refutation);
    if says_lost == wants_lost {
        return None;
    }
    let why = reason(&shipped.claim(), game);
    let because = if why.is_empty() { String::new() } else { format!(", since {why}") };
    let holds = if says_lost { "Black wins" } else { "White holds" };
    let Game { variant, reading } = game;
    let (file, kind) = (&shipped.file, kind.tag());
    Some(format!(
        "note: {file} proves that {holds} {variant} {reading}{because}: no {kind} will come of this"
    ))
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

    /// Each game of the ladder is settled by a certificate or follows from a computed draw, and every computed draw is in
    /// the ladder.
    #[test]
    fn the_ladder_has_no_other_values() {
        let mut computed = Vec::new();
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/ladder"));
        let files = folder.expect("the folder").map(|entry| entry.expect("an entry").path());
        for file in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let text = std::fs::read_to_string(&file).expect("a file");
            let rung: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let word = |key: &str| rung[key].as_str().expect("a word").to_owned();
            let variant: Variant = word("variant").read().expect("a variant");
            let game = Game::new(variant, word("reading").read().expect("a reading"));
            match settled_by(&game, None) {
                Some(shipped) => assert_eq!(shipped.kind.value(), word("value"), "{game:?}"),
                None => {
                    assert_eq!((computed_draw(&game).is_some(), &*word("value")), (true, "draw"), "{game:?}");
                    computed.push(word("variant"));
                }
            }
        }
        computed.sort();
        assert_eq!(computed, COMPUTED_DRAWS);
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
    }

    #[test]
    fn all_materials_are_there_once() {
        assert_eq!(MATERIALS.len(), 34);
        assert!(MATERIALS.is_sorted() && MATERIALS[0].to_string() == "A1");
    }
}
