//! How fast the machine is, by the processor time of a small solve.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::bitbase::Keep;
use crate::cli::console::exit::Failure;
use crate::enumerate::Discipline;
use crate::passes;
use crate::prelude::*;
use crate::rules::{Game, Reading, Variant};

/// The variant that is solved to measure.
pub(super) const MEASURED: &str = "ab";

/// How long one core takes to solve it on the reference machine, for which the constants of the guesses hold.
const REFERENCE: Duration = Duration::from_millis(300);

/// How fast a core is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Speed {
    /// The time of some work here, as a multiple of its time on the reference machine.
    pub times: f64,
    /// The processor time of the small solve.
    pub measured: Duration,
}

impl Speed {
    /// Solves the small variant on the threads of this pool.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn measure() -> Result<Speed, Failure> {
        let game = Game::new(variant(), Reading::Official);
        let begun = processor();
        let go_on = &mut |_| ControlFlow::Continue(());
        passes::solve_within(&game, Discipline::FREE, Keep::Needed, None, go_on)
            .map_err(Failure::unavailable)?;
        let measured = processor().saturating_sub(begun);
        Ok(Speed { times: measured.as_secs_f64() / REFERENCE.as_secs_f64(), measured })
    }
}

/// How many bytes of memory the small solve takes.
pub(super) fn bytes() -> u128 {
    passes::bytes_within(variant(), Discipline::FREE, Keep::Needed, false)
}

/// The variant that is solved to measure.
pub(super) fn variant() -> Variant {
    MEASURED.read().expect("a named variant")
}

/// The processor time that the process has had, summed over all processors.
#[cfg(unix)]
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().unwrap_or_default()
}

/// The time of the clock, where the system does not tell the processor time.
#[cfg(not(unix))]
fn processor() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
