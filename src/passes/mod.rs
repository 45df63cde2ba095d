//! The four passes of the thesis and what drives them (chapters 3 and 4).
//!
//! | pass | file |
//! | --- | --- |
//! | Algorithm 1, strategy check | [`strategy_check`] |
//! | Algorithm 2, black update | `black_update` |
//! | Algorithm 3, white update | `white_update` |
//! | Algorithm 4, fixpoint | `fixpoint` |
//!
//! [`naive`] is the fixpoint again, position by position, as an oracle for the others.

pub(crate) mod black_update;
pub(crate) mod fixpoint;
pub mod naive;
pub mod strategy_check;
pub(crate) mod white_update;

pub use fixpoint::{
    FixpointError, Listener, Progress, Round, Updated, bytes, bytes_of_answers, bytes_of_table, bytes_within,
    lost_at_sight, safe_answers, solve, solve_within, update,
};
