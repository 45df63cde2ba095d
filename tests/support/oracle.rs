//! A judge of certificates that shares nothing with the checker but the text of positions and moves: it
//! moves with [`gobprove::rules::reference`], finds symmetries and canonical positions by itself, and looks
//! for every flaw of a certificate instead of the first.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use gobcheck::check::{Breach, Condition, Refusal, Verified};
use gobprove::prelude::*;
use gobprove::rules::reference::{Judgement, Referee, Table};
use gobprove::rules::{Color, Game, Position};
use gobprove::store::{Certificate, Kind, PositionSet};

/// Pieces on squares and the side to move. The masks are white A, black A, white B, …, so that the order of
/// this type is that of ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    pub pieces: [u16; 8],
    pub white_to_move: bool,
}

const LETTERS: [char; 8] = ['A', 'a', 'B', 'b', 'C', 'c', 'D', 'd'];

/// The images of each mask under all symmetries, beside one another: the group made by a quarter turn, a reflection, and
/// two exchanges of files together with those of the ranks of the same numbers: the inner two, and each half's
/// two.
static IMAGES: LazyLock<Vec<[u16; 32]>> = LazyLock::new(|| {
    let square = |file: usize, rank: usize| file + 4 * rank;
    let (inner, halves) = ([0, 2, 1, 3], [1, 0, 3, 2]);
    let generators: [[usize; 16]; 4] = [
        std::array::from_fn(|i| square(3 - i / 4, i % 4)),
        std::array::from_fn(|i| square(3 - i % 4, i / 4)),
        std::array::from_fn(|i| square(inner[i % 4], inner[i / 4])),
        std::array::from_fn(|i| square(halves[i % 4], halves[i / 4])),
    ];
    let mut group: Vec<[usize; 16]> = vec![std::array::from_fn(|i| i)];
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product = group[next].map(|image| generator[image]);
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
    }
    assert_eq!(group.len(), 32, "R1");
    let image = |permutation: &[usize; 16], mask: u16| {
        (0..16).filter(|&i| mask >> i & 1 == 1).fold(0, |image, i| image | 1 << permutation[i])
    };
    (0..=u16::MAX).map(|mask| std::array::from_fn(|symmetry| image(&group[symmetry], mask))).collect()
});

impl Spot {
    pub const fn empty(white_to_move: bool) -> Spot {
        Spot { pieces: [0; 8], white_to_move }
    }

    pub fn of(position: &Position) -> Spot {
        Spot::parse(&position.to_string())
    }

    pub fn parse(text: &str) -> Spot {
        let (board, turn) = text.split_once(' ').expect("a side to move");
        let mut spot = Spot::empty(turn == "w");
        for (rank, row) in (0..4).rev().zip(board.split('/')) {
            for (file, stack) in row.split(',').enumerate() {
                for letter in stack.chars().filter(|&letter| letter != '.') {
                    let piece = LETTERS.iter().position(|&other| other == letter).expect("a piece");
                    spot.pieces[piece] |= 1 << (file + 4 * rank);
                }
            }
        }
        spot
    }

    pub fn position(&self, game: &Game) -> Position {
        game.parse(&self.to_string()).expect("a position of the variant")
    }

    pub fn turned(mut self) -> Spot {
        self.white_to_move = !self.white_to_move;
        self
    }

    /// All images, as often as a symmetry leads there.
    pub fn images(self) -> impl Iterator<Item = Spot> {
        (0..32).map(move |symmetry| Spot {
            pieces: self.pieces.map(|mask| IMAGES[usize::from(mask)][symmetry]),
            ..self
        })
    }

    /// The least image: of each mask in turn the least, by the symmetries that have led to the least so far.
    pub fn canonical(mut self) -> Spot {
        let mut left = [true; 32];
        for mask in self.pieces.iter_mut().filter(|mask| **mask != 0) {
            let images = &IMAGES[usize::from(*mask)];
            let least = images.iter().zip(left).filter(|(_, left)| *left).map(|(&image, _)| image).min();
            *mask = least.expect("a symmetry leads there");
            left.iter_mut().zip(images).for_each(|(left, image)| *left &= image == mask);
        }
        self
    }

    /// Which piece is on top of a square.
    pub fn top(&self, square: usize) -> Option<usize> {
        self.pieces.iter().position(|mask| mask >> square & 1 == 1)
    }

