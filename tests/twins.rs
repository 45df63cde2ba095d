//! The bitboards and the slow twin give the same moves and the same judgements, and call the same setups
//! positions.
//!
//! Each is the other's oracle: they were written apart from the same text (RULES.md) and share no code.
//! They meet as text only, moves (`B@c3`, `a1-c3`) and positions alike.

mod random;
#[path = "support/twins.rs"]
mod twins;

use std::collections::BTreeMap;

use gobprove::notation::Setup;
use gobprove::prelude::*;
use gobprove::rules::reference::Table;
use gobprove::rules::{Color, Game, Move, Position, Reading, Size, Square, Variant};
use proptest::prelude::*;

use random::{Random, variants};
use twins::{agreed_moves, is_position, referee, slow_moves};

/// What a run has met, so that a test can tell that it has seen what it is about.
#[derive(Default, Debug)]
struct Met {
    positions: usize,
    finished: usize,
    wins: [usize; 2],
    /// Positions in which the moves or judgements of a reading are not those of `official`.
    parted: BTreeMap<&'static str, usize>,
    /// Positions in which `thesis` and `strict-lift` differ: a lift uncovers a line, and the mover wins.
    won_by_lift: usize,
}

impl Met {
    /// Holds the twins against each other under every reading.
    fn all_readings(&mut self, variant: Variant, text: &str) {
        let official = agreed_moves(&Game::new(variant, Reading::Official), text);
        let mut by_reading = Vec::new();
        for reading in Reading::ALL {
            let moves = agreed_moves(&Game::new(variant, reading), text);
            *self.parted.entry(reading.tag()).or_default() += usize::from(moves != official);
            by_reading.push((reading, moves));
        }
        let of = |wanted| by_reading.iter().find(|(reading, _)| *reading == wanted);
        self.won_by_lift += usize::from(
            of(Reading::Thesis).map(|(_, moves)| moves) != of(Reading::StrictLift).map(|(_, moves)| moves),
        );
        self.positions += 1;
        self.finished += usize::from(official.is_empty());
        for (won, wins) in ["white", "black"].into_iter().zip(&mut self.wins) {
            *wins += official.values().filter(|judged| *judged == won).count();
        }
    }

    fn assert_at_least(&self, times: usize) {
        assert!(self.finished >= times && self.wins.iter().all(|&wins| wins >= times), "{self:?}");
        for reading in &Reading::ALL[1..] {
            assert!(self.parted[reading.tag()] >= times, "{self:?}");
        }
        assert_eq!(self.parted["official"], 0);
    }
}

#[test]
fn in_positions_of_random_tiers_and_ranks() {
    let mut random = Random(1);
    let mut met = Met::default();
    for variant in variants() {
        for _ in 0..300 {
            met.all_readings(variant, &random.any_position(variant).to_string());
        }
    }
    met.assert_at_least(10);
}

#[test]
fn in_crowded_positions_built_by_hand() {
    let mut random = Random(2);
    let mut met = Met::default();
    for variant in variants() {
        for _ in 0..400 {
            met.all_readings(variant, &random.crowded_setup(variant).to_string());
        }
    }
    met.assert_at_least(50);
}

#[test]
fn where_a_lift_uncovers_a_line() {
    let mut random = Random(6);
    let mut met = Met::default();
    for variant in variants() {
        for _ in 0..400 {
            if let Some(setup) = random.lift_setup(variant) {
                met.all_readings(variant, &setup.to_string());
            }
        }
    }
    met.assert_at_least(100);
    assert!(met.won_by_lift >= 100, "{met:?}");
}

#[test]
fn in_positions_reached_by_play() {
    const PLIES: usize = 60;
    let mut random = Random(3);
    let (mut positions, mut ended) = (0, 0);
    for variant in variants() {
        for reading in Reading::ALL {
            let game = Game::new(variant, reading);
            for first in Color::ALL.into_iter().cycle().take(4) {
                let mut text = Position::empty(first).to_string();
                for _ in 0..PLIES {
                    let moves: Vec<String> = agreed_moves(&game, &text).into_values().collect();
                    positions += 1;
                    text = moves[random.below_u128(moves.len() as u128) as usize].clone();
                    if text == "black" || text == "white" {
                        ended += 1;
                        break;
                    }
                }
            }
        }
    }
    assert!(positions > 5_000 && ended > 30, "{positions} positions, {ended} games to the end");
}

/// Every move that can be written down.
fn all_moves() -> impl Iterator<Item = Move> {
    let places = Size::ALL.into_iter().flat_map(|size| Square::ALL.map(|to| Move::Place { size, to }));
    let transfers =
        Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| Move::Transfer { from, to }));
    places.chain(transfers)
}

