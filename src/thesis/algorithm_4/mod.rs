//! Algorithm 4 on `ab` as the thesis reports it (section 6.2): how many positions the lists hold after each round, in
//! every way that its text leaves open.
//!
//! These numbers stand beside the thesis's, and nothing rests on them. Certificates come from
//! [`solve`](crate::passes::solve), which works tier by tier and not in rounds over everything.

mod attempts;
mod lists;
mod start;

pub use attempts::{Attempted, attempts};
pub use lists::{ListOrder, Lists, Sums, least, lists, share, total};
pub use start::{Start, ThreeB, Wins};

#[cfg(test)]
mod tests;
