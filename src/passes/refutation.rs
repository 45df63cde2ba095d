//! Refutations out of a fixpoint: Black keeps to one answer to each white move, the quickest if none is in already.
//!
//! Every answer is nearer to the end than the question, so what is needed for some distance is known once all that is
//! farther from the end has been looked at, and nothing has to be mended.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::discipline::Discipline;
use super::fixpoint::bytes_within;
use super::kernel::bits;
use super::layout::{Layout, TierLayout};
use super::longest::{Found, ply_by_ply};
use super::lost::OutOfMemory;
use super::solution::Solution;
use super::window::Keep;
use crate::certificate::{Body, Certificate, PositionSet};
use crate::enumerate::Tier;
use crate::rules::{Color, Game, Outcome, Position, Variant};
use crate::strategy::Seed;
use crate::symmetry;

/// As many plies, or more than can be told.
const FAR: u8 = u8::MAX;

/// So many positions are looked at together: what Black can answer to their white moves is in memory meanwhile.
const BATCH: usize = 1024;

/// How many plies Black needs to win from each position with White to move.
struct Distances {
    solution: Solution,
    /// For each tier by a position's bit; [`FAR`] where Black does not win.
    plies: Vec<Vec<u8>>,
}

impl Distances {
    /// Finds them; `None` if the watcher broke it off.
    fn new(
        game: &Game,
        discipline: Discipline,
        watcher: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> Result<Option<Distances>, OutOfMemory> {
        let solution = Solution::start_within(game, Seed::Rules, discipline)?;
        let plies = solution.layout.all().iter().map(|tier| {
            let mut plies = Vec::new();
            let refused = |_| OutOfMemory { tier: tier.tier, bytes: 64 * tier.len() as u128 };
            plies.try_reserve_exact(64 * tier.len()).map_err(refused)?;
            plies.resize(64 * tier.len(), FAR);
            Ok(plies)
        });
        let mut plies: Vec<Vec<u8>> = plies.collect::<Result<_, OutOfMemory>>()?;
        let mut broken = false;
        ply_by_ply(&solution.tables(), |step, found, _| {
            let short = u8::try_from(step).unwrap_or(FAR);
            for ((plan, plies), found) in solution.layout.all().iter().zip(&mut plies).zip(found) {
                for (row, places) in found {
                    for bit in bits(places).filter_map(|place| plan.bit(*row, place)) {
                        plies[bit] = short;
                    }
                }
            }
            let flow = watcher(step);
            broken = flow.is_break();
            flow
        });
        Ok((!broken).then_some(Distances { solution, plies }))
    }

    fn of(&self, position: &Position) -> u8 {
        let layout = &self.solution.layout;
        let Some(tier) = layout.tiers().index(Tier::of(position)) else { return FAR };
        layout.bit(layout.tier(tier), position).map_or(FAR, |bit| self.plies[tier][bit])
    }

    /// The positions that Black can go to and wins from within fewer plies, each with how many it takes; `None` if a
    /// black move wins at once.
    fn answers(&self, position: &Position, fewer: u8) -> Option<Vec<(u8, Position)>> {
        let game = self.solution.game();
        let mut answers = Vec::new();
        for mv in game.moves(position) {
            match game.play_unchecked(position, mv) {
                Outcome::BlackWins => return None,
                Outcome::WhiteWins => {}
                Outcome::GoesOn(next) => answers.push((self.of(&next), next)),
            }
        }
        answers.retain(|(plies, _)| *plies < fewer);
        Some(answers)
    }
}

/// How many bytes it takes to find a refutation, without its own positions: the lost-sets, the distances, and what two
/// steps find at most.
#[must_use]
pub fn bytes_of_refutation(variant: Variant, discipline: Discipline) -> u128 {
    let tier = |tier: &TierLayout| (64 * tier.len() + 2 * size_of::<Found>() * tier.stored) as u128;
    let beside: u128 = Layout::within(variant, discipline).all().iter().map(tier).sum();
    bytes_within(variant, discipline, Keep::All, false) + beside
}

/// A refutation of a game under another reading than `robust`, which says that Black wins from the empty board whoever moves
/// first, with Black keeping to a discipline; `None` if it does not win then, or if `watcher`, which hears how many plies
/// are looked at, broke it off.
///
/// # Errors
/// The system does not give the memory.
pub fn refute(
    game: &Game,
    discipline: Discipline,
    watcher: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Option<Certificate>, OutOfMemory> {
    let Some(distances) = Distances::new(game, discipline, watcher)? else { return Ok(None) };
    let first = distances.answers(&Position::empty(Color::Black), FAR).unwrap_or_default();
    let key = |next: &Position| symmetry::key(&symmetry::canonical(next));
    let quickest = |answers: &[(u8, Position)]| {
        answers.iter().min_by_key(|(plies, next)| (*plies, key(next))).map(|(_, next)| *next)
    };
    let start = Position::empty(Color::White);
    let (Some(first), true) = (quickest(&first), distances.of(&start) < FAR) else { return Ok(None) };
    // By how many plies it takes: the positions whose white moves are still to be answered.
    let mut open: Vec<Vec<Position>> = vec![Vec::new(); usize::from(FAR)];
    let mut members: HashSet<u128> = HashSet::new();
    let mut all = Vec::new();
    let mut add = |open: &mut Vec<Vec<Position>>, members: &mut HashSet<u128>, position: &Position| {
        let position = symmetry::canonical(position);
        if members.insert(symmetry::key(&position)) {
            open[usize::from(distances.of(&position))].push(position);
            all.push(position);
        }
    };
    add(&mut open, &mut members, &start);
    add(&mut open, &mut members, &first);
    for plies in (1..FAR).rev() {
        // What is farther from the end has been looked at, and an answer is nearer: nothing comes in meanwhile.
        let all_open = std::mem::take(&mut open[usize::from(plies)]);
        for batch in all_open.chunks(BATCH) {
            let asked = |position: &Position| {
                let outcomes = game.moves(position).map(|mv| game.play_unchecked(position, mv));
                let asked = outcomes.filter_map(|outcome| match outcome {
                    Outcome::GoesOn(next) => distances.answers(&next, plies),
                    Outcome::BlackWins | Outcome::WhiteWins => None,
                });
                asked.collect::<Vec<_>>()
            };
            let asked: Vec<Vec<(u8, Position)>> = batch.par_iter().flat_map_iter(asked).collect();
            for answers in asked {
                if answers.iter().any(|(_, next)| members.contains(&key(next))) {
                    continue;
                }
                if let Some(best) = quickest(&answers) {
                    add(&mut open, &mut members, &best);
                }
            }
        }
    }
    let set = PositionSet::from_positions(game.variant, all);
    Ok(Some(Certificate { game: *game, body: Body::Refutation(set) }))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::checker;
    use crate::passes::solution::testing::{game, solved};
    use crate::rules::Reading;

    fn refuted(variant: &str, reading: Reading, discipline: &str) -> Option<Certificate> {
        let discipline = discipline.parse().expect("a discipline");
        refute(&game(variant, reading), discipline, &mut |_| ControlFlow::Continue(())).expect("memory")
    }

    #[test]
    fn what_black_wins_from_the_empty_board_is_refuted_and_nothing_else() {
        let mut met = [0; 2];
        for variant in ["A1-A3B1", "A1-A2B2", "A2-A3B1", "A1B1-A2B2", "A1-A2B1C1"] {
            for reading in Reading::ALL.into_iter().filter(|&reading| reading != Reading::Robust) {
                let game = game(variant, reading);
                let refutation = refuted(variant, reading, "");
                let solution = solved(&game, Seed::Rules);
                let wins = Color::ALL.into_iter().all(|first| solution.is_lost(&Position::empty(first)));
                assert_eq!(refutation.is_some(), wins, "{variant} {reading}");
                met[usize::from(wins)] += 1;
                let Some(refutation) = refutation else { continue };
                let Body::Refutation(set) = &refutation.body else { panic!("a refutation") };
                assert!(set.positions(Color::White).all(|position| solution.is_lost(&position)));
                let threads = NonZeroUsize::new(2).expect("not 0");
                let verified =
                    checker::check(&refutation.encode(), threads, &|_, _| ()).expect("it is accepted");
                assert_eq!(verified.positions_checked, set.len());
                assert_eq!(verified.claim.to_string(), format!("{variant} {reading} lost refutation"));
            }
        }
        assert!(met.iter().all(|&met| met > 3), "{met:?}");
    }

    #[test]
    fn black_wins_within_a_discipline_or_it_is_open() {
        let within = refuted("A2-A3B3", Reading::Official, "a=0").expect("Black wins");
        let Body::Refutation(set) = &within.body else { panic!("a refutation") };
        let discipline: Discipline = "a=0".parse().expect("a discipline");
        assert!(set.positions(Color::White).all(|position| discipline.allows(&position)));
        assert_eq!(refuted("A2-A3B3", Reading::Official, "a=0,b=0"), None);
    }

    #[test]
    fn a_watcher_hears_of_each_ply_and_may_break_it_off() {
        let game = game("A2-A3B3", Reading::Official);
        let mut heard = Vec::new();
        let broken = refute(&game, Discipline::FREE, &mut |plies| {
            heard.push(plies);
            if plies < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((broken, heard), (Ok(None), vec![1, 2, 3]));
    }
}
