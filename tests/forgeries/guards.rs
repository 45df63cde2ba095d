//! For each guard of the checker a forgery that this guard alone refuses. That it is alone follows from the
//! oracle, which lists all flaws and not the first: they are all of that one guard.

use std::collections::HashSet;

use gobcheck::check::{self as checker, Condition, Refusal};
use gobprove::rules::{Color, Position, Reading};
use gobprove::store::{Certificate, PositionSet};

use super::forge::{breach, check, check_on, closure, cut, format_code, game, refutation};
use super::oracle::{Flaw, Oracle, Spot, To};
use super::reseal::{Sheet, at, body, raw_body};
use super::world::{BOTH_FIRST, World, honest_closure, honest_refutation, rest_of};

const BLACK_FIRST: Spot = Spot::empty(false);
const WHITE_FIRST: Spot = Spot::empty(true);

/// Holds a closure to be refused by one guard alone: all flaws have this condition and pass `only`.
fn refused_closure(
    oracle: &mut Oracle,
    spots: &[Spot],
    condition: Condition,
    reason: &str,
    only: &dyn Fn(&mut Oracle, &Flaw) -> bool,
) -> Flaw {
    let flaws = oracle.closure_flaws(spots);
    let bytes = closure(&oracle.game, spots);
    refused(oracle, &flaws, &bytes, condition, reason, only)
}

fn refused_cut(
    oracle: &mut Oracle,
    spots: [&[Spot]; 2],
    condition: Condition,
    reason: &str,
    only: &dyn Fn(&mut Oracle, &Flaw) -> bool,
) -> Flaw {
    let flaws = oracle.cut_flaws(spots);
    let bytes = cut(&oracle.game, spots);
    refused(oracle, &flaws, &bytes, condition, reason, only)
}

fn refused(
    oracle: &mut Oracle,
    flaws: &[Flaw],
    bytes: &[u8],
    condition: Condition,
    reason: &str,
    only: &dyn Fn(&mut Oracle, &Flaw) -> bool,
) -> Flaw {
    assert!(!flaws.is_empty(), "no forgery at all");
    for flaw in flaws {
        assert!(flaw.condition == condition && only(oracle, flaw), "another guard may refuse this: {flaw:?}");
    }
    let breach = breach(bytes);
    let flaw = Flaw::of(&breach);
    assert!(flaws.contains(&flaw), "{flaw:?}");
    assert!(breach.reason.contains(reason), "{breach}");
    flaw
}

fn refused_refutation(
    oracle: &mut Oracle,
    spots: &[Spot],
    condition: Condition,
    reason: &str,
    only: &dyn Fn(&mut Oracle, &Flaw) -> bool,
) -> Flaw {
    let flaws = oracle.refutation_flaws(spots);
    let bytes = refutation(&oracle.game, spots);
    refused(oracle, &flaws, &bytes, condition, reason, only)
}

fn control_refutation(oracle: &mut Oracle, spots: &[Spot]) {
    assert!(oracle.refutation_flaws(spots).is_empty());
    let verified = check(&refutation(&oracle.game, spots)).expect("the control is accepted");
    assert_eq!(verified.positions_checked, spots.len() as u64);
}

fn control_closure(oracle: &mut Oracle, spots: &[Spot]) {
    assert!(oracle.closure_flaws(spots).is_empty());
    let verified = check(&closure(&oracle.game, spots)).expect("the control is accepted");
    assert_eq!(verified.positions_checked, spots.len() as u64);
}

fn control_cut(oracle: &mut Oracle, spots: [&[Spot]; 2]) {
    assert!(oracle.cut_flaws(spots).is_empty());
    let verified = check(&cut(&oracle.game, spots)).expect("the control is accepted");
    let every = [false, true].map(|turn| oracle.every_spot(turn).len() as u64);
    assert_eq!(verified.positions_checked, every[0] + every[1]);
}

fn with(spots: &[Spot], spot: Spot) -> Vec<Spot> {
    assert!(!spots.contains(&spot));
    [spots, &[spot]].concat()
}

/// Where an edge of a flaw's position leads by the flaw's move.
fn leads(oracle: &mut Oracle, flaw: &Flaw) -> To {
    let edges = oracle.edges(flaw.spot);
    edges.iter().find(|edge| Some(&edge.mv) == flaw.mv.as_ref()).expect("a move of the position").to
}

