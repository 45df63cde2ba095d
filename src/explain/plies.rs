//! In how many plies each lost position is lost, for the file beside a solved variant.

use std::ops::ControlFlow;

use rayon::prelude::*;
use thiserror::Error;

use super::longest::{Heard, ply_by_ply};
use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::solution::Solution;
use crate::bitbase::tables::with_kernel;
use crate::enumerate::rows::kernel::Kernel;
use crate::enumerate::wins::plies_at_sight;
use crate::enumerate::{Ranking, Tier, Tiers};
use crate::rules::{Color, Game, Position};
use crate::strategy::Seed;
use crate::symmetry;

/// A solved variant does not list positions that are lost within this number of plies: trying two moves shows the loss.
const AT_SIGHT: u32 = 2;

/// Why the plies are not known.
#[derive(Debug, Error)]
pub enum PliesError {
    /// The system does not give the memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A win takes more plies than a byte can hold.
    #[error("a win takes {0} plies, and a file of plies holds up to 255")]
    TooMany(u32),
    /// The listener broke it off.
    #[error("interrupted")]
    Interrupted,
}

/// How far the count is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The ply that is being counted.
    pub plies: u32,
    /// How many steps of this ply are done.
    pub done: usize,
    /// How many steps this ply has.
    pub of: usize,
    /// How many positions are listed so far.
    pub positions: u64,
}

/// In how many plies the positions of a solved game with White to move are lost.
pub struct PliesOfLosses {
    game: Game,
    tiers: Tiers,
    listed: Vec<Vec<(u64, u8)>>,
}

impl PliesOfLosses {
    /// Counts them. This costs about as much as solving the game.
    ///
    /// # Errors
    /// See [`PliesError`].
    pub fn new(
        game: &Game,
        listener: &mut dyn FnMut(Counted) -> ControlFlow<()>,
    ) -> Result<PliesOfLosses, PliesError> {
        let listed = plies_of_losses(game, listener)?;
        Ok(PliesOfLosses { game: *game, tiers: Tiers::new(game.variant), listed })
    }

    /// In how many plies Black wins from a position with White to move in which no line stands; `None` if it does not.
    #[must_use]
    pub fn of(&self, position: &Position) -> Option<u32> {
        let tier = Tier::of(position);
        let listed = &self.listed[self.tiers.index(tier)?];
        let rank = u64::try_from(Ranking::new(tier).rank(&symmetry::canonical(position))).ok()?;
        match listed.binary_search_by_key(&rank, |&(rank, _)| rank) {
            Ok(place) => Some(listed[place].1.into()),
            Err(_) => plies_at_sight(&self.game, position),
        }
    }
}

