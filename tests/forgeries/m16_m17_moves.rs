//! M16, M17: closures that are right in a world where Black forgets some of its moves, or White dreams up some, and
//! refutations the other way round. Every flaw that they have comes from that.

use std::collections::HashSet;
use std::ops::ControlFlow;

use gobcheck::check::Condition;
use gobprove::passes;
use gobprove::rules::{Color, Reading};
use gobprove::store::Certificate;
use gobprove::strategy::Seed;

use super::forge::{breach, closure, game, refutation};
use super::oracle::{Edge, Flaw, Oracle, Spot, To};
use super::world::{BOTH_FIRST, World, honest_refutation};

fn is_transfer(_: &Spot, edge: &Edge) -> bool {
    edge.mv.contains('-')
}

fn is_place(spot: &Spot, edge: &Edge) -> bool {
    !is_transfer(spot, edge)
}

fn square(name: &str) -> usize {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'a') + 4 * usize::from(bytes[1] - b'1')
}

/// The square that a move lands on.
fn landing(edge: &Edge) -> usize {
    square(&edge.mv[edge.mv.len() - 2..])
}

fn covers(spot: &Spot, edge: &Edge) -> bool {
    spot.top(landing(edge)).is_some()
}

fn is_entry_cover(spot: &Spot, edge: &Edge) -> bool {
    is_place(spot, edge) && covers(spot, edge)
}

fn wins(_: &Spot, edge: &Edge) -> bool {
    edge.to == To::BlackWins
}

/// A transfer of a piece that stood on another one.
fn uncovers(spot: &Spot, edge: &Edge) -> bool {
    let under = |spot: &Spot| {
        let from = square(&edge.mv[..2]);
        spot.pieces.iter().filter(|mask| **mask >> from & 1 == 1).count() > 1
    };
    is_transfer(spot, edge) && under(spot)
}

fn is_place_of(letter: &'static str) -> impl Fn(&Spot, &Edge) -> bool {
    move |_, edge| edge.mv.starts_with(letter)
}

type Kind<'a> = (&'a str, &'a dyn Fn(&Spot, &Edge) -> bool);

/// A closure that is right but for the black moves of a kind.
fn forgotten(oracle: &mut Oracle, (name, kind): Kind<'_>) {
    let truth = World::true_one(oracle).safe();
    let remembered = |spot: &Spot, edge: &Edge| !kind(spot, edge);
    let mut world = World { oracle, remembered: &remembered, dreamt: &|_| Vec::new() };
    let safe = world.safe();
    // White leans on what the world gets wrong: it prefers positions that are lost in truth.
    let cost = |_: &Spot, answer: &Spot| i64::from(truth.contains(answer));
    let forged = world.closure(Some(&safe), &BOTH_FIRST, &cost);
    let flaws = oracle.closure_flaws(&forged);
    assert!(!flaws.is_empty(), "{name}: not forgotten");
    for flaw in &flaws {
        let edges = oracle.edges(flaw.spot);
        let edge = edges.iter().find(|edge| Some(&edge.mv) == flaw.mv.as_ref()).expect("a move");
        assert!(flaw.condition == Condition::K5 && kind(&flaw.spot, edge), "{name}: {flaw:?}");
    }
    let breach = breach(&closure(&oracle.game, &forged));
    assert!(flaws.contains(&Flaw::of(&breach)), "{name}: {breach}");
    println!(
        "m17: {} {}, black {name} forgotten: {} positions, {} flaws, refused at {}",
        oracle.game.variant,
        oracle.game.reading,
        forged.len(),
        flaws.len(),
        Flaw::of(&breach).mv.expect("the move that escapes")
    );
}

#[test]
fn m17_black_moves_forgotten() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let (a, b) = (is_place_of("A"), is_place_of("B"));
    let covering = |spot: &Spot, edge: &Edge| is_transfer(spot, edge) && covers(spot, edge);
    let kinds: [Kind<'_>; 8] = [
        ("transfers", &is_transfer),
        ("places", &is_place),
        ("places of A", &a),
        ("places of B", &b),
        ("transfers onto pieces", &covering),
        ("transfers off pieces", &uncovers),
        ("wins", &wins),
        ("winning places", &|spot, edge| wins(spot, edge) && is_place(spot, edge)),
    ];
    for kind in kinds {
        forgotten(&mut oracle, kind);
    }
}

