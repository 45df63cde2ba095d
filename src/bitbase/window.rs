//! Which part of a bitbase is in memory while a tier is worked on.
//!
//! It serves runs that ask only for the value and the counts. A tier reads itself and the tiers that a piece from hand
//! leads to: with Black to move after White's piece, with White to move after Black's. Everything else can be on disk,
//! and is dropped once no earlier tier reads it.

use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::rules::{ByColor, Color, Size};

/// Which part of a solution stays in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// The whole bitbase: every position can be looked up.
    All,
    /// The bitbases that unsolved tiers will read; in the end, those of the empty board and of the tiers one placed
    /// piece later. That is enough for the value and the counts. With working files, only those that the current tier
    /// reads; the rest is on disk. The current tier's set with White to move is then in a mapped file.
    Needed,
    /// As [`Keep::Needed`], but with working files the bitbases that the current tier reads are in mapped files. The
    /// system keeps as much of them in memory as it has room for.
    Mapped,
}

/// Where a set is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Place {
    /// On disk, in working files, or not known yet.
    #[default]
    Away,
    /// In memory.
    Memory,
    /// In a file that is mapped. The passes touch a part of it at a time, so it need not all be in memory.
    Mapped,
}

/// For each tier and side to move, where the bitbase is.
pub(crate) type Window = Vec<ByColor<Place>>;

/// All bitbases.
pub(crate) fn whole(layout: &Layout) -> Window {
    vec![ByColor { white: Place::Memory, black: Place::Memory }; layout.all().len()]
}

/// All bitbases, those with White to move in mapped files: they are read in the order of their rows.
pub(crate) fn white_in_files(layout: &Layout) -> Window {
    vec![ByColor { white: Place::Mapped, black: Place::Memory }; layout.all().len()]
}

/// The bitbases that White's answers are chosen by: those with Black to move.
pub(crate) fn answers(layout: &Layout) -> Window {
    vec![ByColor { white: Place::Away, black: Place::Memory }; layout.all().len()]
}

/// Where each bitbase is while a tier is worked on and all later tiers are finished.
pub(crate) fn window(layout: &Layout, tier: usize, keep: Keep, on_disk: bool) -> Window {
    if keep == Keep::All {
        return whole(layout);
    }
    let mut window = vec![ByColor::default(); layout.all().len()];
    let first = if on_disk { tier } else { 0 };
    let near = if keep == Keep::Mapped && on_disk { Place::Mapped } else { Place::Memory };
    for plan in &layout.all()[first..=tier] {
        for mover in Color::ALL {
            for next in Size::ALL.into_iter().filter_map(|size| plan.after[mover][size]) {
                window[next][!mover] = near;
            }
        }
    }
    // Of the tiers before it nothing is known yet.
    window[..tier].fill(ByColor::default());
    // Of the tier's own sets, only the one with Black to move is read in no order; the other one can be mapped.
    let white = if on_disk { Place::Mapped } else { Place::Memory };
    window[tier] = ByColor { white, black: near };
    window
}

/// The bytes of the bitbases of a window that are in memory.
pub(crate) fn bytes(layout: &Layout, window: &Window) -> u128 {
    let sets = layout.all().iter().zip(window).map(|(plan, held)| {
        let sets = [held.white, held.black].into_iter().filter(|&place| place == Place::Memory).count();
        sets as u128 * plan.bytes()
    });
    sets.sum()
}

/// The most bytes that bitbases take in memory at a time. With [`Keep::Mapped`] this includes the part of mapped
/// bitbases that the passes touch at a time, and the bits that say which rows are full and which are looked at.
pub(crate) fn most_bytes(layout: &Layout, keep: Keep, on_disk: bool) -> u128 {
    let bytes = |tier| {
        let window = window(layout, tier, keep, on_disk);
        bytes(layout, &window) + if keep == Keep::Mapped { touched(layout, &window) } else { 0 }
    };
    let sets = (0..layout.all().len()).map(bytes).max().unwrap_or_default();
    sets + if keep == Keep::Mapped { bytes_of_marks(layout) } else { 0 }
}

/// How many bytes of a window's mapped bitbases the passes touch at a time.
fn touched(layout: &Layout, window: &Window) -> u128 {
    let of_tier = |(plan, held): (&TierLayout, &ByColor<Place>)| {
        let sets = Color::ALL.into_iter().filter(|&turn| held[turn] == Place::Mapped).count() as u128;
        // Most tiers have no mapped set, and finding the largest group takes a while.
        if sets == 0 {
            return 0;
        }
        sets * plan.bytes() * plan.most_together() as u128 / plan.rows.max(1) as u128
    };
    layout.all().iter().zip(window).map(of_tier).sum()
}

/// The bytes of the bits that say which rows of all tiers are full, and which rows of one tier a round looks at.
fn bytes_of_marks(layout: &Layout) -> u128 {
    let rows = || layout.all().iter().map(|plan| plan.rows as u128);
    rows().sum::<u128>() / 8 + rows().max().unwrap_or_default() / 8 * SETS_OF_ROWS
}

/// A round keeps four sets of rows: those it looks at, those that grew with White to move, those that grew with Black
/// to move, and those that the next round looks at.
const SETS_OF_ROWS: u128 = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_tier_is_in_memory_with_what_it_reads_and_nothing_more() {
        let layout = Layout::new("A2B1-A2B2".read().expect("a variant"));
        for (tier, plan) in layout.all().iter().enumerate() {
            let window = window(&layout, tier, Keep::Needed, true);
            for (index, held) in window.iter().enumerate() {
                let reads = |mover: Color| plan.after[mover].0.contains(&Some(index));
                let place = |held| if held { Place::Memory } else { Place::Away };
                let white = if index == tier { Place::Mapped } else { place(reads(Color::Black)) };
                assert_eq!(held.black, place(index == tier || reads(Color::White)), "{}", plan.tier);
                assert_eq!(held.white, white, "{}", plan.tier);
            }
        }
    }

    #[test]
    fn without_a_disk_what_an_earlier_tier_reads_stays() {
        let layout = Layout::new("A2B1-A2B2".read().expect("a variant"));
        let tiers = layout.all().len();
        let later = |tier| window(&layout, tier, Keep::Needed, false);
        for tier in 0..tiers {
            for before in 0..tier {
                for (index, needed) in window(&layout, before, Keep::Needed, true).iter().enumerate() {
                    let is_read = |&turn: &Color| index > tier && needed[turn] == Place::Memory;
                    for turn in Color::ALL.into_iter().filter(is_read) {
                        let place = later(tier)[index][turn];
                        assert_eq!(place, Place::Memory, "{before} needs {index} {turn} after {tier}");
                    }
                }
            }
        }
        let [all, needed, on_disk] = [(Keep::All, false), (Keep::Needed, false), (Keep::Needed, true)]
            .map(|(keep, on_disk)| most_bytes(&layout, keep, on_disk));
        assert!(on_disk < needed && needed < all, "{on_disk} {needed} {all}");
    }

    #[test]
    fn in_files_a_large_tier_takes_a_small_part_of_the_memory() {
        let layout = Layout::new("A3B2-A3B3C2".read().expect("a variant"));
        let [needed, mapped] = [Keep::Needed, Keep::Mapped].map(|keep| most_bytes(&layout, keep, true));
        assert!(4 * mapped < needed && mapped > 200 << 20, "{mapped} {needed}");
        for (tier, plan) in layout.all().iter().enumerate() {
            for held in window(&layout, tier, Keep::Mapped, true) {
                assert!(held.white != Place::Memory && held.black != Place::Memory, "{}", plan.tier);
            }
        }
    }
}