/// The exact cut of a game: all positions that White cannot hold.
fn exact(oracle: &mut Oracle) -> [Vec<Spot>; 2] {
    let safe = World::true_one(oracle).safe();
    [false, true].map(|turn| {
        let mut lost = oracle.every_spot(turn).to_vec();
        lost.retain(|spot| !safe.contains(spot) && oracle.line(*spot).is_none());
        lost
    })
}

#[test]
fn m12_listed_not_canonical() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let spots = honest_closure(&mut oracle);
    control_closure(&mut oracle, &spots);
    // The image of a position that is in: nobody asks for it, and what holds for one holds for the other.
    let image = |spots: &[Spot], place: usize| {
        let spot = spots[place];
        spot.images().find(|image| *image != spot).expect("another image")
    };
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot.canonical() != flaw.spot;
    let forged = with(&spots, image(&spots, 40));
    // Conditions on an image of what is in hold with it: the oracle sees but the one flaw.
    assert_eq!(oracle.closure_flaws(&forged).len(), 1);
    refused_closure(&mut oracle, &forged, Condition::Listed, "not the canonical one", &only);

    let [black, white] = rest_of(&mut oracle, &spots);
    control_cut(&mut oracle, [&black, &white]);
    let forged = with(&black, image(&black, 40));
    refused_cut(&mut oracle, [&forged, &white], Condition::Listed, "not the canonical one", &only);
    let forged = with(&white, image(&white, 40));
    refused_cut(&mut oracle, [&black, &forged], Condition::Listed, "not the canonical one", &only);

    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    control_refutation(&mut oracle, &spots);
    let forged = with(&spots, image(&spots, 20));
    assert_eq!(oracle.refutation_flaws(&forged).len(), 1);
    refused_refutation(&mut oracle, &forged, Condition::Listed, "not the canonical one", &only);
}

#[test]
fn m14_listed_with_a_line() {
    // Positions that hold a line are finished: no move is made from one and none goes on to one, so that
    // they would go unnoticed in a closure and, with a white line only, in a cut.
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let spots = honest_closure(&mut oracle);
    let only = |oracle: &mut Oracle, flaw: &Flaw| oracle.line(flaw.spot).is_some();
    let every = oracle.every_spot(false);
    let line = *every.iter().find(|spot| oracle.line(**spot) == Some(true)).expect("a black line");
    refused_closure(&mut oracle, &with(&spots, line), Condition::Listed, "holds a line", &only);

    // Where a line stands no white move is left to be answered.
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    let every = oracle.every_spot(true);
    let line = *every.iter().find(|spot| oracle.line(**spot) == Some(true)).expect("a black line");
    refused_refutation(&mut oracle, &with(&spots, line), Condition::Listed, "holds a line", &only);

    // Here White has four pieces and Black one, which never makes a line: nothing is lost.
    let mut oracle = Oracle::new(game("A2B2-A1", Reading::Official));
    let every = oracle.every_spot(false);
    let line = *every.iter().find(|spot| oracle.line(**spot) == Some(false)).expect("a white line");
    control_cut(&mut oracle, [&[], &[]]);
    refused_cut(&mut oracle, [&[line], &[]], Condition::Listed, "holds a line", &only);
    refused_cut(&mut oracle, [&[], &[line.turned()]], Condition::Listed, "holds a line", &only);
}

#[test]
fn m06_census_of_a_variant_that_is_too_large() {
    // 92 bytes: refused before anything is allocated or enumerated.
    for variant in ["abcd-full", "abcd", "abc-full", "abc"] {
        let bytes = cut(&game(variant, Reading::Official), [&[], &[]]);
        assert_eq!((bytes.len(), check(&bytes)), (92, Err(Refusal::TooLarge)));
    }
}

#[test]
fn m06_a_large_variant_within_the_limit_is_judged() {
    let game = game("A3B1-A3B3C1", Reading::Official);
    assert!((1 << 32..1 << 36).contains(&checker::placements(game.variant)));
    let start = PositionSet::from_positions(game.variant, [Position::empty(Color::Black)]);
    let bytes = Certificate::cut(game, start, PositionSet::empty(game.variant)).encode();
    assert_eq!(breach(&bytes).condition, Condition::K1);
}