#[test]
fn m17_m18_black_covers_from_hand_forgotten() {
    // White blocks a black three with a piece that stands in a white three: Black covers it from hand and
    // wins, under the readings that know such covers. A transfer cannot do it.
    let (blind, seeing) = (game("A2B1-A3B1", Reading::NoEntryCover), game("A2B1-A3B1", Reading::Official));
    let solution =
        passes::solve(&blind, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    let weights = gobprove::closure::Weights::default();
    let valid = gobprove::closure::closure(&solution, &weights).expect("White holds");
    let control = Certificate::closure(seeing, valid.black_to_move.clone());
    assert!(super::forge::check_on(&control.encode(), 2).is_ok(), "this far both readings agree");

    let positions = valid.listed(Color::Black).expect("a closure").positions(Color::Black);
    let mut inside: HashSet<Spot> = positions.map(|position| Spot::of(&position)).collect();
    let mut added = vec![Spot::parse("b,.,.,./.,a,.,./.,.,a,./A,A,.,B b").canonical()];
    let mut oracle = Oracle::new(blind);
    let mut next = 0;
    inside.extend(&added);
    while let Some(&spot) = added.get(next) {
        next += 1;
        for edge in oracle.edges(spot).iter() {
            let To::Goes(question) = edge.to else { continue };
            if oracle.answered(question, &inside) {
                continue;
            }
            let edges = oracle.edges(question);
            let answers =
                edges.iter().filter_map(|edge| if let To::Goes(to) = edge.to { Some(to) } else { None });
            let sum = |spot: &Spot| weights.sum(&spot.position(&blind));
            let safe = answers.filter(|spot| !solution.is_lost(&spot.position(&blind)));
            let best = safe.min_by_key(|spot| (sum(spot), *spot)).expect("a safe answer");
            inside.insert(best);
            added.push(best);
        }
    }
    let forged: Vec<Spot> = inside.iter().copied().collect();
    assert!(super::forge::check_on(&closure(&blind, &forged), 2).is_ok(), "right where there are no covers");
    let breach = breach(&closure(&seeing, &forged));
    let mut oracle = Oracle::new(seeing);
    // The two readings differ in covers from hand alone (R4), and White has more of them here, not fewer: what
    // is wrong can be nothing but a black cover.
    let named = Flaw::of(&breach);
    assert!(added.contains(&named.spot) && oracle.is_flaw_of_k5(&named, &inside), "{breach}");
    let edges = oracle.edges(named.spot);
    let edge = edges.iter().find(|edge| Some(&edge.mv) == named.mv.as_ref()).expect("a move");
    assert!(is_entry_cover(&named.spot, edge));
    println!("m17: covers from hand forgotten: {} positions, refused at {}", forged.len(), edge.mv);
}

/// Moves a visible or covered piece.
fn moved(spot: &Spot, piece: usize, from: usize, to: usize) -> Spot {
    let mut next = *spot;
    next.pieces[piece] ^= 1 << from | 1 << to;
    next.turned()
}

/// Where a piece could stand besides: squares without a piece of its size or larger.
fn free_for(spot: &Spot, piece: usize) -> impl Iterator<Item = usize> + '_ {
    (0..16).filter(move |&to| spot.top(to).is_none_or(|top| top / 2 > piece / 2))
}

fn transfers(spot: &Spot, chosen: impl Fn(usize, usize) -> bool) -> Vec<Spot> {
    let mut found = Vec::new();
    for piece in 0..8 {
        for from in (0..16).filter(|&from| spot.pieces[piece] >> from & 1 == 1 && chosen(piece, from)) {
            found.extend(free_for(spot, piece).map(|to| moved(spot, piece, from, to)));
        }
    }
    found
}

/// A closure in which White dreams up moves of a kind, and leans on them.
fn dreamt(oracle: &mut Oracle, name: &str, dream: &dyn Fn(&Spot) -> Vec<Spot>) {
    let mut world = World { oracle, remembered: &|_, _| true, dreamt: dream };
    let safe = world.safe();
    // Besides it brings its pieces out and stacks them.
    let placed = |spot: &Spot| spot.pieces.iter().step_by(2).map(|mask| mask.count_ones()).sum::<u32>();
    let squares = |spot: &Spot| (0..16).filter(|&square| spot.top(square).is_some()).count() as i64;
    let cost = |question: &Spot, answer: &Spot| {
        let dreamt = dream(question).into_iter().any(|next| next.canonical() == *answer);
        squares(answer) - 10 * i64::from(placed(answer)) - if dreamt { 100 } else { 0 }
    };
    let forged = world.closure(Some(&safe), &BOTH_FIRST, &cost);
    let flaws = oracle.closure_flaws(&forged);
    let inside: HashSet<Spot> = forged.iter().copied().collect();
    assert!(!flaws.is_empty(), "{name}: no dream");
    for flaw in &flaws {
        let edges = oracle.edges(flaw.spot);
        let question = match edges.iter().find(|edge| Some(&edge.mv) == flaw.mv.as_ref()).map(|edge| edge.to)
        {
            Some(To::Goes(question)) => question,
            None if flaw.condition == Condition::K4 => flaw.spot,
            other => panic!("{name}: {flaw:?} {other:?}"),
        };
        assert!(
            dream(&question).into_iter().any(|next| inside.contains(&next.canonical())),
            "{name}: {flaw:?}"
        );
    }
    let breach = breach(&closure(&oracle.game, &forged));
    assert!(flaws.contains(&Flaw::of(&breach)), "{name}: {breach}");
    println!(
        "m16: {} {}, White dreams of {name}: {} positions, {} flaws, refused for {}",
        oracle.game.variant,
        oracle.game.reading,
        forged.len(),
        flaws.len(),
        format_args!("{:?}", breach.condition)
    );
}

