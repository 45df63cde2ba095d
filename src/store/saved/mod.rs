//! What a fixpoint and the search for distances save in working files.

pub(crate) mod rounds;
pub(crate) mod rows;
pub(crate) mod tiers;