    fn table(&self) -> Table {
        Table::parse(&self.to_string()).expect("notation")
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stack = |square: usize| -> String {
            let here = LETTERS.iter().zip(self.pieces).filter(|(_, mask)| mask >> square & 1 == 1);
            let text: String = here.map(|(letter, _)| letter).collect();
            if text.is_empty() { ".".to_owned() } else { text }
        };
        let row = |rank: usize| [0, 1, 2, 3].map(|file| stack(file + 4 * rank)).join(",");
        write!(f, "{} {}", [3, 2, 1, 0].map(row).join("/"), if self.white_to_move { "w" } else { "b" })
    }
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    BlackWins,
    WhiteWins,
    /// The canonical position.
    Goes(Spot),
}

/// A move and where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub mv: String,
    pub to: To,
}

/// A condition that does not hold, and where: a [`Breach`] without words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flaw {
    pub condition: Condition,
    pub spot: Spot,
    pub mv: Option<String>,
}

impl Flaw {
    pub fn of(breach: &Breach) -> Flaw {
        let spot = Spot::of(&breach.position);
        Flaw { condition: breach.condition, spot, mv: breach.mv.map(|mv| mv.to_string()) }
    }
}

/// What the oracle knows of a position.
#[derive(Clone)]
struct Known {
    edges: Arc<[Edge]>,
    /// Who has a line: `Some(true)` for Black, alone or not.
    line: Option<bool>,
}

pub struct Oracle {
    pub game: Game,
    referee: Referee,
    learned: Learned,
}

/// What an oracle found out about its game. It depends on the game alone.
#[derive(Clone, Default)]
struct Learned {
    known: HashMap<Spot, Known>,
    /// All canonical positions with Black to move, with White to move.
    every: [Arc<[Spot]>; 2],
}

/// What the oracles that are gone had found out: many tests ask about the same games.
static LEARNED: LazyLock<Mutex<HashMap<Game, Learned>>> = LazyLock::new(Mutex::default);

impl Drop for Oracle {
    fn drop(&mut self) {
        let mut learned = LEARNED.lock().unwrap_or_else(PoisonError::into_inner);
        let before = learned.entry(self.game).or_default();
        if self.learned.known.len() > before.known.len() {
            *before = std::mem::take(&mut self.learned);
        }
    }
}

impl Oracle {
    pub fn new(game: Game) -> Oracle {
        let (white, black) = (game.variant.white.counts(), game.variant.black.counts());
        let referee = Referee::new(white, black, game.reading.tag()).expect("material and a reading");
        let learned = LEARNED.lock().unwrap_or_else(PoisonError::into_inner).get(&game).cloned();
        Oracle { game, referee, learned: learned.unwrap_or_default() }
    }

    fn known(&mut self, spot: Spot) -> &Known {
        let referee = &self.referee;
        self.learned.known.entry(spot).or_insert_with(|| {
            let table = spot.table();
            let edge = |(mv, judgement)| {
                let to = match judgement {
                    Judgement::BlackWins => To::BlackWins,
                    Judgement::WhiteWins => To::WhiteWins,
                    Judgement::GoesOn(next) => To::Goes(Spot::parse(&next.to_string()).canonical()),
                };
                Edge { mv, to }
            };
            let line = referee.finished(&table).map(|won| won == Judgement::BlackWins);
            Known { edges: referee.moves(&table).into_iter().map(edge).collect(), line }
        })
    }

    pub fn edges(&mut self, spot: Spot) -> Arc<[Edge]> {
        self.known(spot).edges.clone()
    }

    /// Who has a line: `Some(true)` for Black, alone or not.
    pub fn line(&mut self, spot: Spot) -> Option<bool> {
        self.known(spot).line
    }

    /// All canonical positions of the variant with a side to move, in order.
    pub fn every_spot(&mut self, white_to_move: bool) -> Arc<[Spot]> {
        if self.learned.every[0].is_empty() {
            self.learned.every = [false, true].map(|white_to_move| self.enumerate(white_to_move).into());
        }
        self.learned.every[usize::from(white_to_move)].clone()
    }