#[test]
fn m16_white_moves_dreamt_up() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let white = |piece: usize| piece.is_multiple_of(2);
    let visible = |spot: &Spot, piece: usize, from: usize| spot.top(from) == Some(piece);
    dreamt(&mut oracle, "passing", &|spot| vec![spot.turned()]);
    dreamt(&mut oracle, "black pieces", &|spot| {
        transfers(spot, |piece, from| !white(piece) && visible(spot, piece, from))
    });
    dreamt(&mut oracle, "lifting black pieces off the board", &|spot| {
        let mut found = Vec::new();
        for piece in (1..8).step_by(2) {
            for from in (0..16).filter(|&from| visible(spot, piece, from)) {
                let mut next = spot.turned();
                next.pieces[piece] ^= 1 << from;
                let [a, b] = [next.pieces[1], next.pieces[3]].map(u16::count_ones);
                found.extend((b <= a).then_some(next));
            }
        }
        found
    });
    let mut oracle = Oracle::new(game("A2-A2B1", Reading::Official));
    dreamt(&mut oracle, "covering black pieces from hand without a three", &|spot| {
        let free = (0..16).filter(|&to| spot.pieces[0].count_ones() < 2 && spot.top(to) == Some(3));
        let place = |to: usize| {
            let mut next = spot.turned();
            next.pieces[0] |= 1 << to;
            next
        };
        free.map(place).collect()
    });
    let mut oracle = Oracle::new(game("A1B1-A1B1", Reading::Official));
    dreamt(&mut oracle, "two pieces at once, the second still nested in the first", &|spot| {
        let place = |to: usize| {
            let mut next = spot.turned();
            next.pieces[0] = if to == 0 { 2 } else { 1 };
            next.pieces[2] = 1 << to;
            next
        };
        let squares: Vec<usize> = free_for(spot, 2).filter(|_| spot.pieces[0] == 0).collect();
        squares.into_iter().map(place).filter(|next| next.pieces[0] & spot.pieces[1] == 0).collect()
    });
    dreamt(&mut oracle, "covered pieces", &|spot| {
        transfers(spot, |piece, from| white(piece) && !visible(spot, piece, from))
    });
    // The transfer between these squares is legal, and moves the piece on top.
    dreamt(&mut oracle, "pieces covered by its own", &|spot| {
        transfers(spot, |piece, from| {
            let top = spot.top(from).filter(|&top| white(top));
            white(piece) && top.is_some_and(|top| top != piece)
        })
    });
}

#[test]
fn m16_a_lift_that_uncovers_a_black_line() {
    // Under `official` White may lift its piece off a black line and cover it again, and in A1-A2B2 it holds
    // by that; under the readings where such a move loses at once it holds nothing. The positions that
    // these moves lead to are listed and hold no line: a judge who looks at them alone accepts.
    let official = game("A1-A2B2", Reading::Official);
    let forged = super::world::honest_closure(&mut Oracle::new(official));
    assert!(super::forge::check(&closure(&official, &forged)).is_ok());
    for reading in [Reading::Thesis, Reading::StrictLift, Reading::Robust] {
        let mut oracle = Oracle::new(game("A1-A2B2", reading));
        let flaws = oracle.closure_flaws(&forged);
        let inside: HashSet<Spot> = forged.iter().copied().collect();
        let mut judged = Oracle::new(official);
        let breach = breach(&closure(&oracle.game, &forged));
        assert!(flaws.contains(&Flaw::of(&breach)), "{reading}: {breach}");
        for flaw in &flaws {
            assert_eq!(flaw.condition, Condition::K5);
            let edges = oracle.edges(flaw.spot);
            let edge = edges.iter().find(|edge| Some(&edge.mv) == flaw.mv.as_ref()).expect("a move");
            let To::Goes(question) = edge.to else { panic!("{reading}: {flaw:?}") };
            // What was an answer is a move that loses at once.
            assert!(judged.answered(question, &inside));
            let losing = oracle.edges(question).iter().any(|edge| edge.to == To::BlackWins);
            assert!(losing, "{reading}: {flaw:?}");
        }
        println!("m16: under {reading} {} flaws, each a lift that loses", flaws.len());
    }
}