#[test]
fn play_takes_what_the_twin_lists_and_nothing_else() {
    let mut random = Random(4);
    for variant in variants() {
        for reading in Reading::ALL {
            let game = Game::new(variant, reading);
            for _ in 0..5 {
                let text = random.crowded_setup(variant).to_string();
                let legal = slow_moves(&referee(&game), &Table::parse(&text).expect("a table"));
                let position = game.parse(&text).expect("a position");
                for mv in all_moves() {
                    let played = game.play(&position, mv);
                    assert_eq!(played.is_ok(), legal.contains_key(&mv.to_string()), "{text} {mv}");
                }
            }
        }
    }
}

/// One change to a position that often breaks it: a piece more, one less, or two of a stack swapped.
fn disturb(random: &mut Random, setup: &mut Setup) {
    let taken: Vec<usize> = (0..Square::COUNT).filter(|&i| !setup.stacks[i].is_empty()).collect();
    if taken.is_empty() {
        return;
    }
    let from = random.pick(&taken);
    let piece = random.pick(&setup.stacks[from]);
    match random.below_u128(3) {
        0 => setup.stacks[random.below_u128(16) as usize].push(piece),
        1 => setup.stacks[from].retain(|&other| other != piece),
        _ => setup.stacks[from].reverse(),
    }
}

#[test]
fn setups_near_the_rules_are_positions_for_both_or_neither() {
    let full = "abcd-full".read().expect("a variant");
    let mut random = Random(5);
    let mut count = [0, 0];
    for variant in variants() {
        for source in [variant, variant, full] {
            for _ in 0..1_000 {
                let mut setup = random.crowded_setup(source);
                disturb(&mut random, &mut setup);
                count[usize::from(is_position(variant, &setup.to_string()))] += 1;
            }
        }
    }
    assert!(count.into_iter().all(|count| count > 5_000), "{count:?} no and yes");
}

/// Pieces dropped on squares, by letter: a heap, in the order in which it fell.
fn heap() -> impl Strategy<Value = Vec<(char, usize)>> {
    prop::collection::vec(
        (prop::sample::select("AAABBCDaaabbcd".chars().collect::<Vec<_>>()), 0usize..16),
        0..24,
    )
}

/// The heap as a text, ranks from 4 down, each square's pieces from the top.
fn text_of(heap: &[(char, usize)], white: bool) -> String {
    let square = |index: usize| {
        let stack: String = heap.iter().filter(|(_, at)| *at == index).map(|(letter, _)| *letter).collect();
        if stack.is_empty() { ".".to_owned() } else { stack }
    };
    let ranks: Vec<String> =
        (0..4).map(|row| (0..4).map(|file| square(4 * row + file)).collect::<Vec<_>>().join(",")).collect();
    format!("{} {}", ranks.join("/"), if white { "w" } else { "b" })
}

/// What is left of a heap when it is sorted by size and every piece that would break R2, R3 or the
/// material is dropped.
fn lawful(variant: Variant, heap: &[(char, usize)]) -> Vec<(char, usize)> {
    let mut sorted = heap.to_vec();
    sorted.sort_by_key(|(letter, _)| letter.to_ascii_uppercase());
    let mut kept: Vec<(char, usize)> = Vec::new();
    for (letter, at) in sorted {
        let size = letter.to_ascii_uppercase().to_string().read::<Size>().expect("a size");
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let count = |wanted: char| kept.iter().filter(|(other, _)| *other == wanted).count();
        let released = if size == Size::A { 3 } else { count((letter as u8 - 1) as char) };
        let most = released.min(usize::from(variant.material(color).count(size)));
        let same_size = |&(other, there): &(char, usize)| there == at && other.eq_ignore_ascii_case(&letter);
        if count(letter) < most && !kept.iter().any(same_size) {
            kept.push((letter, at));
        }
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_heap_is_a_position_for_both_or_neither(
        heap in heap(),
        variant in prop::sample::select(variants()),
        white: bool,
    ) {
        is_position(variant, &text_of(&heap, white));
    }

    #[test]
    fn any_lawful_heap_is_a_position_with_the_same_moves(
        heap in heap(),
        variant in prop::sample::select(variants()),
        white: bool,
        reading in prop::sample::select(Reading::ALL.to_vec()),
    ) {
        let text = text_of(&lawful(variant, &heap), white);
        prop_assert!(is_position(variant, &text), "{text}");
        agreed_moves(&Game::new(variant, reading), &text);
    }

    #[test]
    fn any_text_is_readable_for_both_or_neither(
        heap in heap(),
        white: bool,
        at in any::<prop::sample::Index>(),
        put in prop::sample::select("ABcdXw./, ".chars().collect::<Vec<_>>()),
        take: bool,
    ) {
        let mut letters: Vec<char> = text_of(&heap, white).chars().collect();
        let at = at.index(letters.len());
        if take { letters[at] = put } else { letters.insert(at, put) }
        is_position("abcd-full".read().expect("a variant"), &letters.into_iter().collect::<String>());
    }
}
