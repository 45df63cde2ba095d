//! How many positions Algorithm 1 works, for every combination of options and every convention of counting.
//!
//! Which positions are worked depends on FceW and FceB alone. Each clause is evaluated once at each position, for each
//! choice of the options that it reads. Positions with the same results form a class and are counted together. The
//! count for a combination of options is a sum over classes.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::enumerate::{Block, Tier, blocks};
use crate::rules::{Color, Game, Position};
use crate::strategy::thesis::{Clause, ClauseView, Options, fce_b, fce_w};
use crate::thesis::conventions::{Convention, OrbitCount};

/// The positions without a line and with `side` to move, counted by tier and by the clauses that hold.
pub struct Worked {
    side: Color,
    variants: Vec<Variant>,
    classes: BTreeMap<(Tier, u64), OrbitCount>,
}

/// A clause under one choice of the options that it reads: one bit of a class.
struct Variant {
    clause: Clause,
    options: Options,
}

/// A count that was compared with a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkedCount {
    /// The options that were chosen. Those that the function does not read have their default.
    pub options: Options,
    /// What was counted.
    pub convention: Convention,
    /// The number.
    pub count: u64,
}

impl Worked {
    /// Evaluates FceW (`side` Black) or FceB (`side` White) at every position of the game's variant.
    #[must_use]
    pub fn new(game: &Game, side: Color) -> Worked {
        let clauses: &[Clause] = match side {
            Color::Black => &fce_w::CLAUSES,
            Color::White => &fce_b::CLAUSES,
        };
        let of_clause = |&clause: &Clause| {
            choices(clause.reads).into_iter().map(move |options| Variant { clause, options })
        };
        let variants: Vec<Variant> = clauses.iter().flat_map(of_clause).collect();
        let merge = |mut all: BTreeMap<(Tier, u64), OrbitCount>, part: BTreeMap<(Tier, u64), OrbitCount>| {
            for (class, count) in part {
                *all.entry(class).or_default() += count;
            }
            all
        };
        let classes = blocks(game.variant)
            .par_iter()
            .map(|block| classify(game, side, &variants, block))
            .reduce(BTreeMap::new, merge);
        Worked { side, variants, classes }
    }

    /// The number of positions worked under a combination of options, by a convention.
    #[must_use]
    pub fn count(&self, game: &Game, options: &Options, convention: Convention) -> u64 {
        let agrees = |variant: &Variant| {
            let (ours, theirs) = (options.tags(), variant.options.tags());
            let mut pairs = ours.into_iter().zip(theirs);
            pairs.all(|(ours, theirs)| !variant.clause.reads.contains(&ours.0) || ours == theirs)
        };
        let chosen = self.variants.iter().enumerate().filter(|(_, variant)| agrees(variant));
        let lost: u64 = chosen.map(|(bit, _)| 1 << bit).sum();
        self.classes
            .iter()
            .filter(|((tier, class), _)| class & lost == 0 && convention.holds(game, *tier, self.side))
            .map(|(_, count)| count.in_unit(convention.unit))
            .sum()
    }

    /// The count for every choice of the options that the function reads and for every convention, the nearest to
    /// `figure` first.
    #[must_use]
    pub fn attempts(&self, game: &Game, figure: u64) -> Vec<WorkedCount> {
        let mut reads: Vec<&'static str> =
            self.variants.iter().flat_map(|variant| variant.clause.reads).copied().collect();
        reads.sort_unstable();
        reads.dedup();
        let mut attempts: Vec<WorkedCount> = choices(&reads)
            .into_par_iter()
            .flat_map_iter(|options| {
                Convention::all().into_iter().map(move |convention| WorkedCount {
                    options,
                    convention,
                    count: self.count(game, &options, convention),
                })
            })
            .collect();
        attempts.sort_by_key(|attempt| attempt.count.abs_diff(figure));
        attempts
    }
}

/// The combinations of the named options, all others at their default.
fn choices(names: &[&str]) -> Vec<Options> {
    let mut all = vec![Options::default()];
    for (name, tags) in Options::names().into_iter().filter(|(name, _)| names.contains(name)) {
        all = all
            .iter()
            .flat_map(|&options| {
                tags.iter().map(move |tag| {
                    let mut options = options;
                    options.set(name, tag).map(|()| options)
                })
            })
            .filter_map(Result::ok)
            .collect();
    }
    all
}

fn classify(
    game: &Game,
    side: Color,
    variants: &[Variant],
    block: &Block,
) -> BTreeMap<(Tier, u64), OrbitCount> {
    let mut classes: BTreeMap<(Tier, u64), OrbitCount> = BTreeMap::new();
    for position in block.positions(side) {
        if position.finished().is_none() {
            let class = (Tier::of(&position), class(game, variants, &position));
            *classes.entry(class).or_default() += OrbitCount::of(&position, &block.root.stabiliser);
        }
    }
    classes
}

/// Bit i is set if variant i holds. If a clause holds under every choice of options, the position is lost under all of
/// them. Later clauses then make no difference, and their bits stay 0.
fn class(game: &Game, variants: &[Variant], position: &Position) -> u64 {
    let mut class = 0;
    let mut bit = 0;
    for of_clause in variants.chunk_by(|one, other| one.clause.name == other.clause.name) {
        let mut holds = 0;
        for variant in of_clause {
            let view = ClauseView { game, position, options: &variant.options };
            let held = (variant.clause.holds)(&view);
            holds += usize::from(held);
            class |= u64::from(held) << bit;
            bit += 1;
        }
        if holds == of_clause.len() {
            return class;
        }
    }
    class
}
