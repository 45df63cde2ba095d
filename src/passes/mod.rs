//! The passes that make certificates (thesis, chapter 4): white update, black update, fixpoint, closure.
//!
//! Untrusted: a mistake here costs a certificate, never a wrong verdict. Everything works on dense
//! lost-sets, one bit a position, 560 positions at a time.

pub mod algorithm_4;
mod black_update;
mod board;
pub mod branching;
mod closure;
pub mod counters;
mod discipline;
mod domain;
pub mod figures;
mod fixpoint;
pub mod forced_win;
mod kernel;
pub mod knowledge;
mod layout;
mod lines;
pub mod listed_win;
mod longest;
mod lost;
mod orbits;
mod order;
mod outcome;
mod outer;
mod parity_game;
pub mod pgsolver;
mod placements;
mod playable;
pub mod prover;
mod question;
mod ranked;
mod refutation;
pub mod scalar;
mod shrink;
mod solution;
pub mod strategy_check;
mod store;
mod sweep;
mod tune;
mod weights;
mod white_update;
mod window;
mod working;

pub use closure::{Growth, Watcher};
pub use discipline::{Discipline, DisciplineError};
pub use fixpoint::{
    FixpointError, Listener, Progress, Round, Updated, bytes, bytes_of_answers, bytes_of_table, bytes_within,
    safe_answers, solve, solve_within, update,
};
pub use longest::{LongestWin, longest_win};
pub use lost::OutOfMemory;
pub use outcome::{Held, TierOutcome, Value, Worth, is_symmetric};
pub use parity_game::{MOST_NODES, ParityGame, TooManyNodes};
pub use refutation::{Refuting, bytes_of_refutation, refute};
pub use solution::Solution;
pub use store::{Store, StoreError, encode};
pub use tune::{Reached, Step, tune};
pub use weights::{Weights, WeightsError};
pub use window::Keep;
pub use working::{TierBlock, Working, WorkingError};