/// By tier, in the order of ranks: the canonical positions with White to move from which Black wins in more than two plies,
/// each with the number of plies.
///
/// # Errors
/// See [`PliesError`].
pub fn plies_of_losses(
    game: &Game,
    listener: &mut dyn FnMut(Counted) -> ControlFlow<()>,
) -> Result<Vec<Vec<(u64, u8)>>, PliesError> {
    let solution = Solution::start(game, Seed::Rules)?;
    let tables = solution.tables();
    let mut listed: Vec<Vec<(u64, u8)>> = solution.layout.all().iter().map(|_| Vec::new()).collect();
    let (mut why, mut count) = (None, 0);
    ply_by_ply(&tables, |heard| {
        let (plies, found) = match heard {
            Heard::Ply { plies, found, .. } => (plies, found),
            Heard::Part { plies, done, of } => {
                let told = listener(Counted { plies, done, of, positions: count });
                if told.is_break() {
                    why = Some(PliesError::Interrupted);
                }
                return told;
            }
        };
        if plies > AT_SIGHT && found.iter().any(|found| !found.is_empty()) {
            let Ok(needed) = u8::try_from(plies) else {
                why = Some(PliesError::TooMany(plies));
                return ControlFlow::Break(());
            };
            for (tier, (found, listed)) in found.iter().zip(&mut listed).enumerate() {
                let plan = solution.layout.tier(tier);
                let ranking = Ranking::new(plan.tier);
                let before = listed.len();
                with_kernel!(solution.kernels, plan.k, kernel => {
                    let kernel: &Kernel<_> = kernel;
                    listed.par_extend(found.par_iter().flat_map_iter(|(row, wide)| {
                        let row_bits = kernel.narrow(wide);
                        let positions: Vec<_> =
                            solution.canonical(tier, Color::White, *row, &row_bits).collect();
                        // A rank of a variant that can be solved has fewer than 64 bits.
                        positions.into_iter().map(|position| (ranking.rank(&position) as u64, needed))
                    }));
                });
                count += (listed.len() - before) as u64;
            }
        }
        ControlFlow::Continue(())
    });
    listed.par_iter_mut().for_each(|listed| listed.sort_unstable());
    why.map_or(Ok(listed), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::explain::forced_win::testing::BruteForce;
    use crate::passes::lost_at_sight;
    use crate::prelude::*;
    use crate::rules::Reading;
    use crate::store::{Plies, Store, encode, encode_plies, plies_beside};

    /// For a sample of positions, the files say what sweeps over all positions find, for either side.
    #[test]
    fn the_plies_of_every_position_are_those_of_sweeps_over_all() {
        for (variant, reading) in
            [("A1-A3B1", Reading::Official), ("A1-A3B1", Reading::StrictLift), ("A1-A2B2", Reading::Thesis)]
        {
            let game = game(variant, reading);
            let solution = solved(&game, Seed::Rules);
            let own = tempfile::tempdir().expect("a directory");
            let path = own.path().join("solved");
            let bytes = encode(&solution, &lost_at_sight(&solution).expect("memory"));
            std::fs::write(&path, bytes).expect("written");
            let mut store = Store::open(&path).expect("opened");
            let listed = plies_of_losses(&game, &mut |_| ControlFlow::Continue(())).expect("memory");
            let bytes = encode_plies(&store, &listed).expect("the same positions");
            std::fs::write(plies_beside(&path), bytes).expect("written");
            let mut plies = Plies::open(&plies_beside(&path), &store).expect("opened").expect("there");
            let truth = BruteForce::new(&game);
            let mut longest = 0;
            for tier in solution.layout.all() {
                let ranking = Ranking::new(tier.tier);
                for rank in (0..ranking.len()).step_by(1 + ranking.len() as usize / 500) {
                    for turn in Color::ALL {
                        let position = ranking.unrank(rank, turn).expect("a rank");
                        let said = plies.to_the_win(&mut store, &position).expect("read");
                        let black = truth.of(&position);
                        let alike = crate::bitbase::is_symmetric(&game);
                        let white = || alike.then(|| truth.of(&position.exchanged())).flatten();
                        assert_eq!(said, black.or_else(white), "{variant} {reading} {position}");
                        longest = longest.max(said.unwrap_or(0));
                    }
                }
            }
            assert!(longest > 4, "{variant}: {longest}");
        }
    }

    #[test]
    fn plies_that_are_damaged_or_of_another_solved_variant_are_refused() {
        let own = tempfile::tempdir().expect("a directory");
        let write = |variant: &str| {
            let game = game(variant, Reading::Official);
            let solution = solved(&game, Seed::Rules);
            let path = own.path().join(variant);
            let bytes = encode(&solution, &lost_at_sight(&solution).expect("memory"));
            std::fs::write(&path, bytes).expect("written");
            let store = Store::open(&path).expect("opened");
            let listed = plies_of_losses(&game, &mut |_| ControlFlow::Continue(())).expect("memory");
            (store, encode_plies(&opened(&path), &listed).expect("the same positions"), listed)
        };
        let (one, bytes, mut listed) = write("A1-A3B1");
        let (other, ..) = write("A1-A2B2");
        let path = own.path().join("plies");
        assert!(matches!(Plies::open(&path, &one), Ok(None)));
        std::fs::write(&path, &bytes).expect("written");
        assert!(matches!(Plies::open(&path, &one), Ok(Some(_))));
        assert!(Plies::open(&path, &other).is_err());
        let head = bytes.len() - listed.iter().map(Vec::len).sum::<usize>();
        for at in 0..head {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, damaged).expect("written");
            assert!(Plies::open(&path, &one).is_err(), "byte {at}");
        }
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
        assert!(Plies::open(&path, &one).is_err());
        // A missing position is noticed before anything is written.
        let some = listed.iter_mut().find(|listed| !listed.is_empty()).expect("some are lost");
        some.pop();
        assert_eq!(encode_plies(&one, &listed), None);
    }

    fn opened(path: &std::path::Path) -> Store {
        Store::open(path).expect("opened")
    }
}