/// What becomes of a refutation that is right in a world where not all is as it is.
fn believed(name: &str, mut world: World<'_>) -> Vec<Flaw> {
    let forged = world.refutation().expect("Black wins in this world");
    let oracle = world.oracle;
    let flaws = oracle.refutation_flaws(&forged);
    let breach = breach(&refutation(&oracle.game, &forged));
    assert!(flaws.contains(&Flaw::of(&breach)), "{name}: {breach}");
    println!(
        "m16, m17: {} {}, {name}: {} positions, {} flaws, refused for {}",
        oracle.game.variant,
        oracle.game.reading,
        forged.len(),
        flaws.len(),
        format_args!("{:?}", breach.condition)
    );
    flaws
}

#[test]
fn m17_white_moves_forgotten() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let from_hand = |spot: &Spot, edge: &Edge| is_place(spot, edge) && !covers(spot, edge);
    let kinds: [Kind<'_>; 4] = [
        ("transfers", &is_transfer),
        ("places", &is_place),
        ("places on empty squares", &from_hand),
        ("transfers off pieces", &uncovers),
    ];
    for (name, kind) in kinds {
        let remembered = |spot: &Spot, edge: &Edge| !kind(spot, edge);
        let world = World { oracle: &mut oracle, remembered: &remembered, dreamt: &|_| Vec::new() };
        let flaws = believed(&format!("White forgets {name}"), world);
        let mut of_kind = |flaw: &Flaw| {
            let edges = oracle.edges(flaw.spot);
            edges.iter().any(|edge| Some(&edge.mv) == flaw.mv.as_ref() && kind(&flaw.spot, edge))
        };
        assert!(flaws.into_iter().any(|flaw| of_kind(&flaw)), "{name}");
    }
}

#[test]
fn m16_black_moves_dreamt_up() {
    let white = |piece: usize| piece.is_multiple_of(2);
    let visible = |spot: &Spot, piece: usize, from: usize| spot.top(from) == Some(piece);
    type Dream<'a> = (&'a str, &'a dyn Fn(&Spot) -> Vec<Spot>);
    let own = |spot: &Spot| transfers(spot, |piece, from| !white(piece) && visible(spot, piece, from));
    let dreams: [Dream<'_>; 3] = [
        ("white pieces", &|spot| transfers(spot, |piece, from| white(piece) && visible(spot, piece, from))),
        ("two moves", &|spot| own(spot).into_iter().flat_map(|once| own(&once.turned())).collect()),
        ("lifting white pieces off the board", &|spot| {
            let lifted = |from: usize| {
                let mut next = spot.turned();
                next.pieces[0] ^= 1 << from;
                next
            };
            (0..16).filter(|&from| visible(spot, 0, from)).map(lifted).collect()
        }),
    ];
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    for (name, dream) in dreams {
        let world = World { oracle: &mut oracle, remembered: &|_, _| true, dreamt: dream };
        let flaws = believed(&format!("Black dreams of {name}"), world);
        assert!(
            !flaws.is_empty()
                && flaws.iter().all(|flaw| [Condition::K6, Condition::K7].contains(&flaw.condition)),
            "{name}"
        );
    }
}

#[test]
fn m16_black_leans_on_a_lift_that_loses_for_white() {
    // Where a lift that uncovers a line loses at once Black wins A1-A2B2; where White may cover the line again it does not.
    for reading in [Reading::Thesis, Reading::StrictLift] {
        let mut oracle = Oracle::new(game("A1-A2B2", reading));
        let forged = honest_refutation(&mut oracle);
        assert!(super::forge::check(&refutation(&oracle.game, &forged)).is_ok());
        for other in [Reading::Official, Reading::NoEntryCover] {
            let mut oracle = Oracle::new(game("A1-A2B2", other));
            let flaws = oracle.refutation_flaws(&forged);
            let breach = breach(&refutation(&oracle.game, &forged));
            assert!(flaws.contains(&Flaw::of(&breach)), "{reading} as {other}: {breach}");
        }
    }
}