    /// Finds them by trying all masks.
    fn enumerate(&self, white_to_move: bool) -> Vec<Spot> {
        let (white, black) = (self.game.variant.white.counts(), self.game.variant.black.counts());
        let by_count: Vec<Vec<u16>> =
            (0..4).map(|count| (0..=u16::MAX).filter(|mask| mask.count_ones() == count).collect()).collect();
        let mut all = vec![Spot::empty(white_to_move)];
        for layer in 0..8 {
            let (size, most) = (layer / 2, [white, black][layer % 2][layer / 2]);
            let mut longer = Vec::new();
            for spot in &all {
                let outer = if size == 0 { 3 } else { spot.pieces[layer - 2].count_ones() };
                for count in 0..=outer.min(u32::from(most)) {
                    for &mask in &by_count[count as usize] {
                        if layer % 2 == 0 || mask & spot.pieces[layer - 1] == 0 {
                            let mut spot = *spot;
                            spot.pieces[layer] = mask;
                            longer.push(spot);
                        }
                    }
                }
            }
            // The masks so far come first in the order, so no other image of them is canonical.
            longer.retain(|spot| spot.canonical() == *spot);
            all = longer;
        }
        all.sort_unstable();
        all
    }

    /// What any listed position must be.
    fn listed_flaws(&mut self, listed: &[Spot], flaws: &mut Vec<Flaw>) {
        for &spot in listed {
            if spot.canonical() != spot || self.line(spot).is_some() {
                flaws.push(Flaw { condition: Condition::Listed, spot, mv: None });
            }
        }
    }

    /// Every flaw of a closure.
    pub fn closure_flaws(&mut self, listed: &[Spot]) -> Vec<Flaw> {
        let set: HashSet<Spot> = listed.iter().copied().collect();
        let mut flaws = Vec::new();
        let mut flaw = |condition, spot, mv: Option<&str>| {
            flaws.push(Flaw { condition, spot, mv: mv.map(str::to_owned) });
        };
        let (black_first, white_first) = (Spot::empty(false), Spot::empty(true));
        if !set.contains(&black_first) {
            flaw(Condition::K4, black_first, None);
        }
        if !self.answered(white_first, &set) {
            flaw(Condition::K4, white_first, None);
        }
        for &spot in listed {
            for edge in self.edges(spot).iter() {
                let holds = match edge.to {
                    To::WhiteWins => true,
                    To::BlackWins => false,
                    To::Goes(question) => self.answered(question, &set),
                };
                if !holds {
                    flaw(Condition::K5, spot, Some(&edge.mv));
                }
            }
        }
        self.listed_flaws(listed, &mut flaws);
        flaws
    }

    /// Whether K5 fails for a closure where a flaw says so.
    pub fn is_flaw_of_k5(&mut self, flaw: &Flaw, set: &HashSet<Spot>) -> bool {
        let edges = self.edges(flaw.spot);
        let to = edges.iter().find(|edge| Some(&edge.mv) == flaw.mv.as_ref()).map(|edge| edge.to);
        flaw.condition == Condition::K5
            && set.contains(&flaw.spot)
            && match to {
                Some(To::Goes(question)) => !self.answered(question, set),
                Some(To::BlackWins) => true,
                Some(To::WhiteWins) | None => false,
            }
    }

    /// Whether White has a move from a position that wins or leads into a set.
    pub fn answered(&mut self, question: Spot, set: &HashSet<Spot>) -> bool {
        self.edges(question).iter().any(|edge| match edge.to {
            To::WhiteWins => true,
            To::BlackWins => false,
            To::Goes(answer) => set.contains(&answer),
        })
    }

    /// Every flaw of a refutation.
    pub fn refutation_flaws(&mut self, listed: &[Spot]) -> Vec<Flaw> {
        let mut won: HashSet<Spot> = HashSet::new();
        loop {
            let mut new = Vec::new();
            for &spot in listed.iter().filter(|spot| !won.contains(spot)) {
                if self.is_won_for_black(spot, &won) {
                    new.push(spot);
                }
            }
            if new.is_empty() {
                break;
            }
            won.extend(new);
        }
        let mut flaws = Vec::new();
        for &spot in listed {
            for edge in self.edges(spot).iter() {
                if edge.to == To::WhiteWins || !won.contains(&spot) && !self.is_lost_by(edge, &won) {
                    flaws.push(Flaw { condition: Condition::K7, spot, mv: Some(edge.mv.clone()) });
                }
            }
        }
        let (black_first, white_first) = (Spot::empty(false), Spot::empty(true));
        if !won.contains(&white_first) {
            flaws.push(Flaw { condition: Condition::K6, spot: white_first, mv: None });
        }
        if !self.won_by_black(black_first, &won) {
            flaws.push(Flaw { condition: Condition::K6, spot: black_first, mv: None });
        }
        self.listed_flaws(listed, &mut flaws);
        flaws
    }

