//! Several ways to find out who wins, which share little: the answers and what each took.
#![allow(dead_code, reason = "the test and the bench use a part of it each")]

use std::collections::HashMap;
use std::ops::ControlFlow;

use gobengine::{Engine, Forced, Limits, Options, Prover, Score};
use gobprove::closure::Weights;
use gobprove::closure::prover::{Guide, Proved, Proving, prove};
use gobprove::enumerate::{Discipline, Ranking, Tiers, census};
use gobprove::explain::BlackAttack;
use gobprove::passes::naive::{black_wins, white_loses};
use gobprove::passes::solve;
use gobprove::prelude::*;
use gobprove::refute::refute;
use gobprove::rules::{Color, Game, Outcome, Position, Reading};
use gobprove::strategy::Seed;

/// What an algorithm says of both empty boards, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Whether Black wins whoever moves first; `None` if that was not found out.
    pub black_wins: Option<bool>,
    /// How many positions were looked at, with repetitions; 0 where nothing counts them.
    pub nodes: u64,
    /// How many bytes what it keeps of positions takes, about.
    pub bytes: u64,
}

/// An algorithm: its name, whether it looks forward from the empty board or backward from the ends of games, and what it finds.
pub type Algorithm = (&'static str, &'static str, fn(&Game) -> Found);

/// The algorithms.
pub const ALGORITHMS: [Algorithm; 7] = [
    ("brute force", "forward, then backward", |game| BruteForce::new(game).found()),
    ("naive passes", "backward", |game| Naive::new(game).found()),
    ("fixpoint over rows", "backward", fixpoint),
    ("closure", "forward", closure),
    ("refutation", "backward, then forward", refutation),
    ("df-pn", "forward", proof_numbers),
    ("alpha-beta", "forward", alpha_beta),
];

/// Whether Black wins from a position, by a value of each way of both empty boards.
fn of_both(black_wins: impl Fn(&Position) -> bool) -> Option<bool> {
    Some(Color::ALL.into_iter().all(|turn| black_wins(&Position::empty(turn))))
}

/// Every position that can be reached, one by one and without symmetries, and sweeps over all until nothing changes.
pub struct BruteForce {
    numbers: HashMap<Position, u32>,
    lost: Vec<bool>,
    nodes: u64,
    moves: u64,
}

impl BruteForce {
    pub fn new(game: &Game) -> BruteForce {
        let mut reached: Vec<Position> = Color::ALL.map(Position::empty).to_vec();
        let mut numbers: HashMap<Position, u32> = reached.iter().copied().zip(0..).collect();
        // By position: whether a move decides for the mover, and where the others lead.
        let mut moves: Vec<(bool, Vec<u32>)> = Vec::new();
        let mut count = 0;
        while let Some(&position) = reached.get(moves.len()) {
            let black = position.turn() == Color::Black;
            let (mut decides, mut next) = (false, Vec::new());
            for mv in game.moves(&position) {
                count += 1;
                match game.play_unchecked(&position, mv) {
                    Outcome::BlackWins => decides |= black,
                    Outcome::WhiteWins => decides |= !black,
                    Outcome::GoesOn(after) => next.push(*numbers.entry(after).or_insert_with(|| {
                        reached.push(after);
                        reached.len() as u32 - 1
                    })),
                }
            }
            moves.push((decides, next));
        }
        let (mut lost, mut nodes) = (vec![false; reached.len()], 0);
        loop {
            let before = nodes;
            let mut changed = false;
            for (number, (decides, next)) in
                moves.iter().enumerate().filter(|(number, _)| !lost[*number]).collect::<Vec<_>>()
            {
                nodes += 1;
                let now = match reached[number].turn() {
                    Color::Black => *decides || next.iter().any(|next| lost[*next as usize]),
                    Color::White => !decides && next.iter().all(|next| lost[*next as usize]),
                };
                lost[number] = now;
                changed |= now;
            }
            if !changed || before == nodes {
                return BruteForce { numbers, lost, nodes, moves: count };
            }
        }
    }

    /// Whether Black wins from a position, `None` if it cannot be reached.
    pub fn black_wins(&self, position: &Position) -> Option<bool> {
        self.numbers.get(position).map(|number| self.lost[*number as usize])
    }

    /// How many positions can be reached.
    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.numbers.keys()
    }

    pub fn found(&self) -> Found {
        let each = size_of::<(Position, u32)>() + size_of::<(bool, Vec<u32>)>() + 1;
        Found {
            black_wins: of_both(|position| self.black_wins(position) == Some(true)),
            nodes: self.nodes,
            bytes: (self.numbers.len() * each) as u64 + 4 * self.moves,
        }
    }
}

/// The passes by definition: every placement, whether it can be reached or not.
pub struct Naive {
    tiers: Tiers,
    lost: Vec<[Vec<bool>; 2]>,
    nodes: u64,
}

