//! The fixpoint over several processes, which may run on several machines.
//!
//! No white move changes a black piece, and no black move a white one; symmetries keep that. So a white update reads only rows
//! in which the same black pieces stand, and a black update reads and writes only rows in which the same white pieces stand.
//! Rows are dealt to processes twice, by black pieces and by white pieces, each process works on its own rows, and only rows
//! that grew are sent. For example, with two processes each has about half of all rows for the white updates, and another half
//! for the black updates.
//!
//! The values, the counts and the number of rounds do not depend on how many processes there are, and they are those of
//! [`crate::passes`]. Only a tier whose run was interrupted may take another number of rounds. The working files
//! are the same too: a run that one process began, several can end, and the other way round.

mod deal;
mod division;
mod rounds;
mod saved;
mod share;
mod wire;

use std::ops::ControlFlow;

pub use division::Division;
pub use wire::{Alone, Wire, agreed};

use crate::bitbase::Keep;
use crate::bitbase::solution::Solution;
use crate::bitbase::window::window;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::TierLayout;
use crate::passes::{FixpointError, FixpointProgress, Listener, Round, Saving, Step};
use crate::rules::{Color, Game};
use crate::strategy::Seed;
use rounds::Unfinished;
use saved::SharedCheckpoint;
use share::Share;

/// Brings a game to its fixpoint over the seed `rules`, with all processes of a wire. Each of them returns the same:
/// the counts of all tiers, and the values of the empty board and of the positions after one move.
///
/// The process with the number 0 has the working files, if there are any. The listener of each process may break off the run.
///
/// # Errors
/// The share of a process does not fit into its memory, the working files cannot be used, or the listener broke it off.
/// All processes return then; those that are not at fault return [`FixpointError::Interrupted`].
pub fn solve(
    game: &Game,
    wire: &dyn Wire,
    saving: Saving<'_>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    let mut share = Share::new(game, wire);
    let mut whole = Solution::nowhere(game, Seed::Rules, Discipline::FREE);
    let mut saved = SharedCheckpoint::new(wire, saving);
    let ended = run(&mut share, &mut whole, &mut saved, listener);
    // Finished or broken off: what was written counts. If a process failed, all of them stop here.
    if !wire.any(matches!(&ended, Err(error) if !matches!(error, FixpointError::Interrupted))) {
        saved.publish_news()?;
    }
    ended?;
    whole.lost.took_beside(share.bytes());
    // The first tiers are small: each process gets them whole.
    let first = window(&whole.layout, 0, Keep::Needed, false);
    agreed(wire, whole.hold(&first).map_err(FixpointError::from), || FixpointError::Interrupted)?;
    for (tier, held) in first.iter().enumerate() {
        for turn in Color::ALL.into_iter().filter(|&turn| held[turn] != Default::default()) {
            let words = 0..whole.layout.tier(tier).len();
            let words = share.gather(wire, &whole.layout, (tier, turn), words);
            whole.lost.add_words(tier, turn, 0, &words);
        }
    }
    Ok(whole)
}

fn run(
    share: &mut Share,
    whole: &mut Solution,
    saved: &mut SharedCheckpoint<'_>,
    listener: Listener<'_>,
) -> Result<(), FixpointError> {
    let wire = saved.wire();
    let bytes = whole.layout.all().iter().map(TierLayout::bytes).sum();
    let mut bytes_done = 0;
    let mut heard = |progress| {
        if wire.any(listener(progress).is_break()) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    for tier in (0..whole.layout.all().len()).rev() {
        let plan = whole.layout.tier(tier);
        let held = share.hold(tier, saved.is_kept()).map_err(FixpointError::from);
        // A round counts the rows of this process. What is told of it is in proportion to the rows of the whole tier.
        let own_rows = share.for_white.layout.tier(tier).stored.max(1) as u128;
        let in_tier = |rows: u64| (u128::from(rows) * plan.rows as u128 / own_rows) as u64;
        let mut told = |step, finished, rows_of_step_done, rows_of_step| {
            let round = Round {
                tier: plan.tier,
                step,
                tier_rows: plan.rows as u64,
                tier_bytes: plan.bytes(),
                finished,
                rows_done: rows_of_step_done,
                rows: rows_of_step,
            };
            let stop = heard(FixpointProgress { bytes_done, bytes, round: Some(round) }).is_break();
            if stop { Err(FixpointError::Interrupted) } else { Ok(()) }
        };
        let mut reading = || told(Step::Reading, 0, 0, plan.rows as u64);
        for (later, turn) in agreed(wire, held, || FixpointError::Interrupted)? {
            saved.load_finished(share, &whole.layout, later, turn, &mut reading)?;
        }
        let mut known = saved.load(share, &whole.layout, tier, &Color::ALL, &mut reading)?;
        saved.go_on();
        let mut unfinished = Unfinished::new(tier);
        // If Black's set was not saved, the tier is gone over once more; that counts as no round.
        let is_new = !known.finished;
        known.finished &= known.with_black;
        known.first_round = 0;
        while !known.finished {
            let rounds = known.rounds;
            let mut heed = |done, of| told(Step::Updating, rounds, in_tier(done), in_tier(of));
            let round = unfinished.round(share, wire, &mut heed);
            let broken_off = matches!(round, Err(FixpointError::Interrupted));
            let grew = match round {
                Err(error) if !broken_off => return Err(error),
                round => round.unwrap_or(true),
            };
            known.rounds += u32::from(is_new && !broken_off);
            known.finished = !grew;
            // In the middle of a round Black's set may lack what follows from the last additions to White's.
            known.with_black = !broken_off;
            // A finished tier is saved below. Before that it is saved when broken off, or between rounds when a save is due.
            if broken_off && saved.is_worth(plan.bytes()) || !broken_off && grew && saved.is_due() {
                saved.save(share, &whole.layout, tier, known)?;
                saved.publish()?;
            }
            if broken_off {
                return Err(FixpointError::Interrupted);
            }
            if known.finished {
                saved.save(share, &whole.layout, tier, known)?;
                saved.begin_another();
                if saved.is_due() {
                    saved.publish()?;
                }
            }
        }
        whole.rounds = whole.rounds.max(known.rounds);
        let mut counting = || told(Step::Counting, known.rounds, plan.rows as u64, plan.rows as u64);
        let counted = share.lost_in(tier, &mut counting)?.summed(|counts| wire.sum(counts));
        whole.counted[tier] = Some(counted);
        bytes_done += plan.bytes();
        if heard(FixpointProgress { bytes_done, bytes, round: None }).is_break() {
            return Err(FixpointError::Interrupted);
        }
    }
    Ok(())
}
