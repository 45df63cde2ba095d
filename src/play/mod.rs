//! Playing: records of games, players, and why a move is not legal.

mod elo;
mod illegal;
mod level;
pub(crate) mod pgn;
mod player;
mod record;
mod sources;
mod talk;

pub use elo::Tally;
pub use illegal::why_illegal;
pub use level::Strength;
pub use player::{Answer, Forfeit, Player, Seat, SeatError, advise, mix, search};
pub use record::{Ending, Record, RecordError};
pub use sources::{Exact, Known, Sources, in_words};
pub use talk::{Client, report_line};
