//! The loop in which closures grow. A [`ReplySource`] chooses White's answers.
//!
//! The order is roughly depth first. A batch of open positions is looked at by several threads, and the positions that
//! come in for it are looked at next. What comes in does not depend on the number of threads.

use rayon::prelude::*;

/// What is in a closure, and what White answers.
pub(crate) trait ReplySource: Sync {
    /// A position with Black to move.
    type Member: Copy + Send;
    /// What is found when the black moves of a member are looked at.
    type Looked: Send;

    /// How many members are in.
    fn inside(&self) -> u64;

    /// Whether an open member still has to be looked at; if so, the caller looks at it now.
    fn begin(&mut self, member: Self::Member) -> bool;

    /// Finds the black moves of a member that nothing in the closure answers, and an answer to each.
    fn look(&self, member: Self::Member) -> Self::Looked;

    /// Adds the answers to questions that nothing has answered meanwhile. What is to be looked at next goes to `open`.
    fn take(&mut self, member: Self::Member, looked: Self::Looked, open: &mut Vec<Self::Member>);
}

/// A batch has at most `BATCH` positions, and at most one for each `PART` positions of the closure. Positions of one batch
/// cannot use each other's answers, so a small batch makes a smaller closure.
const BATCH: usize = 256;
const PART: u64 = 64;

/// Looks at a batch of open positions, from the end of the list. Returns how many they were.
pub(crate) fn look_at_some<S: ReplySource>(source: &mut S, open: &mut Vec<S::Member>) -> usize {
    let together = (source.inside() / PART).clamp(1, BATCH as u64) as usize;
    let mut batch = open.split_off(open.len().saturating_sub(together));
    batch.retain(|&member| source.begin(member));
    let count = batch.len();
    let looked: Vec<_> = batch.into_par_iter().rev().map(|member| (member, source.look(member))).collect();
    let from = open.len();
    for (member, looked) in looked {
        source.take(member, looked, open);
    }
    // What came in first is looked at first.
    open[from..].reverse();
    count
}
