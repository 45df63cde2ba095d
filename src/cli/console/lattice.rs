//! What the shipped certificates prove about a game, even if none of them is about exactly its pieces.
//!
//! Within one reading a proof carries over to variants with other pieces (R9). A side may always leave pieces in hand,
//! and a move is judged by the board alone. So a side can do less with fewer pieces, and with more pieces it can do all
//! it could. What White holds, it holds with more pieces of its own and against fewer of Black's. What Black wins, it
//! wins with more of its own and against fewer of White's. Between readings one thing carries over: what White holds
//! under `robust`, the worst reading for White, it holds under all.
//!
//! Example: White holds with A3 B1 against A3 B3 C1. So it holds with A3 B3, and against A3 B2 C1.

use std::sync::LazyLock;

use super::shipped::Shipped;
use crate::rules::{Game, Material, Reading};
use crate::store::{Claim, Kind};

/// Every material of a side, the smaller ones first.
pub static MATERIALS: LazyLock<Vec<Material>> = LazyLock::new(|| {
    let counts = (0..=u8::MAX).map(|code| [code / 64, code / 16 % 4, code / 4 % 4, code % 4]);
    counts.filter_map(Material::new).collect()
});

/// Whether what a certificate claims of its game is then so of this game.
#[must_use]
pub fn follows(claim: &Claim, game: &Game) -> bool {
    let own = claim.game.variant;
    let (asked, is_read_so) = (game.variant, claim.game.reading == game.reading);
    match claim.kind {
        Kind::Cut | Kind::Closure => {
            (is_read_so || claim.game.reading == Reading::Robust)
                && own.white.at_most(asked.white)
                && asked.black.at_most(own.black)
        }
        Kind::Refutation => is_read_so && asked.white.at_most(own.white) && own.black.at_most(asked.black),
    }
}

/// The certificate that ships and settles a game: the one for the very game, else the smallest. A cut only if that is asked
/// for.
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

    /// What follows is so: all small games are solved, and every claim that one of them proves is held to all others.
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
            // Under robust Black's wins are worth nothing.
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

    #[test]
    fn all_materials_are_there_once() {
        assert_eq!(MATERIALS.len(), 34);
        assert!(MATERIALS.is_sorted() && MATERIALS[0].to_string() == "A1");
    }
}