#[test]
fn k1_for_each_side_to_move() {
    // No move leads to the empty board, so calling it lost harms no other condition.
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let [black, white] = exact(&mut oracle);
    control_cut(&mut oracle, [&black, &white]);
    let forged = with(&black, BLACK_FIRST);
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == BLACK_FIRST;
    refused_cut(&mut oracle, [&forged, &white], Condition::K1, "the empty board is called lost", &only);
    let forged = with(&white, WHITE_FIRST);
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == WHITE_FIRST;
    refused_cut(&mut oracle, [&black, &forged], Condition::K1, "the empty board is called lost", &only);
    // Everything lost: K2 and K3 say nothing then.
    let all = [false, true].map(|turn| {
        let mut all = oracle.every_spot(turn).to_vec();
        all.retain(|spot| oracle.line(*spot).is_none());
        all
    });
    let only = |_: &mut Oracle, flaw: &Flaw| [BLACK_FIRST, WHITE_FIRST].contains(&flaw.spot);
    refused_cut(&mut oracle, [&all[0], &all[1]], Condition::K1, "the empty board is called lost", &only);
}

#[test]
fn k2_for_each_reason() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let [black, white] = exact(&mut oracle);
    let all_black_moves = |oracle: &mut Oracle, spot: Spot, win: bool| {
        // Whether winning moves are all that is wrong with a position, or that none is.
        let edges = oracle.edges(spot);
        edges.iter().any(|edge| edge.to == To::BlackWins) == win
    };
    // With White to move nothing is lost in this variant, so a lost position is one where Black wins.
    assert!(white.is_empty());
    let place = black.iter().position(|spot| all_black_moves(&mut oracle, *spot, true)).expect("a win");
    let mut forged = black.clone();
    let spot = forged.remove(place);
    let only = |oracle: &mut Oracle, flaw: &Flaw| flaw.spot == spot && leads(oracle, flaw) == To::BlackWins;
    refused_cut(&mut oracle, [&forged, &white], Condition::K2, "a black move wins", &only);

    // A position with White to move is called lost: the positions before it are at fault, by that move.
    let safe: HashSet<Spot> = World::true_one(&mut oracle).safe();
    let every = oracle.every_spot(true);
    let question = *every.iter().rev().find(|spot| safe.contains(spot)).expect("a safe position");
    let only = |oracle: &mut Oracle, flaw: &Flaw| leads(oracle, flaw) == To::Goes(question);
    refused_cut(&mut oracle, [&black, &[question]], Condition::K2, "leads to a lost position", &only);
}

#[test]
fn k3() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let spots = honest_closure(&mut oracle);
    let [black, white] = rest_of(&mut oracle, &spots);
    control_cut(&mut oracle, [&black, &white]);
    // One more position with Black to move is called lost, which White needed. K2 asks less then, not more.
    let needed = spots[spots.len() / 2];
    let forged = with(&black, needed);
    let only = |oracle: &mut Oracle, flaw: &Flaw| {
        oracle.edges(flaw.spot).iter().any(|edge| edge.to == To::Goes(needed))
    };
    let reason = "every white move loses or leads to a lost position";
    refused_cut(&mut oracle, [&forged, &white], Condition::K3, reason, &only);

    // Of one position all moves are called lost but those that let Black win at once, which are no way out.
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let [black, white] = exact(&mut oracle);
    let every = oracle.every_spot(true).to_vec();
    let forged = every.into_iter().find_map(|spot| {
        let mut forged = black.clone();
        let edges = oracle.edges(spot);
        for edge in edges.iter() {
            match edge.to {
                To::Goes(next) if !forged.contains(&next) => forged.push(next),
                To::Goes(_) | To::BlackWins | To::WhiteWins => (),
            }
        }
        let loses = edges.iter().any(|edge| edge.to == To::BlackWins);
        let is_only = loses && oracle.cut_flaws([&forged, &white]).iter().all(|flaw| flaw.spot == spot);
        is_only.then_some((spot, forged))
    });
    let (spot, forged) = forged.expect("a position with such a move");
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == spot;
    refused_cut(&mut oracle, [&forged, &white], Condition::K3, reason, &only);
}

#[test]
fn m13_k4_for_each_reason() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let spots = honest_closure(&mut oracle);
    // No move leads to the empty board: what is left is closed.
    let forged: Vec<Spot> = spots.iter().copied().filter(|spot| *spot != BLACK_FIRST).collect();
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == BLACK_FIRST;
    refused_closure(
        &mut oracle,
        &forged,
        Condition::K4,
        "empty board with Black to move is not listed",
        &only,
    );
    // Right for the case that Black begins, and silent about the other.
    let mut world = World::true_one(&mut oracle);
    let safe = world.safe();
    let forged = world.closure(Some(&safe), &[BLACK_FIRST], &|_, _| 0);
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == WHITE_FIRST;
    refused_closure(&mut oracle, &forged, Condition::K4, "no first white move", &only);
}