    /// Whether Black wins whatever White does, at once or by way of a set.
    pub fn is_won_for_black(&mut self, spot: Spot, won: &HashSet<Spot>) -> bool {
        self.edges(spot).iter().all(|edge| self.is_lost_by(edge, won))
    }

    /// Whether Black wins after a white move, at once or by way of a set.
    pub fn is_lost_by(&mut self, edge: &Edge, won: &HashSet<Spot>) -> bool {
        match edge.to {
            To::WhiteWins => false,
            To::BlackWins => true,
            To::Goes(question) => self.won_by_black(question, won),
        }
    }

    /// Whether Black has a move from a position that wins or leads into a set.
    pub fn won_by_black(&mut self, question: Spot, won: &HashSet<Spot>) -> bool {
        self.edges(question).iter().any(|edge| match edge.to {
            To::WhiteWins => false,
            To::BlackWins => true,
            To::Goes(answer) => won.contains(&answer),
        })
    }

    /// Every flaw of a cut over the seed `rules`: positions with Black to move, with White to move.
    pub fn cut_flaws(&mut self, listed: [&[Spot]; 2]) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        let sets = listed.map(|listed| listed.iter().map(|spot| spot.canonical()).collect::<HashSet<_>>());
        for list in listed {
            self.listed_flaws(list, &mut flaws);
        }
        let lost = |oracle: &mut Oracle, spot: Spot| {
            sets[usize::from(spot.white_to_move)].contains(&spot) || oracle.line(spot) == Some(true)
        };
        for white_to_move in [true, false] {
            for &spot in self.every_spot(white_to_move).iter() {
                let is_lost = lost(self, spot);
                if spot == Spot::empty(white_to_move) && is_lost {
                    flaws.push(Flaw { condition: Condition::K1, spot, mv: None });
                }
                if is_lost || self.line(spot).is_some() {
                    continue;
                }
                let edges = self.edges(spot);
                let mut bad = |edge: &&Edge| match edge.to {
                    To::WhiteWins => false,
                    To::BlackWins => true,
                    To::Goes(next) => lost(self, next),
                };
                if white_to_move {
                    if edges.iter().all(|edge| bad(&edge)) {
                        flaws.push(Flaw { condition: Condition::K3, spot, mv: None });
                    }
                } else {
                    let k2 = |edge: &Edge| Flaw { condition: Condition::K2, spot, mv: Some(edge.mv.clone()) };
                    flaws.extend(edges.iter().filter(bad).map(k2));
                }
            }
        }
        flaws
    }
}

/// Holds what the checker said of bytes to the oracle of the game that they name: what is accepted has no flaw, and what is
/// refused has the one that is told. Whether it is accepted.
pub fn judged(oracles: &mut HashMap<Game, Oracle>, bytes: &[u8], verdict: Result<Verified, Refusal>) -> bool {
    let Ok(certificate) = Certificate::decode(bytes) else {
        assert!(matches!(verdict, Err(Refusal::Format(_))));
        return false;
    };
    let oracle = oracles.entry(certificate.claim.game).or_insert_with(|| Oracle::new(certificate.claim.game));
    let spots = |set: &PositionSet, turn| -> Vec<Spot> {
        set.positions(turn).map(|position| Spot::of(&position)).collect()
    };
    let black_to_move = spots(&certificate.black_to_move, Color::Black);
    let white_to_move = spots(&certificate.white_to_move, Color::White);
    let flaws = match certificate.claim.kind {
        Kind::Closure => oracle.closure_flaws(&black_to_move),
        Kind::Refutation => oracle.refutation_flaws(&white_to_move),
        Kind::Cut => oracle.cut_flaws([&black_to_move, &white_to_move]),
    };
    match verdict {
        Ok(verified) => {
            assert_eq!(verified.claim, certificate.claim, "the claim is the header's");
            assert_eq!(flaws, [], "{}", verified.claim);
            true
        }
        Err(Refusal::Condition(breach)) => {
            assert!(flaws.contains(&Flaw::of(&breach)), "{breach}");
            false
        }
        Err(refusal) => panic!("decoded before: {refusal}"),
    }
}
