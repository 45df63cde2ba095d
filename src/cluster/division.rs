//! How much of a variant each of several processes will have, computed before any of them works.

use super::deal;
use crate::bitbase::Keep;
use crate::bitbase::window::{self, window};
use crate::enumerate::rows::kernel::words;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::rules::{Color, Variant};

/// How a variant is divided among processes.
pub struct Division {
    layout: Layout,
}

impl Division {
    /// The division of a variant among any number of processes.
    #[must_use]
    pub fn new(variant: Variant) -> Division {
        Division { layout: Layout::new(variant) }
    }

    /// The most bytes that the bitbases and the sets of rows take in the process with the largest share. `on_disk` says
    /// whether there are working files.
    #[must_use]
    pub fn bytes(&self, processes: usize, on_disk: bool) -> u128 {
        let layout = &self.layout;
        let bits = layout.all().iter().map(|tier| tier.rows as u128).sum::<u128>() / 8;
        let sets = |tier: usize| {
            let window = window(layout, tier, Keep::Needed, on_disk);
            let own = layout.tier(tier).bytes();
            let later = window::bytes(layout, &window).saturating_sub(if on_disk { own } else { 2 * own });
            later + 4 * own
        };
        let sets = (0..layout.all().len()).map(sets).max().unwrap_or_default();
        let most = sets as f64 / processes as f64 * self.most_over_mean(processes);
        most as u128 + BITS_OF_A_ROW * bits
    }

    /// The largest part that a process has of the largest tier, as a multiple of the mean part: the greater of the two
    /// multiples, for White's and for Black's updates. The other processes wait for it.
    #[must_use]
    pub fn most_over_mean(&self, processes: usize) -> f64 {
        let layout = &self.layout;
        let largest = layout.all().iter().max_by_key(|plan| plan.bytes()).unwrap_or(layout.tier(0));
        let of = |color| deal::most_over_mean(largest.tier, (color, layout.inner()), processes);
        Color::ALL.map(of).into_iter().fold(1.0, f64::max)
    }

    /// A guess of the bytes that each process sends to the others in all. A row is sent with its number in every round
    /// in which it grows, unless it belongs to the sender itself.
    #[must_use]
    pub fn bytes_sent(&self, processes: usize) -> f64 {
        let bytes = |plan: &TierLayout| (8 * (1 + words(plan.k)) * plan.rows) as f64;
        let all: f64 = self.layout.all().iter().map(bytes).sum();
        let others = 1.0 - 1.0 / processes as f64;
        SENT_OF_A_ROW * all * others / processes as f64
    }
}

/// How often a row is sent, on average over the rows of a variant. In six small variants it was 0.27 to 3.7 times: least often in
/// A2B1-A2B1C1, most often in A1B1-A3B1.
const SENT_OF_A_ROW: f64 = 0.6;

/// Bits per row of a tier. Each of two shares stores whether the row is there, how many are before it, and whether it
/// is full. A round has four sets of rows of one tier: those that it looks at, those that grew, those that came from other
/// processes, and those of the next round.
const BITS_OF_A_ROW: u128 = 8;