#[test]
fn k5_for_each_reason() {
    // A world in which Black overlooks its wins, and White walks into them.
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let truth = World::true_one(&mut oracle).safe();
    let overlooks: &dyn Fn(&Spot, &super::oracle::Edge) -> bool = &|_, edge| edge.to != To::BlackWins;
    let mut world = World { oracle: &mut oracle, remembered: overlooks, dreamt: &|_| Vec::new() };
    let safe = world.safe();
    let forged = world.closure(Some(&safe), &BOTH_FIRST, &|_, answer| i64::from(truth.contains(answer)));
    let only = |oracle: &mut Oracle, flaw: &Flaw| leads(oracle, flaw) == To::BlackWins;
    refused_closure(&mut oracle, &forged, Condition::K5, "a black move wins", &only);
    // One position missing: all that is wrong is that questions have no answer.
    let mut forged = honest_closure(&mut oracle);
    control_closure(&mut oracle, &forged);
    forged.remove(300);
    let only = |oracle: &mut Oracle, flaw: &Flaw| matches!(leads(oracle, flaw), To::Goes(_));
    refused_closure(&mut oracle, &forged, Condition::K5, "no white move wins or leads to a listed", &only);
}

#[test]
fn m13_k6_for_each_reason() {
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    control_refutation(&mut oracle, &spots);
    // No move leads to the empty board.
    let forged: Vec<Spot> = spots.iter().copied().filter(|spot| *spot != WHITE_FIRST).collect();
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == WHITE_FIRST;
    let reason = "empty board with White to move is not listed";
    refused_refutation(&mut oracle, &forged, Condition::K6, reason, &only);
    // Right for the case that White begins, and silent about the other.
    let edges = oracle.edges(BLACK_FIRST);
    let is_first = |spot: &Spot| edges.iter().any(|edge| edge.to == To::Goes(*spot));
    let forged: Vec<Spot> = spots.iter().copied().filter(|spot| !is_first(spot)).collect();
    let only = |_: &mut Oracle, flaw: &Flaw| flaw.spot == BLACK_FIRST;
    refused_refutation(&mut oracle, &forged, Condition::K6, "no first black move", &only);
}

#[test]
fn k7_for_each_reason() {
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    // One position missing: all that is wrong is that white moves have no answer.
    let forged = (0..spots.len()).rev().find_map(|place| {
        let mut forged = spots.clone();
        forged.remove(place);
        let flaws = oracle.refutation_flaws(&forged);
        let is_k7 = !flaws.is_empty() && flaws.iter().all(|flaw| flaw.condition == Condition::K7);
        is_k7.then_some(forged)
    });
    let forged = forged.expect("a position that some need and the empty board does not");
    let unanswered = "no black move after it wins or leads to a listed position won before";
    let only = |oracle: &mut Oracle, flaw: &Flaw| matches!(leads(oracle, flaw), To::Goes(_));
    refused_refutation(&mut oracle, &forged, Condition::K7, unanswered, &only);
}

/// M20: with no order Black would only go round in circles. In this game White holds, and yet Black has an answer inside to
/// every white move.
#[test]
fn m20_k7_a_circle() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let mut circle: HashSet<Spot> = oracle.every_spot(true).iter().copied().collect();
    circle.retain(|&spot| oracle.line(spot).is_none());
    loop {
        let mut fallen = circle.clone();
        fallen.retain(|&spot| !oracle.is_won_for_black(spot, &circle));
        if fallen.is_empty() {
            break;
        }
        circle.retain(|spot| !fallen.contains(spot));
    }
    assert!(circle.contains(&WHITE_FIRST) && oracle.won_by_black(BLACK_FIRST, &circle));
    let mut spots: Vec<Spot> = circle.into_iter().collect();
    spots.sort_unstable();
    // Without the order every condition holds; with it the empty board, which is not won, is told of too.
    let flaws = oracle.refutation_flaws(&spots);
    assert!(flaws.iter().all(|flaw| [Condition::K6, Condition::K7].contains(&flaw.condition)));
    let breach = breach(&refutation(&oracle.game, &spots));
    assert!(flaws.contains(&Flaw::of(&breach)) && breach.condition == Condition::K7, "{breach}");
    assert!(breach.reason.contains("won before"), "{breach}");
}

