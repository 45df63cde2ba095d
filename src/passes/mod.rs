//! The four passes of the thesis (chapters 3 and 4).
//!
//! | pass | file | what it does |
//! | --- | --- | --- |
//! | Algorithm 1, strategy check | [`strategy_check`] | does a written strategy keep out of the lost positions? |
//! | Algorithm 2, black update | `black_update` | adds positions that Black wins by one move |
//! | Algorithm 3, white update | `white_update` | adds positions in which every white move loses |
//! | Algorithm 4, fixpoint | `fixpoint`, `rounds` | both updates, tier by tier, until nothing is added |
//!
//! Algorithm 1 hands each position to its caller. What the thesis counts there stands in `src/thesis/algorithm_1/`.
//!
//! [`naive`] computes the updates once more, one position at a time. The others are tested against it. A fixpoint saves
//! its state as [`SavedTiers`](crate::store::SavedTiers).

pub(crate) mod black_update;
pub(crate) mod fixpoint;
pub mod naive;
pub(crate) mod rounds;
pub mod strategy_check;
pub(crate) mod white_update;

pub use fixpoint::{
    FixpointError, FixpointProgress, Listener, Round, Saving, Step, Updated, bytes, bytes_of_answers,
    bytes_of_table, bytes_within, lost_at_sight, safe_answers, solve, solve_within, update,
};