impl Naive {
    pub fn new(game: &Game) -> Naive {
        let tiers = Tiers::new(game.variant);
        let rankings: Vec<Ranking> = tiers.as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
        let at = |ranking: &Ranking, rank: usize, turn| ranking.unrank(rank as u128, turn).expect("a rank");
        let line = |ranking: &Ranking, turn| -> Vec<bool> {
            let has_line = |rank| at(ranking, rank, turn).finished() == Some(Color::Black);
            (0..ranking.len() as usize).map(has_line).collect()
        };
        let lost = rankings.iter().map(|ranking| Color::ALL.map(|turn| line(ranking, turn))).collect();
        let mut naive = Naive { tiers, lost, nodes: 0 };
        loop {
            let mut changed = false;
            for (tier, ranking) in rankings.iter().enumerate() {
                for rank in 0..ranking.len() as usize {
                    for turn in Color::ALL {
                        let position = at(ranking, rank, turn);
                        if naive.lost[tier][turn as usize][rank] || position.finished().is_some() {
                            continue;
                        }
                        naive.nodes += 1;
                        let is_lost = |next: &Position| naive.black_wins(next);
                        let now = match turn {
                            Color::Black => black_wins(game, &position, is_lost),
                            Color::White => white_loses(game, &position, is_lost),
                        };
                        naive.lost[tier][turn as usize][rank] = now;
                        changed |= now;
                    }
                }
            }
            if !changed {
                return naive;
            }
        }
    }

    pub fn black_wins(&self, position: &Position) -> bool {
        let tier = gobprove::enumerate::Tier::of(position);
        let number = self.tiers.index(tier).expect("a position of the game");
        self.lost[number][position.turn() as usize][Ranking::new(tier).rank(position) as usize]
    }

    pub fn found(&self) -> Found {
        let bytes = self.lost.iter().flatten().map(|lost| lost.len() as u64).sum();
        Found { black_wins: of_both(|position| self.black_wins(position)), nodes: self.nodes, bytes }
    }
}

/// The passes over rows, as `gobprove solve` does it.
pub fn fixpoint(game: &Game) -> Found {
    let solution = solve(game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("memory");
    Found {
        black_wins: of_both(|position| solution.is_lost(position)),
        nodes: 2
            * u64::try_from(census::variant(game.variant).positions).expect("a small game")
            * u64::from(solution.rounds()),
        bytes: solution.bytes(),
    }
}

/// A closure grown from the empty board.
pub fn closure(game: &Game) -> Found {
    let mut last = Proving::default();
    let guide = Guide::Discipline(&Discipline::FREE);
    let proved = prove(game, guide, &Weights::default(), &mut |at| {
        last = Proving { expanded: last.expanded.max(at.expanded), bytes: last.bytes.max(at.bytes), ..at };
        ControlFlow::Continue(())
    });
    let black_wins = match proved {
        Proved::Holds(_) => Some(false),
        Proved::Lost => Some(true),
        Proved::BrokenOff => None,
    };
    Found { black_wins, nodes: last.expanded, bytes: last.bytes }
}

/// A refutation, which no game under `robust` has.
pub fn refutation(game: &Game) -> Found {
    if game.reading == Reading::Robust {
        return Found { black_wins: None, nodes: 0, bytes: 0 };
    }
    let refutation =
        refute(game, Discipline::FREE, None, &mut |_| ControlFlow::Continue(())).expect("memory");
    let listed = refutation
        .as_ref()
        .map_or(0, |certificate| certificate.white_to_move.positions(Color::White).count());
    Found { black_wins: Some(refutation.is_some()), nodes: listed as u64, bytes: 16 * listed as u64 }
}

/// How many positions a search from the empty board looks at, at most.
const MOST: u64 = 30_000;

/// Proof numbers, from the board with White to move and then from that with Black to move.
pub fn proof_numbers(game: &Game) -> Found {
    let any = |_: &Position| true;
    let mut prover = Prover::new(BlackAttack::new(game, &any));
    let mut black_wins = Some(true);
    for turn in Color::ALL {
        match prover.prove(&Position::empty(turn), None, MOST) {
            Forced::Wins { .. } => {}
            Forced::Holds => black_wins = black_wins.map(|_| false),
            Forced::GaveUp => black_wins = None,
        }
    }
    let bytes = prover.positions() * Prover::<BlackAttack<'_>>::entry_bytes();
    Found { black_wins, nodes: prover.nodes(), bytes: bytes as u64 }
}

/// The engine, which proves wins and no draws.
pub fn alpha_beta(game: &Game) -> Found {
    let table = 16 << 20;
    let mut engine = Engine::new(game, Options { table, ..Options::default() });
    let (mut wins, mut nodes) = (0, 0);
    for turn in Color::ALL {
        let limits = Limits { depth: 64, nodes: MOST };
        let report = engine.search(&[Position::empty(turn)], &limits, &|| false, &mut |_| ());
        let report = report.expect("play goes on");
        nodes += report.nodes;
        wins += u32::from(black_is_proven_to_win(report.score, turn));
    }
    Found { black_wins: (wins == 2).then_some(true), nodes, bytes: table as u64 }
}

/// Whether a score says that Black wins.
pub fn black_is_proven_to_win(score: Score, turn: Color) -> bool {
    match score {
        Score::Wins { .. } => turn == Color::Black,
        Score::Loses { .. } => turn == Color::White,
        Score::Estimate(_) => false,
    }
}