/// The refutation of A2B2-A3B3 that ships, with a position more: that takes nothing from the others.
fn with_one_more(text: &str) -> (Oracle, Spot, HashSet<Spot>, Vec<u8>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/A2B2-A3B3-official-refutation.gobcert");
    let bytes = std::fs::read(path).expect("what ships");
    let certificate = Certificate::decode(&bytes).expect("a certificate");
    let set = &certificate.white_to_move;
    check_on(&bytes, 2).expect("the control is accepted");
    let game = certificate.claim.game;
    let spot = Spot::parse(text).canonical();
    let position = spot.position(&game);
    assert!(!set.contains(&position));
    let won = set.positions(Color::White).map(|position| Spot::of(&position)).collect();
    let all = set.positions(Color::White).chain([position]);
    let forged = PositionSet::from_positions(game.variant, all);
    (Oracle::new(game), spot, won, Certificate::refutation(game, forged).encode())
}

/// White can win where Black wins after every other move.
#[test]
fn k7_a_white_move_wins() {
    let (mut oracle, spot, won, forged) = with_one_more(".,a,b,a/A,B,B,b/.,b,.,./.,.,A,a w");
    let edges = oracle.edges(spot);
    let wins: Vec<_> = edges.iter().filter(|edge| edge.to == To::WhiteWins).collect();
    assert!(edges.iter().all(|edge| edge.to == To::WhiteWins || oracle.is_lost_by(edge, &won)));
    let breach = breach(&forged);
    assert_eq!((breach.condition, Flaw::of(&breach).spot), (Condition::K7, spot));
    assert!(wins.iter().any(|edge| breach.mv.is_some_and(|mv| mv.to_string() == edge.mv)), "{breach}");
    assert!(breach.reason.contains("a white move wins"), "{breach}");
}

/// After one white move Black has nothing but a lift that uncovers a white line, which is no answer.
#[test]
fn k7_a_black_move_by_which_white_wins() {
    let (mut oracle, spot, won, forged) = with_one_more(".,.,B,./.,a,a,b/.,.,.,./Ab,Ab,.,aB w");
    let edges = oracle.edges(spot);
    let left: Vec<_> = edges.iter().filter(|edge| !oracle.is_lost_by(edge, &won)).collect();
    let [only] = left.as_slice() else { panic!("{left:?}") };
    let To::Goes(question) = only.to else { panic!("{only:?}") };
    assert!(oracle.edges(question).iter().any(|edge| edge.to == To::WhiteWins));
    let breach = breach(&forged);
    let flaw = Flaw { condition: Condition::K7, spot, mv: Some(only.mv.clone()) };
    assert_eq!(Flaw::of(&breach), flaw);
    assert!(breach.reason.contains("won before"), "{breach}");
}

/// The closure of A1-A1 that FORMAT.md shows byte for byte.
fn smallest() -> Sheet {
    let sheet = Sheet::of(&closure(&game("A1-A1", Reading::Official), &[BLACK_FIRST]));
    let sheet = sheet.with_bodies(&[body(0, 0, &[0]), body(0, 2, &[0]), body(0, 3, &[0, 2])]).recounted();
    assert!(check(&sheet.sealed()).is_ok(), "the control");
    sheet
}

#[test]
fn m11_a_set_that_nobody_looks_at() {
    // What is listed is canonical and holds no line, and no condition asks for it: there would be two files of one content.
    let mut bodies = smallest().bodies;
    bodies.push(body(1, 1, &[0]));
    assert_eq!(format_code(&smallest().with_bodies(&bodies).recounted().sealed()), "section");
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    let sheet = Sheet::of(&refutation(&oracle.game, &spots));
    let bodies = [vec![body(0, 0, &[0])], sheet.bodies.clone()].concat();
    assert_eq!(format_code(&sheet.with_bodies(&bodies).recounted().sealed()), "section");
}

#[test]
fn m21_a_block_without_entries() {
    // The counts of the header are right, and so is all that is listed.
    let mut bodies = smallest().bodies;
    bodies.insert(1, raw_body(0, &[1, 0, 5, 5], &[]));
    assert_eq!(format_code(&smallest().with_bodies(&bodies).recounted().sealed()), "block-entries");
}

#[test]
fn m18_a_side_without_pieces() {
    // White cannot move, so no white move is left to be answered, and K7 holds for want of any. Black begins with A@a1.
    let bodies = [body(1, 0, &[0]), body(1, 1, &[0])];
    let sheet = Sheet::of(&refutation(&game("A1-A1", Reading::Official), &[WHITE_FIRST]));
    let forged = sheet.with_head(at::WHITE, &[0; 4]).with_bodies(&bodies).recounted().sealed();
    assert_eq!(format_code(&forged), "material");
}
