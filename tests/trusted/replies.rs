//! Answers to questions: a search among groups of listed positions says the same as trying every move.

use std::collections::{HashMap, HashSet};

use gobprove::enumerate::{Ranking, Tiers};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading, Variant};
use gobprove::symmetry::{Symmetry, canonical, is_canonical, orbit_len};

use super::random::Random;
use inside::Replies;

// Its crate has a width of its own.
#[rustfmt::skip]
#[path = "../../gobcheck/src/check/replies.rs"]
mod inside;

/// A group with fewer positions is gone through, a larger one is searched.
const SMALL: usize = 64;

/// What the searches of a test were about.
#[derive(Default, Debug)]
struct Seen {
    small: [u32; 2],
    large: [u32; 2],
    symmetric: [u32; 2],
    wins: u32,
}

/// Some placements of a variant, whoever is to move: all of the tiers that have few, and some of the others.
fn placements(variant: Variant, random: &mut Random) -> Vec<Position> {
    let tiers = Tiers::new(variant);
    let of_tier = tiers.as_slice().iter().flat_map(|&tier| {
        let ranking = Ranking::new(tier);
        let len = ranking.len();
        let some: Vec<u128> =
            if len < 300 { (0..len).collect() } else { (0..100).map(|_| random.below_u128(len)).collect() };
        some.into_iter().map(move |rank| ranking.unrank(rank, Color::White).expect("a placement"))
    });
    of_tier.collect()
}

/// How many positions of a list, images among them, have the same pieces of the asking side as each; by those pieces.
fn groups(listed: &[Position], asking: Color) -> HashMap<u64, HashSet<u64>> {
    let mut groups: HashMap<u64, HashSet<u64>> = HashMap::new();
    for position in listed {
        for symmetry in Symmetry::all() {
            let [asking, replying] = [asking, !asking].map(|color| symmetry.side(position.side(color)));
            groups.entry(asking).or_default().insert(replying);
        }
    }
    groups
}

fn naive(game: &Game, counted: &HashSet<Position>, question: &Position) -> bool {
    game.moves(question).any(|mv| {
        let after = question.moved(mv);
        match game.winner(question, mv, &after) {
            Some(color) => color == question.turn(),
            None => counted.contains(&canonical(&after)),
        }
    })
}

/// Holds the replies of a game to the naive search. Of the listed positions `share` in a thousand are taken, and every
/// `nth` of them counts.
fn compare(game: &Game, asking: Color, share: u64, nth: usize, random: &mut Random, seen: &mut Seen) {
    let here: Vec<Position> = placements(game.variant, random);
    let listed: HashSet<Position> = here
        .iter()
        .flat_map(|position| {
            // What a question leads to is likelier to be met than anything.
            let question = position.with_turn(!asking);
            let after = game.moves(&question).map(move |mv| question.moved(mv));
            after.chain([position.with_turn(asking)]).collect::<Vec<_>>()
        })
        .map(|position| canonical(&position))
        .filter(|position| position.finished().is_none() && random.next() % 1000 < share)
        .collect();
    let mut listed: Vec<Position> = listed.into_iter().collect();
    listed.sort_unstable_by_key(|position| position.sides());
    assert!(listed.iter().all(is_canonical));
    let counted: HashSet<Position> = listed.iter().copied().step_by(nth).collect();
    let replies = Replies::new(listed.iter().map(Position::sides).collect(), asking, nth == 1);
    if nth > 1 {
        counted.iter().for_each(|position| replies.count(position));
    }
    // All are there, each once, whatever image they are kept by.
    let (half, len) = (listed.len() / 2, replies.len());
    let kept = replies.images(0).take(half).chain(replies.images(half));
    let kept: HashSet<Position> = kept.map(|image| canonical(&image)).collect();
    assert_eq!((len, &kept), (listed.len(), &listed.iter().copied().collect()));
    for position in &listed {
        assert_eq!(replies.counts(position), counted.contains(position), "{} {position}", game.reading);
    }
    let groups = groups(&listed, asking);
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    for position in here.iter().step_by(here.len().div_ceil(500)) {
        // The image is any of the orbit.
        let symmetry = symmetries[random.below(symmetries.len())];
        let question = symmetry.position(&position.with_turn(!asking));
        let expected = naive(game, &counted, &question);
        assert_eq!(replies.answer(game, &question), expected, "{} {question}", game.reading);
        let size = groups.get(&question.side(asking)).map_or(0, HashSet::len);
        let answer = usize::from(expected);
        match size {
            0 => {}
            1..SMALL => seen.small[answer] += 1,
            _ => seen.large[answer] += 1,
        }
        seen.symmetric[answer] += u32::from(orbit_len(&question) < 32 && size > 0);
        let wins = |mv| game.winner(&question, mv, &question.moved(mv)) == Some(!asking);
        seen.wins += u32::from(game.moves(&question).any(wins));
    }
}

