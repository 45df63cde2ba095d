//! Solutions that several tables need, computed once.

use std::cell::{OnceCell, RefCell};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::bitbase::Solution;
use crate::cli::console::exit::{Exit, Failure};
use crate::passes::{FixpointError, solve};
use crate::rules::{Game, Reading, Variant};
use crate::strategy::Seed;
use crate::strategy::repaired::Repaired;
use crate::thesis::algorithm_1;

/// A result and how long it took.
#[derive(Clone, Debug)]
pub struct Timed<T> {
    /// The result.
    pub result: T,
    /// How long it took.
    pub took: Duration,
}

impl<T> Timed<T> {
    /// Does some work and takes the time.
    pub fn of(work: impl FnOnce() -> T) -> Timed<T> {
        let started = Instant::now();
        let result = work();
        Timed { result, took: started.elapsed() }
    }
}

/// A solution, found by its game and seed.
type Known = (Game, Seed, Rc<Timed<Solution>>);

/// The runs on `ab`, each done when it is first asked for.
pub struct Runs {
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// The variant `ab`.
    ab: Variant,
    solutions: RefCell<Vec<Known>>,
    repaired: OnceCell<Timed<algorithm_1::Report>>,
}

impl Runs {
    /// Nothing done yet.
    pub fn new(threads: NonZeroUsize) -> Runs {
        let ab = Variant::named().find(|(name, _)| *name == "ab").map(|(_, variant)| variant);
        Runs {
            threads,
            ab: ab.expect("ab is a named variant"),
            solutions: RefCell::default(),
            repaired: OnceCell::new(),
        }
    }

    /// `ab` under a reading.
    pub fn ab(&self, reading: Reading) -> Game {
        Game::new(self.ab, reading)
    }

    /// A game solved over a seed. Solutions of `ab` are kept.
    ///
    /// # Errors
    /// The system does not give the memory. Anything else is a bug: nothing breaks the solver off, and it uses no files.
    pub fn solution(&self, game: &Game, seed: Seed) -> Result<Rc<Timed<Solution>>, Failure> {
        let known = |(known, of, _): &&Known| known == game && *of == seed;
        if let Some((.., solution)) = self.solutions.borrow().iter().find(known) {
            return Ok(Rc::clone(solution));
        }
        let timed = Timed::of(|| solve(game, seed, None, &mut |_| ControlFlow::Continue(())));
        let result = timed.result.map_err(broken_off)?;
        let solution = Rc::new(Timed { result, took: timed.took });
        if game.variant == self.ab {
            self.solutions.borrow_mut().push((*game, seed, Rc::clone(&solution)));
        }
        Ok(solution)
    }

    /// Algorithm 1 on the repaired functions, under `official`.
    pub fn repaired(&self) -> &Timed<algorithm_1::Report> {
        self.repaired.get_or_init(|| {
            Timed::of(|| algorithm_1::check(&self.ab(Reading::Official), &Repaired::default()))
        })
    }
}

/// The failure for a solve that did not end.
fn broken_off(error: FixpointError) -> Failure {
    match error {
        FixpointError::Memory(_) => {
            Failure::unavailable(error).next("end programs that take memory, and try again")
        }
        error => Failure::new(Exit::Bug, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::OutOfMemory;
    use crate::enumerate::Tier;

    #[test]
    fn want_of_memory_is_no_bug() {
        let error = FixpointError::Memory(OutOfMemory { tier: Tier([[1, 0, 0, 0]; 2]), bytes: 1 << 50 });
        assert_eq!(broken_off(error).exit(), Exit::Unavailable);
        assert_eq!(broken_off(FixpointError::Interrupted).exit(), Exit::Bug);
    }
}
