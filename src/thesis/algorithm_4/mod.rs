//! Algorithm 4 on `ab` as the thesis reports it (section 6.2), in every way that its text leaves open: how
//! many positions the lists hold after each round.
//!
//! These numbers stand beside the thesis's, and nothing rests on them. The fixpoint that certificates come
//! from is [`solve`](crate::passes::solve), which goes tier by tier and not by rounds over everything.

mod attempts;
mod lists;
mod start;

pub use attempts::{Attempted, attempts};
pub use lists::{Lists, Order, Sums, least, lists, share, total};
pub use start::{Start, ThreeB, Wins};

#[cfg(test)]
mod tests;