#[test]
fn replies_are_those_of_a_naive_search() {
    let mut seen = Seen::default();
    let mut random = Random(31);
    for variant in ["A1-A1", "A2-A1B1", "A2B2-A1", "A1-A2B2", "A2B1-A3", "A1B1C1-A2B1"] {
        for reading in Reading::ALL {
            let game = Game::new(variant.read().expect("a variant"), reading);
            for asking in Color::ALL {
                for (share, nth) in [(1000, 1), (1000, 9), (100, 1), (100, 3)] {
                    compare(&game, asking, share, nth, &mut random, &mut seen);
                }
            }
        }
    }
    println!("{seen:?}");
    let all = [seen.small, seen.large, seen.symmetric];
    assert!(all.as_flattened().iter().all(|&times| times > 500) && seen.wins > 100, "{seen:?}");
}

/// Two white pieces that the board's symmetries exchange, and a black one that they move: the same question in all images.
#[test]
fn a_stabiliser_of_the_asking_side_hides_no_reply() {
    let game = Game::new("A2-A2".read().expect("a variant"), Reading::Official);
    let position = |text: &str| game.parse(text).expect("a position");
    let question = position("A,.,.,./.,.,.,./.,.,.,./a,.,.,A b");
    let mut reached = 0;
    for mv in game.moves(&question) {
        let after = canonical(&question.moved(mv));
        let replies = Replies::new(vec![after.sides()], Color::White, false);
        for image in Symmetry::all().map(|symmetry| symmetry.position(&question)) {
            assert!(!replies.answer(&game, &image), "nothing counts yet");
        }
        replies.count(&after);
        for image in Symmetry::all().map(|symmetry| symmetry.position(&question)) {
            assert!(replies.answer(&game, &image), "{mv} from {image}");
        }
        reached += 1;
    }
    // From hand onto 13 squares, and the black piece onto the same 13.
    assert_eq!(reached, 26);
}

/// The white A on a1 covers the white B. The transfer from a1 to d1 is legal, and it is the A that moves.
#[test]
fn a_piece_under_another_does_not_answer() {
    let game = Game::new("A1B1-A1".read().expect("a variant"), Reading::Official);
    let position = |text: &str| canonical(&game.parse(text).expect("a position"));
    let question = position("a,.,.,./.,.,.,./.,.,.,./AB,.,.,. w");
    let mut unanswered = 0;
    for to in ["A,.,.,B", "A,.,B,.", "A,B,.,."] {
        let after = position(&format!("a,.,.,./.,.,.,./.,.,.,./{to} b"));
        let replies = Replies::new(vec![after.sides()], Color::Black, true);
        let expected = naive(&game, &HashSet::from([after]), &question);
        assert_eq!(replies.answer(&game, &question), expected, "{to}");
        unanswered += u32::from(!expected);
    }
    assert!(unanswered > 0);
    let moved = position("a,.,.,./.,.,.,./.,.,.,./B,.,.,A b");
    assert!(Replies::new(vec![moved.sides()], Color::Black, true).answer(&game, &question));
}
